package machine

import (
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines what happens to cleanup goals (setup_call_cleanup/3): they run once, when their goal has exited for
// the last time, failed, thrown or been cut. It also defines choice points as numbers, which goals see:
// prolog_current_choice/1 and prolog_cut_to/1.
//
// '$setup_call_cleanup'(Goal, Cleanup) pushes an environment [choice point, cleanup] and a choice point with
// alternative addrCleanup. CutHook counts the live choice points of this kind, so a cut need not look for them when
// there are none. After a cut or an exception the cleanup runs before the next call. If the run backtracks first, a
// copy of the cleanup goal runs. Answer sequences made by Go code are counted and found in the same way. They are
// stopped at once.

// controlCleanup is $setup_call_cleanup/2. The environment is made first, so the choice point saves it. The cleanup
// goal can then be found however the goal ends.
func (m *Machine) controlCleanup(int) error {
	m.X[1] = m.keptGoal(m.X[1])
	m.pushFrame(2)
	m.Envs[m.E+stacks.EnvY+1] = m.X[1]
	m.CP = addrAfterCleanup // tells the collector how many slots the choice point's environment has
	m.pushChoice(2, addrCleanup)
	m.Envs[m.E+stacks.EnvY] = code.MakeInt(int64(m.B))
	m.CutHook++
	return m.callGoal(m.X[0], m.B)
}

// cutNow cuts to choice point b.
func (m *Machine) cutNow(b int) error {
	m.collectCleanups(b, nil)
	m.cutTo(m.keepDoubt(b))
	return nil
}

// collectCleanups notes the cleanup goals of the choice points newer than b, newest first, and stops their sequences.
// Cleanup goals that run because of an exception, ex, are quiet: their own exceptions do not replace it. The bindings
// of the goal are undone first, so the cleanup goals see only the bindings of their setup. Cleanup goals of a cut, for
// which ex is nil, are loud: their exceptions are thrown.
func (m *Machine) collectCleanups(b int, ex *Exception) {
	for f := m.B; f > b && m.CutHook > 0; f = int(m.Choices[f+stacks.ChoicePrev]) {
		switch m.alternative(f) {
		case addrCleanup:
			m.CutHook--
			m.noteCleanup(f, m.Choices[f+stacks.ChoiceArgs+1], ex)
		case addrRedo:
			s, ok := m.Objs[m.Choices[f+stacks.ChoiceObjs]-1].(*sequence)
			if ok && s.late != 0 && s.stop != nil && len(m.Cleanups) > 0 {
				s.stop = nil
				m.CutHook--
				m.noteCleanup(f, s.late, ex)
			} else if ok {
				s.close(m)
			}
		}
	}
}

// noteCleanup notes the cleanup goal of the choice point f, as collectCleanups says.
func (m *Machine) noteCleanup(f int, goal cell, ex *Exception) {
	if ex == nil {
		m.putOff(goal)
		return
	}
	m.UndoTrail(int(m.Choices[f+stacks.ChoiceTR]))
	m.Cleanups = append(m.Cleanups, stacks.Cleanup{Goal: m.Freeze(goal), Ball: &ex.ball})
}

// thawCleanup returns a cleanup goal. The cleanup of setup_call_catcher_cleanup/4 gets external_exception(_) for an
// exception after its goal has exited.
func (m *Machine) thawCleanup(c stacks.Cleanup) cell {
	goal := m.Thaw(c.Goal)
	if c.Ball == nil {
		return goal
	}
	told, mod := m.StripModule(goal)
	if stacks.IsCompound(told) && m.Functor(told) == fnRestrictedly {
		told, mod = m.StripModule(m.Arg(told, 0))
	}
	if mod.Name != "cleanup" || !stacks.IsCompound(told) || m.Functor(told) != fnCleanUp {
		return goal
	}
	state := m.Deref(m.Arg(told, 0))
	if stacks.IsCompound(state) && m.Functor(state) == fnReason && m.Deref(m.Arg(state, 0)) == m.NewAtom("!") {
		external := m.NewStruct("external_exception", m.Thaw(*c.Ball))
		m.Heap[m.ArgAddr(state, 0)] = external
	}
	return goal
}

// putOff queues a loud cleanup goal for the next call. Goals that are queued one after the other share one call
// of '$run_cleanups'/1, whose list ends in a variable. So all of them run, even if one throws.
func (m *Machine) putOff(goal cell) {
	goal = m.NewCompound(fnLoud, []cell{goal})
	m.Cleanups = append(m.Cleanups, stacks.Cleanup{Goal: m.Freeze(goal)})
	m.LiveCleanups++
	list := m.NewList(goal, m.NewVar())
	if end, ok := m.queuedCleanups(); ok {
		m.Bind(end, list)
		return
	}
	m.AddWaiting(m.NewCompound(fnRunCleanups, []cell{list}))
}

// queuedCleanups returns the end of the list of cleanup goals, if they are the newest queued goals.
func (m *Machine) queuedCleanups() (end cell, ok bool) {
	if !m.Wake {
		return 0, false
	}
	last := m.Deref(m.WakeGoals)
	if last.Tag() == code.Str && m.Heap[last.Addr()] == code.FComma {
		last = m.Deref(m.Arg(last, 1))
	}
	if last.Tag() != code.Str || m.Heap[last.Addr()] != fnRunCleanups {
		return 0, false
	}
	end = m.Deref(m.Arg(last, 0))
	for end.Tag() == code.Lst {
		end = m.Deref(m.Heap[end.Addr()+1])
	}
	return end, stacks.IsVar(end)
}

var (
	fnRunCleanups, fnLoud = code.Functor("$run_cleanups", 1), code.Functor("$loud", 1)
	fnCleanUp, fnReason   = code.Functor("clean_up", 3), code.Functor("reason", 1)
	fnRestrictedly        = code.Functor("$restrictedly", 1)
	fnCleanNow            = code.Functor("$clean_now", 1)
)

// cleanupFail runs the cleanup when the goal has failed for the last time, and fails.
func (m *Machine) cleanupFail() {
	m.CutHook--
	goal := m.Choices[m.B+stacks.ChoiceArgs+1]
	m.dropChoice()
	m.popFrame()
	m.P = addrFail
	m.runCleanup(goal)
}

// cleanupExit runs the cleanup when the goal has succeeded and left no choice points.
func (m *Machine) cleanupExit() {
	if m.dropUndoubted(int(m.Envs[m.E+stacks.EnvY].Int())) {
		m.CutHook--
		m.runCleanup(m.Envs[m.E+stacks.EnvY+1])
	}
}

// runCleanup calls a cleanup goal before the instruction at m.p, after the goals that are already queued.
func (m *Machine) runCleanup(goal cell) {
	m.Live = 0
	if m.goalsWait() {
		m.putOff(goal)
		m.startWake()
		return
	}
	m.suspendCall(0, -1)
	m.X[0] = goal
	m.P = int(m.program.System().Lookup(fnCleanNow).Entry)
	m.loadCode()
	m.B0 = m.B
}

// dropUndoubted removes the choice point b of a goal that has succeeded, or its alternative if only doubts are newer.
// It reports false if a newer choice point may have answers.
func (m *Machine) dropUndoubted(b int) bool {
	if m.undoubted() != b {
		return false
	}
	if b == m.B {
		m.dropChoice()
	} else {
		m.noteDoubt(b, addrDoubt)
	}
	return true
}

// CleanupSource runs one cleanup goal, or several one by one. If a success, failure or cut has started them, the first
// of their exceptions is thrown when all of them have run. If an exception has started them, their own exceptions are
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
'$clean_now'(G) :- ( call(G) -> true ; true ).
`

// This part defines undo/1: goals to be called when backtracking passes them. A global variable counts them.
// Backtracking restores its value, so the difference to the number of kept goals tells how many are to be called. While
// the list is not empty, the run loop is left at each call.

var undoTable = []Builtin{
	{Name: "undo", Arity: 1, Func: undo, Meta: "0", Modes: ":goal",
		Doc: "Calls goal when backtracking, an exception or the end of the query passes here."},
}

// undoCount is the global variable.
const undoCount = "$undo"

// undo is undo/1. The goal is copied, as backtracking takes its cells away before it runs. The global variable counts
// the goals and is itself undone by backtracking. When it is lower than the number of goals, goals are due.
func undo(m *Machine, a []cell) (bool, error) {
	goal, _ := m.StripModule(a[0])
	if stacks.IsVar(goal) {
		return false, m.InstantiationError()
	}
	if !stacks.IsCallable(goal) {
		return false, m.TypeError("callable", goal)
	}
	m.collectUndone()
	saved := m.Save(m.keptGoal(a[0]))
	if err := m.Hold(saved.Bytes()); err != nil {
		return false, err
	}
	m.Undos = append(m.Undos, saved.term)
	m.SetGlobal(undoCount, code.MakeInt(int64(len(m.Undos))), true)
	m.SetSoft()
	return true, nil
}

// passUndone makes all remaining goals of undo/1 due, as nothing can backtrack over them any more.
func (m *Machine) passUndone() {
	if len(m.Undos) > 0 {
		m.SetGlobal(undoCount, code.MakeInt(0), true)
	}
}

// goalsWait reports whether goals are to run before the next call.
func (m *Machine) goalsWait() bool {
	m.collectUndone()
	return m.Waiting()
}

// goalsWaitFor reports whether goals are to run before a built-in. While findall/3 collects its result its bag is on
// top of the object stack without a choice point, so goals of undo/1 wait until the bag has ended.
func (m *Machine) goalsWaitFor(b *Builtin) bool {
	if len(m.Undos) > 0 && !strings.HasPrefix(b.Name, "$findall") {
		m.collectUndone()
	}
	return m.Waiting()
}

// collectUndone queues the goals that backtracking has passed, the newest first.
func (m *Machine) collectUndone() {
	if len(m.Undos) == 0 {
		return
	}
	left := 0
	if count, ok := m.Global(undoCount); ok && count.Tag() == code.Int {
		left = int(count.Int())
	}
	for i := len(m.Undos) - 1; i >= left; i-- {
		_ = m.Hold(-m.Undos[i].Bytes())
		m.putOff(m.Thaw(m.Undos[i]))
		m.Undos = m.Undos[:i]
	}
}

func choicePoint(m *Machine, a []cell) (bool, error) {
	m.Choices[m.B+stacks.ChoiceArity] |= stacks.ChoiceNamed
	return m.Unify(a[0], code.MakeInt(int64(m.B))), nil
}

// controlCutTo is prolog_cut_to/1. It removes the choice points newer than the given one. If a running goal such as
// \+/1, catch/3 or a condition will return to one of them, that choice point stays but loses its alternative. The cut
// stops at a bag or a table that is being filled.
func (m *Machine) controlCutTo(int) error {
	c := m.Deref(m.X[0])
	if stacks.IsVar(c) {
		return m.InstantiationError()
	}
	if c.Tag() != code.Int && !m.IsBig(c) {
		return m.TypeError("choice", c)
	}
	b, ok := m.namedChoice(c)
	if !ok || m.isFilling(int(m.Choices[b+stacks.ChoiceObjs])) {
		return m.ExistenceError("choice", c)
	}
	m.P = m.CP
	if !m.needsChoices(b) {
		return m.cutNow(b)
	}
	for f := m.B; f > b; f = int(m.Choices[f+stacks.ChoicePrev]) {
		switch m.alternative(f) {
		case addrCatch, addrCleanup, addrDetFail: // none of them has another answer
			continue
		case addrRedo:
			if s, ok := m.Objs[m.Choices[f+stacks.ChoiceObjs]-1].(*sequence); ok && s.late != 0 {
				continue
			} else if ok {
				s.close(m)
			}
		}
		m.Choices[f+stacks.ChoiceAlt] = addrDead
	}
	return nil
}

// namedChoice finds the choice point with a number. It walks the chain, since the choice point may be gone.
func (m *Machine) namedChoice(number cell) (b int, ok bool) {
	b = m.B
	for steps := 0; b > stacks.ChoiceBase && code.MakeInt(int64(b)) != number; steps++ {
		m.PollAt(steps, 0)
		b = int(m.Choices[b+stacks.ChoicePrev])
	}
	return b, code.MakeInt(int64(b)) == number && m.Choices[b+stacks.ChoiceArity]&stacks.ChoiceNamed != 0
}

// isFilling reports whether the object stack has a bag or a table above a height.
func (m *Machine) isFilling(height int) bool {
	return m.hasBag(height) || slices.ContainsFunc(m.Objs[height:], func(o any) bool {
		_, is := o.(*tableFrame)
		return is
	})
}

// needsChoices reports whether an active clause or limit may hold the number of a choice point newer than b. Clauses
// outside of the clause that was active when b was made have not continued since. The search ends after some calls, and
// the answer is then yes.
func (m *Machine) needsChoices(b int) bool {
	if slices.ContainsFunc(m.GoalLimits, func(l stacks.GoalLimit) bool { return l.Frame > b }) {
		return true
	}
	const most = 1000
	last := int(m.Choices[b+stacks.ChoiceE])
	e, live := m.E, m.LiveSlots(m.CP)
	for range most {
		for _, c := range m.Envs[e+stacks.EnvY : min(e+stacks.EnvY+live, len(m.Envs))] {
			if c.Tag() == code.Int && int64(b) < c.Int() && c.Int() <= int64(m.B) {
				return true
			}
		}
		if e == last || e == 0 {
			return false
		}
		live = m.LiveSlots(int(m.Envs[e+stacks.EnvCP]))
		e = int(m.Envs[e+stacks.EnvE])
	}
	return true
}

// This part defines calls of predicates that are declared det. The entry of such a predicate begins with OpDet. OpDet
// pushes an environment [choice point, number of the predicate] and a choice point with alternative addrDetFail. A call
// that backtracks to this alternative has failed. A call that returns with a newer choice point on the stack has left a
// choice point.

// watchDet runs OpDet, OpDetExit and OpDetFail.
func (m *Machine) watchDet(w code.Instr) error {
	switch w.Op() {
	case code.OpDet:
		m.enterDet(w.Imm())
		return nil
	case code.OpDetRest:
		m.watchRest(w)
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
	if m.Wake {
		m.P--
		m.wakeFirst()
		return nil
	}
	if !m.dropUndoubted(int(m.Envs[m.E+stacks.EnvY].Int())) {
		return m.determinismError(m.watched(), "nondet")
	}
	return nil
}

// enterDet begins to watch a call. The last call of a clause that is itself watched, and has left no choice point,
// needs no watch of its own. So recursion that ends with the call of a det predicate takes no stack.
func (m *Machine) enterDet(pred int) {
	watched := code.MakeInt(int64(pred))
	if m.program.Preds()[pred].Functor == fDetGoal {
		watched = m.Deref(m.X[1])
	}
	if m.CP == addrAfterDet && int(m.Envs[m.E+stacks.EnvY].Int()) == m.B {
		return
	}
	m.pushWatch(watched)
}

// pushWatch pushes the environment and the choice point that watch a call.
func (m *Machine) pushWatch(watched cell) {
	m.pushFrame(2)
	m.Envs[m.E+stacks.EnvY+1] = watched
	m.CP = addrAfterDet // tells the collector how many slots the choice point's environment has
	m.pushChoice(0, addrDetFail)
	m.Envs[m.E+stacks.EnvY] = code.MakeInt(int64(m.B))
	m.B0 = m.B
}

// watchRest runs OpDetRest, which does for the rest of a clause what enterDet does for a call. The watching environment
// lies below the environment of the clause, so a last call of the clause can drop the latter.
func (m *Machine) watchRest(w code.Instr) {
	watched := code.MakeInt(-1 - int64(w.Imm()))
	if w.BC() == 0 {
		m.pushWatch(watched)
		return
	}
	e, n := m.E, stacks.EnvY+w.BC()-1
	m.popFrame()
	top := m.Etop + stacks.EnvY + 2
	for top+n > len(m.Envs) {
		m.GrowEnvs()
	}
	copy(m.Envs[top+stacks.EnvY:top+n], m.Envs[e+stacks.EnvY:e+n])
	m.pushWatch(watched)
	m.Envs[top+stacks.EnvE], m.Envs[top+stacks.EnvCP] = cell(m.E), cell(m.CP)
	m.E, m.Etop = top, top+n
}

// fDetGoal is the functor of the predicate that runs the goals after $/0 if they are not compiled into the clause.
var fDetGoal = code.Functor("$det_goal", 2)

// notDet is $not_det/3: a goal of $/1 has failed or left a choice point. A choice point of a doubt directly above the
// goal's own does not count.
func notDet(m *Machine, a []cell) (bool, error) {
	if code.MakeInt(int64(m.undoubted())) == m.Deref(a[0]) {
		return true, nil
	}
	goal, _ := m.StripModule(a[1])
	by := m.NewCompound(code.FColon, []cell{m.NewAtom("system"), m.Indicator(code.Functor("$", 1))})
	formal := m.NewStruct("determinism_error", goal, m.NewAtom("det"), a[2], m.NewAtom("goal"))
	return false, m.Throw(m.NewCompound(code.FError, []cell{formal, m.NewCompound(fnContext, []cell{by, m.NewVar()})}))
}

// watched returns what the environment of the current watched call holds. That is the number of the predicate or, for
// the rest of a clause, -1 - the entry of the predicate, or the second argument of $det_goal/2.
func (m *Machine) watched() cell { return m.Envs[m.E+stacks.EnvY+1] }

// determinismError is the error of a watched call that has failed or left a choice point.
func (m *Machine) determinismError(watched cell, found string) error {
	if watched.Tag() == code.Str {
		return m.throwFormal(m.NewStruct("determinism_error", m.Arg(watched, 0), m.NewAtom("det"), m.NewAtom(found),
			m.NewAtom("guard")))
	}
	p, by := (*database.Pred)(nil), "property"
	if n := int(watched.Int()); n >= 0 {
		p = m.program.Preds()[n]
	} else {
		p, by = m.predAt(-1-n), "guard"
	}
	return m.throwFormal(m.NewStruct("determinism_error", m.procedure(p.Functor, p.Module),
		m.NewAtom("det"), m.NewAtom(found), m.NewAtom(by)))
}
