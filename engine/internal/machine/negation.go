package machine

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines negation of tabled goals, tnot/1, by the well-founded semantics.
//
// Negation of a complete table just asks it. Within a component each round of evaluation judges negations by the round
// before: what had a true answer fails, what had none is true, and the rest is undefined. A derivation that rests on
// something undefined is tainted: the answers at its end are undefined unless derived otherwise. When a round confirms
// the one before, its answers are those of the well-founded model (the alternating fixpoint of Van Gelder 1989, with
// both of its sequences computed side by side).

// restsAt is the slot of the bottom environment with what the derivation rests on until backtracking: $rests(Taint,
// Delays, Unanswered).
const restsAt = 2 + envY + 1

func (m *Machine) restOnNothing() {
	m.envs[restsAt] = m.NewStruct("$rests", code.MakeInt(0), code.ANil, code.ANil)
}

// taint returns how often the derivation has used something undefined.
func (m *Machine) taint() int {
	if !m.tables.tainted {
		return 0
	}
	return int(m.Arg(m.envs[restsAt], 0).Int())
}

// tainted reports whether the derivation rests on something undefined.
func (m *Machine) tainted() bool { return m.tables.stuck || m.taint() > 0 }

// setTaint changes the taint until backtracking. The first one makes cuts tell the machine of themselves.
func (m *Machine) setTaint(n int) {
	if n == m.taint() {
		return
	}
	if !m.tables.tainted {
		m.tables.tainted = true
		m.cutHook++
	}
	m.SetArg(m.envs[restsAt], 0, code.MakeInt(int64(n)), true)
}

func (m *Machine) addTaint() { m.setTaint(m.taint() + 1) }

// tblUndefined is undefined/0, which is neither true nor false. It succeeds, and what rests on it is an answer that is
// not sure.
func tblUndefined(m *Machine, _ []cell) (bool, error) {
	m.addTaint()
	m.addDelay(m.NewStruct(":", m.NewAtom("system"), m.NewAtom("undefined")))
	return true, nil
}

// maxDelays bounds those that are collected unless call_delays/2 asks for all.
const maxDelays = 1000

// delays returns the list of the undefined goals that the derivation has used. more says that somebody wants to know of
// others.
func (m *Machine) delays() (list cell, more bool) {
	more = m.tables.asked || m.tables.frame() == nil && m.taint() < maxDelays
	return m.Deref(m.Arg(m.envs[restsAt], 1)), more
}

// addDelay notes that the derivation has used an undefined goal.
func (m *Machine) addDelay(goal cell) {
	if list, ok := m.delays(); ok {
		m.SetArg(m.envs[restsAt], 1, m.NewList(goal, list), true)
	}
}

// noteDelay is addDelay for a table with the tuple of an answer, or for its negation.
func (m *Machine) noteDelay(t *table, tuple cell, negated bool) {
	if _, ok := m.delays(); !ok {
		return
	}
	goal := m.thaw(t.goal)
	m.Unify(m.tupleOf(goal, t.goal), tuple)
	if negated {
		goal = m.NewStruct("not", goal)
	}
	m.addDelay(goal)
}

// tblTaint returns how often the derivation has used something undefined, -1 if it is not known any more.
func tblTaint(m *Machine, a []cell) (bool, error) {
	n := m.taint()
	if m.tables.stuck && n == 0 {
		n = -1
	}
	return m.Unify(a[0], code.MakeInt(int64(n))), nil
}

// tblDelays returns the undefined goals used so far.
func tblDelays(m *Machine, a []cell) (bool, error) {
	list, _ := m.delays()
	return m.Unify(a[0], list), nil
}

// tblSetDelays sets what tblDelays returns until backtracking. From then on all goals are collected.
func tblSetDelays(m *Machine, a []cell) (bool, error) {
	m.tables.asked = true
	m.SetArg(m.envs[restsAt], 1, a[0], true)
	return true, nil
}

// tblNot succeeds unless a table has an answer that is sure. A complete table tells by its answers. One in the making
// tells by what it had in the round before, and the component is evaluated again if that turns out to be wrong; see
// decideNegation.
func tblNot(m *Machine, t *table, _ []cell) (bool, error) {
	holds, maybe := t.answers.sure > 0, t.answers.count > 0
	if t.complete {
		m.restOnUnanswered(t.unanswered)
	} else {
		m.tables.dependOn(t)
		t.negated = true
		holds, maybe = t.holds, t.maybe
	}
	if maybe && !holds {
		m.addTaint()
		m.noteDelay(t, m.NewAtom("ret"), true)
	}
	return !holds, nil
}

// decideNegation is called when no table of the component from a place on has missed answers.
// It reports whether another round is needed, which it prepares.
func (m *Machine) decideNegation(from int) (bool, error) {
	changed := false
	for _, t := range m.tables.pending[from:] {
		if t.negated && (t.holds != (t.answers.sure > 0) || t.maybe != (t.answers.count > 0)) {
			changed = true
		}
	}
	if !changed {
		return false, nil
	}
	for _, t := range m.tables.pending[from:] {
		t.holds, t.maybe = t.answers.sure > 0, t.answers.count > 0
		t.answers.reset()
		m.renew(t)
		t.best, t.idle, t.forced = nil, nil, true
	}
	return true, m.Charge(len(m.tables.pending) - from)
}

// tblUntable is $tbl_untable(:Goal, +On). From then on this run calls the predicate of the goal without tables if On
// is 1, and with them again if not. It fails for a predicate that is not tabled.
func tblUntable(m *Machine, a []cell) (bool, error) {
	goal, mod := m.StripModule(a[0])
	if !IsCallable(goal) {
		return false, m.TypeError("callable", goal)
	}
	functor := code.MakeFunctor(goal.Atom(), 0)
	if goal.Tag() != code.Atom {
		functor = m.Functor(goal)
	}
	p := mod.Resolve(functor)
	if p == nil || !p.Has(database.Tabled) {
		return false, nil
	}
	if m.tables.untabled == nil {
		m.tables.untabled = map[*database.Pred]bool{}
	}
	m.tables.untabled[tabledClauses(p)] = m.Deref(a[1]) == code.MakeInt(1)
	return true, nil
}

// tabledClauses returns the predicate with the clauses of a tabled one.
func tabledClauses(p *database.Pred) *database.Pred { return p.Module.Lookup(p.TableFunctor()) }

// CallsTables reports whether this run calls a predicate with tables: it is tabled, and not named to untable/1.
func (m *Machine) CallsTables(p *database.Pred) bool {
	return p.Has(database.Tabled) && (len(m.tables.untabled) == 0 || !m.tables.untabled[tabledClauses(p)])
}

// tblClauseGoal finds the clauses of a tabled predicate for tnot/1.
func tblClauseGoal(m *Machine, a []cell) (bool, error) {
	goal, mod := m.StripModule(a[0])
	if !IsCallable(goal) {
		return false, m.TypeError("callable", goal)
	}
	functor, args := code.MakeFunctor(goal.Atom(), 0), []cell(nil)
	if goal.Tag() != code.Atom {
		functor = m.Functor(goal)
		for i := range functor.FunctorArity() {
			args = append(args, m.Arg(goal, i))
		}
	}
	p := mod.Resolve(functor)
	if p == nil || !p.Has(database.Tabled) || p.Has(database.ModeDirected) {
		return false, m.PermissionError("tnot", "non_tabled_procedure", m.Indicator(functor))
	}
	own := m.NewStruct(p.Name()+database.BehindTable, args...)
	return m.Unify(a[1], m.qualify(own, p.Module)), nil
}
