package stacks

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines attributed variables, the goals that wait for the next call, and values that backtracking does not
// restore.

// queueWake notes that an attributed variable with the given attributes gets a value.
func (m *Terms) queueWake(attrs, value cell) { m.AddWaiting(m.NewStruct("$wakeup", attrs, value)) }

// AddWaiting queues a goal to be called before the next call, unless backtracking comes first.
func (m *Terms) AddWaiting(goal cell) {
	if m.Wake {
		goal = m.NewCompound(code.FComma, []cell{m.WakeGoals, goal})
	}
	m.Wake, m.WakeGoals = true, goal
	m.HSoft = -1 // leave the loop at the next call
}

// Waiting reports whether goals are to run before the next call.
func (m *Terms) Waiting() bool { return m.Wake || len(m.Cleanups) > 0 || m.Signalled() }

// Signalled reports whether goals of alarms are to be called.
func (m *Terms) Signalled() bool { return len(m.Signals) > 0 && m.SignalsHeld == 0 }

// PutAttributes sets the attributes of a variable; backtracking restores the old ones. v must be a dereferenced
// variable.
func (m *Terms) PutAttributes(v, attrs cell) {
	if v.Tag() == code.Att {
		m.assign(v.Addr()+1, Keep(m.Deref(attrs)))
		return
	}
	m.Room(2)
	at := m.H
	m.Push(code.MakeAtt(at))
	m.Push(Keep(attrs))
	m.Bind(v, code.MakeRef(at))
}

// Attributes returns the attributes of a dereferenced variable; ok is false if it has none.
func (m *Terms) Attributes(v cell) (attrs cell, ok bool) {
	if v.Tag() != code.Att {
		return 0, false
	}
	return m.Heap[v.Addr()+1], true
}

// SetArg replaces argument i, from 0, of a dereferenced compound. Without backtrackable the
// new value is a copy and stays.
func (m *Terms) SetArg(c cell, i int, v cell, backtrackable bool) {
	v = Keep(m.Deref(v))
	switch {
	case backtrackable:
		m.assign(m.ArgAddr(c, i), v)
	case v.IsPointer():
		m.Heap[m.ArgAddr(c, i)] = m.thawForGood(m.CopyOut(v, true), m.ArgAddr(c, i))
	default:
		m.Heap[m.ArgAddr(c, i)] = v
	}
}

// LinkArg replaces argument i, from 0, of a dereferenced compound by v, for good. Sharing of v with other terms
// remains. Backtracking undoes trailed bindings in v.
func LinkArg(m *Terms, c cell, i int, v cell) {
	if v = Keep(m.Deref(v)); v.IsPointer() {
		m.Protect(m.ArgAddr(c, i))
	}
	m.Heap[m.ArgAddr(c, i)] = v
}

// Protect prevents backtracking from removing the current heap, as a destructive assignment has made the older cell at
// an address point to it. It skips choice points older than the cell, since backtracking to them removes the cell too.
func (m *Terms) Protect(addr int) (raised int) {
	for b := m.B; b != 0 && int(m.Choices[b+ChoiceH]) > addr; b = int(m.Choices[b+ChoicePrev]) {
		m.Choices[b+ChoiceH] = cell(m.H)
		m.HB = m.H
		raised++
	}
	return raised
}

// lastingRoom is room on the heap below the tops of all choice points, for values that backtracking must keep. A blob
// fills it. The next collection removes it.
type lastingRoom struct{ at, end int }

// fewRaised is the number of choice points that may be raised for one value without making room for more values.
const fewRaised = 32

// thawForGood is thaw for a value of the cell at an address that backtracking to a younger choice point must keep. If
// many choice points had to be raised, it makes room for as many cells below all of them, so that later values need no
// walk over the choice points. AttributedSince does not search this room, so terms with attributed variables are not
// put there.
func (m *Terms) thawForGood(f Frozen, addr int) cell {
	l := &m.gc.lasting
	if n := len(f.Cells); l.end-l.at > n && !f.attributed() {
		v := m.thawAt(f, l.at)
		l.at += n
		m.Heap[l.at] = code.MakeBlobHeader(code.StringBlob, l.end-l.at-1, 0)
		return v
	}
	v := m.Thaw(f)
	if raised := m.Protect(addr); raised > fewRaised && l.end-l.at < raised {
		m.Room(raised)
		*l = lastingRoom{m.H, m.H + raised}
		m.Heap[m.H] = code.MakeBlobHeader(code.StringBlob, raised-1, 0)
		m.H = l.end
		m.Protect(0)
	}
	return v
}
