package load

import (
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what the guard $ in the body of a clause comes to.

// guardRest returns the body of a clause. If one of its conjuncts is $, that is a cut there, and the rest of the body
// is the argument of the goal that watches it. In (A, $, B) the rest is B.
func guardRest(pred *database.Pred, c clauseParts) term.Term {
	goals, _ := term.Conjuncts(c.body)
	for i, goal := range goals {
		if goal != term.Term(term.Atom("$")) {
			continue
		}
		indicator := term.New("/", term.Atom(pred.Name()), term.Int(pred.Arity()))
		rest := term.Term(term.True)
		if i+1 < len(goals) {
			rest = term.Conjunction(goals[i+1:]...)
		}
		if c.scope != nil {
			rest = qualified(c.scope, rest)
		}
		watch := term.New("$det_goal", rest, qualified(pred.Module, indicator), term.Atom("guard"))
		return term.Conjunction(append(goals[:i:i], term.Atom("!"), watch)...)
	}
	return c.body
}
