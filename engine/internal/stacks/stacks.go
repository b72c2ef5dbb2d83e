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

// Terms reads and builds terms on the heap and unifies them. It has the stacks and their tops, the trail, the run's
// limits, which stop walks that take too long, and the atoms that the run has made.
type Terms struct {
	Registers
	stacks
	budget
	scratch
	Waking

	OwnAtoms  *code.AtomSet       // made by this run
	AtomBytes int                 // size of these atoms
	HeldAtoms map[uint32]struct{} // atoms in terms that Go values keep, see HoldAtoms
	gc        gcState

	// StringsFirst: strings stand before atoms in the standard order.
	StringsFirst bool
}

// Registers are the registers of the run loop, which keeps P and H in locals and stores them on its way out. They come
// first, as instructions with small offsets are short.
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
	ElseP     int                                     // where a failing guard continues
	Shallow   bool                                    // failure goes there after undoing what is newer than the next two
	ShallowTR int                                     // top of the trail at the shallow choice
	ShallowH  int                                     // top of the heap there
	TryAlt    int                                     // alternative of the choice point that OpNeckTry pushes
	TryArgs   int                                     // number of its saved arguments
	Fuel      int                                     // calls left before a check
	HSoft     int                                     // heap top from which to collect
	Wake      bool                                    // goals of attributed variables wait
	CutHook   int                                     // choice points that must be notified of cuts
	Live      int                                     // argument registers in use at a check
	UA, UB    cell                                    // operands of an exit
	CutTarget int                                     // choice point that an exit cuts to
	Rest      [native.RestDepth]struct{ X, Y, N int } // the rest of a unification in the loop
	State     native.State                            // of native code
	X         [256]cell                               // arguments
}

// stacks are the machine's memory.
type stacks struct {
	Heap    []cell       // terms
	Envs    []cell       // environments
	Choices []cell       // choice points
	Trail   []cell       // bindings to undo
	Memory  *Memory      // the memory of these four
	Code    []code.Instr // of the program
	Objs    []any        // Go values of choice points and findall, by stack discipline
}

// budget holds the limits of a run and what it has used.
type budget struct {
	Began      time.Time              // when Run was called first
	Started    time.Time              // when Run was called last
	GoalLimits []GoalLimit            // that goals have put on goals, the innermost last
	Limits     Limits                 // of the whole run
	Ctx        context.Context        // nil: none
	Spent      time.Duration          // in Run since Start
	Deadline   time.Time              // when the time of the run is over; zero: never
	Counted    int64                  // inferences, without those of the current batch
	Batch      int                    // size of the current fuel batch
	Walked     int                    // steps over terms since the last look at the clock
	Overtime   bool                   // a limit has run out before
	ExtraBytes int                    // Go memory held on behalf of the goal
	Cancelled  atomic.Pointer[string] // why the run has been cancelled, nil if it has not
	bell
	Pollable bool       // Run recovers from the panics of Poll
	Overdraw bool       // the heap may exceed the limit, to build the error
	Stress   StressMode // rare events that tests make frequent
	crowded  int        // exits of the loop under StressGrow
	RanOut   bool       // a limit whose exception has not been raised yet has run out
	Done     Stats      // since Reset
}

// bell makes the run check its limits in time.
type bell struct {
	Alarm      atomic.Bool // the next exit of the loop checks the limits
	AlarmClock *time.Timer // sets it
	Ring       func()      // also sets it; made on first use
}

// scratch is reusable memory, so that walks and copies leave no garbage.
type scratch struct {
	Vars    []cell // variable bindings while a clause is matched
	textBuf []byte
	BagBuf  []cell // for the next bag of findall
	bigs    bigOperands
	copyRoom
	walkRoom
	TupleBuf []cell      // arguments of an answer on its way to a table
	meter    func(n int) // Poll as a value, made on first use
	exports  exportRoom
}

// Waking holds the goals that run before the next call.
type Waking struct {
	Cleanups     []Cleanup // cleanup goals to run at the next call
	LiveCleanups int       // how many of Cleanups, from the end, are also in WakeGoals
	WakeGoals    cell      // goals of attributed variables, if Wake is set
	Undos        []Frozen  // goals of undo/1
	Signals      []Frozen  // goals of alarms whose time has come
	SignalsHeld  int       // goals of sig_atomic/1 that are being called
}

// Limits bound a run. Zero values mean no limit, except for memory.
type Limits struct {
	// Time is the longest running time, not counting suspension.
	Time time.Duration
	// Inferences is the largest number of calls.
	Inferences int64
	// Memory is the largest size of heap and stacks, in bytes. 0 stands for 1 GiB.
	Memory int
}

// Stats counts what a machine has done since Reset.
type Stats struct {
	Inferences  int64         // calls
	Collections int           // collections of garbage
	GCTime      time.Duration // the time of these
	HeapBytes   int           // current size of the heap
	HeapPeak    int           // its largest size
}

// DefaultMemory is the memory limit in bytes if none is given.
const DefaultMemory = 1 << 30

const minHeap = 1 << 12 // cells of a new heap

// FuelBatch is the number of calls between two checks of clock and context.
const FuelBatch = 5_000

// Slack is the number of cells that a clause may build between two checks.
const Slack = 1 << 10

// Shrink releases large stacks between runs.
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

// smallStacks makes heap and stacks of the initial size.
func (m *Terms) smallStacks() {
	m.Heap = make([]cell, minHeap)
	m.Envs = make([]cell, 1<<10)
	m.Choices = make([]cell, 1<<10)
	m.Trail = make([]cell, 1<<8)
}
