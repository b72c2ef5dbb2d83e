package engine

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what happens to a term between reading and adding it: term_expansion/2,
// grammar rules and goal_expansion/2.

// expand applies term_expansion/2 and translates grammar rules; the result may be several
// terms.
func (l *loader) expand(t term.Term) []term.Term {
	list := []term.Term{t}
	if !l.library {
		list = l.userExpansion(t)
	}
	var out []term.Term
	for _, t := range list {
		if l.unit != nil {
			if clauses := l.testClause(t); clauses != nil {
				out = append(out, clauses...)
				continue
			}
		}
		if _, ok := term.Is(t, "-->", 2); ok {
			if t = l.grammarRule(t); t == nil {
				continue
			}
		}
		out = append(out, t)
	}
	return out
}

// userExpansion calls term_expansion/2 if the program defines it.
func (l *loader) userExpansion(t term.Term) []term.Term {
	if !l.hasHook("term_expansion") {
		return []term.Term{t}
	}
	x := term.NewVar("X")
	s, err := l.p.solve(term.New("term_expansion", t, x), []*term.Var{x}, l.p.db.User())
	if err != nil {
		l.exception("term_expansion", err)
		return nil
	}
	if s == nil {
		return []term.Term{t}
	}
	if isCyclic(s[0]) {
		l.report(SeverityError, "term_expansion", "term_expansion/2 gives a cyclic term")
		return nil
	}
	if items, ok := term.Slice(s[0]); ok {
		return items
	}
	return []term.Term{s[0]}
}

// grammarRule translates Head --> Body.
func (l *loader) grammarRule(t term.Term) term.Term {
	x := term.NewVar("X")
	s, err := l.p.solve(term.New("dcg_translate_rule", t, x), []*term.Var{x}, l.module)
	if err != nil {
		l.exception("grammar", err)
		return nil
	}
	if s == nil {
		l.report(SeverityError, "grammar", "this grammar rule cannot be translated")
		return nil
	}
	return s[0]
}

// hasHook reports whether the program defines an expansion hook of arity 2.
func (l *loader) hasHook(name string) bool {
	pred := l.p.db.User().Find(code.Functor(name, 2))
	return pred != nil && len(pred.Clauses()) > 0
}

// The bounds of goal expansion: how deep control constructs may nest, and how many goals of
// a clause may be expanded.
const (
	maxGoalDepth      = 10_000
	maxGoalExpansions = 10_000
)

// goalExpansion is the expansion of the goals of one clause.
type goalExpansion struct {
	l *loader
	// active are the goals being expanded now: a goal is not expanded within its own
	// expansion.
	active []term.Term
	// left is how many more goals may be expanded; below zero the clause is given up.
	left int
}

// expandGoals applies goal_expansion/2 to the goals of a body.
func (l *loader) expandGoals(body term.Term) term.Term {
	e := goalExpansion{l: l, left: maxGoalExpansions}
	out := e.body(body, 0)
	if e.left < 0 {
		l.report(SeverityError, "goal_expansion", "goal expansion does not come to an end")
	}
	return out
}

// body expands the goals in a body, and those in what they expand to.
func (e *goalExpansion) body(t term.Term, depth int) term.Term {
	if _, isVar := t.(*term.Var); isVar || depth >= maxGoalDepth || e.left < 0 {
		return t
	}
	if c, ok := t.(*term.Compound); ok && isControl(c) {
		args := make([]term.Term, len(c.Args))
		for i, a := range c.Args {
			args[i] = e.body(a, depth+1)
		}
		return term.New(c.Functor, args...)
	}
	if e.isActive(t) {
		return t
	}
	next := e.goal(t)
	if next == nil {
		return e.metaArguments(t, depth)
	}
	e.left--
	e.active = append(e.active, t)
	out := e.body(next, depth+1)
	e.active = e.active[:len(e.active)-1]
	return out
}

func (e *goalExpansion) isActive(goal term.Term) bool {
	for _, g := range e.active {
		if term.Equal(g, goal) {
			return true
		}
	}
	return false
}

// metaArguments expands the arguments of a goal that the predicate calls as they are.
func (e *goalExpansion) metaArguments(goal term.Term, depth int) term.Term {
	c, ok := goal.(*term.Compound)
	if !ok {
		return goal
	}
	pred := e.l.module.Resolve(code.Functor(string(c.Functor), len(c.Args)))
	if pred == nil || len(pred.Meta) != len(c.Args) {
		return goal
	}
	args := make([]term.Term, len(c.Args))
	for i, a := range c.Args {
		if args[i] = a; pred.Meta[i] == '0' {
			args[i] = e.body(a, depth+1)
		}
	}
	return term.New(c.Functor, args...)
}

// goal calls goal_expansion/2 for a goal; nil when it leaves the goal as it is.
func (e *goalExpansion) goal(t term.Term) term.Term {
	x, vars := term.NewVar("X"), term.Variables(t)
	s, err := e.l.p.solve(term.New("goal_expansion", t, x), append([]*term.Var{x}, vars...), e.l.p.db.User())
	if err != nil {
		e.l.exception("goal_expansion", err)
		return nil
	}
	if s == nil {
		return nil
	}
	if isCyclic(s[0]) {
		e.l.report(SeverityError, "goal_expansion", "goal_expansion/2 gives a cyclic term")
		return nil
	}
	back := map[*term.Var]term.Term{}
	for i, v := range vars {
		if out, ok := s[i+1].(*term.Var); ok {
			back[out] = v
		}
	}
	if next := term.Rename(s[0], back); !term.Equal(next, t) {
		return next
	}
	return nil
}

// isCyclic reports whether a term contains itself.
func isCyclic(t term.Term) bool {
	const open, closed = 1, 2
	state := map[*term.Compound]int{}
	stack := []term.Term{t}
	for len(stack) > 0 {
		c, ok := stack[len(stack)-1].(*term.Compound)
		switch {
		case !ok || state[c] == closed:
			stack = stack[:len(stack)-1]
		case state[c] == open:
			state[c] = closed
			stack = stack[:len(stack)-1]
		default:
			state[c] = open
			for _, a := range c.Args {
				if sub, ok := a.(*term.Compound); ok && state[sub] == open {
					return true
				}
				stack = append(stack, a)
			}
		}
	}
	return false
}
