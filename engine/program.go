package engine

import (
	"io"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/base"
	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/clausetext"
	"github.com/mcplogic/mcplogic/engine/internal/commit"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/explain"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/pushdown"
	"github.com/mcplogic/mcplogic/engine/internal/reuse"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what a program is and what it may use. It also defines how runs and Go code change the database,
// and how the changes last.

// Files opens files for goals and directives.
type Files interface {
	// OpenRead opens a file for reading. The path is as the program wrote it.
	OpenRead(path string) (io.ReadCloser, error)
}

// Lister is implemented by Files that also show goals which files and folders there are, by Stat, ReadDir and ReadLink
// as in package fs, and Folder, the absolute name of the folder from which relative paths start. What may not be
// seen is [fs.ErrPermission]. Without it goals may only open files.
type Lister = builtin.Lister

// Changer changes files and folders for goals, such as delete_file/1 and make_directory/1. Its methods are Create,
// Mkdir, Remove, Rename, Chtimes, Writable and TempFolder; paths are as for [Options.OpenWrite]. What may not be
// changed is [fs.ErrPermission].
type Changer = builtin.Changer

// Databases answers for the tables of databases that programs have as predicates.
type Databases = relation.Databases

// RestrictedMark is the comment that makes a text a restricted one, see [Options].
const RestrictedMark = load.RestrictedMark

// IsRestricted reports whether a text has the mark.
func IsRestricted(text string) bool { return load.IsRestricted(text) }

// Options say what a program may use. The zero value, and nil, allow it nothing outside the process.
type Options struct {
	// Files opens the files that include, use_module, consult and open/3 name. nil: no file may be read.
	Files Files
	// RestrictedFiles opens files for restricted texts and their rules: those with a line, in their first 64 KiB, that
	// begins with RestrictedMark. They may read these alone, write none, see no variables of Env, and ask no Databases.
	// Rules that they call, and that call them, keep what they may in other calls. nil: they may read none.
	RestrictedFiles Files
	// Trust makes RestrictedMark a comment like others.
	Trust bool
	// FileName is the name by which goals know a file of the program. nil: that of its source.
	FileName func(source string) string
	// OpenWrite opens a file for writing, at its end if asked to append. nil: none may be written.
	OpenWrite func(path string, atEnd bool) (io.WriteCloser, error)
	// Changer changes files and folders for goals. nil: none may be changed but by OpenWrite.
	Changer Changer
	// Env looks up environment variables. nil: there are none.
	Env func(name string) (string, bool)
	// Args are the program's arguments, flag argv.
	Args []string
	// Now is the clock. nil: time.Now.
	Now func() time.Time
	// Output and Error take what directives print. nil: it is dropped.
	Output, Error io.Writer
	// Input is what directives read. nil: it is empty.
	Input io.Reader
	// Canonical returns the one name of a file that several paths may lead to, so that it is loaded once. nil: that is
	// the path.
	Canonical func(path string) string
	// Lint makes a load look for mistakes in programs that load and run, such as left recursion without a table. That
	// takes about as long again as the load.
	Lint bool
	// Lenient makes clauses in a later file replace a predicate of an earlier one, with a warning. Otherwise they are
	// errors.
	Lenient bool
	// SWI decides as SWI-Prolog does where we decided otherwise: block comments nest, strings stand before atoms in the
	// standard order, an atom may be both an infix and a postfix operator, and texts may be in ISO Latin 1 or UTF-16.
	SWI bool
	// Predicates are defined in module system, or in the module they name.
	Predicates []Predicate
	// Declarations are further directives that are recorded and not called, such as "cache/2". mode/2, info/2 and type/2
	// always are recorded. See [Program.Declarations].
	Declarations []string
	// Advice says what to do about calls of predicates that do not exist, by indicator, such as "tool/1".
	Advice map[string]string
	// KnownElsewhere reports whether a predicate is defined by a text that is not loaded. A load does not report calls of
	// such predicates as undefined. nil: there are none.
	KnownElsewhere func(name string, arity int) bool
	// Scattered are indicators, such as "tools/1", of predicates that may have clauses in several files and places, in
	// any module. The layouts of their clauses are kept.
	Scattered []string
	// LoadCache caches the results of loading. A load reuses the cached results of unchanged text and then replaces the
	// contents of the cache. nil: each load reads all of its texts.
	LoadCache *LoadCache
	// Directives limits each goal that loading runs: directives, conditions and expansion hooks. A goal that exceeds a
	// limit ends the load, with an error at its place. A Time of 0: 10 s. A negative Time: no limit.
	Directives Limits
	// LeaveOpen keeps the streams and engines that directives have left open for the first [Session] that runs a goal.
	// Without it they end with the load, with a warning.
	LeaveOpen bool
	// Native says whether goals use native code. The zero value is NativeOn.
	Native NativeMode
	// TableMemory bounds, in bytes, the tables that the runs of the program share; those used longest ago go first. 0:
	// 64 MiB.
	TableMemory int
	// Coverage counts which clauses and branches are reached. nil: nothing is counted, at no cost.
	Coverage *Coverage
	// Databases have the tables that facts/2 makes predicates of. nil: there are none.
	Databases Databases
	// Journal keeps the facts of persistent predicates. Outside of a transaction each change is stored by itself. nil:
	// they end with the process.
	Journal Journal
}

// Program is a set of clauses with their operators, flags and declarations. Load it from one goroutine, then query it
// from any number.
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

	// left is the state that directives have left, as the template of runs. open is that state with its streams and
	// engines, until a session takes it. places says where streams and engines were made.
	left    Session
	openMu  sync.Mutex
	open    Session
	places  map[string]Diagnostic
	runIO   builtin.IOOptions // what they are for all runs; see ioOptions
	globals machine.Globals   // of loaded
}

// serials counts the programs of the process.
var serials atomic.Uint64

// idleMachines keeps machines between runs, so that a run seldom makes one. It is not a [sync.Pool]: the runtime keeps
// the content of a pool through a collection, and with it all of the program whose field the pool is. Where programs
// come and go, each collection then finds the programs of two cycles alive, and the heap grows with each.
//
// There is a place for a machine in each lane, and an idle one takes some 40 KB.
type idleMachines [database.Lanes]struct {
	place atomic.Pointer[machine.Machine]
	_     [56]byte // so that no two places share a line of the processor's cache
}

// processors has lanes: goroutines of one processor find the same, as long as no collection comes. lastLane is the one
// made last.
var (
	processors = sync.Pool{New: func() any { lane := int(lastLane.Add(1) % database.Lanes); return &lane }}
	lastLane   atomic.Uint32
)

// machine returns a machine that no run uses: that of the lane, or one of another lane, or a new one.
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

// noteQuery notes that a goal has been started. Goroutines share the note, so it is written once.
func (p *Program) noteQuery() {
	if !p.queried.Load() {
		p.queried.Store(true)
	}
}

// NativeMode says whether goals use native code: that of the processor, to which predicates that are called often are
// translated.
type NativeMode = machine.NativeMode

// NativeOn uses native code where the processor and the system allow it. NativeCheck also runs each stretch of it a
// second time without, and panics in the goal when the two differ; it is slow.
const (
	NativeOn    = machine.NativeOn
	NativeOff   = machine.NativeOff
	NativeCheck = machine.NativeCheck
)

// NativeAvailable reports whether this processor and this system run native code.
func NativeAvailable() bool { return machine.NativeAvailable() }

// NativeMap writes a line for each predicate that is translated to native code from now on, of address, size and
// name, as Linux perf reads them from /tmp/perf-PID.map. It holds for all programs of the process; nil ends it.
func NativeMap(w io.Writer) { machine.NativeMap(w) }

// FileName is the name by which goals know a file of the program; see [Options.FileName].
func (p inner) FileName(source string) string {
	if p.opts.FileName == nil {
		return source
	}
	return p.opts.FileName(source)
}

// Pushdown says what of a clause's body is left to a database: the Goals, At which place, and the Statement of SQL for
// them. That is "" when they are asked one by one, and Refused says why.
type Pushdown = pushdown.Report

// Pushdowns returns what the clauses of the program leave to databases, and what they do not, in the order of loading.
func (p inner) Pushdowns() []Pushdown { return p.loaded.Pushdowns() }

// Questions returns the questions that the clauses of the program put to databases, in the order of loading.
func (p inner) Questions() []Pushdown { return p.loaded.Questions() }

// IsRestricted reports whether the rules of a file of the program are restricted, see [Options].
func (p inner) IsRestricted(file string) bool { return p.loaded.IsRestricted(file) }

// Complete reports whether the loads so far came to the end of their texts. Otherwise the program lacks clauses and is
// not ready for queries.
func (p inner) Complete() bool { return p.loaded.Complete() }

// Declarations returns the directives that describe predicates, in the order of their
// loading. The slice is the caller's.
func (p *Program) Declarations() []Declaration { return p.loaded.Declarations() }

// Diagnostics returns what the loads so far have reported, sorted by place.
func (p *Program) Diagnostics() Diagnostics { return p.loaded.Diagnostics() }

// clauseFiles finds clauses in the files of the program.
func (p *Program) clauseFiles() *clausetext.Files {
	f := &clausetext.Files{DB: p.db, At: p.loaded.SourceAt}
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

// SetDigest notes the digest of what the program was loaded from, which Digest returns. Nobody may ask before.
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

// The inputs and results of loading.
type (
	// Source is the text of one file: its Name, from which relative file names in it start, and its Text. If Open is
	// set it gives the text instead, which is then not held as a whole.
	Source = load.Source
	// Declaration is a directive that describes a predicate, such as mode/2: its Name, its Term, the Module, and its
	// [Position]. Layout has the places of the parts of the term, or is nil.
	Declaration = load.Declaration
	// Diagnostic is one problem found while loading: its [Position], Severity, Code (docs/diagnostics.md explains each),
	// Message, and Source, the line of the text. Fix mends it, or is nil.
	Diagnostic = load.Diagnostic
	// Fix is a change of a text that mends a problem: Text comes instead of what stands from Line and Column up to
	// EndLine and EndColumn, which are counted as in a [Place].
	Fix = load.Fix
	// Diagnostics is a list of [Diagnostic] values. As an error it stands for a load that failed. Errors returns those
	// that are errors, Err the list as an error or nil if it has none, First the first few.
	Diagnostics = load.Diagnostics
	// Severity says whether a diagnostic makes the load fail.
	Severity = load.Severity
	// LoadCache caches the results of a load. A program that is loaded with the cache of another does not parse and
	// compile again what their texts have in common. The zero value is an empty cache. Several goroutines may use it.
	LoadCache = reuse.Cache
)

// An error makes the load fail, a warning does not. A note says what was not looked at.
const (
	SeverityError   = load.SeverityError
	SeverityWarning = load.SeverityWarning
	SeverityNote    = load.SeverityNote
)

// The arguments of a journal.
type (
	// Fact is a fact of a persistent predicate: its Module and its term, Head. Front says that it was added before the
	// others, Nth, of one that is removed, how many like it come before it.
	Fact = commit.Fact
	// FactChange is what one transaction adds to persistent predicates and removes from them: Added and Removed. By says
	// for whom it ran; see [RunOptions.By].
	FactChange = commit.FactChange
	// Journal makes the changes of persistent predicates durable. Many goroutines call it at the same time. Its only
	// method Append(change FactChange) (done func(), err error) is called before anybody sees the change. When it
	// returns nil the change is durable, becomes visible, and done is called. With an error the transaction is rolled
	// back, and the error is that of [Run.Commit].
	//
	// A journal may pass on the changes of other processes by [Program.Apply]. It then calls [FactChange.Settle] before
	// it accepts a change, and lets Append return in the order in which it has accepted changes, each after done of the
	// one before.
	Journal = commit.Journal
)

// The kinds of points: a clause was entered, was left by success, or a branch within it was entered.
const (
	PointEntered = load.PointEntered
	PointLeft    = load.PointLeft
	PointBranch  = load.PointBranch
)

// CoveragePoint is a place in a clause that is counted: its Kind, its [Position], the indicator of its Predicate and
// the Label of its rule, "" for none.
type CoveragePoint = load.Point

// Coverage counts how often clauses are entered and left, and branches of disjunctions and conditionals entered. The
// zero value is ready to be used in [Options.Coverage] of one program. Clauses of dynamic predicates and of tests are
// not counted. Any number of goroutines may run the program meanwhile.
type Coverage struct {
	mu     sync.Mutex
	points []CoveragePoint
	counts []int64
	paused atomic.Bool
}

// maxPoints bounds the points of a program. Clauses behind them are not counted.
const maxPoints = 1 << 19

// Pause stops the counting, or goes on with it: what looks into a program is not to be counted.
func (c *Coverage) Pause(pause bool) { c.paused.Store(pause) }

// Each calls f for each point with its count, in the order of loading.
func (c *Coverage) Each(f func(p CoveragePoint, count int64)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, p := range c.points {
		f(p, c.counts[i])
	}
}

// add makes a point and returns its number, -1 if there are too many.
func (c *Coverage) add(p CoveragePoint) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.points) == maxPoints {
		return -1
	}
	c.points, c.counts = append(c.points, p), append(c.counts, 0)
	return len(c.points) - 1
}

// predicate counts a point.
func (c *Coverage) predicate() Predicate {
	return Predicate{Name: load.CoveredPredicate, Arity: 1, Call: func(call *Call) (bool, error) {
		n, ok := call.Arg(0).(term.Int)
		c.mu.Lock()
		defer c.mu.Unlock()
		if ok && n >= 0 && int(n) < len(c.counts) && !c.paused.Load() {
			c.counts[n]++
		}
		return true, nil
	}}
}

// ErrConflict is returned by Commit when another run has meanwhile retracted a clause that
// this one retracts. Run the goal again.
var ErrConflict = database.ErrConflict

// Inherit makes p the successor of the old program. p must be loaded and not queried yet.
//
// Inherit copies to p the clauses that were added to the old program since it was loaded. From then on p also receives
// the changes that transactions of the old program commit, so that running calls lose nothing; no call waits for
// Inherit. Clauses from files are not copied, retracted or not: p has the clauses of its own files. Clauses of
// predicates that are not dynamic in p are dropped, and rules of persistent ones. lost names the latter, once for each
// rule. Inherit also builds the indexes that the old program has, so that the first calls on p do not have to.
func (p *Program) Inherit(old *Program) (lost []string) { return p.changes.Inherit(old.changes) }

// Apply makes a change that a journal has got from elsewhere. Transactions that are not committed yet and cannot be
// after it have a conflict. Facts of predicates that are not persistent are left out. The error says that a fact which
// is to be removed is not there; nothing is changed then.
func (p *Program) Apply(others FactChange) error {
	_, err := p.changes.Apply(others)
	return err
}

// Overrule does what [Program.Apply] does. It returns the [inner.Generation] of runs that begin after the change.
func (p inner) Overrule(others FactChange) (uint64, error) { return p.changes.Apply(others) }

// Replace replaces all facts of persistent predicates by a sequence of facts, as Overrule does.
func (p inner) Replace(all iter.Seq[Fact]) (uint64, error) { return p.changes.Replace(all) }

// PersistentFacts returns the facts of the persistent predicates as they are at the time of the call. end must be
// called when the sequence is not needed any more; until then their memory is kept.
func (p *Program) PersistentFacts() (all iter.Seq[Fact], end func()) { return p.changes.Facts() }

// Change returns what a run is about to change in dynamic predicates. The error is one of a clause that no text can
// hold.
func (p inner) Change(r *Run) (FactChange, error) { return commit.ChangeOf(r.m.Tx()) }

// Order makes the clauses that a run adds stand in the order of the commits. Without it the clauses of runs at the same
// time stand in the order in which they were added.
func (p inner) Order(r *Run) { r.m.Tx().Order() }

// Redo makes a change of another process, as [Program.Apply] does, of any dynamic predicates.
func (p inner) Redo(c FactChange) error { return p.changes.Redo(c) }

// Generation is the state of the database that a run sees: a number that grows with each commit. Once the run is
// committed it is that of its commit. Serial is a number that grows with each program of the process.
func (p inner) Generation(r *Run) uint64 { return r.m.Tx().BeganAt() }
func (p inner) Serial() uint64           { return p.serial }

// IsPersistent reports whether a predicate is persistent.
func (p inner) IsPersistent(module, name string, arity int) bool {
	return p.changes.IsPersistent(module, name, arity)
}

// Persistent returns the persistent predicates as module:name/arity, sorted.
func (p inner) Persistent() []string { return p.changes.Persistent() }

// Restore adds facts of persistent predicates that the journal has kept. It does not tell the journal of them. Facts
// of predicates that are not persistent are left out and returned.
func (p *Program) Restore(stored iter.Seq[Fact]) (left []Fact) { return p.changes.Restore(stored) }

// Rivalry remembers which predicates a goal has lost to other transactions: in those its runs retracted clauses that
// others had retracted, and Commit returned [ErrConflict]. One goroutine uses it. The zero value is for a goal that
// has lost nothing.
type Rivalry struct{ preds map[*database.Pred]bool }

// Note adds what a run has just lost. The run must not have been closed.
func (v *Rivalry) Note(r *Run) {
	for _, p := range r.m.Tx().Lost() {
		if v.preds == nil {
			v.preds = map[*database.Pred]bool{}
		}
		v.preds[p] = true
	}
}

// Prefer gives a transaction precedence for the predicates in v: other runs that retract clauses of them wait until
// this run ends; see [Run.Obstacle]. A nil v ends the precedence. One run of a program has precedence at a time; for
// a second one Prefer does nothing.
func (r *Run) Prefer(v *Rivalry) {
	if v == nil {
		v = &Rivalry{}
	}
	r.m.Tx().Guard(v.preds)
}

// Obstacle returns a channel that is closed when the run that has precedence over this one has ended. Commit should
// wait for it, or it takes from that run again what it needs. It is nil when there is no such run.
func (r *Run) Obstacle() <-chan struct{} { return r.m.Tx().Obstacle() }

// ErrNotStored is in the chain of the error of a commit whose changes the journal could not keep.
var ErrNotStored = commit.ErrNotStored
