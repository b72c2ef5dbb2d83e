package native

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines the templates of arithmetic. An integer cell is the number times 8 plus the tag.

const intTag = int(code.Int)

// emitArith makes the code of an instruction that calculates; false for another.
func (t *translator) emitArith(w code.Instr, p int) bool {
	switch w.Op() {
	case code.OpAdd, code.OpSub, code.OpMul:
		t.sum(w, p)
	case code.OpAddI:
		n := w.SImm() << 3
		if !fits32(int(n)) {
			return false
		}
		t.addConstant(w, p, int(n))
	case code.OpIntDiv, code.OpMod, code.OpRem:
		t.division(w, p)
	case code.OpShiftR, code.OpShiftL:
		t.shifted(w, p)
	case code.OpBitAnd, code.OpBitOr:
		a, b := t.integers(w, t.bail(p))
		t.mov(rT2, a)
		if w.Op() == code.OpBitAnd {
			t.op(opAnd, rT2, b)
		} else {
			t.op(opOr, rT2, b)
		}
		t.setInteger(w.C(), rT2)
	case code.OpEval:
		a := t.integer(w.A(), rT0, t.bail(p))
		t.setInteger(w.C(), a)
	case code.OpArith, code.OpArith1:
		t.leave(layout.Exits.Arith, p+1)
	default:
		return false
	}
	return true
}

// setInteger sets an argument register to a small integer.
func (t *translator) setInteger(n uint8, r reg) {
	t.setX(n, r)
	t.know(n)
}

// setRaw sets an argument register to the number in rT2, which is not tagged yet.
func (t *translator) setRaw(n uint8) {
	t.shift(shl, rT2, 3)
	t.opImm(opOr, rT2, intTag)
	t.setInteger(n, rT2)
}

// division divides by a positive number.
func (t *translator) division(w code.Instr, p int) {
	bail := t.bail(p)
	a, b := t.integers(w, bail)
	t.mov(rT0, a)
	t.mov(rT1, b)
	t.shift(sar, rT1, 3)
	t.test(rT1)
	t.jcc(ccLE, bail)
	t.shift(sar, rT0, 3)
	t.divide()
	switch w.Op() {
	case code.OpIntDiv:
		t.mov(rT2, rT0)
	case code.OpMod:
		positive := t.newLabel()
		t.test(rT2)
		t.jcc(ccNS, positive)
		t.op(opAdd, rT2, rT1)
		t.bind(positive)
	}
	t.setRaw(w.C())
}

// shifted shifts a number.
func (t *translator) shifted(w code.Instr, p int) {
	bail := t.bail(p)
	a, b := t.integers(w, bail)
	t.mov(rT2, a)
	t.mov(rT1, b)
	t.shift(sar, rT1, 3)
	t.shift(sar, rT2, 3)
	if w.Op() == code.OpShiftR {
		t.opImm(opCmp, rT1, 64)
		t.jcc(ccAE, bail)
		t.shiftBy(sar, rT2)
	} else {
		const most = 28 // so that a number of 32 bits fits in a cell afterwards
		t.opImm(opCmp, rT1, most)
		t.jcc(ccAE, bail)
		t.signedHalf(rT0, rT2)
		t.op(opCmp, rT0, rT2)
		t.jcc(ccNE, bail)
		t.shiftBy(shl, rT2)
	}
	t.setRaw(w.C())
}

// addConstant adds a number, given times 8.
func (t *translator) addConstant(w code.Instr, p, n int) {
	if w.A() == w.C() && t.isKnown(w.A()) { // in place
		r, over := t.x(w.A(), rT0), t.newLabel()
		t.opImm(opAdd, r, n)
		t.jcc(ccO, over)
		t.later = append(t.later, func() {
			t.bind(over)
			t.opImm(opSub, r, n)
			t.jmp(t.bail(p))
		})
		return
	}
	f := t.floats(w, p)
	a := t.integer(w.A(), rT0, f.enter)
	t.mov(rT2, a)
	t.opImm(opAdd, rT2, n)
	t.jcc(ccO, f.give)
	t.setX(w.C(), rT2)
	f.end(t.know)
}

// sum adds, subtracts or multiplies two numbers.
func (t *translator) sum(w code.Instr, p int) {
	f := t.floats(w, p)
	a := t.integer(w.A(), rT0, f.enter)
	b := t.integer(w.B(), rT1, f.enter)
	switch w.Op() {
	case code.OpAdd:
		t.lea(rT2, at(b, -intTag))
		t.op(opAdd, rT2, a)
		t.jcc(ccO, f.give)
	case code.OpSub:
		t.mov(rT2, a)
		t.op(opSub, rT2, b)
		t.jcc(ccO, f.give)
		t.opImm(opOr, rT2, intTag)
	default:
		t.mov(rT2, b)
		t.opImm(opSub, rT2, intTag)
		t.mov(rT0, a)
		t.shift(sar, rT0, 3)
		t.mul(rT2, rT0, f.give)
		t.opImm(opOr, rT2, intTag)
	}
	t.setX(w.C(), rT2)
	f.end(t.know)
}

// compareNumbers compares two numbers and goes to the target unless the comparison holds.
func (t *translator) compareNumbers(w code.Instr, p int) {
	f := t.floats(w, p)
	a := t.integer(w.A(), rT0, f.enter)
	b := t.integer(w.B(), rT1, f.enter)
	t.op(opCmp, a, b)
	t.jcc(failsBy[w.Op()-code.OpLess], t.target(w.Imm()))
	f.end(nil)
}
