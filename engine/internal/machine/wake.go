package machine

import (
	"maps"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines how a call is put off while something else runs first: the goals of
// attributed variables that have been bound, and cleanup goals.

// The environment of a call put off: where to go on, the cut barrier and continuation there,
// the number of argument registers and the registers themselves.
const (
	putOffP = iota
	putOffB0
	putOffCP
	putOffN
	putOffArgs
)

// suspendCall saves the first n registers and m.p in an environment from which OpResume goes
// on, and makes that the continuation. live is the number of slots in use of the current
// environment when m.p is inside the clause that owns it, or -1 at a call.
func (m *Machine) suspendCall(n, live int) {
	p, b0, cp := m.p, m.b0, m.cp
	if live >= 0 {
		m.cp = addrStubs + 2*live + 1 // tells the collector, as no call stands before cp
	}
	m.pushFrame(n + putOffArgs)
	y := m.envs[m.e+envY:]
	y[putOffP], y[putOffB0] = code.MakeInt(int64(p)), code.MakeInt(int64(b0))
	y[putOffCP], y[putOffN] = code.MakeInt(int64(cp)), code.MakeInt(int64(n))
	for i := range n {
		y[putOffArgs+i] = keep(m.x[i])
	}
	m.cp = addrStubs + 2*(n+putOffArgs) + 1
}

// resumeCall goes on with the call that suspendCall put off.
func (m *Machine) resumeCall() {
	y := m.envs[m.e+envY:]
	n := int(y[putOffN].Int())
	m.p, m.b0 = int(y[putOffP].Int()), int(y[putOffB0].Int())
	cp := int(y[putOffCP].Int())
	copy(m.x[:n], y[putOffArgs:putOffArgs+n])
	m.popFrame()
	m.cp = cp
}

// queueWake notes that an attributed variable with the given attributes gets a value.
func (m *Terms) queueWake(attrs, value cell) {
	m.addWaiting(m.NewStruct("$wakeup", attrs, value))
}

// addWaiting queues a goal to be called before the next call, unless backtracking comes first.
func (m *Terms) addWaiting(goal cell) {
	if m.wake {
		goal = m.NewCompound(code.FComma, []cell{m.wakeGoals, goal})
	}
	m.wake, m.wakeGoals = true, goal
	m.hSoft = -1 // leave the loop at the next call
}

// waiting reports whether goals are to run before the next call.
func (m *Terms) waiting() bool { return m.wake || len(m.cleanups) > 0 }

// startWake puts off the call at m.p with m.live arguments and calls the waiting goals.
func (m *Machine) startWake() { m.startWakeIn(-1) }

// startWakeIn is startWake inside a clause with live slots in use, see suspendCall.
func (m *Machine) startWakeIn(live int) {
	m.suspendCall(m.live, live)
	m.x[0] = m.takeWaiting()
	m.p = int(m.system("call", 1).Entry)
	m.code = m.program.Code()
	m.b0 = m.b
	m.setSoft()
}

// wakeFirst calls the waiting goals before the instruction at m.p: before a cut, as they may fail, before
// a choice point, as they belong before it, before the end of catch/3, as they belong in it. Clauses with
// very large environments do without.
func (m *Machine) wakeFirst() {
	w := m.code[m.p]
	if live := w.BC() - 1; live <= maxArgs {
		m.live = min(int(w.A()), maxArgs)
		m.startWakeIn(live)
		return
	}
	m.p++
	switch w.Op() {
	case code.OpSoftCut:
		m.softCut(int(m.envs[m.e+envY+w.Imm()].Int()))
	case code.OpCutTo:
		m.cutNow(m.cutTarget)
	case code.OpMark:
		m.envs[m.e+envY+w.Imm()] = code.MakeInt(int64(m.b))
	case code.OpSettle:
	default:
		m.cutNow(m.b0)
	}
}

// deepen makes a choice point of the shallow choice whose cut is before m.p, because goals wait
// that must run before the cut. Its alternative is kept as a further argument.
func (m *Machine) deepen() {
	m.p--
	arity := m.program.ClauseAt(uint32(m.p)).Pred.Arity()
	last := m.x[arity]
	m.x[arity] = code.MakeInt(int64(m.elseP))
	m.pushChoice(arity+1, addrShallow)
	m.x[arity] = last
	m.choices[m.b+choiceTR], m.choices[m.b+choiceH] = cell(m.shallowTR), cell(m.shallowH)
	m.hb, m.shallow = m.shallowH, false
}

// failShallow goes on at the alternative of a choice point that deepen has made.
func (m *Machine) failShallow() {
	n := m.restoreArgs()
	m.p = int(m.x[n-1].Int())
	m.dropChoice()
	m.b0 = m.b
}

// takeWaiting returns the conjunction of the waiting goals and forgets them.
func (m *Machine) takeWaiting() cell {
	goal := code.ATrue
	if m.wake {
		goal = m.wakeGoals
		m.wake, m.wakeGoals = false, 0
	}
	if lost := m.cleanups[:len(m.cleanups)-m.liveCleanups]; len(lost) > 0 {
		list := make([]cell, len(lost))
		for i, f := range lost {
			list[i] = m.thaw(f)
		}
		goal = m.NewCompound(code.FComma,
			[]cell{m.NewStruct("$run_cleanups", m.List(list, code.ANil), m.NewAtom("quiet")), goal})
	}
	m.cleanups, m.liveCleanups = m.cleanups[:0], 0
	return goal
}

// PutAttributes gives a variable attributes, or an attributed variable others; backtracking
// restores the old ones. v must be a dereferenced variable.
func (m *Terms) PutAttributes(v, attrs cell) {
	if v.Tag() == code.Att {
		m.assign(v.Addr()+1, keep(m.Deref(attrs)))
		return
	}
	m.Room(2)
	at := m.h
	m.push(code.MakeAtt(at))
	m.push(keep(attrs))
	m.bind(v, code.MakeRef(at))
}

// Attributes returns the attributes of a dereferenced variable; ok is false if it has none.
func (m *Terms) Attributes(v cell) (attrs cell, ok bool) {
	if v.Tag() != code.Att {
		return 0, false
	}
	return m.heap[v.Addr()+1], true
}

// SetArg replaces argument i, from 0, of a dereferenced compound. Without backtrackable the
// new value is a copy and stays.
func (m *Terms) SetArg(c cell, i int, v cell, backtrackable bool) {
	at := m.ArgAddr(c, i)
	v = keep(m.Deref(v))
	if backtrackable {
		m.assign(at, v)
		return
	}
	if v.IsPointer() {
		v = keep(m.Deref(m.CopyTerm(v, true)))
		m.protect()
	}
	m.heap[at] = v
}

// protect keeps what is on the heap now from being cut off by backtracking: destructive
// assignment has made older cells point to it.
func (m *Terms) protect() {
	for b := m.b; b != 0; b = int(m.choices[b+choicePrev]) {
		m.choices[b+choiceH] = cell(m.h)
	}
	m.hb = m.h
}

// SetGlobal gives a global variable a value. Without backtrackable it is a copy and stays.
func (m *Machine) SetGlobal(name string, v cell, backtrackable bool) {
	holder, ok := m.globals[name]
	if !ok {
		holder = m.newGlobal(name)
	}
	m.SetArg(holder, 0, v, backtrackable)
}

// newGlobal makes the holder of a global variable: a list cell that backtracking spares.
func (m *Machine) newGlobal(name string) cell {
	if m.globals == nil {
		m.globals = map[string]cell{}
	}
	holder := m.NewList(code.ANil, code.ANil)
	m.protect()
	m.globals[name] = holder
	m.holdEntry(name, 0)
	return holder
}

// Global returns the value of a global variable.
func (m *Machine) Global(name string) (v cell, ok bool) {
	holder, ok := m.globals[name]
	if !ok {
		return 0, false
	}
	return m.Arg(holder, 0), true
}

// GlobalNames returns the names of the global variables in order.
func (m *Machine) GlobalNames() []string { return slices.Sorted(maps.Keys(m.globals)) }
