package stacks

import (
	"math/bits"
	"sync"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/gc"
)

// This file defines when garbage is collected, from which roots (registers, environments, choice points, trail), and
// how large the heap is afterwards.
//
// Package gc marks and slides the heap. Choice points are marked from the newest to the oldest; meanwhile the trail is
// tidied, and variables that are only reachable by backtracking are reset early (Appleby et al. 1988).
//
// Slots of environments are doubtful roots: a slot assigned after a choice point holds a stale value after
// backtracking, until its clause assigns it again. So the marker checks the target of each pointer. Cells kept by
// mistake cannot damage live ones: each live word is moved according to its own tag, and a header of raw words counts
// only outside of all other raw words.

// gcState is the state of the collector between collections.
type gcState struct {
	goal      int        // heap size, slack included, below which not to collect; 0 stands for minGrowth
	atomFloor int        // AtomBytes after the last search for dead atoms
	gone      *goneAtoms // some of the atoms given back; nil before there are any
	patience  int        // allowed growth, in multiples of the live heap; 0 stands for 1
	kept      int        // heap size after the last collection
	lasting   lastingRoom
	ended     time.Time
}

// minGrowth is the smallest number of cells between two collections. They fit in the processor's cache, and make the
// fixed cost of a collection negligible.
const minGrowth = 48 << 10

// collector is the working memory of one collection.
type collector struct {
	gc.Heap
	m     *Terms
	roots Roots
	slots []uint64     // a bit for each word of envs: live slots
	seen  []uint64     // a bit for each word of envs: environments that were walked
	pairs map[cell]int // where the trail keeps the old value of an address
}

// begin prepares the collection of a machine's heap.
func (g *collector) begin(m *Terms, roots Roots) {
	g.m, g.roots = m, roots
	g.Begin(m.Heap[:m.H], m.Stress == StressVerify, m.abandonCollection)
	g.slots = gc.Cleared(g.slots, len(m.Envs)>>6+1)
	g.seen = gc.Cleared(g.seen, len(m.Envs)>>6+1)
}

// end drops the references to the machine.
func (g *collector) end() {
	g.m, g.roots, g.pairs = nil, Roots{}, nil
	g.End()
	collectors.Put(g)
}

// abandonCollection ends a collection, and the run, if the run has been cancelled.
func (m *Terms) abandonCollection() {
	if m.Pollable && m.IsCancelled() {
		panic(Interrupted)
	}
}

// collectors are shared by all machines, so that a machine at rest holds no bitmaps.
var collectors = sync.Pool{New: func() any { return new(collector) }}

// Roots are the roots of a collection besides the stacks.
type Roots struct {
	Globals map[string]cell // global variables
	Term    *cell           // a term that the run keeps
	// OwnsAtoms is set if nobody else holds atoms that the run has made.
	OwnsAtoms bool
	// held returns the cells of frozen terms kept by the values of the object stack; ok is false if some value cannot
	// list its cells.
	Held func() (cells [][]cell, ok bool)
}

// ForgetCollections resets the parameters learnt from earlier collections.
func (m *Terms) ForgetCollections() { m.Done, m.gc = Stats{}, gcState{} }

// CollectFrom collects with the roots of the run. It checks no limit.
func (m *Terms) CollectFrom(live int, roots Roots) {
	start := time.Now()
	m.Done.HeapPeak = max(m.Done.HeapPeak, 8*m.H)
	g := collectors.Get().(*collector)
	g.begin(m, roots)
	g.markRoots(live)
	built := m.H
	m.gc.lasting = lastingRoom{}
	m.H = g.Count()
	m.gc.survived(built, m.H)
	g.Slide()
	g.moveRoots(live)
	g.end()
	m.releaseAtoms(live, roots)
	m.gc.goal = m.heapGoal(m.H)
	m.fitStacks()
	m.SetSoft()
	m.Done.HeapBytes = 8 * m.H
	m.Done.Collections++
	m.Done.GCTime += m.gc.timed(start)
}

// collectAt returns the heap top from which to collect.
func (m *Terms) collectAt() int {
	goal := m.gc.goal
	if goal == 0 { // bounded at the start, as built-ins grow the array without collecting
		goal = minGrowth
	}
	return min(goal, len(m.Heap)) - Slack
}

// CollectionDue reports, at a call, whether to collect. OwnsAtoms is as in roots.
func (m *Terms) CollectionDue(ownsAtoms bool) bool {
	return m.H > m.collectAt() || m.Used() > m.LimitBytes() || ownsAtoms && m.ManyAtoms() || m.Stress.collects()
}

// The largest share of running time for collections, and the share below which they may become more frequent again,
// both as divisors.
const (
	dearShare  = 8
	cheapShare = 32
)

// maxPatience bounds how many times its live size a heap grows between collections.
const maxPatience = 4

// timed notes a collection that began at start, and returns how long it took. If a run spends too much of its time on
// collections they become less frequent.
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

// survived notes the sizes of the heap before and after a collection. If most new cells have survived, the collection
// was useless and the next one is delayed, as the next cells are likely to survive too.
func (s *gcState) survived(before, now int) {
	built := before - s.kept
	if built > 0 && now-s.kept > built-built/4 {
		s.patience = maxPatience
	}
	s.kept = now
}

// fitStacks sets the heap to its goal size, and releases unneeded memory of heap and stacks.
func (m *Terms) fitStacks() {
	if m.Stress == StressGrow {
		return
	}
	goal, mem := m.gc.goal, m.Memory
	if goal > len(m.Heap) {
		m.Heap = mem.heap.grow(m.Heap, goal, m.mostCells())
	}
	m.Heap = mem.heap.fit(m.Heap, goal)
	m.Envs = mem.envs.fit(m.Envs, 2*max(m.Etop, m.Betop, smallStack))
	m.Choices = mem.choices.fit(m.Choices, 2*max(m.ChoicesTop(), smallStack))
	m.Trail = mem.trail.fit(m.Trail, 2*max(m.TR, smallStack))
}

// heapGoal returns the size to which a heap with kept live cells may grow until the next collection. It is twice the
// live size, or more if the other stacks, which a collection also reads, are larger or if collections have been
// expensive. Growth beyond twice takes at most half of the remaining memory. Near the limit the goal is smaller, but
// not so small that collections become frequent.
func (m *Terms) heapGoal(kept int) int {
	others := m.Etop + m.ChoicesTop() + m.TR
	growth := max(kept, others, minGrowth)
	left := (m.LimitBytes()-m.AtomBytes-m.ExtraBytes)/8 - others - kept
	growth = max(growth, min(growth*m.gc.patience, left/2))
	return kept + max(min(growth, left), kept/16, Slack) + Slack
}

// markRoots marks everything that the run can still reach. First it marks from the current state. Then it marks what
// backtracking reaches, from the newest choice point to the oldest.
func (g *collector) markRoots(live int) {
	m := g.m
	g.MarkRoots(m.X[:live])
	g.MarkRoots([]cell{m.WakeGoals, *g.roots.Term})
	for _, c := range g.roots.Globals {
		g.MarkRoots([]cell{c})
	}
	g.markEnvs(m.E, m.LiveSlots(m.CP), m.H)
	end, size := m.TR, m.TR
	for b := m.B; b != 0; b = int(m.Choices[b+ChoicePrev]) {
		start := int(m.Choices[b+ChoiceTR])
		size = g.tidyTrail(start, end, size, int(m.Choices[b+ChoiceH]))
		m.Choices[b+ChoiceTR] = cell(size)
		end = start
		g.markChoice(b)
	}
	g.closeTrail(size)
}

// markChoice marks from a choice point: the saved arguments and the environments.
func (g *collector) markChoice(b int) {
	m := g.m
	g.MarkRoots(m.choiceSaved(b))
	g.markEnvs(int(m.Choices[b+ChoiceE]), m.ChoiceLive(b), int(m.Choices[b+ChoiceH]))
}

// choiceSaved returns the arguments saved in a choice point.
func (m *Terms) choiceSaved(b int) []cell {
	n := int(m.Choices[b+ChoiceArity] & 0xffff)
	return m.Choices[b+ChoiceArgs : b+ChoiceArgs+n]
}

// LiveSlots returns the number of environment slots that the code at a return address needs. The call before the
// address has this number.
func (m *Terms) LiveSlots(cp int) int {
	if cp <= 0 || cp > len(m.Code) {
		return 0
	}
	if w := m.Code[cp-1]; w.Op() == code.OpCall {
		return w.BC()
	}
	return 0
}

// ChoiceLive returns the number of slots of its environment that a choice point needs.
func (m *Terms) ChoiceLive(b int) int {
	if n := int(m.Choices[b+ChoiceArity] &^ (ChoiceNamed | ChoiceUnsure | ChoiceBeside | ChoiceSplit) >> 16); n > 0 {
		return n - 1
	}
	return m.LiveSlots(int(m.Choices[b+ChoiceCP]))
}

// EachEnv visits the slots of an environment and of those that it returns to. Slots are given as a range of
// envs. Of the first environment only the first live slots are needed. The walk stops at an environment that was seen
// before, as all environments behind it were too.
func (m *Terms) EachEnv(e, live int, seen []uint64, visit func(start, end int)) {
	for e != 0 {
		visit(e+EnvY, min(e+EnvY+live, len(m.Envs)))
		if seen[e>>6]>>(e&63)&1 != 0 {
			return
		}
		seen[e>>6] |= 1 << (e & 63)
		live = m.LiveSlots(int(m.Envs[e+EnvCP]))
		e = int(m.Envs[e+EnvE])
	}
}

// markEnvs marks from a chain of environments. Cells at or above the address top no longer exist when the environments
// are needed.
func (g *collector) markEnvs(e, live, top int) {
	g.m.EachEnv(e, live, g.seen, func(start, end int) { g.markSlots(start, end, top) })
}

// markSlots marks from the words of envs between two indexes, and clears those that are stale.
func (g *collector) markSlots(i, end, top int) {
	envs := g.m.Envs
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
// that nothing newer reaches are undone and dropped. Of several old values of one cell the oldest is kept. The
// remaining entries move up to end before index keep. The result is the new index of the first.
func (g *collector) tidyTrail(start, end, size, top int) int {
	trail, last := g.m.Trail, size
	clear(g.pairs)
	for i := end; i > start; {
		i--
		entry := trail[i]
		a := entry.Addr()
		if entry.Tag() == code.Ref {
			if g.needed(a, entry, top) {
				size--
				trail[size] = entry
				delete(g.pairs, entry|1) // older values of this cell matter again
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

// needed reports whether the trail entry of address a must stay. An unmarked cell gets its old value back at once.
func (g *collector) needed(a int, old cell, top int) bool {
	if a >= top {
		return false
	}
	if !g.Marked(a) {
		g.m.Heap[a] = old
		return false
	}
	return true
}

// markOldValues marks the old values in the trail entries from start to end.
func (g *collector) markOldValues(start, end int) {
	trail := g.m.Trail
	for i := end - 1; i >= start; i-- {
		if trail[i].Tag() != code.Ref {
			i--
			g.MarkRoots(trail[i : i+1])
		}
	}
}

// closeTrail moves the remaining entries, from index keep on, to the start of the trail.
func (g *collector) closeTrail(size int) {
	m := g.m
	copy(m.Trail, m.Trail[size:m.TR])
	m.TR -= size
	for b := m.B; b != 0; b = int(m.Choices[b+ChoicePrev]) {
		m.Choices[b+ChoiceTR] -= cell(size)
	}
}

// moveRoots updates all pointers into the heap to the new addresses.
func (g *collector) moveRoots(live int) {
	m := g.m
	g.moveAll(m.X[:live])
	m.WakeGoals, *g.roots.Term = g.Moved(m.WakeGoals), g.Moved(*g.roots.Term)
	for name, c := range g.roots.Globals {
		g.roots.Globals[name] = g.Moved(c)
	}
	g.moveSlots()
	for b := m.B; b != 0; b = int(m.Choices[b+ChoicePrev]) {
		g.moveAll(m.choiceSaved(b))
		m.Choices[b+ChoiceH] = cell(g.MovedAddr(int(m.Choices[b+ChoiceH])))
	}
	m.HB = g.MovedAddr(m.HB)
	g.moveTrail()
}

// moveAll updates pointers to the places of their terms after the slide.
func (g *collector) moveAll(cells []cell) {
	for i, c := range cells {
		cells[i] = g.Moved(c)
	}
}

// moveSlots updates the live slots of environments. Other slots may hold anything and stay unchanged.
func (g *collector) moveSlots() {
	for i, set := range g.slots {
		for ; set != 0; set &= set - 1 {
			at := i<<6 + bits.TrailingZeros64(set)
			g.m.Envs[at] = g.Moved(g.m.Envs[at])
		}
	}
}

// moveTrail updates the trail. An entry is an address, or an address above an old value; the tag distinguishes them.
// The trail is read from the top, because the tag is in the upper word.
func (g *collector) moveTrail() {
	trail := g.m.Trail
	for i := g.m.TR - 1; i >= 0; i-- {
		entry := trail[i]
		trail[i] = cell(g.MovedAddr(entry.Addr()))<<3 | entry.Tag()
		if entry.Tag() != code.Ref {
			i--
			trail[i] = g.Moved(trail[i])
		}
	}
}
