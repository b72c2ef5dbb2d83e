package compile

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines the tree of goals and how the body of a clause is read into it.

// goalKind says how a goal is emitted. The fields that apply depend on it.
type goalKind uint8

const (
	goalCall    goalKind = iota // of a predicate, through its entry
	goalBuiltin                 // of a deterministic predicate in Go
	goalUnify                   // args[0] = args[1]
	goalIdent                   // args[0] == args[1]; \== when negated
	goalBefore                  // args[0] @< args[1] and the like
	goalOrder                   // compare(args[0], args[1], args[2]); args[0] is a variable
	goalTest                    // type test of args[0]
	goalCompare                 // args[0] op args[1]
	goalIs                      // args[0] is args[1]
	goalCut
	goalFail
	goalBranch // disjunction, if-then-else
	goalNot    // \+ of the sequence in branches[0].cond
	goalLocal  // call/1 of the sequence in branches[0].cond, which has a cut
	goalMark   // args[0], a pseudo variable, becomes the newest choice point
	goalWatch  // the rest must succeed and leave no choice point; view is that of the clause's own predicate
)

// goal is a node of the tree: a goal of the body, or a control construct with the goals in it.
type goal struct {
	kind goalKind
	line int32
	// pos numbers the goals from left to right. end is the number of the last goal within.
	pos, end int

	// The terms lie in the cells of the emitter. pred is nil for goals with their own instructions.
	functor cell
	args    []cell
	pred    *database.Pred // of goalCall and goalBuiltin
	view    int            // of pred, for goalCall
	negated bool           // of goalIdent
	strict  bool           // goalUnify: must not bind, see ssu
	test    code.Test
	op      code.Op // of goalCompare
	orders  int     // of goalBefore

	// The choice points that cuts go back to.
	barrier *barrier // where goalCut cuts to; nil stands for the clause
	neck    bool     // goalCut: the choice point at entry is still in its register

	branches []*branch
	mark     int   // pseudo variable with the choice point before a branch or \+, or -1
	each     *goal // goalNot: the enclosing negation, as in forall/2

	// analyse and placeSlots set these for goalBranch.
	low, base, top int  // slots of inner variables; variables of several branches are below base
	fill           bool // slots above top are in use while the slots within must hold a value
}

// branchKind is the form of an alternative.
type branchKind uint8

const (
	branchPlain branchKind = iota
	branchIf               // cond -> body
	branchSoft             // cond *-> body
)

// branch is one alternative of a control construct. Only an if-then, a soft one, \+ and call/1 have a cond.
type branch struct {
	kind       branchKind
	cond, body []*goal
	barrier    *barrier // of cuts in cond, nil if there are none
	inline     bool     // cond consists of tests that can branch without a choice point

	start, condEnd, end int // positions
}

// barrier is the scope of a cut inside a condition, \+ or call/1. A condition without cuts needs none.
type barrier struct {
	v int // pseudo variable with the choice point, or -1
}

// reader is the state of reading one sequence of goals: their module, and the scope of their cuts.
type reader struct {
	e       *emitter
	module  *database.Module
	named   bool     // the body names its module
	barrier *barrier // nil: cuts cut the clause
	inside  bool     // within a goal that counts as one source line
	depth   int
}

// read reads head and body of the clause into the tree of goals. The cells are copied, as reading adds terms to them.
// An invalid body, such as (a, 1), becomes a call/1 of it, which throws.
func (e *emitter) read() error {
	e.cells = append(e.cells[:0], e.source.Cells...)
	e.nvars = e.source.NVars
	e.level, e.leaf, e.reads, e.line = -1, 0, 0, int32(e.source.Line)
	arity := e.source.Pred.Arity()
	if arity > maxArity {
		return &Error{Msg: "more than 255 arguments"}
	}
	e.head = make([]cell, arity)
	for i := range e.head {
		e.head[i] = e.source.HeadArg(i)
	}
	var err error
	if e.body, err = e.readBody(); err == nil && e.source.Restricted {
		err = e.restrict()
	}
	return err
}

// readBody reads the goals of the body.
func (e *emitter) readBody() ([]*goal, error) {
	e.leaf = 0
	r := reader{e: e, module: e.source.Pred.Module}
	body, guard := r.scope(e.source.Body), []*goal(nil)
	var err error
	if e.source.SSU {
		if body, guard, err = r.ssu(body); err != nil {
			return nil, err
		}
	}
	if !r.callable(body) {
		body = e.term(code.FCall, body)
	}
	list, err := r.sequence(body)
	return append(guard, list...), err
}

// restrict gives the body of a restricted rule two branches. If a restricted rule has called it, the goals run directly
// and may end in a last call. Otherwise they run between goals that switch the restriction on and off.
func (e *emitter) restrict() error {
	again, err := e.readBody()
	if err != nil {
		return err
	}
	r := reader{e: e}
	switched := append([]*goal{r.system(fRestrict)}, again...)
	if !fails(again) {
		switched = append(switched, r.system(fUnrestrict))
	}
	g := r.goal(goalBranch)
	g.branches = []*branch{{kind: branchIf, cond: []*goal{r.system(fRestricted)}, body: e.body}, {body: switched}}
	e.body = []*goal{g}
	return nil
}

var (
	fRestricted = code.Functor("$restricted", 0)
	fRestrict   = code.Functor("$restrict", 0)
	fUnrestrict = code.Functor("$unrestrict", 0)
)

// scope reads a body that is qualified as a whole in its module. The goals of the body then have their own source
// lines.
func (r *reader) scope(body cell) cell {
	e := r.e
	if e.functor(body) != code.FColon {
		return body
	}
	args := e.args(body)
	if args[0].Tag() != code.Atom || !isCallable(args[1]) || !r.callable(args[1]) {
		return body
	}
	r.module, r.named = e.compiler.program.Module(code.AtomText(args[0].Atom())), true
	e.modules = append(e.modules, r.module.Name)
	return args[1]
}

// ssu reads the guard of a clause with =>, which ends in a cut, and returns the rest of the body. As in SWI-Prolog,
// unifications at the beginning of the guard of an argument with a term belong to the head, so they must not bind.
func (r *reader) ssu(body cell) (rest cell, guard []*goal, err error) {
	e := r.e
	if e.functor(body) == code.FComma && e.functor(e.args(body)[0]) == fGuard {
		args := e.args(body)
		test := e.args(args[0])[0]
		body = args[1]
		if !r.callable(test) {
			test = e.term(code.FCall, test)
		}
		r.depth++ // $/0 watches no guard
		if guard, err = r.sequence(test); err != nil {
			return 0, nil, err
		}
		r.depth--
	}
	for _, g := range guard {
		if g.kind != goalUnify {
			break
		}
		g.strict = e.isArgument(g.args[0], g.args[1]) || e.isArgument(g.args[1], g.args[0])
	}
	return body, append(guard, &goal{kind: goalCut, line: int32(e.source.Line)}), nil
}

// isArgument reports whether t is an argument of the head and a variable, and u is none.
func (e *emitter) isArgument(t, u cell) bool {
	return isVar(t) && !isVar(u) && slices.Contains(e.head, t)
}

// callable reports whether every goal in a body can be called. If not, ISO 13211-1, 7.6.2 wants the error
// before any part of the body runs. The walk has its own stack and terminates for cyclic terms.
func (r *reader) callable(body cell) bool {
	stack := []cell{body}
	for steps := 0; len(stack) > 0; steps++ {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if isVar(t) {
			continue
		}
		if !isCallable(t) {
			return false
		}
		if code.Junction(r.e.functor(t)) {
			if steps > 64*len(r.e.cells) {
				return false // cyclic
			}
			args := r.e.args(t)
			stack = append(stack, args[1], args[0])
		}
	}
	return true
}

// sequence reads a conjunction, in a loop along its right side. It omits the goals after one that always fails.
func (r *reader) sequence(t cell) ([]*goal, error) {
	if r.depth > maxNesting {
		return nil, &Error{Msg: "goals are nested too deeply"}
	}
	r.depth++
	defer func() { r.depth-- }()
	var list []*goal
	for steps := 0; ; steps++ {
		if steps > len(r.e.cells) {
			return nil, &Error{Msg: "clause is cyclic"}
		}
		first, rest := t, cell(0)
		if r.e.functor(t) == code.FComma {
			first, rest = r.e.args(t)[0], r.e.args(t)[1]
		}
		if r.isWatch(first) {
			if r.depth <= 1 && r.barrier == nil {
				watched, err := r.watched(rest)
				return cutOff(append(list, watched...)), err
			}
			first = code.ACut
		}
		goals, err := r.goals(first)
		if err != nil {
			return nil, err
		}
		list = append(list, goals...)
		if rest == 0 {
			return cutOff(list), nil
		}
		t = rest
	}
}

// isWatch reports whether a goal is $/0. The first one among the conjuncts of a clause watches the rest of it, and all
// others are cuts.
func (r *reader) isWatch(t cell) bool {
	if isVar(t) || isCompound(t) || r.e.functor(t) != fWatch {
		return false
	}
	p, _ := r.resolve(fWatch)
	return p != nil && p.Has(database.Locked)
}

// watched reads $/0, which is a cut, and the goals that it watches, up to the end of the clause. These goals are part
// of the clause, so no term is built for them. The exception is a restricted rule, whose body is not the end of its
// clause.
func (r *reader) watched(rest cell) ([]*goal, error) {
	e := r.e
	own := e.source.Pred
	goals, err := r.leaf(code.AtomCell("!"))
	if err != nil {
		return nil, err
	}
	if rest == 0 {
		rest = code.AtomCell("true")
	}
	if e.source.Restricted {
		name := e.term(fSlash, code.MakeAtom(own.Functor.FunctorAtom()), code.MakeInt(int64(own.Arity())))
		if own.Module.Name != "user" {
			name = e.term(code.FColon, code.AtomCell(own.Module.Name), name)
		}
		call, err := r.leaf(e.term(fDetGoal, rest, e.term(fDetGuard, name)))
		return append(goals, call...), err
	}
	list, b, err := r.local(rest)
	g := r.goal(goalWatch)
	g.pred, g.view = own, len(e.views)
	e.views = append(e.views, view{module: own.Module.Name, functor: own.Functor,
		seen: e.compiler.inspect(own.Module, own, own.Functor), called: true})
	goals = append(goals, g)
	if b != nil {
		goals = append(goals, r.mark(code.MakeAtt(b.v)))
	}
	return append(goals, list...), err
}

// mark makes a goal that sets a pseudo variable to the newest choice point.
func (r *reader) mark(v cell) *goal {
	g := r.goal(goalMark)
	g.args = []cell{v}
	return g
}

var (
	fWatch    = code.Functor("$", 0)
	fDetGoal  = code.Functor("$det_goal", 2)
	fDetGuard = code.Functor("guard", 1)
	fSlash    = code.Functor("/", 2)
)

// cutOff drops the goals after the first one that always fails.
func cutOff(list []*goal) []*goal {
	for i, g := range list {
		if g.kind == goalFail {
			return list[:i+1]
		}
	}
	return list
}

// goals reads one goal, which may become several or none.
func (r *reader) goals(t cell) ([]*goal, error) {
	e := r.e
	const goalsPerCell = 64 // the largest number that reading takes, unless parts of the body are shared
	if e.reads++; e.reads > goalsPerCell*(1+len(e.source.Cells)) {
		return nil, &Error{Msg: "the goals of the clause share too many parts"}
	}
	if isVar(t) {
		return r.leaf(t)
	}
	switch f := e.functor(t); {
	case f == code.FComma:
		return r.sequence(t)
	case f == code.FNot:
		return r.negation(e.args(t)[0])
	case code.Junction(f):
		g, err := r.branching(t)
		return []*goal{g}, err
	}
	return r.leaf(t)
}

// leaf reads a goal that is no control construct; its line is the next one in the table. The goals of its expansion
// have the same line.
func (r *reader) leaf(t cell) ([]*goal, error) {
	e := r.e
	if !r.inside {
		if e.leaf < len(e.goalLines) {
			e.line = e.goalLines[e.leaf]
		}
		e.leaf++
	}
	was := r.inside
	r.inside = true
	list, err := r.expand(t)
	r.inside = was
	return list, err
}

// local reads a goal in which cuts are local. The result has a barrier if there are any cuts.
func (r *reader) local(t cell) (cond []*goal, b *barrier, err error) {
	outer := r.barrier
	r.barrier = &barrier{v: -1}
	cond, err = r.sequence(t)
	b, r.barrier = r.barrier, outer
	if b.v < 0 {
		b = nil
	}
	return cond, b, err
}

// negation reads \+ Goal. local makes a cut in Goal local to it (ISO 13211-1, 8.15.1). A negation at the end of Goal is
// that of forall/2, which reports each solution to the machine, unless it is a plain test after goals that ask no
// questions.
func (r *reader) negation(t cell) ([]*goal, error) {
	g := r.goal(goalNot)
	cond, b, err := r.local(t)
	g.branches = []*branch{{cond: cond, barrier: b}}
	if n := len(cond) - 1; n > 0 && cond[n].kind == goalNot && (calls(cond[:n]) || calls(cond[n].branches[0].cond)) {
		cond[n].each = g
	}
	return []*goal{g}, err
}

// branching reads a disjunction with all its alternatives, in a loop along its right side, or an if-then
// without else. One node for all of them means one choice point.
func (r *reader) branching(t cell) (*goal, error) {
	e := r.e
	g := r.goal(goalBranch)
	for steps := 0; ; steps++ {
		if steps > len(e.cells) {
			return g, &Error{Msg: "clause is cyclic"}
		}
		f := e.functor(t)
		isOr := f == code.FSemi || f == code.FBar
		first := t
		if isOr {
			first = e.args(t)[0]
		}
		b, err := r.alternative(first)
		if err != nil {
			return g, err
		}
		g.branches = append(g.branches, b)
		if !isOr {
			return g, nil
		}
		t = e.args(t)[1]
	}
}

// alternative reads one branch of a disjunction.
func (r *reader) alternative(t cell) (b *branch, err error) {
	b = &branch{}
	switch r.e.functor(t) {
	case code.FArrow:
		b.kind = branchIf
	case code.FSoft:
		b.kind = branchSoft
	default:
		b.body, err = r.sequence(t)
		return b, err
	}
	args := r.e.args(t)
	if b.cond, b.barrier, err = r.local(args[0]); err != nil {
		return b, err
	}
	b.body, err = r.sequence(args[1])
	return b, err
}

// goal makes a node at the current line of the reader. It has no choice point to cut back to yet.
func (r *reader) goal(kind goalKind) *goal {
	return &goal{kind: kind, line: r.e.line, mark: -1, barrier: r.barrier}
}

// cut reads a cut. A cut inside a condition needs the choice point before the condition, so the first cut makes the
// pseudo variable for it.
func (r *reader) cut() []*goal {
	if r.barrier != nil && r.barrier.v < 0 {
		r.barrier.v = r.e.pseudo()
	}
	return []*goal{r.goal(goalCut)}
}

// pseudo returns the number of a new pseudo variable, for a choice point.
func (e *emitter) pseudo() int {
	e.nvars++
	return e.nvars - 1
}
