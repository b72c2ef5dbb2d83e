package pushdown

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what is known about the ways of questions before they are sent.

// IsRepeated reports whether one call of the rule sends the question repeatedly with other values.
func (r Report) IsRepeated() bool { return r.Way != Alone && r.Way != There }

// Calls maps the functors of heads to the functors that their clauses call.
type Calls map[code.Cell][]code.Cell

// Note records the functors that the goals of a clause call, and returns the functor of its predicate. The clauses of a
// tabled predicate have another name.
func (c Calls) Note(cl *Clause, head, goals term.Term) (own code.Cell) {
	name, arity, _ := term.Indicator(head)
	own = code.Functor(strings.TrimSuffix(string(name), database.BehindTable), arity)
	body.Walk(body.Part{Term: goals}, func(g body.Part) []body.Part {
		callee, n, ok := term.Indicator(g.Term)
		if ok {
			c[own] = append(c[own], code.Functor(string(callee), n))
		}
		return g.Arguments(cl.Home.MetaOf(string(callee), n))
	})
	return own
}

// InRecursion returns the functors that call themselves, and those that these call. The questions of their clauses
// depend on answers.
func (c Calls) InRecursion() map[code.Cell]bool {
	within := map[code.Cell]bool{}
	for f := range c {
		if reached := c.reached(f); reached[f] && !within[f] {
			within[f] = true
			maps.Copy(within, reached)
		}
	}
	return within
}

// reached returns the functors that a functor calls, directly or not.
func (c Calls) reached(from code.Cell) map[code.Cell]bool {
	reached := map[code.Cell]bool{}
	for open := []code.Cell{from}; len(open) > 0; {
		next := c[open[len(open)-1]]
		open = open[:len(open)-1]
		for _, f := range next {
			if !reached[f] {
				reached[f] = true
				open = append(open, f)
			}
		}
	}
	return reached
}

// bind notes the variables of goals that have been called. A test binds its variables at most once for each value of
// the others.
func (cl *Clause) bind(goals []sqlGoal) {
	for _, g := range goals {
		vars := term.Variables(g.term)
		isBound := func(v *term.Var) bool { return cl.bound[v] }
		if (isTest(g.term) || g.equation != nil) && !slices.ContainsFunc(vars, isBound) {
			continue
		}
		for _, v := range vars {
			cl.bound[v] = true
		}
	}
}

// wayOf returns the way of a question and its way in recursion, given its way if it were sent once.
func (cl *Clause) wayOf(once Way, row *term.Compound, total bool) (way, again Way) {
	vars := term.Variables(row)
	isOneOf := func(list map[*term.Var]bool) bool {
		return slices.ContainsFunc(vars, func(v *term.Var) bool { return list[v] })
	}
	switch isBound := isOneOf(cl.bound); {
	case !isBound && isOneOf(cl.ofHead):
		return once, Fetched
	case !isBound:
		return once, once
	case total:
		return ByGroups, Fetched
	}
	return InBlocks, Fetched
}
