package machine

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines which values an exception has of the clauses that were active when it was thrown. The values are
// not complete, because a clause gives up what it does not need any more. Each is copied in part only, as it may be
// of any size.

// noteValues notes the values for a trace. It is called before anything is undone.
func (m *Machine) noteValues(ex *Exception) {
	known := map[uint32]*database.Places{} // of recursive calls, which are many at one address
	places := func(at int) *database.Places {
		before := ex.trace[at]
		if p, ok := known[before]; ok {
			return p
		}
		var p *database.Places
		if c := m.program.ClauseAt(before - 1); c != nil {
			p = m.compile.Places(c, before)
		}
		known[before] = p
		return p
	}
	ex.values = make([]map[int]term.Term, len(ex.trace))
	env, own, at := m.e, false, 0
	if ex.builtin {
		at = 1
		if m.program.ClauseAt(ex.trace[0]-1) != nil {
			p := places(0)
			if p == nil {
				return // nobody knows whose environment comes first
			}
			own = p.HasEnvironment
			ex.values[0] = m.valuesOf(env, p.Slots, p.Parts)
		}
	}
	if own {
		// The next address is where an earlier goal has returned to, or that of the caller, which follows once more.
		if at+1 >= len(ex.trace) {
			return
		}
		stale := ex.trace[at] != ex.trace[at+1]
		env = int(m.envs[env+envE])
		if !stale {
			ex.values[at] = m.slotValues(env, places(at))
		}
		at++
	}
	for ; at < len(ex.trace) && env != 0; at++ {
		ex.values[at] = m.slotValues(env, places(at))
		env = int(m.envs[env+envE])
	}
}

// slotValues are the values of a clause that goes on with an environment. They are none if nobody knows the places.
func (m *Machine) slotValues(env int, p *database.Places) map[int]term.Term {
	if p == nil {
		return nil
	}
	return m.valuesOf(env, p.Slots, nil)
}

// valuesOf are the values in some slots and parts of registers that are no variables.
func (m *Machine) valuesOf(env int, slots map[int]int, parts map[int][]int) map[int]term.Term {
	values := map[int]term.Term{}
	note := func(n int, c cell) {
		if t := m.sketch(c, sketchDepth); t != nil {
			values[n] = t
		}
	}
	for n, slot := range slots {
		note(n, m.envs[env+envY+slot])
	}
	for n, path := range parts {
		if c, ok := m.partOf(m.x[path[0]], path[1:]); ok {
			note(n, c)
		}
	}
	return values
}

// partOf is an argument of an argument, and so on, of a compound.
func (m *Machine) partOf(c cell, path []int) (part cell, ok bool) {
	for _, i := range path {
		c = m.Deref(c)
		if !IsCompound(c) || i >= m.Functor(c).FunctorArity() {
			return 0, false
		}
		c = m.Arg(c, i)
	}
	return c, true
}

// The bounds of what is copied of a value.
const (
	sketchDepth = 4
	sketchItems = 8 // of a list, and arguments
)

// omitted stands for what is not copied.
const omitted = term.Atom("...")

// sketch copies the outer parts of a value, nil for a variable and for what is no term.
func (m *Machine) sketch(c cell, depth int) term.Term {
	for steps := 0; c.Tag() == code.Ref; steps++ {
		if c.Addr() >= m.h || m.heap[c.Addr()] == c || steps > m.h {
			return nil
		}
		c = m.heap[c.Addr()]
	}
	switch c.Tag() {
	case code.Atom, code.Int:
		return m.Export(c)
	case code.Blob:
		if !m.isWithin(c) {
			return nil
		}
		const most = 100 // words
		if h := m.heap[c.Addr()]; h.BlobWords() > most {
			return omitted
		}
		return m.Export(c)
	case code.Lst:
		return m.sketchList(c, depth)
	case code.Str:
		return m.sketchCompound(c, depth)
	}
	return nil
}

// isWithin reports whether a cell leads to a blob, a list or a compound on the heap. A slot may be older than what the
// heap had then.
func (m *Machine) isWithin(c cell) bool {
	heap, a := m.heap[:m.h], c.Addr()
	switch c.Tag() {
	case code.Lst:
		return isTermAt(heap, a) && isTermAt(heap, a+1)
	case code.Str:
		return isStructAt(heap, a)
	}
	return isBlobAt(heap, a)
}

// part is sketch for a part of a term.
func (m *Machine) part(c cell, depth int) term.Term {
	if depth == 0 {
		if d := m.Deref(c); d.IsPointer() && !IsVar(d) && d.Tag() != code.Blob {
			return omitted
		}
	}
	if t := m.sketch(c, depth); t != nil {
		return t
	}
	return term.NewVar("_")
}

// sketchList returns a list for a backtrace: the first items, each to a depth, with dots for the others. It returns nil
// for cells that are no list.
func (m *Machine) sketchList(c cell, depth int) term.Term {
	var items []term.Term
	for {
		if !m.isWithin(c) {
			return nil
		}
		items = append(items, m.part(m.heap[c.Addr()], depth-1))
		next := m.Deref(m.heap[c.Addr()+1])
		if next.Tag() == code.Lst && len(items) < sketchItems {
			c = next
			continue
		}
		if next.Tag() == code.Lst {
			return term.PartialList(omitted, items...)
		}
		return term.PartialList(m.part(next, depth-1), items...)
	}
}

// sketchCompound returns a compound likewise.
func (m *Machine) sketchCompound(c cell, depth int) term.Term {
	if !m.isWithin(c) {
		return nil
	}
	f := m.heap[c.Addr()]
	t := &term.Compound{Functor: term.Atom(code.AtomText(f.FunctorAtom()))}
	for i := range min(f.FunctorArity(), sketchItems) {
		t.Args = append(t.Args, m.part(m.heap[c.Addr()+1+i], depth-1))
	}
	if f.FunctorArity() > sketchItems {
		t.Args = append(t.Args, omitted)
	}
	return t
}

// mayCatch reports whether the catcher of a catch frame may fit a ball: whether their functors are the same, and those
// of their first arguments.
func (m *Machine) mayCatch(b int, ex *Exception) bool {
	catcher, ball := m.Deref(m.choices[b+choiceArgs+1]), ex.ball.root
	for {
		switch {
		case IsVar(catcher) || ball.Tag() == code.Ref || ball.Tag() == code.Att:
			return true
		case ball.Tag() == code.Atom || ball.Tag() == code.Int:
			return catcher == ball
		case catcher.Tag() != ball.Tag():
			return false
		case catcher.Tag() != code.Str:
			return true
		}
		f := m.heap[catcher.Addr()]
		if f != ex.ball.cells[ball.Addr()] {
			return false
		}
		if f.FunctorArity() == 0 {
			return true
		}
		catcher, ball = m.Deref(m.heap[catcher.Addr()+1]), ex.ball.cells[ball.Addr()+1]
	}
}

// Instance returns the head and the body of a clause with the values that are known of its variables. Others are new
// variables.
func (f Frame) Instance() (head, body term.Term) {
	x := exporter{cells: f.Clause.Cells, vars: map[int]*term.Var{}}
	head = x.head(f.Clause)
	body = x.export(f.Clause.Body)
	to := map[*term.Var]term.Term{}
	for n, v := range x.vars {
		if value := f.Values[n]; value != nil {
			to[v] = value
		}
	}
	return term.Rename(head, to), term.Rename(body, to)
}
