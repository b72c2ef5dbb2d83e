package database

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// Definer is the right to change what a program is beside its clauses: flags and meta-predicate specifications of
// predicates, and what modules export, import and see. All runs see such a change at once and nothing takes it back.
// Whoever loads the program has a definer. A goal is given one by its transaction, unless others are isolated from it.
type Definer struct{ program *Program }

// Definer returns the definer for whoever loads the program. It panics when it is asked for once more.
func (p *Program) Definer() *Definer {
	if p.hasDefiner.Swap(true) {
		panic("database: the program has its definer already")
	}
	return &Definer{p}
}

// Definer returns a definer, or nil for a transaction that others are isolated from.
func (t *Tx) Definer() *Definer {
	if !t.direct && t.outer == nil {
		return nil
	}
	return &Definer{t.program}
}

// Set sets flags of a predicate.
func (*Definer) Set(p *Pred, f Flag) { p.set(f) }

// Clear clears flags of a predicate.
func (*Definer) Clear(p *Pred, f Flag) { p.clear(f) }

// SetMeta changes a meta_predicate specification. Runs that have begun may see the one of before for a while.
func (*Definer) SetMeta(p *Pred, meta string) { p.setMeta(meta) }

// MakeContext makes the predicate that [Pred.Context] returns, for a transparent one.
func (*Definer) MakeContext(p *Pred) *Pred {
	own := p.Module.Lookup(contextFunctor(p.Functor))
	own.set(InContext)
	return own
}

// SetParents replaces the modules in which lookups of m go on.
func (*Definer) SetParents(m *Module, list ...*Module) { m.setParents(list...) }

// Export adds a functor to what a module exports.
func (d *Definer) Export(m *Module, functor code.Cell) {
	d.program.mu.Lock()
	defer d.program.mu.Unlock()
	m.exports[functor] = true
}

// Unexport takes all predicates from what a module exports. Who has imported one goes on calling it.
func (d *Definer) Unexport(m *Module) {
	d.program.mu.Lock()
	defer d.program.mu.Unlock()
	clear(m.exports)
}

// ExportOp adds an operator to those that m exports. Priority 0 is that of an operator that importers lose.
func (d *Definer) ExportOp(m *Module, op syntax.Op) {
	d.program.mu.Lock()
	defer d.program.mu.Unlock()
	if !slices.Contains(m.ops, op) {
		m.ops = append(m.ops, op)
	}
}

// ImportAs makes calls of a functor in m go to another module's predicate.
func (*Definer) ImportAs(m *Module, functor code.Cell, target *Pred) {
	p := m.Lookup(functor)
	if p != target {
		p.resolved.Store(target)
	}
}

// Unimport forgets an import, because the module defines the predicate itself.
func (*Definer) Unimport(p *Pred) { p.resolved.Store(nil) }
