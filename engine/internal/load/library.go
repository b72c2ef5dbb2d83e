package load

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how the part of the system written in Prolog is loaded, and how calls are bound to their predicates
// before a program is queried. It also defines the requests of a running program to the loader, and the layouts of
// clauses.

// LoadSystem loads the predicates of module system that are written in Prolog. It panics if they have errors, as these
// are faults of mcplogic and not of its input.
func (p *Program) LoadSystem() {
	p.passed = map[string]bool{}
	p.loadSystemText("control", machine.ControlSource+machine.CleanupSource)
	for _, name := range lib.System() {
		text, _ := lib.Source(name)
		p.loadSystemText(name, text)
	}
	for _, pred := range p.db.System().Preds() {
		if pred.Defined() && (pred.Name()[0] == '$' || isCore(pred.Name(), pred.Arity())) {
			p.definer.Set(pred, database.Locked)
		}
		if machine.IsInternal(pred.Functor) {
			p.definer.Set(pred, database.Internal)
		}
		if p.passed[pred.Name()] {
			p.definer.Set(pred, database.Passed)
		}
	}
	p.passed = nil
	if err := p.diagnostics.Err(); err != nil {
		panic("engine: the library does not load: " + err.Error())
	}
}

// notePassed records the names of helper predicates that the head of a system clause and the goals of its body pass to
// other predicates.
func (p *Program) notePassed(clause term.Term) {
	parts, isRule := term.Is(clause, ":-", 2)
	if !isRule {
		parts = []term.Term{clause}
	}
	for _, part := range parts {
		for _, goal := range goalsOf(part) {
			if c, ok := goal.(*term.Compound); ok {
				for _, arg := range c.Args {
					p.notePassedIn(arg)
				}
			}
		}
	}
}

// notePassedIn records the names of helpers in an argument. The helpers may be called by these names.
func (p *Program) notePassedIn(t term.Term) {
	switch t := t.(type) {
	case term.Atom:
		if isHelperName(string(t)) {
			p.passed[string(t)] = true
		}
	case *term.Compound:
		p.notePassedIn(t.Functor)
		for _, arg := range t.Args {
			p.notePassedIn(arg)
		}
	}
}

// loadSystemText loads a text of the system into module system.
func (p *Program) loadSystemText(name, text string) {
	system := p.db.System()
	l := p.newLoader(name, system)
	l.library = true
	l.run(text)
}

// Autoload loads the library that exports a predicate and returns the predicate, or nil. The result is nil, without an
// error, if no library exports it. loading says that a goal of the loader calls this, so the program is already locked.
func (p *Program) Autoload(functor code.Cell, loading bool) (*database.Pred, error) {
	name, ok := lib.Autoload()[lib.Indicator{Name: code.AtomText(functor.FunctorAtom()), Arity: functor.FunctorArity()}]
	if !ok {
		return nil, nil
	}
	if !loading {
		p.mu.Lock()
		defer p.mu.Unlock()
		defer p.db.HoldSweeps()()
	}
	known := len(p.db.Preds())
	p.quiet = !loading
	module := p.LoadLibrary(name)
	if !loading {
		if err := p.linkFrom(known); err != nil {
			return nil, err
		}
	}
	pred := module.Lookup(functor)
	if !pred.Defined() && pred.Imported() != nil {
		pred = pred.Imported()
	}
	if !pred.Defined() {
		return nil, fmt.Errorf("library(%s) does not define what it exports", name)
	}
	return pred, p.link(pred)
}

// AddLibraryOps gives user the operators of a library that has been loaded. Some operators wait until a load requests
// the library by name, so that other runs read texts as before. They are those of a library that was loaded by a call
// of one of its predicates, or by an isolated goal.
func (p *Program) AddLibraryOps(ops []syntax.Op) {
	for _, op := range ops {
		if !p.quiet {
			p.db.User().Ops.Add(op.Priority, op.Type, op.Name)
		} else if !slices.Contains(p.waitingOps, op) {
			p.waitingOps = append(p.waitingOps, op)
		}
	}
}

// WaitingOps returns the waiting operators.
func (p *Program) WaitingOps() []syntax.Op {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.waitingOps)
}

// link brings the entry of a static predicate up to date.
func (p *Program) link(pred *database.Pred) error {
	if !p.isUnlinked(pred) {
		return nil
	}
	return p.compiler.Link(pred)
}

// linkFrom links all predicates after the first n, and earlier ones with new clauses. A library that is loaded at run
// time must be linked before other runs can call it, because code that a run may be executing must not change. All
// present predicates become permanent, because the loader refers to them.
func (p *Program) linkFrom(n int) error {
	var todo []*database.Pred
	for _, pred := range slices.Concat(p.unlinked, p.db.Preds()[n:]) {
		if pred.Defined() && p.isUnlinked(pred) {
			todo = append(todo, pred)
		}
	}
	p.unlinked = nil
	defer p.db.Settle()
	return p.compiler.Link(todo...)
}

// refresh recompiles the clauses that call a predicate which has since become a meta-predicate. It does nothing unless
// a meta_predicate specification has changed.
func (p *Program) refresh() {
	if !p.metaChanged {
		return
	}
	p.metaChanged = false
	changed, err := p.compiler.Refresh()
	for _, pred := range changed {
		p.Relink(pred)
	}
	if err != nil {
		p.Diagnose(source.Diagnostic{Severity: source.SeverityError, Code: "clause", Message: err.Error()})
	}
}

// isUnlinked reports whether the entry of a static predicate is out of date.
func (p *Program) isUnlinked(pred *database.Pred) bool {
	return !pred.Has(database.Linked|database.Dynamic) && pred.Builtin < 0
}

// mayHide reports whether assertions may create a predicate that hides the current target of calls: a dynamic predicate
// of a parent module, such as user. Such calls are resolved each time.
func mayHide(pred, target *database.Pred) bool {
	return pred.Imported() == nil && target.Has(database.Dynamic)
}

// Seal binds all calls to their predicates; after that the code does not change. It loads the libraries that export
// undefined predicates, and reports predicates that are still undefined. From then on other goroutines may run the
// program.
func (p *Program) Seal() {
	p.refresh()
	p.compiler.Settle()
	for i := 0; i < len(p.db.Preds()); i++ { // the list grows when a library is loaded
		pred := p.db.Preds()[i]
		if p.yielder.Step(); p.ended() {
			p.cutLinking(pred)
			return
		}
		if pred.Defined() {
			if err := p.link(pred); err != nil {
				p.Diagnose(source.Diagnostic{Position: pred.Position(), Severity: source.SeverityError,
					Code: "clause", Message: err.Error()})
			}
			continue
		}
		target := pred.Imported()
		if target == nil {
			target = pred.Module.Resolve(pred.Functor)
		}
		// No library exports the undefined predicates of the base; see baseCount.
		if target == nil && i >= p.baseCount {
			target, _ = p.Autoload(pred.Functor, true)
		}
		if target != nil && target != pred && !mayHide(pred, target) {
			// The entry of an import jumps to the entry of the imported predicate.
			w := code.Make(code.OpJump, 0, 0, 0, target.Entry)
			p.db.Patch(pred.Entry, []code.Instr{w, w, w})
		}
	}
	p.reportUndefined()
	p.sealed = true
	p.unlinked = nil
	p.db.Share(true)
}

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
// start from the file that is being loaded, and that load reports the mistakes. For any other goal the context bounds
// the load, and told receives its diagnostics. The error is a [*NotFound], a [*Refused], or says that the load was
// incomplete.
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

// standAt gives a loader that serves a goal of another loader the place of that loader. The other may be nil.
func (l *Loader) standAt(at *Loader) {
	if at != nil {
		l.name, l.read, l.lines, l.depth = at.name, at.read, at.lines, at.depth+1
	}
}

// whileRunning runs do, which loads texts, while goals of the program run. The program is locked meanwhile. The
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
	l.cutIfCancelled()
	p.runInitGoals()
	p.laws.Relate(legislator{p})
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

// failure returns the error of a load for the goal that requested it.
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
// of the loader calls this, so the program is already locked.
func (p *Program) DeclareMeta(by *database.Definer, pred *database.Pred, spec string, loading bool) error {
	if loading {
		p.setMeta(by, pred, spec)
		return nil
	}
	l := p.newLoader("", p.db.User())
	_, err := p.whileRunning(context.Background(), l, func() { p.setMeta(by, pred, spec) })
	return err
}

// DeclareTransparent makes a predicate transparent. loading is as for DeclareMeta. Its clauses are recompiled.
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

// Import does what import/1 does in a module, with the predicate that calls in the module of pred reach. told lists the
// mistakes of the import.
func (p *Program) Import(module *database.Module, pred *database.Pred, by database.Asker) (told []string, err error) {
	l := p.newLoader("", module)
	l.isolated = by.Kind == database.IsolatedGoal
	if by.Kind == database.LoaderGoal {
		l.standAt(p.loading)
	}
	do := func() {
		f := pred.Functor
		if reached := pred.Module.Resolve(f); reached != nil {
			pred = reached
		} else if found, _ := p.Autoload(f, true); found != nil {
			pred = found
		}
		if module.Resolve(f) == pred && (pred.Module != p.db.User() || module.Lookup(f).Imported() == pred) {
			return
		}
		if pred.Module.File != "" && !pred.Module.IsExported(f) {
			l.report(source.SeverityWarning, "import", notExported, pred.Module.Name, database.FunctorText(f))
		}
		if why := l.clash(pred, f, true); why != "" {
			l.refuseImport(pred, why)
			return
		}
		l.importPred(pred.Module, f, f, true)
	}
	if by.Kind == database.LoaderGoal {
		do()
		return nil, l.failure()
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
