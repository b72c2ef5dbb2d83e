package load

import (
	"strconv"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how the loader expands constraints of library(clpfd) in bodies. X #= Y+Z becomes
//
//	( integer(Y), integer(Z) -> ( var(X) -> X is Y+Z ; integer(X) -> X =:= Y+Z ; C ) ; C )
//
// where C is clpfd:(X #= Y+Z), which is not expanded again. If all variables are integers at run time, the constraint
// is as fast as arithmetic.

// constraintTests maps constraints to the comparisons that decide them for integers.
var constraintTests = map[term.Atom]term.Atom{
	"#=": "=:=", "#\\=": "=\\=", "#<": "<", "#>": ">", "#=<": "=<", "#>=": ">=",
}

// constraintFunctions are the functions that are defined for all integers and have the same value in arithmetic and in
// constraints.
var constraintFunctions = map[string]bool{
	"+/2": true, "-/2": true, "*/2": true, "-/1": true, "abs/1": true, "min/2": true, "max/2": true,
}

// maxConstraintSize bounds the expressions that are expanded, because the expansion repeats them.
const maxConstraintSize = 30

// UsesConstraints reports whether constraints of library(clpfd) are visible in the module of the loader.
func (l *Loader) UsesConstraints() bool {
	pred := l.module.Resolve(code.Functor("#=", 2))
	return pred != nil && pred.Module.Name == "clpfd" && pred.Module.Library
}

// MentionsConstraints reports whether a term has a constraint in it.
func MentionsConstraints(t term.Term) bool {
	for part := range term.Parts(t) {
		c, ok := part.(*term.Compound)
		if ok && len(c.Args) == 2 && constraintTests[c.Functor] != "" {
			return true
		}
	}
	return false
}

// constraint returns the expansion of a constraint, or nil.
func (e *goalExpansion) constraint(t term.Term) term.Term {
	c, ok := t.(*term.Compound)
	if !ok || len(c.Args) != 2 || constraintTests[c.Functor] == "" || !e.constraints {
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
	for _, other := range vars {
		if other == v {
			return nil
		}
	}
	check := conditional(term.New("integer", v), term.New("=:=", v, e), plain)
	both := conditional(term.New("var", v), term.New("is", v, e), check)
	if len(vars) == 0 {
		return both
	}
	return conditional(integers(vars), both, plain)
}

// conditional is the goal (test -> then ; otherwise).
func conditional(test, then, otherwise term.Term) term.Term {
	return term.New(";", term.New("->", test, then), otherwise)
}

// integers returns the conjunction of integer(V) for all variables. There must be at least one.
func integers(vars []*term.Var) term.Term {
	var test term.Term
	for i := len(vars) - 1; i >= 0; i-- {
		one := term.New("integer", vars[i])
		if test == nil {
			test = one
		} else {
			test = term.New(",", one, test)
		}
	}
	return test
}

// constraintShape collects the variables of an expression.
type constraintShape struct {
	vars []*term.Var
	size int
}

// add adds an expression. It reports whether arithmetic may decide the expression. Too large an expression is left to
// the library.
func (s *constraintShape) add(t term.Term) bool {
	if s.size++; s.size > maxConstraintSize {
		return false
	}
	switch t := t.(type) {
	case *term.Var:
		for _, v := range s.vars {
			if v == t {
				return true
			}
		}
		s.vars = append(s.vars, t)
		return true
	case term.Int, *term.Big:
		return true
	case *term.Compound:
		if !constraintFunctions[indicatorOf(t)] {
			return false
		}
		for _, a := range t.Args {
			if !s.add(a) {
				return false
			}
		}
		return true
	}
	return false
}

// indicatorOf is the name of a compound and the number of its arguments, as the table of functions has them.
func indicatorOf(c *term.Compound) string { return string(c.Functor) + "/" + strconv.Itoa(len(c.Args)) }
