package load

import (
	"fmt"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the parts of a clause before it is expanded, and what can be said of goals without a loader.

// clauseParts is a clause of a text. The predicate belongs to the module home, the body runs in the module scope.
type clauseParts struct {
	home, scope *database.Module
	head, body  term.Term
	ssu         bool // Head => Body
}

// scopedBody returns the body of a clause as it is stored: with its module if that is not the module of the predicate.
func (c *clauseParts) scopedBody() term.Term {
	body := callVars(c.body)
	if c.home == c.scope || body == term.Term(term.True) {
		return body
	}
	if guarded, ok := term.Is(body, ",", 2); ok && c.ssu {
		if guard, ok := term.Is(guarded[0], "$guard", 1); ok {
			return term.New(",", term.New("$guard", inModule(c.scope, guard[0])), inModule(c.scope, guarded[1]))
		}
	}
	return inModule(c.scope, body)
}

// inModule returns Module:Goal.
func inModule(m *database.Module, goal term.Term) term.Term {
	return term.New(":", term.Atom(m.Name), goal)
}

// kindOf names a term that is not callable.
func kindOf(t term.Term) string {
	switch t.(type) {
	case *term.Var:
		return "a variable"
	case term.String:
		return "the string " + syntax.ShowTerm(t)
	}
	return "the number " + syntax.ShowTerm(t)
}

// BadGoal returns a part of a body that can never be called, or nil.
func BadGoal(body term.Term) term.Term {
	stack := []term.Term{body}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch t.(type) {
		case *term.Compound:
			if goals, ok := term.Junction(t); ok {
				stack = append(stack, goals[1], goals[0])
			}
		case term.Atom, *term.Var:
		default:
			return t
		}
	}
	return nil
}

// functorText shows a functor as name/arity.
func functorText(functor code.Cell) string {
	return fmt.Sprintf("%s/%d", syntax.FormatTerm(term.Atom(code.AtomText(functor.FunctorAtom()))), functor.FunctorArity())
}

// isHelperName reports whether a name is the name of a helper.
func isHelperName(name string) bool { return len(name) > 1 && name[0] == '$' }

// MaxArity is the largest number of arguments of a predicate.
const MaxArity = 255

// goalLines lists the source lines of the goals of a clause, left to right, packed as the code area keeps them. It
// returns nil for a term that is no rule, or whose layout is not known.
func goalLines(read *syntax.Read) []int32 {
	if read.Layout == nil || len(read.Layout.Args) != 2 {
		return nil
	}
	c, ok := read.Term.(*term.Compound)
	if !ok || c.Functor != ":-" {
		return nil
	}
	type node struct {
		t term.Term
		l *syntax.Layout
	}
	var lines []int32
	stack := []node{{c.Args[1], read.Layout.Args[1]}}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if goals, ok := term.Control(n.t); ok && len(goals) == len(n.l.Args) {
			for i, goal := range slices.Backward(goals) {
				stack = append(stack, node{goal, n.l.Args[i]})
			}
			continue
		}
		lines = append(lines, int32(n.l.Pos.Line))
	}
	return lines
}

// qualified qualifies a goal with its module unless that is user.
func qualified(m *database.Module, goal term.Term) term.Term {
	if m.Name == "user" {
		return goal
	}
	return inModule(m, goal)
}

// conjuncts returns the parts of a conjunction. Another goal is the only part.
func conjuncts(t term.Term) []term.Term {
	var list []term.Term
	for {
		args, ok := term.Is(t, ",", 2)
		if !ok {
			return append(list, t)
		}
		list, t = append(list, args[0]), args[1]
	}
}

// compound returns name(args...), or the atom when there are none.
func compound(name string, args []term.Term) term.Term {
	if len(args) == 0 {
		return term.Atom(name)
	}
	return term.New(term.Atom(name), args...)
}

// metaOf returns the meta_predicate specification of the predicate of a goal in a module, or "".
func metaOf(module *database.Module, c *term.Compound) string {
	if pred := module.Resolve(code.Functor(string(c.Functor), len(c.Args))); pred != nil {
		if len(pred.Meta()) == len(c.Args) {
			return pred.Meta()
		}
		return ""
	}
	return lib.Meta(string(c.Functor), len(c.Args))
}
