package engine

import (
	"context"
	"io"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/internal/base"
	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/clausetext"
	"github.com/mcplogic/mcplogic/engine/internal/commit"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/explain"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/passes"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what a program is and what it may use. It also defines how runs and Go code change the database,
// and how changes are stored.

// Options say what a program may use. The zero value, and nil, allow it nothing outside the process.
type Options struct {
	// Files opens the files that include, use_module, consult and open/3 name. nil: no file may be read.
	Files host.Files
	// RestrictedFiles opens files for restricted texts and their rules. A text is restricted if a line in its first 64
	// KiB begins with RestrictedMark. Its rules may read only these files. They may not write files, see variables of
	// Env, or ask Databases. Other rules that they call, or that call them, keep their rights in other calls. nil:
	// restricted rules may read no files.
	RestrictedFiles host.Files
	// Trust makes RestrictedMark an ordinary comment.
	Trust bool
	// FileName is the name by which goals know a file of the program. nil: the name of its source.
	FileName func(source string) string
	// OpenWrite opens a file for writing, at its end if asked to append. nil: no file may be written.
	OpenWrite func(path string, atEnd bool) (io.WriteCloser, error)
	// Changer changes files and folders for goals. nil: they may be changed only by OpenWrite.
	Changer host.Changer
	// Env looks up environment variables. nil: no variable is set.
	Env func(name string) (string, bool)
	// Args are the program's arguments, the value of the flag argv.
	Args []string
	// Now is the clock. nil: time.Now.
	Now func() time.Time
	// Output and Error get the output of directives. nil: it is dropped.
	Output, Error io.Writer
	// Input is the input of directives. nil: it is empty.
	Input io.Reader
	// Canonical returns the same name for all paths that lead to a file, so that the file is loaded once. nil: the name
	// is the path.
	Canonical func(path string) string
	// Lint makes a load look for mistakes in programs that load and run, such as left recursion without a table. This
	// takes about as long as the load itself.
	Lint bool
	// Lenient makes clauses in a later file replace a predicate of an earlier file, with a warning. Otherwise such
	// clauses are errors.
	Lenient bool
	// SWI makes the program behave as SWI-Prolog does where the engine otherwise differs: block comments nest, strings
	// come before atoms in the standard order, an atom may be both an infix and a postfix operator, and texts may be in
	// ISO Latin 1 or UTF-16.
	SWI bool
	// Predicates are the predicates written in Go. They are defined in module system, or in the module that they name.
	Predicates []Predicate
	// Declarations are further directives that are recorded and not called, such as "cache/2". mode/2, info/2 and type/2
	// always are recorded. See [Program.Declarations].
	Declarations []string
	// Advice has hints for calls of predicates that do not exist, by indicator, such as "tool/1".
	Advice map[string]string
	// KnownElsewhere reports whether a predicate is defined by a text that is not loaded. A load does not report calls
	// of such predicates as undefined. nil: there are no such predicates.
	KnownElsewhere func(name string, arity int) bool
	// Scattered are indicators, such as "tools/1", of predicates that may have clauses in several files and places, in
	// any module. The layouts of their clauses are kept.
	Scattered []string
	// LoadCache caches the results of loading. A load reuses the cached results of unchanged text and then replaces the
	// contents of the cache. nil: each load reads all of its texts.
	LoadCache *host.LoadCache
	// Directives limits each goal that loading runs: directives, conditions and expansion hooks. A goal that exceeds a
	// limit ends the load, with an error at its place. A Time of 0: 10 s. A negative Time: no limit.
	Directives Limits
	// LeaveOpen keeps the streams and engines that directives have left open for the first [Session] that runs a goal.
	// Otherwise the load closes them with a warning.
	LeaveOpen bool
	// Native says whether goals use native code. The zero value is NativeOn.
	Native host.NativeMode
	// TableMemory bounds, in bytes, the tables that the runs of the program share. The least recently used tables are
	// dropped first. 0: 64 MiB.
	TableMemory int
	// Coverage counts how often clauses and branches are reached. nil: nothing is counted, which costs nothing.
	Coverage *inspect.Coverage
	// Databases have the tables that facts/2 makes predicates of. nil: no databases.
	Databases relation.Databases
	// Journal stores the facts of persistent predicates. Outside of a transaction each change is stored separately.
	// nil: the facts end with the process.
	Journal host.Journal
}

// Program is a set of clauses with their operators, flags and declarations. Load it from one goroutine, then query it
// from any number of goroutines. [New], [LoadText] and [LoadFS] make programs. The methods of a zero Program return
// errors or zero values.
type Program struct {
	loaded  *load.Program
	db      *database.Program // the database of loaded
	opts    Options
	idle    idleMachines
	queried atomic.Bool     // a goal has been started
	changes *commit.Program // of the database
	secrets []string        // see KeepSecret
	digest  string          // see SetDigest
	serial  uint64          // see Serial

	// left is the state that directives have left. Runs begin with copies of it. open is the same state with its
	// streams and engines, until a session takes it. places says where streams and engines were made.
	left    Session
	openMu  sync.Mutex
	open    Session
	places  map[string]source.Diagnostic
	runIO   builtin.IOOptions // the options that all runs share; see ioOptions
	globals machine.Globals   // of loaded
}

// serials counts the programs of the process.
var serials atomic.Uint64

// idleMachines keeps machines between runs, so that a run seldom makes one. It is not a [sync.Pool]: the runtime keeps
// the content of a pool through a collection, and with it all of the program whose field the pool is. Where programs
// come and go, each collection then finds the programs of two cycles alive, and the heap grows with each.
//
// Each lane has a place for one machine. An idle machine takes some 40 KB.
type idleMachines [database.Lanes]struct {
	place atomic.Pointer[machine.Machine]
	_     [56]byte // so that no two places share a cache line
}

// processors has the numbers of lanes. Goroutines on the same processor get the same lane until the next garbage
// collection. lastLane is the newest lane.
var (
	processors = sync.Pool{New: func() any { lane := int(lastLane.Add(1) % database.Lanes); return &lane }}
	lastLane   atomic.Uint32
)

// machine returns an unused machine: the idle one of the lane, an idle one of another lane, or a new one.
func (p *Program) machine() *machine.Machine {
	lane := processors.Get().(*int)
	defer processors.Put(lane)
	for i := range p.idle {
		if place := &p.idle[(*lane+i)%len(p.idle)].place; place.Load() != nil {
			if m := place.Swap(nil); m != nil {
				m.Lane = *lane
				return m
			}
		}
	}
	m := p.loaded.NewMachine()
	m.Lane = *lane
	return m
}

// release takes back a machine that has been reset, if there is a place for it.
func (p *Program) release(m *machine.Machine) {
	for i := range p.idle {
		if p.idle[(m.Lane+i)%len(p.idle)].place.CompareAndSwap(nil, m) {
			return
		}
	}
}

// noteQuery notes that a goal has been started. Goroutines share the note, so it is written only once.
func (p *Program) noteQuery() {
	if !p.queried.Load() {
		p.queried.Store(true)
	}
}

// FileName is the name by which goals know a file of the program; see [Options.FileName].
func (p inner) FileName(source string) string {
	if p.opts.FileName == nil {
		return source
	}
	return p.opts.FileName(source)
}

// Pushdowns returns the goals that the clauses of the program leave to databases, and those that they do not, in the
// order of loading.
func (p inner) Pushdowns() []inspect.Pushdown { return p.loaded.Pushdowns() }

// Questions returns the questions that the clauses of the program put to databases, in the order of loading.
func (p inner) Questions() []inspect.Pushdown { return p.loaded.Questions() }

// Recursions returns the recursions that calls of tabled predicates with one known value leave to databases.
func (p inner) Recursions() []inspect.Recursion { return p.loaded.Recursions() }

// IsRestricted reports whether the rules of a file of the program are restricted, see [Options].
func (p inner) IsRestricted(file string) bool { return p.loaded.IsRestricted(file) }

// Complete reports whether the loads so far came to the end of their texts. Otherwise the program lacks clauses and is
// not ready for queries.
func (p inner) Complete() bool { return p.loaded.Complete() }

// Declarations returns the directives that describe predicates, in the order of their
// loading. The slice is the caller's.
func (p *Program) Declarations() []source.Declaration {
	if p.zero() {
		return nil
	}
	return p.loaded.Declarations()
}

// Diagnostics returns the diagnostics of the loads so far, sorted by place.
func (p *Program) Diagnostics() source.Diagnostics {
	if p.zero() {
		return nil
	}
	return p.loaded.Diagnostics()
}

// clauseFiles finds clauses in the files of the program.
func (p *Program) clauseFiles() *clausetext.Files {
	f := &clausetext.Files{DB: p.db, At: p.loaded.SourceAt, Row: p.loaded.TableRow}
	if p.opts.Files != nil {
		f.Open = p.opts.Files.OpenRead
	}
	return f
}

// clauseText returns a function for the texts of clauses. It reads each file once.
func (p *Program) clauseText() func(source string, line int, module string) string {
	files := p.clauseFiles()
	return func(source string, line int, module string) string {
		_, text := files.Clause(explain.Place{File: source, Path: source, Line: line}, module)
		return text
	}
}

// SetDigest sets the digest of the files that the program was loaded from, which Digest returns. It has to be called
// before Digest.
func (p inner) SetDigest(digest string) { p.digest = digest }
func (p inner) Digest() string          { return p.digest }

// EngineVersion names the library, the compiler and the predicates of this engine.
func (p inner) EngineVersion() string { return base.Version() }

// KeepSecret notes values that explanations of the program must not show, such as passwords that its goals compare
// with. It is called before goals are run.
func (p inner) KeepSecret(values ...string) { p.secrets = append(p.secrets, values...) }

// module returns a module by its name; "" is user.
func (p *Program) module(name string) *database.Module {
	if name == "" {
		return p.db.User()
	}
	return p.db.Module(name)
}

// counter is the built-in predicate that counts a coverage point.
func counter(c *inspect.Coverage) *Predicate {
	return &Predicate{Name: passes.CoveredPredicate, Arity: 1, Call: func(call *Call) (bool, error) {
		if n, ok := call.Arg(0).(term.Int); ok {
			c.Count(int(n))
		}
		return true, nil
	}}
}

// Inherit makes p the successor of the old program. p must be loaded and not queried yet.
//
// Inherit copies to p the clauses that were added to the old program since it was loaded. From then on p also receives
// the changes that transactions of the old program commit, so that running calls lose nothing; no call waits for
// Inherit. Clauses from files are not copied, whether retracted or not: p has the clauses of its own files. Two kinds
// of clauses are dropped: those of predicates that are not dynamic in p, and rules of predicates that are persistent in
// p. lost names the persistent predicates, once for each rule. Inherit also builds the indexes of the old program, so
// that the first calls on p do not have to.
func (p *Program) Inherit(old *Program) (lost []string) {
	if old.zero() || p.zero() {
		return nil
	}
	return p.changes.Inherit(old.changes)
}

// Apply makes a change that a journal has received from elsewhere. Open transactions that the change rules out get a
// conflict. Facts of predicates that are not persistent are left out. If a fact to be removed is missing, Apply returns
// an error and changes nothing.
func (p *Program) Apply(others host.FactChange) error {
	if p.zero() {
		return errZeroProgram
	}
	_, err := p.changes.Apply(others)
	return err
}

// Overrule does what [Program.Apply] does. It returns the [inner.Generation] of runs that begin after the change.
func (p inner) Overrule(others host.FactChange) (uint64, error) { return p.changes.Apply(others) }

// Replace replaces all facts of persistent predicates by a sequence of facts, as Overrule does.
func (p inner) Replace(all iter.Seq[host.Fact]) (uint64, error) { return p.changes.Replace(all) }

// PersistentFacts returns the facts of the persistent predicates as they are at the time of the call. end must be
// called when the sequence is not needed any more; until then their memory is kept.
func (p *Program) PersistentFacts() (all iter.Seq[host.Fact], end func()) {
	if p.zero() {
		return func(func(host.Fact) bool) {}, func() {}
	}
	return p.changes.Facts()
}

// Change returns the changes of dynamic predicates that a run is about to commit. It is an error if a clause cannot be
// written as text.
func (p inner) Change(r *Run) (host.FactChange, error) { return commit.ChangeOf(r.m.Tx()) }

// Order puts the clauses that a run adds into the order of the commits. Without it, clauses of concurrent runs are in
// the order in which they were added.
func (p inner) Order(r *Run) { r.m.Tx().Order() }

// Redo makes a change of another process, as [Program.Apply] does, of any dynamic predicates.
func (p inner) Redo(c host.FactChange) error { return p.changes.Redo(c) }

// Generation is the state of the database that a run sees, as a number that grows with each commit. After the commit of
// the run it is the generation of that commit. Serial is a number that grows with each program of the process.
func (p inner) Generation(r *Run) uint64 { return r.m.Tx().BeganAt() }
func (p inner) Serial() uint64           { return p.serial }

// IsPersistent reports whether a predicate is persistent.
func (p inner) IsPersistent(module, name string, arity int) bool {
	return p.changes.IsPersistent(module, name, arity)
}

// Persistent returns the persistent predicates as module:name/arity, sorted.
func (p inner) Persistent() []string { return p.changes.Persistent() }

// Restore adds facts of persistent predicates that the journal has stored, without storing them again. Facts of
// predicates that are not persistent are not added but returned.
func (p *Program) Restore(stored iter.Seq[host.Fact]) (left []host.Fact) {
	switch {
	case stored == nil:
		return nil
	case p.zero():
		return slices.Collect(stored)
	}
	return p.changes.Restore(stored)
}

// Rivalry remembers in which predicates a goal has lost conflicts. Its runs retracted clauses of these predicates that
// other transactions had retracted, and Commit returned [ErrConflict]. One goroutine uses it. The zero value is for a
// goal that has lost nothing.
type Rivalry struct {
	p     *Program
	preds map[*database.Pred]bool
	turn  *database.Turn // nil: it is not the goal's turn
	end   func()         // of the turn
}

// Note adds the predicates of a conflict that a run has just lost. It does nothing for a closed run.
func (v *Rivalry) Note(r *Run) {
	if r == nil || r.m == nil {
		return
	}
	if v.p != r.p {
		v.End()
		v.p, v.preds = r.p, nil
	}
	for _, p := range r.m.Tx().Lost() {
		if v.preds == nil {
			v.preds = map[*database.Pred]bool{}
		}
		v.preds[p] = true
	}
}

// Wait waits for the turn of a goal that has lost a conflict. The turn lasts until End. Goals of one program have their
// turns one after the other, and so do servers that share a store. After 5 s the goal goes on without a turn.
func (v *Rivalry) Wait(ctx context.Context) (err error) {
	if v.turn == nil && v.p != nil {
		v.turn, v.end, err = v.p.changes.Turn(ctx)
	}
	return err
}

// InTurn reports whether the goal has its turn. If it has, it should run at once, since others wait for it.
func (v *Rivalry) InTurn() bool { return v.turn != nil }

// End ends the turn, if the goal has it.
func (v *Rivalry) End() {
	if v.turn != nil {
		v.end()
		v.turn = nil
	}
}

// Prefer makes a run a part of its goal's turn, if it is the goal's turn. Other runs that change the predicates in v
// then wait until the turn is over; see [Run.Obstacle].
func (r *Run) Prefer(v *Rivalry) {
	if r.m != nil && v != nil && v.turn != nil {
		r.m.Tx().Prefer(v.turn, v.preds)
	}
}

// Obstacle returns a function that waits, for 5 s at most, until the turn of another goal that changes the same
// predicates is over. It returns nil if no other goal has such a turn. Call the function before Commit; otherwise the
// commit makes the other goal lose again.
func (r *Run) Obstacle() (wait func(context.Context) error) {
	if r.m == nil {
		return nil
	}
	ended := r.m.Tx().Obstacle()
	if ended == nil {
		return nil
	}
	return func(ctx context.Context) error {
		_, err := commit.Await(ctx, ended)
		return err
	}
}
