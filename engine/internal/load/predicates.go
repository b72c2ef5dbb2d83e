package load

import (
	"context"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what a running program may ask of the loader, and where clauses stand.

// IsScattered reports whether the options let a predicate have clauses everywhere.
func (p *Program) IsScattered(pred *database.Pred) bool { return p.scattered[pred.Functor] }

// ScattersFunctor is IsScattered for the predicates with a functor.
func (p *Program) ScattersFunctor(functor code.Cell) bool { return p.scattered[functor] }

// Layout returns where the parts of a clause of a scattered predicate stand, or nil.
func (p *Program) Layout(c *database.Clause) *syntax.Layout { return p.layouts[c] }

// KeepLayout keeps where the parts of a clause stand if the options want it.
func (p *Program) KeepLayout(c *database.Clause, layout *syntax.Layout) {
	if layout != nil && p.IsScattered(c.Pred) {
		p.layouts[c] = layout
	}
}

// Use does what use_module/1,2 does in a module; args are the arguments. loading says that the goal
// that asks is run by the loader; otherwise the context ends the load. The error is a list of [Diagnostics] if
// loading has reported errors.
func (p *Program) Use(ctx context.Context, module *database.Module, args []term.Term, loading bool) error {
	if !loading {
		p.mu.Lock()
		defer p.mu.Unlock()
		defer p.under(ctx)()
		defer func() { p.cutShort = false }() // the program itself is complete
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
