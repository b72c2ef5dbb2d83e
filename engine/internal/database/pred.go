package database

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// Flag is a property of a predicate.
type Flag uint32

// The properties. Defined is set by the first clause or by a declaration; Linked means that
// the entry of a static predicate reflects its clauses.
const (
	Dynamic Flag = 1 << iota
	Multifile
	Discontiguous
	ThreadLocal
	Defined
	Linked
	Tabled
	Locked  // a built-in that programs must not redefine
	Control // handled by the machine itself
	Transparent
	SSU          // has a clause with =>
	ModeDirected // tabled, keeping the best answers only
	Incremental  // tabled, with tables that changes of the database make void
	Tentative    // made dynamic by transactions none of which has been committed
	Internal     // of module system: only that and libraries may call it
	Persistent   // dynamic, with facts that a journal keeps
	Det          // an error unless it has one answer and leaves no choice point
	Mentioned    // the code of a clause calls it
	Private      // tabled, with tables that runs do not share
	InContext    // has the clauses of a transparent predicate, see [Pred.Context]
	Passed       // of module system, whose clauses pass its name to others, which call it
	Ruled        // has or had clauses that are not facts
	Public       // declared by public/1, which only those who ask for properties see
	Listed       // imported by its name, so that the importing module must not define it
	Weak         // imported first with all that a module exports: a definition replaces the import
)

// EntryWords is the size of a predicate's entry in the code area.
const EntryWords = 3

// Pred is a predicate, or the promise of one that is called and not defined.
type Pred struct {
	Module  *Module
	Functor code.Cell
	ID      uint32
	// Entry is the address that calls go to. The words there jump to the clauses.
	Entry uint32
	// Builtin is the number of the Go predicate in the machine's table, or -1.
	Builtin int
	// File and Line are where the first clause stands, or "" and 0.
	File string
	Line int

	templates *FactTemplates // see SetFacts
	meta      atomic.Pointer[string]
	flags     atomic.Uint32
	resolved  atomic.Pointer[Pred] // for undefined ones: where calls are to go
	exporter  atomic.Pointer[Pred] // for undefined ones: see NoteExporter
	changed   atomic.Uint64        // generation of the last change
	loads     atomic.Uint32        // changes by loading, which have no generation
	mark      atomic.Uint32        // of a sweep

	mu     sync.Mutex // guards what follows, for writers of clauses
	all    set
	facts  *facts
	rules  int     // clauses Head => Body, but for those that were taken back
	claims int     // transactions that have made it dynamic, while it is tentative
	chains []chain // code blocks of a linked static predicate
}

type chain struct {
	at   uint32
	size int
}

// Position returns where the first clause stands. The column is not known.
func (p *Pred) Position() syntax.Position { return syntax.At(p.File, p.Line, 0) }

// Name returns the name of the predicate.
func (p *Pred) Name() string { return code.AtomText(p.Functor.FunctorAtom()) }

// LambdaPrefix begins the names of the predicates that lambdas have become.
const LambdaPrefix = "$lambda "

// IsLambda reports whether the predicate is one that a lambda has become.
func (p *Pred) IsLambda() bool { return strings.HasPrefix(p.Name(), LambdaPrefix) }

// Indicator returns the predicate as name/arity, with its module unless that is user or system, or says that it is a
// lambda.
func (p *Pred) Indicator() string {
	if p.IsLambda() {
		return "a lambda"
	}
	text := FunctorText(p.Shown())
	if p.Module.Name != "user" && p.Module.Name != "system" {
		text = p.Module.Name + ":" + text
	}
	return text
}

// FunctorText shows a functor as name/arity.
func FunctorText(functor code.Cell) string {
	return fmt.Sprintf("%s/%d", syntax.FormatTerm(term.Atom(code.AtomText(functor.FunctorAtom()))), functor.FunctorArity())
}

// Arity returns the number of arguments.
func (p *Pred) Arity() int { return p.Functor.FunctorArity() }

// Has reports whether any of the flags is set.
func (p *Pred) Has(f Flag) bool { return Flag(p.flags.Load())&f != 0 }

// Meta returns the meta_predicate specification, one character an argument, or "".
func (p *Pred) Meta() string {
	if meta := p.meta.Load(); meta != nil {
		return *meta
	}
	return ""
}

func (p *Pred) setMeta(meta string) {
	if meta != p.Meta() {
		p.meta.Store(&meta)
	}
}

func (p *Pred) set(f Flag)   { p.flags.Or(uint32(f)) }
func (p *Pred) clear(f Flag) { p.flags.And(^uint32(f)) }

// SetLinked notes whether the entry of a static predicate reflects its clauses.
func (p *Pred) SetLinked(linked bool) {
	if linked {
		p.set(Linked)
	} else {
		p.clear(Linked)
	}
}

// NoteMention notes that the code of a clause calls the predicate.
func (p *Pred) NoteMention() { p.set(Mentioned) }

// MetaOf returns the meta_predicate specification of a predicate as the module knows it, or "". The predicate may come
// from a library that is not loaded yet.
func (m *Module) MetaOf(name string, arity int) string {
	f := code.Functor(name, arity)
	if p := cmp.Or(m.Resolve(f), m.Announced(f)); p != nil {
		return p.Meta()
	}
	if m.program.LibraryMeta == nil {
		return ""
	}
	return m.program.LibraryMeta(name, arity)
}

// DependsOnModule reports whether an argument with this mark in a meta_predicate specification depends on the module of
// the caller.
func DependsOnModule(mark byte) bool {
	return mark >= '0' && mark <= '9' || mark == ':' || mark == '^' || mark == '/'
}

// Qualifies reports whether calls give arguments their module. They do so for predicates of the program that have a
// meta_predicate declaration. Predicates of system and libraries take a term without a module for one of user.
func (p *Pred) Qualifies() bool {
	meta := p.Meta()
	if meta == "" || p.Module.Library || p.Module == p.Module.program.system {
		return false
	}
	for i := range len(meta) {
		if DependsOnModule(meta[i]) {
			return true
		}
	}
	return false
}

// contextSuffix ends the names of predicates that have the clauses of transparent ones.
const contextSuffix = " in"

// Context returns the predicate that has the clauses of a transparent one. Its first argument is the module of the
// caller, the others are the arguments of p. It is nil if p is not transparent, or is called with tables, or may
// change.
func (p *Pred) Context() *Pred {
	if !p.Has(Transparent) || p.Has(Dynamic|Tabled|Control) || p.Builtin >= 0 {
		return nil
	}
	return p.Module.Find(contextFunctor(p.Functor))
}

func contextFunctor(f cell) cell {
	return code.Functor(code.AtomText(f.FunctorAtom())+contextSuffix, f.FunctorArity()+1)
}

// BehindTable ends the names of the predicates that hold the clauses of tabled ones.
const BehindTable = " tabled"

// TableFunctor returns the functor of the predicate that holds the clauses of p if p is tabled.
func (p *Pred) TableFunctor() code.Cell { return code.Functor(p.Name()+BehindTable, p.Arity()) }

// Behind returns the predicate that has the clauses of p: p itself unless it is tabled.
func (p *Pred) Behind() *Pred {
	if !p.Has(Tabled) {
		return p
	}
	return p.Module.Lookup(p.TableFunctor())
}

// Shown returns the functor of a predicate as people know it. If p has the clauses of a tabled or transparent
// predicate, it is the functor of that one.
func (p *Pred) Shown() code.Cell {
	if name, behind := strings.CutSuffix(p.Name(), BehindTable); behind {
		return code.Functor(name, p.Arity())
	}
	if !p.Has(InContext) {
		return p.Functor
	}
	return code.Functor(strings.TrimSuffix(p.Name(), contextSuffix), p.Arity()-1)
}

// Defined reports whether the predicate has clauses, a declaration or a Go definition.
func (p *Pred) Defined() bool { return p.Builtin >= 0 || p.Has(Defined|Dynamic|Control) }

// IsStatic reports whether the predicate is defined and not dynamic. It looks once: other transactions make predicates
// dynamic, and take that back, at any time.
func (p *Pred) IsStatic() bool {
	f := Flag(p.flags.Load())
	return f&Dynamic == 0 && (p.Builtin >= 0 || f&(Defined|Control) != 0)
}

// Clauses returns all clauses that some machine may see. The slice must not be changed.
func (p *Pred) Clauses() []*Clause { return p.all.list() }

// insert adds a clause to its predicate, in front or at the end.
func (p *Pred) insert(c *Clause, front bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !c.IsFact() || c.SSU {
		p.set(Ruled)
	}
	if c.SSU {
		p.set(SSU)
		p.rules++
	}
	p.all.add(c, front)
}

// takeBack drops a clause that a transaction has added and then taken back. No generation has seen the clause.
func (p *Pred) takeBack(c *Clause) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.SSU {
		if p.rules--; p.rules == 0 {
			p.clear(SSU)
		}
	}
	p.all.noteDead(c, corpses{})
}

// noteDead counts a clause that is dead for everyone and drops those that are gone when they are many.
func (p *Pred) noteDead(c *Clause, d corpses) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all.noteDead(c, d)
}

// Lookup returns the predicate of m itself, creating an undefined one if there is none.
func (m *Module) Lookup(functor code.Cell) *Pred {
	if p := m.Find(functor); p != nil {
		return p
	}
	prog := m.program
	prog.mu.Lock()
	defer prog.mu.Unlock()
	m = m.registered()
	if prog.modules[m.Name] == nil {
		prog.list(m)
	}
	if p := m.preds.get(functor); p != nil && p.keep() {
		return p
	}
	return prog.addPred(m, functor)
}

// addPred creates an undefined predicate; the lock must be held.
func (p *Program) addPred(m *Module, functor cell) *Pred {
	p.keepName(functor)
	list := *p.preds.Load()
	pred := &Pred{Module: m, Functor: functor, ID: uint32(len(list)), Builtin: -1}
	undefined := code.Make(code.OpUndefined, functor.FunctorArity(), 0, 0, pred.ID)
	pred.Entry = p.area.add([]code.Instr{undefined, undefined, undefined})
	list = append(list, pred)
	p.preds.Store(&list)
	m.preds.put(pred)
	return pred
}

// keepName makes the name of a new predicate outlive the goal that mentions it: as long as the predicate if that may be
// removed, or else for good. The lock must be held.
func (p *Program) keepName(functor cell) {
	if p.sweeping.began {
		code.HoldAtom(functor.FunctorAtom())
		return
	}
	code.PinAtom(functor.FunctorAtom())
}

// LookupAll makes the missing ones of some predicates of m, in order, as Lookup would.
func (m *Module) LookupAll(functors []code.Cell) {
	prog := m.program
	prog.mu.Lock()
	defer prog.mu.Unlock()
	if !m.listed.Load() {
		return // the first Lookup makes the program keep it
	}
	functors = slices.DeleteFunc(slices.Clone(functors), func(f cell) bool { return m.preds.get(f) != nil })
	if len(functors) == 0 {
		return
	}
	list := slices.Grow(*prog.preds.Load(), len(functors))
	block, words := make([]Pred, len(functors)), make([]code.Instr, 0, EntryWords*len(functors))
	for i, f := range functors {
		prog.keepName(f)
		pred := &block[i]
		pred.Module, pred.Functor, pred.ID, pred.Builtin = m, f, uint32(len(list)), -1
		undefined := code.Make(code.OpUndefined, f.FunctorArity(), 0, 0, pred.ID)
		words = append(words, undefined, undefined, undefined)
		list = append(list, pred)
	}
	at := prog.area.addNew(words)
	for i := range block {
		block[i].Entry = at + uint32(EntryWords*i)
		m.preds.put(&block[i])
	}
	prog.preds.Store(&list)
}

// Announced returns the predicate that m or its nearest ancestor has declared. It may have no clauses yet, because the
// clauses of a module may come after the tests in it. It is nil if there is none.
func (m *Module) Announced(functor code.Cell) *Pred {
	if p := m.Find(functor); p != nil && (p.Meta() != "" || p.Has(Transparent)) {
		return p
	}
	for _, parent := range m.Parents() {
		if p := parent.Announced(functor); p != nil {
			return p
		}
	}
	return nil
}

// FindHook returns the predicate of m itself if it may have clauses, or nil. Hooks exist without any.
func (m *Module) FindHook(functor code.Cell) *Pred {
	if p := m.Find(functor); p != nil && len(p.Clauses()) > 0 {
		return p
	}
	return nil
}

// Find returns the predicate of m itself, defined or not, or nil.
func (m *Module) Find(functor code.Cell) *Pred {
	if !m.listed.Load() {
		m.program.mu.RLock()
		m = m.registered()
		m.program.mu.RUnlock()
	}
	p := m.preds.get(functor)
	if p == nil || p.keep() {
		return p
	}
	m.program.mu.RLock() // by then the sweep that removes p has ended
	defer m.program.mu.RUnlock()
	if p = m.preds.get(functor); p != nil {
		p.keep()
	}
	return p
}

// ByName returns the predicate that an undefined one stands for by an import of its name, or nil.
func (p *Pred) ByName() *Pred {
	if !p.Has(Listed) || p.Defined() {
		return nil
	}
	return p.Imported()
}

// Imported returns the predicate that an undefined one stands for by import, or nil.
func (p *Pred) Imported() *Pred { return p.resolved.Load() }

// NoteExporter remembers the predicate of a library that calls of p reach while nothing else defines it.
func (p *Pred) NoteExporter(t *Pred) { p.exporter.Store(t) }

// Exporter returns what NoteExporter has noted, or nil.
func (p *Pred) Exporter() *Pred { return p.exporter.Load() }

// Resolve returns the defined predicate that a call of functor in m reaches: the module's own,
// an imported one, or one of its parents; nil when there is none. Libraries are not loaded. To others than
// system and libraries an internal predicate does not exist.
func (m *Module) Resolve(functor code.Cell) *Pred {
	p := m.resolve(functor)
	if p != nil && p.Has(Internal) && p.Module != m && !m.Library {
		return nil
	}
	return p
}

func (m *Module) resolve(functor code.Cell) *Pred {
	if p := m.Find(functor); p != nil {
		if p.Defined() {
			return p
		}
		if t := p.resolved.Load(); t != nil {
			return t
		}
	}
	for _, parent := range m.Parents() {
		if p := parent.resolve(functor); p != nil {
			return p
		}
	}
	return nil
}

// predTable holds the predicates of a module by their functors. Any goroutine may read it, also while one, which holds
// the program's lock, changes it. The zero table is empty.
//
// It probes linearly. A slot never becomes free again, so that a reader finds what was there when it began.
type predTable struct {
	slots atomic.Pointer[[]atomic.Pointer[Pred]] // as many as a power of 2, at least a quarter of them free
	used  int                                    // slots that are not free
	count int
}

// gone stands in the slots of predicates that were removed. No functor is 0.
var gone = &Pred{}

// firstSlot is where the search for a functor begins, in a table of a size.
func firstSlot(functor cell, size int) int {
	return int((uint64(functor) * 0x9e3779b97f4a7c15 >> 32) & uint64(size-1))
}

// get returns the predicate of a functor, or nil.
func (t *predTable) get(functor cell) *Pred {
	list := t.slots.Load()
	if list == nil {
		return nil
	}
	slots := *list
	for i := firstSlot(functor, len(slots)); ; i = (i + 1) & (len(slots) - 1) {
		p := slots[i].Load()
		if p == nil || p.Functor == functor {
			return p
		}
	}
}

// put adds a predicate, of whose functor there is none.
func (t *predTable) put(p *Pred) {
	if list := t.slots.Load(); list == nil || 4*(t.used+1) > 3*len(*list) {
		t.grow(t.count + 1)
	}
	slots := *t.slots.Load()
	i := firstSlot(p.Functor, len(slots))
	for slots[i].Load() != nil {
		i = (i + 1) & (len(slots) - 1)
	}
	slots[i].Store(p)
	t.used++
	t.count++
}

// remove removes the predicate of a functor, if there is one.
func (t *predTable) remove(functor cell) {
	if t.get(functor) == nil {
		return
	}
	slots := *t.slots.Load()
	i := firstSlot(functor, len(slots))
	for slots[i].Load().Functor != functor {
		i = (i + 1) & (len(slots) - 1)
	}
	slots[i].Store(gone)
	t.count--
}

// grow makes room for n predicates and as many more.
func (t *predTable) grow(n int) {
	size := 4
	for size < 2*n {
		size *= 2
	}
	next := predTable{}
	slots := make([]atomic.Pointer[Pred], size)
	next.slots.Store(&slots)
	for p := range t.all() {
		next.put(p)
	}
	t.slots.Store(&slots)
	t.used, t.count = next.used, next.count
}

// all yields the predicates in any order.
func (t *predTable) all() iter.Seq[*Pred] {
	return func(yield func(*Pred) bool) {
		list := t.slots.Load()
		if list == nil {
			return
		}
		for i := range *list {
			if p := (*list)[i].Load(); p != nil && p != gone && !yield(p) {
				return
			}
		}
	}
}

// This part defines how one finds out that a predicate is as it was.

// Mark is a moment in the life of a predicate.
type Mark struct {
	view    View
	loads   uint32
	touched bool // a transaction had changes that only it sees
}

// MarkOf returns a moment of a predicate, that of a view. It is to be taken before the clauses are looked at.
func (t *Tx) MarkOf(p *Pred, v View) Mark { return Mark{v, p.loads.Load(), t.touches(p)} }

// Touched reports whether a transaction had changes that only it sees.
func (m Mark) Touched() bool { return m.touched }

// Outdated reports whether a predicate has changed since for those who begin now.
func (m Mark) Outdated(p *Pred) bool {
	return m.touched || p.loads.Load() != m.loads || p.changed.Load() > m.view.Gen
}

// touches reports whether the transaction has changes of a predicate that have not been committed, or whether there are
// too many changes to say.
func (t *Tx) touches(p *Pred) bool {
	const many = 64
	if len(t.added)+len(t.erased) > many {
		return true
	}
	for _, list := range [][]*Clause{t.added, t.erased} {
		for _, c := range list {
			if c.Pred == p {
				return true
			}
		}
	}
	return false
}

// Unchanged reports whether a predicate is known to be as it was at a moment, of this transaction or another one.
func (t *Tx) Unchanged(p *Pred, m Mark) bool {
	now := t.Now()
	return !m.touched && p.loads.Load() == m.loads && p.changed.Load() <= min(m.view.Gen, now.Gen) && !t.touches(p)
}
