package engine

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what a prompt needs: goals that are read one after the other from a text that
// is still being written, what they share besides the program, and names that complete a word.

// ErrIncomplete is returned by ReadGoal for a text that ends before its first full stop.
var ErrIncomplete = errors.New("the text ends within a goal")

// Goal is a goal that was read from a text, with its named variables in the order of their
// occurrence.
type Goal struct {
	Term Term
	Vars []*term.Var
}

// ReadGoal reads the first goal of a text, which ends with a full stop, and returns it with the text
// behind it. It returns io.EOF for a text without one, ErrIncomplete for one that has to go on,
// and [Diagnostics] for a syntax error, with the text behind the goal too. name stands for the text
// in them.
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
	return newGoal(read), rest, nil
}

// newGoal is a goal with its variables.
func newGoal(read *syntax.Read) *Goal {
	g := &Goal{Term: read.Term}
	for _, v := range read.Vars {
		g.Vars = append(g.Vars, v.Var)
	}
	return g
}

// Session is what goals that run one after the other share besides the program: flags, global
// variables, the seed of random numbers, and the values of the last answer, which goals name as $X. The zero value is empty. One
// run at a time may use it, see [RunOptions].
type Session struct {
	flags   *builtin.FlagSet
	globals map[string]Term
	values  map[string]Term
	random  *rand.Rand
}

// begin gives a run what the session holds.
func (s *Session) begin(r *Run) {
	r.m.Random = s.random
	for name, value := range s.globals {
		r.m.SetGlobal(name, r.m.Import(value), false)
	}
}

// end keeps what a run leaves. Global variables of one that ended with an error are not taken: its
// terms may be what it has run out of memory with.
func (s *Session) end(r *Run) {
	s.flags, s.random = r.io.OwnFlags().Over(s.flags), r.m.Random
	if r.failed {
		return
	}
	s.globals = map[string]Term{}
	for _, name := range r.m.GlobalNames() {
		if value, ok := r.m.Global(name); ok {
			s.globals[name] = r.m.Export(value)
		}
	}
}

// answer keeps the values of an answer.
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

// fill returns a goal with the values of earlier answers in the place of $X.
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

// AtHalt calls the goals that at_halt/1 has registered, the last one first. Whoever runs goals on
// behalf of a process calls it at the end of that.
func (p *Program) AtHalt(ctx context.Context, o *RunOptions) {
	m := p.db.FindModule("at_halt")
	if m == nil {
		return
	}
	if goals := m.Find(code.Functor("goal", 1)); goals != nil && len(goals.Clauses()) > 0 {
		// Goals that came from a program before this one need the library.
		_, _ = p.Once(ctx, "use_module(library(at_halt)), at_halt:call_goals", o) // it prints what goes wrong
	}
}

// Completions returns the atoms without quotes that begin with a prefix: names of predicates that a
// goal may call, of the program and its libraries, and other atoms that are known.
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
