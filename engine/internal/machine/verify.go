package machine

import (
	"fmt"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/gc"
)

// This file defines a check of what must hold after each collection. It also defines how tests make rare events
// frequent. It is slow and meant for tests, see [StressVerify].

// verify checks that every pointer that the run can reach leads to something of the right
// kind, and that stacks and heap agree. live is the number of argument registers in use.
func (m *Machine) verify(live int) error {
	v := &verifier{m, gc.NewCheck(m.heap[:m.h])}
	steps := []func() error{
		v.stacks,
		func() error { return v.all("X", m.x[:live]) },
		func() error { return v.all("wake-up", []cell{m.wakeGoals}) },
		v.globals, v.environments, v.choices, v.trail,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return fmt.Errorf("heap check after collection %d: %w", m.stats.Collections, err)
		}
	}
	return nil
}

// verifier walks over everything that is reachable.
type verifier struct {
	m     *Machine
	check *gc.Check
}

// stacks checks that the tops of the stacks are in order.
func (v *verifier) stacks() error {
	m := v.m
	if m.h >= len(m.heap) || m.hSoft > len(m.heap) || m.hb > m.h || m.tr > len(m.trail) {
		return fmt.Errorf("tops: h %d hb %d soft %d of %d, tr %d of %d",
			m.h, m.hb, m.hSoft, len(m.heap), m.tr, len(m.trail))
	}
	h, tr := m.h, m.tr
	for b := m.b; b != 0; b = int(m.choices[b+choicePrev]) {
		f := m.choices[b:]
		if int(f[choicePrev]) >= b || int(f[choiceH]) > h || int(f[choiceTR]) > tr {
			return fmt.Errorf("choice point %d: prev %d, h %d above %d, tr %d above %d",
				b, f[choicePrev], f[choiceH], h, f[choiceTR], tr)
		}
		h, tr = int(f[choiceH]), int(f[choiceTR])
	}
	return nil
}

// globals checks the values of global variables.
func (v *verifier) globals() error {
	for name, c := range v.m.globals {
		if err := v.all("global "+name, []cell{c}); err != nil {
			return err
		}
	}
	return nil
}

// environments checks all live slots: fully if the collector was strict with them, otherwise
// only that they do not lead out of the heap.
func (v *verifier) environments() (err error) {
	m := v.m
	seen := make([]uint64, len(m.envs)>>6+1)
	slots := func(start, end int) {
		for i := start; i < end && err == nil; i++ {
			c := m.envs[i]
			if m.stress == StressVerify {
				err = v.check.Reach(c)
			} else if c.IsPointer() && c.Addr() >= m.h {
				err = fmt.Errorf("bad pointer %x", c)
			}
			if err != nil {
				err = fmt.Errorf("slot at %d of the environment at %d: %w", i, start-envY, err)
			}
		}
	}
	m.eachEnv(m.e, m.liveSlots(m.cp), seen, slots)
	for b := m.b; b != 0; b = int(m.choices[b+choicePrev]) {
		m.eachEnv(int(m.choices[b+choiceE]), m.choiceLive(b), seen, slots)
	}
	return err
}

// choices checks the argument registers that choice points have saved.
func (v *verifier) choices() error {
	m := v.m
	for b := m.b; b != 0; b = int(m.choices[b+choicePrev]) {
		if err := v.all(fmt.Sprintf("argument of choice point %d", b), m.choiceSaved(b)); err != nil {
			return err
		}
	}
	return nil
}

// trail checks that addresses are on the heap and old values are terms.
func (v *verifier) trail() error {
	trail := v.m.trail
	for i := v.m.tr - 1; i >= 0; i-- {
		entry := trail[i]
		if entry.Addr() >= v.m.h || entry.Tag() > 1 {
			return fmt.Errorf("trail entry %d: %x", i, entry)
		}
		if entry.Tag() == code.Ref {
			continue
		}
		i--
		if err := v.all(fmt.Sprintf("trail entry %d", i), trail[max(i, 0):i+1]); err != nil {
			return err
		}
	}
	return nil
}

// all checks everything reachable from some cells.
func (v *verifier) all(what string, cells []cell) error {
	for i, c := range cells {
		if err := v.check.Reach(c); err != nil {
			return fmt.Errorf("%s %d: %w", what, i, err)
		}
	}
	return nil
}

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
