package machine

import (
	"bytes"
	"fmt"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines NativeCheck: a stretch of native code is run a second time by the loop, from the same state, and
// both must come to the same one.

// snapshot is the state of a machine that a stretch of code can change.
type snapshot struct {
	registers                  registers
	waking                     waking
	objs                       int
	walked                     int
	heap, envs, choices, trail []cell
}

const (
	// checkedCells is the size of heap and stacks, in cells, up to which stretches are checked. Both are copied for
	// each.
	checkedCells = 1 << 14
	// checkedCalls is the number of calls in a stretch.
	checkedCalls = 12
	// checkRoom is how far above their tops environments and choice points may be read before they are written.
	checkRoom = 1 << 9
)

// runChecked runs native code from m.p on, and the loop where that gives up, and compares with what the loop does by
// itself.
func (m *Machine) runChecked() exit {
	if m.h+m.etop+m.choicesTop()+m.tr > checkedCells {
		return m.enterNative()
	}
	defer func(inUse int) { m.copies = inUse }(m.copies)
	from, before := m.p, m.snapshot()
	stretch := max(min(m.fuel, m.checked%checkedCalls), 0)
	m.checked++
	kept, batch := m.fuel-stretch, m.batch
	m.fuel = stretch
	why := m.enterNative()
	left := m.p
	if why == exitInterpret {
		m.left(left)
		why = m.loop()
	}
	why, failed := m.settle(why)
	m.exchange(before)
	after := before
	m.fuel = stretch
	whyLoop, failedLoop := m.settle(m.loop())
	// A walk over a term may take the fuel away, in both at the same place; a heap that grows changes when the next
	// collection is.
	same := !failed && !failedLoop && m.batch == batch && m.hSoft == after.registers.hSoft
	if diff := m.differs(after, why, whyLoop); diff != "" && same {
		panic(fmt.Sprintf("native code of %s, entered at %d (%s) and left at %d (%s), differs from the loop: %s",
			m.program.OwnerName(uint32(from)), from, code.Disassemble(m.code, from), left, code.Disassemble(m.code, left), diff))
	}
	m.fuel += kept
	return whyLoop
}

// settle does the work behind exits that only one of native code and loop may have taken, as native code does some of
// it by itself, up to another exit. Work that ends in an exception is undone; failed is true then.
func (m *Machine) settle(why exit) (settled exit, failed bool) {
	for m.mayDiffer(why) {
		before := m.snapshot()
		if m.handle(why) != nil || m.fuel < 0 {
			m.restore(before)
			m.copies--
			return why, true
		}
		m.copies--
		why = m.loop()
	}
	return why, false
}

// mayDiffer reports whether an exit is one that only native code or only the loop may have taken. The work behind it
// can be done twice.
func (m *Machine) mayDiffer(why exit) bool {
	switch w := m.code[m.p-1]; why {
	case exitUnify:
		return true
	case exitArith:
		return w.Op() != code.OpEval && w.Op() != code.OpArith && w.Op() != code.OpArith1 && !m.evaluates(w)
	case exitBuiltin:
		return m.fuel > 0 && m.knownIntrinsics()[w.Imm()] != 0
	}
	return false
}

// evaluates reports whether an operand of a comparison is an expression and no number. Its value may be a random
// number, another one each time.
func (m *Machine) evaluates(w code.Instr) bool {
	isExpression := func(c cell) bool {
		switch m.Deref(c).Tag() {
		case code.Str, code.Lst, code.Atom:
			return true
		}
		return false
	}
	two := w.Op() < code.OpLessI || w.Op() > code.OpNumNeI && w.Op() < code.OpAddI
	return isExpression(m.x[w.A()]) || two && isExpression(m.x[w.B()])
}

// snapshot copies the state, into memory that an earlier copy has left if there is some. Copies are given up
// in the reverse order: copies goes down.
func (m *Machine) snapshot() *snapshot {
	if m.copies == len(m.copied) {
		m.copied = append(m.copied, &snapshot{})
	}
	s := m.copied[m.copies]
	m.copies++
	s.registers, s.waking, s.objs, s.walked = m.registers, m.waking, len(m.objs), m.walked
	s.heap = append(s.heap[:0], m.heap[:m.h]...)
	s.trail = append(s.trail[:0], m.trail[:m.tr]...)
	s.envs = append(s.envs[:0], m.envs[:min(len(m.envs), max(m.etop, m.betop)+checkRoom)]...)
	s.choices = append(s.choices[:0], m.choices[:min(len(m.choices), m.choicesTop()+checkRoom)]...)
	return s
}

// restore brings the state back.
func (m *Machine) restore(s *snapshot) {
	m.registers, m.waking, m.objs, m.walked = s.registers, s.waking, m.objs[:s.objs], s.walked
	copy(m.heap, s.heap)
	copy(m.trail, s.trail)
	copy(m.envs, s.envs)
	copy(m.choices, s.choices)
}

// exchange brings the state of a copy back, and makes the copy one of the state before.
func (m *Machine) exchange(s *snapshot) {
	h, tr, etop, choices := m.h, m.tr, max(m.etop, m.betop), m.choicesTop()
	m.registers, s.registers = s.registers, m.registers
	m.waking, s.waking = s.waking, m.waking
	m.walked, s.walked = s.walked, m.walked
	m.objs, s.objs = m.objs[:s.objs], len(m.objs)
	s.heap = exchangeCells(s.heap, m.heap, h)
	s.trail = exchangeCells(s.trail, m.trail, tr)
	s.envs = exchangeCells(s.envs, m.envs, etop)
	s.choices = exchangeCells(s.choices, m.choices, choices)
}

// exchangeCells exchanges the cells of a copy with those copied, and returns the copy with n cells.
func exchangeCells(copied, cells []cell, n int) []cell {
	var chunk [256]cell
	for at := 0; at < len(copied); at += len(chunk) {
		here := copied[at:min(at+len(chunk), len(copied))]
		copy(chunk[:], here)
		copy(here, cells[at:])
		copy(cells[at:], chunk[:len(here)])
	}
	if n > len(copied) {
		return append(copied, cells[len(copied):n]...)
	}
	return copied[:n]
}

// differs compares the state that native code has come to with the machine's, and returns how they differ, "" if they
// do not. Exits say why each was left.
func (m *Machine) differs(s *snapshot, why, whyLoop exit) string {
	r := &s.registers
	if why != whyLoop || r.p != m.p {
		return fmt.Sprintf("exit %d at %d, exit %d at %d", why, r.p, whyLoop, m.p)
	}
	for _, d := range []struct {
		name     string
		got, has int
	}{
		{"h", r.h, m.h}, {"e", r.e, m.e}, {"cp", r.cp, m.cp}, {"b", r.b, m.b}, {"b0", r.b0, m.b0}, {"hb", r.hb, m.hb},
		{"tr", r.tr, m.tr}, {"etop", r.etop, m.etop}, {"betop", r.betop, m.betop}, {"fuel", r.fuel, m.fuel},
		{"objs", s.objs, len(m.objs)},
	} {
		if d.got != d.has {
			return fmt.Sprintf("%s is %d, not %d", d.name, d.got, d.has)
		}
	}
	for _, d := range []struct {
		name     string
		got, has []cell
	}{
		{"heap", s.heap, m.heap[:m.h]}, {"trail", s.trail, m.trail[:m.tr]},
		{"environments", s.envs[:m.etop], m.envs[:m.etop]},
		{"choice points", s.choices[:m.choicesTop()], m.choices[:m.choicesTop()]},
		{"arguments", r.x[:m.argumentsAt(why)], m.x[:m.argumentsAt(why)]},
	} {
		if i := m.differAt(d.got, d.has); i >= 0 {
			return fmt.Sprintf("%s at %d are %#x, not %#x", d.name, i, d.got[i], d.has[i])
		}
	}
	if r.shallow != m.shallow || r.shallow && r.elseP != m.elseP {
		return "shallow choices"
	}
	return ""
}

// differAt returns where two lists of words of the same length differ, -1 if they do not.
func (m *Machine) differAt(got, has []cell) int {
	const chunk = 64 // words compared at once as bytes, which is fast
	for at := 0; at < len(got); at += chunk {
		end := min(at+chunk, len(got))
		if bytes.Equal(cellBytesOf(got[at:end]), cellBytesOf(has[at:end])) {
			continue
		}
		for i := at; i < end; i++ {
			if got[i] != has[i] && m.target(got[i]) != m.target(has[i]) {
				return i
			}
		}
	}
	return -1
}

// cellBytesOf returns the memory of words.
func cellBytesOf(cells []cell) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(cells))), len(cells)*cellBytes)
}

// target dereferences a word: the loop keeps what it has dereferenced in some places where native code does not. A word
// that is no cell may look like a reference.
func (m *Machine) target(c cell) cell {
	for c.Tag() == code.Ref && c.Addr() < m.h && m.heap[c.Addr()] != c {
		c = m.heap[c.Addr()]
	}
	return c
}

// argumentsAt returns how many argument registers are in use at an exit, as far as that is known.
func (m *Machine) argumentsAt(why exit) int {
	switch why {
	case exitCheck:
		return m.live
	case exitBuiltin, exitMeta, exitDynamic:
		return int(m.code[m.p-1].A())
	}
	return 0
}
