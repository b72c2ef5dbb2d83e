package machine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines how the machine looks at its limits, and the limits that goals put on goals they call
// (library(time)). Limits in force stand on a stack, the innermost last; the predicates of the library push one before
// they call the goal and pop it whichever way the goal ends. refuel checks them.

// watch makes the alarm go off when the context or the time of the run ends, until unwatch is called with what it
// returns. Fuel counts only calls, and one call may take long. The alarm makes the loop exit at the next call.
func (m *Machine) watch(ctx context.Context) (forget func() bool) {
	m.Alarm.Store(false)
	m.setAlarm()
	if ctx == nil || ctx.Done() == nil {
		return nil
	}
	if m.Ring == nil {
		m.Ring = func() { m.Alarm.Store(true) }
	}
	return context.AfterFunc(ctx, m.Ring)
}

// unwatch ends watch.
func (m *Machine) unwatch(forget func() bool) {
	if forget != nil {
		forget()
	}
	if m.AlarmClock != nil {
		m.AlarmClock.Stop()
	}
}

// setAlarm makes the alarm go off at the first time limit or when an alarm of a goal is due.
func (m *Machine) setAlarm() {
	at := m.FirstDeadline()
	if next := m.nextAlarm(); at.IsZero() || !next.IsZero() && next.Before(at) {
		at = next
	}
	switch {
	case at.IsZero():
	case m.AlarmClock == nil:
		m.AlarmClock = time.AfterFunc(time.Until(at), func() { m.Alarm.Store(true) })
	default:
		m.AlarmClock.Reset(time.Until(at))
	}
}

// Charge counts n units of work or bytes of output of a built-in that loops over data of any size. It returns an error,
// to be passed on, when the run has been cancelled or has used up its time or inferences.
func (m *Machine) Charge(n int) error {
	m.Fuel -= n
	if m.Fuel >= 0 {
		return nil
	}
	return m.refuel()
}

// Within calls f, which takes the terms of an answer out of the machine or puts some in. It stops f as it would stop a
// built-in: when the context or Cancel stops the run, or at its limits of time or memory. At the memory limit the terms
// that f has put on the heap are dropped.
func (m *Machine) Within(ctx context.Context, f func()) (err error) {
	m.Ctx, m.Pollable = ctx, true
	top := m.H
	defer func() {
		m.Pollable = false
		switch r := recover(); r {
		case nil:
		case stacks.OutOfMemory:
			m.H = top
			err = m.ResourceError("memory")
		case stacks.Interrupted:
			err = m.refuel()
		default:
			panic(r)
		}
		m.Ctx = nil
	}()
	f()
	return nil
}

// refuel counts the calls made, checks limits, clock and cancellation, and refills the fuel.
func (m *Machine) refuel() error {
	m.Counted += int64(m.Batch - m.Fuel)
	if m.inBuiltin > 0 { // the work of a built-in, no call
		work := int64(m.Batch - m.Fuel)
		m.calls.AddWork(m.inBuiltin-1, work)
	}
	m.Batch, m.Fuel = 0, 0
	if reason := m.Cancelled.Load(); reason != nil {
		return &Aborted{Reason: *reason}
	}
	if m.Ctx != nil {
		if err := m.Ctx.Err(); err != nil {
			reason := "cancelled"
			if errors.Is(err, context.DeadlineExceeded) {
				reason = "the deadline has passed"
			}
			if cause := context.Cause(m.Ctx); cause != err {
				err = fmt.Errorf("%w: %w", err, cause)
			}
			return &Aborted{Reason: reason, Err: err}
		}
	}
	if m.IsLate() {
		grace := m.Limits.Time/graceShare + graceTime
		m.Limits.Time += grace
		m.delayDeadline(grace)
		return m.limitError("time")
	}
	batch := m.calls.Batch()
	if m.sampler != nil {
		batch = m.sampler.batch()
	}
	if limit := m.Limits.Inferences; limit > 0 {
		left := limit - m.Counted
		if left <= 0 {
			// One walk over a large term counts as many calls, so the handler's share begins at the current count.
			m.Limits.Inferences = m.Counted + limit/graceShare + stacks.FuelBatch
			return m.limitError("inferences")
		}
		batch = min(batch, left)
	}
	if len(m.GoalLimits) > 0 {
		var err error
		if batch, err = m.checkGoalLimits(batch); err != nil {
			return err
		}
	}
	if len(m.alarms.list) > 0 || m.waiter != nil {
		m.ringAlarms()
	}
	m.Batch, m.Fuel = int(batch), int(batch)
	m.vouch()
	return nil
}

// After its limit a run gets a share of it more, so that a handler can do its work. After that share no catch/3 can
// prevent its end.
const (
	graceShare = 4
	graceTime  = 20 * time.Millisecond
)

// limitError is the resource error of an exhausted limit. If it happens again no catch/3 catches it.
func (m *Machine) limitError(what string) error {
	err := m.ResourceError(what)
	if ex, ok := err.(*Exception); ok {
		ex.final = m.Overtime
	}
	m.Overtime = true
	return err
}

// Aborted is the error of a run that was cancelled from outside. No catch/3 catches it.
type Aborted struct {
	Reason string
	Err    error
}

func (a *Aborted) Error() string { return "aborted: " + a.Reason }

// Unwrap returns the context's error, if that was the cause.
func (a *Aborted) Unwrap() error { return a.Err }

// Hold notes n bytes of Go memory that a built-in keeps for the goal, such as a buffer or a number. If the limit is
// exceeded, it returns a resource error and notes nothing. A negative n gives back what was noted and cannot fail.
func (m *Machine) Hold(n int) error {
	if n > 0 && n > m.LimitBytes()-m.Used() {
		return m.ResourceError("memory")
	}
	m.ExtraBytes += n
	return nil
}

// LargeBytes is the size from which a result is checked against the memory limit before it is made.
const LargeBytes = 1 << 16

// Fits asks whether a result of n bytes fits under the memory limit, before it is made, and charges for the work of
// making it. Small results always fit, as the stacks have room for them. Nothing is held.
func Fits(m *Machine, n int) error {
	if n < LargeBytes {
		return nil
	}
	return Adds(m, n, n)
}

// Adds is Fits for n bytes added to a result whose size is then size bytes. It charges only for the n bytes.
func Adds(m *Machine, size, n int) error {
	if size >= LargeBytes && size > m.LimitBytes()-m.Used() {
		return m.ResourceError("memory")
	}
	return m.Charge(1 + n/64)
}

// Grow returns an array with room for n more elements. It holds the new array before it allocates it, as both arrays
// exist until it is filled. held is the number of bytes held for the array.
func Grow[T any](m *Machine, array []T, n int, held *int) ([]T, error) {
	need := len(array) + n
	if need <= cap(array) {
		return array, nil
	}
	each := int(unsafe.Sizeof(*new(T)))
	size := max(need, min(need+need/2, (m.LimitBytes()-m.Used())/each))
	if err := m.Hold(size * each); err != nil {
		return array, err
	}
	m.ExtraBytes -= *held
	*held = size * each
	return arrays.Append(make([]T, 0, size), array...), nil
}

// holdEntry notes a table entry that the run keeps, of the length of a name plus a number of bytes. If that exceeds the
// limit, the built-in that makes the entry fails.
func (m *View) holdEntry(name string, bytes int) {
	const entryBytes = 96
	m.ExtraBytes += len(name) + bytes + entryBytes
}

// Inferences returns the number of calls made since Start.
func (m *Machine) Inferences() int64 { return m.Counted + int64(m.Batch-m.Fuel) }

// Stats returns what the machine has done since Reset.
func (m *Machine) Stats() stacks.Stats {
	s := m.Done
	s.Inferences, s.HeapBytes = m.Inferences(), 8*m.H
	s.HeapPeak = max(s.HeapPeak, s.HeapBytes)
	return s
}

// limitTable lists predicates that only the library calls.
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
	{Name: "$not_det", Arity: 3, Func: notDet, Modes: "+frame, +goal, +found",
		Doc: "Throws an error: goal has failed, or left choice points newer than frame."},
	{Name: "$choice_point", Arity: 1, Func: choicePoint, Modes: "-frame",
		Doc: "Frame is the newest choice point, to be cut to by '$body'/2."},
}

// pushTimeLimit is $push_time_limit/3. The limit counts the time of the run, without waiting.
func pushTimeLimit(m *Machine, a []cell) (bool, error) {
	nanoseconds, err := m.IntArg(a[0])
	if err != nil {
		return false, err
	}
	stop := m.running() + time.Duration(nanoseconds)
	if stop < 0 {
		stop = 1<<63 - 1 // three hundred years from now
	}
	return m.pushLimit(stacks.GoalLimit{Time: stop, Frame: m.B, Ball: m.Freeze(a[1])}, a[2])
}

// pushInferenceLimit is $push_inference_limit/3. If frame is unbound it becomes the newest choice point.
func pushInferenceLimit(m *Machine, a []cell) (bool, error) {
	count, err := m.IntArg(a[0])
	if err != nil {
		return false, err
	}
	frame := m.Deref(a[1])
	if stacks.IsVar(frame) && !m.Unify(frame, code.MakeInt(int64(m.B))) {
		return false, nil
	}
	l := stacks.GoalLimit{Inferences: max(m.Inferences()+int64(count), 1), Frame: int(m.Deref(a[1]).Int()),
		Ball: m.Freeze(m.NewAtom("inference_limit_exceeded"))}
	return m.pushLimit(l, a[2])
}

// pushLimit puts a limit in force and makes the next call look at it. key is unbound or of limitKey.
func (m *Machine) pushLimit(l stacks.GoalLimit, key cell) (bool, error) {
	if stacks.IsVar(m.Deref(key)) {
		if ok, err := limitKey(m, []cell{key}); !ok || err != nil {
			return ok, err
		}
	}
	l.Key = m.Deref(key).Int()
	m.GoalLimits = append(m.GoalLimits, l)
	m.emptyFuel()
	if l.Inferences == 0 {
		m.setAlarm()
	}
	return true, nil
}

// emptyFuel makes the next call look at the limits.
func (m *Machine) emptyFuel() {
	m.Counted += int64(m.Batch - m.Fuel)
	m.Batch, m.Fuel = 0, 0
}

// limitKey is $limit_key/1. A key is random, so that no goal can name the limit of another.
func limitKey(m *Machine, a []cell) (bool, error) {
	return m.Unify(a[0], code.MakeInt(rand.Int64N(code.MaxInt))), nil
}

// limitAt returns the index of the limit with a key, or -1.
func (m *Machine) limitAt(key cell) int {
	key = m.Deref(key)
	return slices.IndexFunc(m.GoalLimits, func(l stacks.GoalLimit) bool { return code.MakeInt(l.Key) == key })
}

// popLimits is $pop_limits/1. Limits above the given one belong to goals that an exception or a cut has left. It is no
// error if the limit is gone.
func popLimits(m *Machine, a []cell) (bool, error) {
	if at := m.limitAt(a[0]); at >= 0 {
		m.GoalLimits = m.GoalLimits[:at]
		m.emptyFuel()
	}
	return true, nil
}

func limitLeft(m *Machine, a []cell) (bool, error) {
	at := m.limitAt(a[0])
	if at < 0 {
		return false, m.ExistenceError("limit", a[0])
	}
	return m.Unify(a[1], m.NewInt(max(m.GoalLimits[at].Inferences-m.Inferences(), 0))), nil
}

func limitHit(m *Machine, a []cell) (bool, error) {
	at := m.limitAt(a[0])
	return at >= 0 && m.GoalLimits[at].Late, nil
}

// running is the time that the run has run, without waiting.
func (m *Machine) running() time.Duration { return m.Spent + time.Since(m.Started) }

// checkGoalLimits throws the ball of the outermost exhausted limit and extends that limit a little, so a handler can do
// its work. It returns how many of a batch of inferences are left.
func (m *Machine) checkGoalLimits(batch int64) (int64, error) {
	now := m.running()
	for i := range m.GoalLimits {
		l := &m.GoalLimits[i]
		switch {
		case l.Inferences == 0 && now < l.Time:
			continue
		case l.Inferences > 0 && m.B < l.Frame: // its goal has thrown, and the library takes it back next
			continue
		case l.Inferences == 0:
			m.RanOut = true
			l.Time = now + graceTime
			m.setAlarm()
			return 0, exceeded(l)
		case m.Counted >= l.Inferences: // nobody reports what its goal has done: the report would take longer than the goal
			l.Inferences = m.Counted + stacks.FuelBatch
			return 0, exceeded(l)
		}
		batch = min(batch, l.Inferences-m.Counted)
	}
	return batch, nil
}

// leaveTimeLimits takes back the limits of time that were set within a catch frame that has taken
// an exception. Their cleanup goals do that too, but the extended limits may be exhausted before.
func (m *Machine) leaveTimeLimits(b int) {
	n := len(m.GoalLimits)
	for n > 0 && m.GoalLimits[n-1].Inferences == 0 && m.GoalLimits[n-1].Frame >= b {
		n--
	}
	m.GoalLimits = m.GoalLimits[:n]
}

// exceeded returns the exception of a limit; after the first one no catch frame within the limit takes it.
func exceeded(l *stacks.GoalLimit) error {
	ex := &Exception{ball: l.Ball}
	if l.Late {
		ex.above = l.Frame
	}
	l.Late = true
	return ex
}
