package machine

import (
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines what happens to cleanup goals (setup_call_cleanup/3): they run once, when their goal has exited for
// the last time, failed, thrown or been cut. It also defines choice points as numbers, which goals see:
// prolog_current_choice/1 and prolog_cut_to/1.
//
// '$setup_call_cleanup'(Goal, Cleanup) pushes an environment [choice point, cleanup] and a choice point with
// alternative addrCleanup. cutHook counts such choice points that are alive, so that a cut need not look for them when
// there are none. After a cut or an exception the cleanup runs before the next call. Backtracking may come first; then
// a copy runs. Sequences of answers that Go makes are counted and found by the same means; they are stopped at once.

// controlCleanup is $setup_call_cleanup/2. The environment is made first, so that the choice point saves it and the
// cleanup goal is found from there however the goal ends.
func (m *Machine) controlCleanup(int) error {
	m.x[1] = m.keptGoal(m.x[1])
	m.pushFrame(2)
	m.envs[m.e+envY+1] = m.x[1]
	m.cp = addrAfterCleanup // tells the collector how many slots the choice point's environment has
	m.pushChoice(2, addrCleanup)
	m.envs[m.e+envY] = code.MakeInt(int64(m.b))
	m.cutHook++
	return m.callGoal(m.x[0], m.b)
}

// cutNow cuts to choice point b.
func (m *Machine) cutNow(b int) error {
	m.collectCleanups(b, loudCleanup)
	m.cutTo(m.keepDoubt(b))
	return nil
}

// A quiet cleanup goal runs because of an exception, which its own exceptions do not replace. Those of a loud one
// are thrown.
const (
	quietCleanup = false
	loudCleanup  = true
)

// collectCleanups notes the cleanup goals of the choice points newer than b, newest first, and stops their sequences.
// What an exception has left is undone first: such a cleanup goal sees the bindings of its setup alone.
func (m *Machine) collectCleanups(b int, loud bool) {
	for f := m.b; f > b && m.cutHook > 0; f = int(m.choices[f+choicePrev]) {
		switch m.alternative(f) {
		case addrCleanup:
			m.cutHook--
			goal := m.choices[f+choiceArgs+1]
			if loud {
				m.putOff(goal)
				continue
			}
			m.undoTrail(int(m.choices[f+choiceTR]))
			m.cleanups = append(m.cleanups, m.freeze(goal))
		case addrRedo:
			if s, ok := m.objs[m.choices[f+choiceObjs]-1].(*sequence); ok {
				s.close(m)
			}
		}
	}
}

// putOff queues a loud cleanup goal for the next call. Goals that are queued one after the other share one call
// of '$run_cleanups'/1, whose list ends in a variable. So all of them run, even if one throws.
func (m *Machine) putOff(goal cell) {
	goal = m.NewCompound(fnLoud, []cell{goal})
	m.cleanups = append(m.cleanups, m.freeze(goal))
	m.liveCleanups++
	list := m.NewList(goal, m.NewVar())
	if end, ok := m.queuedCleanups(); ok {
		m.bind(end, list)
		return
	}
	m.addWaiting(m.NewCompound(fnRunCleanups, []cell{list}))
}

// queuedCleanups returns the end of the list of cleanup goals, if they are what has been queued last.
func (m *Machine) queuedCleanups() (end cell, ok bool) {
	if !m.wake {
		return 0, false
	}
	last := m.Deref(m.wakeGoals)
	if last.Tag() == code.Str && m.heap[last.Addr()] == code.FComma {
		last = m.Deref(m.Arg(last, 1))
	}
	if last.Tag() != code.Str || m.heap[last.Addr()] != fnRunCleanups {
		return 0, false
	}
	end = m.Deref(m.Arg(last, 0))
	for end.Tag() == code.Lst {
		end = m.Deref(m.heap[end.Addr()+1])
	}
	return end, IsVar(end)
}

var fnRunCleanups, fnLoud = code.Functor("$run_cleanups", 1), code.Functor("$loud", 1)

// cleanupFail runs the cleanup when the goal has failed for the last time, and fails.
func (m *Machine) cleanupFail() {
	m.cutHook--
	m.putOff(m.choices[m.b+choiceArgs+1])
	m.dropChoice()
	m.popFrame()
	m.p, m.live = addrFail, 0
	m.startWake()
}

// cleanupExit runs the cleanup when the goal has succeeded and left no choice points.
func (m *Machine) cleanupExit() {
	if m.dropUndoubted(int(m.envs[m.e+envY].Int())) {
		m.cutHook--
		m.putOff(m.envs[m.e+envY+1])
		m.live = 0
		m.startWake()
	}
}

// dropUndoubted takes the choice point of a goal away that has succeeded, unless newer ones may have other answers.
func (m *Machine) dropUndoubted(b int) bool {
	if m.undoubted() != b {
		return false
	}
	if b == m.b {
		m.dropChoice()
	} else {
		m.noteDoubt(b, addrDoubt)
	}
	return true
}

// CleanupSource runs cleanup goals one by one. The first exception of those that a success, failure or cut has
// brought about is thrown when all of them have run; exceptions of those that an exception has brought about are
// dropped (SWI-Prolog's manual, setup_call_cleanup/3).
const CleanupSource = `
'$run_cleanups'(Gs) :- '$run_cleanups'(Gs, E), ( nonvar(E) -> E = ball(B), throw(B) ; true ).
'$run_cleanups'(Gs, E) :-
	(   nonvar(Gs), Gs = [G|Rest]
	->  '$run_cleanup'(G, E), '$run_cleanups'(Rest, E)
	;   true
	).
'$run_cleanup'('$loud'(G), E) :- !, catch(ignore(G), B, ( var(E) -> E = ball(B) ; true )).
'$run_cleanup'(G, _) :- catch(ignore(G), _, true).
`

// This part defines undo/1: goals to be called when backtracking passes them. A global variable counts them. It is
// assigned so that backtracking restores it, which tells how many of those that are kept are to be called. While there
// are some the loop is left at each call.

var undoTable = []Builtin{
	{Name: "undo", Arity: 1, Func: undo, Meta: "0", Modes: ":goal",
		Doc: "Calls goal when backtracking, or an exception, passes here."},
}

// undoCount is the global variable.
const undoCount = "$undo"

// undo is undo/1. The goal is copied, as backtracking takes its cells away before it runs. The global variable counts
// the goals and is undone itself: that it is lower than their number tells that goals are due.
func undo(m *Machine, a []cell) (bool, error) {
	goal, _ := m.StripModule(a[0])
	if IsVar(goal) {
		return false, m.InstantiationError()
	}
	if !IsCallable(goal) {
		return false, m.TypeError("callable", goal)
	}
	m.collectUndone()
	saved := m.Save(m.keptGoal(a[0]))
	if err := m.Hold(saved.Bytes()); err != nil {
		return false, err
	}
	m.undos = append(m.undos, saved)
	m.SetGlobal(undoCount, code.MakeInt(int64(len(m.undos))), true)
	m.setSoft()
	return true, nil
}

// goalsWait reports whether goals are to run before the next call.
func (m *Machine) goalsWait() bool {
	m.collectUndone()
	return m.waiting()
}

// goalsWaitFor reports whether goals are to run before a built-in. A bag that ends is on top of the stack of Go
// objects, with no choice point behind it, so that goals of undo/1 have to wait until it has ended.
func (m *Machine) goalsWaitFor(b *Builtin) bool {
	if len(m.undos) > 0 && !strings.HasPrefix(b.Name, "$findall") {
		m.collectUndone()
	}
	return m.waiting()
}

// collectUndone queues the goals that backtracking has passed, the newest first.
func (m *Machine) collectUndone() {
	if len(m.undos) == 0 {
		return
	}
	left := 0
	if count, ok := m.Global(undoCount); ok && count.Tag() == code.Int {
		left = int(count.Int())
	}
	for i := len(m.undos) - 1; i >= left; i-- {
		_ = m.Hold(-m.undos[i].Bytes())
		m.putOff(m.Restore(m.undos[i]))
		m.undos = m.undos[:i]
	}
}

// These are set beside the arity of a choice point.
const (
	choiceNamed  = 1 << 62 // a goal has been given its number
	choiceUnsure = 1 << 61 // a goal behind it has failed in doubt
	choiceBeside = 1 << 60 // such a failure does not decide that its alternative addrMaybe is tried, but a cut may
	choiceSplit  = 1 << 59 // it is the copy that splitChoice has made
)

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
	if !m.dropUndoubted(int(m.envs[m.e+envY].Int())) {
		return m.determinismError(m.watched(), "nondet")
	}
	return nil
}

// enterDet begins to watch a call. The last call of a clause that is itself watched, and has left no choice point,
// needs no watch of its own. So recursion that ends with the call of a det predicate takes no stack. A goal of $/1 is
// always watched, since its error names the goal.
func (m *Machine) enterDet(pred int) {
	watched := code.MakeInt(int64(pred))
	if m.program.Preds()[pred].Functor == fDetGoal {
		watched = m.Deref(m.x[1])
	}
	isGoal := watched.Tag() == code.Str && m.Functor(watched) == fGoal
	if !isGoal && m.cp == addrAfterDet && int(m.envs[m.e+envY].Int()) == m.b {
		return
	}
	m.pushFrame(2)
	m.envs[m.e+envY+1] = watched
	m.cp = addrAfterDet // tells the collector how many slots the choice point's environment has
	m.pushChoice(0, addrDetFail)
	m.envs[m.e+envY] = code.MakeInt(int64(m.b))
	m.b0 = m.b
}

// fDetGoal is the functor of the predicate that runs what $/0 and $/1 watch. fGoal is that of its second argument for
// $/1.
var fDetGoal, fGoal = code.Functor("$det_goal", 2), code.Functor("goal", 1)

// watched returns what the environment of the current watched call holds: the number of the predicate, or the second
// argument of $det_goal/2.
func (m *Machine) watched() cell { return m.envs[m.e+envY+1] }

// determinismError is the error of a watched call that has failed or left a choice point.
func (m *Machine) determinismError(watched cell, found string) error {
	if watched.Tag() == code.Str {
		name := m.Functor(watched).FunctorName()
		return m.throwFormal(m.NewStruct("determinism_error", m.Arg(watched, 0), m.NewAtom("det"), m.NewAtom(found), name))
	}
	p := m.program.Preds()[watched.Int()]
	return m.throwFormal(m.NewStruct("determinism_error", m.procedure(p.Functor, p.Module),
		m.NewAtom("det"), m.NewAtom(found), m.NewAtom("property")))
}
