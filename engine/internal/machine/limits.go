package machine

import (
	"context"
	"errors"
	"math"
	"time"
)

// This file defines how stacks grow and how limits are checked.

// used returns the bytes that the run holds.
func (m *Terms) used() int {
	return 8*(m.h+m.etop+m.choicesTop()+m.tr) + m.atomBytes + m.extraBytes
}

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
	size := max(2*len(m.heap), n+slack)
	if limit := m.limitBytes() / 8; size > limit {
		size = max(n+slack, min(size, limit+slack))
	}
	if !m.overdraw && 8*n+m.extraBytes > m.limitBytes()+m.limitBytes()/8 {
		panic(outOfMemory{})
	}
	if m.stress == StressGrow {
		size = m.crowdedSize(n)
	}
	m.heap = m.grown(&m.memory.heap, m.heap, size)
	m.setSoft()
}

// outOfMemory is the panic that ends a built-in which builds more than the limit allows. It is
// caught where built-ins are called.
type outOfMemory struct{}

func (m *Terms) growTrail() { m.trail = m.grown(&m.memory.trail, m.trail, 2*len(m.trail)) }

func (m *Machine) growChoices() { m.choices = m.grown(&m.memory.choices, m.choices, 2*len(m.choices)) }

func (m *Machine) growEnvs() { m.envs = m.grown(&m.memory.envs, m.envs, 2*len(m.envs)) }

// setSoft sets the heap top at which the next call looks whether to collect garbage. While goals wait
// each call looks, whatever has grown or been collected since they were queued.
func (m *Terms) setSoft() {
	m.hSoft = m.collectAt()
	if m.stress.collects() || m.waiting() {
		m.hSoft = -1
	}
}

// watch makes the alarm go off when the context or the time of the run ends, until the function that it returns
// is called. The fuel counts calls, and what one of them does may take long: then the next exit of the loop is
// in time.
func (m *Machine) watch(ctx context.Context) (end func()) {
	m.alarm.Store(false)
	m.setAlarm()
	forget := func() bool { return true }
	if ctx != nil && ctx.Done() != nil {
		forget = context.AfterFunc(ctx, func() { m.alarm.Store(true) })
	}
	return func() {
		forget()
		if m.alarmClock != nil {
			m.alarmClock.Stop()
		}
	}
}

// setAlarm makes the alarm go off when the first limit of time is over.
func (m *Machine) setAlarm() {
	at := m.deadline
	for i := range m.goalLimits {
		if l := &m.goalLimits[i]; l.inferences == 0 {
			if end := m.started.Add(l.time - m.spent); at.IsZero() || end.Before(at) {
				at = end
			}
		}
	}
	switch {
	case at.IsZero():
	case m.alarmClock == nil:
		m.alarmClock = time.AfterFunc(time.Until(at), func() { m.alarm.Store(true) })
	default:
		m.alarmClock.Reset(time.Until(at))
	}
}

// Charge counts n units of work or bytes of output of a built-in that loops over data of any
// size. It returns an error when the run has been cancelled or has run out of time.
func (m *Machine) Charge(n int) error {
	m.fuel -= n
	if m.fuel >= 0 {
		return nil
	}
	return m.refuel()
}

// workBatch is the number of steps over terms, about a millisecond's, after which to look at
// the clock.
const workBatch = 1 << 17

// noteWork counts n steps of a walk over terms, which are no calls: after many the next call
// looks at clock and cancellation.
func (m *Terms) noteWork(n int) {
	if m.walked += n; m.walked < workBatch {
		return
	}
	m.walked = 0
	m.inferences += int64(m.batch - m.fuel)
	m.batch, m.fuel = 0, 0
}

// interrupted is the panic that ends a built-in in the middle of a walk over a large term. It is
// caught where built-ins are called.
type interrupted struct{}

// pollSteps is the number of steps of a walk, some tens of microseconds' work, after which to
// look whether the run has been stopped.
const pollSteps = 1 << 12

// pollAt is called at each step of a walk over terms, with its number and the entries of the table that it holds, 0 when
// it holds none.
func (m *Terms) pollAt(step, entries int) {
	const entryBytes = 48
	if step&(pollSteps-1) == pollSteps-1 {
		m.Poll(entries * entryBytes)
	}
}

// Poll ends the built-in that is running, by a panic, if the run has been cancelled, is out of time, or has less memory
// left than the bytes that the built-in holds and has not noted by Hold. A loop calls it every few thousand steps.
func (m *Terms) Poll(held int) {
	if m.mustStop() {
		panic(interrupted{})
	}
	if held > 0 && m.pollable && m.used()+held > m.limitBytes() {
		panic(outOfMemory{})
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
		switch r := recover().(type) {
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

// Meter is told of n units of work of a computation outside the heap, each about as long as a call, and may end the
// built-in as Poll does. It is the meter of packages bignum and syntax.
func (m *Terms) Meter(n int) {
	if m.fuel -= n; m.fuel < 0 {
		m.Poll(0)
	}
}

// mustStop reports whether Poll would end the built-in that is running.
func (m *Terms) mustStop() bool { return m.pollable && (m.isCancelled() || m.isLate()) }

func (m *Terms) isCancelled() bool {
	return m.cancelled.Load() != nil || m.ctx != nil && m.ctx.Err() != nil
}

func (m *Terms) isLate() bool { return !m.deadline.IsZero() && time.Now().After(m.deadline) }

// refuel counts the calls made, looks at limits, clock and cancellation, and fills up.
func (m *Machine) refuel() error {
	m.inferences += int64(m.batch - m.fuel)
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
			return &Aborted{Reason: reason, Err: err}
		}
	}
	if m.isLate() {
		grace := m.limits.Time/graceShare + graceTime
		m.limits.Time, m.deadline = m.limits.Time+grace, m.deadline.Add(grace)
		m.setAlarm()
		return m.limitError("time")
	}
	batch := int64(fuelBatch)
	if limit := m.limits.Inferences; limit > 0 {
		left := limit - m.inferences
		if left <= 0 {
			m.limits.Inferences += limit/graceShare + fuelBatch
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

// limitError is the resource error of a limit that ran out; at the second time no catch/3
// catches it.
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

// Hold notes Go memory that a built-in keeps for the goal, such as a buffer or a number;
// a negative n gives it back. Too much of it is a resource error.
func (m *Machine) Hold(n int) error {
	m.extraBytes += n
	if n > 0 && m.used() > m.limitBytes() {
		return m.ResourceError("memory")
	}
	return nil
}

// Keep is Hold for what the goal is about to keep: if that is too much nothing is noted, for the goal
// does not keep it.
func (m *Machine) Keep(n int) error {
	err := m.Hold(n)
	if err != nil {
		m.extraBytes -= n
	}
	return err
}

// Reserve fails when n more bytes do not fit under the memory limit.
func (m *Machine) Reserve(n int) error {
	n = min(n, math.MaxInt/2) // which nobody has, and to which what is held can be added
	err := m.Hold(n)
	m.extraBytes -= n
	return err
}

// LargeBytes is the size from which a result is checked against the memory limit before it is made.
const LargeBytes = 1 << 16

// ReserveLarge checks the size of a result that may be large, and counts the work for it.
func (m *Machine) ReserveLarge(n int) error {
	if n < LargeBytes {
		return nil
	}
	if err := m.Reserve(n); err != nil {
		return err
	}
	return m.Charge(n / 64)
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
	choicePrev  = iota // previous choice point
	choiceAlt          // address to go on at
	choiceE            // environment
	choiceCP           // continuation
	choiceTR           // top of trail
	choiceH            // top of heap
	choiceEtop         // end of environments
	choiceObjs         // height of the Go object stack
	choiceArity        // number of saved arguments
	choiceArgs         // the arguments
	choiceBase  = 1    // index of the first choice point; 0 stands for none
)

// The layout of an environment.
const (
	envE  = iota // previous environment
	envCP        // continuation
	envY         // slots
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
