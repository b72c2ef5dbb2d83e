package passes

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/clausetext"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/explain"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
)

// This file defines how lambda expressions of library(yall) become predicates, in modules that import the library. In
//
//	p(Xs, Ys, F) :- maplist(F/[X,Y]>>q(F, X, Y), Xs, Ys).
//
// the lambda becomes '$lambda 1'(F), and '$lambda 1'(F, X, Y) :- q(F, X, Y) is added. A call of >> copies the lambda
// each time. A lambda becomes a predicate only if all its variables are its own or are shared by /. Only then a
// clause does the same as the copy.

// Lambdas holds the lambdas of a program that have become predicates. One goroutine adds them. Any goroutine may read
// them.
type Lambdas struct {
	count int
	known sync.Map // a *namedLambda for each name
}

// search is the search for the lambdas of one clause.
type search struct {
	of     *Lambdas
	module *database.Module
	// counts holds the number of occurrences of each variable in the clause. It is made when the first lambda is
	// found.
	counts map[*term.Var]int
	clause []term.Term
	// added holds the clauses of the new predicates.
	added []term.Term
}

// Name replaces the lambdas of a clause by calls of new predicates, and returns the clauses of these. Lambdas that
// must be copied for each call stay. If the module does not import library(yall), all lambdas stay.
func (n *Lambdas) Name(module *database.Module, head, goals term.Term) (named term.Term, added []term.Term) {
	if !mentionsLambda(goals) {
		return goals, nil
	}
	if pred := module.Resolve(code.Functor(">>", 3)); pred == nil || pred.Module.Name != "yall" || !pred.Module.Library {
		return goals, nil
	}
	f := &search{of: n, module: module, clause: []term.Term{head, goals}}
	named = f.body(goals, 0)
	return named, f.added
}

// mentionsLambda reports whether >> stands in a term.
func mentionsLambda(t term.Term) bool {
	for part := range term.Parts(t) {
		if _, ok := term.Is(part, ">>", 2); ok {
			return true
		}
	}
	return false
}

// maxDepth bounds the depth of nested goals that are searched for lambdas.
const maxDepth = 10_000

// body replaces the lambdas among the arguments of the goals of a body. Goals that are nested too deep stay as they
// are.
func (f *search) body(t term.Term, depth int) term.Term {
	c, ok := t.(*term.Compound)
	if !ok || depth >= maxDepth || !mentionsLambda(t) {
		return t
	}
	if goals, ok := shapes.Control(t); ok {
		return rebuilt(c, goals, func(goal term.Term) term.Term { return f.body(goal, depth+1) })
	}
	spec := f.module.MetaOf(string(c.Functor), len(c.Args))
	return body.Part{Term: t}.Rebuild(spec, func(arg body.Part) term.Term {
		switch {
		case arg.Grammar:
			return arg.Term
		case arg.Extra > 0:
			return cmp.Or(f.named(arg.Term, arg.Extra), arg.Term)
		}
		return f.body(arg.Term, depth+1)
	})
}

// named returns the term that replaces a lambda with n arguments, or nil if the lambda stays.
func (f *search) named(t term.Term, n int) term.Term {
	args, ok := term.Is(t, ">>", 2)
	if !ok {
		return nil
	}
	var free []*term.Var
	params, goals := args[0], args[1]
	if shared, ok := term.Is(params, "/", 2); ok {
		free, params = term.Variables(shared[0]), shared[1]
	}
	list, ok := term.Slice(params)
	if _, isVar := goals.(*term.Var); !ok || isVar || len(list) != n || body.Bad(goals) != nil || !f.isOwn(t, free) {
		return nil
	}
	f.of.count++
	name := term.Atom(database.LambdaPrefix + strconv.Itoa(f.of.count))
	var closure []term.Term
	for _, v := range free {
		closure = append(closure, v)
	}
	head := term.New(name, append(closure[:len(closure):len(closure)], list...)...)
	f.added = append(f.added, term.New(":-", head, goals))
	f.of.known.Store(name, newLambda(free, t))
	return term.New(name, closure...)
}

// isOwn reports whether no variable of a lambda, except those in free, occurs elsewhere in the clause.
func (f *search) isOwn(t term.Term, free []*term.Var) bool {
	if f.counts == nil {
		f.counts = map[*term.Var]int{}
		for _, t := range f.clause {
			countVars(t, f.counts)
		}
	}
	within := map[*term.Var]int{}
	countVars(t, within)
	for _, v := range free {
		delete(within, v)
	}
	for v, n := range within {
		if f.counts[v] != n {
			return false
		}
	}
	return true
}

// countVars counts the occurrences of the variables of a term.
func countVars(t term.Term, counts map[*term.Var]int) {
	for part := range term.Parts(t) {
		if v, ok := part.(*term.Var); ok {
			counts[v]++
		}
	}
}

// namedLambda is a lambda that has become a predicate, in the form of the text.
type namedLambda struct {
	free  []*term.Var // the first arguments of the predicate
	shown term.Term
	// short is shown in each call. It has dots in place of a long body.
	short term.Term
	own   []*term.Var // the variables that are not shared
}

// shortLambda bounds the parts of the body of a lambda that is shown in each of its calls.
const shortLambda = 10

// newLambda returns the namedLambda of a lambda.
func newLambda(free []*term.Var, t term.Term) *namedLambda {
	t = term.Replace(t, func(part term.Term) (term.Term, bool) {
		constraint := clausetext.ExpandedConstraint(part)
		return constraint, constraint != nil
	})
	made := &namedLambda{free: free, shown: t, short: t}
	parts := 0
	for range term.Parts(t.(*term.Compound).Args[1]) {
		parts++
	}
	if parts > shortLambda {
		dots := term.NewVar(explain.Dots)
		made.short = term.New(">>", t.(*term.Compound).Args[0], dots)
		made.own = append(made.own, dots)
	}
	for _, v := range term.Variables(t) {
		if !slices.Contains(free, v) {
			made.own = append(made.own, v)
		}
	}
	return made
}

// Shown returns a term in which the predicates made of lambdas are replaced by the lambdas. A goal of such a
// predicate becomes a call of the lambda. own holds the variables of the lambdas that are not shared.
func (n *Lambdas) Shown(t term.Term) (shown term.Term, own []*term.Var) {
	if !n.mentionsNamed(t) {
		return t, nil
	}
	var by func(part term.Term) (term.Term, bool)
	by = func(part term.Term) (term.Term, bool) {
		name, arity, ok := term.Indicator(part)
		if !ok || !strings.HasPrefix(string(name), database.LambdaPrefix) {
			return nil, false
		}
		found, _ := n.known.Load(name)
		l, ok := found.(*namedLambda)
		if !ok || arity < len(l.free) {
			return nil, false
		}
		var args []term.Term
		if c, ok := part.(*term.Compound); ok {
			for _, arg := range c.Args {
				args = append(args, term.Replace(arg, by))
			}
		}
		own = append(own, l.own...)
		to := map[*term.Var]term.Term{}
		for i, v := range l.free {
			to[v] = args[i]
		}
		if arity == len(l.free) {
			return term.Rename(l.shown, to), true
		}
		return term.New("call", append([]term.Term{term.Rename(l.short, to)}, args[len(l.free):]...)...), true
	}
	return term.Replace(t, by), own
}

// maxNamedParts bounds the parts of a term that are searched for lambdas that have become predicates.
const maxNamedParts = 1_000_000

// mentionsNamed reports whether a term mentions a predicate made of a lambda.
func (n *Lambdas) mentionsNamed(t term.Term) bool {
	for range n.known.Range {
		left := maxNamedParts
		for part := range term.Parts(t) {
			name, _, ok := term.Indicator(part)
			if ok && strings.HasPrefix(string(name), database.LambdaPrefix) {
				return true
			}
			if left--; left == 0 {
				return false
			}
		}
		break
	}
	return false
}
