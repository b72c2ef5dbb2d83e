package stacks

import (
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/native"
)

// This file defines how stacks grow and how limits are checked.

// Used returns the bytes that the run holds.
func (m *Terms) Used() int { return 8*(m.H+m.Etop+m.ChoicesTop()+m.TR) + m.AtomBytes + m.ExtraBytes }

// LimitBytes returns the memory limit in bytes.
func (m *Terms) LimitBytes() int {
	if m.Limits.Memory > 0 {
		return m.Limits.Memory
	}
	return DefaultMemory
}

// GrowHeap makes room for cells up to index n. Beyond the limit it still grows, so that the calling built-in can
// finish, and notes that the run is out of memory.
func (m *Terms) GrowHeap(n int) {
	size := max(m.Memory.heap.larger(len(m.Heap)), n+Slack)
	if limit := m.LimitBytes() / 8; size > limit {
		size = max(n+Slack, min(size, limit+Slack))
	}
	if !m.Overdraw && 8*n+m.ExtraBytes > m.LimitBytes()+m.LimitBytes()/8 {
		panic(OutOfMemory)
	}
	if m.Stress == StressGrow {
		size = m.crowdedSize(n)
	}
	m.Heap = m.grown(&m.Memory.heap, m.Heap, size)
	m.SetSoft()
}

// StopReason is the value of a panic that ends a built-in. The caller of built-ins recovers from it.
type StopReason string

func (e StopReason) Error() string { return string(e) }

const (
	OutOfMemory StopReason = "out of memory" // it builds more than the limit allows
	Interrupted StopReason = "interrupted"   // the run has been stopped
)

// GrowTrail makes the trail longer.
func (m *Terms) GrowTrail() { m.Trail = m.enlarged(&m.Memory.trail, m.Trail) }

// GrowChoices makes the stack of choice points larger.
func (m *Terms) GrowChoices() { m.Choices = m.enlarged(&m.Memory.choices, m.Choices) }

// GrowEnvs makes the stack of environments larger.
func (m *Terms) GrowEnvs() { m.Envs = m.enlarged(&m.Memory.envs, m.Envs) }

// enlarged makes a stack larger.
func (m *Terms) enlarged(s *stackMemory, stack []cell) []cell {
	return m.grown(s, stack, s.larger(len(stack)))
}

// SetSoft sets the heap top at which the next call checks for a collection. While goals wait, every call leaves the
// loop, whatever the heap size.
func (m *Terms) SetSoft() {
	m.HSoft = m.collectAt()
	if m.Stress.collects() || m.Waiting() || len(m.Undos) > 0 {
		m.HSoft = -1
	}
}

// workBatch is the number of steps over terms, about a millisecond, after which the clock is checked.
const workBatch = 1 << 17

// stepsPerCall is the number of steps over terms that take about as long as a call.
const stepsPerCall = 8

// NoteWork counts n steps of a walk over terms. Many steps count as calls, and then the next call checks the limits,
// the clock and cancellation.
func (m *Terms) NoteWork(n int) {
	if m.Walked += n; m.Walked < workBatch {
		return
	}
	m.Counted += int64(m.Batch - m.Fuel + m.Walked/stepsPerCall)
	m.Walked = 0
	m.Batch, m.Fuel = 0, 0
}

// pollSteps is the number of steps of a walk, some tens of microseconds' work, after which to check whether the run has
// been stopped.
const pollSteps = 1 << 12

// PollAt is called at each step of a walk over terms, with its number and the number of entries of its table, 0 without
// a table.
func (m *Terms) PollAt(step, entries int) {
	const entryBytes = 48
	if step&(pollSteps-1) == pollSteps-1 {
		m.PollHolding(entries * entryBytes)
	}
}

// PollHolding ends the built-in that is running, by a panic, if the run has been cancelled or is out of
// time. It also does so if less memory is left than held, the bytes that the built-in uses and has not noted by Hold.
// Walks call it every few thousand steps.
func (m *Terms) PollHolding(held int) {
	if m.mustStop() {
		panic(Interrupted)
	}
	if held > 0 && m.Pollable && m.Used()+held > m.LimitBytes() {
		panic(OutOfMemory)
	}
}

// Poll is Charge for code that cannot return an error, such as the computations of packages bignum and syntax. It ends
// the built-in by a panic, which the machine catches where it calls built-ins. A unit takes about as long as a call; 0
// is for work that is counted elsewhere.
func (m *Terms) Poll(n int) {
	if m.Fuel -= n; m.Fuel < 0 || n == 0 {
		m.PollHolding(0)
	}
}

// Meter is Poll as a function value. It is made once, as each method value is an allocation.
func (m *Terms) Meter() func(n int) {
	if m.meter == nil {
		m.meter = m.Poll
	}
	return m.meter
}

// mustStop reports whether a poll would end the built-in that is running.
func (m *Terms) mustStop() bool { return m.Pollable && (m.IsCancelled() || m.IsAnyLate()) }

// IsCancelled reports whether Cancel was called or the context has ended.
func (m *Terms) IsCancelled() bool {
	return m.Cancelled.Load() != nil || m.Ctx != nil && m.Ctx.Err() != nil
}

// ChoicesTop returns the end of the newest choice point.
func (m *Terms) ChoicesTop() int {
	if m.B == 0 {
		return ChoiceBase
	}
	return m.B + ChoiceArgs + int(m.Choices[m.B+ChoiceArity]&0xffff)
}

// The layout of a choice point in the choices stack.
const (
	ChoicePrev  = native.ChoicePrev  // previous choice point
	ChoiceAlt   = native.ChoiceAlt   // address of the alternative
	ChoiceE     = native.ChoiceE     // environment
	ChoiceCP    = native.ChoiceCP    // continuation
	ChoiceTR    = native.ChoiceTR    // top of trail
	ChoiceH     = native.ChoiceH     // top of heap
	ChoiceEtop  = native.ChoiceEtop  // end of environments
	ChoiceObjs  = native.ChoiceObjs  // height of the Go object stack
	ChoiceArity = native.ChoiceArity // number of saved arguments
	ChoiceArgs  = native.ChoiceArgs  // the arguments
	ChoiceBase  = 1                  // index of the first choice point; 0 stands for none
)

// The layout of an environment.
const (
	EnvE  = native.EnvE  // previous environment
	EnvCP = native.EnvCP // continuation
	EnvY  = native.EnvY  // slots
)

// GoalLimit is a limit that a goal puts on a goal that it calls. One of Inferences and Time is set.
type GoalLimit struct {
	Key        int64         // the key for the library, which nobody else can guess
	Inferences int64         // stop at this number of inferences
	Time       time.Duration // stop at this running time
	// Frame is the newest choice point when the limit was set. Newer catch frames may catch the first exception of the
	// limit, but no later one.
	Frame int
	Late  bool   // it has thrown its exception
	Ball  Frozen // the ball
}

// These marks are set beside the arity of a choice point.
const (
	ChoiceNamed  = 1 << 62 // a goal has its number
	ChoiceUnsure = 1 << 61 // a goal after it has failed in doubt
	ChoiceBeside = 1 << 60 // a cut, and not only such a failure, may decide whether its alternative addrMaybe is tried
	ChoiceSplit  = 1 << 59 // it is the copy made by splitChoice
)

// ChoiceRoom is the room for one more choice point, which there always is.
const ChoiceRoom = native.ChoiceRoom

// IsLate reports whether the time of the run is over.
func (m *Terms) IsLate() bool { return HasPassed(m.Deadline) }

// IsAnyLate reports whether the time of the run is over, or that of a goal within it.
func (m *Terms) IsAnyLate() bool { return HasPassed(m.FirstDeadline()) }

// HasPassed reports whether a time has passed; the zero time never comes.
func HasPassed(at time.Time) bool { return !at.IsZero() && time.Now().After(at) }

// FirstDeadline returns when the first limit of time is over, the zero time if there is none.
func (m *Terms) FirstDeadline() time.Time {
	at := m.Deadline
	for i := range m.GoalLimits {
		if l := &m.GoalLimits[i]; l.Inferences == 0 {
			if end := m.Started.Add(l.Time - m.Spent); at.IsZero() || end.Before(at) {
				at = end
			}
		}
	}
	return at
}
