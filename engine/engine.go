// Package engine is an embeddable Prolog.
//
//	prog, err := engine.LoadText("family.pl", text, nil)     // a program
//	for s, err := range prog.Query(ctx, "parent(X, Y)", &engine.RunOptions{  // its answers
//		Bind: map[string]any{"Y": engine.NewAtom("ann")},
//	}) {
//		fmt.Println(s.Text("X"))
//	}
//
// A [Program] holds clauses. [LoadText] and [LoadFS] make a program from texts, as [New] and [Program.Load] do. Load a
// program first; then any number of goroutines may query it. Each query runs on a machine of its own, within limits,
// and sees the program as it was when the query began. [Program.Query] iterates over answers, and [Program.Once]
// returns the first. [Program.Start] returns a [Run], which can wait for something outside and be rolled back.
// [RunOptions] hold the limits, and in Bind the values of the goal's variables. Pass untrusted values in Bind, never as
// a part of the goal's text, where they could be a goal.
//
// [TermOf] converts Go values to terms. [Convert] and [Solution.Scan] convert terms to Go values. Package term defines
// the terms. [Program.Assert] and [Program.AssertAll] add clauses to a program that is being queried. [Options] hold
// predicates written in Go, as values of type [Predicate]; [Func1], [Each1] and similar functions make them from plain
// functions.
//
// The error of a run is an *[Exception], a *[Halt] or an *[Aborted]. An Exception wraps the Go error behind it, if
// there is one. The error of a load is a list of [Diagnostics].
//
// docs/embedding.md goes through all of this with examples. The language is ISO Prolog and the dialect of
// SWI-Prolog; docs/language.md describes it.
package engine

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/base"
	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/commit"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/reuse"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

//go:generate go run ./internal/lib/index internal/lib/index.go
//go:generate go run ./internal/generate manual ../docs/builtins.md
//go:generate go run ./internal/generate libraries ../docs/language.md
//go:generate go run ./internal/generate diagnostics ../docs/diagnostics.md
//go:generate go run ./internal/generate version internal/compile/version.go
//go:generate go run ./internal/generate image internal/base/base.image
//go:generate go run ./internal/generate images internal/base/libraries.image

// Files opens files for goals and directives.
type Files interface {
	// OpenRead opens a file for reading. The path is as the program wrote it.
	OpenRead(path string) (io.ReadCloser, error)
}

// Lister is implemented by Files that also show goals which files and folders there are. Without it goals may only open
// files.
type Lister = builtin.Lister

// Changer changes files and folders for goals, such as delete_file/1 and make_directory/1.
type Changer = builtin.Changer

// Databases answers for the tables of databases that programs have as predicates.
type Databases = relation.Databases

// Options say what a program may use. The zero value, and nil, allow it nothing outside the process.
type Options struct {
	// Files opens the files that include, use_module, consult and open/3 name. nil: no file may be read.
	Files Files
	// FileName is the name by which goals know a file of the program. nil: that of its source.
	FileName func(source string) string
	// OpenWrite opens a file for writing, at its end if asked to append. nil: none may be
	// written.
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
	// Operators are added to those of module user.
	Operators []Operator
	// Predicates are defined in module system, or in the module they name.
	Predicates []Predicate
	// Declarations are further directives that are recorded and not called, such as "cache/2". mode/2 and info/2 always
	// are recorded. See [Program.Declarations].
	Declarations []string
	// Scattered are indicators, such as "tools/1", of predicates that may have clauses in several files and places, in
	// any module. [Program.Predicate] returns the layouts of their clauses.
	Scattered []string
	// LoadCache caches the results of loading. A load reuses the cached results of unchanged text and then replaces the
	// contents of the cache. nil: each load reads all of its texts.
	LoadCache *LoadCache
	// DirectiveTime and DirectiveMemory limit each goal that loading runs: directives, conditions and expansion
	// hooks. A goal that exceeds a limit ends the load. 0: no limit of time, and 1 GiB of memory.
	DirectiveTime   time.Duration
	DirectiveMemory int
	// Native says whether goals use native code. The zero value is NativeOn.
	Native NativeMode
	// TableMemory bounds, in bytes, the tables that the runs of the program share; those used longest ago go first. 0:
	// 64 MiB.
	TableMemory int
	// Coverage counts which clauses and branches are reached. nil: nothing is counted, at no cost.
	Coverage *Coverage
	// Databases have the tables that facts/2 makes predicates of. nil: there are none.
	Databases Databases
	// Journal keeps the facts of persistent predicates that transactions add and remove. nil: they end with the
	// process. Changes outside of transactions do not reach it.
	Journal Journal
}

// Operator is an operator definition as op/3 takes it.
type Operator struct {
	Priority int
	Type     string // xfx, xfy, yfx, fy, fx, yf or xf; others are ignored
	Name     string
}

// Program is a set of clauses with their operators, flags and declarations. Load it from one goroutine, then query it
// from any number.
type Program struct {
	loaded   *load.Program
	db       *database.Program // the database of loaded
	opts     Options
	machines sync.Pool
	queried  atomic.Bool     // a goal has been started
	changes  *commit.Program // of the database
	secrets  []string        // see KeepSecret
}

// The inputs and results of loading.
type (
	// Position is a place in a named file: file, line and column, as far as they are known. Diagnostics, declarations,
	// clauses and frames of backtraces embed it. As text it is file:line:column.
	Position = syntax.Position
	// Place is a place in one text: line and column.
	Place = syntax.Place
	// Source is the text of one file.
	Source = load.Source
	// Declaration is a directive that describes a predicate, such as mode/2.
	Declaration = load.Declaration
	// Diagnostic is one problem found while loading.
	Diagnostic = load.Diagnostic
	// Fix is a change of a text that mends a problem.
	Fix = load.Fix
	// Diagnostics is a list of problems. As an error it stands for a load that failed.
	Diagnostics = load.Diagnostics
	// Severity says whether a diagnostic makes the load fail.
	Severity = load.Severity
	// LoadCache caches the results of a load. A program that is loaded with the cache of another does not parse and
	// compile again what their texts have in common. The zero value is an empty cache. Several goroutines may use it.
	LoadCache = reuse.Cache
)

// An error makes the load fail, a warning does not.
const (
	SeverityError   = load.SeverityError
	SeverityWarning = load.SeverityWarning
)

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

// New returns a program without clauses of its own.
func New(o *Options) *Program {
	p := &Program{loaded: base.New()}
	p.db = p.loaded.DB()
	p.machines.New = func() any { return p.loaded.NewMachine() }
	if o != nil {
		p.opts = *o
	}
	p.changes = commit.New(p.loaded, p.opts.Journal)
	p.loaded.Configure(p.loadOptions())
	for _, op := range p.opts.Operators {
		p.addOperator(op)
	}
	if p.opts.Coverage != nil {
		counter := p.opts.Coverage.predicate()
		p.loaded.Define(counter.builtin())
	}
	for i := range p.opts.Predicates {
		p.loaded.Define(p.opts.Predicates[i].builtin())
	}
	return p
}

// FileName is the name by which goals know a file of the program; see [Options.FileName].
func (p *Program) FileName(source string) string {
	if p.opts.FileName == nil {
		return source
	}
	return p.opts.FileName(source)
}

// loadOptions are those of the options that are about loading.
func (p *Program) loadOptions() load.Options {
	o := load.Options{Solve: p.solve, Declarations: p.opts.Declarations, Canonical: p.opts.Canonical,
		Lenient: p.opts.Lenient, Lint: p.opts.Lint, Databases: p.opts.Databases,
		Limits: machine.Limits{Time: p.opts.DirectiveTime, Memory: p.opts.DirectiveMemory}}
	if p.opts.Files != nil {
		o.Files = p.opts.Files
	}
	if p.opts.LoadCache != nil {
		o.Incremental = p.opts.LoadCache.For(p.loaded)
	}
	if p.opts.Coverage != nil {
		o.Cover = p.opts.Coverage.add
	}
	for _, s := range p.opts.Scattered {
		o.Scattered = append(o.Scattered, functorNamed(s))
	}
	return o
}

func (p *Program) addOperator(op Operator) {
	if typ, ok := syntax.ParseOpType(op.Type); ok {
		p.db.User().Ops.Add(op.Priority, typ, term.Atom(op.Name))
	}
}

// functorNamed returns the functor of an indicator such as "tools/1", 0 for what is none.
func functorNamed(indicator string) code.Cell {
	slash := strings.LastIndexByte(indicator, '/')
	arity, err := strconv.Atoi(indicator[slash+1:])
	if slash < 1 || err != nil || arity < 0 || arity > load.MaxArity {
		return 0
	}
	return code.Functor(indicator[:slash], arity)
}

// LoadText returns the program of one text. The error is a Diagnostics list when the text has
// errors.
func LoadText(name, text string, o *Options) (*Program, error) {
	p := New(o)
	if err := p.Load(context.Background(), Source{Name: name, Text: text}); err != nil {
		return nil, err
	}
	return p, nil
}

// ErrQueried is returned by Load for a program that has been queried: its code may be running. Add
// clauses with Assert, or load another program.
var ErrQueried = errors.New("the program has been queried; it cannot load texts any more")

// Load adds the clauses of texts to a program that has not been queried yet and makes it ready
// for queries. It reads all of them and returns the errors together, as [Diagnostics]; for a program that
// has been queried it is [ErrQueried]. It may be called several times, from one goroutine.
// A context that is done, and a goal that runs into its limit, end the load with an error where it is; see
// [Program.Complete].
func (p *Program) Load(ctx context.Context, sources ...Source) error {
	if p.queried.Load() {
		return ErrQueried
	}
	return p.loaded.Load(ctx, sources...)
}

// Pushdown says what of a clause's body is left to a database.
type Pushdown = load.Pushdown

// Pushdowns returns what the clauses of the program leave to databases, and what they do not, in the order of loading.
func (p *Program) Pushdowns() []Pushdown { return p.loaded.Pushdowns() }

// Complete reports whether the loads so far came to the end of their texts. A program of which
// that is not true lacks clauses and is not ready for queries.
func (p *Program) Complete() bool { return p.loaded.Complete() }

// Declarations returns the directives that describe predicates, in the order of their
// loading. The slice is the caller's.
func (p *Program) Declarations() []Declaration { return p.loaded.Declarations() }

// ReplaceWord returns the fix that puts another word for the one at a place of a line, nil if that is not there.
func ReplaceWord(at Place, line, word, other string) *Fix {
	return load.ReplaceWord(at, line, word, other)
}

// Diagnostics returns what the loads so far have reported, sorted by place.
func (p *Program) Diagnostics() Diagnostics { return p.loaded.Diagnostics() }

// SyntaxDiagnostic makes a diagnostic of a syntax error that package source found in a file.
func SyntaxDiagnostic(file string, err *source.Error) Diagnostic {
	return load.SyntaxDiagnostic(file, err)
}
