package compile

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines how terms are built in registers.

// value returns a register with the value of t: the register of a variable, or a busy one. The caller releases it;
// release ignores the register of a variable.
func (e *emitter) value(t cell) int {
	if isVar(t) {
		return e.reg(t.Addr())
	}
	r := e.alloc()
	e.load(t, r)
	return r
}

// both returns registers with two values. The second does not take the register of the first, even if that is a copy.
func (e *emitter) both(s, t cell, value func(cell) int) (a, b int) {
	a = value(s)
	was := e.placed[a]
	e.placed[a] = true
	b = value(t)
	e.placed[a] = was
	return a, b
}

// load puts a term that is no variable into register r, which is busy.
func (e *emitter) load(t cell, r int) {
	switch t.Tag() {
	case code.Atom, code.Int:
		e.constant(code.OpPutAtom, r, t)
	case code.Blob:
		e.data(code.OpPutBlob, r, e.blob(t))
	default:
		e.build(t, r)
	}
}

// build makes a compound in register r. Its cells are contiguous, so inner compounds are made first and stored as
// values. The exception is a tail of a list, which follows the previous list cell.
func (e *emitter) build(t cell, r int) {
	s := e.measure(t)
	if e.isLarge(s) {
		e.putTemplate(t, r)
		return
	}
	inner := e.buildInner(t)
	if t.Tag() == code.Lst {
		e.op(code.OpPutList, r, 0, 0, 0)
	} else {
		e.put(code.Make(code.OpPutStruct, r, 0, 0, 0), e.functor(t))
	}
	// The instruction just emitted requests room; those that follow do not.
	e.asked(s.cells)
	next := 0
	for {
		args := e.args(t)
		n := len(args)
		for i, a := range args {
			switch {
			case i == n-1 && a.Tag() == code.Lst:
				e.op(code.OpSetList, 0, 0, 0, 0)
			case isCompound(a) || a.Tag() == code.Blob:
				e.op(code.OpSetValX, inner[next], 0, 0, 0)
				next++
			default:
				e.setPart(a)
			}
		}
		if n == 0 || args[n-1].Tag() != code.Lst {
			break
		}
		t = args[n-1]
	}
	for _, q := range inner {
		e.release(q)
	}
}

// buildInner makes the compounds and blobs in t and in the lists at its end, and returns their registers.
func (e *emitter) buildInner(t cell) []int {
	var inner []int
	for {
		args := e.args(t)
		n := len(args)
		for i, a := range args {
			if i == n-1 && a.Tag() == code.Lst || !isCompound(a) && a.Tag() != code.Blob {
				continue
			}
			q := e.alloc()
			e.load(a, q)
			inner = append(inner, q)
		}
		if n == 0 || args[n-1].Tag() != code.Lst {
			return inner
		}
		t = args[n-1]
	}
}

// setPart emits a part that is a variable or a constant. A variable without a value becomes a new variable in the cell
// itself, to which its register or slot then refers.
func (e *emitter) setPart(a cell) {
	if !isVar(a) {
		e.constant(code.OpSetAtom, 0, a)
		return
	}
	v := a.Addr()
	switch {
	case e.isVoid(v):
		e.op(code.OpSetVoid, 0, 0, 0, 1)
	case e.st.x[v] >= 0 && e.isSet(v):
		e.op(code.OpSetValX, int(e.st.x[v]), 0, 0, 0)
	case e.isSet(v):
		if !e.st.y[v] {
			e.overflow = true
		}
		e.op(code.OpSetValY, 0, 0, 0, e.vars[v].slot)
	case e.inY(v):
		e.op(code.OpSetVarY, 0, 0, 0, e.vars[v].slot)
		e.setY(v)
	default:
		r := e.allocFor(v)
		e.op(code.OpSetVarX, r, 0, 0, 0)
		e.hold(v, r)
	}
}

// putTemplate makes a term by copying a template from the code. A template refers to variables by registers and slots,
// so variables without a value are made before.
func (e *emitter) putTemplate(t cell, r int) {
	e.eachVar(t, func(v int) {
		switch {
		case e.isVoid(v) || e.isSet(v):
		case e.vars[v].perm && e.st.env:
			e.newY(v)
		default:
			e.fresh(v)
		}
	})
	words := e.template(t, func(v int) int {
		switch {
		case e.isVoid(v):
			return -1
		case e.st.y[v]:
			return code.Template + e.vars[v].slot
		}
		if e.st.x[v] < 0 {
			e.overflow = true
			return 0
		}
		return int(e.st.x[v])
	})
	e.data(code.OpPutTerm, r, words)
}
