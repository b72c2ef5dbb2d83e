package flow

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/values"
)

// Key names a predicate.
type Key struct {
	Module, Name string
	Arity        int
}

// String is the predicate as name/arity.
func (k Key) String() string {
	return fmt.Sprintf("%s/%d", syntax.FormatTerm(term.Atom(k.Name)), k.Arity)
}

// Clause is a clause of a program: the arguments of its head, and its body.
type Clause struct {
	Head []term.Term
	Body body.Part
	// Opaque says that the loader transforms the clause, so its calls are unknown.
	Opaque bool
	// From is the origin of the clause, nil if it is unknown. Clauses with the same origin are equal.
	From *syntax.Read
}

// Predicate is what the texts say about a predicate.
type Predicate struct {
	Key     Key
	Clauses []Clause
	// Facts are the types of the arguments of further facts, nil if there are none.
	Facts []Type
	// Given are the types of the arguments in all calls, nil if they may be any terms.
	Given []Type
	// Open says that there may be clauses outside of the texts.
	Open bool
}

// World answers the questions of the analysis about predicates.
type World interface {
	// Resolve returns the predicate that a goal of a module calls.
	Resolve(module, name string, arity int) Key
	// Meta returns the meta_predicate specification of a predicate of the system or a library, else "".
	Meta(k Key) string
	// Library reports whether a predicate is one of the system or of a library.
	Library(k Key) bool
}

// Finder is a World that has a program.
type Finder interface {
	World
	// Find returns a predicate of the program, nil if there is none or it is hidden.
	Find(k Key) *Predicate
}

// Result holds the success types of a program.
type Result struct {
	world World
	preds map[Key]*success
	queue []*success
	left  int  // goals that may still be examined
	deep  bool // control constructs are nested too deeply somewhere
	// find finds predicates that are not in preds, or is nil.
	find func(k Key) *Predicate
	// exact says that facts are taken literally, and do not stand for facts of later data.
	exact bool
	// remembers says that a later inference may reuse the results.
	remembers bool
	// followed has the rows of the calls followed for the requested call.
	followed map[*success][]followed
}

// followed identifies a followed call: its depth, the enclosing calls, and the types of its arguments.
type followed struct {
	deep   int
	within []*success
	given  []Type
	rows   []row
}

// Bounds of the analysis.
const (
	maxGoals   = 2_000_000 // examined predicates, with the rows of each; larger programs are not analysed
	rowSteps   = 8         // the comparisons of a row with a call that count as one goal
	perStep    = 8         // the variables with separate types that count as one goal
	maxRows    = 32        // distinguished clauses of a predicate
	maxChanges = 6         // updates of a predicate before its types are widened
	mostNested = 1000      // nested control constructs
	maxWitness = 1000      // goals examined for one value even beyond the limit
	// A result of Explore examines at most maxAsked goals for all requested calls. One call may take maxExplored goals
	// of new clauses, and maxFollowed goals for followed calls.
	maxAsked, maxExplored, maxFollowed = 4_000_000, 50_000, 10_000
	// mostFollowed bounds the nesting of calls that it follows with the types of their arguments.
	mostFollowed = 4
)

// Infer computes success types for the predicates of a program. ok is false, and nothing is known, if the program is
// too large. Results in memory, which may be nil, are reused for unchanged predicates.
func Infer(program []*Predicate, world World, memory *Memory) (r *Result, ok bool) {
	r = &Result{world: world, preds: map[Key]*success{}, left: maxGoals, remembers: memory != nil}
	for _, p := range program {
		r.add(p)
	}
	if memory == nil {
		r.settle()
		return r, r.left > 0
	}
	memory.recall(r)
	looked := len(r.queue)
	r.settle()
	memory.keep(r, looked)
	return r, r.left > 0
}

// Explore returns an empty result. [Result.Accepted] examines the predicates that a call reaches.
func Explore(world Finder) *Result {
	return &Result{world: world, preds: map[Key]*success{}, left: maxAsked, find: world.Find, exact: true}
}

func (r *Result) add(p *Predicate) *success {
	s := &success{pred: p, called: map[*success]bool{}, queued: true}
	r.preds[p.Key], r.queue = s, append(r.queue, s)
	return s
}

// pred returns the record of a predicate of the program, nil if there is none.
func (r *Result) pred(k Key) *success {
	s := r.preds[k]
	if s == nil && r.find != nil {
		if p := r.find(k); p != nil {
			return r.add(p)
		}
	}
	return s
}

// settle brings the types up to date. When the bound of goals is reached, calls may succeed with any terms.
func (r *Result) settle() {
	for len(r.queue) > 0 {
		s := r.queue[0]
		r.queue, s.queued = r.queue[1:], false
		if !r.update(s) {
			continue
		}
		for _, caller := range s.callers {
			if !caller.queued {
				caller.queued = true
				r.queue = append(r.queue, caller)
			}
		}
	}
}

// Accepted returns the types of the arguments with which a call can succeed, given the types of its values. It returns
// nil if it cannot succeed, or if nothing is known.
func (r *Result) Accepted(k Key, given []Type) (types []Type) {
	s := r.pred(k)
	if s == nil {
		return nil
	}
	args, env, after := make([]term.Term, len(given)), Env{}, Env{}
	for i, t := range given {
		v := term.NewVar("")
		args[i], env[v] = v, t
	}
	all := r.left
	for again, own := true, maxExplored; again; again = len(r.queue) > 0 {
		own = r.spend(&all, own, r.settle)
		r.followed = map[*success][]followed{}
		r.spend(&all, maxFollowed, func() {
			w := &walk{r: r, module: k.Module, deep: mostFollowed}
			after = s.call(w, w.rows(s, args, env), args, maps.Clone(env))
		})
	}
	r.left, r.followed = all, nil
	for _, arg := range args {
		if after != nil {
			types = append(types, after.Of(arg))
		}
	}
	return types
}

// spend calls look, which may examine at most bound goals and at most all. It subtracts the examined goals from all,
// and returns the rest of bound.
func (r *Result) spend(all *int, bound int, look func()) int {
	bound = min(bound, *all)
	r.left = bound
	look()
	*all -= bound - r.left
	return r.left
}

// update recomputes the rows of a predicate and reports whether they changed.
func (r *Result) update(s *success) bool {
	rows := s.pred.rows(func(c Clause) []Type { return r.row(s, c) })
	if s.changes >= maxChanges || len(rows) > maxRows {
		rows = merged(rows)
	}
	if s.changes >= maxChanges {
		for _, one := range rows {
			for i := range one.types {
				one.types[i] = one.types[i].widened()
			}
		}
	}
	if s.changes >= 4*maxChanges && len(rows) > 0 {
		rows = []row{{types: anyRow(s.pred.Key.Arity)}}
	}
	if slices.EqualFunc(rows, s.rows, row.equal) {
		return false
	}
	s.rows, s.all, s.parts = rows, nil, 0
	for _, one := range rows {
		for _, t := range one.types {
			s.parts += t.parts()
		}
	}
	if len(rows) > 0 {
		for _, t := range merged(rows)[0].types {
			s.all = append(s.all, r.coarse(t))
		}
	}
	s.changes++
	return true
}

// coarse returns the classes of the values of a success, as later facts may have other values.
func (r *Result) coarse(t Type) Type {
	if r.exact {
		return t
	}
	return t.Coarse()
}

// row returns the types of the arguments after the success of a clause, nil if it never succeeds.
func (r *Result) row(s *success, c Clause) []Type {
	if s.pred.Open || c.Opaque || r.left <= 0 {
		return anyRow(s.pred.Key.Arity)
	}
	return (&walk{r: r, module: s.pred.Key.Module, caller: s, given: s.pred.Given}).row(c, Env{})
}

// Row returns the types of the arguments after the success of a clause of a module, given types of its variables. It
// returns nil if the clause never succeeds.
func (r *Result) Row(module string, c Clause, env Env) []Type {
	if r.left = max(r.left, maxWitness); c.Opaque {
		return nil
	}
	return (&walk{r: r, module: module}).row(c, maps.Clone(env))
}

// row walks through a clause.
func (w *walk) row(c Clause, env Env) []Type {
	for i, t := range w.given {
		if !env.Narrow(c.Head[i], t) {
			return nil
		}
	}
	if env = w.goal(c.Body, env); env == nil {
		return nil
	}
	types := make([]Type, len(c.Head))
	for i, arg := range c.Head {
		types[i] = env.of(arg, maxDepth).bounded().mapArgs(Type.unseen)
	}
	return types
}

// Never reports whether the calls of a predicate never succeed.
func (r *Result) Never(k Key) bool { s := r.preds[k]; return s != nil && len(s.rows) == 0 }

// Types returns the types of the arguments of a predicate of the program after a successful call, nil if nothing is
// known.
func (r *Result) Types(k Key) []Type {
	if s := r.preds[k]; s != nil && len(s.rows) > 0 {
		return merged(s.rows)[0].types
	}
	return nil
}

// Known calls f for each predicate that can succeed and has some argument type other than any term. f gets the types.
func (r *Result) Known(f func(k Key, types []Type)) {
	for k, s := range r.preds {
		if types := r.Types(k); types != nil && !s.pred.Open && !slices.EqualFunc(types, anyRow(k.Arity), Type.Equal) {
			f(k, types)
		}
	}
}

// Env has the types of variables. A variable that is not in it may be any term. A nil Env belongs to goals that never
// succeed.
type Env map[*term.Var]Type

// of returns the type of a term.
func (e Env) of(t term.Term, depth int) Type {
	switch t := t.(type) {
	case *term.Var:
		if known, ok := e[t]; ok {
			return known.shallow(depth)
		}
		return Any
	case *term.Compound:
		if depth == 0 {
			return Type{shapes: []shape{{name: t.Functor, arity: len(t.Args)}}}
		}
		args := make([]Type, len(t.Args))
		if len(args) > manyArgs {
			depth = 1
		}
		for i, arg := range t.Args {
			if args[i] = e.of(arg, depth-1); args[i].Empty() {
				return Type{}
			}
		}
		made := Type{shapes: []shape{{t.Functor, len(t.Args), args, e.elements(t, depth-1)}}}
		if _, isValue := values.TextOf(t); isValue {
			made.seen = &sight{values: []term.Term{t}}
		}
		return made
	}
	return Constant(t)
}

// manyArgs is the number of arguments from which on nested compounds are not distinguished.
const manyArgs = 8

// maxElements bounds the examined elements of a list.
const maxElements = 100

// elements returns the type of the elements of a list, nil if the term is no list or too long.
func (e Env) elements(t *term.Compound, depth int) []Type {
	var all Type
	for n := 0; t.Functor == term.Dot && len(t.Args) == 2 && n < maxElements; n++ {
		all = Union(all, e.of(t.Args[0], depth))
		switch rest := t.Args[1].(type) {
		case *term.Compound:
			t = rest
		case *term.Var:
			each, ok := e[rest].Each()
			if known, isKnown := e[rest]; !isKnown || !ok && !known.Equal(Constant(term.Nil)) {
				return nil
			}
			return []Type{Union(all, each)}
		default:
			if rest == term.Term(term.Nil) {
				return []Type{all}
			}
			return nil
		}
	}
	return nil
}

// Of returns the type of a term.
func (e Env) Of(t term.Term) Type { return e.of(t, maxDepth) }

// Add adds the arguments of a fact to the types of the arguments of other facts.
func Add(columns []Type, fact []term.Term) {
	for i, arg := range fact {
		switch arg.(type) {
		case *term.Compound, *term.Var:
		default:
			if (Env{}).Narrow(arg, columns[i]) {
				continue
			}
		}
		columns[i] = Union(columns[i], Env{}.Of(arg))
	}
}

// Narrow notes that a term is of a type. It reports whether that is possible.
func (e Env) Narrow(t term.Term, to Type) bool {
	if to.Empty() {
		return false
	}
	switch t := t.(type) {
	case *term.Var:
		known, ok := e[t]
		if ok {
			to = Meet(known, to)
		}
		e[t] = to
		return !to.Empty()
	case *term.Compound:
		s, ok := to.shape(t.Functor, len(t.Args))
		for i := range s.args {
			ok = ok && e.Narrow(t.Args[i], s.args[i])
		}
		return ok && (s.each == nil || e.narrowElements(t, s.each[0]))
	}
	return !Meet(Constant(t), to).Empty()
}

// narrowElements notes that the elements of a list are of a type. It reports whether that is possible.
func (e Env) narrowElements(list *term.Compound, each Type) bool {
	for range maxElements {
		if !e.Narrow(list.Args[0], each) {
			return false
		}
		rest, ok := list.Args[1].(*term.Compound)
		if !ok || rest.Functor != term.Dot || len(rest.Args) != 2 {
			return e.Narrow(list.Args[1], ListOf(each))
		}
		list = rest
	}
	return true
}

// unify notes that two terms are equal. Each pair of arguments counts as a goal.
func (w *walk) unify(e Env, t, u term.Term, depth int) bool {
	a, isCompound := t.(*term.Compound)
	b, both := u.(*term.Compound)
	if isCompound && both && depth < mostNested {
		if a.Functor != b.Functor || len(a.Args) != len(b.Args) {
			return false
		}
		w.r.left -= len(a.Args)
		for i := range a.Args {
			if w.r.left > 0 && !w.unify(e, a.Args[i], b.Args[i], depth+1) {
				return false
			}
		}
		return true
	}
	return e.Narrow(t, e.Of(u)) && e.Narrow(u, e.Of(t))
}

// joined returns the types that hold in either of two cases.
func joined(a, b Env) Env {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	both := Env{}
	for _, one := range [][2]Env{{a, b}, {b, a}} {
		for v, t := range one[0] {
			u, ok := one[1][v]
			if !ok {
				u = Any
			}
			if known := both[v]; known.Empty() && (ok || t.seen != nil) {
				both[v] = Union(t, u)
			}
		}
	}
	return both
}

// walk is a walk through the body of a clause.
type walk struct {
	r      *Result
	module string
	caller *success // nil while mistakes are searched for
	// visit is called for each goal that is no control construct, with the types of its variables before it and whether
	// it can succeed.
	visit func(g body.Part, before Env, succeeds bool)
	depth int
	// deep is the depth of followed calls, within the enclosing ones.
	deep   int
	within []*success
	given  []Type // see Predicate.Given
}

// Fails reports whether a clause of a module never succeeds, given types of its variables.
func (r *Result) Fails(module string, c Clause, env Env) bool {
	r.left = max(r.left, maxWitness)
	return !c.Opaque && (&walk{r: r, module: module}).goal(c.Body, env) == nil
}

// Visit walks through the body of a clause of a module again, given types of its variables. It calls visit for each
// reachable goal, with the types before it and whether it can succeed. The result says whether all goals were examined.
func (r *Result) Visit(module string, c Clause, env Env, visit func(g body.Part, before Env, succeeds bool)) bool {
	r.deep = false
	if !c.Opaque {
		r.left = max(r.left, maxWitness)
		(&walk{r: r, module: module, visit: visit}).goal(c.Body, maps.Clone(env))
	}
	return r.left > 0 && !r.deep
}

// goal returns the types after a goal, nil if the goal never succeeds. The caller must not use env afterwards.
func (w *walk) goal(g body.Part, env Env) Env {
	if env == nil || w.r.left <= 0 {
		return env
	}
	if w.depth++; w.depth > mostNested {
		w.depth--
		w.r.deep = true
		return Env{}
	}
	defer func() { w.depth-- }()
	if goals := g.Conjuncts(); len(goals) > 1 {
		for _, one := range goals {
			if env = w.goal(one, env); env == nil {
				return nil
			}
		}
		return env
	}
	name, arity, _ := term.Indicator(g.Term)
	switch {
	case arity == 2 && (name == ";" || name == "|"):
		return w.either(g, env)
	case arity == 2 && (name == "->" || name == "*->"):
		return w.goal(g.Arg(1), w.goal(g.Arg(0), env))
	case arity == 1 && (name == "\\+" || name == "not" || name == "tnot"):
		w.goal(g.Arg(0), w.copied(env))
		return env
	}
	plain, ok := g.Plain()
	if !ok || name == "" {
		return env
	}
	if plain.Term != g.Term {
		return w.goal(plain, env)
	}
	w.r.left--
	if w.r.left <= 0 {
		return env
	}
	before := Env{}
	if w.visit != nil {
		for _, v := range term.Variables(g.Term) {
			if t, ok := env[v]; ok {
				before[v] = t
			}
		}
		w.r.left -= len(before) / perStep
	}
	after := w.call(g, env)
	if w.visit != nil {
		w.visit(g, before, after != nil)
	}
	return after
}

// either returns the types after a disjunction or a condition with its branches.
func (w *walk) either(g body.Part, env Env) Env {
	left := w.goal(g.Arg(0), w.copied(env))
	right := w.goal(g.Arg(1), env)
	w.r.left -= len(left) + len(right)
	return joined(left, right)
}

// copied returns a copy of the types, for another branch.
func (w *walk) copied(env Env) Env {
	w.r.left -= len(env) / perStep
	return maps.Clone(env)
}

// call returns the types after the call of a predicate.
func (w *walk) call(g body.Part, env Env) Env {
	k := w.key(g)
	w.noteCall(g, k)
	var args []term.Term
	if c, ok := g.Term.(*term.Compound); ok {
		args = c.Args
	}
	if s := w.r.pred(k); s != nil {
		if w.caller != nil && !w.caller.called[s] {
			w.caller.called[s] = true
			s.callers = append(s.callers, w.caller)
		}
		return s.call(w, w.rows(s, args, env), args, env)
	}
	if !w.r.world.Library(k) {
		return env
	}
	if known := rules[Key{"", k.Name, k.Arity}]; known != nil {
		return known(w, g, args, env)
	}
	w.inside(g, k, env)
	if pass, ok := passing[Key{"", k.Name, k.Arity}]; ok && !pass.on(args, env) {
		return nil
	}
	for i, t := range library()[Key{"", k.Name, k.Arity}].types {
		if !env.Narrow(args[i], t) {
			return nil
		}
	}
	return env
}

// inside walks through the goals that a library predicate calls. Their bindings may not last; the result has the types
// after the last goal.
func (w *walk) inside(g body.Part, k Key, env Env) (after Env) {
	for _, one := range g.Arguments(w.r.world.Meta(k)) {
		switch {
		case one.Grammar:
		case one.Extra == 0:
			after = w.goal(one, w.copied(env))
		default:
			w.closure(g, one, env)
		}
	}
	return after
}

// perElement lists the predicates that call their first argument with elements of the following lists. The value is the
// number of arguments of such a call that are no elements.
var perElement = map[Key]int{{"", "maplist", 2}: 0, {"", "maplist", 3}: 0, {"", "maplist", 4}: 0, {"", "maplist", 5}: 0,
	{"", "include", 3}: 0, {"", "exclude", 3}: 0, {"", "partition", 4}: 0, {"", "convlist", 3}: 0, {"", "foldl", 4}: 2,
	{"", "foldl", 5}: 2, {"", "foldl", 6}: 2}

// closure walks through a goal that a predicate calls with further arguments. The resulting types of list elements, as
// in maplist/3, are noted for the lists.
func (w *walk) closure(g, called body.Part, env Env) {
	name, arity, _ := term.Indicator(g.Term)
	others, known := perElement[Key{"", string(name), arity}]
	args := g.Term.(*term.Compound).Args
	parameters, inner, ok := called.Lambda()
	if !ok {
		inner, _ = called.Plain()
		functor, own, callable := term.Indicator(inner.Term)
		if !callable || functor == ">>" {
			return
		}
		for range called.Extra {
			parameters = append(parameters, term.NewVar(""))
		}
		all := parameters
		if own > 0 {
			all = slices.Concat(inner.Term.(*term.Compound).Args, parameters)
		}
		inner.Term, inner.Extra = term.New(functor, all...), 0
	}
	within := w.copied(env)
	for i := range called.Extra {
		if each, ok := env.Of(args[min(i+1, len(args)-1)]).Each(); known && i < called.Extra-others && ok &&
			!within.Narrow(parameters[i], each) {
			return
		}
	}
	after := w.goal(inner, within)
	for i := 0; name == "maplist" && after != nil && i < called.Extra; i++ {
		env.Narrow(args[i+1], ListOf(after.Of(parameters[i]).Coarse()))
	}
}

// key returns the predicate that a goal calls.
func (w *walk) key(g body.Part) Key {
	name, arity, _ := term.Indicator(g.Term)
	return w.r.world.Resolve(cmp.Or(g.Module, w.module), string(name), arity)
}

// rows returns the rows of a predicate for a call. The rows of a followed call are computed with the types of its
// arguments.
func (w *walk) rows(s *success, args []term.Term, env Env) []row {
	if w.deep == 0 || s.pred.Open || slices.Contains(w.within, s) {
		return s.rows
	}
	given := make([]Type, len(args))
	for i, arg := range args {
		given[i] = env.Of(arg)
	}
	for _, f := range w.r.followed[s] {
		if f.deep == w.deep && slices.Equal(f.within, w.within) && slices.EqualFunc(f.given, given, Type.same) {
			return f.rows
		}
	}
	inner := &walk{r: w.r, module: s.pred.Key.Module, deep: w.deep - 1, within: append(slices.Clip(w.within), s),
		given: s.pred.Given}
	rows := s.pred.rows(func(c Clause) []Type {
		own := Env{}
		for i, t := range given {
			if !own.Narrow(c.Head[i], t) {
				return nil
			}
		}
		if c.Opaque {
			return anyRow(len(args))
		}
		return inner.row(c, own)
	})
	w.r.followed[s] = append(w.r.followed[s], followed{w.deep, w.within, given, rows})
	return rows
}

// Fits reports whether some clause of a predicate of the program matches a call in each argument. If not, it returns
// the argument that no clause matches, or -1 if several arguments together prevent a match.
func (r *Result) Fits(k Key, args []term.Term, env Env) (at int, ok bool) {
	types := r.Types(k)
	if types == nil {
		return -1, true
	}
	for i := range args {
		if !maps.Clone(env).Narrow(args[i], types[i]) {
			return i, false
		}
	}
	return -1, r.preds[k].call(&walk{r: r}, r.preds[k].rows, args, maps.Clone(env)) != nil
}

// Calculates reports whether a goal of a module is a call of the program, or of a system predicate that only finds
// values.
func (r *Result) Calculates(module string, g body.Part) bool {
	k := r.Called(module, g)
	plain := Key{"", k.Name, k.Arity}
	known := rules[plain] != nil || library()[plain].types != nil
	return r.preds[k] != nil || known && k.Name != "fail" && k.Name != "false"
}

// Called returns the predicate that a goal of a module calls.
func (r *Result) Called(module string, g body.Part) Key { return (&walk{r: r, module: module}).key(g) }

// Value returns the type of the value of an expression, if it has one.
func (r *Result) Value(t term.Term, env Env) Type {
	calculable := maps.Clone(env)
	operands(t, calculable)
	return value(t, calculable)
}

// Library returns the first argument of a library call whose type the predicate does not accept, and the accepted type.
func (r *Result) Library(k Key, args []term.Term, env Env) (at int, t Type, ok bool) {
	for i, t := range library()[Key{"", k.Name, k.Arity}].types {
		if !maps.Clone(env).Narrow(args[i], t) {
			return i, t, true
		}
	}
	return 0, Type{}, false
}
