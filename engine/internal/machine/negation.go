package machine

import (
	"math"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/effort"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines negation of tabled goals, tnot/1, by the well-founded semantics.
//
// The negation of a complete table only looks for an answer. Within a component each round of evaluation decides
// negations by the tables of the round before: a goal with a true answer is false when negated, a goal without an
// answer true, any other undefined. A derivation that rests on something undefined is tainted: the answers at its end
// are undefined unless derived otherwise. When a round confirms the one before, its answers are those of the
// well-founded model (the alternating fixpoint of Van Gelder 1989, with both of its sequences computed side by side).

// restsAt is the slot of the bottom environment that holds the doubts of the derivation until backtracking:
// $rests(Taint, Delays, Unanswered).
const restsAt = 2 + stacks.EnvY + 1

func (m *Machine) restOnNothing() {
	m.Envs[restsAt] = m.NewCompound(fnRests, []cell{code.MakeInt(0), code.ANil, code.ANil})
}

var fnRests = code.Functor("$rests", 3)

// taint returns how often the derivation has used something undefined.
func (m *Machine) taint() int {
	if !m.tables.tainted {
		return 0
	}
	return int(m.Arg(m.Envs[restsAt], 0).Int())
}

// tainted reports whether the derivation rests on something undefined.
func (m *Machine) tainted() bool { return m.tables.stuck || m.taint() > 0 }

// setTaint changes the taint until backtracking. From the first taint on, cuts leave the loop.
func (m *Machine) setTaint(n int) {
	if n == m.taint() {
		return
	}
	if !m.tables.tainted {
		m.tables.tainted = true
		m.CutHook++
	}
	m.SetArg(m.Envs[restsAt], 0, code.MakeInt(int64(n)), true)
}

func (m *Machine) addTaint() { m.setTaint(m.taint() + 1) }

// tblUndefined is undefined/0, which is neither true nor false. It succeeds and makes the answer undefined.
func tblUndefined(m *Machine, _ []cell) (bool, error) {
	m.addTaint()
	m.addDelay(m.NewStruct(":", m.NewAtom("system"), m.NewAtom("undefined")))
	return true, nil
}

// maxDelays is the number of undefined goals that are collected unless call_delays/2 requests all.
const maxDelays = 1000

// delays returns the list of the undefined goals that the derivation has used. more says whether further goals are to
// be collected.
func (m *Machine) delays() (list cell, more bool) {
	more = m.tables.asked || m.tables.frame() == nil && m.taint() < maxDelays
	return m.Deref(m.Arg(m.Envs[restsAt], 1)), more
}

// addDelay notes that the derivation has used an undefined goal.
func (m *Machine) addDelay(goal cell) {
	if list, ok := m.delays(); ok {
		m.SetArg(m.Envs[restsAt], 1, m.NewList(goal, list), true)
	}
}

// noteDelay is addDelay for a table and the tuple of an answer, or for the negation of that goal.
func (m *Machine) noteDelay(t *table, tuple cell, negated bool) {
	if _, ok := m.delays(); !ok {
		return
	}
	goal := m.Thaw(t.goal)
	m.Unify(m.tupleOf(goal, t.goal), tuple)
	if negated {
		goal = m.NewStruct("not", goal)
	}
	m.addDelay(goal)
}

// tblTaint returns how often the derivation has used something undefined, -1 if that is no longer known.
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

// tblSetDelays sets the result of tblDelays until backtracking. From then on all undefined goals are collected.
func tblSetDelays(m *Machine, a []cell) (bool, error) {
	m.tables.asked = true
	m.SetArg(m.Envs[restsAt], 1, a[0], true)
	return true, nil
}

// tblNot succeeds unless a table has an answer that is sure. For a complete table its answers decide. For an incomplete
// table its answers in the round before decide, and the component is evaluated again if they turn out to be wrong; see
// decideNegation.
func tblNot(m *Machine, t *table, _ []cell) (bool, error) {
	holds, maybe := t.answers.sure > 0, t.possible()
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

// possible reports whether a table has an answer, or might have one if an undefined goal had another truth value.
func (t *table) possible() bool { return t.answers.count > 0 || t.unsure }

// shareDoubt marks all tables of the component from an index on as unsure if one of them is. A consumer of one table
// may have failed in the evaluation of another.
func (m *Machine) shareDoubt(from int) {
	list := m.tables.pending[from:]
	unsure := slices.ContainsFunc(list, func(t *table) bool { return t.unsure })
	for _, t := range list {
		t.unsure = unsure
	}
}

// decideNegation is called when no table of the component, from an index on, has missed answers. It reports whether
// another round is needed, which it prepares.
func (m *Machine) decideNegation(from int) (bool, error) {
	changed := false
	m.shareDoubt(from)
	for _, t := range m.tables.pending[from:] {
		if t.negated && (t.holds != (t.answers.sure > 0) || t.maybe != t.possible()) {
			changed = true
		}
	}
	if !changed {
		return false, nil
	}
	for _, t := range m.tables.pending[from:] {
		t.holds, t.maybe, t.unsure = t.answers.sure > 0, t.possible(), false
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
	if !stacks.IsCallable(goal) {
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
	m.tables.untabled[p.Behind()] = m.Deref(a[1]) == code.MakeInt(1)
	return true, nil
}

// CallsTables reports whether this run calls a predicate with tables: it is tabled, and untable/1 has not been called
// for it.
func (m *Machine) CallsTables(p *database.Pred) bool {
	return p.Has(database.Tabled) && (len(m.tables.untabled) == 0 || !m.tables.untabled[p.Behind()])
}

// tblClauseGoal finds the clauses of a tabled predicate for tnot/1.
func tblClauseGoal(m *Machine, a []cell) (bool, error) {
	goal, mod := m.StripModule(a[0])
	if !stacks.IsCallable(goal) {
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
	switch {
	case p == nil || !p.Has(database.Tabled):
		return false, m.PermissionError("tnot", "non_tabled_procedure", m.Indicator(functor))
	case p.Has(database.ModeDirected):
		return false, m.PermissionError("tnot", "moded_table", m.Indicator(functor))
	}
	own := m.NewStruct(p.Name()+database.BehindTable, args...)
	return m.Unify(a[1], m.qualify(own, p.Module)), nil
}

// This part defines cuts, failures and side effects of a derivation that depends on something undefined.
//
// A negation, or a cut before fail/0, searches for a true solution. If all solutions are undefined, the goals after its
// failure depend on the undefined goal. Any other cut of such a derivation leaves a choice point behind. Backtracking
// to this choice point means that the failure is not sure. Then conditions around it are not sure either, nor lists of
// solutions, nor the end of the answers.
//
// An alternative that is tried after such a failure has its solutions in any case, but they are perhaps not the first
// ones. So its choice point is split when it is resumed: the older half stays when the newer half is exhausted. A cut
// of both depends on the undefined goals of the failure.

// doubt describes a choice point whose alternative has been replaced, or a bag.
type doubt struct {
	alt    cell
	delays Saved // the undefined goals
	at     int   // where the clause that failed would continue, 0 at its end
	live   int   // how many slots of its environment are live there
	lasts  bool  // it has changed something that backtracking keeps and the alternative may see
	// caught is the oldest catch frame behind a failure. named is the oldest choice point whose number a goal has.
	caught, named int
}

// The first address of the code of clauses.
const addrClauses = addrStubs + 2*(MaxArgs+putOffArgs+1)

// newDoubt returns the undefined goals that the derivation has used since it had a taint. Each one has raised the
// taint, so the new goals are at the front of the list.
func (m *Machine) newDoubt(alt cell, taint int) *doubt {
	var fresh []cell
	list, _ := m.delays()
	for n := m.taint() - taint; n > 0 && list.Tag() == code.Lst; n-- {
		fresh = append(fresh, m.Arg(list, 0))
		list = m.Deref(m.Arg(list, 1))
	}
	return &doubt{alt: alt, delays: m.Save(m.List(fresh, code.ANil))}
}

// RestsOn makes the derivation depend on the undefined goals of another one.
func (m *Machine) restsOn(d *doubt) {
	list := m.Deref(m.Restore(d.delays))
	if list.Tag() != code.Lst {
		m.addTaint()
	}
	for ; list.Tag() == code.Lst; list = m.Deref(m.Arg(list, 1)) {
		m.addTaint()
		m.addDelay(m.Arg(list, 0))
	}
}

// restsOnAll is RestsOn for a result of all solutions, such as a list. As the result might be another one, a failure
// behind it is not sure. One choice point is enough to note that.
func (m *Machine) restsOnAll(d *doubt) {
	if !m.tables.missing && m.Choices[m.B+stacks.ChoiceAlt] != addrDoubt {
		m.pushDoubt(d)
	}
	m.restsOn(d)
}

// pushDoubt pushes a choice point without an alternative, which marks a failure as not sure. Inside a clause the
// continuation register may belong to a call that has returned. So the choice point itself says, as that of a
// disjunction does, how many slots of the environment it needs: none.
func (m *Machine) pushDoubt(d *doubt) {
	m.pushChoice(0, addrDoubt)
	m.Choices[m.B+stacks.ChoiceArity] = 1 << 16
	switch m.Code[m.P-1].Op() {
	case code.OpBuiltin:
		d.at = m.P
	case code.OpBuiltinEnd, code.OpMeta:
		d.live = m.LiveSlots(m.CP)
	}
	m.setDoubt(m.B, d)
}

// taintAt returns the taint at the time when a choice point was pushed.
func (m *Machine) taintAt(b int) int {
	was, holder := m.taint(), m.ArgAddr(m.Envs[restsAt], 0)
	for tr, end := m.TR, int(m.Choices[b+stacks.ChoiceTR]); tr > end; {
		tr--
		if a := m.Trail[tr]; a.Tag() != code.Ref {
			tr--
			if a.Addr() == holder {
				was = int(m.Trail[tr].Int())
			}
		}
	}
	return was
}

// inDoubt reports whether the derivation has used something undefined since a choice point was pushed. The search for
// missing facts has no doubts, as it notes them during the derivations.
func (m *Machine) inDoubt(b int) bool {
	return !m.tables.missing && m.taint() > 0 && m.taint() > m.taintAt(b)
}

// noteDoubt replaces the alternative of a choice point.
func (m *Machine) noteDoubt(b int, alt cell) {
	m.setDoubt(b, m.newDoubt(m.Choices[b+stacks.ChoiceAlt], m.taintAt(b)))
	m.Choices[b+stacks.ChoiceAlt] = alt
	m.Choices[b+stacks.ChoiceArity] &^= stacks.ChoiceBeside
}

func (m *Machine) setDoubt(b int, d *doubt) {
	if m.tables.doubts == nil {
		m.tables.doubts = map[int]doubt{}
	}
	m.tables.doubts[b] = *d
}

// mayHold makes the goals after a failure to a choice point depend on something undefined. ok is false if the
// alternative of the choice point is neither code of a clause nor a built-in's answer.
func (m *Machine) mayHold(b int) (ok bool) {
	if m.isBeside(b) {
		m.Choices[b+stacks.ChoiceArity] &^= stacks.ChoiceBeside
		m.Choices[b+stacks.ChoiceAlt] = m.tables.doubts[b].alt
	}
	switch alt := m.Choices[b+stacks.ChoiceAlt]; {
	case alt == addrMaybe:
		return true
	case hasAnswers(alt):
		m.noteDoubt(b, addrMaybe)
		return true
	}
	return false
}

// isBeside reports whether the solutions of a choice point do not depend on an unsure failure, although they are
// perhaps not the first ones.
func (m *Machine) isBeside(b int) bool {
	return m.Choices[b+stacks.ChoiceAlt] == addrMaybe && m.Choices[b+stacks.ChoiceArity]&stacks.ChoiceBeside != 0
}

// hasAnswers reports whether an alternative is code of a clause or a built-in's answer.
func hasAnswers(alt cell) bool {
	return alt >= addrClauses || alt == addrRedo || alt == addrRetryDyn || alt == addrRowsRetry
}

// alternative returns the alternative of a choice point without a doubt, or the one saved in its doubt.
func (m *Machine) alternative(b int) cell {
	if m.Choices[b+stacks.ChoiceAlt] == addrMaybe {
		return m.tables.doubts[b].alt
	}
	return m.Choices[b+stacks.ChoiceAlt]
}

// above returns the choice point that was pushed right after b.
func (m *Machine) above(b int) int {
	f := m.B
	for int(m.Choices[f+stacks.ChoicePrev]) > b {
		f = int(m.Choices[f+stacks.ChoicePrev])
	}
	return f
}

// cutInline does the cut of the instruction before m.p. In a derivation that is not sure, a cut before fail/0 is
// skipped, as there may be a sure solution.
func (m *Machine) cutInline() error {
	next := m.Code[m.P]
	if next.Op() == code.OpWake {
		next = m.Code[m.P+1]
	}
	m.settleEach(next)
	if f := m.above(m.CutTarget); next.Op() == code.OpFail && m.tables.tainted {
		if !m.inDoubt(f) {
			m.collectCleanups(m.CutTarget, nil)
			m.cutTo(m.CutTarget)
			return nil
		}
		if m.mayHold(f) {
			m.P = addrFail
			return nil
		}
	}
	return m.cutNow(m.CutTarget)
}

// keepDoubt returns the choice point to cut to instead of b. An earlier alternative may have failed in doubt.
func (m *Machine) keepDoubt(b int) int {
	if !m.tables.tainted || b >= m.B {
		return b
	}
	f := m.above(b)
	if m.Choices[f+stacks.ChoiceAlt] == addrMaybe && !m.isBeside(f) {
		d := m.tables.doubts[f]
		m.restsOn(&d)
	} else if m.Choices[f+stacks.ChoiceArity]&stacks.ChoiceUnsure != 0 && !m.tables.missing {
		m.restsOn(m.tables.failures[f])
	}
	if !m.inDoubt(f) {
		return b
	}
	m.noteDoubt(f, addrDoubt)
	return f
}

// goOnInDoubt continues at the newest choice point after backtracking: at its alternative or, if that was cut, with a
// failure that is not sure.
func (m *Machine) goOnInDoubt(alternative bool) {
	b := m.B
	d := m.tables.doubts[b]
	if alternative {
		beside := m.isBeside(b)
		m.P, m.Choices[b+stacks.ChoiceAlt] = int(d.alt), d.alt
		if beside && m.isSplit(b) {
			m.noteSplit(b)
		} else if d.lasts || beside {
			m.splitChoice()
		}
		if !beside {
			m.restsOn(&d) // for good, while there are alternatives
		}
		m.Choices[m.B+stacks.ChoiceTR], m.Choices[m.B+stacks.ChoiceH], m.HB = cell(m.TR), cell(m.H), m.H
		return
	}
	e, cp, live := int(m.Choices[b+stacks.ChoiceE]), int(m.Choices[b+stacks.ChoiceCP]), max(d.live, m.ChoiceLive(b))
	if alt := int(d.alt); alt >= addrClauses {
		if op := m.Code[alt].Op(); op == code.OpTrustElse || op == code.OpRetryElse {
			d.at = alt
		}
	}
	m.cutTo(int(m.Choices[b+stacks.ChoicePrev]))
	m.P = addrFail
	m.restsOn(&d)
	first, objs := stacks.ChoiceBase, m.Objs
	m.dropDeadFrames()
	if f := m.tables.frame(); f == nil {
		m.tables.unsure = true
	} else { // outside of the evaluation only the table matters
		f.table.unsure = true
		first, objs = f.level, objs[f.obj:]
	}
	m.noteFailure(&d, first, e, cp, live)
	for _, o := range objs {
		if of, ok := o.(*bag); ok && of.doubt == nil {
			of.doubt = m.newDoubt(0, of.taint)
		}
	}
}

// noteFailure notes at the choice points newer than a first one that a goal behind them has failed in doubt. The goal
// would have continued at a continuation in an environment with live slots. The walk stops at a noted choice point, as
// all older ones are noted too.
func (m *Machine) noteFailure(d *doubt, first, e, cp, live int) {
	d.caught, d.named = math.MaxInt, math.MaxInt
	last := m.B
	for ; ; last = int(m.Choices[last+stacks.ChoicePrev]) {
		if m.Choices[last+stacks.ChoiceAlt] == addrCatch {
			d.caught = last
		}
		if m.Choices[last+stacks.ChoiceArity]&stacks.ChoiceNamed != 0 {
			d.named = last
		}
		if last <= first {
			break
		}
		if m.Choices[last+stacks.ChoiceArity]&stacks.ChoiceUnsure != 0 {
			older := m.tables.failures[last]
			d.caught, d.named = min(d.caught, older.caught), min(d.named, older.named)
			break
		}
	}
	if m.tables.failures == nil {
		m.tables.failures = map[int]*doubt{}
	}
	throws := d.caught < m.B && m.mayThrow(d.at, e, cp, live, int(m.Choices[d.caught+stacks.ChoiceE]))
	for b := m.B; b > last; b = int(m.Choices[b+stacks.ChoicePrev]) {
		switch alt := m.Choices[b+stacks.ChoiceAlt]; {
		case m.endsBag(b): // no cut passes the end of a bag
		case b > d.named || m.decides(b) || throws && b > d.caught:
			m.mayHold(b)
		case hasAnswers(alt) && m.Choices[b+stacks.ChoiceArity]&stacks.ChoiceSplit == 0:
			m.setDoubt(b, &doubt{alt: alt})
			m.Choices[b+stacks.ChoiceAlt] = addrMaybe
			m.Choices[b+stacks.ChoiceArity] |= stacks.ChoiceBeside
		}
		m.Choices[b+stacks.ChoiceArity] |= stacks.ChoiceUnsure
		m.tables.failures[b] = d
	}
}

// isSplit reports whether the choice point before b already holds the doubt that a cut of b must keep. The two were
// split when an earlier alternative of the same call had failed in doubt.
func (m *Machine) isSplit(b int) bool {
	p := int(m.Choices[b+stacks.ChoicePrev])
	return m.Choices[p+stacks.ChoiceAlt] == addrDoubt && m.Choices[p+stacks.ChoiceArity]&stacks.ChoiceUnsure != 0 &&
		m.Choices[p+stacks.ChoiceE] == m.Choices[b+stacks.ChoiceE] &&
		m.Choices[p+stacks.ChoiceCP] == m.Choices[b+stacks.ChoiceCP]
}

// noteSplit marks the choice point before b as the older half of a split.
func (m *Machine) noteSplit(b int) {
	m.Choices[b+stacks.ChoiceArity] &^= stacks.ChoiceUnsure | stacks.ChoiceBeside
	m.Choices[b+stacks.ChoiceArity] |= stacks.ChoiceSplit
}

// mayThrow reports whether a derivation that has failed in doubt might have thrown if it had continued. It looks first
// at the clause of an address, unless that is 0, and then at a continuation in an environment, up to another
// environment. Calls of facts and tests are known not to throw. live is how many slots of the environment are known to
// hold something.
func (m *Machine) mayThrow(at, e, cp, live, last int) bool {
	steps := goalSteps
	if at != 0 {
		if c := m.program.ClauseAt(uint32(at)); c != nil && m.clauseMayThrow(c, int(c.Start()), e, live, &steps) {
			return true
		}
		live = 0 // the continuation may belong to a call that has returned to this clause or its caller
	}
	for frames := 0; e > last; frames++ {
		m.PollAt(frames, 0)
		if c := m.program.ClauseAt(uint32(cp)); c != nil && m.clauseMayThrow(c, cp, e, live, &steps) {
			return true
		}
		e, cp = int(m.Envs[e+stacks.EnvE]), int(m.Envs[e+stacks.EnvCP])
		live = m.LiveSlots(cp)
	}
	return false
}

// clauseMayThrow is mayThrow for a clause from an address on. A library clause calls the goals in its slots, perhaps
// with further arguments.
func (m *Machine) clauseMayThrow(c *database.Clause, at, e, live int, steps *int) bool {
	if effort.IsOwn(m.program, c.Pred) {
		return m.codeMayThrow(c, at)
	}
	extra := maxExtra
	if c.Pred.File == effort.ControlFile && c.Pred.Name() != "findall" {
		extra = 0
	}
	for _, goal := range m.Envs[e+stacks.EnvY : e+stacks.EnvY+live] {
		if goal != 0 && m.goalMayThrow(goal, extra, steps) {
			return true
		}
	}
	return false
}

// maxExtra is the largest number of arguments added to a goal, as in maplist/8 and call/8.
const maxExtra = 7

// codeMayThrow reports whether the code of a clause from an address on calls a predicate that may throw.
func (m *Machine) codeMayThrow(c *database.Clause, at int) bool {
	for end := int(c.Start()) + c.CodeSize(); at < end; at += m.Code[at].Words() {
		switch w := m.Code[at]; w.Op() {
		case code.OpCall, code.OpExecute, code.OpDeallocateExecute, code.OpNeckExecute:
			if p := m.predAt(w.Imm()); p == nil || m.predMayThrow(p) {
				return true
			}
		case code.OpBuiltin, code.OpBuiltinEnd:
			if b := &m.builtins[w.Imm()]; !safeGoals[code.Functor(b.Name, b.Arity)] {
				return true
			}
		case code.OpUndefined, code.OpMeta, code.OpCallN, code.OpDet, code.OpDetRest:
			return true
		default:
			if code.OpLess <= w.Op() && w.Op() <= code.OpArith1 { // arithmetic may throw
				return true
			}
		}
	}
	return false
}

// predAt returns the predicate with an entry, nil if there is none.
func (m *Machine) predAt(entry int) *database.Pred {
	if p := m.tables.entries[entry]; p != nil && int(p.Entry) == entry {
		return p
	}
	m.tables.entries = map[int]*database.Pred{}
	for _, p := range m.program.Preds() {
		m.tables.entries[int(p.Entry)] = p
	}
	return m.tables.entries[entry]
}

// goalMayThrow is mayThrow for a goal that may be called with some further arguments. If there are none, the term is
// certainly a goal.
func (m *Machine) goalMayThrow(goal cell, extra int, steps *int) bool {
	return m.hasGoal(goal, steps, func(goal cell, mod *database.Module) bool {
		if !stacks.IsCallable(goal) || goal == code.ACut {
			return false
		}
		functor := code.MakeFunctor(goal.Atom(), 0)
		if goal.Tag() != code.Atom {
			functor = m.Functor(goal)
		}
		if functor == code.FNot {
			return m.goalMayThrow(m.Arg(goal, 0), extra, steps)
		}
		for n := 0; n <= extra; n++ {
			p := mod.Resolve(functor + cell(n)<<code.ArityShift)
			if p == nil && extra == 0 || p != nil && m.predMayThrow(p) {
				return true
			}
		}
		return false
	})
}

// predMayThrow reports whether a predicate may throw. It does not examine rules, and says no only for facts and for
// tests of the system.
func (m *Machine) predMayThrow(p *database.Pred) bool {
	if safeGoals[p.Functor] && !effort.IsOwn(m.program, p) {
		return false
	}
	return p.Builtin >= 0 || !p.Defined() || p.Has(database.Ruled|database.Tabled|database.Det)
}

// safeGoals lists predicates of the system that never throw.
var safeGoals = func() map[cell]bool {
	set := map[cell]bool{}
	for arity, names := range map[int][]string{
		0: {"true", "otherwise", "fail", "false", "repeat", "undefined"},
		1: {"var", "nonvar", "atom", "atomic", "number", "integer", "float", "rational", "compound", "callable", "string",
			"is_list", "is_dict", "ground", "cyclic_term", "acyclic_term", "blob"},
		2: {"=", "\\=", "==", "\\==", "@<", "@>", "@=<", "@>=", "?=", "=@=", "\\=@="},
	} {
		for _, name := range names {
			set[code.Functor(name, arity)] = true
		}
	}
	return set
}()

// endsBag reports whether the alternative of a choice point ends a bag.
func (m *Machine) endsBag(b int) bool {
	_, is := m.objOf(b).(*bag)
	return is
}

// objOf is the newest Go object pushed since the choice point before b, or nil.
func (m *Machine) objOf(b int) any {
	objs := int(m.Choices[b+stacks.ChoiceObjs])
	before := int(m.Choices[m.Choices[b+stacks.ChoicePrev]+stacks.ChoiceObjs])
	if objs > before && objs <= len(m.Objs) { // the end of a table drops some
		return m.Objs[objs-1]
	}
	return nil
}

// decides reports whether the alternative of a choice point runs only because a goal has failed: the goal is in a
// condition, or a cut after it would have removed the choice point.
func (m *Machine) decides(b int) bool {
	alt := int(m.Choices[b+stacks.ChoiceAlt])
	if seq, is := m.objOf(b).(*ClauseSeq); is {
		return slices.ContainsFunc(seq.list[:seq.pos], mayCut)
	}
	if alt < addrClauses {
		return false
	}
	switch w := m.Code[alt]; w.Op() {
	case code.OpTrustElse, code.OpRetryElse:
		c := m.program.ClauseAt(uint32(alt))
		return w.A() != 0 || c == nil || mayCut(c)
	case code.OpRetry, code.OpTrust:
		try := m.Code[alt-1]
		if before := m.Code[alt-2]; before.Op() == code.OpTryHead && int(try>>32) == alt {
			try = before
		}
		c := m.program.ClauseAt(uint32(try.Imm()))
		if c != nil && c.Pred.Functor == fnOr {
			steps := goalSteps
			isCut := func(g cell, _ *database.Module) bool { return g == code.ACut }
			return m.hasGoal(m.Choices[b+stacks.ChoiceArgs], &steps, isCut)
		}
		return c == nil || mayCut(c)
	}
	return true
}

// mayCut reports whether a cut is in a clause.
func mayCut(c *database.Clause) bool {
	return c.Body == code.ACut || slices.Contains(c.Cells, code.ACut)
}

// hasGoal reports whether a term, or a goal in its control constructs, satisfies a test of goal and module. If steps do
// not suffice, as in a cyclic term, it returns true.
func (m *Machine) hasGoal(goal cell, steps *int, is func(goal cell, mod *database.Module) bool) bool {
	for *steps--; *steps > 0; *steps-- {
		var mod *database.Module
		goal, mod = m.StripModule(goal)
		if goal.Tag() != code.Str || !code.Junction(m.Heap[goal.Addr()]) {
			return is(goal, mod)
		}
		if m.hasGoal(m.Arg(goal, 0), steps, is) {
			return true
		}
		goal = m.Arg(goal, 1)
	}
	return true
}

// goalSteps bounds the goals that hasGoal looks at.
const goalSteps = 1000

// Outlasts is called when a cell is changed that backtracking does not restore. The address is 0 if the cell is not on
// the heap. Later goals then depend on the undefined goals of this derivation.
func Outlasts(m *Machine, addr int) {
	if !m.tables.tainted || m.tables.missing || !m.tainted() {
		return
	}
	above := func(b int) bool { return b != stacks.ChoiceBase && int(m.Choices[b+stacks.ChoiceH]) > addr }
	for b := m.B; above(b); b = int(m.Choices[b+stacks.ChoicePrev]) {
		if m.inDoubt(b) && m.mayHold(b) {
			d := m.tables.doubts[b]
			d.lasts = true
			m.tables.doubts[b] = d
		}
	}
	m.tables.stuck = m.tables.stuck || addr == 0
}

// Changing is called before a predicate of the program is changed. A change in an undefined derivation is not
// committed. In a direct run it is an error, except for the internal data of a library.
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

// UndefinedChange is the first predicate that was changed in a derivation that used, or later came to use, something
// undefined. It is nil if there is none.
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

// RestOnUndefined makes the derivation depend on something undefined from which another result might have been made.
func RestOnUndefined(m *Machine) { m.restsOnAll(m.newDoubt(0, m.taint())) }

// Unsure reports whether a failure has depended on something undefined.
func Unsure(m *Machine) bool { return m.tables.unsure || m.tables.stuck }
