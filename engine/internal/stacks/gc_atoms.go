package stacks

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines how a long run gives back atoms that it has made and forgotten, such as
// the texts that it took from a stream one after another.

// HeldCells returns the cells of a frozen term.
func (f Frozen) HeldCells() [][]cell { return [][]cell{f.Cells, {f.Root}} }

// HoldAtoms keeps the atoms of a frozen term alive until the run ends: nobody knows how long
// the predicate that asked for it keeps it.
func (m *Terms) HoldAtoms(f Frozen) {
	if m.OwnAtoms.Empty() {
		return
	}
	if m.HeldAtoms == nil {
		m.HeldAtoms = map[uint32]struct{}{}
	}
	for _, cells := range f.HeldCells() {
		EachAtom(cells, func(n uint32) { m.HeldAtoms[n] = struct{}{} })
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

// ManyAtoms reports whether the atoms of the run take so much memory that a look at all of its cells is worth while.
func (m *Terms) ManyAtoms() bool {
	const cellsShare = 2 // a quarter of a cell's bytes
	return m.AtomBytes > max(m.gc.gone.worthwhile(), 2*m.gc.atomFloor, cellsShare*m.gc.kept)
}

// releaseAtoms gives back the atoms of this run that no term mentions any more. Nothing is
// given back while a Go value of a kind not known here is on the object stack, for it may keep
// terms unseen. A Next keeps none but by [Machine.Save] and [Machine.Sequence].
func (m *Terms) releaseAtoms(live int, roots Roots) {
	if !roots.OwnsAtoms || !m.ManyAtoms() && m.Used() <= m.LimitBytes() {
		return
	}
	if held, ok := roots.Held(); ok {
		s := newAtomSweep(m.OwnAtoms.Numbers())
		s.seeRuns(held)
		s.seeAll(m.X[:live])
		s.seeStacks(m)
		for _, c := range roots.Globals {
			s.seeCell(c)
		}
		for n := range m.HeldAtoms {
			s.see(n)
		}
		if m.gc.gone == nil {
			m.gc.gone = &goneAtoms{factor: 1}
		}
		m.gc.gone.learn(m.OwnAtoms)
		m.dropAtoms(s)
	}
	m.gc.atomFloor = m.AtomBytes
}

// dropAtoms releases the atoms that a sweep has not seen.
func (m *Terms) dropAtoms(s *atomSweep) {
	m.OwnAtoms.Release(func(n uint32) bool {
		if s.seen(n) {
			return true
		}
		text := code.AtomText(n)
		m.AtomBytes -= len(text) + AtomOverhead
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
func (s *atomSweep) seeAll(cells []cell) { EachAtom(cells, s.see) }

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

// EachAtom visits the atoms in a run of cells, among which blobs may be.
func EachAtom(cells []cell, visit func(n uint32)) {
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

// seeStacks remembers the atoms on heap and stacks. Numbers on the stacks are taken for cells,
// which keeps an atom too many now and then.
func (s *atomSweep) seeStacks(m *Terms) {
	s.seeAll(m.Heap[1:m.H])
	for _, stack := range [][]cell{
		m.Envs[:max(m.Etop, m.Betop)], m.Choices[:m.ChoicesTop()], m.Trail[:m.TR], {m.WakeGoals},
	} {
		for _, c := range stack {
			s.seeCell(c)
		}
	}
	for _, c := range m.Cleanups {
		s.seeRuns(c.Goal.HeldCells())
		if c.Ball != nil {
			s.seeRuns(c.Ball.HeldCells())
		}
	}
	for _, f := range m.Signals {
		s.seeRuns(f.HeldCells())
	}
}
