package machine

import (
	"sync"
	"time"
)

// This file defines when garbage is collected, from which roots, and how large the heap is afterwards.
//
// The collector marks and slides: live words keep their order, so that choice points stay segments of the heap and age
// can be told from addresses. A word's new address is the number of live words below it, found with a bitmap and one
// count for each of its words (Jonkers 1979 for sliding without a second field a cell; the bitmap as in Abuaiadh et al.
// 2004). Choice points are marked from the newest to the oldest; on the way the trail is tidied and variables that only
// backtracking could reach are reset early (Appleby et al. 1988).
//
// Slots of environments are doubtful roots: one that is assigned after a choice point holds a stale value once the
// machine has backtracked there, until its clause assigns it again. So the marker believes no pointer before it has
// looked where it leads, and nothing that it keeps by mistake can harm what is kept rightly: each live word is moved by
// what its own tag says, and a header of raw words is taken for one only if it stands outside all others.

// gcState is what the collector remembers between collections.
type gcState struct {
	goal      int                 // heap size, slack included, up to which not to collect; 0 stands for minGrowth
	held      map[uint32]struct{} // atoms in terms that Go values keep, see holdAtoms
	atomFloor int                 // atomBytes after the last look for dead atoms
	gone      *goneAtoms          // some of the atoms given back; nil before there are any
	patience  int                 // growth to allow, in multiples of the live heap; 0 stands for 1
	kept      int                 // heap size after the last collection
	ended     time.Time
}

// minGrowth is the least number of cells to build between two collections: few enough to stay
// in the processor's cache, and many enough to make a collection's fixed cost vanish.
const minGrowth = 48 << 10

// collectors are shared by all machines, so that a machine at rest holds no bitmaps.
var collectors = sync.Pool{New: func() any { return new(collector) }}

// collect removes what the run cannot reach any more from heap and trail. It may be called at calls only; live is the
// number of argument registers in use. It returns a resource error when what is left exceeds the memory limit.
func (m *Machine) collect(live int) error {
	start := time.Now()
	m.stats.HeapPeak = max(m.stats.HeapPeak, 8*m.h)
	g := collectors.Get().(*collector)
	g.begin(m)
	g.markRoots(live)
	built := m.h
	m.h = g.count()
	m.gc.survived(built, m.h)
	g.slide()
	g.moveRoots(live)
	g.end()
	m.releaseAtoms(live)
	m.gc.goal = m.heapGoal(m.h)
	m.fitStacks()
	m.setSoft()
	m.stats.HeapBytes = 8 * m.h
	m.stats.Collections++
	m.stats.GCTime += m.gc.timed(start)
	if m.used() > m.limitBytes() {
		return m.ResourceError("memory")
	}
	return nil
}

// collectAt returns the heap top from which to collect.
func (m *Terms) collectAt() int {
	goal := m.gc.goal
	if goal == 0 { // a bound from the start, for built-ins grow the array without collecting
		goal = minGrowth
	}
	return min(goal, len(m.heap)) - slack
}

// collectionDue reports, at a call, whether to collect.
func (m *Machine) collectionDue() bool {
	return m.h > m.collectAt() || m.used() > m.limitBytes() || m.atomsDue() || m.stress.collects()
}

// The share of running time that collections should take at most, and the share below which
// they may come more often again, both as divisors.
const (
	dearShare  = 8
	cheapShare = 32
)

// maxPatience bounds how many times its live size a heap grows between collections.
const maxPatience = 4

// timed notes a collection that began at start, and returns how long it took. A run that spends
// too much of its time on collections gets them less often.
func (s *gcState) timed(start time.Time) time.Duration {
	now := time.Now()
	took, ran := now.Sub(start), start.Sub(s.ended)
	switch s.patience = max(s.patience, 1); {
	case took*dearShare > ran:
		s.patience = min(2*s.patience, maxPatience)
	case took*cheapShare < ran:
		s.patience = max(s.patience/2, 1)
	}
	s.ended = now
	return took
}

// survived notes how large the heap was before a collection and is now. When most of what had been built is still there
// the collection was in vain, and the next one can wait: what is built until then is likely to stay too.
func (s *gcState) survived(before, now int) {
	built := before - s.kept
	if built > 0 && now-s.kept > built-built/4 {
		s.patience = maxPatience
	}
	s.kept = now
}

// fitStacks makes the heap as large as the goal says, and gives back what heap and stacks do not need any more.
func (m *Machine) fitStacks() {
	if m.stress == StressGrow {
		return
	}
	goal, mem := m.gc.goal, m.memory
	if goal > len(m.heap) {
		m.heap = mem.heap.grow(m.heap, goal, m.mostCells())
	}
	m.heap = mem.heap.fit(m.heap, goal)
	m.envs = mem.envs.fit(m.envs, 2*max(m.etop, m.betop, smallStack))
	m.choices = mem.choices.fit(m.choices, 2*max(m.choicesTop(), smallStack))
	m.trail = mem.trail.fit(m.trail, 2*max(m.tr, smallStack))
}

// heapGoal returns how large a heap of which kept cells are live may grow until the next collection: to twice that, or
// more when the other stacks, which a collection reads as well, are larger or collections have been dear. More than
// twice takes at most half of the memory that is left. Near the limit it is less, but never so little that collections
// follow each other closely.
func (m *Machine) heapGoal(kept int) int {
	others := m.etop + m.choicesTop() + m.tr
	growth := max(kept, others, minGrowth)
	left := (m.limitBytes()-m.atomBytes-m.extraBytes)/8 - others - kept
	growth = max(growth, min(growth*m.gc.patience, left/2))
	return kept + max(min(growth, left), kept/16, slack) + slack
}
