package machine

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines choice points as numbers, which goals see: prolog_current_choice/1 and prolog_cut_to/1.

// choiceNamed is set beside the arity of a choice point whose number a goal has been given.
const choiceNamed = 1 << 62

// choicePoint is $choice_point/1.
func choicePoint(m *Machine, a []cell) (bool, error) {
	m.choices[m.b+choiceArity] |= choiceNamed
	return m.Unify(a[0], code.MakeInt(int64(m.b))), nil
}

// controlCutTo is prolog_cut_to/1. It removes the choice points newer than the given one. Where a goal that is still
// running will come back to one of them, as that of \+/1, catch/3 or a condition does, they stay and have no
// alternative any more. A bag or a table that is being filled ends there, so no cut passes it.
func (m *Machine) controlCutTo(int) error {
	c := m.Deref(m.x[0])
	if IsVar(c) {
		return m.InstantiationError()
	}
	if c.Tag() != code.Int && !m.IsBig(c) {
		return m.TypeError("choice", c)
	}
	b, ok := m.namedChoice(c)
	if !ok || m.isFilling(int(m.choices[b+choiceObjs])) {
		return m.ExistenceError("choice", c)
	}
	m.p = m.cp
	if !m.needsChoices(b) {
		return m.cutNow(b)
	}
	for f := m.b; f > b; f = int(m.choices[f+choicePrev]) {
		switch m.alternative(f) {
		case addrCatch, addrCleanup, addrDetFail: // none of them has another answer
			continue
		case addrRedo:
			if s, ok := m.objs[m.choices[f+choiceObjs]-1].(*sequence); ok {
				s.close(m)
			}
		}
		m.choices[f+choiceAlt] = addrDead
	}
	return nil
}

// namedChoice finds the choice point of a number. It walks the chain, since a number may be that of one that is gone.
func (m *Machine) namedChoice(number cell) (b int, ok bool) {
	b = m.b
	for steps := 0; b > choiceBase && code.MakeInt(int64(b)) != number; steps++ {
		m.pollAt(steps, 0)
		b = int(m.choices[b+choicePrev])
	}
	return b, code.MakeInt(int64(b)) == number && m.choices[b+choiceArity]&choiceNamed != 0
}

// isFilling reports whether the object stack has a bag or a table above a height.
func (m *Machine) isFilling(height int) bool {
	return m.hasBag(height) || slices.ContainsFunc(m.objs[height:], func(o any) bool {
		_, is := o.(*tableFrame)
		return is
	})
}

// needsChoices reports whether an active clause or limit may hold the number of a choice point newer than b. Clauses
// outside of the one that was active when b was made have not gone on since. The search ends after some calls, and
// then the answer is yes.
func (m *Machine) needsChoices(b int) bool {
	if slices.ContainsFunc(m.goalLimits, func(l goalLimit) bool { return l.frame > b }) {
		return true
	}
	const most = 1000
	last := int(m.choices[b+choiceE])
	e, live := m.e, m.liveSlots(m.cp)
	for range most {
		for _, c := range m.envs[e+envY : min(e+envY+live, len(m.envs))] {
			if c.Tag() == code.Int && int64(b) < c.Int() && c.Int() <= int64(m.b) {
				return true
			}
		}
		if e == last || e == 0 {
			return false
		}
		live = m.liveSlots(int(m.envs[e+envCP]))
		e = int(m.envs[e+envE])
	}
	return true
}

// This part defines calls of predicates that are declared det. The entry of such a predicate begins with OpDet. That
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
