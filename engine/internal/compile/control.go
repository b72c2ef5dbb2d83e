package compile

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines how control constructs are emitted: with a choice point in general, as plain branches if the
// conditions are plain tests.

// brancher is the state of emitting the alternatives of one goal. Each alternative begins in the state at the
// construct's entry, as far as the earlier alternatives have kept it. The states of all alternatives that end are
// merged in join.
type brancher struct {
	e         *emitter
	g         *goal
	tail      bool
	open      bool  // a choice point leads to the next alternative
	condition int   // 1 if the condition of the previous alternative jumps to the next one on failure
	end       label // the end of all alternatives
	join      state
	outer     []int // variables that are set inside and used afterwards
}

// branches emits a disjunction or if-then-else, with one alternative after the other. Each ends with a jump to the end
// of all, or leaves the clause if the construct is the last goal.
func (e *emitter) branches(g *goal, tail bool) {
	b := brancher{e: e, g: g, tail: tail, end: e.newLabel()}
	b.prepare()
	entry := e.st.clone()
	for i, alt := range g.branches {
		last := i == len(g.branches)-1
		e.frames = append(e.frames, frame{alt.end, g.end})
		e.pos = alt.start
		if alt.inline {
			entry = b.inline(alt, last, entry)
		} else {
			entry = b.choice(alt, last)
		}
		e.frames = e.frames[:len(e.frames)-1]
		if e.overflow {
			return
		}
	}
	e.bind(b.end)
	e.st = b.join
	// No alternative reaches its end, so the code afterwards is unreachable.
	if e.st.x == nil {
		e.st = entry
		e.st.dead = true
	}
}

// prepare emits what is needed before the first alternative: an environment if values must be kept, permanent variables
// in their slots, and the mark that conditions cut back to. Later alternatives cannot rely on values stored in one of
// them.
func (b *brancher) prepare() {
	e, g := b.e, b.g
	choice := g.mark >= 0
	for _, alt := range g.branches[:len(g.branches)-1] {
		choice = choice || !alt.inline
	}
	if choice || b.needBarrier() || !b.tail && (e.nslots > 0 || kills(g)) {
		e.allocate()
	}
	if e.st.env {
		e.homeAll()
	}
	if g.mark >= 0 {
		e.commit(code.OpMark, e.vars[g.mark].slot)
		e.setY(g.mark)
	} else if choice {
		e.commit(code.OpWake, 0)
	}
	if !b.tail {
		b.reserve()
	}
}

// needBarrier reports whether a branch has a condition with its own cut, for which the choice point at its beginning
// must be stored.
func (b *brancher) needBarrier() bool {
	for _, alt := range b.g.branches {
		if alt.barrier != nil {
			return true
		}
	}
	return false
}

// kills reports whether a goal contains a goal after which registers are lost. Values that are used afterwards need
// slots, and so an environment.
func kills(g *goal) bool {
	switch g.kind {
	case goalCall, goalBuiltin, goalLocal:
		return true
	}
	for _, b := range g.branches {
		for _, list := range [][]*goal{b.cond, b.body} {
			for _, h := range list {
				if kills(h) {
					return true
				}
			}
		}
	}
	return false
}

// reserve finds the variables that get their value in the branches and are used after them. Variables in registers get
// the same register in all branches.
func (b *brancher) reserve() {
	e := b.e
	seen := map[int]bool{}
	e.eachIn(b.g, func(v int) {
		if seen[v] || e.isSet(v) || e.vars[v].next(b.g.end) == maxPos {
			return
		}
		seen[v] = true
		b.outer = append(b.outer, v)
		if !e.vars[v].perm && e.st.x[v] < 0 {
			r := e.allocFor(v)
			e.st.regs[r], e.st.x[v] = int32(v), int32(r)
		}
	})
}

// inline emits an alternative whose condition is a plain test, and returns the state in which the next one begins. A
// failing test jumps to the next alternative, as there is nothing to undo.
func (b *brancher) inline(alt *branch, last bool, entry state) state {
	e := b.e
	b.close()
	if last {
		e.tests(alt.cond, toFail)
		b.body(alt, last)
		return entry
	}
	entry = e.st.clone()
	next := e.newLabel()
	e.tests(alt.cond, toLabel(next))
	b.body(alt, last)
	e.bind(next)
	e.st = entry.clone()
	return entry
}

// choice emits an alternative that may leave choice points or bind variables, and returns the state of the
// next one, in which no register is known, as backtracking restores none.
func (b *brancher) choice(alt *branch, last bool) state {
	e := b.e
	var next label
	var after state
	if last {
		b.close()
	} else {
		next = e.newLabel()
		after = b.try(alt, next)
	}
	e.barrier(alt)
	e.sequence(alt.cond, false)
	if !e.st.dead {
		b.commit(alt, last)
		b.body(alt, last)
	}
	if last {
		return e.st
	}
	e.bind(next)
	e.st = after
	return after.clone()
}

// close emits the end of the choice point that leads to the alternative.
func (b *brancher) close() {
	if b.open {
		b.e.op(code.OpTrustElse, b.condition, 0, 0, 0)
		b.open = false
	}
}

// try emits the instruction that makes label next the alternative, and returns the state there. All alternatives share
// one choice point: the first pushes it, the others change its alternative.
func (b *brancher) try(alt *branch, next label) state {
	e := b.e
	if b.open {
		e.jump(code.Make(code.OpRetryElse, b.condition, 0, 0, 0), next)
	} else {
		e.tryElse(alt.end, next, e.frames[:len(e.frames)-1])
		b.open = true
	}
	b.condition = 0
	if alt.kind != branchPlain {
		b.condition = 1
	}
	after := e.st.clone()
	after.forget()
	return after
}

// tryElse emits the push of a choice point whose alternative continues after position pos. Such a choice point saves no
// registers. It protects the slots that are in use there, so these are given a value now.
func (e *emitter) tryElse(pos int, next label, outer []frame) {
	frames := e.frames
	e.frames = outer
	live := e.liveSlots(nil, pos)
	e.frames = frames
	e.fillSlots(nil, live)
	e.jump(code.MakeBC(code.OpTryElse, 0, live, 0), next)
}

// forget drops all registers.
func (s *state) forget() {
	for r, v := range s.regs {
		if v >= 0 {
			s.x[v] = -1
		}
		s.regs[r] = regFree
	}
}

// barrier emits the code that makes cuts in a condition local.
func (e *emitter) barrier(b *branch) {
	if b.barrier != nil {
		e.op(code.OpMark, 0, 0, 0, e.vars[b.barrier.v].slot)
		e.setY(b.barrier.v)
	}
}

// commit emits the code after a condition. An if-then cuts back to the mark. A soft if-then keeps the choice points of
// the condition and only removes the alternative; the last alternative has none.
func (b *brancher) commit(alt *branch, last bool) {
	e := b.e
	switch {
	case alt.kind == branchIf:
		e.commit(code.OpCutTo, e.vars[b.g.mark].slot)
	case alt.kind == branchSoft && !last:
		e.commit(code.OpSoftCut, e.vars[b.g.mark].slot)
	}
}

// body emits the body of an alternative and its exit. Variables that only other alternatives set become new variables,
// since code after all alternatives expects values in their places.
func (b *brancher) body(alt *branch, last bool) {
	e := b.e
	e.pos = max(e.pos, alt.condEnd)
	e.sequence(alt.body, b.tail)
	if e.st.dead || e.overflow {
		return
	}
	for _, v := range b.outer {
		switch {
		case e.isSet(v):
			e.home(v)
		case e.vars[v].perm:
			e.newY(v)
		default:
			e.fresh(v)
		}
	}
	if b.g.fill {
		for s := b.g.low; s < b.g.top; s++ {
			if !e.st.filled[s] {
				e.op(code.OpInitY, 0, 0, 0, s)
				e.st.filled[s] = true
			}
		}
	}
	if !last {
		e.jump(code.Make(code.OpJump, 0, 0, 0, 0), b.end)
	}
	if b.join.x == nil {
		b.join = e.st.clone()
	} else {
		b.join.meet(&e.st)
	}
}

// not emits \+. Its goal leaves no bindings: either it fails, or the code after it fails, or it is a plain test.
func (e *emitter) not(g *goal) {
	b := g.branches[0]
	next := e.newLabel()
	if b.inline {
		after := e.st.clone()
		e.tests(b.cond, toLabel(next))
		e.op(code.OpFail, 0, 0, 0, 0)
		e.bind(next)
		e.st = after
		return
	}
	e.allocate()
	e.homeAll()
	e.commit(code.OpMark, e.vars[g.mark].slot)
	e.setY(g.mark)
	e.tryElse(b.end, next, e.frames)
	after := e.st.clone()
	after.forget()
	e.barrier(b)
	e.frames = append(e.frames, frame{b.condEnd, maxPos - 1})
	e.sequence(b.cond, false)
	e.frames = e.frames[:len(e.frames)-1]
	if !e.st.dead {
		e.commit(code.OpCutTo, e.vars[g.mark].slot)
		e.settleNow()
		if g.each != nil {
			e.op(code.OpFail, 1, 0, 0, e.vars[g.each.mark].slot)
		} else {
			e.op(code.OpFail, 0, 0, 0, 0)
		}
	}
	e.bind(next)
	e.st = after
	e.op(code.OpTrustElse, 1, 0, 0, 0)
}

// local emits call/1 of a goal with a cut. A cut in call/1 is local (ISO 13211-1, 7.8.3), so the choice point before it
// is marked. The goal's choice points stay.
func (e *emitter) local(g *goal) {
	e.allocate()
	e.barrier(g.branches[0])
	e.sequence(g.branches[0].cond, false)
}

// tests emits goals of a condition that bind nothing; a failing goal jumps to t. Registers may be loaded but none is
// given up, as the code at t expects their earlier values.
func (e *emitter) tests(list []*goal, t target) {
	was := e.inTests
	e.inTests = true
	defer func() { e.inTests = was }()
	for _, g := range list {
		if e.overflow {
			return
		}
		e.mark(g)
		switch g.kind {
		case goalNot:
			e.testNot(g, t)
		case goalBranch:
			e.testAny(g, t)
		case goalFail:
			e.always(t)
		case goalIs:
			e.afterWake(func() { e.is(g) })
		default:
			e.afterWake(func() { e.test(g, t) })
		}
		e.endGoal()
	}
}

// testNot emits the negation of a test: if the test fails the code continues, and if it succeeds the negation fails.
// Afterwards the register state is the one from before.
func (e *emitter) testNot(g *goal, t target) {
	next := e.newLabel()
	after := e.st.clone()
	e.tests(g.branches[0].cond, toLabel(next))
	e.always(t)
	e.bind(next)
	e.st = after
}

// testAny emits a disjunction of tests. Registers loaded in a branch are forgotten afterwards, since another branch may
// also lead there.
func (e *emitter) testAny(g *goal, t target) {
	end := e.newLabel()
	before := e.st.clone()
	for i, b := range g.branches {
		if i == len(g.branches)-1 {
			e.tests(b.body, t)
			break
		}
		next := e.newLabel()
		e.tests(b.body, toLabel(next))
		e.jump(code.Make(code.OpJump, 0, 0, 0, 0), end)
		e.bind(next)
		e.st = before.clone()
	}
	e.bind(end)
	e.st = before
}

// always emits a jump to the target of a failing test.
func (e *emitter) always(t target) {
	switch {
	case t.isLabel:
		e.jump(code.Make(code.OpJump, 0, 0, 0, 0), t.label)
	case t.special == code.TargetFail:
		e.op(code.OpFail, 0, 0, 0, 0)
	default: // reached by a test that always fails, not by a jump
		r := e.alloc()
		e.op(code.OpPutInt, r, 0, 0, 0)
		e.branch(code.Make(code.OpIdent, r, r, 1, 0), t)
		e.release(r)
	}
}

// test emits one test.
func (e *emitter) test(g *goal, t target) {
	if g.kind == goalCompare {
		e.compare(g, t)
		return
	}
	if g.kind == goalTest {
		a := e.value(g.args[0])
		e.branch(code.Make(code.OpTest, a, int(g.test), 0, 0), t)
		e.release(a)
		return
	}
	a, b := e.both(g.args[0], g.args[1], e.value)
	switch {
	case g.kind == goalBefore:
		e.branch(code.Make(code.OpBefore, a, b, g.orders, 0), t)
	case g.negated:
		e.branch(code.Make(code.OpIdent, a, b, 1, 0), t)
	default:
		e.branch(code.Make(code.OpIdent, a, b, 0, 0), t)
	}
	e.release(a)
	e.release(b)
}

// order emits compare/3. The order goes into the register of a new variable at once. A variable with a value is
// compared with the order, by a form of the instruction that can fail.
func (e *emitter) order(g *goal) {
	v, s, t := g.args[0].Addr(), g.args[1], g.args[2]
	if e.isVoid(v) {
		return
	}
	known := e.isSet(v) || e.occurs(v, s) || e.occurs(v, t)
	if known {
		e.reg(v)
	}
	a, b := e.both(s, t, e.value)
	e.release(a)
	e.release(b)
	if known {
		e.op(code.OpOrder, a, b, e.reg(v), 1)
		return
	}
	e.dying(s)
	e.dying(t)
	r := e.allocFor(v)
	e.op(code.OpOrder, a, b, r, 0)
	e.hold(v, r)
}
