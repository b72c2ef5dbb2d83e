// Package stacks has the memory of a machine: the heap and what is done with the terms on it, which are read, built,
// unified, compared, copied and collected; the stacks and the registers; and the budget of a run, which ends a walk
// over terms that takes too long.
//
// [Terms] is all of that. A machine embeds it and runs code on it. Only packages that are parts of the machine name the
// registers and the stacks; predicates in Go call the methods.
package stacks

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/native"
)

// Terms reads and builds terms on the heap and unifies them. It has what that takes: the stacks and their tops, the
// trail, the run's limits, which end a walk that is too long, and the atoms that the run has made.
type Terms struct {
	Registers
	stacks
	budget
	scratch
	Waking

	OwnAtoms  *code.AtomSet       // made by this run
	AtomBytes int                 // what those take
	HeldAtoms map[uint32]struct{} // atoms in terms that Go values keep, see HoldAtoms
	gc        gcState

	// StringsFirst: strings stand before atoms in the standard order.
	StringsFirst bool
}

// Registers are the registers of the run loop, which keeps P and H in locals and stores them on its way out. They stand
// in front, where the offsets of instructions are short.
type Registers struct {
	P         int                                     // next instruction
	H         int                                     // top of heap
	S         int                                     // next part to match, or -1 when building
	E         int                                     // environment
	CP        int                                     // continuation
	B         int                                     // choice point
	B0        int                                     // choice point at the last call, the target of cut
	HB        int                                     // heap top at the choice point
	TR        int                                     // top of trail
	Etop      int                                     // end of the environment stack
	Betop     int                                     // end of what the choice point protects
	ElseP     int                                     // where a failing guard goes on
	Shallow   bool                                    // failure goes there after undoing what is newer than the next two
	ShallowTR int                                     // top of the trail at the shallow choice
	ShallowH  int                                     // top of the heap there
	TryAlt    int                                     // alternative of the choice point that OpNeckTry pushes
	TryArgs   int                                     // number of its saved arguments
	Fuel      int                                     // calls left before a check
	HSoft     int                                     // heap top from which to collect
	Wake      bool                                    // goals of attributed variables wait
	CutHook   int                                     // choice points that want to know about cuts
	Live      int                                     // argument registers in use at a check
	UA, UB    cell                                    // operands of an exit
	CutTarget int                                     // choice point that an exit cuts to
	Rest      [native.RestDepth]struct{ X, Y, N int } // what unification in the loop has yet to do
	State     native.State                            // of native code
	X         [256]cell                               // arguments
}

// stacks are the machine's memory.
type stacks struct {
	Heap    []cell       // terms
	Envs    []cell       // environments
	Choices []cell       // choice points
	Trail   []cell       // bindings to undo
	Memory  *Memory      // where those four lie
	Code    []code.Instr // of the program
	Objs    []any        // Go values of choice points and findall, by stack discipline
}

// budget is what a run may use, and what it has used.
type budget struct {
	Began      time.Time              // when Run was called first
	Started    time.Time              // when Run was called last
	GoalLimits []GoalLimit            // that goals have put on goals, the innermost last
	Limits     Limits                 // of the whole run
	Ctx        context.Context        // nil: none
	Spent      time.Duration          // in Run since Start
	Deadline   time.Time              // when the time of the run is over; zero: never
	Counted    int64                  // inferences, but for those of the current batch
	Batch      int                    // size of the current fuel batch
	Walked     int                    // steps over terms since the last look at the clock
	Overtime   bool                   // a limit has run out before
	ExtraBytes int                    // Go memory held on behalf of the goal
	Cancelled  atomic.Pointer[string] // why the run has been cancelled, nil if it has not
	bell
	Pollable bool       // Run catches what Poll throws
	Overdraw bool       // the heap may grow past the limit, for the error that says so
	Stress   StressMode // what tests make frequent
	crowded  int        // exits of the loop under StressGrow
	RanOut   bool       // a limit has run out whose exception has not been raised
	Done     Stats      // since Reset
}

// bell makes the run look at its limits in time.
type bell struct {
	Alarm      atomic.Bool // the next exit of the loop looks at the limits
	AlarmClock *time.Timer // sets it
	Ring       func()      // sets it, too, once it has been asked for
}

// scratch is room that is used again, so that walks and copies leave no garbage.
type scratch struct {
	Vars    []cell // variable bindings while a clause is matched
	textBuf []byte
	BagBuf  []cell // for the next bag of findall
	bigs    bigOperands
	copyRoom
	walkRoom
	TupleBuf []cell      // arguments of an answer on its way to a table
	meter    func(n int) // Poll, once it has been asked for
	exports  exportRoom
}

// Waking are the goals that run before the next call.
type Waking struct {
	Cleanups     []Cleanup // cleanup goals to run at the next call
	LiveCleanups int       // how many of Cleanups, from the end, are among WakeGoals too
	WakeGoals    cell      // goals of attributed variables, if Wake is set
	Undos        []Frozen  // goals of undo/1
	Signals      []Frozen  // goals of alarms whose time has come
	SignalsHeld  int       // goals of sig_atomic/1 that are being called
}

// Limits bound a run; zero values mean no limit, but for memory.
type Limits struct {
	// Time is the longest running time, not counting suspension.
	Time time.Duration
	// Inferences is the largest number of calls.
	Inferences int64
	// Memory is the most that heap and stacks may take, in bytes. 0 stands for 1 GiB.
	Memory int
}

// Stats counts what a machine has done since Reset.
type Stats struct {
	Inferences  int64         // calls
	Collections int           // collections of garbage
	GCTime      time.Duration // what those have taken
	HeapBytes   int           // size of the heap now
	HeapPeak    int           // its largest size
}

// DefaultMemory is the memory limit in bytes where none is given.
const DefaultMemory = 1 << 30

const minHeap = 1 << 12 // cells of a new heap

// FuelBatch is how many calls there are between two looks at clock and context.
const FuelBatch = 5_000

// Slack is how many cells a clause may build between two checks.
const Slack = 1 << 10

// Shrink gives back large stacks between runs.
func (m *Terms) Shrink() {
	const keepCells = 1 << 16
	if m.Stress == StressGrow || max(len(m.Heap), len(m.Envs), len(m.Choices), len(m.Trail)) > smallStack {
		m.Memory.Release()
		m.smallStacks()
	}
	if cap(m.Work) > keepCells {
		m.Work = nil
	}
	if cap(m.Objs) > keepCells {
		m.Objs = nil
	}
	m.SetSoft()
}

// OpenStacks makes the heap and the stacks of a new machine, which releases their memory when it is garbage.
func (m *Terms) OpenStacks() {
	m.Memory = &Memory{}
	m.smallStacks()
}

// smallStacks makes heap and stacks of the size to begin with.
func (m *Terms) smallStacks() {
	m.Heap = make([]cell, minHeap)
	m.Envs = make([]cell, 1<<10)
	m.Choices = make([]cell, 1<<10)
	m.Trail = make([]cell, 1<<8)
}
