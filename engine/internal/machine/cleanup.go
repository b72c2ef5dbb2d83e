package machine

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines what happens to cleanup goals (setup_call_cleanup/3): they run once, when
// their goal has exited for the last time, failed, thrown or been cut.
//
// '$setup_call_cleanup'(Goal, Cleanup) pushes an environment [choice point, cleanup] and a
// choice point with alternative addrCleanup. cutHook counts such choice points that are alive,
// so that a cut need not look for them when there are none. After a cut or an exception the
// cleanup runs before the next call. Backtracking may come first; then a copy runs. Sequences of
// answers that Go makes are counted and found by the same means; they are stopped at once.

func (m *Machine) controlCleanup(int) error {
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
	m.collectCleanups(b)
	m.cutTo(b)
	return nil
}

// collectCleanups notes the cleanup goals of the choice points newer than b, newest first, and stops
// their sequences.
func (m *Machine) collectCleanups(b int) {
	for f := m.b; f > b && m.cutHook > 0; f = int(m.choices[f+choicePrev]) {
		switch m.choices[f+choiceAlt] {
		case addrCleanup:
			m.cutHook--
			m.putOff(m.choices[f+choiceArgs+1])
		case addrRedo:
			if s, ok := m.objs[m.choices[f+choiceObjs]-1].(*sequence); ok {
				s.close(m)
			}
		}
	}
}

// putOff queues a cleanup goal for the next call.
func (m *Machine) putOff(goal cell) {
	m.cleanups = append(m.cleanups, m.freeze(goal))
	m.addWaiting(m.NewStruct("$run_cleanups", m.NewList(goal, code.ANil)))
	m.liveCleanups++
}

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
	if c := int(m.envs[m.e+envY].Int()); c == m.b {
		m.cutHook--
		m.putOff(m.envs[m.e+envY+1])
		m.dropChoice()
		m.live = 0
		m.startWake()
	}
}

// CleanupSource runs cleanup goals one by one. What they throw has no one to go to
// (SWI-Prolog's manual, setup_call_cleanup/3).
const CleanupSource = `
'$run_cleanups'([]).
'$run_cleanups'([G|Gs]) :- catch(ignore(G), _, true), '$run_cleanups'(Gs).
`
