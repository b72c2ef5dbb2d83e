package native

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines the templates of calls, cuts and choice points.

// emit makes the code of the instruction at p.
func (t *translator) emit(p int) {
	w := t.words[p]
	if t.emitControl(w, p) || t.emitChoice(w, p) || t.emitHead(w, p) || t.emitBody(w, p) || t.emitTest(w, p) ||
		t.emitArith(w, p) {
		return
	}
	t.known = 0
	t.jmp(t.bail(p))
}

// emitControl makes the code of calls, environments and jumps; false for another instruction.
func (t *translator) emitControl(w code.Instr, p int) bool {
	imm := w.Imm()
	switch w.Op() {
	case code.OpFail:
		t.jmp(t.fail)
	case code.OpElse:
		t.load(rT0, fElse)
		t.jumpTable()
	case code.OpAllocateLevel:
		t.allocate(imm, t.bail(p))
		t.load(rT0, fB0)
		t.storeLevel(w.BC())
	case code.OpNeckAllocate:
		t.late(t.bail(p))
		t.allocate(imm, t.bail(p))
	case code.OpAllocate:
		t.allocate(imm, t.bail(p))
	case code.OpNeckTry:
		t.late(t.bail(p))
	case code.OpNeckExecute:
		t.late(t.bail(p))
		t.call(w, p)
	case code.OpCall, code.OpExecute, code.OpDeallocateExecute:
		t.call(w, p)
	case code.OpNeckProceed:
		t.late(t.bail(p))
		t.load(rT0, fCP)
		t.jumpTable()
	case code.OpProceed:
		t.load(rT0, fCP)
		t.jumpTable()
	case code.OpDeallocateProceed:
		t.deallocate()
		t.jumpTable()
	case code.OpJump:
		t.jmp(t.target(imm))
	case code.OpGetLevel:
		t.load(rT0, fB0)
		t.storeLevel(imm)
	case code.OpMark:
		t.load(rT0, fB)
		t.storeLevel(imm)
	case code.OpDetRest:
		t.watched(w, t.bail(p))
	case code.OpWake: // native code is only entered without waiting goals, and makes none
	case code.OpInitY:
		t.storeImm(slot(imm), int(code.MakeInt(0)))
	case code.OpBuiltin:
		t.emitBuiltin(w, p)
	case code.OpBuiltinEnd:
		t.leave(layout.Exits.Builtin, p+1)
	case code.OpDynamic:
		t.leave(layout.Exits.Dynamic, p+1)
	case code.OpPutBlob, code.OpPutTerm, code.OpGetBlob:
		t.leave(layout.Exits.Term, p+1)
	case code.OpCallN:
		t.callGoal(w, p)
	case code.OpSwitch:
		t.onSwitch(w, p)
	case code.OpSwitchTable:
		t.switchTable(w, p)
	default:
		return false
	}
	return true
}

// target is labelOf for addresses including the one in the else register.
func (t *translator) target(p int) label {
	if p != code.TargetElse {
		return t.labelOf(p)
	}
	l := t.newLabel()
	t.later = append(t.later, func() {
		t.bind(l)
		t.load(rT0, fElse)
		t.jumpTable()
	})
	return l
}

// leave leaves native code for the machine's outer loop, which continues at p.
func (t *translator) leave(exit uint8, p int) {
	t.known = 0
	t.movImm(rT0, int64(p))
	t.movImm(rT1, int64(exit))
	t.jmpMem(sExit)
}

// jumpTable continues at the address in rT0, natively if it has native code.
func (b *asm) jumpTable() {
	over := b.newLabel()
	b.opMem(opCmp, rT0, sSlotCount)
	b.jcc(ccAE, over)
	b.load(rT1, sSlots)
	b.load(rT1, indexed(rT1, rT0, 3, 0))
	b.test(rT1)
	b.jcc(ccE, over)
	b.jmpReg(rT1)
	b.bind(over)
	b.jmpMem(sInterpret)
}

// slot is the place of a slot of the environment.
func slot(n int) mem { return at(rE, 8*(EnvY+n)) }

// storeLevel stores the choice point in rT0 in a slot, as an integer.
func (t *translator) storeLevel(n int) {
	t.shift(shl, rT0, 3)
	t.opImm(opOr, rT0, int(code.Int))
	t.store(slot(n), rT0)
}

// watched checks that the call of the clause is already watched and has left no choice point. Otherwise it exits.
func (t *translator) watched(w code.Instr, bail label) {
	env := rE
	t.load(rT0, fCP)
	if w.BC() != 0 {
		env = rT2
		t.load(rT0, at(rE, 8*EnvCP))
		t.load(rT2, at(rE, 8*EnvE))
		t.load(rT1, sEnvs)
		t.lea(rT2, indexed(rT1, rT2, 3, 0))
	}
	t.opImm(opCmp, rT0, AddrAfterDet)
	t.jcc(ccNE, bail)
	t.load(rT0, at(env, 8*EnvY))
	t.shift(sar, rT0, 3)
	t.opMem(opCmp, rT0, fB)
	t.jcc(ccNE, bail)
}

// allocate makes an environment of n slots.
func (t *translator) allocate(n int, bail label) {
	t.load(rT0, sEtop)
	t.lea(rT1, at(rT0, 8*(EnvY+n)))
	t.opMem(opCmp, rT1, sEnvsEnd)
	t.jcc(ccA, bail)
	t.store(sEtop, rT1)
	t.opMem(opSub, rE, sEnvs)
	t.shift(shr, rE, 3)
	t.store(at(rT0, 8*EnvE), rE)
	t.load(rT2, fCP)
	t.store(at(rT0, 8*EnvCP), rT2)
	t.mov(rE, rT0)
}

// deallocate drops the environment; rT0 is then the continuation.
func (t *translator) deallocate() {
	t.load(rT0, at(rE, 8*EnvCP))
	t.load(rT2, sBetop)
	t.max(rT2, rE)
	t.store(sEtop, rT2)
	t.load(rT2, at(rE, 8*EnvE))
	t.load(rT1, sEnvs)
	t.lea(rE, indexed(rT1, rT2, 3, 0))
	t.store(fCP, rT0)
}

// call calls the predicate of w if there is fuel and room on the heap.
func (t *translator) call(w code.Instr, p int) {
	entry := t.callee(w)
	if w.Op() == code.OpCall && t.words[entry].Op() == code.OpBuiltinEnd && t.intrinsic(t.words[entry]) == Arg {
		slow := t.newLabel()
		t.depend(entry)
		t.callArg(p, slow)
		t.later = append(t.later, func() {
			t.bind(slow)
			t.callEntry(w, p, entry)
		})
		return
	}
	t.callEntry(w, p, entry)
}

// callee returns the entry of the predicate that w calls, or that of the predicate it imports.
func (t *translator) callee(w code.Instr) int {
	entry := w.Imm()
	for n := 0; !t.seen[entry] && t.words[entry].Op() == code.OpJump && n < mostJumps; n++ {
		t.depend(entry)
		entry = t.words[entry].Imm()
	}
	return entry
}

// callEntry calls the predicate with an entry.
func (t *translator) callEntry(w code.Instr, p, entry int) {
	bail, none := t.bail(p), t.newLabel()
	t.opMem(opCmp, rH, sHSoft)
	t.jcc(ccA, bail)
	t.opMemImm(opSub, fFuel, 1)
	t.jcc(ccS, none)
	t.later = append(t.later, func() {
		t.bind(none)
		t.opMemImm(opAdd, fFuel, 1)
		t.jmp(bail)
	})
	t.load(rT0, fB)
	t.store(fB0, rT0)
	switch w.Op() {
	case code.OpCall:
		t.storeImm(fCP, p+1)
	case code.OpDeallocateExecute:
		t.deallocate()
	}
	t.known = 0
	if t.seen[entry] {
		t.jmp(t.labelOf(entry))
		return
	}
	switch t.words[entry].Op() {
	case code.OpBuiltinEnd:
		t.depend(entry)
		t.leave(layout.Exits.Builtin, entry+1)
	case code.OpDynamic:
		t.depend(entry)
		t.leave(layout.Exits.Dynamic, entry+1)
	case code.OpMeta:
		t.depend(entry)
		t.leave(layout.Exits.Meta, entry+1)
	default:
		t.jumpOut(entry)
	}
}

// mostJumps bounds the consecutive jumps that are followed.
const mostJumps = 4

// depend records that the code depends on the word at an address.
func (t *translator) depend(p int) { t.also = append(t.also, addressRange{p, p + 1}) }

// jumpOut continues at an address of another predicate.
func (t *translator) jumpOut(p int) {
	none := t.newLabel()
	t.load(rT1, sSlots)
	t.load(rT1, at(rT1, 8*p))
	t.test(rT1)
	t.jcc(ccE, none)
	t.jmpReg(rT1)
	t.later = append(t.later, func() {
		t.bind(none)
		t.movImm(rT0, int64(p))
		t.jmpMem(sInterpret)
	})
}

// mostGoalArgs is the largest arity of a goal that native code calls with further arguments.
const mostGoalArgs = 100

// callGoal calls the goal in the first argument register with the further arguments. Its predicate must be in the
// machine's cache.
func (t *translator) callGoal(w code.Instr, p int) {
	bail, extra := t.bail(p), int(w.A())-1
	compound, have, atom, go_ := t.newLabel(), t.newLabel(), t.newLabel(), t.newLabel()
	t.opMem(opCmp, rH, sHSoft)
	t.jcc(ccA, bail)
	t.opMemImm(opCmp, fFuel, 0)
	t.jcc(ccLE, bail)
	t.deref(rT0, rX[0])
	t.tag(rT1, rT0)
	t.opImm(opCmp, rT1, int(code.Str))
	t.jcc(ccE, compound)
	t.opImm(opCmp, rT1, int(code.Atom))
	t.jcc(ccNE, bail)
	t.mov(rT1, rT0)
	t.shift(shr, rT1, 3)
	t.shift(shl, rT1, 32)
	t.opImm(opOr, rT1, extra<<code.ArityShift|int(code.Hdr))
	t.jmp(have)
	t.bind(compound)
	t.load(rT1, heapAt(rT0, -int(code.Str)))
	t.compare(rT1, uint64(code.FColon), rT2)
	t.jcc(ccE, bail)
	t.movLow(rT2, rT1)
	t.shift(shr, rT2, code.ArityShift)
	t.opImm(opCmp, rT2, mostGoalArgs)
	t.jcc(ccA, bail)
	t.opImm(opAdd, rT1, extra<<code.ArityShift)
	t.bind(have)
	t.movImm(rT2, hashFactor)
	t.mulLow(rT2, rT1)
	t.shift(shr, rT2, hashShift)
	t.opImm(opAnd, rT2, layout.Lines-1)
	t.lea(rT2, indexed(rT2, rT2, 1, 0)) // three words a line
	t.lea(rT2, indexed(rM, rT2, 3, layout.PredLines))
	t.opMem(opCmp, rT1, at(rT2, layout.LineFunctor))
	t.jcc(ccNE, bail)
	t.load(rT1, at(rT2, layout.LineModule))
	t.opMem(opCmp, rT1, sUser)
	t.jcc(ccNE, bail)
	t.load(rT2, at(rT2, layout.LinePred))
	t.load32(rT2, at(rT2, layout.PredEntry))
	t.store(sSpill, rT2)
	t.opMemImm(opSub, fFuel, 1)
	t.load(rT2, fB)
	t.store(fB0, rT2)
	t.tag(rT1, rT0)
	t.opImm(opCmp, rT1, int(code.Atom))
	t.jcc(ccE, atom)
	t.spread(extra)
	t.bind(go_)
	t.load(rT0, sSpill)
	t.jumpTable()
	t.bind(atom)
	for i := range extra {
		t.setX(uint8(i), t.x(uint8(i+1), rT1))
	}
	t.jmp(go_)
	t.known = 0
}

// spread puts the arguments of the compound in rT0 before the further arguments in the registers.
func (t *translator) spread(extra int) {
	moved, loop := t.newLabel(), t.newLabel()
	for i := 1; i <= extra && i < len(rX); i++ {
		t.store(xMem(i), rX[i])
	}
	t.load(rT1, heapAt(rT0, -int(code.Str)))
	t.movLow(rT1, rT1)
	t.shift(shr, rT1, code.ArityShift)
	t.opImm(opCmp, rT1, 1)
	t.jcc(ccE, moved)
	for i := extra; i > 0; i-- {
		t.load(rT2, xMem(i))
		t.store(indexed(rM, rT1, 3, layout.X+8*(i-1)), rT2)
	}
	t.bind(moved)
	t.lea(rS, heapAt(rT0, 8-int(code.Str)))
	t.bind(loop)
	t.opImm(opSub, rT1, 1)
	t.load(rT2, indexed(rS, rT1, 3, 0))
	t.store(indexed(rM, rT1, 3, layout.X), rT2)
	t.test(rT1)
	t.jcc(ccNE, loop)
	for i, x := range rX {
		t.load(x, xMem(i))
	}
}

// onSwitch branches on the first argument, or another one.
func (t *translator) onSwitch(w code.Instr, p int) {
	constants, list := t.target(int(uint32(t.words[p+1]))), int(t.words[p+1]>>32)
	structures, variable := t.target(int(t.words[p+2])), t.target(w.Imm())
	loop, onList, low := t.newLabel(), t.newLabel(), t.newLabel()
	t.mov(rT0, t.x(w.A(), rT0))
	t.bind(loop)
	t.tag(rT1, rT0)
	t.opImm(opCmp, rT1, int(code.Lst))
	t.jcc(ccE, onList)
	t.jcc(ccL, low)
	t.opImm(opCmp, rT1, int(code.Blob))
	t.jcc(ccGE, variable)
	t.jmp(constants)
	t.bind(low)
	t.opImm(opCmp, rT1, int(code.Str))
	t.jcc(ccE, structures)
	t.test(rT1)
	t.jcc(ccNE, variable) // attributed
	t.load(rT2, heapAt(rT0, 0))
	t.op(opCmp, rT2, rT0)
	t.jcc(ccE, variable)
	t.mov(rT0, rT2)
	t.jmp(loop)
	t.bind(onList)
	if t.takesList(w, list) {
		t.parts(t.words[list])
		t.jmp(t.labelOf(list + 1))
		return
	}
	t.jmp(t.target(list))
}

// parts loads the head and the tail of the list cell in rT0 into the registers of a GetListXX.
func (t *translator) parts(w code.Instr) {
	t.load(rT2, heapAt(rT0, 8-int(code.Lst)))
	t.load(rT1, heapAt(rT0, -int(code.Lst)))
	t.setX(w.B(), rT1)
	t.setX(w.C(), rT2)
}

// fewKeys is the number of keys up to which a table is a chain of comparisons.
const fewKeys = 6

// switchTable branches by a hash table of constants or functors.
func (t *translator) switchTable(w code.Instr, p int) {
	mask, absent := w.Imm(), int(t.words[p+1])
	plain := t.newLabel()
	t.deref(rT0, t.x(w.A(), rT0))
	t.tag(rT1, rT0)
	t.opImm(opCmp, rT1, int(code.Str))
	t.jcc(ccNE, plain)
	t.load(rT0, heapAt(rT0, -int(code.Str)))
	t.bind(plain)
	var used []int // the entries
	for i := 0; i <= mask; i++ {
		if t.words[p+2+2*i] != 0 {
			used = append(used, p+2+2*i)
		}
	}
	if len(used) <= fewKeys {
		for _, i := range used {
			t.compare(rT0, uint64(t.words[i]), rT2)
			t.jcc(ccE, t.target(int(t.words[i+1])))
		}
		t.jmp(t.target(absent))
		return
	}
	table, loop, hit := t.newLabel(), t.newLabel(), t.newLabel()
	t.movImm(rT2, hashFactor)
	t.mulLow(rT2, rT0)
	t.shift(shr, rT2, hashShift)
	t.bind(loop)
	t.opImm(opAnd, rT2, mask)
	t.store(sSpill, rT2)
	t.mov(rT1, rT2)
	t.shift(shl, rT1, 4)
	t.loadLabel(rT2, table)
	t.op(opAdd, rT1, rT2)
	t.load(rT2, at(rT1, 0))
	t.op(opCmp, rT2, rT0)
	t.jcc(ccE, hit)
	t.test(rT2)
	t.jcc(ccE, t.target(absent))
	t.load(rT2, sSpill)
	t.opImm(opAdd, rT2, 1)
	t.jmp(loop)
	t.bind(hit)
	t.jmpMem(at(rT1, 8))
	t.later = append(t.later, func() {
		t.align()
		t.bind(table)
		for i := 0; i <= mask; i++ {
			key := t.words[p+2+2*i]
			t.word64(uint64(key))
			if key == 0 {
				t.word64(0)
			} else {
				t.address(t.target(int(t.words[p+3+2*i])))
			}
		}
	})
}

// The constants of code.SwitchHash.
const (
	hashFactor = -0x61c8864680b583eb // 0x9E3779B97F4A7C15 as a signed number
	hashShift  = 40
)

// compare compares a register with a constant; tmp may be lost.
func (b *asm) compare(r reg, c uint64, tmp reg) {
	if int64(c) == int64(int32(c)) {
		b.opImm(opCmp, r, int(int32(c)))
		return
	}
	b.movImm(tmp, int64(c))
	b.op(opCmp, r, tmp)
}

// x returns a register that holds argument register n: tmp, if it is in memory.
func (t *translator) x(n uint8, tmp reg) reg {
	if int(n) < len(rX) {
		return rX[n]
	}
	t.load(tmp, xMem(int(n)))
	return tmp
}

// setX sets argument register n.
func (t *translator) setX(n uint8, r reg) {
	if int(n) < len(rX) {
		t.known &^= 1 << n
		t.mov(rX[n], r)
		return
	}
	t.store(xMem(int(n)), r)
}

// setXTo sets argument register n to a word of memory.
func (t *translator) setXTo(n uint8, m mem) {
	if int(n) < len(rX) {
		t.known &^= 1 << n
		t.load(rX[n], m)
		return
	}
	t.load(rT0, m)
	t.store(xMem(int(n)), rT0)
}

// setXConst sets argument register n to a constant.
func (t *translator) setXConst(n uint8, c uint64) {
	if int(n) < len(rX) {
		t.known &^= 1 << n
		t.movImm(rX[n], int64(c))
		return
	}
	t.movImm(rT0, int64(c))
	t.store(xMem(int(n)), rT0)
}

// deref loads the dereferenced s into d; rT2 is lost.
func (b *asm) deref(d, s reg) {
	loop, done := b.newLabel(), b.newLabel()
	b.mov(d, s)
	b.bind(loop)
	b.testTag(d)
	b.jcc(ccNE, done)
	b.load(rT2, heapAt(d, 0))
	b.op(opCmp, rT2, d)
	b.jcc(ccE, done)
	b.mov(d, rT2)
	b.jmp(loop)
	b.bind(done)
}
