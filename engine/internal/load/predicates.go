package load

import (
	"cmp"
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

// Use does in a module what use_module/1,2 does with the given arguments. For a goal of the loader, relative paths
// start from the file that is being loaded, and that load reports what is wrong. For any other goal the context
// bounds the load, and told has its diagnostics. The error is a [*NotFound], a [*Refused], or says that the load did
// not come to its end.
func (p *Program) Use(
	ctx context.Context, module *database.Module, args []term.Term, by database.Asker,
) (told []string, err error) {
	l := p.newLoader("", module)
	l.isolated, l.restricted = by.Kind == database.IsolatedGoal, by.Restricted
	if by.Kind == database.LoaderGoal {
		l.forGoal, l.nested = true, true
		l.standAt(p.loading)
		l.useModule(args)
		return nil, l.failure()
	}
	return p.whileRunning(ctx, l, func() { l.useModule(args) })
}

// standAt makes a loader one of a goal of another, whose place it has. The other may be nil.
func (l *Loader) standAt(at *Loader) {
	if at != nil {
		l.name, l.read, l.lines, l.depth = at.name, at.read, at.lines, at.depth+1
	}
}

// whileRunning loads texts by a loader while goals of the program run. do runs while the program is locked. The
// diagnostics are returned as texts and not kept, because they do not belong to the program.
func (p *Program) whileRunning(ctx context.Context, l *Loader, do func()) (told []string, err error) {
	l.forGoal, l.nested = true, true
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.under(ctx)()
	defer p.db.HoldSweeps()()
	before, known := len(p.diagnostics), len(p.db.Preds())
	if p.quiet = l.isolated; !p.quiet {
		p.AddLibraryOps(p.waitingOps)
		p.waitingOps = nil
	}
	do()
	p.runInitGoals()
	p.refresh()
	p.compiler.Settle()
	found := p.diagnostics[before:].Sorted()
	p.diagnostics, p.bodies = p.diagnostics[:before], nil
	if p.cutShort { // a failed load at run time leaves the program complete
		p.cutShort = false
		return nil, found.Err()
	}
	for _, d := range found {
		told = append(told, d.String())
	}
	err = p.linkFrom(known) // libraries may have been loaded before it failed
	return told, cmp.Or(l.failure(), err)
}

// failure is what a goal that loads is told.
func (l *Loader) failure() error {
	if l.notFound != nil {
		return l.notFound
	}
	if l.noHeader != nil {
		return l.noHeader
	}
	if l.refused != nil {
		return l.refused
	}
	return nil
}

// DeclareMeta gives a predicate its meta_predicate specification, one character an argument. loading says that a goal
// of the loader asks, for which the program is locked already.
func (p *Program) DeclareMeta(by *database.Definer, pred *database.Pred, spec string, loading bool) error {
	if loading {
		p.setMeta(by, pred, spec)
		return nil
	}
	l := p.newLoader("", p.db.User())
	_, err := p.whileRunning(context.Background(), l, func() { p.setMeta(by, pred, spec) })
	return err
}

// DeclareTransparent makes a predicate transparent. loading is as for DeclareMeta. The clauses that it has are
// compiled again.
func (p *Program) DeclareTransparent(by *database.Definer, pred *database.Pred, loading bool) error {
	l := p.newLoader(pred.File, p.db.User())
	l.reader = plainReader{l}
	if loading {
		l.transparent(by, pred)
		return nil
	}
	_, err := p.whileRunning(context.Background(), l, func() { l.transparent(by, pred) })
	return err
}

// Import does what import/1 does in a module. told is what is wrong with the import.
func (p *Program) Import(module *database.Module, pred *database.Pred, by database.Asker) (told []string, err error) {
	l := p.newLoader("", module)
	l.isolated = by.Kind == database.IsolatedGoal
	if by.Kind == database.LoaderGoal {
		l.standAt(p.loading)
	}
	do := func() {
		if module.Resolve(pred.Functor) == pred {
			return
		}
		if pred.Module.File != "" && !pred.Module.IsExported(pred.Functor) {
			l.report(SeverityWarning, "import", notExported, pred.Module.Name, functorText(pred.Functor))
		}
		l.importPred(pred.Module, pred.Functor, pred.Functor, true)
	}
	if by.Kind == database.LoaderGoal {
		do()
		return nil, nil
	}
	return p.whileRunning(context.Background(), l, do)
}

// SourceExists reports whether a specification names a file or library that can be loaded. It loads nothing, but it
// runs user:file_search_path/2.
func (p *Program) SourceExists(spec term.Term) bool {
	l := p.newLoader("", p.db.User())
	if at := p.loading; at != nil {
		l.name, l.read = at.name, at.read
	}
	return l.sourceExists(spec)
}
