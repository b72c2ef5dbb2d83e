// Package engine is an embeddable Prolog.
//
//	prog, err := engine.LoadText("family.pl", text, nil)     // a program
//	for s, err := range prog.Query(ctx, "parent(X, ann)", nil) {  // its answers
//		fmt.Println(s.Get("X"))
//	}
//
// A [Program] holds clauses: load all of them, then query it from as many goroutines as you
// like. Each query runs on a machine of its own, within limits, and sees the program as it was
// when it began. [Program.Query] iterates over answers, [Program.Once] takes the first;
// [Program.Start] gives a [Run], which can wait for something outside and be taken back.
// Predicates written in Go are given to [New] as [Predicate].
//
// The language is ISO Prolog and the dialect of SWI-Prolog; docs/language.md describes it.
package engine

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/arith"
	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/compile"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// Files opens files for goals and directives.
type Files interface {
	// OpenRead opens a file for reading. The path is as the program wrote it.
	OpenRead(path string) (io.ReadCloser, error)
}

// Options say what a program may use. The zero value, and nil, allow it nothing outside.
type Options struct {
	// Files opens the files that include, use_module, consult and open/3 name. nil: none may
	// be read.
	Files Files
	// OpenWrite opens a file for writing, at its end if asked to append. nil: none may be
	// written.
	OpenWrite func(path string, atEnd bool) (io.WriteCloser, error)
	// Env looks up environment variables. nil: there are none.
	Env func(name string) (string, bool)
	// Args are the program's arguments, flag argv.
	Args []string
	// Now is the clock. nil: time.Now.
	Now func() time.Time
	// Output and Error take what directives print. nil: it is dropped.
	Output, Error io.Writer
	// Operators are added to those of module user.
	Operators []Operator
	// Predicates are defined in module system, or in the module they name.
	Predicates []Predicate
	// Declarations are further directives to be kept as they are rather than called, such as
	// "cache/2"; mode/2 and info/2 always are. See [Program.Declarations].
	Declarations []string
	// Scattered are indicators, such as "tools/1", of predicates that may have clauses in
	// several files and places, in whatever module. Where the parts of their clauses stand is
	// kept for [Program.Predicate].
	Scattered []string
	// Readings are what texts were read as before, and take what they are read as now. nil: each
	// load reads all of its texts.
	Readings *Readings
	// DirectiveTime and DirectiveMemory limit each goal that loading runs: directives, conditions and
	// what expands terms and goals. One that runs into its limit ends the load. 0: no limit, and 1 GiB.
	DirectiveTime   time.Duration
	DirectiveMemory int
}

// Operator is an operator definition as op/3 takes it.
type Operator struct {
	Priority int
	Type     string // xfx, xfy, yfx, fy, fx, yf or xf; others are ignored
	Name     string
}

func (p *Program) addOperator(op Operator) {
	if typ, ok := syntax.ParseOpType(op.Type); ok {
		p.db.User().Ops.Add(op.Priority, typ, term.Atom(op.Name))
	}
}

// Program is a set of clauses with what belongs to them. Load it from one goroutine, then
// query it from any number.
type Program struct {
	db       *database.Program
	builtins []machine.Builtin
	compiler *compile.Compiler
	opts     Options
	flags    *builtin.FlagSet // that directives have set
	machines sync.Pool

	mu           sync.Mutex // held while loading
	loaded       map[string]*database.Module
	hidden       hiddenLibraries
	shelving     map[string]*syntax.Ops // of the libraries read, for a shelf being made
	declared     map[string]bool
	scattered    map[code.Cell]bool           // functors
	layouts      map[*database.Clause]*Layout // of the clauses of scattered predicates
	declarations []Declaration
	diagnostics  Diagnostics
	initGoals    []initGoal
	loading      *loader                // whose goal runs now
	loadContext  context.Context        // of the load under way, or nil
	cutShort     bool                   // a load did not come to its end
	undefined    map[string]unknownCall // by indicator; fixed once loaded
	bodies       []bodyNote             // of the clauses of the program, while loading
	readings     loadReadings           // if the options want them
	pace         pace                   // of loading
	sealed       bool
	born         int    // how many predicates are the base's; what they lack no library has
	loadedAt     uint64 // the generation at the end of loading

	heirMu sync.RWMutex
	heir   *heir // the program that has replaced this one
}

// Declaration is a directive that describes a predicate, such as mode/2.
type Declaration struct {
	Name   string
	Term   Term
	Module string
	File   string
	Line   int
	Column int
	// Layout is where the parts of Term stand, or nil when it was not written so.
	Layout *Layout
}

// New returns a program without clauses of its own.
func New(o *Options) *Program {
	p := newborn()
	if o != nil {
		p.opts = *o
	}
	for _, d := range p.opts.Declarations {
		p.declared[d] = true
	}
	for _, s := range p.opts.Scattered {
		p.scattered[functorNamed(s)] = true
	}
	for _, op := range p.opts.Operators {
		p.addOperator(op)
	}
	for i := range p.opts.Predicates {
		p.register(p.opts.Predicates[i].builtin())
	}
	return p
}

// functorNamed returns the functor of an indicator such as "tools/1", 0 for what is none.
func functorNamed(indicator string) code.Cell {
	slash := strings.LastIndexByte(indicator, '/')
	arity, err := strconv.Atoi(indicator[slash+1:])
	if slash < 1 || err != nil || arity < 0 || arity > maxPredicateArity {
		return 0
	}
	return code.Functor(indicator[:slash], arity)
}

// base is the program of the built-in predicates alone, made once. Others begin as its clones.
// An image that does not fit the process is passed over.
var base = sync.OnceValue(func() *Program {
	if p := fromImage(baseImage); p != nil {
		return p
	}
	return buildBase()
})

// begun is set once there was a program. The first one is made of the image like the base, not of the
// base, without which a process that has one program can do.
var begun atomic.Bool

// firstProgram returns a program like the base for its first caller; nil for others and without an
// image.
func firstProgram() *Program {
	if begun.Swap(true) {
		return nil
	}
	return fromImage(baseImage)
}

// buildBase makes the program of the built-in predicates from its texts.
func buildBase() *Program {
	p := newProgram(database.New())
	machine.Prepare(p.db)
	for _, b := range allBuiltins() {
		p.register(b)
	}
	p.loadSystem()
	p.seal()
	p.born = len(p.db.Preds())
	return p
}

// allBuiltins are the predicates in Go that every program has; their numbers are their places.
func allBuiltins() []machine.Builtin {
	return slices.Concat(machine.Controls(), builtin.Table(), engineTable())
}

// clone returns a program that begins with what p has.
func (p *Program) clone() *Program {
	q := newProgram(p.db.Clone())
	q.builtins, q.born = slices.Clip(p.builtins), p.born
	for name, m := range p.loaded {
		q.loaded[name] = q.db.Module(m.Name)
	}
	return q
}

// newProgram returns a program around a database.
func newProgram(db *database.Program) *Program {
	p := &Program{db: db, loaded: map[string]*database.Module{}, scattered: map[code.Cell]bool{},
		layouts: map[*database.Clause]*Layout{}}
	p.compiler = compile.New(db, compile.Options{
		Nondet: func(n int) bool { return p.builtins[n].Nondet },
		Arith:  arith.Arithmetic.Function,
		Meta:   lib.Meta,
	})
	db.Autoload, db.Owner = p.autoload, p
	p.declared = map[string]bool{"mode/2": true, "info/2": true}
	p.machines.New = func() any { return machine.New(p.db, p.builtins, p.compiler, arith.Arithmetic) }
	return p
}

// register defines one predicate written in Go. Those of ISO 13211-1 and those with a name in
// $ are locked: programs cannot redefine them, so calls go straight to them.
func (p *Program) register(b machine.Builtin) {
	module := p.db.System()
	if b.Module != "" {
		module = p.db.Module(b.Module)
	}
	pred := module.Lookup(code.Functor(b.Name, b.Arity))
	pred.Builtin = len(p.builtins)
	pred.Meta = b.Meta
	pred.Set(database.Defined | database.Linked)
	entry := code.Make(code.OpBuiltinEnd, b.Arity, 0, 0, uint32(pred.Builtin))
	if b.IsControl() {
		pred.Set(database.Control)
		entry = code.MakeMeta(pred.Functor, pred.ID)
	}
	if b.Name[0] == '$' || b.IsControl() || isCore(b.Name, b.Arity) {
		pred.Set(database.Locked)
	}
	p.db.Patch(pred.Entry, []code.Instr{entry, entry, entry})
	p.builtins = append(p.builtins, b)
}

// Declarations returns the directives that describe predicates, in the order of their
// loading. The slice is the caller's.
func (p *Program) Declarations() []Declaration {
	return append([]Declaration(nil), p.declarations...)
}

// Diagnostics returns what the loads so far have reported, sorted by place.
func (p *Program) Diagnostics() Diagnostics { return p.diagnostics.Sorted() }
