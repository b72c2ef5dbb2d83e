package machine

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines calls of predicates that are declared det. The entry of such a predicate begins with OpDet. That
// pushes an environment [choice point, number of the predicate] and a choice point with alternative addrDetFail. A call
// that comes to that alternative has failed. One that returns with a newer choice point on the stack has left it.

// watchDet runs OpDet, OpDetExit and OpDetFail.
func (m *Machine) watchDet(w code.Instr) error {
	switch w.Op() {
	case code.OpDet:
		m.enterDet(w.Imm())
		return nil
	case code.OpDetFail:
		if w.A() != 0 {
			m.goOnInDoubt(int(w.A()) == 1)
			return nil
		}
		pred := m.watched()
		m.dropChoice()
		m.popFrame()
		return m.determinismError(pred, "fail")
	}
	if m.wake {
		m.p--
		m.wakeFirst()
		return nil
	}
	b := m.b
	for m.choices[b+choiceAlt] == addrDoubt {
		b = int(m.choices[b+choicePrev])
	}
	switch int(m.envs[m.e+envY].Int()) {
	case m.b:
		m.dropChoice()
	case b:
		m.noteDoubt(b, addrDoubt)
	default:
		return m.determinismError(m.watched(), "nondet")
	}
	return nil
}

// enterDet begins to watch a call. The last call of a clause that is itself watched, and has left no choice point,
// needs no watch of its own. So recursion that ends with the call of a det predicate takes no stack.
func (m *Machine) enterDet(pred int) {
	if m.cp == addrAfterDet && int(m.envs[m.e+envY].Int()) == m.b {
		return
	}
	m.pushFrame(2)
	m.envs[m.e+envY+1] = code.MakeInt(int64(pred))
	m.cp = addrAfterDet // tells the collector how many slots the choice point's environment has
	m.pushChoice(0, addrDetFail)
	m.envs[m.e+envY] = code.MakeInt(int64(m.b))
	m.b0 = m.b
}

// watched returns the predicate of the watched call whose environment is the current one.
func (m *Machine) watched() *database.Pred { return m.program.Preds()[m.envs[m.e+envY+1].Int()] }

// determinismError is the error of a det predicate that has failed or left a choice point.
func (m *Machine) determinismError(p *database.Pred, found string) error {
	return m.throwFormal(m.NewStruct("determinism_error", m.procedure(p.Functor, p.Module),
		m.NewAtom("det"), m.NewAtom(found), m.NewAtom("property")))
}
