package compile

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines how terms are matched: the arguments of the head, and a known term that is unified with a variable.
// The heads of clauses with => match without binding variables of the call.

// matchHead emits the matching of all arguments, from left to right. Unused arguments and variables that stay in their
// registers need no code.
func (e *emitter) matchHead() {
	e.strict = e.source.SSU
	defer func() { e.strict = false }()
	for i, t := range e.head {
		if isVar(t) && (e.isVoid(t.Addr()) || int(e.st.x[t.Addr()]) == i) {
			continue
		}
		if isVar(t) && e.frugal && e.st.regs[i] != regBusy {
			continue // stored in its slot
		}
		e.matchTerm(t, i, true)
		e.release(i)
		e.st.loose = e.st.loose || !e.strict
	}
	e.sweep()
}

// matchTerm emits the unification of register r with t; consumed says that the value of r is no longer needed.
func (e *emitter) matchTerm(t cell, r int, consumed bool) {
	if e.strict {
		if isVar(t) {
			e.branch(code.Make(code.OpIdent, r, e.reg(t.Addr()), 0, 0), toFail)
			return
		}
		e.branch(code.Make(code.OpTest, r, int(code.TestNonvar), 0, 0), toFail)
	}
	switch t.Tag() {
	case code.Att:
		e.matchVar(t.Addr(), r)
	case code.Atom, code.Int:
		e.constant(code.OpGetAtom, r, t)
	case code.Blob:
		e.data(code.OpGetBlob, r, e.blob(t))
	default:
		e.matchCompound(t, r, consumed)
	}
}

// matchVar unifies register r with a variable that has a value. A value that is only in a slot is not loaded for it.
func (e *emitter) matchVar(v, r int) {
	if e.st.x[v] < 0 && e.st.y[v] {
		e.op(code.OpGetValY, r, 0, 0, e.vars[v].slot)
		return
	}
	e.op(code.OpGetValX, r, e.reg(v), 0, 0)
}

// data emits an instruction followed by a run of words, after which there is room again.
func (e *emitter) data(op code.Op, r int, words []cell) {
	e.put(code.Make(op, r, 0, 0, uint32(len(words))), words...)
	e.st.room = freeRoom
}

// isLarge reports whether a term is better made from a template than by instructions.
func (e *emitter) isLarge(s size) bool {
	if s.cells > maxCells || s.depth > maxDepth {
		return true
	}
	return s.nested > 1 && (s.nested+4 > e.freeCount() || e.frugal && s.nested > 4)
}

// part is a part of a compound that is matched after the compound itself.
type part struct {
	t cell
	r int
}

// matchCompound unifies register r with a compound. A large compound is built from a template and unified as a whole,
// as its instructions would take more room than its cells. Unification may bind variables of the call, which the head
// of a clause with => must not do, so a large compound there is an overflow.
func (e *emitter) matchCompound(t cell, r int, consumed bool) {
	s := e.measure(t)
	if e.isLarge(s) {
		if e.strict {
			e.overflow = true
			return
		}
		q := e.alloc()
		e.putTemplate(t, q)
		e.op(code.OpGetValX, r, q, 0, 0)
		e.release(q)
		return
	}
	if t.Tag() == code.Lst {
		e.op(code.OpGetList, r, 0, 0, 0)
	} else {
		e.put(code.Make(code.OpGetStruct, r, 0, 0, 0), e.functor(t))
	}
	e.st.room = min(e.st.room, freeRoom-s.cells)
	if consumed {
		e.release(r)
	}
	for _, p := range e.matchParts(t) {
		if e.overflow {
			return
		}
		e.matchTerm(p.t, p.r, true)
		e.release(p.r)
	}
}

// matchParts emits the parts of a compound and of the lists at its end; compounds among them are matched later.
func (e *emitter) matchParts(t cell) []part {
	var later []part
	var idle []int // registers for unused parts
	for first := true; ; first = false {
		args := e.args(t)
		n := len(args)
		for i, a := range args {
			switch {
			case i == n-1 && a.Tag() == code.Lst && !e.strict:
				e.op(code.OpUniList, 0, 0, 0, 0)
			case first && e.isIdlePart(t, i):
				r := e.alloc()
				e.op(code.OpUniVarX, r, 0, 0, 0)
				idle = append(idle, r)
			default:
				later = e.matchPart(a, later)
			}
		}
		if n == 0 || args[n-1].Tag() != code.Lst || e.strict {
			break
		}
		t = args[n-1]
	}
	for _, r := range idle {
		e.release(r)
	}
	return later
}

// isIdlePart reports whether one part of a list cell is unused and the other is a variable. Then both get a register,
// so that one instruction matches them.
func (e *emitter) isIdlePart(t cell, i int) bool {
	if t.Tag() != code.Lst {
		return false
	}
	a, b := e.args(t)[i], e.args(t)[1-i]
	return isVar(a) && isVar(b) && e.isVoid(a.Addr()) && !e.isVoid(b.Addr()) && !e.frugal &&
		(!e.isSet(b.Addr()) && !e.inY(b.Addr()) || i == 1 && e.st.x[b.Addr()] >= 0)
}

// matchPart emits one part of a compound.
func (e *emitter) matchPart(a cell, later []part) []part {
	switch {
	case isVar(a) && e.isVoid(a.Addr()):
		e.op(code.OpUniVoid, 0, 0, 0, 1)
	case isVar(a) && !e.isSet(a.Addr()):
		e.matchNew(a.Addr())
	case isVar(a) && !e.strict:
		if r := e.st.x[a.Addr()]; r >= 0 {
			e.op(code.OpUniValX, int(r), 0, 0, 0)
		} else {
			e.op(code.OpUniValY, 0, 0, 0, e.vars[a.Addr()].slot)
		}
	case !a.IsPointer() && !e.strict:
		e.constant(code.OpUniAtom, 0, a)
	default:
		r := e.alloc()
		e.op(code.OpUniVarX, r, 0, 0, 0)
		later = append(later, part{a, r})
	}
	return later
}

// matchNew emits a part that is a variable without value.
func (e *emitter) matchNew(v int) {
	if e.inY(v) {
		e.op(code.OpUniVarY, 0, 0, 0, e.vars[v].slot)
		e.setY(v)
		return
	}
	r := e.allocFor(v)
	e.op(code.OpUniVarX, r, 0, 0, 0)
	e.hold(v, r)
}

// unify emits s = t. Waiting goals run before the first part that may fail.
func (e *emitter) unify(s, t cell) {
	// A pair that only gives a new variable its value needs no check for waiting goals.
	binds := false
	for _, p := range e.pairs(s, t) {
		if !binds && !e.strict && !e.assigns(p) {
			e.settleNow()
			binds = true
		}
		e.unifyPair(p[0], p[1])
		e.st.loose = e.st.loose || binds
		if e.st.dead || e.overflow {
			return
		}
	}
}

// pairs decomposes a unification of compounds as long as both sides are known. In each pair the left side is a
// variable, or the sides do not unify, or the bound for cyclic terms was reached.
func (e *emitter) pairs(s, t cell) [][2]cell {
	const bound = 1000
	var list [][2]cell
	stack := [][2]cell{{s, t}}
	for steps := 0; len(stack) > 0; steps++ {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if isVar(p[1]) && (!isVar(p[0]) || !e.isSet(p[1].Addr())) {
			p[0], p[1] = p[1], p[0]
		}
		if isVar(p[0]) || steps > bound || !isCompound(p[0]) || !isCompound(p[1]) ||
			e.functor(p[0]) != e.functor(p[1]) {
			list = append(list, p)
			continue
		}
		a, b := e.args(p[0]), e.args(p[1])
		for i := len(a) - 1; i >= 0; i-- {
			stack = append(stack, [2]cell{a[i], b[i]})
		}
	}
	return list
}

// assigns reports whether a pair gives an unset variable a value, or has no effect.
func (e *emitter) assigns(p [2]cell) bool {
	s, t := p[0], p[1]
	if !isVar(s) {
		return false
	}
	return s == t || !e.isSet(s.Addr()) || e.isVoid(s.Addr()) || isVar(t) && (e.isVoid(t.Addr()) || !e.isSet(t.Addr()))
}

// unifyPair emits the unification of two terms of the clause. It is mostly decided at compile time. Equal atomic terms
// need no code, different ones always fail, and a variable without a value is given one.
func (e *emitter) unifyPair(s, t cell) {
	switch {
	case isVar(s) && s == t:
	case isVar(s) && (!e.isSet(s.Addr()) || e.isVoid(s.Addr())):
		e.assign(s.Addr(), t)
	case isVar(s) && isVar(t):
		e.unifyVars(s.Addr(), t.Addr())
	case isVar(s):
		e.matchTerm(t, e.reg(s.Addr()), false)
	case isCompound(s) && isCompound(t) && e.functor(s) == e.functor(t):
		r := e.value(s)
		e.matchTerm(t, r, true)
		e.release(r)
	case !e.equalAtomic(s, t):
		e.op(code.OpFail, 0, 0, 0, 0)
		e.st.dead = true
	}
}

// unifyVars emits the unification of a variable that has a value with another variable.
func (e *emitter) unifyVars(s, t int) {
	if e.isVoid(t) {
		return
	}
	if !e.isSet(t) {
		e.assign(t, code.MakeAtt(s))
		return
	}
	a := e.reg(s)
	b := e.reg(t)
	e.branch(code.Make(code.OpUnify, a, b, 0, 0), toFail)
}

// assign emits the unification of a variable without value with a term. A term that contains the variable
// is unified with a new one, which makes it cyclic as at run time.
func (e *emitter) assign(v int, t cell) {
	switch {
	case isVar(t) && e.isVoid(v):
	case isVar(t):
		r := e.reg(t.Addr())
		if e.vars[v].perm && e.st.env {
			e.op(code.OpGetY, r, 0, 0, e.vars[v].slot)
			e.setY(v)
			return
		}
		q := e.allocFor(v)
		if r != q {
			e.op(code.OpMove, r, q, 0, 0)
		}
		e.hold(v, q)
	case e.isVoid(v):
	case e.occurs(v, t):
		e.matchTerm(t, e.fresh(v), false)
	default:
		r := e.allocFor(v)
		e.load(t, r)
		e.hold(v, r)
	}
}

// equalAtomic reports whether two terms are the same constant.
func (e *emitter) equalAtomic(s, t cell) bool {
	if s.Tag() != code.Blob || t.Tag() != code.Blob {
		return s == t && !isCompound(s)
	}
	a, b := e.blob(s), e.blob(t)
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
