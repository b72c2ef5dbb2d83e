package machine

import (
	"slices"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines alarms: goals that are called before the next call when their time has come. Backtracking does not
// take them back, unlike the goals of attributed variables.

// alarmTable lists predicates that only the library calls.
var alarmTable = []Builtin{
	{Name: "$alarm_create", Arity: 4, Func: alarmCreate, Modes: "+stamp, +goal, +remove, -number",
		Doc: "Notes a goal for a time; remove is true if the alarm goes when it has rung."},
	{Name: "$alarm_state", Arity: 3, Func: alarmState, Modes: "+number, +state, +stamp",
		Doc: "Makes an alarm scheduled for a time, or idle."},
	{Name: "$alarm_remove", Arity: 1, Func: alarmRemove, Modes: "+number", Doc: "Removes an alarm."},
	{Name: "$hold_signals", Arity: 1, Func: holdSignals, Modes: "+count",
		Doc: "Keeps signals waiting as long as the sum of the counts is above 0."},
	{Name: "$alarms", Arity: 1, Func: listAlarms, Modes: "-list",
		Doc: "Lists the alarms as alarm(Stamp, Goal, Number, State), the next first."},
}

// alarm is a goal for a time.
type alarm struct {
	number int
	at     time.Time
	goal   Saved
	remove bool
	state  string // idle, scheduled or done
}

// alarms holds the alarms of a machine.
type alarms struct {
	list []alarm
	last int // number of the newest
}

const (
	alarmIdle      = "idle"
	alarmScheduled = "scheduled"
	alarmDone      = "done"
)

// stampTime returns the time of a stamp in seconds since 1970.
func stampTime(stamp float64) time.Time {
	const most = 1 << 33 // seconds, where nanoseconds still fit
	return time.Unix(0, int64(max(min(stamp, most), 0)*1e9))
}

// alarmCreate runs '$alarm_create'(Stamp, Goal, Remove, Number). The alarm is idle.
func alarmCreate(m *Machine, a []cell) (bool, error) {
	goal := Saved{m.FreezeWith(m.keptGoal(a[1]), true)}
	m.HoldAtoms(goal.term)
	if err := m.Hold(goal.Bytes()); err != nil {
		return false, err
	}
	m.alarms.last++
	at, remove := stampTime(m.FloatValue(m.Deref(a[0]))), m.Deref(a[2]) == code.ATrue
	m.alarms.list = append(m.alarms.list, alarm{m.alarms.last, at, goal, remove, alarmIdle})
	return m.Unify(a[3], code.MakeInt(int64(m.alarms.last))), nil
}

// alarmArg returns the index of the alarm that an argument stands for.
func (m *Machine) alarmArg(c cell) (int, error) {
	number, err := m.IntArg(c)
	if err != nil {
		return 0, err
	}
	at := slices.IndexFunc(m.alarms.list, func(a alarm) bool { return a.number == number })
	if at < 0 {
		return 0, m.ExistenceError("alarm", c)
	}
	return at, nil
}

// alarmState runs '$alarm_state'(Number, State, Stamp).
func alarmState(m *Machine, a []cell) (bool, error) {
	at, err := m.alarmArg(a[0])
	if err != nil {
		return false, err
	}
	m.alarms.list[at].state, m.alarms.list[at].at = stacks.AtomText(m.Deref(a[1])), stampTime(m.FloatValue(m.Deref(a[2])))
	m.emptyFuel()
	m.setAlarm()
	return true, nil
}

// alarmRemove runs '$alarm_remove'(Number).
func alarmRemove(m *Machine, a []cell) (bool, error) {
	at, err := m.alarmArg(a[0])
	if err == nil {
		m.dropAlarm(at)
	}
	return err == nil, err
}

// dropAlarm removes the alarm at an index of the list. Its goal no longer counts as memory of the run.
func (m *Machine) dropAlarm(at int) {
	m.ExtraBytes -= m.alarms.list[at].goal.Bytes()
	m.alarms.list = slices.Delete(m.alarms.list, at, at+1)
}

// listAlarms runs '$alarms'(List).
func listAlarms(m *Machine, a []cell) (bool, error) {
	byTime := slices.Clone(m.alarms.list)
	slices.SortStableFunc(byTime, func(x, y alarm) int { return x.at.Compare(y.at) })
	list := make([]cell, len(byTime))
	for i, x := range byTime {
		list[i] = m.NewStruct("alarm", m.NewFloat(float64(x.at.UnixNano())/1e9), m.Restore(x.goal),
			code.MakeInt(int64(x.number)), m.NewAtom(x.state))
	}
	return m.Unify(a[0], m.List(list, code.ANil)), nil
}

// holdSignals runs '$hold_signals'(Count).
func holdSignals(m *Machine, a []cell) (bool, error) {
	count, err := m.IntArg(a[0])
	if err != nil {
		return false, err
	}
	m.SignalsHeld += count
	m.SetSoft()
	return true, nil
}

// nextAlarm returns the time of the next alarm, the zero time if there is none. The alarm may belong to a machine that
// waits for this one.
func (m *Machine) nextAlarm() (at time.Time) {
	if m.waiter != nil {
		at = m.waiter.nextAlarm()
	}
	for i := range m.alarms.list {
		if x := &m.alarms.list[i]; x.state == alarmScheduled && (at.IsZero() || x.at.Before(at)) {
			at = x.at
		}
	}
	return at
}

// ringAlarms signals the goals whose time has come. A machine stops waiting if an alarm rings in a machine that waits
// for it.
func (m *Machine) ringAlarms() {
	for now := time.Now(); ; {
		due := -1
		for i := range m.alarms.list {
			x := &m.alarms.list[i]
			if x.state == alarmScheduled && !x.at.After(now) && (due < 0 || x.at.Before(m.alarms.list[due].at)) {
				due = i
			}
		}
		if due < 0 {
			m.pausing = m.pausing || m.waiter != nil && stacks.HasPassed(m.waiter.nextAlarm())
			m.setAlarm()
			return
		}
		m.signal(m.alarms.list[due].goal.term)
		if m.alarms.list[due].state = alarmDone; m.alarms.list[due].remove {
			m.dropAlarm(due)
		}
	}
}

// signal makes the machine call a goal before its next call.
func (m *Machine) signal(goal stacks.Frozen) {
	m.Signals = append(m.Signals, goal)
	m.HSoft = -1 // leave the loop at the next call
}

// takeSignals returns the goal that calls all signalled goals, and clears their list.
func (m *Machine) takeSignals() cell {
	list := make([]cell, len(m.Signals))
	for i, f := range m.Signals {
		list[i] = m.Thaw(f)
	}
	m.Signals = m.Signals[:0]
	return m.NewStruct("$signals", m.List(list, code.ANil))
}
