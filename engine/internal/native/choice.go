package native

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines the templates of choice points and cuts. It also defines the templates that load arguments and
// build terms.

// emitChoice makes the code of instructions that push, change and drop choice points; it returns false for other
// instructions.
func (t *translator) emitChoice(w code.Instr, p int) bool {
	imm := w.Imm()
	switch w.Op() {
	case code.OpNeckShallow:
		t.neckShallow(p)
	case code.OpNeckCut:
		t.neckCut(p)
	case code.OpShallow, code.OpTryHead:
		t.shallow(w, p)
	case code.OpGuard:
		t.storeImm(fElse, p+1)
		t.jmp(t.labelOf(imm))
	case code.OpCutTo:
		done := t.newLabel()
		t.load(rT0, slot(imm))
		t.shift(sar, rT0, 3)
		t.opMem(opCmp, rT0, fB)
		t.jcc(ccE, done)
		t.cut(t.bail(p))
		t.bind(done)
	case code.OpTryElse:
		t.nextFrame(t.bail(p))
		t.frame(imm, (w.BC()+1)<<16)
	case code.OpTry:
		t.nextFrame(t.bail(p))
		for i := range int(w.A()) {
			t.store(at(rT2, 8*(ChoiceArgs+i)), t.x(uint8(i), rT0))
		}
		t.frame(p+1, int(w.A()))
		t.jmp(t.labelOf(imm))
	case code.OpRetryElse:
		t.choice()
		t.storeImm(at(rT2, 8*ChoiceAlt), imm)
	case code.OpTrustElse:
		t.choice()
		t.load(rT0, at(rT2, 8*ChoicePrev))
		t.popTo()
	case code.OpRetry:
		t.choice()
		t.loadArgs(p)
		t.storeImm(at(rT2, 8*ChoiceAlt), p+1)
		t.load(rT0, at(rT2, 8*ChoicePrev))
		t.store(fB0, rT0)
		t.jmp(t.labelOf(imm))
	case code.OpTrust:
		t.choice()
		t.loadArgs(p)
		t.load(rT0, at(rT2, 8*ChoicePrev))
		t.store(fB0, rT0)
		t.popTo()
		t.jmp(t.labelOf(imm))
	case code.OpPopCatch:
		other := t.newLabel()
		t.load(rT0, slot(0))
		t.shift(sar, rT0, 3)
		t.opMem(opCmp, rT0, fB)
		t.jcc(ccNE, other)
		t.choice()
		t.load(rT0, at(rT2, 8*ChoicePrev))
		t.popTo()
		t.bind(other)
	case code.OpCatchFail:
		t.choice()
		t.load(rT0, at(rT2, 8*ChoicePrev))
		t.popTo()
		t.jmp(t.fail)
	case code.OpRows:
		t.rows(w, p)
	default:
		return false
	}
	return true
}

// choice loads the address of the newest choice point into rT2; rT1 is lost.
func (b *asm) choice() {
	b.load(rT2, fB)
	b.load(rT1, sChoices)
	b.lea(rT2, indexed(rT1, rT2, 3, 0))
}

// popTo makes the choice point with the index in rT0 the newest. Afterwards rT2 is its address.
func (b *asm) popTo() {
	b.store(fB, rT0)
	b.load(rT1, sChoices)
	b.lea(rT2, indexed(rT1, rT0, 3, 0))
	b.load(rT0, at(rT2, 8*ChoiceH))
	b.shift(shl, rT0, 3)
	b.store(sHB, rT0)
	b.load(rT0, at(rT2, 8*ChoiceEtop))
	b.load(rT1, sEnvs)
	b.lea(rT0, indexed(rT1, rT0, 3, 0))
	b.store(sBetop, rT0)
}

// nextFrame loads the place of the next choice point into rT2.
func (b *asm) nextFrame(none label) {
	b.choice()
	b.load16(rT0, at(rT2, 8*ChoiceArity))
	b.lea(rT2, indexed(rT2, rT0, 3, 8*ChoiceArgs))
	b.opMem(opCmp, rT2, sChoicesLim)
	b.jcc(ccA, none)
}

// frame fills in a choice point at rT2 with an alternative at an address; arity is its arity word.
func (b *asm) frame(alternative, arity int) {
	b.storeImm(at(rT2, 8*ChoiceAlt), alternative)
	b.storeImm(at(rT2, 8*ChoiceArity), arity)
	b.load(rT0, fTR)
	b.store(at(rT2, 8*ChoiceTR), rT0)
	b.store(fShallowTR, rT0)
	b.store(sHB, rH)
	b.mov(rT0, rH)
	b.shift(shr, rT0, 3)
	b.store(at(rT2, 8*ChoiceH), rT0)
	b.store(fShallowH, rT0)
	b.frameRest()
}

// lateFrame fills in the choice point at rT2 that an OpTryHead has delayed.
func (b *asm) lateFrame() {
	b.load(rT0, fAlt)
	b.store(at(rT2, 8*ChoiceAlt), rT0)
	b.load(rT0, fArgs)
	b.store(at(rT2, 8*ChoiceArity), rT0)
	b.load(rT0, fShallowTR)
	b.store(at(rT2, 8*ChoiceTR), rT0)
	b.load(rT0, fShallowH)
	b.store(at(rT2, 8*ChoiceH), rT0)
	b.shift(shl, rT0, 3)
	b.store(sHB, rT0)
	b.frameRest()
}

// frameRest fills in the common words of the choice point at rT2 and makes it the newest.
func (b *asm) frameRest() {
	b.load(rT0, fB)
	b.store(at(rT2, 8*ChoicePrev), rT0)
	b.mov(rT0, rE)
	b.opMem(opSub, rT0, sEnvs)
	b.shift(shr, rT0, 3)
	b.store(at(rT2, 8*ChoiceE), rT0)
	b.load(rT0, fCP)
	b.store(at(rT2, 8*ChoiceCP), rT0)
	b.load(rT0, sEtop)
	b.store(sBetop, rT0)
	b.opMem(opSub, rT0, sEnvs)
	b.shift(shr, rT0, 3)
	b.store(at(rT2, 8*ChoiceEtop), rT0)
	b.load(rT0, fObjs)
	b.store(at(rT2, 8*ChoiceObjs), rT0)
	b.opMem(opSub, rT2, sChoices)
	b.shift(shr, rT2, 3)
	b.store(fB, rT2)
}

// late makes the delayed choice point of an OpTryHead, if there is one.
func (t *translator) late(bail label) {
	slow, back := t.newLabel(), t.newLabel()
	t.testByte(fShallow)
	t.jcc(ccNE, slow)
	t.bind(back)
	t.later = append(t.later, func() {
		t.bind(slow)
		t.nextFrame(bail)
		t.storeByte(fShallow, 0)
		t.lateFrame()
		t.jmp(back)
	})
}

// loadArgs loads the arguments that the choice point at rT2 has saved.
func (t *translator) loadArgs(p int) {
	n, ok := t.arity[p]
	if !ok { // not known from the code
		n = len(rX)
		t.load16(rT0, at(rT2, 8*ChoiceArity))
		t.opImm(opCmp, rT0, n)
		t.jcc(ccA, t.bail(p))
	}
	for i := range n {
		t.setXTo(uint8(i), at(rT2, 8*(ChoiceArgs+i)))
	}
	t.known = 0
}

// cut cuts to the choice point with the index in rT0, which is older than the newest one.
func (t *translator) cut(bail label) {
	t.opMemImm(opCmp, fCutHook, 0)
	t.jcc(ccNE, bail)
	t.popTo()
	t.load(rT0, at(rT2, 8*ChoiceObjs))
	t.store(fObjs, rT0)
}

// neckCut cuts to the choice point at the entry.
func (t *translator) neckCut(p int) {
	done := t.newLabel()
	t.load(rT0, fB0)
	t.opMem(opCmp, rT0, fB)
	t.jcc(ccE, done)
	t.cut(t.bail(p))
	t.bind(done)
}

// neckShallow ends the shallow choice of OpShallow, or cuts at the neck.
func (t *translator) neckShallow(p int) {
	deep, done := t.newLabel(), t.newLabel()
	t.testByte(fShallow)
	t.jcc(ccE, deep)
	t.storeByte(fShallow, 0)
	t.choice()
	t.load(rT0, at(rT2, 8*ChoiceH))
	t.shift(shl, rT0, 3)
	t.store(sHB, rT0)
	t.load(rT1, fTR)
	t.opMem(opCmp, rT1, fShallowTR)
	t.jcc(ccLE, done)
	t.load(rT2, sTrail)
	t.load(rT2, indexed(rT2, rT1, 3, -8))
	t.testTag(rT2)
	t.jcc(ccNE, done)
	t.op(opCmp, rT2, rT0)
	t.jcc(ccB, done)
	t.opMemImm(opSub, fTR, 1)
	t.bind(done)
	t.later = append(t.later, func() {
		t.bind(deep)
		t.neckCut(p)
		t.jmp(done)
	})
}

// shallow begins an OpShallow or OpTryHead.
func (t *translator) shallow(w code.Instr, p int) {
	if w.Op() == code.OpShallow {
		t.storeImm(fElse, p+1)
		t.storeImm(fArgs, 0)
	} else {
		t.storeImm(fElse, int(uint32(t.words[p+1])))
		t.storeImm(fAlt, int(t.words[p+1]>>32))
		t.storeImm(fArgs, int(w.A()))
		t.choice()
		t.load16(rT0, at(rT2, 8*ChoiceArity))
		t.lea(rT2, indexed(rT2, rT0, 3, 8*ChoiceArgs))
		for i := range int(w.A()) {
			t.store(at(rT2, 8*(ChoiceArgs+i)), t.x(uint8(i), rT0))
		}
	}
	t.storeByte(fShallow, 1)
	t.load(rT0, fTR)
	t.store(fShallowTR, rT0)
	t.store(sHB, rH)
	t.mov(rT0, rH)
	t.shift(shr, rT0, 3)
	t.store(fShallowH, rT0)
	t.jmp(t.labelOf(w.Imm()))
}

// rows begins the search through the rows of a predicate of facts.
func (t *translator) rows(w code.Instr, p int) {
	bail, n := t.bail(p), int(w.A())
	t.nextFrame(bail)
	t.trailRoomFor(code.MaxRow, bail)
	for i := range n {
		t.deref(rT0, t.x(uint8(i), rT0))
		t.tag(rT1, rT0)
		t.opImm(opCmp, rT1, int(code.Att))
		t.jcc(ccE, bail)
		t.store(xMem(i), rT0)
	}
	t.load(rX[0], sCode)
	t.addImm(rX[0], 8*(p+1))
	t.movImm(rX[1], int64(w.BC()))
	t.movImm(rX[2], int64(n))
	t.movImm(rX[3], 0)
	t.movImm(rX[4], 0)
	t.lea(rX[5], xMem(0))
	t.jmpMem(sRows)
	t.known = 0
}

// addImm adds a number of any size; rT0 may be lost.
func (b *asm) addImm(d reg, n int) {
	if fits32(n) {
		b.opImm(opAdd, d, n)
		return
	}
	b.movImm(rT0, int64(n))
	b.op(opAdd, d, rT0)
}

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
