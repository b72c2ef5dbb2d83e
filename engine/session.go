package engine

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what a prompt needs: goals that are read from a text that is still being written, the state that
// consecutive goals share, and names that complete a word.

// ErrIncomplete is returned by ReadGoal for a text that ends before its first full stop.
var ErrIncomplete = errors.New("the text ends within a goal")

// Goal is a goal that was read from a text, with its named variables in the order of their
// occurrence.
type Goal struct {
	Term Term
	Vars []*term.Var
}

// ReadGoal reads the first goal of a text, up to its full stop, and returns it with the rest of the text. It returns
// io.EOF for a text without a goal, ErrIncomplete for a text that ends within one, and [Diagnostics] for a syntax
// error, together with the text behind the goal. name is the name of the text in diagnostics.
func (p *Program) ReadGoal(name, text string) (g *Goal, rest string, err error) {
	user := p.db.User()
	in := syntax.NewTextInput(name, text)
	parser := syntax.NewParser(in, user.Ops, &user.Flags)
	read, err := parser.Read()
	if err != nil && (err == io.EOF || !parser.Ended()) {
		if err != io.EOF {
			err = ErrIncomplete
		}
		return nil, text, err
	}
	rest = text[in.Bytes():]
	var syn *syntax.Error
	switch {
	case errors.As(err, &syn):
		return nil, rest, Diagnostics{load.SyntaxDiagnostic(name, syn)}
	case err != nil:
		return nil, rest, err
	}
	return newGoal(read, user), rest, nil
}

// newGoal is a goal with its variables.
func newGoal(read *syntax.Read, module *database.Module) *Goal {
	g := &Goal{Term: load.ExpandGoal(read, module)}
	for _, v := range read.Vars {
		g.Vars = append(g.Vars, v.Var)
	}
	return g
}

// Session is the state that consecutive goals share besides the program: flags, the working directory, global
// variables, the seed of random numbers, and the values of the last answer, which goals name as $X. The zero value is
// empty. One run at a time may use it; see [RunOptions].
type Session struct {
	flags   *builtin.FlagSet
	globals map[string]Term
	values  map[string]Term
	random  *machine.Random
	folder  string // that a goal has made the working directory
}

// answer stores the values of an answer.
func (s *Session) answer(found Solution) {
	for i, name := range found.names {
		if _, unbound := found.values[i].(*term.Var); unbound {
			continue
		}
		if s.values == nil {
			s.values = map[string]Term{}
		}
		s.values[name] = found.values[i]
	}
}

// fill returns a goal in which the values of earlier answers replace $X.
func (s *Session) fill(goal Term) Term {
	if len(s.values) == 0 {
		return goal
	}
	root, copies := []Term{goal}, map[*term.Compound]*term.Compound{}
	for stack := [][]Term{root}; len(stack) > 0; {
		args := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for i, arg := range args {
			c, ok := arg.(*term.Compound)
			if !ok {
				continue
			}
			if value := s.value(c); value != nil {
				args[i] = value
				continue
			}
			own := copies[c]
			if own == nil {
				own = &term.Compound{Functor: c.Functor, Args: slices.Clone(c.Args)}
				copies[c] = own
				stack = append(stack, own.Args)
			}
			args[i] = own
		}
	}
	return root[0]
}

// value returns the value of an earlier answer for $X, nil for other terms.
func (s *Session) value(t Term) Term {
	of, ok := term.Is(t, "$", 1)
	if !ok {
		return nil
	}
	v, ok := of[0].(*term.Var)
	if !ok {
		return nil
	}
	return s.values[v.Name]
}

// Completions returns the atoms that begin with a prefix and need no quotes, sorted: names of predicates of the program
// and of its libraries, loaded or not, and other atoms that exist. It serves prompts that complete words.
func (p *Program) Completions(prefix string) []string {
	list := code.AtomsWith(prefix)
	for _, m := range []*database.Module{p.db.User(), p.db.System()} {
		for _, pred := range m.Preds() {
			list = append(list, pred.Name())
		}
	}
	for indicator := range lib.Autoload() {
		list = append(list, indicator.Name)
	}
	list = slices.DeleteFunc(list, func(name string) bool {
		return !strings.HasPrefix(name, prefix) || syntax.NeedsQuote(term.Atom(name))
	})
	slices.Sort(list)
	return slices.Compact(list)
}
