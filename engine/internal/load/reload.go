package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines how files are loaded again while goals of the program run: consult/1 of a file that is loaded, and
// make/0. Only lenient programs load files again. The previous definitions of the file are removed. Goals that are
// running in them finish with the old clauses.

// textSeed is the seed of the hashes of texts. A hash is stored in place of a text, to detect changes of a file.
var textSeed = maphash.MakeSeed()

// noteText stores the hash of the text of a file.
func (p *Program) noteText(key, text string) {
	if p.texts == nil {
		p.texts = map[string]uint64{}
	}
	p.texts[key] = maphash.String(textSeed, text)
}

// notePart records that a file includes another.
func (p *Program) notePart(file, part string) {
	if p.parts == nil {
		p.parts = map[string][]string{}
	}
	if !slices.Contains(p.parts[file], part) {
		p.parts[file] = append(p.parts[file], part)
	}
}

// reloads reports whether a file that is loaded is loaded again. A file that is being loaded is not, because files that
// load each other would not terminate.
func (l *Loader) reloads(key string) bool {
	return l.again && l.p.opts.Lenient && l.p.sealed && !l.p.open[key]
}

// LoadFiles loads files for a goal consult/1 or load_files/2. The error is as for Use, or a [*NoHeader]. told has the
// diagnostics as texts, to be printed. It is empty for a goal of the loader, whose load reports the diagnostics.
func (p *Program) LoadFiles(
	ctx context.Context, module *database.Module, spec term.Term, o database.LoadOptions, by database.Asker,
) (told []string, err error) {
	l := p.newLoader("", module)
	l.moduleName = o.Module
	l.needsHeader, l.isolated = o.MustBeModule, by.Kind == database.IsolatedGoal
	l.restricted = by.Restricted
	l.again = o.Again && p.opts.Lenient
	if by.Kind == database.LoaderGoal {
		l.forGoal, l.nested = true, true
		l.standAt(p.loading)
		l.loadFiles(spec, o)
		return nil, l.failure()
	}
	return p.whileRunning(ctx, l, func() { l.loadFiles(spec, o) })
}

// loadFiles loads a file, or the files of a list, and imports from them. The first file that fails stops it; the files
// before stay loaded.
func (l *Loader) loadFiles(spec term.Term, o database.LoadOptions) {
	specs, isList := term.Slice(spec)
	if !isList {
		specs = []term.Term{spec}
	}
	for _, spec := range specs {
		l.spec = spec
		var module *database.Module
		if o.Text != nil {
			module = l.loadAs(spec, *o.Text)
		} else {
			module = l.loadSpec(spec)
		}
		if l.notFound != nil && o.IfExists {
			l.notFound = nil
			continue
		}
		if l.failure() != nil {
			return
		}
		if module == nil || module == l.module {
			continue
		}
		for _, f := range l.importFrom(module, o.Imports) {
			if o.Reexport && !l.isolated {
				l.p.definer.Export(l.module, f)
			}
		}
	}
}

// loadAs loads a text under the name of a file.
func (l *Loader) loadAs(spec term.Term, text string) *database.Module {
	name, ok := fileName(spec)
	if !ok {
		l.missing(source.SeverityError, "file", "%s is not a file name", syntax.ShowTerm(spec))
		return nil
	}
	key := l.p.canonical(name)
	if known, ok := l.p.loaded[key]; ok && !l.reloads(key) {
		return known
	}
	return l.loadText(name, text)
}

// NoHeader is the error for a file that must be a module but has no module header.
type NoHeader struct{ First term.Term }

func (n *NoHeader) Error() string { return "the file begins with no module header" }

// Unload removes the definitions of a loaded file. It does nothing for a file that is not loaded. loading says that a
// goal of the loader calls this, so the program is already locked.
func (p *Program) Unload(ctx context.Context, name string, loading bool) (told []string, err error) {
	l := p.newLoader("", p.db.User())
	if loading {
		l.standAt(p.loading)
		l.unloadFile(name)
		return nil, nil
	}
	return p.whileRunning(ctx, l, func() { l.unloadFile(name) })
}

// unloadFile unloads a file, given by its name at the load, with or without the suffix.
func (l *Loader) unloadFile(name string) {
	p := l.p
	for _, at := range []string{name, l.resolveFile(name)} {
		for _, suffix := range suffixes {
			key := p.canonical(at + suffix)
			i := slices.IndexFunc(p.Sources(), func(s database.SourceFile) bool { return p.canonical(s.Name) == key })
			if i < 0 || p.open[key] {
				continue
			}
			p.unload(p.Sources()[i].Name)
			list := slices.Delete(slices.Clone(p.Sources()), i, i+1)
			p.sources.Store(&list)
			delete(p.loaded, key)
			delete(p.texts, key)
			return
		}
	}
}

// Make reloads the files whose text has changed. Programs that are not lenient, or may read no files, load nothing.
func (p *Program) Make(ctx context.Context) ([]string, error) {
	if !p.opts.Lenient || p.opts.Files == nil {
		return nil, nil
	}
	l := p.newLoader("", p.db.User())
	l.again = true
	return p.whileRunning(ctx, l, func() {
		for _, s := range p.Sources() {
			key := p.canonical(s.Name)
			before, known := p.texts[key]
			text, err := l.readWhole(s.Name)
			if !known || err != nil || maphash.String(textSeed, text) == before || p.ended() {
				continue
			}
			l.module = p.db.Module(s.Module)
			l.loadText(s.Name, text)
		}
	})
}

// unload removes the definitions of a file. Predicates without other clauses become unknown, unless they are dynamic.
// Their entries change before their clauses are removed, so that no call enters the clauses any more.
func (p *Program) unload(name string) {
	files := append(slices.Clone(p.parts[name]), name)
	delete(p.parts, name)
	ofFile := func(c *database.Clause) bool { return !c.Erased() && slices.Contains(files, c.File) }
	var preds []*database.Pred
	for _, pred := range p.db.Preds() {
		if p.yielder.Step(); slices.Contains(files, pred.File) || slices.ContainsFunc(pred.Clauses(), ofFile) {
			preds = append(preds, pred)
		}
		p.definer.Clear(pred, database.Listed|database.Weak) // a file that stays loaded defines no more
	}
	_ = p.db.PatchTogether(func() error {
		for _, pred := range preds {
			p.Relink(pred)
		}
		return nil
	})
	for _, pred := range preds {
		for _, c := range slices.Clone(pred.Clauses()) {
			if ofFile(c) {
				p.db.EraseNow(c)
			}
		}
		if slices.Contains(files, pred.File) {
			pred.File, pred.Line = "", 0
			p.definer.Clear(pred, database.Tabled|database.Incremental|database.Discontiguous|database.Transparent|
				database.Det|database.Public)
			p.setMeta(p.definer, pred, "")
		}
		if !pred.Has(database.Dynamic|database.Multifile) && !hasClauses(pred) {
			p.definer.Clear(pred, database.Defined|database.SSU)
		}
	}
	p.laws.Forget(files)
	p.declarations = slices.DeleteFunc(p.declarations, func(d source.Declaration) bool {
		return slices.Contains(files,
			d.File)
	})
}

// importers returns the modules that import all that a module exports. A module that lacks one of the exports does not
// count.
func (p *Program) importers(module *database.Module) []*database.Module {
	counts := map[*database.Module]int{}
	for _, pred := range p.db.Preds() {
		if t := pred.Imported(); t != nil && t.Module == module && module.IsExported(t.Functor) {
			counts[pred.Module]++
		}
	}
	all := len(module.Exports())
	var list []*database.Module
	for m, n := range counts {
		if n == all {
			list = append(list, m)
		}
	}
	slices.SortFunc(list, func(a, b *database.Module) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// importAgain imports the exports of a reloaded module.
func (l *Loader) importAgain(module *database.Module, importers []*database.Module) {
	for _, m := range importers {
		part := l.p.newLoader(l.name, m)
		part.importFrom(module, nil)
	}
}

// hasClauses reports whether a predicate has a clause that has not been erased.
func hasClauses(pred *database.Pred) bool {
	return slices.ContainsFunc(pred.Clauses(), func(c *database.Clause) bool { return !c.Erased() })
}

// This part defines how a load ends early: by its context, or by a goal that exceeds a limit. Later goals would exceed
// the limit too, and each would take as long. It also defines prolog_load_context/2.

// errCutShort is the error of a goal that does not run because the load has ended.
var errCutShort = errors.New("the load has ended")

// Complete reports whether all loads so far reached the end of their texts. An incomplete program lacks clauses and
// is not ready for queries.
func (p *Program) Complete() bool { return !p.cutShort }

// under makes loading stop when a context is done. The function that it returns restores the outer context.
func (p *Program) under(ctx context.Context) (done func()) {
	outer := p.loadContext
	p.loadContext = ctx
	return func() { p.loadContext = outer }
}

// goalContext is the context of goals that loading runs.
func (p *Program) goalContext() context.Context {
	if p.loadContext == nil { // a library is loaded at run time
		return context.Background()
	}
	return p.loadContext
}

// ended reports whether loading has stopped or must stop.
func (p *Program) ended() bool {
	return p.cutShort || p.loadContext != nil && p.loadContext.Err() != nil
}

// cut ends the load with an error at the current clause. Only the first reason is reported.
func (l *Loader) cut(code, format string, args ...any) {
	if !l.p.cutShort {
		l.report(source.SeverityError, code, format, args...)
	}
	l.p.cutShort, l.stopped = true, true
}

// cutIfCancelled ends the load if its context is done.
func (l *Loader) cutIfCancelled() {
	if ctx := l.p.goalContext(); ctx.Err() != nil {
		l.cut("stopped", "loading was stopped here: %s", context.Cause(ctx))
	}
}

// cutLinking ends a load whose context was done while predicates were linked.
func (p *Program) cutLinking(pred *database.Pred) {
	if !p.cutShort {
		p.Diagnose(source.Diagnostic{Position: pred.Position(), Severity: source.SeverityError, Code: "stopped",
			Message: fmt.Sprintf("loading was stopped: %s", context.Cause(p.goalContext()))})
	}
	p.cutShort = true
}

// cutBy ends the load if the error of a goal says that a limit was exceeded. what describes the goal in the report. If
// cutBy returns true, the load has ended and the caller reports nothing more.
func (l *Loader) cutBy(what string, err error) bool {
	if l.cutIfCancelled(); l.p.cutShort {
		return true
	}
	var thrown *Thrown
	if !errors.As(err, &thrown) {
		return false
	}
	limit, ok := l.p.goalLimits()[thrown.Limit]
	if ok {
		l.cut("limit", "%s took more than %s, the limit of goals that loading runs", what, limit)
	}
	return ok
}

// goalLimits returns the limits of goals that loading runs, in words, by resource. It has no unlimited resource.
func (p *Program) goalLimits() map[string]string {
	limits := map[string]string{"memory": spell.Bytes(cmp.Or(p.opts.Limits.Memory, stacks.DefaultMemory)) + " of memory"}
	if p.opts.Limits.Time > 0 {
		limits["time"] = p.opts.Limits.Time.Round(time.Millisecond).String()
	}
	if p.opts.Limits.Inferences > 0 {
		limits["inferences"] = fmt.Sprintf("%d calls", p.opts.Limits.Inferences)
	}
	return limits
}

// solve runs a goal of the text being loaded; see [Options]. Meanwhile prolog_load_context/2 describes this loader.
// After the end of the load it runs nothing and returns errCutShort.
func (l *Loader) solve(goal term.Term, vars []*term.Var, module *database.Module) ([]term.Term, error) {
	if l.p.ended() {
		return nil, errCutShort
	}
	l.p.refresh()
	outer := l.p.loading
	l.p.loading = l
	defer func() { l.p.loading = outer }()
	values, restricted, err := l.p.opts.Solve(l.p.goalContext(), goal, vars, module, l.Restricted())
	l.touched = l.touched || restricted
	return values, err
}

// Context returns the value of a key of prolog_load_context/2. It returns nil if the key has no value or nothing is
// being loaded.
func (p *Program) Context(key string) term.Term {
	if p.loading == nil {
		return nil
	}
	return p.loading.context(key)
}

// context returns the value of a key of prolog_load_context/2, or nil.
func (l *Loader) context(key string) term.Term {
	switch key {
	case "module":
		return term.Atom(l.module.Name)
	case "file":
		return term.Atom(l.name)
	case "source":
		if l.includedBy != "" {
			return term.Atom(l.includedBy)
		}
		return term.Atom(l.name)
	case "directory":
		return term.Atom(path.Dir(l.name))
	case "dialect":
		return term.Atom("swi")
	case "script":
		return term.False
	}
	if l.read == nil {
		return nil
	}
	switch key {
	case "line":
		return term.Int(l.read.Pos.Line)
	case "term":
		return l.read.Term
	case "term_position":
		// The parser counts columns from 1, and positions of streams count them from 0.
		return term.New("$stream_position", term.Int(l.read.Pos.Offset), term.Int(l.read.Pos.Line),
			term.Int(l.read.Pos.Column-1), term.Int(l.read.Pos.Offset))
	case "variable_names":
		var names []term.Term
		for _, v := range l.read.Vars {
			names = append(names, term.New("=", term.Atom(v.Name), v.Var))
		}
		return term.List(names...)
	}
	return nil
}
