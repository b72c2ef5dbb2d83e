package machine

import "github.com/mcplogic/mcplogic/engine/internal/code"

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
func (m *Terms) queueWake(attrs, value cell) { m.addWaiting(m.NewStruct("$wakeup", attrs, value)) }

// CallSoon queues a goal to be called before the next call of the run, for a built-in that cannot call it itself.
func CallSoon(m *Machine, goal cell) { m.addWaiting(goal) }

// addWaiting queues a goal to be called before the next call, unless backtracking comes first.
func (m *Terms) addWaiting(goal cell) {
	if m.wake {
		goal = m.NewCompound(code.FComma, []cell{m.wakeGoals, goal})
	}
	m.wake, m.wakeGoals = true, goal
	m.hSoft = -1 // leave the loop at the next call
}

// waiting reports whether goals are to run before the next call.
func (m *Terms) waiting() bool { return m.wake || len(m.cleanups) > 0 || m.alarms.pending() }

// startWake puts off the call at m.p with m.live arguments and calls the waiting goals.
func (m *Machine) startWake() { m.startWakeIn(-1) }

// startWakeIn is startWake inside a clause with live slots in use, see suspendCall.
func (m *Machine) startWakeIn(live int) {
	m.suspendCall(m.live, live)
	m.x[0] = m.takeWaiting()
	m.p = int(m.system("call", 1).Entry)
	m.loadCode()
	m.b0 = m.b
	m.setSoft()
}

// wakeFirst calls the waiting goals before the instruction at m.p. They run before a cut, as they may fail.
// They run before a choice point and before the end of catch/3, as they belong before the one and into the
// other. Clauses with very large environments do without.
func (m *Machine) wakeFirst() {
	w := m.code[m.p]
	if m.shallow {
		m.leaveShallow()
	}
	if live := w.BC() - 1; live <= MaxArgs {
		m.live = min(int(w.A()), MaxArgs)
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
	case code.OpWake:
	default:
		m.cutNow(m.b0)
	}
}

// wakeBeforeTest calls the waiting goals, if there are some, before the test of the instruction at m.p-1. It reports
// whether the test is to be run again then. Clauses with very large environments do without.
func (m *Machine) wakeBeforeTest() bool {
	if !m.wake {
		return false
	}
	w, ok := m.liveAt(m.p - 1)
	if !ok || w.BC()-1 > MaxArgs {
		return false
	}
	m.p--
	if m.shallow {
		m.leaveShallow()
	}
	m.live = min(int(w.A()), MaxArgs)
	m.startWakeIn(w.BC() - 1)
	return true
}

// liveAt returns the OpLive for a test at an address.
func (m *Machine) liveAt(at int) (w code.Instr, ok bool) {
	c := m.program.ClauseAt(uint32(at))
	if c == nil {
		return 0, false
	}
	start := int(c.Start())
	for end := start + c.CodeSize() - 1; end > start; end-- {
		w = m.code[end]
		if w.Op() != code.OpLive {
			break
		}
		if start+w.Imm() <= at {
			return w, true
		}
	}
	return 0, false
}

// leaveShallow makes a choice point of the shallow choice of the clause at m.p, because goals wait.
func (m *Machine) leaveShallow() {
	if m.tryArgs == 0 {
		m.deepen()
		return
	}
	f := m.choices[m.choicesTop():]
	f[choicePrev], f[choiceAlt] = cell(m.b), cell(m.tryAlt)
	f[choiceE], f[choiceCP] = cell(m.e), cell(m.cp)
	f[choiceTR], f[choiceH] = cell(m.shallowTR), cell(m.shallowH)
	f[choiceEtop], f[choiceObjs] = cell(m.etop), cell(len(m.objs))
	f[choiceArity] = cell(m.tryArgs)
	m.b, m.hb, m.betop = m.choicesTop(), m.shallowH, m.etop
	m.shallow = false
	if len(f) < 3*choiceRoom {
		m.growChoices()
	}
}

// deepen makes a choice point of the shallow choice of the clause at m.p, whose alternative is kept as a further
// argument.
func (m *Machine) deepen() {
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
	if m.alarms.pending() {
		goal = m.NewCompound(code.FComma, []cell{m.takeSignals(), goal})
	}
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

// AttributedSince returns the attributed variables that have been made since a compound was and are unbound. The heap
// keeps the order in which terms are made.
func (m *Machine) AttributedSince(mark cell) []cell {
	var list []cell
	for i := m.Deref(mark).Addr(); i < m.h; i++ {
		m.pollAt(i, 0)
		switch c := m.heap[i]; {
		case c.Tag() == code.Hdr && !c.IsFunctor():
			i += c.BlobWords()
		case c == code.MakeAtt(i):
			list = append(list, code.MakeRef(i))
		}
	}
	return list
}

// SetArg replaces argument i, from 0, of a dereferenced compound. Without backtrackable the
// new value is a copy and stays.
func (m *Terms) SetArg(c cell, i int, v cell, backtrackable bool) {
	v = keep(m.Deref(v))
	switch {
	case backtrackable:
		m.assign(m.argAddr(c, i), v)
	case v.IsPointer():
		m.heap[m.argAddr(c, i)] = m.thawForGood(m.copyOut(v, true), m.argAddr(c, i))
	default:
		m.heap[m.argAddr(c, i)] = v
	}
}

// LinkArg replaces argument i, from 0, of a dereferenced compound by v, for good. What v shares with other terms stays
// shared. Backtracking undoes bindings in v that it has noted.
func LinkArg(m *Terms, c cell, i int, v cell) {
	if v = keep(m.Deref(v)); v.IsPointer() {
		m.protect(m.argAddr(c, i))
	}
	m.heap[m.argAddr(c, i)] = v
}

// protect keeps what is on the heap now from being cut off by backtracking: destructive assignment has made the older
// cell at an address point to it. Choice points that are older than the cell are passed over: backtracking to them cuts
// off the cell too.
func (m *Terms) protect(addr int) (raised int) {
	for b := m.b; b != 0 && int(m.choices[b+choiceH]) > addr; b = int(m.choices[b+choicePrev]) {
		m.choices[b+choiceH] = cell(m.h)
		m.hb = m.h
		raised++
	}
	return raised
}

// lastingRoom is room on the heap below the tops of all choice points, for values that backtracking is to spare. A blob
// fills it. The next collection ends it.
type lastingRoom struct{ at, end int }

// fewRaised is how many choice points may be raised for one value without making room for more values.
const fewRaised = 32

// thawForGood is thaw for the value of the cell at an address, which backtracking to a younger choice point spares.
// Where many choice points had to be raised, room for as many cells is made below all of them, so that a value costs
// no walk over them. AttributedSince does not look there, so terms with attributed variables are not put there.
func (m *Terms) thawForGood(f frozen, addr int) cell {
	l := &m.gc.lasting
	if n := len(f.cells); l.end-l.at > n && !f.attributed() {
		v := m.thawAt(f, l.at)
		l.at += n
		m.heap[l.at] = code.MakeBlobHeader(code.StringBlob, l.end-l.at-1, 0)
		return v
	}
	v := m.thaw(f)
	if raised := m.protect(addr); raised > fewRaised && l.end-l.at < raised {
		m.Room(raised)
		*l = lastingRoom{m.h, m.h + raised}
		m.heap[m.h] = code.MakeBlobHeader(code.StringBlob, raised-1, 0)
		m.h = l.end
		m.protect(0)
	}
	return v
}
