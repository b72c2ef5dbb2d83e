package stacks

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines how a long run releases atoms that it has made and dropped, such as texts read from a stream one
// after the other.

// HeldCells returns the cells of a frozen term.
func (f Frozen) HeldCells() [][]cell { return [][]cell{f.Cells, {f.Root}} }

// HoldAtoms keeps the atoms of a frozen term alive until the run ends: it is unknown how long the calling predicate
// keeps the term.
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

// atomsWorthwhile is the size of the run's atoms in bytes from which to search for dead ones. A table of that many
// atoms fits in the processor's cache.
const atomsWorthwhile = 1 << 18

// goneAtoms samples the texts of atoms that the run has released. If a run makes the same atoms repeatedly, such as the
// suffixes of a few thousand names, releasing them is useless, so later searches are delayed.
type goneAtoms struct {
	texts  [128]string
	next   int // the next index in texts
	given  int // number of released atoms
	factor int // the factor for atomsWorthwhile
}

// worthwhile is atomsWorthwhile for this run. g is nil if no atoms have been released.
func (g *goneAtoms) worthwhile() int {
	if g == nil {
		return atomsWorthwhile
	}
	return atomsWorthwhile * g.factor
}

// add records one of a thousand released atoms, so the sample covers more than a hundred thousand.
func (g *goneAtoms) add(text string) {
	const share, longest = 1 << 10, 1 << 8
	if g.given++; g.given%share == 0 && len(text) <= longest {
		g.texts[g.next] = text
		g.next = (g.next + 1) % len(g.texts)
	}
}

// learn counts which sampled texts are atoms of the run again.
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

// ManyAtoms reports whether the atoms of the run take so much memory that a scan of all of its cells is worthwhile.
func (m *Terms) ManyAtoms() bool {
	const cellsShare = 2 // a quarter of a cell's bytes
	return m.AtomBytes > max(m.gc.gone.worthwhile(), 2*m.gc.atomFloor, cellsShare*m.gc.kept)
}

// releaseAtoms releases the atoms of this run that no term contains any more. It releases nothing while a Go value of
// an unknown kind is on the object stack, as the value may hold terms. A Next holds terms only by [Machine.Save] and
// [Machine.Sequence].
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

// newAtomSweep returns a set that has room for the given atoms; other atoms are not recorded.
func newAtomSweep(atoms []uint32) *atomSweep {
	var top uint32
	for _, n := range atoms {
		top = max(top, n)
	}
	return &atomSweep{make([]uint64, top>>6+1)}
}

// seen reports whether an atom has been seen. Its number must have room in the set.
func (s *atomSweep) seen(n uint32) bool { return s.bits[n>>6]>>(n&63)&1 != 0 }

// see records an atom, if the set has room for its number.
func (s *atomSweep) see(n uint32) {
	if i := int(n >> 6); i < len(s.bits) {
		s.bits[i] |= 1 << (n & 63)
	}
}

// seeAll records the atoms in a run of cells, which may include blobs.
func (s *atomSweep) seeAll(cells []cell) { EachAtom(cells, s.see) }

// seeRuns is seeAll for several runs.
func (s *atomSweep) seeRuns(runs [][]cell) {
	for _, cells := range runs {
		s.seeAll(cells)
	}
}

// seeCell records the atom in a cell or functor.
func (s *atomSweep) seeCell(c cell) {
	switch {
	case c.Tag() == code.Atom:
		s.see(c.Atom())
	case c.IsFunctor():
		s.see(c.FunctorAtom())
	}
}

// EachAtom visits the atoms in a run of cells, which may include blobs.
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

// seeStacks records the atoms on heap and stacks. It treats numbers on the stacks as cells, which occasionally keeps an
// unused atom.
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
