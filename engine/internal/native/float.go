package native

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines the templates of arithmetic on floats. A float is a blob on the heap: a header, then its bits.

// floatHeader is the header of a float.
var floatHeader = code.MakeBlobHeader(code.FloatBlob, 1, 0)

// floatPath is the slow path of an instruction on numbers: not all operands are small integers.
type floatPath struct {
	t     *translator
	w     code.Instr
	known uint64 // before the instruction
	enter label  // where an operand that is no small integer leads
	give  label
	back  label
}

// floats begins an instruction that may work on floats. Without floats in sight it only gives up, and its operands are
// known to be integers afterwards.
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

// end makes the slow path, which goes on behind the instruction. know notes that the result is a small integer; that is
// not known if it may be a float.
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
	t.deref(rT0, t.x(n, rT0), rT2)
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
