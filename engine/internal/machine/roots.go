package machine

import "github.com/mcplogic/mcplogic/engine/internal/stacks"

// This file defines what the machine tells the collector of package stacks: terms and atoms that are not on the stacks.

// roots returns the roots of a collection.
func (m *Machine) roots() stacks.Roots {
	return stacks.Roots{Globals: m.globals, Term: &m.rights.switched, OwnsAtoms: m.ownsAtoms(), Held: m.heldByObjs}
}

// collect removes what the run cannot reach any more from heap and trail. It may be called at calls only; live is the
// number of argument registers in use. It returns a resource error when the live data exceeds the memory limit.
func (m *Machine) collect(live int) error {
	if m.CollectFrom(live, m.roots()); m.Used() > m.LimitBytes() {
		return m.ResourceError("memory")
	}
	return nil
}

// cellHolder is implemented by Go values that keep frozen terms for the run. The collector reads their cells to find
// the atoms in them.
type cellHolder interface {
	heldCells() [][]cell
}

// heldCells returns the cells of all solutions in a bag.
func (b *bag) heldCells() [][]cell { return b.chunks }

// ownsAtoms reports whether only this machine can hold atoms that the run has made. Engines may hold each other's
// atoms, and the host of a run may hold its atoms.
func (m *Machine) ownsAtoms() bool {
	return m.host == nil && (m.team == nil || m.self == nil && len(m.team.engines) == 0)
}

// heldByObjs returns the cells of frozen terms kept by the values of the object stack. ok is false if some value cannot
// list its cells.
func (m *Machine) heldByObjs() (held [][]cell, ok bool) {
	for _, obj := range m.Objs {
		switch obj := obj.(type) {
		case cellHolder:
			held = append(held, obj.heldCells()...)
		case nil, bool, int, int64, string, *ClauseSeq, Next:
		default:
			return nil, false
		}
	}
	return held, true
}
