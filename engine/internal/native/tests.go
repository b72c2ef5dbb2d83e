package native

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines the templates of tests and comparisons.

// testKinds says of each [code.Test] for which tags it holds and for which the machine has to look; as bits.
var testKinds [16]struct{ yes, inspect uint8 }

// orderAtoms are the atoms for the orders of two terms.
var orderAtoms [8]code.Cell

// emitTest makes the code of an instruction that tests or compares; false for another.
func (t *translator) emitTest(w code.Instr, p int) bool {
	switch w.Op() {
	case code.OpTest:
		k := testKinds[w.B()&15]
		t.deref(rT0, t.x(w.A(), rT0), rT2)
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

// identical compares two terms. Two compounds or two blobs that are not the same are left to the machine.
func (t *translator) identical(w code.Instr, p int) {
	same, different, done := t.newLabel(), t.newLabel(), t.newLabel()
	t.deref(rT0, t.x(w.A(), rT0), rT2)
	t.deref(rT1, t.x(w.B(), rT1), rT2)
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

// ordered returns a register with the small integer in argument register n, which keeps its value: dereferencing it as
// integer does would be as good, but the loop does not do it.
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
