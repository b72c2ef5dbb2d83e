// Package database holds programs: modules, predicates, their clauses and code, flags and
// operators, and the transactions of the calls that change them.
//
// A [Program] is shared by all the machines that run it. A running machine reads clause lists, stamps and code without
// locks. Changes are written under one lock and published by atomic stores. Clauses carry the generations in which they
// were created and erased, so that a call sees the program as it was when the call began, plus its own changes (the
// logical update view of ISO 13211-1, 7.5.4, extended to whole transactions).
package database

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

type cell = code.Cell

// Program is a set of modules with their predicates. Its methods may be used by several goroutines.
type Program struct {
	area area

	mu      sync.RWMutex // guards the names: modules, what they export, and adding to their predicates
	modules map[string]*Module
	order   []*Module
	user    *Module // fixed at creation
	system  *Module

	lanes    [Lanes]lane // the active transactions; see active.go
	lastTx   atomic.Uint32
	isolated atomic.Int32 // how many of the active transactions are not direct

	txMu sync.Mutex // guards the transactions and what follows; taken after mu and before the lock of a lane
	// kept counts the moments by their generations.
	kept   map[uint64]int
	doomed map[*Clause]*Tx // clauses that a prepared transaction retracts
	turns  []*Turn         // the current one and later ones

	spanMu sync.Mutex // guards where clauses have their code
	spans  []span
	sorted bool

	codeMu     sync.Mutex // guards what code has been retired
	retired    []retired
	retiredSeq atomic.Uint64
	retiredNow atomic.Int32 // the length of retired

	preds atomic.Pointer[[]*Pred]
	gen   atomic.Uint64

	hasDefiner atomic.Bool // see Definer

	sweeping sweeping      // guarded by txMu
	removed  *Pred         // stands in the list of predicates for those that a sweep has removed
	sweeps   atomic.Uint64 // see Sweeps

	// Loader loads on request of runs, nil if nothing can be loaded. It is set once, before the program runs.
	Loader Loader
	// LibraryMeta returns the meta_predicate specification of a predicate that a library exports, or "". It is nil in a
	// program without libraries.
	LibraryMeta func(name string, arity int) string
}

// Loader serves the load requests of running goals. loading says that the loader itself runs the requesting goal.
type Loader interface {
	// Autoload loads the library that exports a predicate and returns the predicate; nil if there is none.
	Autoload(functor code.Cell, loading bool) (*Pred, error)
	// Use does what use_module/1,2 does in a module, args being the arguments. The context ends the load,
	// unless the goal is run by the loader. told lists the mistakes of the texts, to be printed.
	Use(ctx context.Context, module *Module, args []term.Term, by Asker) (told []string, err error)
	// LoadFiles is Use for consult/1 and load_files/2. Unload removes the definitions of a file. Make reloads the files
	// that have changed.
	LoadFiles(ctx context.Context, module *Module, spec term.Term, o LoadOptions, by Asker) (told []string, err error)
	Unload(ctx context.Context, name string, loading bool) (told []string, err error)
	Make(ctx context.Context) (told []string, err error)
	// WaitingOps returns the operators of libraries that isolated goals have loaded. User does not have them yet.
	WaitingOps() []syntax.Op
	// SourceExists reports whether a specification such as library(lists) names something that can be loaded.
	SourceExists(spec term.Term) bool
	// Globals returns the global variables of the program. The map does not change.
	Globals() map[string]term.Term
	// Declare sets flags of a predicate.
	Declare(by *Definer, pred *Pred, flags Flag)
	// Fixed reports whether programs may neither define nor declare a predicate of a functor in a module: as it is
	// built in or a library's.
	Fixed(module *Module, functor code.Cell) bool
	// DeclareMeta gives a predicate its meta_predicate specification, one character an argument.
	DeclareMeta(by *Definer, pred *Pred, spec string, loading bool) error
	// DeclareTransparent makes a predicate transparent.
	DeclareTransparent(by *Definer, pred *Pred, loading bool) error
	// Import does what import/1 does in a module.
	Import(module *Module, pred *Pred, by Asker) (told []string, err error)
	// Context returns the value of a key of prolog_load_context/2, nil if it has none.
	Context(key string) term.Term
	// Sources returns the files of the program in the order of loading. The slice must not be changed.
	Sources() []SourceFile
	// Advice returns what the program says about explaining a predicate.
	Advice(pred *Pred) Advice
	// Lambdas returns a term with lambdas in place of the predicates made from them, and the local variables of these
	// lambdas.
	Lambdas(t term.Term) (shown term.Term, own []*term.Var)
	// Asks reports whether clauses of the program send a query, given as text, to a database by a predicate, with a row
	// of the given arity. Other goals may not do so, as a query can name any table and any condition.
	Asks(predicate, query string, arguments int) bool
	// TableOf returns the database and table, as in crm.customers, whose rows are a predicate's facts, "" if there is
	// none.
	TableOf(pred *Pred) string
	// QueryOf returns the query for these rows, nil if there is none.
	QueryOf(pred *Pred) *relation.Query
}

// Asker is the goal that makes a request to a [Loader]. Restricted says that a restricted rule is active.
type Asker struct {
	Kind       AskerKind
	Restricted bool
}

// AskerKind says to whom the effects of the goal are visible.
type AskerKind uint8

// The effects of a DirectGoal are visible to all as they are made. The loader runs a LoaderGoal. An IsolatedGoal
// changes nothing for other goals: the predicates that they call do not change.
const (
	DirectGoal AskerKind = iota
	LoaderGoal
	IsolatedGoal
)

// LoadOptions are the options of load_files/2.
type LoadOptions struct {
	// Again reloads files that are already loaded, if the program may do so.
	Again bool
	// Imports are the predicates to import: a list, all or except(List). nil stands for all.
	Imports term.Term
	// Reexport makes the loading module export what it imports.
	Reexport bool
	// MustBeModule makes a file without a module header an error.
	MustBeModule bool
	// Module replaces the name in the module header, unless it is "". A header that names the loading module is
	// ignored.
	Module string
	// IfExists ignores a missing file.
	IfExists bool
	// Text is the text to load under the name of the file, nil to read the file.
	Text *string
}

// Advice is the program's declarations on explaining a predicate, by explain/2 and info/2.
type Advice struct {
	// How is "hidden", "opaque", "key" or "".
	How string
	// Says and SaysNot are templates for a goal that holds or does not hold, "" if there is none.
	Says, SaysNot string
	// Source says where the rules of the predicate come from, such as an article of a law; "" if it is unknown.
	Source string
	// Names are the names of the arguments, nil if they have none.
	Names []string
	// Types has the types of arguments that are decimals, dates and the like, or lists of these, according to mode/2 or a
	// data file. Other arguments have nil. It is nil if there are none.
	Types []term.Term
	// Single says that mode/2 promises at most one answer, in each of the modes.
	Single bool
	// Columns are the names of the columns of the table or data file of the predicate, nil for none.
	Columns []string
	// Heads are the column names of a decision table, by which its rows are compared.
	Heads []string
}

// SourceFile is a file that has been loaded.
type SourceFile struct {
	Name   string
	Module string
	// From and Line are the place that loaded it, "" and 0 for the files that the program was given.
	From string
	Line int
}

// Module is a name space of predicates. Lookups that fail continue in its parents.
type Module struct {
	Name string
	// Library is true for modules of the engine's own library, whose predicates users may
	// redefine in their own modules.
	Library bool
	// Unit is true for modules of tests, which extend the enclosing module.
	Unit bool
	// Ops and Flags steer the reader for text of this module.
	Ops   *syntax.Ops
	Flags syntax.Flags
	// File is where the module was defined, or "".
	File string
	// Unknown is the value of the flag unknown set by a directive of the module: error, fail or warning; "" for that of
	// user.
	Unknown string

	program *Program
	parents atomic.Pointer[[]*Module]
	listed  atomic.Bool   // the program has it under its name
	marked  atomic.Bool   // by a sweep
	preds   predTable     // changed under program.mu
	exports map[cell]bool // guarded by program.mu
	ops     []syntax.Op   // the operators that it exports, guarded by program.mu
}

// New returns an empty program with the modules system and user.
func New() *Program {
	p := &Program{modules: map[string]*Module{}}
	words := make([]code.Instr, 2, 1024) // addresses 0 and 1 are special targets
	p.area.set(words)
	p.preds.Store(&[]*Pred{})
	p.gen.Store(1)
	system := p.addModule("system")
	system.Ops = syntax.StandardOps()
	user := p.addModule("user")
	user.setParents(system)
	user.Ops = syntax.NewOps(system.Ops)
	p.user, p.system = user, system
	user.Ops.ReadIndicators() // as mode/2 needs them
	system.Flags.Lenient, user.Flags.Lenient = true, true
	return p
}

// addModule adds a module without parents. The lock must be held, unless it is not needed.
func (p *Program) addModule(name string) *Module {
	m := p.newModule(name)
	p.list(m)
	return m
}

// list adds a module to the index by name. The lock must be held, unless nobody else has the program yet.
func (p *Program) list(m *Module) {
	p.modules[m.Name] = m
	p.order = append(p.order, m)
	m.listed.Store(true)
}

// newModule makes a module without adding it.
func (p *Program) newModule(name string) *Module {
	return &Module{Name: name, program: p, exports: map[cell]bool{}}
}

// Code returns the code words. The slice contains all code that is visible now.
func (p *Program) Code() []code.Instr { return p.area.load() }

// AddCode stores a block of code and returns its address.
func (p *Program) AddCode(block []code.Instr) uint32 { return p.area.add(block) }

// Patch overwrites code words. Machines on a shared program use the old words until they load the code again.
func (p *Program) Patch(at uint32, block []code.Instr) { p.area.patch(at, block) }

// Share says whether machines on other goroutines may run the program from now on, while it loads.
func (p *Program) Share(shared bool) { p.area.share(shared) }

// PatchTogether makes all patches of do at its end. One goroutine may do so at a time.
func (p *Program) PatchTogether(do func() error) error {
	p.area.hold()
	defer p.area.flush()
	return do()
}

// EntryCode returns the words of the entry of a predicate with the patches so far applied.
func (p *Program) EntryCode(pred *Pred) []code.Instr { return p.area.at(pred.Entry, EntryWords) }

// Preds returns all predicates, indexed by Pred.ID.
func (p *Program) Preds() []*Pred { return *p.preds.Load() }

// User and System return the two modules that every program has.
func (p *Program) User() *Module   { return p.user }
func (p *Program) System() *Module { return p.system }

// Module returns the module of this name, creating it as a child of user.
func (p *Program) Module(name string) *Module {
	m := p.Mentioned(name)
	p.mu.Lock()
	defer p.mu.Unlock()
	if m != m.registered() {
		return m.registered()
	}
	if p.modules[name] == nil {
		p.list(m)
	}
	return m
}

// Mentioned returns the module of this name. A missing module is made as a child of user, but only kept once it gets a
// predicate, as a goal may mention any names.
func (p *Program) Mentioned(name string) *Module {
	if m := p.FindModule(name); m != nil {
		return m
	}
	m := p.newModule(name)
	m.setParents(p.user)
	m.Ops = syntax.NewOps(p.user.Ops)
	m.Flags.Lenient, m.Flags.SWI = true, p.user.Flags.SWI
	return m
}

// Parents returns the modules whose predicates are visible in this module without import. The slice must not be
// changed.
func (m *Module) Parents() []*Module {
	if list := m.parents.Load(); list != nil {
		return *list
	}
	return nil
}

func (m *Module) setParents(list ...*Module) { m.parents.Store(&list) }

// HasAncestor reports whether a module is m or one whose predicates are visible in m.
func (m *Module) HasAncestor(other *Module) bool {
	seen := map[*Module]bool{}
	todo := []*Module{m}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if at == other {
			return true
		}
		if !seen[at] {
			seen[at] = true
			todo = append(todo, at.Parents()...)
		}
	}
	return false
}

// registered returns the module that the program has under the name of m, m itself if there
// is none. The program's lock must be held.
func (m *Module) registered() *Module {
	if m.listed.Load() {
		return m
	}
	if own := m.program.modules[m.Name]; own != nil {
		return own
	}
	return m
}

// FindModule returns the module of this name or nil.
func (p *Program) FindModule(name string) *Module {
	p.mu.RLock()
	defer p.mu.RUnlock()
	m := p.modules[name]
	if m != nil && m.marked.Load() {
		m.marked.Store(false)
	}
	return m
}

// Modules returns all modules in the order of their creation.
func (p *Program) Modules() []*Module {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return append([]*Module(nil), p.order...)
}

// Exports returns the exported functors, in a fixed order.
func (m *Module) Exports() []code.Cell {
	m.program.mu.RLock()
	defer m.program.mu.RUnlock()
	return slices.Sorted(maps.Keys(m.exports))
}

// Preds returns the predicates of the module itself, in the order of their creation.
func (m *Module) Preds() []*Pred {
	m.program.mu.RLock()
	list := slices.Collect(m.preds.all())
	m.program.mu.RUnlock()
	slices.SortFunc(list, func(a, b *Pred) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// EachPred yields the predicates of the module itself, in any order.
func (m *Module) EachPred() iter.Seq[*Pred] { return m.preds.all() }

// ExportedOps returns the operators that the module exports, in order.
func (m *Module) ExportedOps() []syntax.Op {
	m.program.mu.RLock()
	defer m.program.mu.RUnlock()
	return slices.Clone(m.ops)
}

// IsExported reports whether the module exports a functor.
func (m *Module) IsExported(functor code.Cell) bool {
	m.program.mu.RLock()
	defer m.program.mu.RUnlock()
	return m.exports[functor]
}
