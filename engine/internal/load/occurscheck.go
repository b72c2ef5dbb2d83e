package load

import (
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how clauses are loaded while the flag occurs_check is set. Unifications become calls of $unify/2
// instead of instructions, and each variable occurs in the head once. So only $unify/2 could make a cyclic term, and
// it checks.

// ChecksOccurs reports whether the flag applies to the clauses being loaded: it is set, or they are tests that set it.
func (l *Loader) ChecksOccurs() bool {
	mode := l.p.flags.Flag("occurs_check")
	return !l.library && (l.unit != nil && l.unit.occurs || mode != nil && mode != term.Term(term.False))
}

// unification returns the call that replaces X = Y or X \\= Y under the flag. It returns nil for other goals.
func (e *goalExpansion) unification(t term.Term) term.Term {
	if !e.occurs {
		return nil
	}
	if args, ok := term.Is(t, "=", 2); ok {
		return term.New("$unify", args...)
	}
	if args, ok := term.Is(t, "\\=", 2); ok {
		return term.New("\\+", term.New("$unify", args[0], args[1], notEqual))
	}
	return nil
}

// notEqual is the context of errors in \=/2.
var notEqual = term.New(":", term.Atom("system"), term.New("/", term.Atom("\\="), term.Int(2)))

// linear returns a clause whose head has each variable once. Later occurrences become fresh variables that the body
// unifies with the first.
func (l *Loader) linear(head, body term.Term) (term.Term, term.Term) {
	if !l.ChecksOccurs() {
		return head, body
	}
	l.result.dependent = true
	name, arity, _ := term.Indicator(head)
	c := &linearCopy{seen: map[*term.Var]bool{}, context: term.New("/", name, term.Int(arity))}
	head = c.copy(head, 0)
	return head, term.Conjunction(append(c.goals, body)...)
}

// linearCopy copies a head with fresh variables in place of those seen before. goals are the unifications, in the
// order of the variables. context is the predicate, which their errors name.
type linearCopy struct {
	seen    map[*term.Var]bool
	goals   []term.Term
	context term.Term
}

// maxHeadDepth bounds the recursion; deeper variables stay as they are.
const maxHeadDepth = 1000

// copy copies a term and adds a goal of unification for each variable that it replaces.
func (c *linearCopy) copy(t term.Term, depth int) term.Term {
	switch t := t.(type) {
	case *term.Var:
		if !c.seen[t] {
			c.seen[t] = true
			return t
		}
		fresh := term.NewVar(t.Name)
		c.goals = append(c.goals, term.New("$unify", t, fresh, c.context))
		return fresh
	case *term.Compound:
		if depth > maxHeadDepth {
			return t
		}
		args := make([]term.Term, len(t.Args))
		for i, a := range t.Args {
			args[i] = c.copy(a, depth+1)
		}
		return &term.Compound{Functor: t.Functor, Args: args}
	}
	return t
}
