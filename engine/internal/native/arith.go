package native

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines the templates of arithmetic. It also defines the templates of tests and comparisons. An integer
// cell is the number times 8 plus the tag.

const intTag = int(code.Int)

// emitArith makes the code of an instruction of arithmetic; it returns false for other instructions.
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

// compareNumbers compares two numbers and jumps to the target unless the comparison holds.
func (t *translator) compareNumbers(w code.Instr, p int) {
	f := t.floats(w, p)
	a := t.integer(w.A(), rT0, f.enter)
	b := t.integer(w.B(), rT1, f.enter)
	t.op(opCmp, a, b)
	t.jcc(failsBy[w.Op()-code.OpLess], t.target(w.Imm()))
	f.end(nil)
}

// This part defines the templates of arithmetic on floats. A float is a blob on the heap: a header, then its bits.

// floatHeader is the header of a float.
var floatHeader = code.MakeBlobHeader(code.FloatBlob, 1, 0)

// floatPath is the slow path of an instruction on numbers: not all operands are small integers.
type floatPath struct {
	t     *translator
	w     code.Instr
	known uint64 // before the instruction
	enter label  // where operands that are no small integers lead
	give  label
	back  label
}

// floats begins an instruction that may work on floats. If floats are not expected it only exits for them, and its
// operands are known to be integers afterwards.
func (t *translator) floats(w code.Instr, p int) *floatPath {
	f := &floatPath{t: t, w: w, known: t.known, give: t.bail(p), back: t.newLabel()}
	f.enter = f.give
	if integers := t.isKnown(w.A()) && (hasConstant(w.Op()) || t.isKnown(w.B())); t.withFloats && !integers {
		f.enter = t.newLabel()
	}
	return f
}

// hasConstant reports whether the second operand of an instruction is a constant.
func hasConstant(op code.Op) bool {
	return op == code.OpAddI || op >= code.OpLessI && op <= code.OpNumNeI
}

// end makes the slow path, which continues after the instruction. know notes that the result is a small integer; that
// is not known if it may be a float.
func (f *floatPath) end(know func(n uint8)) {
	t, w := f.t, f.w
	t.bind(f.back)
	if f.enter == f.give {
		if know != nil {
			know(w.C())
		}
		return
	}
	t.known = f.known
	if know != nil && int(w.C()) < len(rX) {
		t.known &^= 1 << w.C()
	}
	t.later = append(t.later, f.emit)
}

// emit makes the code for operands of which at least one is a float. rT2 is lost.
func (f *floatPath) emit() {
	t, w := f.t, f.w
	t.bind(f.enter)
	f.operand(0, w.A())
	switch op := w.Op(); {
	case op == code.OpAddI:
		t.movImm(rT0, w.SImm())
		t.floatInt(1, rT0)
	case hasConstant(op):
		t.movImm(rT0, w.SBC())
		t.floatInt(1, rT0)
	default:
		f.operand(1, w.B())
	}
	switch op := w.Op(); op {
	case code.OpAdd, code.OpAddI:
		t.floatOp(floatAdd)
	case code.OpSub:
		t.floatOp(floatSub)
	case code.OpMul:
		t.floatOp(floatMul)
	default:
		t.floatCompare(f.give)
		if hasConstant(op) {
			t.jcc(unlessFloatImm[op-code.OpLessI], t.target(w.Imm()))
		} else {
			t.jcc(unlessFloat[op-code.OpLess], t.target(w.Imm()))
		}
		t.jmp(f.back)
		return
	}
	f.result()
}

// unlessFloat and unlessFloatImm are the conditions of the jumps of comparisons that do not hold.
var (
	unlessFloat    = [...]cond{ccAE, ccA, ccNE, ccE}
	unlessFloatImm = [...]cond{ccAE, ccA, ccBE, ccB, ccNE, ccE}
)

// exactBits is the size of integers that a float represents exactly.
const exactBits = 53

// operand loads float register f with the number in an argument register. rT0, rT1 and rT2 are lost. It gives up if the
// number is no float and no integer that a float represents exactly.
func (f *floatPath) operand(to reg, n uint8) {
	t := f.t
	integer, done := t.newLabel(), t.newLabel()
	t.deref(rT0, t.x(n, rT0))
	t.tag(rT1, rT0)
	t.opImm(opCmp, rT1, intTag)
	t.jcc(ccE, integer)
	t.opImm(opCmp, rT1, int(code.Blob))
	t.jcc(ccNE, f.give)
	t.movImm(rT2, int64(floatHeader))
	t.opMem(opCmp, rT2, heapAt(rT0, -int(code.Blob)))
	t.jcc(ccNE, f.give)
	t.floatLoad(to, heapAt(rT0, 8-int(code.Blob)))
	t.jmp(done)
	t.bind(integer)
	t.shift(sar, rT0, 3)
	t.movImm(rT2, 1<<exactBits)
	t.op(opAdd, rT2, rT0)
	t.shift(shr, rT2, exactBits+1) // 0 from -2^53 to 2^53 - 1
	t.test(rT2)
	t.jcc(ccNE, f.give)
	t.floatInt(to, rT0)
	t.bind(done)
}

// result makes float register 0, unless it is not finite, the value of the instruction.
func (f *floatPath) result() {
	t := f.t
	const exponent = 0x7ff
	t.heapRoom(f.give)
	t.floatToBits(rT0)
	t.mov(rT1, rT0)
	t.shift(shr, rT1, 52)
	t.opImm(opAnd, rT1, exponent)
	t.opImm(opCmp, rT1, exponent)
	t.jcc(ccE, f.give)
	t.store(heapAt(rH, 8), rT0)
	t.movImm(rT1, int64(floatHeader))
	t.store(heapAt(rH, 0), rT1)
	t.lea(rT0, at(rH, int(code.Blob)))
	t.setX(f.w.C(), rT0)
	t.opImm(opAdd, rH, 16)
	t.jmp(f.back)
}

// testKinds says of each [code.Test] for which tags it holds and for which the machine must read the heap, as bit
// masks.
var testKinds [16]struct{ yes, inspect uint8 }

// orderAtoms are the atoms for the orders of two terms.
var orderAtoms [8]code.Cell

// emitTest makes the code of an instruction that tests or compares; false for another.
func (t *translator) emitTest(w code.Instr, p int) bool {
	switch w.Op() {
	case code.OpTest:
		k := testKinds[w.B()&15]
		t.deref(rT0, t.x(w.A(), rT0))
		t.tag(rT1, rT0)
		if k.inspect != 0 {
			t.inSet(^k.inspect, t.bail(p))
		}
		if k.yes != 0 || k.inspect != 0xff {
			t.inSet(k.yes, t.target(w.Imm()))
		}
	case code.OpIdent:
		t.identical(w, p)
	case code.OpUnify:
		if w.Imm() != code.TargetFail {
			t.leave(layout.Exits.Test, p+1)
			return true
		}
		t.mov(rT0, t.x(w.A(), rT0))
		t.mov(rT1, t.x(w.B(), rT1))
		t.unify(p+1, noPart)
	case code.OpBefore:
		t.op(opCmp, t.ordered(w.A(), rT0, t.bail(p)), t.ordered(w.B(), rT1, t.bail(p)))
		t.jcc(notInOrder[w.C()&7], t.target(w.Imm()))
	case code.OpOrder:
		if w.Imm() != 0 {
			return false
		}
		t.op(opCmp, t.ordered(w.A(), rT0, t.bail(p)), t.ordered(w.B(), rT1, t.bail(p)))
		t.orderAtom(w.C())
	case code.OpLess, code.OpLessEq, code.OpNumEq, code.OpNumNe:
		t.compareNumbers(w, p)
	case code.OpLessI, code.OpLessEqI, code.OpGreaterI, code.OpGreaterEqI, code.OpNumEqI, code.OpNumNeI:
		f := t.floats(w, p)
		a := t.integer(w.A(), rT0, f.enter)
		t.opImm(opCmp, a, int(code.MakeInt(w.SBC())))
		t.jcc(failsByImm[w.Op()-code.OpLessI], t.target(w.Imm()))
		f.end(nil)
	default:
		return false
	}
	return true
}

// notInOrder are the conditions of jumps unless an order is in a set of [code.OpBefore].
var notInOrder = [8]cond{
	code.OrderLess:                      ccGE,
	code.OrderEqual:                     ccNE,
	code.OrderLess | code.OrderEqual:    ccG,
	code.OrderGreater:                   ccLE,
	code.OrderLess | code.OrderGreater:  ccE,
	code.OrderEqual | code.OrderGreater: ccL,
}

// failsBy and failsByImm are the conditions of the jumps of comparisons that do not hold.
var (
	failsBy    = [...]cond{ccGE, ccG, ccNE, ccE}            // from OpLess on
	failsByImm = [...]cond{ccGE, ccG, ccLE, ccL, ccNE, ccE} // from OpLessI on
)

// identical compares two terms. It leaves two different compounds or blobs to the machine.
func (t *translator) identical(w code.Instr, p int) {
	same, different, done := t.newLabel(), t.newLabel(), t.newLabel()
	t.deref(rT0, t.x(w.A(), rT0))
	t.deref(rT1, t.x(w.B(), rT1))
	t.op(opCmp, rT0, rT1)
	t.jcc(ccE, same)
	t.mov(rT2, rT1)
	t.op(opXor, rT2, rT0)
	t.testTag(rT2)
	t.jcc(ccNE, different)
	t.tag(rT1, rT0)
	t.inSet(^uint8(1<<code.Str|1<<code.Lst|1<<code.Blob), t.bail(p))
	t.bind(different)
	if w.C() == 0 {
		t.jmp(t.target(w.Imm()))
	} else {
		t.jmp(done)
	}
	t.bind(same)
	if w.C() != 0 {
		t.jmp(t.target(w.Imm()))
	}
	t.bind(done)
}

// orderAtom sets an argument register to the atom for the order that the flags hold.
func (t *translator) orderAtom(n uint8) {
	equal, greater, done := t.newLabel(), t.newLabel(), t.newLabel()
	t.jcc(ccE, equal)
	t.jcc(ccG, greater)
	t.setXConst(n, uint64(orderAtoms[code.OrderLess]))
	t.jmp(done)
	t.bind(equal)
	t.setXConst(n, uint64(orderAtoms[code.OrderEqual]))
	t.jmp(done)
	t.bind(greater)
	t.setXConst(n, uint64(orderAtoms[code.OrderGreater]))
	t.bind(done)
}

// ordered returns a register with the small integer in argument register n, which it does not change. Like the loop,
// and unlike integer, it does not store the dereferenced value.
func (t *translator) ordered(n uint8, tmp reg, bail label) reg {
	if t.isKnown(n) {
		return t.x(n, tmp)
	}
	t.mov(tmp, t.x(n, tmp))
	t.small(tmp, bail)
	return tmp
}

// integer returns a register with the small integer in argument register n: tmp, if that is in memory. Other values
// make it give up, and rT2 is lost.
func (t *translator) integer(n uint8, tmp reg, bail label) reg {
	r := t.x(n, tmp)
	if !t.isKnown(n) {
		t.small(r, bail)
		t.know(n)
	}
	return r
}

// small dereferences the small integer in r. Other values make it give up, and rT2 is lost.
func (t *translator) small(r reg, bail label) {
	slow, back := t.newLabel(), t.newLabel()
	t.lea(rT2, at(r, -int(code.Int)))
	t.testTag(rT2)
	t.jcc(ccNE, slow)
	t.bind(back)
	t.later = append(t.later, func() {
		loop := t.newLabel()
		t.bind(slow)
		t.bind(loop)
		t.testTag(r)
		t.jcc(ccNE, bail)
		t.load(rT2, heapAt(r, 0))
		t.op(opCmp, rT2, r)
		t.jcc(ccE, bail)
		t.mov(r, rT2)
		t.lea(rT2, at(r, -int(code.Int)))
		t.testTag(rT2)
		t.jcc(ccE, back)
		t.jmp(loop)
	})
}

// integers returns registers with the operands of an instruction, which must be small integers.
func (t *translator) integers(w code.Instr, bail label) (a, b reg) {
	a = t.integer(w.A(), rT0, bail)
	return a, t.integer(w.B(), rT1, bail)
}
