package machine

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines how a call is suspended while other goals run first: the goals of attributed variables that have
// been bound, and cleanup goals.

// The environment of a suspended call: where to continue, the cut barrier and continuation there, the number of
// argument registers and the registers themselves.
const (
	putOffP = iota
	putOffB0
	putOffCP
	putOffN
	putOffArgs
)

// suspendCall saves the first n registers and m.p in an environment from which OpResume continues, and makes OpResume
// the continuation. live is the number of slots in use of the current environment when m.p is inside the clause that
// owns it, or -1 at a call.
func (m *Machine) suspendCall(n, live int) {
	p, b0, cp := m.P, m.B0, m.CP
	if live >= 0 {
		m.CP = addrStubs + 2*live + 1 // tells the collector, as no call stands before cp
	}
	m.pushFrame(n + putOffArgs)
	y := m.Envs[m.E+stacks.EnvY:]
	y[putOffP], y[putOffB0] = code.MakeInt(int64(p)), code.MakeInt(int64(b0))
	y[putOffCP], y[putOffN] = code.MakeInt(int64(cp)), code.MakeInt(int64(n))
	for i := range n {
		y[putOffArgs+i] = stacks.Keep(m.X[i])
	}
	m.CP = addrStubs + 2*(n+putOffArgs) + 1
}

// resumeCall continues with the call that suspendCall has suspended.
func (m *Machine) resumeCall() {
	y := m.Envs[m.E+stacks.EnvY:]
	n := int(y[putOffN].Int())
	m.P, m.B0 = int(y[putOffP].Int()), int(y[putOffB0].Int())
	cp := int(y[putOffCP].Int())
	copy(m.X[:n], y[putOffArgs:putOffArgs+n])
	m.popFrame()
	m.CP = cp
}

// CallSoon queues a goal to be called before the next call of the run, for a built-in that cannot call it itself.
func CallSoon(m *Machine, goal cell) { m.AddWaiting(goal) }

// startWake suspends the call at m.p with m.live arguments and calls the waiting goals.
func (m *Machine) startWake() { m.startWakeIn(-1) }

// startWakeIn is startWake inside a clause with live slots in use, see suspendCall.
func (m *Machine) startWakeIn(live int) {
	m.suspendCall(m.Live, live)
	m.X[0] = m.takeWaiting()
	m.P = int(m.system("call", 1).Entry)
	m.loadCode()
	m.B0 = m.B
	m.SetSoft()
}

// wakeFirst calls the waiting goals before the instruction at m.p. They run before a cut, as they may fail.
// They also run before a choice point is pushed, as they precede it, and before the end of catch/3, as they belong
// inside. In clauses with very large environments they run later.
func (m *Machine) wakeFirst() {
	w := m.Code[m.P]
	if m.Shallow {
		m.leaveShallow()
	}
	if live := w.BC() - 1; live <= MaxArgs {
		m.Live = min(int(w.A()), MaxArgs)
		m.startWakeIn(live)
		return
	}
	m.P++
	switch w.Op() {
	case code.OpSoftCut:
		m.softCut(int(m.Envs[m.E+stacks.EnvY+w.Imm()].Int()))
	case code.OpCutTo:
		m.cutNow(m.CutTarget)
	case code.OpMark:
		m.Envs[m.E+stacks.EnvY+w.Imm()] = code.MakeInt(int64(m.B))
	case code.OpWake:
	default:
		m.cutNow(m.B0)
	}
}

// wakeBeforeTest calls the waiting goals, if there are some, before the test of the instruction at m.p-1. It reports
// whether the test must then be run again. In clauses with very large environments they run later.
func (m *Machine) wakeBeforeTest() bool {
	if !m.Wake {
		return false
	}
	w, ok := m.liveAt(m.P - 1)
	if !ok || w.BC()-1 > MaxArgs {
		return false
	}
	m.P--
	if m.Shallow {
		m.leaveShallow()
	}
	m.Live = min(int(w.A()), MaxArgs)
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
		w = m.Code[end]
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
	if m.TryArgs == 0 {
		m.deepen()
		return
	}
	f := m.Choices[m.ChoicesTop():]
	f[stacks.ChoicePrev], f[stacks.ChoiceAlt] = cell(m.B), cell(m.TryAlt)
	f[stacks.ChoiceE], f[stacks.ChoiceCP] = cell(m.E), cell(m.CP)
	f[stacks.ChoiceTR], f[stacks.ChoiceH] = cell(m.ShallowTR), cell(m.ShallowH)
	f[stacks.ChoiceEtop], f[stacks.ChoiceObjs] = cell(m.Etop), cell(len(m.Objs))
	f[stacks.ChoiceArity] = cell(m.TryArgs)
	m.B, m.HB, m.Betop = m.ChoicesTop(), m.ShallowH, m.Etop
	m.Shallow = false
	if len(f) < 3*stacks.ChoiceRoom {
		m.GrowChoices()
	}
}

// deepen makes a choice point of the shallow choice of the clause at m.p. The alternative is stored as an additional
// argument.
func (m *Machine) deepen() {
	arity := m.program.ClauseAt(uint32(m.P)).Pred.Arity()
	last := m.X[arity]
	m.X[arity] = code.MakeInt(int64(m.ElseP))
	m.pushChoice(arity+1, addrShallow)
	m.X[arity] = last
	m.Choices[m.B+stacks.ChoiceTR], m.Choices[m.B+stacks.ChoiceH] = cell(m.ShallowTR), cell(m.ShallowH)
	m.HB, m.Shallow = m.ShallowH, false
}

// failShallow goes on at the alternative of a choice point that deepen has made.
func (m *Machine) failShallow() {
	n := m.restoreArgs()
	m.P = int(m.X[n-1].Int())
	m.dropChoice()
	m.B0 = m.B
}

// takeWaiting returns the conjunction of the waiting goals and forgets them.
func (m *Machine) takeWaiting() cell {
	goal := code.ATrue
	if m.Wake {
		goal = m.WakeGoals
		m.Wake, m.WakeGoals = false, 0
	}
	if lost := m.Cleanups[:len(m.Cleanups)-m.LiveCleanups]; len(lost) > 0 {
		list := make([]cell, len(lost))
		for i, c := range lost {
			list[i] = m.thawCleanup(c)
		}
		goal = m.NewCompound(code.FComma,
			[]cell{m.NewStruct("$run_cleanups", m.List(list, code.ANil), m.NewAtom("quiet")), goal})
	}
	m.Cleanups, m.LiveCleanups = m.Cleanups[:0], 0
	if m.Signalled() {
		goal = m.NewCompound(code.FComma, []cell{m.takeSignals(), goal})
	}
	return goal
}

// AttributedSince returns the attributed variables that have been made since a compound was and are unbound. The heap
// keeps the order in which terms are made.
func (m *Machine) AttributedSince(mark cell) []cell {
	var list []cell
	for i := m.Deref(mark).Addr(); i < m.H; i++ {
		m.PollAt(i, 0)
		switch c := m.Heap[i]; {
		case c.Tag() == code.Hdr && !c.IsFunctor():
			i += c.BlobWords()
		case c == code.MakeAtt(i):
			list = append(list, code.MakeRef(i))
		}
	}
	return list
}
