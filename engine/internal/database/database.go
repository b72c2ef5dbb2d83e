// Package database holds programs: modules, predicates, their clauses and code, flags and
// operators, and the transactions of the calls that change them.
//
// A [Program] is shared by all the machines that run it. What a machine reads on its way
// (clause lists, stamps, code) is read without locks; what changes is written under one lock
// and published by atomic stores. Clauses carry the generations in which they were born and
// died, so that a call sees the program as it was when the call began, plus its own changes
// (the logical update view of ISO 13211-1, 7.5.4, extended to whole transactions).
package database

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

type cell = code.Cell

// Program is a set of modules with their predicates. Its methods may be used by several
// goroutines.
type Program struct {
	area area

	mu      sync.RWMutex
	modules map[string]*Module
	order   []*Module
	user    *Module // fixed at creation
	system  *Module
	active  map[*Tx]struct{}
	nextTx  uint32
	// isolated counts the active transactions that are not direct.
	isolated int
	elder    *Tx // the one that guards predicates, or nil

	spanMu sync.Mutex // guards where clauses have their code
	spans  []span
	sorted bool

	codeMu     sync.Mutex // guards what code has been retired
	retired    []retired
	retiredSeq atomic.Uint64

	preds atomic.Pointer[[]*Pred]
	gen   atomic.Uint64

	// Loader loads what runs ask for; nil if nothing can be loaded. It is set once, before the program runs.
	Loader Loader
}

// Loader is what running goals need of whoever has loaded the program. loading says that the goal that asks is run
// by the loader itself.
type Loader interface {
	// Autoload loads the library that exports a predicate and returns the predicate; nil if there is none.
	Autoload(functor code.Cell, loading bool) (*Pred, error)
	// Use does what use_module/1,2 does in a module, args being the arguments. The context ends the load,
	// unless the goal is run by the loader.
	Use(ctx context.Context, module *Module, args []term.Term, loading bool) error
	// Declare sets flags of a predicate.
	Declare(pred *Pred, flags Flag)
	// Context returns the value of a key of prolog_load_context/2, nil if it has none.
	Context(key string) term.Term
}

// Module is a name space of predicates. Lookups that fail go on in its parents.
type Module struct {
	Name string
	// Parents are the modules whose predicates are visible here without import.
	Parents []*Module
	// Library is true for modules of the engine's own library, whose predicates users may
	// redefine in their own modules.
	Library bool
	// Ops and Flags steer the reader for text of this module.
	Ops   *syntax.Ops
	Flags syntax.Flags
	// File is where the module was defined, or "".
	File string

	program *Program
	listed  atomic.Bool    // the program has it under its name
	preds   map[cell]*Pred // guarded by program.mu
	exports map[cell]bool  // guarded by program.mu
}

// New returns an empty program with the modules system and user.
func New() *Program {
	p := &Program{modules: map[string]*Module{}, active: map[*Tx]struct{}{}}
	words := make([]code.Instr, 2, 1024) // addresses 0 and 1 are special targets
	p.area.words.Store(&words)
	p.preds.Store(&[]*Pred{})
	p.gen.Store(1)
	system := p.addModule("system")
	system.Ops = syntax.StandardOps()
	user := p.addModule("user")
	user.Parents = []*Module{system}
	user.Ops = syntax.NewOps(system.Ops)
	p.user, p.system = user, system
	for _, mode := range []term.Atom{"?", "++", "--"} { // as mode/2 needs them
		user.Ops.Add(200, syntax.FY, mode)
	}
	system.Flags.Lenient, user.Flags.Lenient = true, true
	return p
}

// addModule adds a module without parents; the lock must be held or not be needed.
func (p *Program) addModule(name string) *Module {
	m := p.newModule(name)
	p.list(m)
	return m
}

// list adds a module, so that it is found by its name; the lock must be held or not be needed.
func (p *Program) list(m *Module) {
	p.modules[m.Name] = m
	p.order = append(p.order, m)
	m.listed.Store(true)
}

// newModule makes a module without adding it.
func (p *Program) newModule(name string) *Module {
	return &Module{Name: name, program: p, preds: map[cell]*Pred{}, exports: map[cell]bool{}}
}

// Code returns the code words. The slice is valid for all that is visible at this moment.
func (p *Program) Code() []code.Instr { return p.area.load() }

// AddCode stores a block of code and returns its address.
func (p *Program) AddCode(block []code.Instr) uint32 { return p.area.add(block) }

// Patch overwrites code words. Only the goroutine that loads an unpublished program may do so.
func (p *Program) Patch(at uint32, block []code.Instr) { p.area.patch(at, block) }

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

// Mentioned returns the module of this name. One that the program does not have is made, as a
// child of user, but not kept until it gets a predicate: a goal may mention any names.
func (p *Program) Mentioned(name string) *Module {
	if m := p.FindModule(name); m != nil {
		return m
	}
	m := p.newModule(name)
	m.Parents = []*Module{p.user}
	m.Ops = syntax.NewOps(p.user.Ops)
	m.Flags.Lenient = true
	return m
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
	return p.modules[name]
}

// Modules returns all modules in the order of their creation.
func (p *Program) Modules() []*Module {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return append([]*Module(nil), p.order...)
}

// Export marks a predicate as exported.
func (m *Module) Export(functor cell) {
	m.program.mu.Lock()
	defer m.program.mu.Unlock()
	m.exports[functor] = true
}

// Exports returns the exported functors, in an order that is always the same.
func (m *Module) Exports() []code.Cell {
	m.program.mu.RLock()
	defer m.program.mu.RUnlock()
	list := make([]cell, 0, len(m.exports))
	for f := range m.exports {
		list = append(list, f)
	}
	slices.Sort(list)
	return list
}

// Preds returns the predicates of the module itself, in the order of their creation.
func (m *Module) Preds() []*Pred {
	m.program.mu.RLock()
	list := slices.Collect(maps.Values(m.preds))
	m.program.mu.RUnlock()
	slices.SortFunc(list, func(a, b *Pred) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// IsExported reports whether the module exports a functor.
func (m *Module) IsExported(functor code.Cell) bool {
	m.program.mu.RLock()
	defer m.program.mu.RUnlock()
	return m.exports[functor]
}
