package machine

import (
	"math/bits"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines the roots of a collection: registers, environments, choice points, trail.

// markRoots marks everything that the run can still reach. What it reaches by going on comes first. What it
// reaches by backtracking follows, from the newest choice point to the oldest.
func (g *collector) markRoots(live int) {
	m := g.m
	g.markExact(m.x[:live])
	g.markExact([]cell{m.wakeGoals, m.rights.switched})
	for _, c := range m.globals {
		g.markExact([]cell{c})
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

// markExact marks from roots that are beyond doubt.
func (g *collector) markExact(roots []cell) {
	g.exact = true
	for _, c := range roots {
		if c.IsPointer() {
			g.mark(c)
		}
	}
	g.exact = false
}

// markChoice marks what a choice point brings back: the saved arguments and the environments.
func (g *collector) markChoice(b int) {
	m := g.m
	g.markExact(m.choiceSaved(b))
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
	if n := int(m.choices[b+choiceArity] &^ choiceNamed >> 16); n > 0 {
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
		case c.Addr() >= top || !g.plausible(c):
			envs[i] = code.MakeInt(0)
		default:
			g.slots[i>>6] |= bit
			g.mark(c)
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
	if !g.marked(a) {
		g.heap[a] = old
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
			g.markExact(trail[i : i+1])
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
	m.wakeGoals, m.rights.switched = g.moved(m.wakeGoals), g.moved(m.rights.switched)
	for name, c := range m.globals {
		m.globals[name] = g.moved(c)
	}
	g.moveSlots()
	for b := m.b; b != 0; b = int(m.choices[b+choicePrev]) {
		g.moveAll(m.choiceSaved(b))
		m.choices[b+choiceH] = cell(g.movedAddr(int(m.choices[b+choiceH])))
	}
	m.hb = g.movedAddr(m.hb)
	g.moveTrail()
}

// moveAll changes pointers to where their terms are after the slide.
func (g *collector) moveAll(cells []cell) {
	for i, c := range cells {
		cells[i] = g.moved(c)
	}
}

// moveSlots changes the slots of environments that were found to be live. Others may hold anything and stay.
func (g *collector) moveSlots() {
	for i, set := range g.slots {
		for ; set != 0; set &= set - 1 {
			at := i<<6 + bits.TrailingZeros64(set)
			g.m.envs[at] = g.moved(g.m.envs[at])
		}
	}
}

// moveTrail changes the trail. An entry is an address, or an address above an old value; the tag tells which. It is
// read from the top, because the tag is in the upper word.
func (g *collector) moveTrail() {
	trail := g.m.trail
	for i := g.m.tr - 1; i >= 0; i-- {
		entry := trail[i]
		trail[i] = cell(g.movedAddr(entry.Addr()))<<3 | entry.Tag()
		if entry.Tag() != code.Ref {
			i--
			trail[i] = g.moved(trail[i])
		}
	}
}
