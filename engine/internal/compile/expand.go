package compile

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines how a single goal of a body is compiled: as a call, as an inline test, or, for control predicates
// of the system with known goals, as their expansion.

// The functors of goals with their own compilation, unless a module redefines them.
var (
	fOnce     = code.Functor("once", 1)
	fIgnore   = code.Functor("ignore", 1)
	fForall   = code.Functor("forall", 2)
	fFindall  = code.Functor("findall", 3)
	fFindall4 = code.Functor("findall", 4)
	fDet      = code.Functor("$", 1)
	fNotDet   = code.Functor("$not_det", 3)
	fNotGoal  = code.Functor("not", 1)
	fNotUnify = code.Functor("\\=", 2)
	fTrue     = code.Functor("true", 0)
	fOtherw   = code.Functor("otherwise", 0)
	fFail     = code.Functor("fail", 0)
	fFalse    = code.Functor("false", 0)
	fIs       = code.Functor("is", 2)
	fIdent    = code.Functor("==", 2)
	fNotIdent = code.Functor("\\==", 2)
	fCompare  = code.Functor("compare", 3)

	fFindStart    = code.Functor("$findall_start", 1)
	fFindAdd      = code.Functor("$findall_add", 2)
	fFindCollect  = code.Functor("$findall_collect", 2)
	fFindCollect3 = code.Functor("$findall_collect", 3)
)

// standardOrders maps the comparisons in the standard order to the orders for which they hold.
var standardOrders = map[cell]int{
	code.Functor("@<", 2):  code.OrderLess,
	code.Functor("@=<", 2): code.OrderLess | code.OrderEqual,
	code.Functor("@>", 2):  code.OrderGreater,
	code.Functor("@>=", 2): code.OrderGreater | code.OrderEqual,
}

var (
	fGreater   = code.Functor(">", 2)
	fGreaterEq = code.Functor(">=", 2)
)

// expand reads a goal that is no control construct. Only predicates that nobody may redefine are expanded.
// Other goals are calls, whatever their names.
func (r *reader) expand(t cell) ([]*goal, error) {
	e := r.e
	f := e.functor(t)
	switch f {
	case 0:
		return r.call(e.term(code.FCall, t))
	case code.FCut:
		if isCompound(t) { // !() is no cut
			return nil, nil
		}
		return r.cut(), nil
	case fTrue:
		return nil, nil
	case fFail, fFalse:
		return []*goal{r.goal(goalFail)}, nil
	case code.FColon:
		return r.qualified(t)
	}
	if code.Control(f) {
		return r.goals(t)
	}
	p, _ := r.resolve(f)
	if p == nil || !p.Has(database.Locked) {
		return r.call(t)
	}
	if p.Has(database.Internal) && !r.e.trusted() {
		// The predicate is unknown there, as for every goal that is built at run time.
		user := *r // where it does not exist
		user.module = r.e.compiler.program.User()
		return user.call(t)
	}
	if list, done, err := r.control(f, t); done || err != nil {
		return list, err
	}
	if g := r.inline(f, t); g != nil {
		return []*goal{g}, nil
	}
	return r.call(t)
}

// trusted reports whether the clause may call internal predicates: it belongs to the system or a library and no goal
// has added it.
func (e *emitter) trusted() bool {
	p := e.source.Pred
	return (p.Module.Library || p.Module == e.compiler.program.System()) && !p.Has(database.Dynamic)
}

// qualified reads Module:Goal. The goal is read as a body of that module, which is created if needed. An unknown module
// or goal is left to call/1.
func (r *reader) qualified(t cell) ([]*goal, error) {
	e := r.e
	args := e.args(t)
	if args[0].Tag() != code.Atom || !isCallable(args[1]) {
		return r.call(e.term(code.FCall, t))
	}
	if !r.callable(args[1]) {
		return r.call(e.term(code.FCall, t))
	}
	outer, named := r.module, r.named
	r.module, r.named = e.compiler.program.Module(code.AtomText(args[0].Atom())), true
	e.modules = append(e.modules, r.module.Name)
	list, err := r.sequence(args[1])
	r.module, r.named = outer, named
	return list, err
}

// control expands the control predicates. done is false if the goal is to be called unchanged, for instance because its
// inner goal is no valid body and the predicate must throw.
func (r *reader) control(f, t cell) (list []*goal, done bool, err error) {
	e := r.e
	var args []cell
	if isCompound(t) {
		args = slices.Clone(e.args(t))
	}
	switch f {
	case fOtherw:
		return nil, true, nil
	case code.FCall:
		if isVar(args[0]) || !r.callable(args[0]) {
			return nil, false, nil
		}
		list, err = r.localCall(args[0])
	case fOnce:
		list, err = r.conditional(args[0], false)
	case fIgnore:
		list, err = r.conditional(args[0], true)
	case fNotGoal:
		list, err = r.negationOf(args[0])
	case fNotUnify:
		list, err = r.negation(e.term(code.FEqual, args...))
	case fForall:
		inner := e.term(code.FComma, args[0], e.term(code.FNot, args[1]))
		if !r.callable(args[0]) || !r.callable(args[1]) {
			return nil, false, nil
		}
		list, err = r.negation(inner)
	case fDet:
		list, err = r.determined(args[0])
	case fFindall:
		return r.findall(args[0], args[1], fFindCollect, args[2])
	case fFindall4:
		return r.findall(args[0], args[1], fFindCollect3, args[2], args[3])
	default:
		return nil, false, nil
	}
	return list, list != nil || err != nil, err
}

// localCall reads call(T), in which cuts are local. Without a cut it consists of the goals of T.
func (r *reader) localCall(t cell) ([]*goal, error) {
	g := r.goal(goalLocal)
	cond, b, err := r.local(t)
	if b == nil {
		return append([]*goal{}, cond...), err
	}
	g.branches = []*branch{{cond: cond, barrier: b}}
	return []*goal{g}, err
}

// conditional reads ( T -> true ), with `; true` when orTrue is set: once/1 (ISO 13211-1, 8.15.2) and
// ignore/1. It returns nil when T is no body.
func (r *reader) conditional(t cell, orTrue bool) ([]*goal, error) {
	if !r.callable(t) {
		return nil, nil
	}
	g := r.goal(goalBranch)
	cond, b, err := r.local(t)
	g.branches = []*branch{{kind: branchIf, cond: cond, barrier: b}}
	if orTrue {
		g.branches = append(g.branches, &branch{})
	}
	return []*goal{g}, err
}

// negationOf reads the negation by which a library predicate such as forall/2 is defined. It returns nil if the goal is
// not known well enough to be compiled.
func (r *reader) negationOf(t cell) ([]*goal, error) {
	if !r.callable(t) {
		return nil, nil
	}
	return r.negation(t)
}

// determined reads $T: ( T -> true ; error ) with a check, before the commit, whether T has left a choice point.
func (r *reader) determined(t cell) ([]*goal, error) {
	if !r.callable(t) {
		return nil, nil
	}
	cond, b, err := r.local(t)
	if b == nil {
		b = &barrier{v: r.e.pseudo()}
	}
	before, after := code.MakeAtt(b.v), code.MakeAtt(r.e.pseudo())
	if !fails(cond) {
		equal, check := r.goal(goalIdent), r.goal(goalBranch)
		equal.functor, equal.args = fIdent, []cell{before, after}
		left := r.system(fNotDet, before, t, code.AtomCell("nondet"))
		check.branches = []*branch{{kind: branchIf, cond: []*goal{equal}}, {body: []*goal{left}}}
		cond = append(cond, r.mark(after), check)
	}
	g := r.goal(goalBranch)
	failed := r.system(fNotDet, code.MakeInt(0), t, code.AtomCell("fail"))
	g.branches = []*branch{{kind: branchIf, cond: cond, barrier: b}, {body: []*goal{failed}}}
	return []*goal{g}, err
}

// findall expands a findall into a loop around its goal that keeps the results in the machine. Its goal thus runs as
// compiled code, without a term. bag is a pseudo variable with the number of the bag.
func (r *reader) findall(template, t cell, collect cell, results ...cell) (list []*goal, done bool, err error) {
	e := r.e
	system := e.compiler.program.System()
	p := system.Find(fFindStart)
	if p == nil || p.Builtin < 0 || !r.callable(t) {
		return nil, false, nil
	}
	bag := code.MakeAtt(e.pseudo())
	start := r.system(fFindStart, bag)
	g := r.goal(goalBranch)
	loop, b, err := r.local(t)
	if b != nil {
		local := r.goal(goalLocal)
		local.branches = []*branch{{cond: loop, barrier: b}}
		loop = []*goal{local}
	}
	if len(loop) == 1 && loop[0].kind == goalCall && isCompound(template) {
		built := code.MakeAtt(e.pseudo())
		first := r.goal(goalUnify)
		first.functor, first.args = code.FEqual, []cell{built, template}
		loop, template = []*goal{first, loop[0]}, built
	}
	if !fails(loop) {
		loop = append(loop, r.system(fFindAdd, bag, template), r.goal(goalFail))
	}
	last := r.system(collect, append([]cell{bag}, results...)...)
	g.branches = []*branch{{body: loop}, {body: []*goal{last}}}
	return []*goal{start, g}, true, err
}

// fails reports whether a sequence ends in failure.
func fails(list []*goal) bool { return len(list) > 0 && list[len(list)-1].kind == goalFail }

// system makes a call of a deterministic predicate of module system.
func (r *reader) system(f cell, args ...cell) *goal {
	g := r.goal(goalBuiltin)
	g.functor, g.args = f, args
	g.pred = r.e.compiler.program.System().Lookup(f)
	return g
}

// exchanged reports whether a comparison is compiled with exchanged sides, as > and >= have no instructions.
func (g *goal) exchanged() bool { return g.functor == fGreater || g.functor == fGreaterEq }

// inline reads a goal with its own instructions. It returns nil for other goals, and if the instructions could not
// raise the error of the built-in.
func (r *reader) inline(f, t cell) *goal {
	e := r.e
	g := r.goal(goalUnify)
	if isCompound(t) {
		g.args = slices.Clone(e.args(t))
	}
	g.functor = f
	if test, ok := typeTests[f]; ok {
		g.kind, g.test = goalTest, test
		return g
	}
	if op, ok := comparisons[f]; ok {
		g.kind, g.op = goalCompare, op
		if g.exchanged() && e.replaced {
			return nil // Places cannot tell from the code that the source has not < or =<
		}
		if g.exchanged() {
			g.args[0], g.args[1] = g.args[1], g.args[0]
		}
		return e.arithmetic(g, g.args...)
	}
	if relation, ok := standardOrders[f]; ok {
		g.kind, g.orders = goalBefore, relation
		return g
	}
	switch f {
	case code.FEqual:
		return g
	case fCompare:
		if !isVar(g.args[0]) {
			return nil
		}
		g.kind = goalOrder
		return g
	case fIdent, fNotIdent:
		g.kind, g.negated = goalIdent, f == fNotIdent
		return g
	case fIs:
		g.kind = goalIs
		return e.arithmetic(g, g.args[1])
	}
	return nil
}

// arithmetic returns g when all the expressions can be compiled.
func (e *emitter) arithmetic(g *goal, exprs ...cell) *goal {
	for _, x := range exprs {
		if !e.evaluable(x, 0) {
			return nil
		}
	}
	return g
}

// call makes a call of a predicate. A locked predicate is bound directly. Any other predicate is looked up in the
// module of the goal. Its entry keeps its address if it is defined or imported later.
func (r *reader) call(t cell) ([]*goal, error) {
	e := r.e
	f := e.functor(t)
	g := r.goal(goalCall)
	g.functor = f
	if isCompound(t) {
		g.args = slices.Clone(e.args(t))
	}
	if len(g.args) > maxArity {
		return nil, &Error{Msg: "goal with more than 255 arguments"}
	}
	p, n := r.resolve(f)
	if own := e.compiler.context(r.module, p, f); own != nil && len(g.args) < maxArity {
		return []*goal{r.callInContext(g, own)}, nil
	}
	e.views[n].called = true
	g.view = n
	if meta := r.meta(p, f); meta != "" {
		r.qualify(g.args, meta)
	}
	switch {
	case p == nil || !p.Has(database.Locked):
		g.pred = r.module.Lookup(f)
		g.pred.NoteMention()
	case p.Builtin >= 0 && !p.Has(database.Control) && !e.compiler.options.Nondet(p.Builtin):
		g.kind, g.pred = goalBuiltin, p
	default:
		g.pred = p
	}
	return []*goal{g}, nil
}

// callInContext converts a call of a transparent predicate to a call of the predicate with its clauses, with the module
// of the caller as the first argument.
func (r *reader) callInContext(g *goal, own *database.Pred) *goal {
	e := r.e
	if meta := r.meta(r.module.Resolve(g.functor), g.functor); meta != "" {
		r.qualify(g.args, meta)
	}
	g.functor, g.pred, g.view = own.Functor, own, len(e.views)
	g.args = append([]cell{r.context()}, g.args...)
	own.NoteMention()
	e.views = append(e.views, view{module: own.Module.Name, functor: own.Functor,
		seen: e.compiler.inspect(own.Module, own, own.Functor), called: true})
	return g
}

// context returns the module of unqualified arguments: that of the goal or, in the clauses of a transparent predicate,
// that of the caller.
func (r *reader) context() cell {
	if r.ofCaller() {
		return r.e.head[0]
	}
	return code.AtomCell(r.module.Name)
}

// ofCaller reports whether unqualified arguments belong to the caller of the clause.
func (r *reader) ofCaller() bool { return !r.named && r.e.source.Pred.Has(database.InContext) }

// meta returns the meta_predicate specification for calls of f: that of p, which f resolves to, or of a predicate that
// is defined later, in this file or by a library.
func (r *reader) meta(p *database.Pred, f cell) string {
	if p != nil {
		return p.Meta()
	}
	return r.module.MetaOf(code.AtomText(f.FunctorAtom()), f.FunctorArity())
}

// qualify adds the module to the arguments that are goals, clauses and the like, so that they are called in the module
// where they were written. Unqualified arguments belong to user, where the predicates of system are visible too.
func (r *reader) qualify(args []cell, meta string) {
	e := r.e
	if !givesModule(r.module.Name) && !r.ofCaller() {
		return
	}
	for i, t := range args {
		if i < len(meta) && database.DependsOnModule(meta[i]) && !e.isQualified(t) &&
			(t.Tag() != code.Att || !r.module.Library || r.ofCaller()) {
			if r.module.Library && !r.ofCaller() {
				t = r.callersGoals(t, meta[i], 0)
			}
			args[i] = e.term(code.FColon, r.context(), t)
		}
	}
}

// maxCallersDepth bounds the depth at which callers' goals are searched in an argument. Libraries nest few.
const maxCallersDepth = 20

// callersGoals returns an argument of a library's goal in which variables for goals are qualified by user. These are
// goals of the library's callers, which come unqualified from user, whereas the argument gets the library's module.
func (r *reader) callersGoals(t cell, mark byte, depth int) cell {
	e := r.e
	if !isCompound(t) || depth > maxCallersDepth || mark < '0' || mark > '9' {
		return t
	}
	f, args := e.functor(t), slices.Clone(e.args(t))
	meta, inner := "", code.MakeFunctor(f.FunctorAtom(), f.FunctorArity()+int(mark-'0'))
	switch p, _ := r.resolve(inner); {
	case code.Junction(f):
		meta = "00"
	case f == code.FColon:
	case p != nil:
		meta = p.Meta()
	default:
		meta = r.module.MetaOf(code.AtomText(f.FunctorAtom()), inner.FunctorArity())
	}
	changed := false
	for i, arg := range args {
		if i >= len(meta) || !database.DependsOnModule(meta[i]) {
			continue
		}
		if args[i] = r.callersGoals(arg, meta[i], depth+1); isVar(arg) {
			args[i] = e.term(code.FColon, code.AtomCell("user"), arg)
		}
		changed = changed || args[i] != arg
	}
	if !changed {
		return t
	}
	return e.term(f, args...)
}

// isQualified reports whether an argument needs no module: it is qualified, or is a variable that the caller has
// qualified, or is a number or string.
func (e *emitter) isQualified(t cell) bool {
	switch t.Tag() {
	case code.Str:
		return e.functor(t) == code.FColon
	case code.Att:
		meta := e.source.Pred.Meta()
		for i, arg := range e.head {
			if i < len(meta) && database.DependsOnModule(meta[i]) && arg == t {
				return true
			}
		}
		return false
	case code.Atom:
		return t == code.ANil
	}
	return !isCallable(t)
}
