// Package machine runs compiled Prolog.
//
// A [Machine] is a Warren abstract machine over flat tagged cells (Warren 1983; Aït-Kaci 1991), with these differences:
// all variables live on the heap, environments and choice points have stacks of their own, and arithmetic and type
// tests are instructions. It belongs to one goroutine, runs one query at a time, can be stopped between two
// instructions and resumed, and is used again after Reset.
//
// The run loop is a leaf function (loop.go). It leaves work of more than a few instructions to the outer loop (run.go),
// which calls built-ins, collects garbage, selects clauses of dynamic predicates and unwinds exceptions.
package machine

import (
	"context"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/effort"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// cell is a term or a part of one; see package code.
type cell = code.Cell

// Unknown is the flag unknown: "error", "warning" or "fail".
type Unknown struct {
	Value string
	// of has the values of the modules, by name, for which a goal has changed the flag. Such a module may be made
	// later. Engines share the map, so a change copies it.
	of map[string]string
}

// flagged holds the values of flags that a run reads often.
type flagged struct {
	// Unknown says what a call of an undefined procedure does.
	Unknown Unknown
	// UnderflowError is set when floats that are too small to be exact are errors, as the flag float_underflow says.
	UnderflowError bool
	// Served says that the goal runs for a client: its input is not typed by a person, and a text of one character is
	// no number.
	Served bool
}

// Given fixes what a run takes as its time and random seed, so that the run can be repeated.
type Given struct {
	// Time is the time of the run, the zero time for the clock.
	Time time.Time
	// Zone is the zone of local times, nil for the zone of the clock.
	Zone *time.Location
	// Seed is the seed of random numbers, "" for a random one.
	Seed string
	// Facts are the facts that this run alone sees, nil for none.
	Facts map[*database.Clause]bool
}

// Random is a random number generator with a state that can be saved.
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
	observed

	over *database.Tx // the direct view of the previous run, for reuse

	outside
}

// observed counts and samples the calls of the run.
type observed struct {
	calls   effort.Log
	sampler *sampler // of the profiler, or nil
}

// outside is what the caller supplies to a run.
type outside struct {
	// IO is the run's view of the outside, nil for none.
	IO IO
	// Commit commits transactions within a direct run, and changes of persistent predicates. nil: the database does.
	Commit func(*database.Tx) error
	// Given fixes the time and the seed of the run. nil stands for the clock and a random seed. Engines share it.
	Given *Given
	// Random generates the random numbers of a run that has set a seed. nil: the numbers depend on no seed.
	Random *Random
	// Loading is set for goals that the loader runs, which hold the program for themselves.
	Loading bool
	// Lane is the lane of the machine's transactions. Machines of one processor have the same lane.
	Lane int
}

// IO is a run's view of the outside: streams, files, clock, and the flags that the run has set. Higher packages
// implement further methods and use them by type assertion.
type IO interface {
	// Flag returns the value of a flag, nil when there is no such flag.
	Flag(name string) term.Term
	// PrefersRationals is the value of the flag prefer_rationals.
	PrefersRationals() bool
	// MostRationalBytes is the value of the flag max_rational_size, the largest integer where it has none.
	MostRationalBytes() int
}

// Errors makes exceptions.
type Errors struct {
	stacks.Terms
	caught *Exception // for the next Throw
	// valued is set if uncaught exceptions note the variable values of the active clauses.
	valued bool
}

// View is the program as a run sees it: as it was when the run began, with the run's own changes, operators and flags.
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

// current holds the state of the current goal besides its terms.
type current struct {
	pendingNext     Next
	pendingSequence *sequence       // the last cell of pendingNext, if that is a list
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

// New returns a machine for a program. The builtins are the table that Pred.Builtin indexes.
func New(
	program *database.Program, builtins []Builtin, compile Compiler, arith Arithmetic, shared *SharedTables,
) *Machine {
	m := &Machine{builtins: builtins, compile: compile, arith: arith}
	m.program, m.sharedTables, m.OwnAtoms = program, shared, &code.AtomSet{}
	m.StringsFirst = program.User().Flags.SWI
	for op, name := range inlineOps {
		m.inlineFn[op], _ = arith.Function(name, 2)
	}
	m.OpenStacks()
	runtime.AddCleanup(m, (*stacks.Memory).Release, m.Memory)
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

// SetModule changes the current module.
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

// OwnFlags returns the reader flags of the current module, for changing. In a direct view these are the shared flags.
// In a transaction they are a copy that only this run sees.
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
	ops.Add(priority, typ, term.Atom(name))
	m.holdEntry(name, operatorBytes)
}

// operatorBytes is the size of an entry in an operator table, without its name.
const operatorBytes = 160

// context returns the context of the run, for predicates that wait.
func (m *Machine) context() context.Context {
	if m.Ctx == nil {
		return context.Background()
	}
	return m.Ctx
}

// SeeNewCode makes the run see the code that loading has added.
func (m *Machine) SeeNewCode() { m.loadCode() }

// Cancel stops the run at its next check with the given reason. Any goroutine may call it.
func (m *Machine) Cancel(reason string) {
	m.Cancelled.Store(&reason)
	m.Alarm.Store(true)
	if p := m.awaiting.Load(); p != nil {
		p.end(context.Canceled, nil)
	}
	if inner := m.inner.Load(); inner != nil {
		inner.Cancel(reason)
	}
}

// Reset forgets the query and gives back what it held. The limits are kept.
func (m *Machine) Reset() {
	visited := m.host != nil // engines that it has made continue in the host, with its transaction
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
	m.OwnAtoms.Release(func(uint32) bool { return false })
	m.AtomBytes = 0
	m.globals, m.first, m.skips, m.ops, m.flags = nil, nil, nil, nil, nil
	m.rights = rights{}
	m.stopMakingAll()
	m.tables = tabling{}
	m.stopSequences()
	clear(m.Objs)
	m.Objs = m.Objs[:0]
	m.loadCode()
	m.module = m.program.User()
	m.H, m.E, m.B, m.TR, m.Etop, m.Betop = 1, 0, 0, 0, 2, 2
	m.HB, m.B0, m.CutHook, m.Wake, m.Shallow = 1, 0, 0, false, false
	m.WakeGoals, m.Cleanups, m.LiveCleanups, m.Undos = 0, nil, 0, nil
	m.flagged = flagged{Unknown: Unknown{Value: "error"}}
	m.alarms, m.Signals, m.SignalsHeld = alarms{}, nil, 0
	m.pendingNext, m.pendingSequence, m.inBuiltin, m.Random, m.leaving, m.Given = nil, nil, 0, nil, nil, nil
	m.ExtraBytes = 0
	m.GoalLimits = m.GoalLimits[:0]
	m.Cancelled.Store(nil)
	m.ForgetCollections()
	m.Shrink()
}

// stopSequences stops the remaining answer sequences when a run is over.
func (m *Machine) stopSequences() {
	for i := len(m.Objs) - 1; i >= 0; i-- {
		if s, ok := m.Objs[i].(*sequence); ok {
			s.close(m)
		}
	}
}
