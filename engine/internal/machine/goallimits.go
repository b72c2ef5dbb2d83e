package machine

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines the limits that goals put on goals they call (library(time)).
//
// Limits in force stand on a stack, the innermost last; the predicates of the library push one
// before they call the goal and pop it whichever way the goal ends. refuel looks at them.

// goalLimit is a limit in force. One of inferences and time is set.
type goalLimit struct {
	key        int64         // what the library knows it by; nobody else can guess it
	inferences int64         // stop when the run has made so many
	time       time.Duration // stop when the run has run so long
	// frame is the newest choice point when the limit was set. Catch frames newer than that
	// may catch the first exception of the limit, but no other.
	frame int
	late  bool // it has thrown
	ball  frozen
}

// limitTable are predicates that only the library calls.
var limitTable = []Builtin{
	{Name: "$push_time_limit", Arity: 3, Func: pushTimeLimit, Modes: "+nanoseconds, +ball, ?key",
		Doc: "Throws ball when the run has run so much longer."},
	{Name: "$push_inference_limit", Arity: 3, Func: pushInferenceLimit, Modes: "+count, ?frame, ?key",
		Doc: "Throws inference_limit_exceeded after so many more inferences; frame is the catch frame for it."},
	{Name: "$limit_key", Arity: 1, Func: limitKey, Modes: "-key", Doc: "Key is one for a limit still to be set."},
	{Name: "$pop_limits", Arity: 1, Func: popLimits, Modes: "+key",
		Doc: "Takes back the limit with this key and those above it."},
	{Name: "$limit_left", Arity: 2, Func: limitLeft, Modes: "+key, -count",
		Doc: "Count is how many inferences are left of a limit."},
	{Name: "$limit_hit", Arity: 1, Func: limitHit, Modes: "+key", Doc: "Succeeds if the limit with this key has thrown."},
	{Name: "$effort", Arity: 1, Func: tellEffort, Modes: "-text",
		Doc: "Text says what the run had done when a limit ran out last, and why it may have no end."},
	{Name: "$choice_point", Arity: 1, Func: choicePoint, Modes: "-frame",
		Doc: "Frame is the newest choice point, to be cut to by '$body'/2."},
}

// pushTimeLimit is $push_time_limit/3. Time of the run is meant, in which waiting does not count.
func pushTimeLimit(m *Machine, a []cell) (bool, error) {
	nanoseconds, err := m.IntArg(a[0])
	if err != nil {
		return false, err
	}
	stop := m.running() + time.Duration(nanoseconds)
	if stop < 0 {
		stop = 1<<63 - 1 // in three hundred years
	}
	return m.pushLimit(goalLimit{time: stop, frame: m.b, ball: m.freeze(a[1])}, a[2])
}

// pushInferenceLimit is $push_inference_limit/3. If frame is unbound it becomes the newest choice point.
func pushInferenceLimit(m *Machine, a []cell) (bool, error) {
	count, err := m.IntArg(a[0])
	if err != nil {
		return false, err
	}
	frame := m.Deref(a[1])
	if IsVar(frame) && !m.Unify(frame, code.MakeInt(int64(m.b))) {
		return false, nil
	}
	l := goalLimit{inferences: max(m.Inferences()+int64(count), 1), frame: int(m.Deref(a[1]).Int()),
		ball: m.freeze(m.NewAtom("inference_limit_exceeded"))}
	return m.pushLimit(l, a[2])
}

// pushLimit puts a limit in force and makes the next call look at it. key is unbound or of limitKey.
func (m *Machine) pushLimit(l goalLimit, key cell) (bool, error) {
	if IsVar(m.Deref(key)) {
		if ok, err := limitKey(m, []cell{key}); !ok || err != nil {
			return ok, err
		}
	}
	l.key = m.Deref(key).Int()
	m.goalLimits = append(m.goalLimits, l)
	m.emptyFuel()
	if l.inferences == 0 {
		m.setAlarm()
	}
	return true, nil
}

// emptyFuel makes the next call look at the limits.
func (m *Machine) emptyFuel() {
	m.inferences += int64(m.batch - m.fuel)
	m.batch, m.fuel = 0, 0
}

// limitKey is $limit_key/1. A key is random, so that no goal can name the limit of another.
func limitKey(m *Machine, a []cell) (bool, error) {
	return m.Unify(a[0], code.MakeInt(rand.Int64N(code.MaxInt))), nil
}

// limitAt returns the place of the limit with a key, or -1.
func (m *Machine) limitAt(key cell) int {
	key = m.Deref(key)
	return slices.IndexFunc(m.goalLimits, func(l goalLimit) bool { return code.MakeInt(l.key) == key })
}

// popLimits is $pop_limits/1. Limits above it belong to goals that an exception or a cut has left. A limit that is gone
// is no error.
func popLimits(m *Machine, a []cell) (bool, error) {
	if at := m.limitAt(a[0]); at >= 0 {
		m.goalLimits = m.goalLimits[:at]
		m.emptyFuel()
	}
	return true, nil
}

// limitLeft is $limit_left/2.
func limitLeft(m *Machine, a []cell) (bool, error) {
	at := m.limitAt(a[0])
	if at < 0 {
		return false, m.ExistenceError("limit", a[0])
	}
	return m.Unify(a[1], m.NewInt(max(m.goalLimits[at].inferences-m.Inferences(), 0))), nil
}

// limitHit is $limit_hit/1.
func limitHit(m *Machine, a []cell) (bool, error) {
	at := m.limitAt(a[0])
	return at >= 0 && m.goalLimits[at].late, nil
}

// running is the time that the run has run, without waiting.
func (m *Machine) running() time.Duration { return m.spent + time.Since(m.started) }

// checkGoalLimits throws the ball of the outermost limit that is used up. It gives the limit a little more,
// so that a handler can do its work. It returns how many of a batch of inferences are left.
func (m *Machine) checkGoalLimits(batch int64) (int64, error) {
	now := m.running()
	for i := range m.goalLimits {
		l := &m.goalLimits[i]
		switch {
		case l.inferences == 0 && now < l.time:
			continue
		case l.inferences > 0 && m.b < l.frame: // its goal has thrown, and the library takes it back next
			continue
		case l.inferences == 0:
			m.calls.ranOut = true
			l.time = now + graceTime
			m.setAlarm()
			return 0, l.exceeded()
		case m.inferences >= l.inferences:
			m.calls.ranOut = true
			l.inferences = m.inferences + fuelBatch
			return 0, l.exceeded()
		}
		batch = min(batch, l.inferences-m.inferences)
	}
	return batch, nil
}

// leaveTimeLimits takes back the limits of time that were set within a catch frame that has taken
// an exception. Their cleanups would, but the little more they have may be over before that.
func (m *Machine) leaveTimeLimits(b int) {
	n := len(m.goalLimits)
	for n > 0 && m.goalLimits[n-1].inferences == 0 && m.goalLimits[n-1].frame >= b {
		n--
	}
	m.goalLimits = m.goalLimits[:n]
}

// exceeded returns the exception of a limit; after the first one no catch frame within the limit takes it.
func (l *goalLimit) exceeded() error {
	ex := &Exception{ball: l.ball}
	if l.late {
		ex.above = l.frame
	}
	l.late = true
	return ex
}
