// Package machine runs compiled Prolog.
//
// A [Machine] is a Warren abstract machine over flat tagged cells (Warren 1983; Aït-Kaci 1991), with these differences:
// all variables live on the heap, environments and choice points have stacks of their own, and arithmetic and type
// tests are instructions. It belongs to one goroutine, runs one query at a time, can be stopped between two
// instructions and resumed, and is used again after Reset.
//
// The run loop is a leaf function (loop.go); what it cannot do in a few instructions it leaves to the outer loop
// (run.go), which calls built-ins, collects garbage, selects clauses of dynamic predicates and unwinds exceptions.
package machine

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/native"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// Unknown is the flag unknown: "error", "warning" or "fail".
type Unknown struct {
	Value string
	// of has the modules, by name, for which a goal has set it to something else: a module may come to be later. Engines
	// share it: it is copied to be changed.
	of map[string]string
}

// flagged is what flags say that a run looks at often.
type flagged struct {
	// Unknown is what calling an undefined procedure does.
	Unknown Unknown
	// UnderflowError is set when floats that are too small to be exact are errors, as the flag float_underflow says.
	UnderflowError bool
	// Served says that the goal runs for a client: nobody types what it reads, and a text of one character is no number.
	Served bool
}

// Given is what a run takes for the time and for chance, so that it can be repeated.
type Given struct {
	// Time is the zero time for the clock.
	Time time.Time
	// Zone is that of local times, nil for that of the clock.
	Zone *time.Location
	// Seed is where random numbers start, "" for chance.
	Seed string
	// Facts are the facts that this run alone sees. nil: there are none.
	Facts map[*database.Clause]bool
}

// Random are random numbers that follow from the state of their source.
type Random struct {
	*rand.Rand
	Source *rand.ChaCha8
}

// Machine runs queries on a program. It must not be used by two goroutines at once, but for [Machine.Cancel].
//
// Four types have its methods: Terms reads and builds terms, Errors makes exceptions, View looks at the program and
// changes it, and Machine itself runs goals.
type Machine struct {
	View

	// Fixed at creation.
	builtins []Builtin
	compile  Compiler
	arith    Arithmetic
	inlineFn [256]int // of instructions, the numbers of their functions

	flagged
	current
	crew
	nativeRun

	over *database.Tx // the direct view of the run before, for the next one

	outside
}

// outside is what the caller of a run gives it.
type outside struct {
	// IO is the run's view of the outside. nil: it has none.
	IO IO
	// Commit commits transactions within a direct run, and changes of persistent predicates. nil: the database does.
	Commit func(*database.Tx) error
	// Given is what the run takes for the time and for chance. nil: the clock, and chance. Its engines share it.
	Given *Given
	// Random are the random numbers of a run that has given a seed; nil: they come by chance.
	Random *Random
	// Loading is set for goals that the loader runs, which hold the program for themselves.
	Loading bool
	// Lane is that of the transactions of the machine: machines of one processor have the same.
	Lane int
}

// IO is a run's view of the outside: streams, files, clock, and the flags that the run has set. Higher packages have
// implementations with more methods, which they assert.
type IO interface {
	// Flag returns the value of a flag, nil when there is no such flag.
	Flag(name string) term.Term
	// PrefersRationals is the value of the flag prefer_rationals.
	PrefersRationals() bool
}

// Terms reads and builds terms on the heap and unifies them. It has what that takes: the stacks and their tops, the
// trail, the run's limits, which end a walk that is too long, and the atoms that the run has made.
type Terms struct {
	registers
	stacks
	budget
	scratch
	waking

	// Atoms made by this run.
	ownAtoms  *code.AtomSet
	atomBytes int
	gc        gcState

	calls callLog
	// stringsFirst: strings stand before atoms in the standard order.
	stringsFirst bool
}

// Errors makes exceptions.
type Errors struct {
	Terms
	caught *Exception // for the next Throw
	// valued is set when exceptions that nobody catches note the values in the clauses that are active.
	valued bool
}

// View is the program as a run sees it: at the moment when it began, with its own changes, operators and flags.
type View struct {
	Errors
	program *database.Program
	tx      *database.Tx
	nested  []nested       // the transactions that goals have begun
	probe   database.Probe // what clauses are selected by
	skips   map[*database.Pred]skip
	ops     map[*database.Module]*syntax.Ops
	flags   map[*database.Module]*syntax.Flags
	module  *database.Module // source module of directives and of read terms
	// sharedTables belongs to the program.
	sharedTables *SharedTables
	rights       rights
}

// registers are the registers of the run loop, which keeps p and h in locals and stores them on its way out. They stand
// in front, where the offsets of instructions are short.
type registers struct {
	p         int  // next instruction
	h         int  // top of heap
	s         int  // next part to match, or -1 when building
	e         int  // environment
	cp        int  // continuation
	b         int  // choice point
	b0        int  // choice point at the last call, the target of cut
	hb        int  // heap top at the choice point
	tr        int  // top of trail
	etop      int  // end of the environment stack
	betop     int  // end of what the choice point protects
	elseP     int  // where a failing guard goes on
	shallow   bool // failure goes there after undoing what is newer than the next two
	shallowTR int
	shallowH  int
	tryAlt    int // of the choice point that OpNeckTry pushes, and its saved arguments
	tryArgs   int
	fuel      int  // calls left before a check
	hSoft     int  // heap top from which to collect
	wake      bool // goals of attributed variables wait
	cutHook   int  // choice points that want to know about cuts
	live      int  // argument registers in use at a check
	ua, ub    cell // operands of an exit
	cutTarget int
	rest      [native.RestDepth]struct{ x, y, n int } // what unification in the loop has yet to do
	state     native.State                            // of native code
	x         [256]cell
}

// stacks are the machine's memory.
type stacks struct {
	heap    []cell
	envs    []cell
	choices []cell
	trail   []cell
	memory  *memory // where those four lie
	code    []code.Instr
	objs    []any // Go values of choice points and findall, by stack discipline
}

// budget is what a run may use, and what it has used.
type budget struct {
	began      time.Time   // when Run was called first
	started    time.Time   // when Run was called last
	goalLimits []goalLimit // that goals have put on goals, the innermost last
	limits     Limits
	ctx        context.Context
	spent      time.Duration // in Run since Start
	deadline   time.Time
	inferences int64
	batch      int  // size of the current fuel batch
	walked     int  // steps over terms since the last look at the clock
	overtime   bool // a limit has run out before
	extraBytes int  // Go memory held on behalf of the goal
	cancelled  atomic.Pointer[string]
	awaiting   atomic.Pointer[Patience] // of Await
	bell
	pollable bool // Run catches what Poll throws
	overdraw bool // the heap may grow past the limit, for the error that says so
	stress   StressMode
	crowded  int // exits of the loop under StressGrow
	stats    Stats
}

// bell makes the run look at its limits in time.
type bell struct {
	alarm      atomic.Bool // the next exit of the loop looks at the limits
	alarmClock *time.Timer // sets it
	ring       func()      // sets it, too, once it has been asked for
}

// scratch is room that is used again, so that walks and copies leave no garbage.
type scratch struct {
	vars    []cell // variable bindings while a clause is matched
	textBuf []byte
	bagBuf  []cell // for the next bag of findall
	bigs    bigOperands
	copyRoom
	walkRoom
	tupleBuf []cell      // arguments of an answer on its way to a table
	meter    func(n int) // Poll, once it has been asked for
	exports  exportRoom
}

// waking are the goals that run before the next call.
type waking struct {
	cleanups     []frozen // cleanup goals to run at the next call
	liveCleanups int      // how many of cleanups, from the end, are among wakeGoals too
	wakeGoals    cell
	undos        []Saved // goals of undo/1
	alarms       alarms
}

// current is what the goal that is run keeps besides its terms.
type current struct {
	pendingNext     Next
	pendingSequence *sequence       // that of pendingNext, if it is one
	inBuiltin       int             // number of the built-in at work, plus one; 0: none
	globals         map[string]cell // holders: list cells with the value as head
	first           Globals         // the variables of the program, or nil
	tables          tabling
	preds           predCache
	suspended       cell // argument that waits for an answer
	suspendedInstr  code.Instr
	builtinNow      int   // the built-in called last, from 1; 0: none yet
	leaving         error // nobody has caught it; the run ends with it when its cleanup goals have run
}

// skip remembers how many clauses at the front of a list are dead for this machine.
type skip struct {
	base *(*database.Clause)
	n    int
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
	Inferences  int64
	Collections int
	GCTime      time.Duration
	HeapBytes   int
	HeapPeak    int
}

// Compiler turns a clause of the program into code in its code area.
type Compiler interface {
	// Compile gives the clause code, unless it has some.
	Compile(c *database.Clause) error
	// Link brings the entries of static predicates up to date with their clauses.
	Link(preds ...*database.Pred) error
	// Places returns where the values of a clause's variables are when its instruction before an address is executed, nil
	// if nothing is known.
	Places(c *database.Clause, before uint32) *database.Places
}

// Status says why Run came back.
type Status uint8

// True: an answer is there. False: no more answers. Suspended: a predicate waits for an
// answer from outside. Exceptions are Go errors.
const (
	True Status = iota
	False
	Suspended
)

// DefaultMemory is the memory limit in bytes where none is given.
const DefaultMemory = 1 << 30

const (
	minHeap   = 1 << 12
	slack     = 1 << 10 // cells that a clause may build between two checks
	fuelBatch = 5_000   // calls between two looks at clock and context
)

// New returns a machine for a program. The builtins are the table that Pred.Builtin indexes.
func New(
	program *database.Program, builtins []Builtin, compile Compiler, arith Arithmetic, shared *SharedTables,
) *Machine {
	m := &Machine{builtins: builtins, compile: compile, arith: arith}
	m.program, m.sharedTables, m.ownAtoms = program, shared, &code.AtomSet{}
	m.stringsFirst = program.User().Flags.SWI
	for op, name := range inlineOps {
		m.inlineFn[op], _ = arith.Function(name, 2)
	}
	m.memory = &memory{}
	m.memory.releaseWith(m)
	m.smallStacks()
	m.Reset()
	return m
}

// Program returns the program that the machine runs.
func (m *View) Program() *database.Program { return m.program }

// Tx returns the machine's view of the database.
func (m *View) Tx() *database.Tx { return m.tx }

// Module returns the module whose operators and flags apply to text that the goal reads and
// writes, and to which unqualified clauses are added.
func (m *View) Module() *database.Module { return m.module }

// SetModule changes it.
func (m *View) SetModule(mod *database.Module) { m.module = mod }

// Ops returns the operator table of the current module.
func (m *View) Ops() *syntax.Ops { return OpsOf(m, m.module) }

// OpsOf returns the operator table of a module as a run sees it.
func OpsOf(m *View, mod *database.Module) *syntax.Ops {
	if o := m.ops[mod]; o != nil {
		return o
	}
	return mod.Ops
}

// Flags returns the reader flags of the current module, not to be changed.
func (m *View) Flags() *syntax.Flags {
	if f := m.flags[m.module]; f != nil {
		return f
	}
	return &m.module.Flags
}

// OwnFlags returns the reader flags of the current module, for changing. In a direct view they are those that
// everyone sees. In a transaction they are a copy that only this run sees.
func (m *View) OwnFlags() *syntax.Flags {
	if m.tx == nil || m.direct() {
		return &m.module.Flags
	}
	if m.flags[m.module] == nil {
		if m.flags == nil {
			m.flags = map[*database.Module]*syntax.Flags{}
		}
		own := m.module.Flags
		m.flags[m.module] = &own
	}
	return m.flags[m.module]
}

// AddOp changes the operator table of a module: for everyone in a direct view, for this run only in a transaction.
func (m *View) AddOp(mod *database.Module, priority int, typ syntax.OpType, name string) {
	mod = m.program.Module(mod.Name)
	ops := mod.Ops
	if !m.direct() {
		if m.ops == nil {
			m.ops = map[*database.Module]*syntax.Ops{}
		}
		if m.ops[mod] == nil {
			m.ops[mod] = syntax.NewOps(mod.Ops)
		}
		ops = m.ops[mod]
	}
	ops.Add(priority, typ, atomOfText(name))
	m.holdEntry(name, operatorBytes)
}

// operatorBytes is what an entry in a table of operators takes, beside its name.
const operatorBytes = 160

// Context returns the context of the run, for predicates that wait.
func (m *Machine) Context() context.Context {
	if m.ctx == nil {
		return context.Background()
	}
	return m.ctx
}

// SeeNewCode makes the run see the code that loading has added.
func (m *Machine) SeeNewCode() { m.loadCode() }

// Cancel stops the run at its next check with the given reason. Any goroutine may call it.
func (m *Machine) Cancel(reason string) {
	m.cancelled.Store(&reason)
	m.alarm.Store(true)
	if p := m.awaiting.Load(); p != nil {
		p.end(context.Canceled, nil)
	}
	if inner := m.inner.Load(); inner != nil {
		inner.Cancel(reason)
	}
}

// Reset forgets the query and gives back what it held. The limits are kept.
func (m *Machine) Reset() {
	visited := m.host != nil // engines that it has made go on in the host, with its transaction
	m.endVisit()
	m.dropEngines()
	m.endProfiles()
	m.leaveTransaction()
	if m.tx != nil {
		m.tx.Rollback()
		if m.over = nil; m.tx.Direct() && !visited {
			m.over = m.tx
		}
		m.tx = nil
	}
	m.ownAtoms.Release(func(uint32) bool { return false })
	m.atomBytes = 0
	m.globals, m.first, m.skips, m.ops, m.flags = nil, nil, nil, nil, nil
	m.rights = rights{}
	m.stopMakingAll()
	m.tables = tabling{}
	m.stopSequences()
	clear(m.objs)
	m.objs = m.objs[:0]
	m.loadCode()
	m.module = m.program.User()
	m.h, m.e, m.b, m.tr, m.etop, m.betop = 1, 0, 0, 0, 2, 2
	m.hb, m.b0, m.cutHook, m.wake, m.shallow = 1, 0, 0, false, false
	m.wakeGoals, m.cleanups, m.liveCleanups, m.undos = 0, nil, 0, nil
	m.flagged = flagged{Unknown: Unknown{Value: "error"}}
	m.waking.alarms = alarms{}
	m.pendingNext, m.pendingSequence, m.inBuiltin, m.Random, m.leaving, m.Given = nil, nil, 0, nil, nil, nil
	m.extraBytes = 0
	m.goalLimits = m.goalLimits[:0]
	m.cancelled.Store(nil)
	m.stats, m.gc = Stats{}, gcState{}
	m.shrink()
}

// stopSequences ends those that are left when a run is over.
func (m *Machine) stopSequences() {
	for i := len(m.objs) - 1; i >= 0; i-- {
		if s, ok := m.objs[i].(*sequence); ok {
			s.close(m)
		}
	}
}

// shrink gives back large stacks between runs.
func (m *Machine) shrink() {
	const keepCells = 1 << 16
	if m.stress == StressGrow || max(len(m.heap), len(m.envs), len(m.choices), len(m.trail)) > smallStack {
		m.memory.release()
		m.smallStacks()
	}
	if cap(m.work) > keepCells {
		m.work = nil
	}
	if cap(m.objs) > keepCells {
		m.objs = nil
	}
	m.setSoft()
}

// smallStacks makes heap and stacks of the size to begin with.
func (m *Machine) smallStacks() {
	m.heap = make([]cell, minHeap)
	m.envs = make([]cell, 1<<10)
	m.choices = make([]cell, 1<<10)
	m.trail = make([]cell, 1<<8)
}
