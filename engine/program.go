package engine

import (
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/clausetext"
	"github.com/mcplogic/mcplogic/engine/internal/commit"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/relation"
)

// This file defines what a program is and what it may use.

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
	// Advice says what to do about calls of predicates that do not exist, by indicator, such as "tool/1".
	Advice map[string]string
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
func (p *Program) FileName(source string) string {
	if p.opts.FileName == nil {
		return source
	}
	return p.opts.FileName(source)
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

// Diagnostics returns what the loads so far have reported, sorted by place.
func (p *Program) Diagnostics() Diagnostics { return p.loaded.Diagnostics() }

// clauseFiles finds clauses in the files of the program.
func (p *Program) clauseFiles() *clausetext.Files {
	f := &clausetext.Files{DB: p.db}
	if p.opts.Files != nil {
		f.Open = p.opts.Files.OpenRead
	}
	return f
}

// KeepSecret notes values that explanations of the program must not show, such as passwords that its goals compare
// with. It is called before goals are run.
func (p *Program) KeepSecret(values ...string) { p.secrets = append(p.secrets, values...) }
