package native

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines the templates of compounds in heads. The parts of one are translated twice: as they are read, with
// the place of the next one known from rS, and as they are written when the argument is a variable.

// sequence is the code of the parts of a compound.
type sequence struct {
	t    *translator
	at   []int   // addresses of the parts' instructions
	into []label // where the writing of a part begins that follows an OpUniList
	more bool    // further parts follow that something else leads to, so the machine has to know the mode
	done label
}

// isPart reports whether an instruction is about parts of a compound that is matched.
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
	t.deref(rT0, t.x(w.A(), rT0), rT2)
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
		t.bind(other)
		t.testTag(rT0)
		variable := t.newLabel()
		t.jcc(ccE, variable)
		t.failUnlessAtt(rT0, bail)
		t.bind(variable)
		t.heapRoom(bail)
		t.trailRoom(bail)
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
			t.deref(rT0, rT0, rT2)
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

// list goes on with the list cell that is the last part, in rT0. After a variable there the parts are written, from
// the one behind part i on.
func (q *sequence) list(i int, give label) {
	t, other := q.t, q.t.newLabel()
	t.tag(rT1, rT0)
	t.opImm(opCmp, rT1, int(code.Lst))
	t.jcc(ccNE, other)
	t.lea(rS, at(rT0, -int(code.Lst)))
	t.later = append(t.later, func() {
		t.bind(other)
		t.testTag(rT0)
		variable := t.newLabel()
		t.jcc(ccE, variable)
		t.failUnlessAtt(rT0, give)
		t.bind(variable)
		t.heapRoom(give)
		t.trailRoom(give)
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
