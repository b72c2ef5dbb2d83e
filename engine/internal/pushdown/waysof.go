package pushdown

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what can be said of the ways of questions before they are put.

// IsRepeated reports whether the question is asked again with other values while its rule is called once.
func (r Report) IsRepeated() bool { return r.Way != Alone && r.Way != There }

// begin notes whether a clause calls itself: then what it asks depends on its answers.
func (cl *Clause) begin(head, goals term.Term) {
	cl.bound = map[*term.Var]bool{}
	name, arity, _ := term.Indicator(head)
	body.Walk(body.Part{Term: goals}, func(g body.Part) []body.Part {
		if n, a, ok := term.Indicator(g.Term); ok && n == name && a == arity {
			cl.recursive = true
		}
		return g.Arguments(cl.spec(g.Term))
	})
	if cl.recursive {
		cl.bind([]sqlGoal{{term: head}})
	}
}

// bind notes the variables of goals that have been called. A test binds variables once for each value of the others.
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

// wayOf is the way of a question that would be put one way if it were asked once.
func (cl *Clause) wayOf(once Way, row *term.Compound, total bool) Way {
	switch again := slices.ContainsFunc(term.Variables(row), func(v *term.Var) bool { return cl.bound[v] }); {
	case !again:
		return once
	case cl.recursive:
		return Fetched
	case total:
		return ByGroups
	}
	return InBlocks
}
