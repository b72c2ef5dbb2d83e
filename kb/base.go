package kb

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/folder"
)

// This file defines the knowledge base that is kept loaded, and what a reload changes. It also defines snapshots with
// items that goals have added or removed at run time.

// Base is a knowledge base that is kept loaded. Its methods may be called from any goroutine.
type Base struct {
	// fixed when it is opened
	paths []string
	o     Options

	opened chan struct{} // closed when the first load is over
	err    error         // the error of the first load; set before opened is closed

	current atomic.Pointer[Snapshot]

	texts atomic.Pointer[host.LoadCache] // the parsed files
	deps  atomic.Pointer[[]string]       // files besides those found that were read, sorted

	loading sync.Mutex // held while reloading; guards what follows
	seen    fingerprint
	stamps  []stamp   // of all files of the last load
	stamped time.Time // when the files were looked at last
	doubts  doubts
	looked  time.Time // when the tables were last compared with their copies
	blind   bool      // the last comparison of the tables failed
}

// stamp identifies a state of a file by what a stat tells, without reading it.
type stamp struct {
	path string
	size int64
	time time.Time
}

// Change is the result of a reload.
type Change struct {
	// Snapshot is the current state of the base: the new one, or the last good one if Err is not nil.
	Snapshot *Snapshot
	// Err holds the diagnostics if the files have errors, and is nil otherwise.
	Err error
	// Diagnostics are the errors and warnings of this load.
	Diagnostics source.Diagnostics
	// Tools, Prompts and Resources say which lists differ from before.
	Tools, Prompts, Resources bool
}

// errNotOpen is the error of a base that has no knowledge base.
var errNotOpen = errors.New("the base is nil or a zero Base, or has not been opened")

// ready returns an error for a base that has no knowledge base yet, and for a context that is nil.
func (b *Base) ready(ctx context.Context) error {
	switch {
	case ctx == nil:
		return errNoContext
	case b.Snapshot() == nil:
		return errNotOpen
	}
	return nil
}

// Open loads files and folders until a context is done. If the files have errors, Open returns them with the warnings
// as an error of type [source.Diagnostics]. The warnings of a load that succeeds are in [Snapshot.Diagnostics].
func Open(ctx context.Context, paths []string, o *Options) (*Base, error) {
	if ctx == nil {
		return nil, errNoContext
	}
	b := Begin(ctx, paths, o)
	if err := b.Opened(context.Background()); err != nil {
		return nil, err
	}
	return b, nil
}

// Begin begins to load files and folders, as Open does, and does not wait. Nothing but Opened and Snapshot may be
// called before Opened has returned without an error.
func Begin(ctx context.Context, paths []string, o *Options) *Base {
	if ctx == nil {
		panic(errNoContext)
	}
	b := &Base{paths: slices.Clone(paths), o: o.complete(), opened: make(chan struct{})}
	b.deps.Store(new([]string))
	go func() {
		defer close(b.opened)
		l := newLoading(paths, &b.o, true)
		snapshot, report := b.run(ctx, l)
		if snapshot == nil {
			b.err = report
			return
		}
		b.remember(l)
		b.replace(nil, snapshot)
	}()
	return b
}

// Opened waits for the first load. The error is that of [Open], or of ctx if it ends before.
func (b *Base) Opened(ctx context.Context) error {
	switch {
	case ctx == nil:
		return errNoContext
	case b == nil || b.opened == nil:
		return errNotOpen
	}
	select {
	case <-b.opened:
	case <-ctx.Done():
		select {
		case <-b.opened: // its result says more than that the context has ended
		default:
			return context.Cause(ctx)
		}
	}
	return b.err
}

// Snapshot returns the knowledge base as it is now, nil before the end of the first load.
func (b *Base) Snapshot() *Snapshot {
	if b == nil {
		return nil
	}
	return b.current.Load()
}

// Parsed returns the files that the last load had to parse, in the order of loading. The first load parses all of
// them. A later load parses the files that have changed, and the files whose operators or expansions these files
// define.
func (b *Base) Parsed() []string {
	if b.Snapshot() == nil {
		return nil
	}
	return b.texts.Load().Parsed()
}

// Reload loads the files again, whether they have changed or not. Clauses added at run time move to the new snapshot.
// When the files have errors, or the context ends the load, the old snapshot stays.
func (b *Base) Reload(ctx context.Context) Change {
	if err := b.ready(ctx); err != nil {
		return Change{Snapshot: b.Snapshot(), Err: err}
	}
	b.loading.Lock()
	defer b.loading.Unlock()
	return b.reload(ctx, newLoading(b.paths, &b.o, true))
}

// Touched reports whether the files may have changed since the last load, by their names, sizes and times. It reads
// none of them. A file whose time is close to the time of the load always counts as touched.
func (b *Base) Touched() bool {
	if b.Snapshot() == nil {
		return false
	}
	b.loading.Lock()
	defer b.loading.Unlock()
	const about = 100 * time.Millisecond // clocks of file systems are coarse
	now := b.stampsNow()
	recent := func(s stamp) bool { return s.time.After(b.stamped.Add(-about)) }
	return !slices.Equal(now, b.stamps) || slices.ContainsFunc(now, recent)
}

// stamp notes the stamps of the files that a load has read.
func (b *Base) stamp(l *loading) {
	b.stamps, b.stamped = b.stampsOf(append(slices.Clone(l.found.files), b.reads()...)), l.began
}

// stampsNow returns the stamps of the files that exist now.
func (b *Base) stampsNow() []stamp {
	return b.stampsOf(append(find(b.o.tree(), b.paths).files, b.reads()...))
}

// Stamp returns a text that changes when the files below paths change in name, size or time. It does not read the
// files.
func (o *Options) Stamp(paths []string) string {
	return fmt.Sprint(stampsOf(o.tree(), find(o.tree(), paths).files))
}

func (b *Base) stampsOf(files []string) []stamp { return stampsOf(b.o.tree(), files) }

// stampsOf returns the stamps of files. The stamp of a missing file has only its name.
func stampsOf(tree folder.Tree, files []string) []stamp {
	list := make([]stamp, len(files))
	for i, file := range files {
		list[i].path = file
		if info, err := tree.Stat(file); err == nil {
			list[i].size, list[i].time = info.Size(), info.ModTime()
		}
	}
	return list
}

// ReloadChanged loads the files again if they have changed since the last load.
func (b *Base) ReloadChanged(ctx context.Context) (c Change, changed bool) {
	if err := b.ready(ctx); err != nil {
		return Change{Snapshot: b.Snapshot(), Err: err}, true
	}
	b.loading.Lock()
	defer b.loading.Unlock()
	l := newLoading(b.paths, &b.o, true)
	if b.unchanged(l) {
		if stale, wrong := b.outdated(ctx, 0); !stale {
			return Change{Snapshot: b.Snapshot(), Err: wrong.Err(), Diagnostics: wrong}, len(wrong) > 0
		}
	}
	return b.reload(ctx, l), true
}

// unchanged reports whether the files have the fingerprint of the last load.
func (b *Base) unchanged(l *loading) bool {
	same := l.fingerprint(b.reads()) == b.seen
	if same {
		b.stamp(l)
	}
	return same
}

// checkResult is the result of Base.check.
type checkResult struct {
	change  Change
	changed bool
	// again is the time after which to check again, or 0. It is set when the files were not at rest. doubtful says that
	// the files were not at rest before the load, so they were not loaded.
	again    time.Duration
	doubtful bool
}

// check loads the files again if they have changed since the last load and are at rest. A file that has just become
// much shorter is not at rest, because a program may be about to write it. A file that changes during the load is not
// at rest either, unless carry is true.
func (b *Base) check(ctx context.Context, carry bool) checkResult {
	b.loading.Lock()
	defer b.loading.Unlock()
	before := b.stampsNow()
	l := newLoading(b.paths, &b.o, true)
	if b.unchanged(l) {
		b.doubts = doubts{}
		stale, wrong := b.outdated(ctx, b.every())
		wasBlind := b.blind
		if b.blind = len(wrong) > 0; !stale {
			return checkResult{change: Change{Snapshot: b.Snapshot(), Err: wrong.Err(), Diagnostics: wrong},
				changed: b.blind && !wasBlind}
		}
	}
	if wait := b.doubts.wait(b.stamps, slices.Clip(before), &b.o); wait > 0 {
		return checkResult{again: wait, doubtful: true}
	}
	next, report := b.run(ctx, l)
	if next == nil && ctx.Err() != nil || !carry && !slices.Equal(before, b.stampsNow()) {
		return checkResult{again: b.o.Quiet}
	}
	return checkResult{change: b.adopt(l, next, report), changed: true}
}

func (b *Base) reload(ctx context.Context, l *loading) Change {
	next, report := b.run(ctx, l)
	if next == nil && ctx.Err() != nil { // the files may be good
		return Change{Snapshot: b.Snapshot(), Err: report.Err(), Diagnostics: report}
	}
	return b.adopt(l, next, report)
}

// run loads the sources that l has read. A load that is still running when ctx ends continues in the background, and
// its result is ignored.
func (b *Base) run(ctx context.Context, l *loading) (*Snapshot, source.Diagnostics) {
	l.loadCache = b.texts.Load()
	if l.loadCache == nil {
		l.loadCache = new(host.LoadCache)
		b.texts.Store(l.loadCache)
	}
	l.lasting = b.Snapshot() != nil && b.Snapshot().KeepsEvents()
	next, report := l.runUnder(ctx)
	if l.left {
		b.texts.Store(new(host.LoadCache)) // the abandoned load still uses the old cache
	}
	return next, report
}

// adopt makes the result of a load the state of the base, unless it has errors.
func (b *Base) adopt(l *loading, next *Snapshot, report source.Diagnostics) Change {
	old := b.Snapshot()
	b.remember(l)
	if next == nil {
		return Change{Snapshot: old, Err: report.Err(), Diagnostics: report}
	}
	next.Version = old.Version + 1
	for _, name := range slices.Compact(next.Program.Inherit(old.Program)) {
		report = append(report, source.Diagnostic{Severity: source.SeverityWarning, Code: "persistent",
			Message: "rules of " + name + " that calls have asserted are gone: it is persistent now, and can only have facts"})
	}
	l.ctx = context.Background()
	l.effects()
	b.replace(old, next)
	return Change{Snapshot: next, Diagnostics: report,
		Tools:   !slices.Equal(shown(old.Tools), shown(next.Tools)),
		Prompts: !slices.Equal(shown(old.Prompts), shown(next.Prompts)),
		Resources: !slices.Equal(shown(old.Resources), shown(next.Resources)) ||
			!slices.Equal(shown(old.Templates), shown(next.Templates)),
	}
}

// replace makes a snapshot the current one. A store gives the new snapshot the stored facts of its predicates.
func (b *Base) replace(old, next *Snapshot) {
	swap := func() { b.current.Store(next) }
	switch {
	case b.o.Store == nil:
		swap()
	case old == nil:
		b.o.Store.adopt(nil, next.Program, swap)
	default:
		b.o.Store.adopt(old.Program, next.Program, swap)
	}
}

// remember notes which files a load was made of. A failed load may have stopped before it read all files, so the files
// of the previous load count too.
func (b *Base) remember(l *loading) {
	deps := slices.Clone(l.deps)
	if l.report.Err() != nil {
		deps = append(deps, b.reads()...)
	}
	slices.Sort(deps)
	deps = slices.Compact(deps)
	b.deps.Store(&deps)
	b.seen = l.fingerprint(deps)
	b.stamp(l)
	b.doubts, b.looked = doubts{}, l.began
}

// reads returns the files that loading reads besides those found.
func (b *Base) reads() []string { return *b.deps.Load() }

// shown returns a text for each item. Two texts differ when clients see a difference between the items.
func shown[T interface{ shown() string }](items []T) []string {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = item.shown()
	}
	return texts
}

func (t *Tool) shown() string {
	text := fmt.Sprintf("%q %q %q %t", t.Name, t.Title, t.Description, t.All)
	for _, a := range t.Arguments {
		text += fmt.Sprintf("\n%q %q %s %s %s %s", a.Name, a.Description, a.Mode, engine.FormatTerm(a.Type),
			formatGiven(a.Default), formatGiven(term.List(a.Examples...)))
	}
	for _, given := range []engine.Term{t.InputSchema, t.OutputSchema, t.UI} {
		text += "\n" + formatGiven(given)
	}
	for _, given := range []*bool{t.ReadOnly, t.Destructive, t.Idempotent, t.OpenWorld} {
		if given != nil {
			text += fmt.Sprintf("\n%t", *given)
		} else {
			text += "\n-"
		}
	}
	for _, a := range t.Assume {
		text += fmt.Sprintf("\nassume %q %v", a.Name, a.Arguments)
	}
	return text + fmt.Sprint("\n", t.Icons)
}

func (p *Prompt) shown() string {
	return fmt.Sprintf("%q %q %q %q %v", p.Name, p.Title, p.Description, fmt.Sprint(p.Arguments), p.Icons)
}

func (r *Resource) shown() string {
	return fmt.Sprintf("%q %q %q %q %q %s %v %d %v %v %q", r.URI, r.Name, r.Title, r.Description, r.MIMEType,
		formatGiven(r.UI),
		r.Icons, r.Size, r.Audience, r.Priority, r.LastModified)
}

// formatGiven writes a term that may be absent.
func formatGiven(t engine.Term) string {
	if t == nil {
		return ""
	}
	return engine.FormatTerm(t)
}

// ItemKind is a kind of item that is offered to clients.
type ItemKind string

// The kinds of items, named like their terms.
const (
	ToolItem     ItemKind = "tool"
	PromptItem   ItemKind = "prompt"
	ResourceItem ItemKind = "resource"
	TemplateItem ItemKind = "resource_template"
)

// Clone returns a copy with lists of items of its own. Add and Remove may change them before the copy is shared.
func (s *Snapshot) Clone() *Snapshot {
	next := *s
	next.Tools, next.Prompts = slices.Clone(s.Tools), slices.Clone(s.Prompts)
	next.Resources, next.Templates = slices.Clone(s.Resources), slices.Clone(s.Templates)
	return &next
}

// Add offers one more item on behalf of a module. The item is a term as in the lists of tools/1, prompts/1, resources/1
// and resource_templates/1. If the item is wrong, Add returns an error and does not offer the item. A name that is
// taken is an error.
func (s *Snapshot) Add(module string, item engine.Term) error {
	p := s.provider(module)
	if p == nil {
		return engine.TermError("existence_error", "module", term.Atom(module))
	}
	before := *s
	l := loadingOf(nil, s.described.o)
	l.program, l.snapshot, l.names = s.Program, s, nil
	l.modes, l.infos, l.types = s.described.modes, s.described.infos, s.described.types
	name, _, _ := term.Indicator(item)
	switch ItemKind(name) {
	case ToolItem:
		l.tool(p, item, source.Position{})
	case PromptItem:
		l.prompt(p, item, source.Position{})
		l.handles(p, "prompt_get/3")
	case ResourceItem:
		l.resource(p, string(name), item, source.Position{}, &s.Resources)
		l.handles(p, "resource_read/3")
	case TemplateItem:
		l.resource(p, string(name), item, source.Position{}, &s.Templates)
		l.handles(p, "resource_read/3")
	default:
		return engine.TermError("type_error", "mcp_item", item)
	}
	for _, d := range l.report {
		if d.Severity == source.SeverityError {
			*s = before
			return errors.New(d.Message)
		}
	}
	return nil
}

// handles reports a provider without the predicate that answers for its items.
func (l *loading) handles(p *Provider, predicate string) {
	if _, ok := p.own[predicate]; !ok {
		l.fail(source.Position{}, "predicate", "%s is not defined in module %s", predicate, p.Module)
	}
}

// Remove ends the offer of an item. It returns false when the item is not offered. The name of a resource is its URI,
// that of a template its URI template.
func (s *Snapshot) Remove(kind ItemKind, name string) bool {
	before := len(s.Tools) + len(s.Prompts) + len(s.Resources) + len(s.Templates)
	switch kind {
	case ToolItem:
		s.Tools = slices.DeleteFunc(s.Tools, func(t *Tool) bool { return t.Name == name })
	case PromptItem:
		s.Prompts = slices.DeleteFunc(s.Prompts, func(p *Prompt) bool { return p.Name == name })
	case ResourceItem:
		s.Resources = slices.DeleteFunc(s.Resources, func(r *Resource) bool { return r.URI == name })
	case TemplateItem:
		s.Templates = slices.DeleteFunc(s.Templates, func(r *Resource) bool { return r.URI == name })
	}
	return len(s.Tools)+len(s.Prompts)+len(s.Resources)+len(s.Templates) < before
}

func (s *Snapshot) provider(module string) *Provider {
	for _, p := range s.Providers {
		if p.Module == module {
			return p
		}
	}
	return nil
}
