package machine

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines how a long run gives back atoms that it has made and forgotten, such as
// the texts that it took from a stream one after another.

// cellHolder is implemented by Go values that keep frozen terms for the run. The collector
// asks for their cells, as runs of them, to learn which atoms they mention.
type cellHolder interface {
	heldCells() [][]cell
}

// heldCells returns the cells of a frozen term.
func (f frozen) heldCells() [][]cell { return [][]cell{f.cells, {f.root}} }

// heldCells returns the cells of all solutions in a bag.
func (b *bag) heldCells() [][]cell { return b.chunks }

// holdAtoms keeps the atoms of a frozen term alive until the run ends: nobody knows how long
// the predicate that asked for it keeps it.
func (m *View) holdAtoms(f frozen) {
	if m.ownAtoms.Empty() {
		return
	}
	if m.gc.held == nil {
		m.gc.held = map[uint32]struct{}{}
	}
	for _, cells := range f.heldCells() {
		eachAtom(cells, func(n uint32) { m.gc.held[n] = struct{}{} })
	}
}

// atomsWorthwhile is the size of the run's atoms in bytes from which to look for dead ones: so many that the table with
// them stays in the processor's cache.
const atomsWorthwhile = 1 << 18

// goneAtoms are some texts of atoms that the run has given back. A run that makes the same atoms again and again, such
// as the suffixes of a few thousand names, gains nothing when they are given back in between: it then does so later.
type goneAtoms struct {
	texts  [128]string
	next   int // where in texts the next is kept
	given  int // how many atoms have been given back
	factor int // by which atomsWorthwhile is multiplied
}

// worthwhile is atomsWorthwhile for this run. None have been given back where g is nil.
func (g *goneAtoms) worthwhile() int {
	if g == nil {
		return atomsWorthwhile
	}
	return atomsWorthwhile * g.factor
}

// add notes an atom that is given back, one of a thousand: more than a hundred thousand are looked back on.
func (g *goneAtoms) add(text string) {
	const share, longest = 1 << 10, 1 << 8
	if g.given++; g.given%share == 0 && len(text) <= longest {
		g.texts[g.next] = text
		g.next = (g.next + 1) % len(g.texts)
	}
}

// learn looks which of the texts are atoms of the run again.
func (g *goneAtoms) learn(own *code.AtomSet) {
	const accidents, most = 1, 32
	again := 0
	for _, text := range g.texts {
		if text != "" && own.HasText(text) {
			again++
		}
	}
	if again > accidents {
		g.factor = min(2*g.factor, most)
	}
}

// atomsDue reports whether so many atoms have been made that a collection should look for dead ones.
func (m *Machine) atomsDue() bool { return m.manyAtoms() && m.ownsAtoms() }

// ownsAtoms reports whether nobody else holds atoms that the run has made. With engines each may hold atoms that
// another has made, and so may the host of a run.
func (m *Machine) ownsAtoms() bool {
	return m.host == nil && (m.team == nil || m.self == nil && len(m.team.engines) == 0)
}

// manyAtoms reports whether the atoms of the run have become so many that a look at all of its cells is worth while.
func (m *Terms) manyAtoms() bool {
	const cellsShare = 2 // a quarter of a cell's bytes
	return m.atomBytes > max(m.gc.gone.worthwhile(), 2*m.gc.atomFloor, cellsShare*m.gc.kept)
}

// releaseAtoms gives back the atoms of this run that no term mentions any more. Nothing is
// given back while a Go value of a kind not known here is on the object stack, for it may keep
// terms unseen. A Next keeps none but by [Machine.Save] and [Machine.Sequence].
func (m *Machine) releaseAtoms(live int) {
	if !m.ownsAtoms() || !m.manyAtoms() && m.used() <= m.limitBytes() {
		return
	}
	if held, ok := m.heldByObjs(); ok {
		s := newAtomSweep(m.ownAtoms.Numbers())
		s.seeRuns(held)
		s.seeAll(m.x[:live])
		s.seeMachine(m)
		for n := range m.gc.held {
			s.see(n)
		}
		if m.gc.gone == nil {
			m.gc.gone = &goneAtoms{factor: 1}
		}
		m.gc.gone.learn(m.ownAtoms)
		m.dropAtoms(s)
	}
	m.gc.atomFloor = m.atomBytes
}

// heldByObjs returns the cells of frozen terms kept by the values of the object stack; ok is
// false when one of them cannot be asked.
func (m *Machine) heldByObjs() (held [][]cell, ok bool) {
	for _, obj := range m.objs {
		switch obj := obj.(type) {
		case cellHolder:
			held = append(held, obj.heldCells()...)
		case nil, bool, int, int64, string, *ClauseSeq, Next:
		default:
			return nil, false
		}
	}
	return held, true
}

// dropAtoms releases the atoms that a sweep has not seen.
func (m *Machine) dropAtoms(s *atomSweep) {
	m.ownAtoms.Release(func(n uint32) bool {
		if s.seen(n) {
			return true
		}
		text := code.AtomText(n)
		m.atomBytes -= len(text) + atomOverhead
		m.gc.gone.add(text)
		return false
	})
}

// atomSweep is a set of atom numbers.
type atomSweep struct {
	bits []uint64
}

// newAtomSweep returns a set that has room for the given atoms; others are not remembered.
func newAtomSweep(atoms []uint32) *atomSweep {
	var top uint32
	for _, n := range atoms {
		top = max(top, n)
	}
	return &atomSweep{make([]uint64, top>>6+1)}
}

// seen reports whether an atom has been seen. Its number must have room in the set.
func (s *atomSweep) seen(n uint32) bool { return s.bits[n>>6]>>(n&63)&1 != 0 }

// see remembers an atom, if the set has room for its number.
func (s *atomSweep) see(n uint32) {
	if i := int(n >> 6); i < len(s.bits) {
		s.bits[i] |= 1 << (n & 63)
	}
}

// seeAll remembers the atoms in a run of cells, among which blobs may be.
func (s *atomSweep) seeAll(cells []cell) { eachAtom(cells, s.see) }

// seeRuns is seeAll for several runs.
func (s *atomSweep) seeRuns(runs [][]cell) {
	for _, cells := range runs {
		s.seeAll(cells)
	}
}

// seeCell remembers the atom that a cell or functor mentions.
func (s *atomSweep) seeCell(c cell) {
	switch {
	case c.Tag() == code.Atom:
		s.see(c.Atom())
	case c.IsFunctor():
		s.see(c.FunctorAtom())
	}
}

// eachAtom visits the atoms in a run of cells, among which blobs may be.
func eachAtom(cells []cell, visit func(n uint32)) {
	for i := 0; i < len(cells); i++ {
		switch c := cells[i]; {
		case c.Tag() == code.Atom:
			visit(c.Atom())
		case c.IsFunctor():
			visit(c.FunctorAtom())
		case c.Tag() == code.Hdr:
			i += c.BlobWords()
		}
	}
}

// seeMachine remembers the atoms on heap and stacks. Numbers on the stacks are taken for cells,
// which keeps an atom too many now and then.
func (s *atomSweep) seeMachine(m *Machine) {
	s.seeAll(m.heap[1:m.h])
	for _, stack := range [][]cell{
		m.envs[:max(m.etop, m.betop)], m.choices[:m.choicesTop()], m.trail[:m.tr], {m.wakeGoals},
	} {
		for _, c := range stack {
			s.seeCell(c)
		}
	}
	for _, c := range m.globals {
		s.seeCell(c)
	}
	for _, f := range m.cleanups {
		s.seeRuns(f.heldCells())
	}
	for _, f := range m.alarms.signals {
		s.seeRuns(f.heldCells())
	}
}
