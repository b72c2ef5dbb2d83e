package database

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// Definer is the right to change the parts of a program other than clauses: flags and meta-predicate specifications of
// predicates, and the exports, imports and parents of modules. All runs see such a change at once and nothing undoes
// it. The loader of the program has a definer. A goal gets one from its transaction, unless it is isolated from others.
type Definer struct{ program *Program }

// Definer returns the definer for the loader of the program. A second call panics.
func (p *Program) Definer() *Definer {
	if p.hasDefiner.Swap(true) {
		panic("database: the program has its definer already")
	}
	return &Definer{p}
}

// Definer returns a definer, or nil for an isolated transaction.
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

// SetMeta changes a meta_predicate specification. Running goals may see the old specification for a while.
func (*Definer) SetMeta(p *Pred, meta string) { p.setMeta(meta) }

// MakeContext makes the predicate that [Pred.Context] returns, for a transparent one.
func (*Definer) MakeContext(p *Pred) *Pred {
	own := p.Module.Lookup(contextFunctor(p.Functor))
	own.set(InContext)
	return own
}

// SetParents replaces the modules in which failed lookups of m continue.
func (*Definer) SetParents(m *Module, list ...*Module) { m.setParents(list...) }

// Export adds a functor to the exports of a module.
func (d *Definer) Export(m *Module, functor code.Cell) {
	d.program.mu.Lock()
	defer d.program.mu.Unlock()
	m.exports[functor] = true
}

// Unexport removes all predicates from the exports of a module. Modules that have imported one keep the import.
func (d *Definer) Unexport(m *Module) {
	d.program.mu.Lock()
	defer d.program.mu.Unlock()
	clear(m.exports)
}

// ExportOp adds an operator to those that m exports. Priority 0 removes the operator in importers.
func (d *Definer) ExportOp(m *Module, op syntax.Op) {
	d.program.mu.Lock()
	defer d.program.mu.Unlock()
	if !slices.Contains(m.ops, op) {
		m.ops = append(m.ops, op)
	}
}

// ImportAs makes calls of a functor in m reach another module's predicate.
func (*Definer) ImportAs(m *Module, functor code.Cell, target *Pred) {
	p := m.Lookup(functor)
	if p != target {
		p.resolved.Store(target)
	}
}

// Unimport drops an import, because the module defines the predicate itself.
func (*Definer) Unimport(p *Pred) { p.resolved.Store(nil) }
