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
	"github.com/mcplogic/mcplogic/engine/internal/native"
)

// This file defines how stacks grow and how limits are checked.

// used returns the bytes that the run holds.
func (m *Terms) used() int { return 8*(m.h+m.etop+m.choicesTop()+m.tr) + m.atomBytes + m.extraBytes }

// limitBytes returns the memory limit in bytes.
func (m *Terms) limitBytes() int {
	if m.limits.Memory > 0 {
		return m.limits.Memory
	}
	return DefaultMemory
}

// growHeap makes room for cells up to index n. Beyond the limit it still grows, so that the
// built-in that asked can finish, and notes that the run is out of memory.
func (m *Terms) growHeap(n int) {
	size := max(m.memory.heap.larger(len(m.heap)), n+slack)
	if limit := m.limitBytes() / 8; size > limit {
		size = max(n+slack, min(size, limit+slack))
	}
	if !m.overdraw && 8*n+m.extraBytes > m.limitBytes()+m.limitBytes()/8 {
		panic(outOfMemory)
	}
	if m.stress == StressGrow {
		size = m.crowdedSize(n)
	}
	m.heap = m.grown(&m.memory.heap, m.heap, size)
	m.setSoft()
}

// stopReason is what a panic has that ends a built-in. It is caught where built-ins are called.
type stopReason string

func (e stopReason) Error() string { return string(e) }

const (
	outOfMemory stopReason = "out of memory" // it builds more than the limit allows
	interrupted stopReason = "interrupted"   // the run has been stopped
)

func (m *Terms) growTrail() { m.trail = m.enlarged(&m.memory.trail, m.trail) }

func (m *Machine) growChoices() { m.choices = m.enlarged(&m.memory.choices, m.choices) }

func (m *Machine) growEnvs() { m.envs = m.enlarged(&m.memory.envs, m.envs) }

// enlarged makes a stack larger.
func (m *Terms) enlarged(s *stackMemory, stack []cell) []cell {
	return m.grown(s, stack, s.larger(len(stack)))
}

// setSoft sets the heap top at which the next call looks whether to collect garbage. While goals wait
// each call looks, whatever has grown or been collected since they were queued.
func (m *Terms) setSoft() {
	m.hSoft = m.collectAt()
	if m.stress.collects() || m.waiting() || len(m.undos) > 0 {
		m.hSoft = -1
	}
}

// watch makes the alarm go off when the context or the time of the run ends, until unwatch is called with what it
// returns. The fuel counts calls, and what one of them does may take long: then the next exit of the loop is in time.
func (m *Machine) watch(ctx context.Context) (forget func() bool) {
	m.alarm.Store(false)
	m.setAlarm()
	if ctx == nil || ctx.Done() == nil {
		return nil
	}
	if m.ring == nil {
		m.ring = func() { m.alarm.Store(true) }
	}
	return context.AfterFunc(ctx, m.ring)
}

// unwatch ends watch.
func (m *Machine) unwatch(forget func() bool) {
	if forget != nil {
		forget()
	}
	if m.alarmClock != nil {
		m.alarmClock.Stop()
	}
}

// setAlarm makes the alarm go off when the first limit of time is over or an alarm of a goal is due.
func (m *Machine) setAlarm() {
	at := m.firstDeadline()
	if next := m.nextAlarm(); at.IsZero() || !next.IsZero() && next.Before(at) {
		at = next
	}
	switch {
	case at.IsZero():
	case m.alarmClock == nil:
		m.alarmClock = time.AfterFunc(time.Until(at), func() { m.alarm.Store(true) })
	default:
		m.alarmClock.Reset(time.Until(at))
	}
}

// Charge counts n units of work or bytes of output of a built-in that loops over data of any size. It returns an error,
// to be passed on, when the run has been cancelled or has used up its time or inferences.
func (m *Machine) Charge(n int) error {
	m.fuel -= n
	if m.fuel >= 0 {
		return nil
	}
	return m.refuel()
}

// workBatch is the number of steps over terms, about a millisecond's, after which to look at the clock.
const workBatch = 1 << 17

// stepsPerCall is how many steps over terms take about the time of a call.
const stepsPerCall = 8

// noteWork counts n steps of a walk over terms. Many of them count as calls, and the next call looks at the limits, the
// clock and cancellation.
func (m *Terms) noteWork(n int) {
	if m.walked += n; m.walked < workBatch {
		return
	}
	m.inferences += int64(m.batch - m.fuel + m.walked/stepsPerCall)
	m.walked = 0
	m.batch, m.fuel = 0, 0
}

// pollSteps is the number of steps of a walk, some tens of microseconds' work, after which to
// look whether the run has been stopped.
const pollSteps = 1 << 12

// pollAt is called at each step of a walk over terms, with its number and the entries of the table that it holds, 0
// when it holds none.
func (m *Terms) pollAt(step, entries int) {
	const entryBytes = 48
	if step&(pollSteps-1) == pollSteps-1 {
		m.PollHolding(entries * entryBytes)
	}
}

// PollHolding ends the built-in that is running, by a panic, if the run has been cancelled or is out of
// time. It does so too if the memory left is less than held, the bytes that the built-in has and has not
// noted by Hold. Walks call it every few thousand steps.
func (m *Terms) PollHolding(held int) {
	if m.mustStop() {
		panic(interrupted)
	}
	if held > 0 && m.pollable && m.used()+held > m.limitBytes() {
		panic(outOfMemory)
	}
}

// Within calls f, which takes the terms of an answer out of the machine or brings some in, and ends it as a
// built-in is ended: when the context or Cancel stops the run, or its limits of time or memory. In
// the last case what f has put on the heap is gone.
func (m *Machine) Within(ctx context.Context, f func()) (err error) {
	m.ctx, m.pollable = ctx, true
	top := m.h
	defer func() {
		m.pollable = false
		switch r := recover(); r {
		case nil:
		case outOfMemory:
			m.h = top
			err = m.ResourceError("memory")
		case interrupted:
			err = m.refuel()
		default:
			panic(r)
		}
		m.ctx = nil
	}()
	f()
	return nil
}

// Poll is Charge for code that cannot return an error, such as the computations of packages bignum and syntax. It ends
// the built-in by a panic, which the machine catches where it calls built-ins. A unit is about as long as a call; 0 is
// for work that is counted elsewhere.
func (m *Terms) Poll(n int) {
	if m.fuel -= n; m.fuel < 0 || n == 0 {
		m.PollHolding(0)
	}
}

// Meter is Poll as a value, which is made once: a method value is an allocation.
func (m *Terms) Meter() func(n int) {
	if m.meter == nil {
		m.meter = m.Poll
	}
	return m.meter
}

// mustStop reports whether a poll would end the built-in that is running.
func (m *Terms) mustStop() bool { return m.pollable && (m.isCancelled() || m.isAnyLate()) }

// isCancelled reports whether Cancel was called or the context has ended.
func (m *Terms) isCancelled() bool {
	return m.cancelled.Load() != nil || m.ctx != nil && m.ctx.Err() != nil
}

// refuel counts the calls made, looks at limits, clock and cancellation, and fills up.
func (m *Machine) refuel() error {
	m.inferences += int64(m.batch - m.fuel)
	if m.inBuiltin > 0 { // its work was no call
		work := int64(m.batch - m.fuel)
		m.calls.add(builtinAt(m.inBuiltin-1), work).work += work
	}
	m.batch, m.fuel = 0, 0
	if reason := m.cancelled.Load(); reason != nil {
		return &Aborted{Reason: *reason}
	}
	if m.ctx != nil {
		if err := m.ctx.Err(); err != nil {
			reason := "cancelled"
			if errors.Is(err, context.DeadlineExceeded) {
				reason = "the deadline has passed"
			}
			if cause := context.Cause(m.ctx); cause != err {
				err = fmt.Errorf("%w: %w", err, cause)
			}
			return &Aborted{Reason: reason, Err: err}
		}
	}
	if m.isLate() {
		grace := m.limits.Time/graceShare + graceTime
		m.limits.Time += grace
		m.delayDeadline(grace)
		return m.limitError("time")
	}
	batch := m.calls.batch()
	if limit := m.limits.Inferences; limit > 0 {
		left := limit - m.inferences
		if left <= 0 {
			// One walk over a large term counts as many calls, so the handler's share begins where the goal has come to.
			m.limits.Inferences = m.inferences + limit/graceShare + fuelBatch
			return m.limitError("inferences")
		}
		batch = min(batch, left)
	}
	if len(m.goalLimits) > 0 {
		var err error
		if batch, err = m.checkGoalLimits(batch); err != nil {
			return err
		}
	}
	if len(m.alarms.list) > 0 || m.waiter != nil {
		m.ringAlarms()
	}
	m.batch, m.fuel = int(batch), int(batch)
	m.vouch()
	return nil
}

// After its limit a run gets a share of it more, so that a handler can do its work. Then it is
// over, whoever would catch that.
const (
	graceShare = 4
	graceTime  = 20 * time.Millisecond
)

// limitError is the resource error of a limit that ran out; at the second time no catch/3 catches it.
func (m *Machine) limitError(what string) error {
	err := m.ResourceError(what)
	if ex, ok := err.(*Exception); ok {
		ex.final = m.overtime
	}
	m.overtime = true
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

// Hold notes n bytes of Go memory that a built-in keeps for the goal, such as a buffer or a number. Too much is a
// resource error, and then nothing is noted. A negative n gives back what was noted and cannot fail.
func (m *Machine) Hold(n int) error {
	if n > 0 && n > m.limitBytes()-m.used() {
		return m.ResourceError("memory")
	}
	m.extraBytes += n
	return nil
}

// LargeBytes is the size from which a result is checked against the memory limit before it is made.
const LargeBytes = 1 << 16

// Fits asks whether a result of n bytes fits under the memory limit, before it is made, and charges for the work of
// making it. Small results are not asked about: the stacks have room for them. Nothing is held.
func Fits(m *Machine, n int) error {
	if n < LargeBytes {
		return nil
	}
	return Adds(m, n, n)
}

// Adds is Fits for n bytes that are added to a result, which is of size bytes then: it is charged for those alone.
func Adds(m *Machine, size, n int) error {
	if size >= LargeBytes && size > m.limitBytes()-m.used() {
		return m.ResourceError("memory")
	}
	return m.Charge(1 + n/64)
}

// Grow returns an array with room for n elements more, which is held before it is taken: until the new array is full
// there are two. held is what is held for the array.
func Grow[T any](m *Machine, array []T, n int, held *int) ([]T, error) {
	need := len(array) + n
	if need <= cap(array) {
		return array, nil
	}
	each := int(unsafe.Sizeof(*new(T)))
	size := max(need, min(need+need/2, (m.limitBytes()-m.used())/each))
	if err := m.Hold(size * each); err != nil {
		return array, err
	}
	m.extraBytes -= *held
	*held = size * each
	return arrays.Append(make([]T, 0, size), array...), nil
}

// holdEntry notes a table entry that the run keeps, under a name and with so many bytes besides. The
// built-in that makes it is the one that fails when that is too much.
func (m *View) holdEntry(name string, bytes int) {
	const entryBytes = 96
	m.extraBytes += len(name) + bytes + entryBytes
}

// choicesTop returns the end of the newest choice point.
func (m *Terms) choicesTop() int {
	if m.b == 0 {
		return choiceBase
	}
	return m.b + choiceArgs + int(m.choices[m.b+choiceArity]&0xffff)
}

// The layout of a choice point in the choices stack.
const (
	choicePrev  = native.ChoicePrev  // previous choice point
	choiceAlt   = native.ChoiceAlt   // address to go on at
	choiceE     = native.ChoiceE     // environment
	choiceCP    = native.ChoiceCP    // continuation
	choiceTR    = native.ChoiceTR    // top of trail
	choiceH     = native.ChoiceH     // top of heap
	choiceEtop  = native.ChoiceEtop  // end of environments
	choiceObjs  = native.ChoiceObjs  // height of the Go object stack
	choiceArity = native.ChoiceArity // number of saved arguments
	choiceArgs  = native.ChoiceArgs  // the arguments
	choiceBase  = 1                  // index of the first choice point; 0 stands for none
)

// The layout of an environment.
const (
	envE  = native.EnvE  // previous environment
	envCP = native.EnvCP // continuation
	envY  = native.EnvY  // slots
)

// Inferences returns the number of calls made since Start.
func (m *Machine) Inferences() int64 { return m.inferences + int64(m.batch-m.fuel) }

// Stats returns what the machine has done since Reset.
func (m *Machine) Stats() Stats {
	s := m.stats
	s.Inferences, s.HeapBytes = m.Inferences(), 8*m.h
	s.HeapPeak = max(s.HeapPeak, s.HeapBytes)
	return s
}

// This part defines the limits that goals put on goals they call (library(time)).
//
// Limits in force stand on a stack, the innermost last; the predicates of the library push one before they call the
// goal and pop it whichever way the goal ends. refuel looks at them.

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
		case m.inferences >= l.inferences: // nobody is told what its goal has done: that would take longer than the goal
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
