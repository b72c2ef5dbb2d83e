package machine

// This file defines how tests make rare events frequent.

// StressMode makes the machine do at every opportunity what it does rarely, to find what does not expect it.
type StressMode uint8

// StressGrow gives heap and stacks no more room than they must have, so that nearly every step that needs
// some moves them to larger arrays. StressCollect collects at every safe point; StressVerify checks the
// heap's invariants after each collection as well.
const (
	StressNone StressMode = iota
	StressGrow
	StressCollect
	StressVerify
)

// collects reports whether there is a collection at every safe point. It hides what StressGrow shows:
// each call leaves the loop.
func (s StressMode) collects() bool { return s >= StressCollect }

// crowd moves heap and stacks to arrays without spare room, before an exit of the loop is handled. Large ones are moved
// at some exits only. After exitEnvs environments keep what room they have: doubling it once may not do.
func (m *Machine) crowd(why exit) {
	const atOnce = 1 << 12
	m.crowded++
	if m.crowded%(1+(m.h+m.etop+m.choicesTop()+m.tr)/atOnce) != 0 {
		return
	}
	m.heap = moved(m.heap, m.h)
	m.setSoft()
	if why != exitEnvs {
		m.envs = moved(m.envs, m.etop)
	}
	m.choices = moved(m.choices, m.choicesTop()+choiceRoom)
	m.trail = moved(m.trail, max(m.tr, 8))
}

// crowdedSize is the size of a heap that must have n cells. A built-in gets no more than that, unless copying
// the heap at each growth would take very long. Code gets some more: without it each call would leave the loop.
func (m *Terms) crowdedSize(n int) int {
	const large = 1 << 13
	switch {
	case n >= m.h+slack:
		return n + slack
	case n >= large:
		return n + n/32
	}
	return n
}

// grown returns the array of a heap or stack with size cells.
func (m *Terms) grown(s *stackMemory, array []cell, size int) []cell {
	if m.stress == StressGrow {
		return moved(array, size)
	}
	return s.grow(array, size, m.mostCells())
}

// moved returns a copy of an array with size cells, so that what is written to the old one is lost.
func moved(array []cell, size int) []cell {
	to := make([]cell, size)
	copy(to, array)
	return to
}
