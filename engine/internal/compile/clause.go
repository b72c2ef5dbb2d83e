package compile

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines how a clause and the goals of a sequence are emitted, and which slots are alive at a call.

// clause emits the whole clause: the head or the guard, then the goals. A guard does not change the argument registers
// before its cut. In frugal mode no clause has a guard, since its environment is made at the entry.
func (e *emitter) clause() {
	e.st = e.startState()
	e.hints = make([]int, len(e.vars))
	for i := range e.hints {
		e.hints[i] = -1
	}
	if e.frugal {
		e.guard, e.shallow = 0, false
	}
	e.setHints(e.body)
	late := e.guard == 0 && !e.shallow && hasLateNeck(e.source)
	if late && e.frugal { // makes its environment before it matches
		e.op(code.OpNeckTry, 0, 0, 0, 0)
		late = false
	}
	e.arguments()
	switch {
	case e.shallow:
		e.shallowHead()
	case e.guard > 0:
		e.guardTests()
	default:
		e.matchHead()
		e.late = late
	}
	if !e.overflow {
		e.sequence(e.body[e.guard:], true)
	}
	// These instructions are never executed: the loop looks for them after the clause.
	e.code = append(e.code, e.live...)
}

// arguments notes the contents of the argument registers at the entry.
func (e *emitter) arguments() {
	for i, t := range e.head {
		e.st.regs[i] = regBusy
		if !isVar(t) {
			continue
		}
		v := t.Addr()
		switch {
		// Within a guard even an unused argument stays in its register, for the next clause.
		case e.isVoid(v) && e.guard == 0 && !e.shallow:
			e.st.regs[i] = regFree
		case !e.isVoid(v) && !e.isSet(v):
			e.hold(v, i)
		}
	}
	if e.frugal {
		e.allocate()
	}
}

// guardTests emits the tests before the cut of a guard. They change no argument register. A test that fails goes to the
// next clause, whose address is in the else register, or just fails in code that may be entered without that register.
func (e *emitter) guardTests() {
	e.inGuard = true
	e.guarded = e.guards
	e.tests(e.body[:e.guard], target{special: uint32(e.target())})
	e.endGuard()
}

// endGuard lets the argument registers be used for other values.
func (e *emitter) endGuard() {
	e.inGuard = false
	for i := range e.head {
		e.release(i)
	}
}

// shallowHead emits the matching of the head and the tests before the cut, which change no argument register, so the
// next clause finds these unchanged if one fails.
func (e *emitter) shallowHead() {
	e.inGuard = true
	e.guarded = e.guards
	e.matchHead()
	if !e.overflow {
		e.tests(e.body[:e.guard], toFail)
	}
	e.endGuard()
}

// neck marks the end of the head, if the mark was put off. Tests and unifications after the head come before the mark,
// so their failure costs no choice point either.
func (e *emitter) neck() {
	if e.late {
		e.late = false
		e.op(code.OpNeckTry, 0, 0, 0, 0)
	}
}

// sequence emits goals one after the other. In tail position it ends by leaving the clause. Goals after one that always
// fails are not emitted.
func (e *emitter) sequence(list []*goal, tail bool) {
	if len(list) > 0 {
		e.pos = list[0].pos
	}
	e.setHints(list)
	for i, g := range list {
		if e.st.dead || e.overflow {
			return
		}
		last := tail && i == len(list)-1
		e.mark(g)
		e.goal(g, last, list[i+1:])
		if last && leaves(g) {
			e.st.dead = true
			return
		}
		if g.kind != goalCut && g.kind != goalFail {
			e.pos = max(e.pos, g.end)
		}
		e.endGoal()
	}
	if tail && !e.st.dead {
		e.proceed()
	}
}

// leaves reports whether a goal in tail position leaves the clause by itself.
func leaves(g *goal) bool { return g.kind == goalCall || g.kind == goalBranch }

// endGoal frees registers after a goal. Frugal mode keeps values only in slots, so registers cannot run out between
// goals.
func (e *emitter) endGoal() {
	e.sweep()
	if !e.frugal || e.inTests {
		return
	}
	e.homeAll()
	for r, v := range e.st.regs {
		if e.isCopy(v) {
			e.clearReg(r)
		}
	}
}

// proceed emits the return from a clause whose last goal was not a call. Releasing the environment and
// returning are one instruction, since nearly every rule that needs an environment ends so.
func (e *emitter) proceed() {
	e.neck()
	if e.st.env {
		e.op(code.OpDeallocateProceed, 0, 0, 0, 0)
	} else {
		e.op(code.OpProceed, 0, 0, 0, 0)
	}
	e.st.dead = true
}

// goal emits one goal. rest are the goals after it in its sequence.
func (e *emitter) goal(g *goal, last bool, rest []*goal) {
	switch g.kind {
	case goalCut, goalBranch, goalNot, goalLocal:
		e.neck()
	}
	switch g.kind {
	case goalCall, goalBuiltin:
		e.call(g, last, rest)
	case goalUnify:
		e.strict = g.strict
		e.unify(g.args[0], g.args[1])
		e.strict = false
	case goalIdent, goalBefore, goalTest, goalCompare:
		e.afterWake(func() { e.test(g, toFail) })
	case goalOrder:
		e.afterWake(func() { e.order(g) })
	case goalIs:
		e.afterWake(func() { e.is(g) })
	case goalCut:
		e.cut(g)
	case goalMark:
		v := g.args[0].Addr()
		e.allocate()
		e.commit(code.OpMark, e.vars[v].slot)
		e.setY(v)
	case goalWatch:
		e.watchRest(g)
	case goalFail:
		e.settleNow()
		e.op(code.OpFail, 0, 0, 0, 0)
		e.st.dead = true
	case goalBranch:
		e.branches(g, last)
		e.setHints(rest)
	case goalNot:
		e.not(g)
		e.setHints(rest)
	case goalLocal:
		e.local(g)
		e.setHints(rest)
	}
}

// cut emits a cut. It cuts back to the choice point of the enclosing condition, else to the one at the entry of the
// clause. The latter is in a register up to the first call and in a slot afterwards. If neither has it, the clause is
// compiled again with all variables in slots.
func (e *emitter) cut(g *goal) {
	switch {
	case g.barrier != nil:
		e.commit(code.OpCutTo, e.vars[g.barrier.v].slot)
	case g.neck:
		op := code.OpNeckCut
		if e.shallow && g == e.body[e.guard] {
			op = code.OpNeckShallow
		}
		e.commit(op, 0)
	case e.st.env:
		e.commit(code.OpCutTo, e.vars[e.level].slot)
	default:
		e.overflow = true
	}
}

// watchRest emits the beginning of the watched rest of the clause, after a cut. Waiting goals are not watched, and
// their choice points are cut too.
func (e *emitter) watchRest(g *goal) {
	slots := 0
	if e.st.env {
		slots = 1 + e.nslots
	}
	if e.st.loose {
		e.settleNow()
		if e.st.env && e.level >= 0 {
			e.commit(code.OpCutTo, e.vars[e.level].slot)
		} else {
			e.commit(code.OpNeckCut, 0)
		}
	}
	e.sites = append(e.sites, site{len(e.code), g.view})
	e.put(code.MakeBC(code.OpDetRest, len(e.head), slots, g.pred.Entry))
}

// commit emits a cut, or the instruction before a choice point. Goals of attributed variables that were bound earlier
// run first. They may fail, and must then find the choice points that a cut removes. For these goals the instruction
// says how many registers and slots are in use.
func (e *emitter) commit(op code.Op, slot int) {
	slots := 0
	if e.st.env {
		slots = 1 + e.nslots
	}
	e.put(code.MakeBC(op, e.usedRegs(), slots, uint32(slot)))
	if op == code.OpWake || op == code.OpMark {
		e.st.loose = false
	}
}

// settleNow emits the check for waiting goals, if there may be some.
func (e *emitter) settleNow() {
	if e.st.loose {
		e.commit(code.OpWake, 0)
	}
}

// allocate makes the environment, if there is none yet, and stores the permanent variables in it. This is delayed until
// a goal needs the environment, so a clause that fails earlier does not pay for it.
func (e *emitter) allocate() {
	if e.st.env {
		return
	}
	e.neck()
	e.op(code.OpAllocate, 0, 0, 0, e.nslots)
	e.st.env = true
	if e.level >= 0 {
		e.op(code.OpGetLevel, 0, 0, 0, e.vars[e.level].slot)
		e.setY(e.level)
	}
	e.homeAll()
}

// call emits the call of a predicate or of a built-in. Permanent variables are stored before it and all registers are
// forgotten after it. The last call of a clause keeps no slots: the environment is released before it.
func (e *emitter) call(g *goal, last bool, rest []*goal) {
	builtin := g.kind == goalBuiltin
	if !last && (!builtin || e.outlives(g)) {
		e.allocate()
	}
	live := 0
	if !last && e.st.env {
		e.homeLive()
		live = e.liveSlots(g.args, e.pos)
		e.fillSlots(g.args, live)
	}
	e.loadArgs(g.args)
	e.calling = g.args
	e.enter(g, last, live)
	e.dropAll()
	// The call may have bound attributed variables, and may have used up the room.
	e.st.loose = true
	e.st.room = freeRoom
	if !builtin && !callsAgain(rest) {
		e.st.room = 0
	}
	e.setHints(rest)
}

// enter emits the instruction that calls. It has a form for a last call with and without environment, and
// one that marks the end of the head as well. It notes the words that hold the entry of a predicate, so that another
// program can reuse the code.
func (e *emitter) enter(g *goal, last bool, live int) {
	n, entry := len(g.args), g.pred.Entry
	if g.kind == goalCall {
		e.sites = append(e.sites, site{len(e.code), g.view})
	}
	late := e.late
	if g.kind == goalBuiltin || !last {
		e.neck()
	}
	switch {
	case g.kind == goalBuiltin:
		bc := 0
		if e.st.env {
			bc = live + 1
		}
		e.put(code.MakeBC(code.OpBuiltin, n, bc, uint32(g.pred.Builtin)))
	case !last:
		e.put(code.MakeBC(code.OpCall, n, live, entry))
	case e.st.env:
		e.put(code.Make(code.OpDeallocateExecute, n, 0, 0, entry))
	case late:
		e.late = false
		e.put(code.Make(code.OpNeckExecute, n, 0, 0, entry))
	default:
		e.put(code.Make(code.OpExecute, n, 0, 0, entry))
	}
	e.fence()
}

// callsAgain reports whether a sequence certainly reaches a call. A call requests heap room. Code after a call that may
// return without another call gets no room, as many such returns may follow one another.
func callsAgain(rest []*goal) bool {
	for _, g := range rest {
		switch g.kind {
		case goalCall, goalBuiltin:
			return true
		case goalBranch:
			return false
		}
	}
	return false
}

// outlives reports whether a permanent variable is alive after the call g.
func (e *emitter) outlives(g *goal) bool {
	if e.st.env {
		return true
	}
	for _, v := range e.st.regs {
		if v >= 0 && e.vars[v].perm && e.reach(int(v), e.pos) {
			return true
		}
	}
	found := false
	for _, t := range g.args {
		e.eachVar(t, func(v int) { found = found || e.vars[v].perm && e.reach(v, e.pos) })
	}
	return found
}

// homeLive stores the permanent variables that are used after the current goal.
func (e *emitter) homeLive() {
	for _, v := range e.st.regs {
		if v >= 0 && e.reach(int(v), e.pos) {
			e.home(int(v))
		}
	}
}

// frame says that execution continues at skip after position end, the end of a branch.
type frame struct {
	end, skip int
}

// reach reports whether v occurs on some path onward from a position. Occurrences in other branches do not count: the
// frames say which positions are skipped.
func (e *emitter) reach(v, pos int) bool {
	q := e.vars[v].next(pos)
	for i := len(e.frames) - 1; i >= 0 && q != maxPos; i-- {
		if f := e.frames[i]; q > f.end && q <= f.skip {
			q = e.vars[v].next(f.skip)
		}
	}
	return q != maxPos
}

// liveSlots returns the number of slots that are needed after a position. args are the arguments of a call that is
// about to set the variables in them. The collector ignores the slots above that number.
func (e *emitter) liveSlots(args []cell, pos int) int {
	fresh, top := map[int]bool{}, e.st.top
	for _, t := range args {
		e.eachVar(t, func(v int) { fresh[v], top = true, max(top, e.vars[v].slot+1) })
	}
	for s := top - 1; s >= 0; s-- {
		for _, v := range e.owners[s] {
			if (e.st.y[v] || fresh[v]) && e.reach(v, pos) {
				return s + 1
			}
		}
	}
	return 0
}

// fillSlots initialises the unset slots below live. A variable that will be assigned later becomes a new variable now,
// as a slot must not change once backtracking may return to code that uses it.
func (e *emitter) fillSlots(args []cell, live int) {
	full := true // so far
	for s := e.st.full; s < live; s++ {
		if e.st.filled[s] {
			continue
		}
		v := e.owner(s)
		switch {
		case v >= 0 && e.inAny(v, args):
			if full {
				e.st.full, full = s, false
			}
		case v >= 0 && !e.isSet(v):
			e.newY(v)
		default:
			e.op(code.OpInitY, 0, 0, 0, s)
			e.st.filled[s] = true
		}
	}
	if full {
		e.st.full = max(e.st.full, live)
	}
}

// inAny reports whether a variable occurs in one of several terms.
func (e *emitter) inAny(v int, args []cell) bool {
	for _, t := range args {
		if e.occurs(v, t) {
			return true
		}
	}
	return false
}

// owner returns the variable that slot s belongs to at the current position, or -1.
func (e *emitter) owner(s int) int {
	for _, n := range e.owners[s] {
		if v := &e.vars[n]; v.scopeLo <= e.pos && e.pos <= v.end && v.occurs != nil {
			return n
		}
	}
	return -1
}

// newY makes v a new variable in its slot.
func (e *emitter) newY(v int) {
	e.need()
	e.op(code.OpNewY, 0, 0, 0, e.vars[v].slot)
	e.setY(v)
}

// setHints looks ahead to the next call, to prefer its argument registers for variables.
func (e *emitter) setHints(list []*goal) {
	for _, v := range e.hinted {
		e.hints[v] = -1
	}
	e.hinted, e.base = e.hinted[:0], 0
	for _, g := range list {
		switch g.kind {
		case goalCall, goalBuiltin:
			e.base = len(g.args)
			for i, t := range g.args {
				if isVar(t) && e.hints[t.Addr()] < 0 {
					e.hints[t.Addr()] = i
					e.hinted = append(e.hinted, t.Addr())
				}
			}
			return
		case goalBranch, goalNot, goalLocal:
			return
		}
	}
}
