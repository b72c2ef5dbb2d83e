package machine

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
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
