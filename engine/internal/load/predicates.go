package load

import (
	"context"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what a running program may ask of the loader, and the layouts of clauses.

// IsScattered reports whether the options let a predicate have clauses in several places.
func (p *Program) IsScattered(pred *database.Pred) bool { return p.scattered[pred.Functor] }

// ScattersFunctor reports whether the predicates with a functor are scattered.
func (p *Program) ScattersFunctor(functor code.Cell) bool { return p.scattered[functor] }

// Layout returns the layout of a clause of a scattered predicate, or nil.
func (p *Program) Layout(c *database.Clause) *syntax.Layout { return p.layouts[c] }

// KeepLayout records the layout of a clause if its predicate is scattered.
func (p *Program) KeepLayout(c *database.Clause, layout *syntax.Layout) {
	if layout != nil && p.IsScattered(c.Pred) {
		p.layouts[c] = layout
	}
}

// Use does what use_module/1,2 with the given arguments does in a module. loading says that the loader runs the goal
// that asks; otherwise the context bounds the load. If loading reports errors, the error is their [Diagnostics].
func (p *Program) Use(ctx context.Context, module *database.Module, args []term.Term, loading bool) error {
	if !loading {
		p.mu.Lock()
		defer p.mu.Unlock()
		defer p.under(ctx)()
		defer func() { p.cutShort = false }() // a failed load at run time leaves the program complete
	}
	before, known := len(p.diagnostics), len(p.db.Preds())
	p.newLoader("", module).useModule(args)
	if errs := p.diagnostics[before:].Errors(); len(errs) > 0 {
		return errs
	}
	if loading {
		return nil
	}
	return p.linkFrom(known)
}
