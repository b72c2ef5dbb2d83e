package machine

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines what library(explain) learns of tables: in which order their answers were found. A derivation uses
// answers that were found before its own, so a proof that goes from younger to older answers has no circles.

// explainBegin is $explain_begin/0. Complete tables are forgotten, because their answers have no stamps.
func explainBegin(m *Machine, _ []cell) (bool, error) {
	m.dropDeadFrames()
	if m.tables.clock == nil {
		m.tables.clock = new(uint32)
		return tblAbolish(m, nil)
	}
	return true, nil
}

// explainTaint is $explain_taint/1: how far the derivation rests on something undefined. A number sets that back, for
// what is found out besides; 0 means that it rests on nothing.
func explainTaint(m *Machine, a []cell) (bool, error) {
	taint := m.Deref(a[0])
	if IsVar(taint) {
		return m.Unify(taint, code.MakeInt(int64(m.taint()))), nil
	}
	m.tables.stuck = false
	m.setTaint(int(taint.Int()))
	if m.tables.tainted && m.taint() == 0 {
		m.SetArg(m.envs[restsAt], 1, code.ANil, true)
	}
	return true, nil
}

// explainTainted is $explain_tainted/0.
func explainTainted(m *Machine, _ []cell) (bool, error) { return m.tables.tainted, nil }

// explainMisses is $explain_misses/1.
func explainMisses(m *Machine, a []cell) (bool, error) {
	m.tables.missing = m.Deref(a[0]) == code.ATrue
	return true, nil
}

// explainTable is $explain_table/2. It fails for a goal without a complete table whose answers all have stamps.
func explainTable(m *Machine, a []cell) (bool, error) {
	m.dropDeadFrames()
	f := m.freezeWith(a[0], true)
	if hasAttributed(f.cells) {
		return false, nil
	}
	s := &m.tables
	s.key = appendKey(s.key[:0], f)
	t := s.variants[string(s.key)]
	if t == nil || !t.complete || len(t.answers.born) != t.answers.len() {
		return false, nil
	}
	return m.Unify(a[1], code.MakeInt(int64(t.number))), nil
}

// explainAnswer goes through the answers of a complete table. The tuple of a mode-directed table is given; that of
// others is made of the variables of the key.
func explainAnswer(m *Machine, t *table, _ []cell) (bool, error) {
	i := 0
	return m.Alternatives(func(m *Machine, a []cell) (ok, more bool, err error) {
		if i >= t.answers.len() {
			return false, false, nil
		}
		tuple := m.Deref(a[2])
		if IsVar(tuple) {
			tuple = m.tupleOf(a[1], t.goal)
		}
		undefined := code.ATrue
		if !t.answers.undefined(i) {
			undefined = m.NewAtom("false")
		}
		stamp := code.MakeInt(int64(t.answers.born[i]))
		ok = m.giveAnswer(t, i, tuple) && m.Unify(a[3], stamp) && m.Unify(a[4], undefined)
		i++
		return ok, i < t.answers.len(), m.Charge(1)
	})
}
