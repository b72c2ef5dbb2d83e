package machine

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines unifiers: the bindings that would make terms equal.

// Unifier returns the bindings that would make a and b equal, as pairs variable, value; ok is
// false when nothing would, or they would be cyclic and that is not wanted. It leaves the terms as they were.
func (m *Machine) Unifier(a, b cell, cyclic bool) (pairs []cell, ok bool) {
	mark, hb, wake, goals := m.TR, m.HB, m.Wake, m.WakeGoals
	m.HB = m.H // trail everything
	ok = m.Unify(a, b) && (cyclic || m.IsAcyclic(a))
	m.HB = hb
	if most := 2 * (m.TR - mark); ok {
		m.PollHolding(stacks.CellBytes * most)
		pairs = make([]cell, 0, most)
	}
	for i := m.TR - 1; ok && i >= mark; i-- {
		at := m.Trail[i].Addr()
		if m.Trail[i].Tag() != code.Ref {
			i-- // the old value
		}
		pairs = append(pairs, code.MakeRef(at), stacks.Keep(m.Heap[at]))
	}
	m.UndoTrail(mark)
	m.Wake, m.WakeGoals = wake, goals
	return pairs, ok
}

// OccursError returns the error of the flag occurs_check for the bindings of a unifier, as Unifier lists them: its
// culprits are the first variable whose value would contain it, and that value. It returns nil if there is none.
func OccursError(m *Machine, pairs []cell, context cell) error {
	mark, hb, wake, goals := m.TR, m.HB, m.Wake, m.WakeGoals
	m.HB = m.H // trail everything
	var culprits []cell
	for i := len(pairs) - 2; i >= 0 && culprits == nil; i -= 2 {
		v, value := m.Deref(pairs[i]), m.Deref(pairs[i+1])
		switch {
		case v == value:
		case stacks.IsCompound(value) && !m.Walk(value, stacks.Unnoted, func(c cell) bool { return c != v }):
			culprits = []cell{v, value}
		default:
			m.Bind(v, value)
		}
	}
	m.HB = hb
	m.UndoTrail(mark)
	m.Wake, m.WakeGoals = wake, goals
	if culprits == nil {
		return nil
	}
	return m.Throw(m.NewStruct("error", m.NewStruct("occurs_check", culprits...), context))
}
