package passes

import (
	"slices"
	"strconv"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how constraints of library(clpfd) in bodies are expanded. X #= Y+Z becomes
//
// ( integer(Y), integer(Z) -> ( var(X) -> X is Y+Z ; integer(X) -> X =:= Y+Z ; C ) ; C )
//
// where C is clpfd:(X #= Y+Z), which is not expanded again. If all variables are integers at run time, the constraint
// is as fast as arithmetic.

// constraintTests maps constraints to the comparisons that decide them for integers.
var constraintTests = map[term.Atom]term.Atom{
	"#=": "=:=", "#\\=": "=\\=", "#<": "<", "#>": ">", "#=<": "=<", "#>=": ">=",
}

// constraintFunctions holds the functions that are defined for all integers and have the same value in arithmetic and
// in constraints.
var constraintFunctions = map[string]bool{
	"+/2": true, "-/2": true, "*/2": true, "-/1": true, "abs/1": true, "min/2": true, "max/2": true,
}

// maxConstraintSize bounds the expressions that are expanded, because the expansion repeats them.
const maxConstraintSize = 30

// MentionsConstraints reports whether a part of a term is a constraint.
func MentionsConstraints(t term.Term) bool {
	for part := range term.Parts(t) {
		c, ok := part.(*term.Compound)
		if ok && len(c.Args) == 2 && constraintTests[c.Functor] != "" {
			return true
		}
	}
	return false
}

// Constraint returns the expansion of a constraint, nil for other goals.
func Constraint(t term.Term) term.Term {
	c, ok := t.(*term.Compound)
	if !ok || len(c.Args) != 2 || constraintTests[c.Functor] == "" {
		return nil
	}
	var s constraintShape
	if !s.add(c.Args[0]) {
		return nil
	}
	left := s.vars
	if !s.add(c.Args[1]) || s.size > maxConstraintSize || len(s.vars) == 0 {
		return nil
	}
	plain := term.New(":", term.Atom("clpfd"), t)
	if c.Functor == "#=" {
		right := constraintShape{}
		right.add(c.Args[1])
		if goal := assignment(c.Args[0], c.Args[1], right.vars, plain); goal != nil {
			return goal
		}
		if goal := assignment(c.Args[1], c.Args[0], left, plain); goal != nil {
			return goal
		}
	}
	test := term.New(constraintTests[c.Functor], c.Args...)
	return conditional(integers(s.vars), test, plain)
}

// assignment returns the expansion of X #= E if X is a variable that does not occur in E, else nil.
func assignment(x, e term.Term, vars []*term.Var, plain term.Term) term.Term {
	v, ok := x.(*term.Var)
	if !ok {
		return nil
	}
	if slices.Contains(vars, v) {
		return nil
	}
	check := conditional(term.New("integer", v), term.New("=:=", v, e), plain)
	both := conditional(term.New("var", v), term.New("is", v, e), check)
	if len(vars) == 0 {
		return both
	}
	return conditional(integers(vars), both, plain)
}

// conditional returns the goal (test -> then ; otherwise).
func conditional(test, then, otherwise term.Term) term.Term {
	return term.New(";", term.New("->", test, then), otherwise)
}

// integers returns the conjunction of integer(V) for all variables.
func integers(vars []*term.Var) term.Term {
	tests := make([]term.Term, len(vars))
	for i, v := range vars {
		tests[i] = term.New("integer", v)
	}
	return term.Conjunction(tests...)
}

// constraintShape collects the variables of an expression.
type constraintShape struct {
	vars []*term.Var
	size int
}

// add adds an expression. It reports whether arithmetic can compute it and it is not too large to be repeated.
func (s *constraintShape) add(t term.Term) bool {
	if s.size++; s.size > maxConstraintSize {
		return false
	}
	switch t := t.(type) {
	case *term.Var:
		if !slices.Contains(s.vars, t) {
			s.vars = append(s.vars, t)
		}
		return true
	case term.Int, *term.Big:
		return true
	case *term.Compound:
		if !constraintFunctions[string(t.Functor)+"/"+strconv.Itoa(len(t.Args))] {
			return false
		}
		return !slices.ContainsFunc(t.Args, func(arg term.Term) bool { return !s.add(arg) })
	}
	return false
}

// This part defines how clauses are loaded while the flag occurs_check is set. Unifications become calls of $unify/2
// instead of instructions, and each variable occurs in the head once. So only $unify/2 could make a cyclic term, and it
// checks.

// Unification returns the call that replaces X = Y or X \\= Y under the flag. It returns nil for other goals.
func Unification(t term.Term) term.Term {
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

// Linear returns a clause whose head has each variable once. Later occurrences become fresh variables that the body
// unifies with the first.
func Linear(head, body term.Term) (term.Term, term.Term) {
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
