package machine

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines negation of tabled goals, tnot/1, by the well-founded semantics.
//
// Negation of a complete table just asks it. Within a component each round of evaluation
// judges negations by the round before: what had a true answer fails, what had none is true,
// and the rest is undefined. A derivation that rests on something undefined is tainted: the
// answers at its end are undefined unless derived otherwise. When a round confirms the one
// before, its answers are those of the well-founded model (the alternating fixpoint of Van
// Gelder 1989, with both of its sequences computed side by side).

// taintName is the global variable that tells, with backtracking, whether the derivation
// rests on something undefined.
const taintName = "$tbl_taint"

// tainted reports whether the derivation rests on something undefined.
func (m *Machine) tainted() bool {
	if !m.tables.tainted {
		return false
	}
	v, ok := m.Global(taintName)
	return ok && m.Deref(v) == code.MakeInt(1)
}

// setTaint changes that until backtracking.
func (m *Machine) setTaint(on bool) {
	if on == m.tainted() {
		return
	}
	m.tables.tainted = true
	value := code.MakeInt(0)
	if on {
		value = code.MakeInt(1)
	}
	m.SetGlobal(taintName, value, true)
}

// tblUndefined is undefined/0, which is neither true nor false. It succeeds, and what rests on it is an answer that is
// not sure.
func tblUndefined(m *Machine, _ []cell) (bool, error) {
	m.setTaint(true)
	m.addDelay(m.NewStruct(":", m.NewAtom("system"), m.NewAtom("undefined")))
	return true, nil
}

// delaysName is the global variable with the undefined goals that the derivation has used, while call_delays/2 runs.
const delaysName = "$tbl_delays"

// delays returns the list of delays; ok is false when nobody wants to know.
func (m *Machine) delays() (list cell, ok bool) {
	list, ok = m.Global(delaysName)
	list = m.Deref(list)
	return list, ok && (list == code.ANil || list.Tag() == code.Lst)
}

// addDelay notes that the derivation has used an undefined goal.
func (m *Machine) addDelay(goal cell) {
	if list, ok := m.delays(); ok {
		m.SetGlobal(delaysName, m.NewList(goal, list), true)
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

// tblDelays returns the undefined goals used so far, off when nobody collects them.
func tblDelays(m *Machine, a []cell) (bool, error) {
	if list, ok := m.delays(); ok {
		return m.Unify(a[0], list), nil
	}
	return m.Unify(a[0], m.NewAtom("off")), nil
}

// tblSetDelays sets what tblDelays returns. It begins and ends the collection; backtracking undoes it.
func tblSetDelays(m *Machine, a []cell) (bool, error) {
	m.SetGlobal(delaysName, a[0], true)
	return true, nil
}

// tblNot succeeds unless a table has an answer that is sure. A complete table tells by its answers. One in the making
// tells by what it had in the round before, and the component is evaluated again if that turns out to be wrong; see
// decideNegation.
func tblNot(m *Machine, t *table, _ []cell) (bool, error) {
	holds, maybe := t.answers.sure > 0, t.answers.count > 0
	if !t.complete {
		m.tables.dependOn(t)
		t.negated = true
		holds, maybe = t.holds, t.maybe
	}
	if maybe && !holds {
		m.setTaint(true)
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
func tabledClauses(p *database.Pred) *database.Pred {
	return p.Module.Lookup(code.Functor(p.Name()+" tabled", p.Arity()))
}

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
	own := m.NewStruct(p.Name()+" tabled", args...)
	return m.Unify(a[1], m.qualify(own, p.Module)), nil
}
