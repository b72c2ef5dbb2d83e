package stacks

import (
	"fmt"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/gc"
)

// This file defines a check of the heap's invariants after a collection, and how tests make rare events frequent. Both
// are slow and meant for tests, see [StressVerify].

// Verify checks that every pointer that the run can reach leads to a target of the right kind, and that stacks and heap
// agree. live is the number of argument registers in use.
func (m *Terms) Verify(live int, roots Roots) error {
	v := &verifier{m, gc.NewCheck(m.Heap[:m.H]), roots}
	steps := []func() error{
		v.stacks,
		func() error { return v.all("X", m.X[:live]) },
		func() error { return v.all("wake-up", []cell{m.WakeGoals}) },
		v.globals, v.environments, v.choices, v.trail,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return fmt.Errorf("heap check after collection %d: %w", m.Done.Collections, err)
		}
	}
	return nil
}

// verifier walks over all reachable cells.
type verifier struct {
	m     *Terms
	check *gc.Check
	roots Roots
}

// stacks checks that the tops of the stacks are in order.
func (v *verifier) stacks() error {
	m := v.m
	if m.H >= len(m.Heap) || m.HSoft > len(m.Heap) || m.HB > m.H || m.TR > len(m.Trail) {
		return fmt.Errorf("tops: h %d hb %d soft %d of %d, tr %d of %d",
			m.H, m.HB, m.HSoft, len(m.Heap), m.TR, len(m.Trail))
	}
	h, tr := m.H, m.TR
	for b := m.B; b != 0; b = int(m.Choices[b+ChoicePrev]) {
		f := m.Choices[b:]
		if int(f[ChoicePrev]) >= b || int(f[ChoiceH]) > h || int(f[ChoiceTR]) > tr {
			return fmt.Errorf("choice point %d: prev %d, h %d above %d, tr %d above %d",
				b, f[ChoicePrev], f[ChoiceH], h, f[ChoiceTR], tr)
		}
		h, tr = int(f[ChoiceH]), int(f[ChoiceTR])
	}
	return nil
}

// globals checks the values of global variables.
func (v *verifier) globals() error {
	for name, c := range v.roots.Globals {
		if err := v.all("global "+name, []cell{c}); err != nil {
			return err
		}
	}
	return nil
}

// environments checks all live slots: fully if the collector was strict with them, otherwise only that they do not
// point outside of the heap.
func (v *verifier) environments() (err error) {
	m := v.m
	seen := make([]uint64, len(m.Envs)>>6+1)
	slots := func(start, end int) {
		for i := start; i < end && err == nil; i++ {
			c := m.Envs[i]
			if m.Stress == StressVerify {
				err = v.check.Reach(c)
			} else if c.IsPointer() && c.Addr() >= m.H {
				err = fmt.Errorf("bad pointer %x", c)
			}
			if err != nil {
				err = fmt.Errorf("slot at %d of the environment at %d: %w", i, start-EnvY, err)
			}
		}
	}
	m.EachEnv(m.E, m.LiveSlots(m.CP), seen, slots)
	for b := m.B; b != 0; b = int(m.Choices[b+ChoicePrev]) {
		m.EachEnv(int(m.Choices[b+ChoiceE]), m.ChoiceLive(b), seen, slots)
	}
	return err
}

// choices checks the saved argument registers of choice points.
func (v *verifier) choices() error {
	m := v.m
	for b := m.B; b != 0; b = int(m.Choices[b+ChoicePrev]) {
		if err := v.all(fmt.Sprintf("argument of choice point %d", b), m.choiceSaved(b)); err != nil {
			return err
		}
	}
	return nil
}

// trail checks that addresses are on the heap and old values are terms.
func (v *verifier) trail() error {
	trail := v.m.Trail
	for i := v.m.TR - 1; i >= 0; i-- {
		entry := trail[i]
		if entry.Addr() >= v.m.H || entry.Tag() > 1 {
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

// all checks all cells reachable from some cells.
func (v *verifier) all(what string, cells []cell) error {
	for i, c := range cells {
		if err := v.check.Reach(c); err != nil {
			return fmt.Errorf("%s %d: %w", what, i, err)
		}
	}
	return nil
}

// StressMode makes rare actions of the machine frequent, to find code that does not expect them.
type StressMode uint8

// StressGrow gives heap and stacks no spare room, so that nearly every step that needs room moves them to larger
// arrays. StressCollect collects at every safe point; StressVerify checks the heap's invariants after each collection
// as well.
const (
	StressNone StressMode = iota
	StressGrow
	StressCollect
	StressVerify
)

// collects reports whether there is a collection at every safe point. Such a mode hides the errors that StressGrow
// shows, as each call leaves the loop.
func (s StressMode) collects() bool { return s >= StressCollect }

// Crowd moves heap and stacks to arrays without spare room, before an exit of the loop is handled. Large ones are moved
// only at some exits. Environments that are about to grow keep their room, as doubling it once may not suffice.
func (m *Terms) Crowd(envs bool) {
	const atOnce = 1 << 12
	m.crowded++
	if m.crowded%(1+(m.H+m.Etop+m.ChoicesTop()+m.TR)/atOnce) != 0 {
		return
	}
	m.Heap = moved(m.Heap, m.H)
	m.SetSoft()
	if envs {
		m.Envs = moved(m.Envs, m.Etop)
	}
	m.Choices = moved(m.Choices, m.ChoicesTop()+ChoiceRoom)
	m.Trail = moved(m.Trail, max(m.TR, 8))
}

// crowdedSize is the size of a heap that must have n cells. A built-in gets no more than that, unless copying
// the heap at each growth would take very long. Compiled code gets some spare room, as otherwise each call would leave
// the loop.
func (m *Terms) crowdedSize(n int) int {
	const large = 1 << 13
	switch {
	case n >= m.H+Slack:
		return n + Slack
	case n >= large:
		return n + n/32
	}
	return n
}

// grown returns the array of a heap or stack with size cells.
func (m *Terms) grown(s *stackMemory, array []cell, size int) []cell {
	if m.Stress == StressGrow {
		return moved(array, size)
	}
	return s.grow(array, size, m.mostCells())
}

// moved returns a copy of an array with size cells, so that later writes to the old array are lost.
func moved(array []cell, size int) []cell {
	to := make([]cell, size)
	copy(to, array)
	return to
}
