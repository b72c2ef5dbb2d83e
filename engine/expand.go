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

// The bounds of goal expansion: how deep control constructs may nest, and how often the
// expansion of a goal may be expanded again.
const (
	maxGoalDepth      = 10_000
	maxGoalExpansions = 1_000
)

// expandGoals applies goal_expansion/2 to the goals of a body.
func (l *loader) expandGoals(t term.Term, depth int) term.Term {
	c, ok := t.(*term.Compound)
	if ok && isControl(c) && depth < maxGoalDepth {
		args := make([]term.Term, len(c.Args))
		for i, a := range c.Args {
			args[i] = l.expandGoals(a, depth+1)
		}
		return term.New(c.Functor, args...)
	}
	if _, isVar := t.(*term.Var); isVar {
		return t
	}
	for range maxGoalExpansions {
		x, vars := term.NewVar("X"), term.Variables(t)
		s, err := l.p.solve(term.New("goal_expansion", t, x), append([]*term.Var{x}, vars...), l.p.db.User())
		if err != nil {
			l.exception("goal_expansion", err)
			return t
		}
		if s == nil {
			return t
		}
		back := map[*term.Var]term.Term{}
		for i, v := range vars {
			if out, ok := s[i+1].(*term.Var); ok {
				back[out] = v
			}
		}
		next := term.Rename(s[0], back)
		if term.Equal(next, t) {
			return t
		}
		t = next
	}
	l.report(SeverityError, "goal_expansion", "goal expansion does not come to an end")
	return t
}
