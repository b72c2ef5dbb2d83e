package machine

import (
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines undo/1: goals to be called when backtracking passes them. A global variable counts them. It is
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
