// Package load makes clauses of text: it reads terms, obeys directives, expands and compiles
// clauses, links calls to their predicates, and warns of what looks wrong.
//
// [New] makes a [Program] around a database, [Program.Define] adds predicates written in Go, and
// [Program.Load] adds texts. Goals of the texts run by the one function that [Options] hold. Loading
// excludes other loading; a program that is sealed may be run meanwhile.
package load

import (
	"context"
	"sync"

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

// Solve runs a goal of a text in a module. It returns the values of vars in the first answer, nil
// if there is none. The error of a goal that throws is a [*Thrown].
type Solve func(ctx context.Context, goal term.Term, vars []*term.Var, module *database.Module) ([]term.Term, error)

// Thrown is the error of a goal that threw.
type Thrown struct {
	// Message is the term that it threw, in words.
	Message string
	// Limit is the resource that ran out, such as "time", or "".
	Limit string
}

func (t *Thrown) Error() string { return t.Message }

// Options say how texts are loaded.
type Options struct {
	// Solve runs the goals of texts. Limits are those that it gives each of them.
	Solve  Solve
	Limits machine.Limits
	// Files opens the files that texts name. nil: none may be read.
	Files builtin.FS
	// Declarations are further directives to be kept as they are, such as "cache/2".
	Declarations []string
	// Scattered are the functors of predicates that may have clauses in several places.
	Scattered []code.Cell
	// Incremental makes the readers of texts. nil: they are only parsed.
	Incremental Incremental
}

// Libraries has libraries compiled that programs before have loaded.
type Libraries interface {
	// Take gives the program a library and returns its module; nil if the library is to be read.
	Take(key string) *database.Module
	// Read is told that the program has read a library.
	Read(key string)
}

var _ database.Loader = (*Program)(nil)

// Program is a database that texts are loaded into, and what is known of the texts.
type Program struct {
	db       *database.Program
	builtins []machine.Builtin
	compiler *compile.Compiler
	opts     Options
	// libraries is nil for a program whose libraries are not kept for others.
	libraries Libraries
	flags     *builtin.FlagSet // that directives have set

	mu     sync.Mutex // held while loading
	loaded map[string]*database.Module
	// ownOps are the operators that libraries define in user, by key. It is nil unless they are kept apart.
	ownOps       map[string]*syntax.Ops
	declared     map[string]bool
	scattered    map[code.Cell]bool                  // functors
	layouts      map[*database.Clause]*syntax.Layout // of the clauses of scattered predicates
	declarations []Declaration
	diagnostics  Diagnostics
	initGoals    []initGoal
	loading      *Loader                // whose goal runs now
	loadContext  context.Context        // of the load under way, or nil
	cutShort     bool                   // a load did not come to its end
	undefined    map[string]UnknownCall // by indicator; fixed once loaded
	bodies       []bodyNote             // of the clauses of the program, while loading
	yielder      Yielder
	sealed       bool
	baseCount    int    // how many predicates are the base's: no library exports those that it leaves undefined
	loadedAt     uint64 // the generation at the end of loading
}

// Declaration is a directive that describes a predicate, such as mode/2.
type Declaration struct {
	syntax.Position
	Name   string
	Term   term.Term
	Module string
	// Layout is where the parts of Term stand, or nil when it was not written so.
	Layout *syntax.Layout
}

// New returns a program around a database that has the given predicates in Go. loaded are the modules
// of the libraries in the database, by key; the program keeps the map.
func New(db *database.Program, builtins []machine.Builtin, loaded map[string]*database.Module) *Program {
	p := &Program{db: db, builtins: builtins, loaded: loaded, scattered: map[code.Cell]bool{},
		layouts: map[*database.Clause]*syntax.Layout{}}
	p.compiler = compile.New(db, compile.Options{
		Nondet: func(n int) bool { return p.builtins[n].Nondet },
		Arith:  arith.Arithmetic.Function,
		Meta:   lib.Meta,
	})
	db.Loader = p
	p.declared = map[string]bool{"mode/2": true, "info/2": true}
	return p
}

// Clone returns a program that begins with what p has.
func (p *Program) Clone() *Program {
	loaded := make(map[string]*database.Module, len(p.loaded))
	q := New(p.db.Clone(), p.builtins[:len(p.builtins):len(p.builtins)], loaded)
	for name, m := range p.loaded {
		loaded[name] = q.db.Module(m.Name)
	}
	q.baseCount = p.baseCount
	return q
}

// Configure sets the options, before anything is loaded.
func (p *Program) Configure(o Options) {
	p.opts = o
	for _, d := range o.Declarations {
		p.declared[d] = true
	}
	for _, functor := range o.Scattered {
		p.scattered[functor] = true
	}
}

// UseLibraries says where libraries come from that others have loaded.
func (p *Program) UseLibraries(l Libraries) { p.libraries = l }

// Define defines a predicate written in Go. Those of ISO 13211-1 and those with a name in
// $ are locked: programs cannot redefine them, so calls go straight to them.
func (p *Program) Define(b machine.Builtin) {
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

// SealBase ends the making of the program that others begin with.
func (p *Program) SealBase() {
	p.Seal()
	p.MarkBase()
}

// MarkBase says that the predicates there are now are those that all programs have.
func (p *Program) MarkBase() { p.baseCount = len(p.db.Preds()) }

// DB returns the database.
func (p *Program) DB() *database.Program { return p.db }

// Builtins returns the predicates written in Go, by their numbers.
func (p *Program) Builtins() []machine.Builtin { return p.builtins }

// NewMachine returns a machine that runs the program.
func (p *Program) NewMachine() *machine.Machine {
	return machine.New(p.db, p.builtins, p.compiler, arith.Arithmetic)
}

// Flags returns the flags that directives have set; SetFlags replaces them.
func (p *Program) Flags() *builtin.FlagSet { return p.flags }

// SetFlags replaces the flags that directives have set.
func (p *Program) SetFlags(flags *builtin.FlagSet) { p.flags = flags }

// LoadedAt returns the generation of the database at the end of loading.
func (p *Program) LoadedAt() uint64 { return p.loadedAt }

// Declarations returns the directives that describe predicates, in the order of their
// loading. The slice is the caller's.
func (p *Program) Declarations() []Declaration {
	return append([]Declaration(nil), p.declarations...)
}

// Diagnostics returns what the loads so far have reported, sorted by place.
func (p *Program) Diagnostics() Diagnostics { return p.diagnostics.Sorted() }

// Loaded returns the modules of the files and libraries loaded, by name and key. It is not to be
// changed while the program loads.
func (p *Program) Loaded() map[string]*database.Module { return p.loaded }

// KeepOpsApart makes the operators that libraries define in user be kept by library too.
func (p *Program) KeepOpsApart() { p.ownOps = map[string]*syntax.Ops{} }

// OwnOps returns the operators that libraries define in user, by key, and ends their being kept apart.
func (p *Program) OwnOps() map[string]*syntax.Ops {
	ops := p.ownOps
	p.ownOps = nil
	return ops
}

// HasOnlyClauses reports whether loading has left nothing but clauses.
func (p *Program) HasOnlyClauses() bool {
	return len(p.diagnostics)+len(p.declarations)+len(p.initGoals)+len(p.layouts) == 0
}
