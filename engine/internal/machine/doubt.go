package machine

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines what becomes of a derivation that rests on something undefined when it is cut, when it fails, and
// when it leaves something behind.
//
// A negation, or a cut before fail/0, looks for a solution that is sure. If there is none but one that is not, what
// follows its failure rests on that. Any other cut of such a derivation leaves a choice point behind. Backtracking to
// that tells that a failure is not sure: the conditions around it are not either, nor are the lists of solutions, nor
// is the end of the answers.

// doubt is what is known of a choice point whose alternative has been replaced, or of a bag.
type doubt struct {
	alt    cell
	delays Saved // the undefined goals
}

// The first address of the code of clauses.
const addrClauses = addrStubs + 2*(maxArgs+putOffArgs+1)

// newDoubt returns what the derivation has come to rest on since it had a taint. Each undefined goal has raised the
// taint, so what is new is at the front of the list.
func (m *Machine) newDoubt(alt cell, taint int) *doubt {
	var fresh []cell
	list, _ := m.delays()
	for n := m.taint() - taint; n > 0 && list.Tag() == code.Lst; n-- {
		fresh = append(fresh, m.Arg(list, 0))
		list = m.Deref(m.Arg(list, 1))
	}
	return &doubt{alt: alt, delays: m.Save(m.List(fresh, code.ANil))}
}

// restsOn makes the derivation rest on something that another one has rested on.
func (m *Machine) restsOn(d *doubt) {
	list := m.Deref(m.Restore(d.delays))
	if list == code.ANil {
		m.addTaint()
	}
	for ; list.Tag() == code.Lst; list = m.Deref(m.Arg(list, 1)) {
		m.addTaint()
		m.addDelay(m.Arg(list, 0))
	}
}

// taintAt returns the taint at the time when a choice point was pushed.
func (m *Machine) taintAt(b int) int {
	was, holder := m.taint(), m.argAddr(m.envs[restsAt], 0)
	for tr, end := m.tr, int(m.choices[b+choiceTR]); tr > end; {
		tr--
		if a := m.trail[tr]; a.Tag() != code.Ref {
			tr--
			if a.Addr() == holder {
				was = int(m.trail[tr].Int())
			}
		}
	}
	return was
}

// inDoubt reports whether the derivation has used something undefined since a choice point was pushed. The search for
// what is missing has no doubts, as it notes what it finds while it goes through derivations.
func (m *Machine) inDoubt(b int) bool {
	return !m.tables.missing && m.taint() > 0 && m.taint() > m.taintAt(b)
}

// noteDoubt replaces the alternative of a choice point.
func (m *Machine) noteDoubt(b int, alt cell) {
	if m.tables.doubts == nil {
		m.tables.doubts = map[int]doubt{}
	}
	m.tables.doubts[b] = *m.newDoubt(m.choices[b+choiceAlt], m.taintAt(b))
	m.choices[b+choiceAlt] = alt
}

// mayHold makes what comes after the failure to a choice point rest on something undefined. ok is false if its
// alternative is neither code of clauses nor an answer of a built-in.
func (m *Machine) mayHold(b int) (ok bool) {
	switch alt := m.choices[b+choiceAlt]; {
	case alt == addrMaybe:
		return true
	case alt >= addrClauses, alt == addrRedo, alt == addrRetryDyn, alt == addrRowsRetry:
		m.noteDoubt(b, addrMaybe)
		return true
	}
	return false
}

// alternative is where a choice point goes on that rests on nothing undefined, or on something.
func (m *Machine) alternative(b int) cell {
	if m.choices[b+choiceAlt] == addrMaybe {
		return m.tables.doubts[b].alt
	}
	return m.choices[b+choiceAlt]
}

// above returns the choice point that was pushed right after b.
func (m *Machine) above(b int) int {
	f := m.b
	for int(m.choices[f+choicePrev]) > b {
		f = int(m.choices[f+choicePrev])
	}
	return f
}

// cutInline does the cut of the instruction before m.p. One before fail/0 in a derivation that is not sure is not done:
// there may be a solution that is.
func (m *Machine) cutInline() error {
	next := m.code[m.p]
	if next.Op() == code.OpWake {
		next = m.code[m.p+1]
	}
	m.settleEach(next)
	if f := m.above(m.cutTarget); next.Op() == code.OpFail && m.tables.tainted {
		if !m.inDoubt(f) {
			m.collectCleanups(m.cutTarget, loudCleanup)
			m.cutTo(m.cutTarget)
			return nil
		}
		if m.mayHold(f) {
			m.p = addrFail
			return nil
		}
	}
	return m.cutNow(m.cutTarget)
}

// keepDoubt returns the choice point to cut to instead of b. What was chosen among may have been chosen in doubt.
func (m *Machine) keepDoubt(b int) int {
	if !m.tables.tainted || b >= m.b {
		return b
	}
	f := m.above(b)
	if m.choices[f+choiceAlt] == addrMaybe {
		d := m.tables.doubts[f]
		m.restsOn(&d)
	}
	if !m.inDoubt(f) {
		return b
	}
	m.noteDoubt(f, addrDoubt)
	return f
}

// goOnInDoubt goes on at the newest choice point, which has been backtracked to: at its alternative, or, if that was
// cut, with a failure that is not sure.
func (m *Machine) goOnInDoubt(alternative bool) {
	b := m.b
	d := m.tables.doubts[b]
	if alternative {
		m.p, m.choices[b+choiceAlt] = int(d.alt), d.alt
		m.restsOn(&d) // for good, as long as there are alternatives
		m.choices[b+choiceTR], m.choices[b+choiceH], m.hb = cell(m.tr), cell(m.h), m.h
		return
	}
	m.cutTo(int(m.choices[b+choicePrev]))
	m.p, m.tables.unsure = addrFail, true
	m.restsOn(&d)
	for b = m.b; b != choiceBase; b = int(m.choices[b+choicePrev]) {
		alt := m.choices[b+choiceAlt]
		if w := m.code[alt]; alt >= addrClauses && w.A() != 0 && (w.Op() == code.OpTrustElse || w.Op() == code.OpRetryElse) {
			m.mayHold(b)
		}
	}
	for _, o := range m.objs {
		if of, ok := o.(*bag); ok && of.doubt == nil {
			of.doubt = m.newDoubt(0, of.taint)
		}
	}
}

// Outlasts is called for a change of a cell at an address that backtracking spares, 0 if it is none of the heap. What
// comes after it rests on what this derivation rests on.
func Outlasts(m *Machine, addr int) {
	if !m.tables.tainted || m.tables.missing || !m.tainted() {
		return
	}
	for b := m.b; b != choiceBase && int(m.choices[b+choiceH]) > addr; b = int(m.choices[b+choicePrev]) {
		m.mayHold(b)
	}
	m.tables.stuck = m.tables.stuck || addr == 0
}

// Changing is called before a predicate of the program is changed. A change that rests on something undefined is not
// committed; where each change is committed at once it is an error, unless a library keeps its own books.
func Changing(m *Machine, p *database.Pred) error {
	if !m.tables.tainted || !m.tainted() || m.tx.Direct() && p.Module.Library {
		return nil
	}
	if m.tx.Direct() {
		return m.PermissionError("commit", "undefined", m.procedure(p.Functor, p.Module))
	}
	if m.tables.changed == nil {
		m.tables.changed = p
	}
	Outlasts(m, 0)
	return nil
}

// UndefinedChange is the first predicate that was changed in a derivation that rests on something undefined, or that
// has come to such an answer later. It is nil if there is none.
func UndefinedChange(m *Machine) *database.Pred {
	if m.tables.changed == nil && m.tainted() {
		added, erased := m.tx.Changes()
		if all := slices.Concat(added, erased); len(all) > 0 {
			m.tables.changed = all[0].Pred
		}
	}
	return m.tables.changed
}

// Undefined reports whether the answer, or the derivation so far, rests on something undefined.
func Undefined(m *Machine) bool { return m.tainted() }

// RestOnUndefined makes the derivation rest on something undefined.
func RestOnUndefined(m *Machine) { m.addTaint() }

// Unsure reports whether a failure has rested on something undefined.
func Unsure(m *Machine) bool { return m.tables.unsure || m.tables.stuck }
