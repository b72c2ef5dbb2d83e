package load

import (
	"fmt"
	"iter"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
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
	goals := callVars(c.body)
	if c.home == c.scope || goals == term.Term(term.True) {
		return goals
	}
	if guarded, ok := term.Is(goals, ",", 2); ok && c.ssu {
		if guard, ok := term.Is(guarded[0], "$guard", 1); ok {
			return term.New(",", term.New("$guard", inModule(c.scope, guard[0])), inModule(c.scope, guarded[1]))
		}
	}
	return inModule(c.scope, goals)
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
func BadGoal(t term.Term) term.Term {
	for _, goal := range goalsOf(t) {
		switch goal.(type) {
		case *term.Compound, term.Atom, *term.Var:
		default:
			return goal
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
	var lines []int32
	for goal := range body.Goals(body.Part{Term: c.Args[1], Layout: read.Layout.Args[1]}) {
		if goal.Layout == nil {
			return nil
		}
		lines = append(lines, int32(goal.Layout.Pos.Line))
	}
	return lines
}

// goalsOf yields the goals of a body, from left to right.
func goalsOf(t term.Term) iter.Seq2[int, term.Term] {
	return func(yield func(int, term.Term) bool) {
		i := 0
		for goal := range body.Goals(body.Part{Term: t}) {
			if !yield(i, goal.Term) {
				return
			}
			i++
		}
	}
}

// qualified qualifies a goal with its module unless that is user.
func qualified(m *database.Module, goal term.Term) term.Term {
	if m.Name == "user" {
		return goal
	}
	return inModule(m, goal)
}

// compound returns name(args...), or the atom when there are none.
func compound(name string, args []term.Term) term.Term {
	if len(args) == 0 {
		return term.Atom(name)
	}
	return term.New(term.Atom(name), args...)
}
