package load

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/clausetext"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/explain"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how lambda expressions of library(yall) become predicates, in modules that import the library. In
//
//	p(Xs, Ys, F) :- maplist(F/[X,Y]>>q(F, X, Y), Xs, Ys).
//
// the lambda becomes '$lambda 1'(F), and '$lambda 1'(F, X, Y) :- q(F, X, Y) is added. A call of >> copies the lambda
// each time. The variables of a lambda that becomes a predicate are its own, or are shared by / and no others, so that
// a clause with variables of its own does the same.

// UsesLambdas reports whether the module of the loader imports lambdas of library(yall).
func (l *Loader) UsesLambdas() bool {
	pred := l.module.Resolve(code.Functor(">>", 3))
	return pred != nil && pred.Module.Name == "yall" && pred.Module.Library
}

// lambdas is the search for the lambdas of one clause.
type lambdas struct {
	l *Loader
	// counts says how often each variable stands in the clause. It is made when the first lambda is found.
	counts map[*term.Var]int
	clause []term.Term
	// added are the clauses of the predicates.
	added []term.Term
}

// nameLambdas puts calls of new predicates in the place of the lambdas of a body. It returns the clauses of these.
// Lambdas that have to be copied for each call stay.
func (l *Loader) nameLambdas(head, goals term.Term) (named term.Term, added []term.Term) {
	if l.library || !mentionsLambda(goals) || !l.UsesLambdas() {
		return goals, nil
	}
	f := &lambdas{l: l, clause: []term.Term{head, goals}}
	named = f.body(goals, 0)
	if len(f.added) > 0 {
		l.result.dependent = true
	}
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

// body looks through the goals of a body. It gives up where they are nested too deep.
func (f *lambdas) body(t term.Term, depth int) term.Term {
	c, ok := t.(*term.Compound)
	if !ok || depth >= maxGoalDepth || !mentionsLambda(t) {
		return t
	}
	if goals, ok := term.Control(t); ok {
		return rebuilt(c, goals, func(goal term.Term) term.Term { return f.body(goal, depth+1) })
	}
	spec := f.l.module.MetaOf(string(c.Functor), len(c.Args))
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

// named returns what a lambda that is called with n arguments becomes, or nil if it stays.
func (f *lambdas) named(t term.Term, n int) term.Term {
	args, ok := term.Is(t, ">>", 2)
	if !ok {
		return nil
	}
	var free []*term.Var
	params, body := args[0], args[1]
	if shared, ok := term.Is(params, "/", 2); ok {
		free, params = term.Variables(shared[0]), shared[1]
	}
	list, ok := term.Slice(params)
	if _, isVar := body.(*term.Var); !ok || isVar || len(list) != n || BadGoal(body) != nil || !f.isOwn(t, free) {
		return nil
	}
	f.l.p.lambdaCount++
	name := term.Atom(database.LambdaPrefix + strconv.Itoa(f.l.p.lambdaCount))
	var closure []term.Term
	for _, v := range free {
		closure = append(closure, v)
	}
	head := term.New(name, append(closure[:len(closure):len(closure)], list...)...)
	f.added = append(f.added, term.New(":-", head, body))
	f.l.p.lambdas.Store(name, newLambda(free, t))
	return term.New(name, closure...)
}

// isOwn reports whether the variables of a lambda stand nowhere else in the clause, but for those in free.
func (f *lambdas) isOwn(lambda term.Term, free []*term.Var) bool {
	if f.counts == nil {
		f.counts = map[*term.Var]int{}
		for _, t := range f.clause {
			countVars(t, f.counts)
		}
	}
	within := map[*term.Var]int{}
	countVars(lambda, within)
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

// namedLambda is what a predicate was in the text.
type namedLambda struct {
	free  []*term.Var // the first arguments of the predicate
	shown term.Term
	// short is shown with its parameters alone if the body is long.
	short term.Term
	own   []*term.Var // the variables that are not shared
}

// shortLambda bounds the parts of the body of a lambda that is shown in each of its calls.
const shortLambda = 10

// newLambda notes a lambda.
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

// Lambdas returns a term with the lambdas that have become predicates in the place of these, and the variables in them
// that are their own: a goal of such a predicate becomes a call of the lambda. Others than closures and goals of these
// predicates have no such names.
func (p *Program) Lambdas(t term.Term) (shown term.Term, own []*term.Var) {
	if !p.mentionsNamed(t) {
		return t, nil
	}
	var by func(part term.Term) (term.Term, bool)
	by = func(part term.Term) (term.Term, bool) {
		name, arity, ok := term.Indicator(part)
		if !ok || !strings.HasPrefix(string(name), database.LambdaPrefix) {
			return nil, false
		}
		found, _ := p.lambdas.Load(name)
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

// mentionsNamed reports whether a lambda that has become a predicate is named in a term.
func (p *Program) mentionsNamed(t term.Term) bool {
	for range p.lambdas.Range {
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

// This part defines what becomes of functions on dicts in the texts of programs: X = Dict.key is ./3 called before the
// goal that it stands in.

const (
	// evaluate is the name of the predicate that evaluates a function: evaluate(Dict, Function, Value).
	evaluate = term.Atom(".")
	// mostNested is how deep in a term functions are looked for. Functions that are deeper stay as they are.
	mostNested = 1 << 16
)

// dictCalls replaces the functions on dicts in the parts of one clause.
type dictCalls struct {
	module *database.Module
	goals  []term.Term  // that evaluate what has been replaced, in order
	made   *[]term.Term // the values of functions behind a quantifier, or nil
	nested int
}

// expandDictCalls replaces the functions in a clause. Those of the head are evaluated first. Head := Value defines a
// function: Dict.f(X) := Value :- Body is f(X, Dict, V) :- Body, V = Value.
func expandDictCalls(c *clauseParts) {
	e := &dictCalls{module: c.scope}
	if args, ok := term.Is(c.head, ":=", 2); ok {
		if call, ok := term.Is(args[0], term.DictCall, 2); ok {
			c.head, c.body = e.method(call[0], call[1], args[1], c.body)
			return
		}
	}
	c.head = e.value(c.head)
	before := e.take()
	c.body = conjoin(before, e.body(c.body))
}

// ExpandGoal replaces the functions on dicts in a goal that was read in a module.
func ExpandGoal(read *syntax.Read, module *database.Module) term.Term {
	if !read.DictCalls {
		return read.Term
	}
	return (&dictCalls{module: module}).body(read.Term)
}

// method returns the clause of a function on a dict.
func (e *dictCalls) method(dict, function, value, body term.Term) (head, whole term.Term) {
	name, args := term.Term(nil), []term.Term(nil)
	switch f := function.(type) {
	case *term.Compound:
		name, args = f.Functor, f.Args
	default:
		name = f
	}
	functor, ok := name.(term.Atom)
	if !ok {
		return term.New(":=", term.New(term.DictCall, dict, function), value), body
	}
	params := make([]term.Term, 0, len(args)+2)
	for _, a := range args {
		params = append(params, e.value(a))
	}
	before := e.take()
	found := e.value(value)
	after := e.take()
	head = term.New(functor, append(params, dict, found)...)
	whole = conjoin(before, e.body(body))
	if len(after) > 0 {
		whole = conjoin([]term.Term{whole}, conjoin(after[:len(after)-1], after[len(after)-1]))
	}
	return head, whole
}

// take returns the goals so far and begins anew.
func (e *dictCalls) take() []term.Term {
	goals := e.goals
	e.goals = nil
	return goals
}

// conjoin returns the conjunction of goals and a last one.
func conjoin(goals []term.Term, last term.Term) term.Term {
	if last != term.Term(term.True) {
		goals = append(goals, last)
	}
	return term.Conjunction(goals...)
}

// body replaces the functions in the goals of a body.
func (e *dictCalls) body(t term.Term) term.Term {
	c, ok := t.(*term.Compound)
	if !ok || e.nested >= mostNested {
		return t
	}
	e.nested++
	defer func() { e.nested-- }()
	if goals, ok := term.Control(t); ok {
		return rebuilt(c, goals, e.body)
	}
	meta := e.module.MetaOf(string(c.Functor), len(c.Args))
	i := -1
	goal := rebuilt(c, c.Args, func(a term.Term) term.Term {
		if i++; i < len(meta) && strings.IndexByte("0^", meta[i]) >= 0 {
			return e.quantified(a)
		}
		if lambda, ok := term.Is(a, ">>", 2); ok && i < len(meta) && meta[i] >= '1' && meta[i] <= '9' {
			return rebuilt(a.(*term.Compound), lambda, func(part term.Term) term.Term {
				if part == lambda[1] {
					return e.inner(part)
				}
				return part
			})
		}
		return e.value(a)
	})
	return conjoin(e.take(), goal)
}

// quantified is inner for the goal behind Variable^. The values of functions in that goal are no free variables of it.
func (e *dictCalls) quantified(t term.Term) term.Term {
	args, ok := term.Is(t, "^", 2)
	if !ok {
		return e.inner(t)
	}
	outer, made := e.made, []term.Term(nil)
	e.made = &made
	inner := e.quantified(args[1])
	e.made = outer
	if inner == args[1] {
		return t
	}
	for _, v := range made {
		inner = term.New("^", v, inner)
	}
	return term.New("^", args[0], inner)
}

// inner replaces the functions in a goal that is an argument: they are evaluated when it is called.
func (e *dictCalls) inner(t term.Term) term.Term {
	outer := e.take()
	t = e.body(t)
	e.goals = outer
	return t
}

// value replaces the functions in a term that is no goal.
func (e *dictCalls) value(t term.Term) term.Term {
	c, ok := t.(*term.Compound)
	if !ok || e.nested >= mostNested {
		return t
	}
	e.nested++
	defer func() { e.nested-- }()
	if c.Functor != term.DictCall || len(c.Args) != 2 {
		return rebuilt(c, c.Args, e.value)
	}
	dict, function := e.value(c.Args[0]), c.Args[1]
	if f, ok := function.(*term.Compound); ok {
		function = rebuilt(f, f.Args, e.value)
	}
	v := term.NewVar("_")
	e.goals = append(e.goals, term.New(evaluate, dict, function, v))
	if e.made != nil {
		*e.made = append(*e.made, v)
	}
	return v
}

// rebuilt returns a compound with the arguments that change makes of parts, the compound itself if they stay.
func rebuilt(c *term.Compound, parts []term.Term, change func(term.Term) term.Term) term.Term {
	args, same := make([]term.Term, len(parts)), true
	for i, a := range parts {
		args[i] = change(a)
		same = same && args[i] == a
	}
	if same {
		return c
	}
	return term.New(c.Functor, args...)
}
