package compile

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file tracks where the values of variables are at each point of the code.

const numRegs = 256

// A register can hold these values besides a variable.
const (
	regFree = -1
	regBusy = -2 // a value without name
)

// state describes one point of the code. If several paths lead to a point it has what holds on all of them.
type state struct {
	regs   [numRegs]int32 // variable, regFree or regBusy
	x      []int32        // register by variable, -1 without
	set    []bool         // variables that have a value
	y      []bool         // variables whose slot has their value
	filled []bool         // slots that hold some value
	full   int            // all slots below hold one
	top    int            // no variable with a slot from here on is set
	env    bool           // the environment is there
	dead   bool           // cannot be reached
	room   int            // cells that may be built without a request for room
	loose  bool           // an attributed variable may have been bound since the last check for waiting goals
}

// clone returns a copy that changes independently: each branch begins with the state before all branches.
func (s *state) clone() state {
	c := *s
	c.x, c.set, c.y, c.filled = slices.Clone(s.x), slices.Clone(s.set), slices.Clone(s.y), slices.Clone(s.filled)
	return c
}

// startState is the state at the entry of the clause.
func (e *emitter) startState() state {
	n := len(e.vars)
	s := state{x: make([]int32, n), set: make([]bool, n), y: make([]bool, n), filled: make([]bool, e.nslots)}
	for i := range s.regs {
		s.regs[i] = regFree
	}
	for i := range s.x {
		s.x[i] = -1
	}
	s.room = freeRoom
	return s
}

// meet restricts s to what also holds in t, after two branches. A branch that does not end is ignored.
func (s *state) meet(t *state) {
	if s.dead || t.dead {
		if s.dead {
			*s = t.clone()
		}
		return
	}
	for r, v := range s.regs {
		if v != t.regs[r] {
			if v >= 0 {
				s.x[v] = -1
			}
			s.regs[r] = regFree
		}
	}
	for i := range s.set {
		s.set[i] = s.set[i] && t.set[i]
		s.y[i] = s.y[i] && t.y[i]
	}
	for i := range s.filled {
		s.filled[i] = s.filled[i] && t.filled[i]
	}
	s.loose = s.loose || t.loose
	s.room, s.full, s.top = min(s.room, t.room), min(s.full, t.full), max(s.top, t.top)
}

// isVoid reports whether a variable occurs only once, so that its value is unused. isSet reports whether the code
// emitted so far has given it a value.
func (e *emitter) isVoid(v int) bool { return e.vars[v].count == 1 }
func (e *emitter) isSet(v int) bool  { return e.st.set[v] }

// hold notes that register r has the value of v.
func (e *emitter) hold(v, r int) {
	e.drop(v)
	e.clearReg(r)
	e.st.regs[r], e.st.x[v], e.st.set[v] = int32(v), int32(r), true
}

// drop forgets the register of v.
func (e *emitter) drop(v int) {
	if r := e.st.x[v]; r >= 0 {
		e.st.regs[r], e.st.x[v] = regFree, -1
	}
}

// clearReg forgets what register r holds.
func (e *emitter) clearReg(r int) {
	if v := e.st.regs[r]; v >= 0 {
		e.st.x[v] = -1
	}
	e.st.regs[r] = regFree
}

// dropAll forgets all registers, after a call.
func (e *emitter) dropAll() {
	for r := range e.st.regs {
		e.clearReg(r)
	}
}

// sweep frees the registers of variables that do not occur again.
func (e *emitter) sweep() {
	if e.inGuard {
		return
	}
	for r, v := range e.st.regs {
		if v >= 0 && e.vars[v].next(e.pos) == maxPos {
			e.clearReg(r)
		}
	}
}

// alloc returns a free register and makes it busy. It prefers registers from e.base on, as the next call uses the lower
// ones for its arguments. If none is free it gives up a copy of a slot. If that fails too it sets overflow, and the
// returned register does not matter.
func (e *emitter) alloc() int {
	for _, from := range [2]int{e.base, 0} {
		for r := from; r < numRegs; r++ {
			if e.st.regs[r] == regFree {
				return e.take(r)
			}
		}
	}
	for r, v := range e.st.regs {
		if e.isCopy(v) && !e.inTests && !e.placed[r] {
			e.clearReg(r)
			return e.take(r)
		}
	}
	e.overflow = true
	return numRegs - 1
}

// take makes register r busy and returns it.
func (e *emitter) take(r int) int {
	e.st.regs[r] = regBusy
	e.high = max(e.high, r+1)
	return r
}

// freeCount returns how many registers are free.
func (e *emitter) freeCount() int {
	n := 0
	for _, v := range e.st.regs {
		if v == regFree {
			n++
		}
	}
	return n
}

// isCopy reports whether a register that holds v can be given up because its slot has the value.
func (e *emitter) isCopy(v int32) bool { return v >= 0 && e.st.set[v] && e.st.y[v] }

// release frees a busy register. It keeps arguments within a guard.
func (e *emitter) release(r int) {
	if e.st.regs[r] == regBusy && !(e.inGuard && r < len(e.head)) {
		e.st.regs[r] = regFree
	}
}

// allocFor returns a busy register for variable v: the reserved one, the argument register for the next call, or any.
func (e *emitter) allocFor(v int) int {
	if r := e.st.x[v]; r >= 0 {
		e.st.x[v] = -1
		return e.take(int(r))
	}
	if h := e.hints[v]; h >= 0 && e.canTake(h) {
		e.clearReg(h)
		return e.take(h)
	}
	return e.alloc()
}

// canTake reports whether argument register h may get a value now.
func (e *emitter) canTake(h int) bool {
	held := e.st.regs[h]
	return !e.inGuard && (held == regFree || e.isCopy(held) && !e.inTests && !e.placed[h])
}

// inY reports whether a new value of v is best stored in its slot at once.
func (e *emitter) inY(v int) bool { return e.vars[v].perm && e.st.env && (e.frugal || e.hints[v] < 0) }

// setY notes that the slot of v has its value.
func (e *emitter) setY(v int) {
	slot := e.vars[v].slot
	e.st.set[v], e.st.y[v], e.st.filled[slot] = true, true, true
	e.st.top = max(e.st.top, slot+1)
}

// reg returns a register with the value of v, loading or making it if needed.
func (e *emitter) reg(v int) int {
	if !e.isSet(v) {
		return e.fresh(v)
	}
	if r := e.st.x[v]; r >= 0 {
		return int(r)
	}
	if !e.st.y[v] {
		e.overflow = true // lost; frugal mode keeps everything in slots
		return 0
	}
	r := e.alloc()
	e.op(code.OpPutY, r, 0, 0, e.vars[v].slot)
	e.hold(v, r)
	return r
}

// fresh makes v a new variable and returns a register with it.
func (e *emitter) fresh(v int) int {
	r := e.allocFor(v)
	e.putNew(v, r)
	return r
}

// putNew makes v a new variable in a register.
func (e *emitter) putNew(v, r int) {
	e.need()
	if e.vars[v].perm && e.st.env {
		e.op(code.OpPutVarY, r, 0, 0, e.vars[v].slot)
		e.setY(v)
	} else {
		e.op(code.OpPutVarX, r, r, 0, 0)
	}
	e.hold(v, r)
}

// home stores v in its slot, if it is permanent and not there yet.
func (e *emitter) home(v int) {
	if e.vars[v].perm && e.st.set[v] && !e.st.y[v] && e.st.x[v] >= 0 && e.st.env {
		e.op(code.OpGetY, int(e.st.x[v]), 0, 0, e.vars[v].slot)
		e.setY(v)
	}
}

// homeAll stores the permanent variables that are in registers only.
func (e *emitter) homeAll() {
	for _, v := range e.st.regs {
		if v >= 0 {
			e.home(int(v))
		}
	}
}

// The cells that code between calls may build without a request, and the cells that an instruction with a request
// guarantees. The difference is for the code after the return.
const (
	freeRoom  = 256
	askedRoom = 512
)

// need ensures that an instruction without a request can build a cell.
func (e *emitter) need() {
	if e.st.room < 1 {
		r := e.alloc()
		e.op(code.OpPutList, r, 0, 0, 0) // only requests room
		e.fence()
		e.release(r)
		e.st.room = freeRoom
	}
	e.st.room--
}

// asked notes that an instruction has requested room and that n cells are then built.
func (e *emitter) asked(n int) { e.st.room = freeRoom - n }
