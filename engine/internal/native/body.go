package native

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines the templates that load arguments and build terms.

// emitBody makes the code of an instruction that does; false for another.
func (t *translator) emitBody(w code.Instr, p int) bool {
	imm := w.Imm()
	switch w.Op() {
	case code.OpPutVarX:
		t.newVariable()
		t.setX(w.A(), rH)
		t.setX(w.B(), rH)
		t.opImm(opAdd, rH, 8)
	case code.OpPutVarY:
		t.newVariable()
		t.setX(w.A(), rH)
		t.store(slot(imm), rH)
		t.opImm(opAdd, rH, 8)
	case code.OpPutY:
		t.setXTo(w.A(), slot(imm))
	case code.OpPutYY:
		t.setXTo(w.A(), slot(int(uint16(w>>32))))
		t.setXTo(w.B(), slot(int(uint16(w>>48))))
	case code.OpPutYYY:
		t.setXTo(w.A(), slot(int(w>>32&1023)))
		t.setXTo(w.B(), slot(int(w>>42&1023)))
		t.setXTo(w.C(), slot(int(w>>52&1023)))
	case code.OpPutAtom, code.OpPutInt, code.OpPutCell:
		t.setXConst(w.A(), t.constantOf(w, p))
		if w.Op() == code.OpPutInt {
			t.know(w.A())
		}
	case code.OpPutList:
		t.heapRoom(t.bail(p))
		t.lea(rT0, at(rH, int(code.Lst)))
		t.setX(w.A(), rT0)
	case code.OpPutStruct:
		if cellArity(t.words[p+1]) > BuildRoom/2 {
			return false
		}
		t.heapRoom(t.bail(p))
		t.lea(rT0, at(rH, int(code.Str)))
		t.setX(w.A(), rT0)
		t.storeConst(heapAt(rH, 0), uint64(t.words[p+1]))
		t.opImm(opAdd, rH, 8)
	case code.OpPutListXX:
		t.heapRoom(t.bail(p))
		t.store(heapAt(rH, 0), t.x(w.B(), rT0))
		t.store(heapAt(rH, 8), t.x(w.C(), rT0))
		t.lea(rT0, at(rH, int(code.Lst)))
		t.setX(w.A(), rT0)
		t.opImm(opAdd, rH, 16)
	case code.OpPutListXV:
		t.heapRoom(t.bail(p))
		t.store(heapAt(rH, 0), t.x(w.B(), rT0))
		t.lea(rT0, at(rH, 8))
		t.store(heapAt(rH, 8), rT0)
		t.lea(rT2, at(rH, int(code.Lst)))
		t.setX(w.A(), rT2)
		t.setX(w.C(), rT0)
		t.opImm(opAdd, rH, 16)
	default:
		return t.emitSet(w, p)
	}
	return true
}

// emitSet makes the code of an instruction that puts a part on the heap; false for another.
func (t *translator) emitSet(w code.Instr, p int) bool {
	imm := w.Imm()
	switch w.Op() {
	case code.OpNewY, code.OpSetVarY:
		t.newVariable()
		t.store(slot(imm), rH)
		t.opImm(opAdd, rH, 8)
	case code.OpSetVarX:
		t.newVariable()
		t.setX(w.A(), rH)
		t.opImm(opAdd, rH, 8)
	case code.OpSetVoid:
		for range imm {
			t.newVariable()
			t.opImm(opAdd, rH, 8)
		}
	case code.OpSetValX:
		t.store(heapAt(rH, 0), t.x(w.A(), rT0))
		t.opImm(opAdd, rH, 8)
	case code.OpSetValY:
		t.load(rT0, slot(imm))
		t.store(heapAt(rH, 0), rT0)
		t.opImm(opAdd, rH, 8)
	case code.OpSetAtom, code.OpSetInt, code.OpSetCell:
		t.storeConst(heapAt(rH, 0), t.constantOf(w, p))
		t.opImm(opAdd, rH, 8)
	case code.OpSetList:
		t.lea(rT0, at(rH, 8+int(code.Lst)))
		t.store(heapAt(rH, 0), rT0)
		t.opImm(opAdd, rH, 8)
	default:
		return false
	}
	return true
}

// newVariable makes a variable at the top of the heap.
func (b *asm) newVariable() { b.store(heapAt(rH, 0), rH) }

// cellArity returns the arity in a functor.
func cellArity(w code.Instr) int { return code.Cell(w).FunctorArity() }
