package native

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines the templates of head unification.

// emitHead makes the code of the instructions that match arguments; false for another instruction.
func (t *translator) emitHead(w code.Instr, p int) bool {
	imm := w.Imm()
	switch w.Op() {
	case code.OpMove:
		t.move(w.A(), w.B())
	case code.OpMove2:
		t.move(w.A(), w.B())
		t.move(w.C(), uint8(w>>32))
	case code.OpGetY:
		t.store(slot(imm), t.x(w.A(), rT0))
	case code.OpGetYY:
		t.store(slot(int(uint16(w>>32))), t.x(w.A(), rT0))
		t.store(slot(int(uint16(w>>48))), t.x(w.B(), rT0))
	case code.OpGetYYY:
		t.store(slot(int(w>>32&1023)), t.x(w.A(), rT0))
		t.store(slot(int(w>>42&1023)), t.x(w.B(), rT0))
		t.store(slot(int(w>>52&1023)), t.x(w.C(), rT0))
	case code.OpGetValX:
		if t.isKnown(w.A()) && t.isKnown(w.B()) {
			t.op(opCmp, t.x(w.A(), rT0), t.x(w.B(), rT1))
			t.jcc(ccNE, t.fail)
			return true
		}
		t.mov(rT0, t.x(w.A(), rT0))
		t.mov(rT1, t.x(w.B(), rT1))
		t.unify(p+1, noPart)
	case code.OpGetValY:
		t.mov(rT0, t.x(w.A(), rT0))
		t.load(rT1, slot(imm))
		t.unify(p+1, noPart)
	case code.OpGetAtom, code.OpGetInt, code.OpGetCell:
		t.mov(rT0, t.x(w.A(), rT0))
		t.constant(t.constantOf(w, p), t.bail(p))
	case code.OpGetList, code.OpGetStruct:
		t.compound(w, p)
	case code.OpGetListXX:
		t.listXX(w, p)
	case code.OpGetListVX:
		t.listVX(w, p)
	default:
		return false
	}
	return true
}

// constantOf returns the constant in an instruction at p that has one.
func (t *translator) constantOf(w code.Instr, p int) uint64 {
	switch w.Op() {
	case code.OpGetInt, code.OpUniInt, code.OpPutInt, code.OpSetInt:
		return uint64(code.MakeInt(w.SImm()))
	case code.OpGetCell, code.OpUniCell, code.OpPutCell, code.OpSetCell:
		return uint64(t.words[p+1])
	}
	return uint64(code.MakeAtom(uint32(w >> 32)))
}

// move copies an argument register, and what is known of it.
func (t *translator) move(from, to uint8) {
	known := t.isKnown(from)
	t.setX(to, t.x(from, rT0))
	if known {
		t.know(to)
	}
}

// isKnown reports whether an argument register is known to hold a small integer; know records that.
func (t *translator) isKnown(n uint8) bool { return int(n) < len(rX) && t.known>>n&1 != 0 }

func (t *translator) know(n uint8) {
	if int(n) < len(rX) {
		t.known |= 1 << n
	}
}

// heapRoom gives up unless there is room for a clause on the heap, trailRoom unless there is some on the trail.
func (b *asm) heapRoom(none label) {
	b.opMem(opCmp, rH, sHeapLim)
	b.jcc(ccA, none)
}

func (b *asm) trailRoom(none label) {
	b.load(rT2, fTR)
	b.opMem(opCmp, rT2, sTrailLim)
	b.jcc(ccAE, none)
}

// trailRoomFor asks for room for n entries.
func (b *asm) trailRoomFor(n int, none label) {
	b.load(rT0, fTR)
	b.opImm(opAdd, rT0, n)
	b.opMem(opCmp, rT0, sTrailLim)
	b.jcc(ccA, none)
}

// noteOnTrail pushes the variable in rT0 on the trail, which has room.
func (b *asm) noteOnTrail() {
	b.load(rT1, sTrail)
	b.load(rT2, fTR)
	b.store(indexed(rT1, rT2, 3, 0), rT0)
	b.opMemImm(opAdd, fTR, 1)
}

// trailed continues at next after the variable in rT0 has been bound. It trails the variable if that is older than the
// choice point.
func (b *asm) trailed(next label) {
	b.opMem(opCmp, rT0, sHB)
	b.jcc(ccAE, next)
	b.noteOnTrail()
	b.jmp(next)
}

// trailedRarely is trailed with next directly after it: trailing is on the slow path.
func (t *translator) trailedRarely(next label) {
	slow := t.newLabel()
	t.opMem(opCmp, rT0, sHB)
	t.jcc(ccB, slow)
	t.later = append(t.later, func() {
		t.bind(slow)
		t.noteOnTrail()
		t.jmp(next)
	})
}

// constant unifies rT0 with a constant. Knowledge about the other argument registers is kept.
func (t *translator) constant(c uint64, bail label) {
	loop, other, done := t.newLabel(), t.newLabel(), t.newLabel()
	t.bind(loop)
	t.compare(rT0, c, rT2)
	t.jcc(ccNE, other)
	t.bind(done)
	t.later = append(t.later, func() {
		bind, bound := t.newLabel(), t.newLabel()
		t.bind(other)
		t.testTag(rT0)
		t.jcc(ccNE, bound)
		t.load(rT2, heapAt(rT0, 0))
		t.op(opCmp, rT2, rT0)
		t.jcc(ccE, bind)
		t.mov(rT0, rT2)
		t.jmp(loop)
		t.bind(bind)
		t.trailRoom(bail)
		t.movImm(rT2, int64(c))
		t.store(heapAt(rT0, 0), rT2)
		t.trailed(done)
		t.bind(bound)
		t.failUnlessAtt(rT0, bail)
	})
}

// variable begins the code at other, for an rT0 that is no matching compound: it fails unless rT0 is a variable.
// Afterwards there is room on the heap and on the trail.
func (t *translator) variable(other, give label) {
	t.bind(other)
	t.testTag(rT0)
	plain := t.newLabel()
	t.jcc(ccE, plain)
	t.failUnlessAtt(rT0, give)
	t.bind(plain)
	t.heapRoom(give)
	t.trailRoom(give)
}

// failUnlessAtt fails, or gives up if the cell in r is an attributed variable. rT2 is lost.
func (t *translator) failUnlessAtt(r reg, bail label) {
	t.tag(rT2, r)
	t.opImm(opCmp, rT2, int(code.Att))
	t.jcc(ccE, bail)
	t.jmp(t.fail)
}

// noPart says that a unification is not for a part of a compound.
const noPart = -1

// unify unifies rT0 and rT1. It leaves compounds to a routine, and cases that the routine cannot handle to the machine,
// which continues at next. If part is an offset of a part from rS, the machine gets the place of the next part.
// Afterwards nothing is known about registers, as the code may be entered after it.
func (t *translator) unify(next, part int) {
	done, compounds, giveUp := t.newLabel(), t.newLabel(), t.newLabel()
	left, right := t.newLabel(), t.newLabel()
	t.known = 0
	t.deref(rT0, rT0)
	t.deref(rT1, rT1)
	t.op(opCmp, rT0, rT1)
	t.jcc(ccE, done)
	t.testTag(rT0)
	t.jcc(ccE, left)
	t.testTag(rT1)
	t.jcc(ccE, right)
	t.tag(rT2, rT0)
	t.opImm(opCmp, rT2, int(code.Atom))
	t.jcc(ccB, compounds)
	t.opImm(opCmp, rT2, int(code.Blob))
	t.jcc(ccAE, compounds)
	t.failUnlessAtt(rT1, giveUp) // rT0 is an atom or a small integer
	t.bindVariables(left, right, giveUp, done)
	t.bind(done)
	t.later = append(t.later, func() {
		t.bind(compounds)
		t.loadLabel(rT2, done)
		t.store(sRet, rT2)
		t.movImm(rT2, int64(next))
		t.store(sNext, rT2)
		if part != noPart {
			t.storePart(part)
		}
		t.jmpMem(sUnify)
		t.bind(giveUp)
		if part != noPart {
			t.storePart(part)
		}
		t.store(fUA, rT0)
		t.store(fUB, rT1)
		t.leave(layout.Exits.Unify, next)
	})
}

// bindVariables binds rT0, which is a variable at left, and rT1, which is one at right, where rT0 is none.
func (b *asm) bindVariables(left, right, giveUp, done label) {
	both, bindLeft, bindRight, trail := b.newLabel(), b.newLabel(), b.newLabel(), b.newLabel()
	b.bind(left)
	b.trailRoom(giveUp)
	b.testTag(rT1)
	b.jcc(ccE, both)
	b.tag(rT2, rT1)
	b.opImm(opCmp, rT2, int(code.Att))
	b.jcc(ccE, giveUp)
	b.bind(bindLeft)
	b.store(heapAt(rT0, 0), rT1)
	b.jmp(trail)
	b.bind(both) // the newer one is bound
	b.op(opCmp, rT1, rT0)
	b.jcc(ccB, bindLeft)
	b.jmp(bindRight)
	b.bind(right)
	b.trailRoom(giveUp)
	b.tag(rT2, rT0)
	b.opImm(opCmp, rT2, int(code.Att))
	b.jcc(ccE, giveUp)
	b.bind(bindRight)
	b.store(heapAt(rT1, 0), rT0)
	b.mov(rT0, rT1)
	b.bind(trail)
	b.trailed(done)
}

// listXX matches an argument with a list cell of two new registers.
func (t *translator) listXX(w code.Instr, p int) {
	bail := t.bail(p)
	loop, other, done := t.newLabel(), t.newLabel(), t.newLabel()
	t.mov(rT0, t.x(w.A(), rT0))
	t.bind(loop)
	t.tag(rT1, rT0)
	t.opImm(opCmp, rT1, int(code.Lst))
	t.jcc(ccNE, other)
	t.parts(w)
	t.bind(done)
	t.later = append(t.later, func() {
		bind := t.newLabel()
		t.bind(other)
		t.opImm(opCmp, rT1, int(code.Att))
		t.jcc(ccE, bail)
		t.jcc(ccA, t.fail)
		t.load(rT2, heapAt(rT0, 0))
		t.op(opCmp, rT2, rT0)
		t.jcc(ccE, bind)
		t.mov(rT0, rT2)
		t.jmp(loop)
		t.bind(bind)
		t.heapRoom(bail)
		t.trailRoom(bail)
		t.lea(rT2, at(rH, int(code.Lst)))
		t.store(heapAt(rT0, 0), rT2)
		t.store(heapAt(rH, 0), rH)
		t.setX(w.B(), rH)
		t.lea(rT2, at(rH, 8))
		t.store(heapAt(rH, 8), rT2)
		t.setX(w.C(), rT2)
		t.opImm(opAdd, rH, 16)
		t.trailed(done)
	})
}

// listVX matches an argument with a list cell of an old head and a new tail. The argument is usually a variable.
func (t *translator) listVX(w code.Instr, p int) {
	bail := t.bail(p)
	loop, bound, other, done := t.newLabel(), t.newLabel(), t.newLabel(), t.newLabel()
	t.mov(rT0, t.x(w.A(), rT0))
	t.bind(loop)
	t.testTag(rT0)
	t.jcc(ccNE, other)
	t.load(rT2, heapAt(rT0, 0))
	t.op(opCmp, rT2, rT0)
	t.jcc(ccNE, bound)
	t.heapRoom(bail)
	t.trailRoom(bail)
	t.lea(rT2, at(rH, int(code.Lst)))
	t.store(heapAt(rT0, 0), rT2)
	t.store(heapAt(rH, 0), t.x(w.B(), rT2))
	t.lea(rT2, at(rH, 8))
	t.store(heapAt(rH, 8), rT2)
	t.setX(w.C(), rT2)
	t.opImm(opAdd, rH, 16)
	t.trailedRarely(done)
	t.bind(done)
	t.known = 0 // the unification of the head comes back here
	t.later = append(t.later, func() {
		t.bind(bound)
		t.mov(rT0, rT2)
		t.jmp(loop)
		t.bind(other)
		list := t.newLabel()
		t.tag(rT1, rT0)
		t.opImm(opCmp, rT1, int(code.Lst))
		t.jcc(ccE, list)
		t.failUnlessAtt(rT0, bail)
		t.bind(list)
		t.load(rT1, heapAt(rT0, -int(code.Lst)))
		t.load(rT2, heapAt(rT0, 8-int(code.Lst)))
		t.mov(rT0, t.x(w.B(), rT0))
		t.setX(w.C(), rT2)
		t.unify(p+1, noPart)
		t.jmp(done)
	})
}

// This part defines the templates of compounds in heads. The parts of a compound are translated twice: for reading,
// with the place of the next part relative to rS, and for writing, if the argument is a variable.

// sequence is the code of the parts of a compound.
type sequence struct {
	t    *translator
	at   []int   // addresses of the parts' instructions
	into []label // where writing begins for a part that follows an OpUniList
	more bool    // further parts follow that other code leads to, so the machine must know the mode
	done label
}

// isPart reports whether an instruction matches or writes a part of a compound.
func isPart(op code.Op) bool { return op >= code.OpUniVarX && op <= code.OpUniVarXXX }

// compound matches an argument with a compound or a list cell.
func (t *translator) compound(w code.Instr, p int) {
	tag, bail := code.Lst, t.bail(p)
	if w.Op() == code.OpGetStruct {
		tag = code.Str
	}
	q := &sequence{t: t, done: t.newLabel()}
	next := p + w.Words()
	for ; isPart(t.words[next].Op()) && !t.leader[next]; next += t.words[next].Words() {
		q.at = append(q.at, next)
		t.done[next] = true
		q.into = append(q.into, t.newLabel())
	}
	q.more = isPart(t.words[next].Op())
	other := t.newLabel()
	t.deref(rT0, t.x(w.A(), rT0))
	t.tag(rT1, rT0)
	t.opImm(opCmp, rT1, int(tag))
	t.jcc(ccNE, other)
	offset := 0
	if tag == code.Str {
		t.movImm(rT2, int64(t.words[p+1]))
		t.opMem(opCmp, rT2, heapAt(rT0, -int(code.Str)))
		t.jcc(ccNE, t.fail)
		offset = 8
	}
	t.lea(rS, at(rT0, -int(tag)))
	q.read(offset)
	t.bind(q.done)
	t.known = 0
	t.later = append(t.later, func() {
		t.variable(other, bail)
		t.lea(rT2, at(rH, int(tag)))
		t.store(heapAt(rT0, 0), rT2)
		if tag == code.Str {
			t.movImm(rT2, int64(t.words[p+1]))
			t.store(heapAt(rH, 0), rT2)
			t.opImm(opAdd, rH, 8)
		}
		write := t.newLabel()
		t.trailedRarely(write)
		t.bind(write)
		q.write()
	})
}

// read makes the code that reads the parts, the first at an offset from rS.
func (q *sequence) read(offset int) {
	t := q.t
	for i, p := range q.at {
		w := t.words[p]
		part := mem{rHeap, rS, 0, offset}
		switch w.Op() {
		case code.OpUniVarX:
			t.setXTo(w.A(), part)
			offset += 8
		case code.OpUniVarXX, code.OpUniVarXXX:
			t.setXTo(w.A(), part)
			t.setXTo(w.B(), mem{rHeap, rS, 0, offset + 8})
			offset += 16
			if w.Op() == code.OpUniVarXXX {
				t.setXTo(w.C(), mem{rHeap, rS, 0, offset})
				offset += 8
			}
		case code.OpUniVarY:
			t.load(rT0, part)
			t.store(slot(w.Imm()), rT0)
			offset += 8
		case code.OpUniValX, code.OpUniValY:
			t.load(rT0, part)
			if w.Op() == code.OpUniValX {
				t.mov(rT1, t.x(w.A(), rT1))
			} else {
				t.load(rT1, slot(w.Imm()))
			}
			offset += 8
			t.unify(p+1, offset)
		case code.OpUniAtom, code.OpUniInt, code.OpUniCell:
			t.load(rT0, part)
			t.constant(t.constantOf(w, p), t.giveUp(place{p: p, read: true, offset: offset}))
			offset += 8
		case code.OpUniVoid:
			offset += 8 * w.Imm()
		case code.OpUniList, code.OpUniVarUniList:
			give := t.giveUp(place{p: p, read: true, offset: offset})
			last := part
			if w.Op() == code.OpUniVarUniList {
				last.disp += 8
			}
			t.load(rT0, last)
			t.deref(rT0, rT0)
			if w.Op() == code.OpUniVarUniList {
				t.load(rT2, part)
				t.setX(w.A(), rT2)
			}
			q.list(i, give)
			offset = 0
		}
	}
	if q.more {
		t.storePart(offset)
	}
}

// list continues with the list cell that is the last part, in rT0. If that is a variable the parts after part i are
// written.
func (q *sequence) list(i int, give label) {
	t, other := q.t, q.t.newLabel()
	t.tag(rT1, rT0)
	t.opImm(opCmp, rT1, int(code.Lst))
	t.jcc(ccNE, other)
	t.lea(rS, at(rT0, -int(code.Lst)))
	t.later = append(t.later, func() {
		t.variable(other, give)
		t.lea(rT2, at(rH, int(code.Lst)))
		t.store(heapAt(rT0, 0), rT2)
		t.trailed(q.into[i])
	})
}

// write makes the code that writes the parts on the heap.
func (q *sequence) write() {
	t := q.t
	offset := 0 // from rH
	variable := func(set func(r reg)) {
		if offset == 0 {
			t.store(heapAt(rH, 0), rH)
			set(rH)
		} else {
			t.lea(rT0, at(rH, offset))
			t.store(heapAt(rH, offset), rT0)
			set(rT0)
		}
		offset += 8
	}
	for i, p := range q.at {
		w := t.words[p]
		inX := func(n uint8) func(reg) { return func(r reg) { t.setX(n, r) } }
		switch w.Op() {
		case code.OpUniVarX:
			variable(inX(w.A()))
		case code.OpUniVarXX, code.OpUniVarXXX:
			variable(inX(w.A()))
			variable(inX(w.B()))
			if w.Op() == code.OpUniVarXXX {
				variable(inX(w.C()))
			}
		case code.OpUniVarY:
			variable(func(r reg) { t.store(slot(w.Imm()), r) })
		case code.OpUniValX:
			t.store(heapAt(rH, offset), t.x(w.A(), rT0))
			offset += 8
		case code.OpUniValY:
			t.load(rT0, slot(w.Imm()))
			t.store(heapAt(rH, offset), rT0)
			offset += 8
		case code.OpUniAtom, code.OpUniInt, code.OpUniCell:
			t.storeConst(heapAt(rH, offset), t.constantOf(w, p))
			offset += 8
		case code.OpUniVoid:
			for range w.Imm() {
				variable(func(reg) {})
			}
		case code.OpUniList, code.OpUniVarUniList:
			if w.Op() == code.OpUniVarUniList {
				variable(inX(w.A()))
			}
			t.lea(rT0, at(rH, offset+8+int(code.Lst)))
			t.store(heapAt(rH, offset), rT0)
			t.opImm(opAdd, rH, offset+8)
			offset = 0
			t.bind(q.into[i])
		}
	}
	if offset > 0 {
		t.opImm(opAdd, rH, offset)
	}
	if q.more {
		t.storeImm(fS, -1)
	}
	t.jmp(q.done)
}

// storeConst stores a constant; rT0 is lost.
func (b *asm) storeConst(m mem, c uint64) {
	if int64(c) == int64(int32(c)) {
		b.storeImm(m, int(int32(c)))
		return
	}
	b.movImm(rT0, int64(c))
	b.store(m, rT0)
}
