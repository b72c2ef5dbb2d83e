package machine

import (
	"math/bits"
	"sync"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/gc"
)

// This file defines when garbage is collected, from which roots, and how large the heap is afterwards. It also defines
// the roots of a collection: registers, environments, choice points, trail.
//
// Package gc marks and slides the heap. Choice points are marked from the newest to the oldest; on the way the trail is
// tidied and variables that only backtracking could reach are reset early (Appleby et al. 1988).
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
	lasting   lastingRoom
	ended     time.Time
}

// minGrowth is the least number of cells to build between two collections: few enough to stay
// in the processor's cache, and many enough to make a collection's fixed cost vanish.
const minGrowth = 48 << 10

// collector is the working memory of one collection.
type collector struct {
	gc.Heap
	m     *Machine
	slots []uint64     // a bit for each word of envs: live slots
	seen  []uint64     // a bit for each word of envs: environments that were walked
	pairs map[cell]int // where the trail keeps the old value of an address
}

// begin prepares the collection of a machine's heap.
func (g *collector) begin(m *Machine) {
	g.m = m
	g.Begin(m.heap[:m.h], m.stress == StressVerify, m.abandonCollection)
	g.slots = gc.Cleared(g.slots, len(m.envs)>>6+1)
	g.seen = gc.Cleared(g.seen, len(m.envs)>>6+1)
}

// end lets go of the machine.
func (g *collector) end() {
	g.m, g.pairs = nil, nil
	g.End()
	collectors.Put(g)
}

// abandonCollection ends a collection, and the run, when that has been cancelled.
func (m *Machine) abandonCollection() {
	if m.pollable && m.isCancelled() {
		panic(interrupted)
	}
}

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
	m.gc.lasting = lastingRoom{}
	m.h = g.Count()
	m.gc.survived(built, m.h)
	g.Slide()
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

// markRoots marks everything that the run can still reach. What it reaches by going on comes first. What it
// reaches by backtracking follows, from the newest choice point to the oldest.
func (g *collector) markRoots(live int) {
	m := g.m
	g.MarkRoots(m.x[:live])
	g.MarkRoots([]cell{m.wakeGoals, m.rights.switched})
	for _, c := range m.globals {
		g.MarkRoots([]cell{c})
	}
	g.markEnvs(m.e, m.liveSlots(m.cp), m.h)
	end, size := m.tr, m.tr
	for b := m.b; b != 0; b = int(m.choices[b+choicePrev]) {
		start := int(m.choices[b+choiceTR])
		size = g.tidyTrail(start, end, size, int(m.choices[b+choiceH]))
		m.choices[b+choiceTR] = cell(size)
		end = start
		g.markChoice(b)
	}
	g.closeTrail(size)
}

// markChoice marks what a choice point brings back: the saved arguments and the environments.
func (g *collector) markChoice(b int) {
	m := g.m
	g.MarkRoots(m.choiceSaved(b))
	g.markEnvs(int(m.choices[b+choiceE]), m.choiceLive(b), int(m.choices[b+choiceH]))
}

// choiceSaved returns the arguments saved in a choice point.
func (m *Machine) choiceSaved(b int) []cell {
	n := int(m.choices[b+choiceArity] & 0xffff)
	return m.choices[b+choiceArgs : b+choiceArgs+n]
}

// liveSlots returns how many slots of the environment are needed by the code at a return
// address: the call before it says so.
func (m *Machine) liveSlots(cp int) int {
	if cp <= 0 || cp > len(m.code) {
		return 0
	}
	if w := m.code[cp-1]; w.Op() == code.OpCall {
		return w.BC()
	}
	return 0
}

// choiceLive returns how many slots of its environment a choice point needs.
func (m *Machine) choiceLive(b int) int {
	if n := int(m.choices[b+choiceArity] &^ (choiceNamed | choiceUnsure | choiceBeside | choiceSplit) >> 16); n > 0 {
		return n - 1
	}
	return m.liveSlots(int(m.choices[b+choiceCP]))
}

// eachEnv visits the slots of an environment and of those that it returns to. Slots are given as a range of
// envs. Of the first environment only the first live slots are needed. Chains meet: behind an environment
// that was seen before, all were.
func (m *Machine) eachEnv(e, live int, seen []uint64, visit func(start, end int)) {
	for e != 0 {
		visit(e+envY, min(e+envY+live, len(m.envs)))
		if seen[e>>6]>>(e&63)&1 != 0 {
			return
		}
		seen[e>>6] |= 1 << (e & 63)
		live = m.liveSlots(int(m.envs[e+envCP]))
		e = int(m.envs[e+envE])
	}
}

// markEnvs marks from a chain of environments. What lies at or above the address top is not
// there any more when they are needed.
func (g *collector) markEnvs(e, live, top int) {
	g.m.eachEnv(e, live, g.seen, func(start, end int) { g.markSlots(start, end, top) })
}

// markSlots marks from the words of envs between two indexes, and clears those that are stale.
func (g *collector) markSlots(i, end, top int) {
	envs := g.m.envs
	for ; i < end; i++ {
		c, bit := envs[i], uint64(1)<<(i&63)
		switch {
		case g.slots[i>>6]&bit != 0:
		case c.Tag() == code.Hdr: // a code address of a frame that was here
			envs[i] = code.MakeInt(0)
		case !c.IsPointer():
		case c.Addr() >= top || !g.Plausible(c):
			envs[i] = code.MakeInt(0)
		default:
			g.slots[i>>6] |= bit
			g.Mark(c)
		}
	}
}

// tidyTrail goes through the trail entries from start to end, newest first. A choice point undoes them, and
// top is the top of the heap at that choice point. Entries of cells above top are dropped. Entries of cells
// that nothing newer reaches are undone and dropped. Of several old values of one cell the oldest is kept.
// The entries that are left move up to end before index keep. The result is the new index of the first.
func (g *collector) tidyTrail(start, end, size, top int) int {
	trail, last := g.m.trail, size
	clear(g.pairs)
	for i := end; i > start; {
		i--
		entry := trail[i]
		a := entry.Addr()
		if entry.Tag() == code.Ref {
			if g.needed(a, entry, top) {
				size--
				trail[size] = entry
				delete(g.pairs, entry|1) // older values of this cell count again
			}
			continue
		}
		i--
		if !g.needed(a, trail[i], top) {
			continue
		}
		if at, ok := g.pairs[entry]; ok {
			trail[at] = trail[i]
			continue
		}
		size -= 2
		trail[size], trail[size+1] = trail[i], entry
		if g.pairs == nil {
			g.pairs = map[cell]int{}
		}
		g.pairs[entry] = size
	}
	g.markOldValues(size, last)
	return size
}

// needed reports whether the trail entry of address a has to stay. A cell that has not been
// marked yet gets its old value back at once.
func (g *collector) needed(a int, old cell, top int) bool {
	if a >= top {
		return false
	}
	if !g.Marked(a) {
		g.m.heap[a] = old
		return false
	}
	return true
}

// markOldValues marks the old values in the trail entries from start to end.
func (g *collector) markOldValues(start, end int) {
	trail := g.m.trail
	for i := end - 1; i >= start; i-- {
		if trail[i].Tag() != code.Ref {
			i--
			g.MarkRoots(trail[i : i+1])
		}
	}
}

// closeTrail moves the entries that stay, which begin at index keep, to the start of the trail.
func (g *collector) closeTrail(size int) {
	m := g.m
	copy(m.trail, m.trail[size:m.tr])
	m.tr -= size
	for b := m.b; b != 0; b = int(m.choices[b+choicePrev]) {
		m.choices[b+choiceTR] -= cell(size)
	}
}

// moveRoots gives everything that points into the heap the new addresses.
func (g *collector) moveRoots(live int) {
	m := g.m
	g.moveAll(m.x[:live])
	m.wakeGoals, m.rights.switched = g.Moved(m.wakeGoals), g.Moved(m.rights.switched)
	for name, c := range m.globals {
		m.globals[name] = g.Moved(c)
	}
	g.moveSlots()
	for b := m.b; b != 0; b = int(m.choices[b+choicePrev]) {
		g.moveAll(m.choiceSaved(b))
		m.choices[b+choiceH] = cell(g.MovedAddr(int(m.choices[b+choiceH])))
	}
	m.hb = g.MovedAddr(m.hb)
	g.moveTrail()
}

// moveAll changes pointers to where their terms are after the slide.
func (g *collector) moveAll(cells []cell) {
	for i, c := range cells {
		cells[i] = g.Moved(c)
	}
}

// moveSlots changes the slots of environments that were found to be live. Others may hold anything and stay.
func (g *collector) moveSlots() {
	for i, set := range g.slots {
		for ; set != 0; set &= set - 1 {
			at := i<<6 + bits.TrailingZeros64(set)
			g.m.envs[at] = g.Moved(g.m.envs[at])
		}
	}
}

// moveTrail changes the trail. An entry is an address, or an address above an old value; the tag tells which. It is
// read from the top, because the tag is in the upper word.
func (g *collector) moveTrail() {
	trail := g.m.trail
	for i := g.m.tr - 1; i >= 0; i-- {
		entry := trail[i]
		trail[i] = cell(g.MovedAddr(entry.Addr()))<<3 | entry.Tag()
		if entry.Tag() != code.Ref {
			i--
			trail[i] = g.Moved(trail[i])
		}
	}
}
