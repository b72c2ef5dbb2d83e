package kb

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the knowledge base that is kept loaded, and what a reload changes.

// Base is a knowledge base that is kept loaded. Its methods may be called from any goroutine.
type Base struct {
	// fixed when it is opened
	paths []string
	o     Options

	current atomic.Pointer[Snapshot]

	texts atomic.Pointer[engine.LoadCache] // of the files
	deps  atomic.Pointer[[]string]         // files besides those found that were read, sorted

	loading sync.Mutex // held while reloading; guards what follows
	seen    fingerprint
	stamps  []stamp   // of all these files
	stamped time.Time // when the files were looked at last
	doubts  doubts
}

// stamp is by what a change of a file shows without reading it.
type stamp struct {
	path string
	size int64
	time time.Time
}

// fingerprint tells one state of all files from another.
type fingerprint [sha256.Size]byte

// Change is what a reload has come to.
type Change struct {
	// Snapshot is what the base holds now: the new state, or the last good one if Err is not
	// nil.
	Snapshot *Snapshot
	// Err is the diagnostics as an error when the files have errors.
	Err error
	// Diagnostics are the errors and warnings of this load.
	Diagnostics engine.Diagnostics
	// Tools, Prompts and Resources say which lists differ from before.
	Tools, Prompts, Resources bool
}

// Open loads files and folders until a context is done. The error is not nil when there are errors
// among the diagnostics; there is no base then.
func Open(ctx context.Context, paths []string, o *Options) (*Base, engine.Diagnostics, error) {
	b := &Base{paths: slices.Clone(paths), o: o.complete()}
	b.deps.Store(new([]string))
	l := newLoading(paths, &b.o, true)
	snapshot, report := b.run(ctx, l)
	if snapshot == nil {
		return nil, report, report.Err()
	}
	b.remember(l)
	b.current.Store(snapshot)
	return b, report, nil
}

// Snapshot returns the knowledge base as it is now.
func (b *Base) Snapshot() *Snapshot { return b.current.Load() }

// Parsed returns the files that the last load had to parse, in the order of loading: all of
// them at first, then those that have changed and those that these make read otherwise.
func (b *Base) Parsed() []string { return b.texts.Load().Parsed() }

// Reload loads the files again, whether they have changed or not. Clauses added at run time
// move to the new snapshot; when there are errors, or the context ends the load, the old one stays.
func (b *Base) Reload(ctx context.Context) Change {
	b.loading.Lock()
	defer b.loading.Unlock()
	return b.reload(ctx, newLoading(b.paths, &b.o, true))
}

// Touched reports whether the files may not be what they were at the last load, by their names, sizes
// and times; it reads none of them. What was written about the time of the load always may.
func (b *Base) Touched() bool {
	b.loading.Lock()
	defer b.loading.Unlock()
	const about = 100 * time.Millisecond // clocks of file systems are coarse
	now := b.stampsNow()
	recent := func(s stamp) bool { return s.time.After(b.stamped.Add(-about)) }
	return !slices.Equal(now, b.stamps) || slices.ContainsFunc(now, recent)
}

// stamp notes the stamps of the files that a load has read.
func (b *Base) stamp(l *loading) {
	b.stamps, b.stamped = stampsOf(append(slices.Clone(l.found.files), b.reads()...)), l.began
}

// stampsNow returns the stamps of the files that there are now.
func (b *Base) stampsNow() []stamp { return stampsOf(append(find(b.paths).files, b.reads()...)) }

// Stamp tells states of the files that paths stand for apart by their names, sizes and times; it reads none
// of them.
func Stamp(paths []string) string { return fmt.Sprint(stampsOf(find(paths).files)) }

// stampsOf returns the stamps of files; one that is not there has none but its name.
func stampsOf(files []string) []stamp {
	list := make([]stamp, len(files))
	for i, file := range files {
		list[i].path = file
		if info, err := os.Stat(file); err == nil {
			list[i].size, list[i].time = info.Size(), info.ModTime()
		}
	}
	return list
}

// ReloadChanged loads the files again if they differ from those of the last load.
func (b *Base) ReloadChanged(ctx context.Context) (c Change, changed bool) {
	b.loading.Lock()
	defer b.loading.Unlock()
	l := newLoading(b.paths, &b.o, true)
	if b.unchanged(l) {
		return Change{}, false
	}
	return b.reload(ctx, l), true
}

// unchanged reports whether a load would read what the last one has read.
func (b *Base) unchanged(l *loading) bool {
	same := l.fingerprint(b.reads()) == b.seen
	if same {
		b.stamp(l)
	}
	return same
}

// look is what a look at the files has come to.
type look struct {
	change  Change
	changed bool
	// again, if it is not 0, is when to look again, as the files were not at rest; doubtful says that they were not
	// loaded.
	again    time.Duration
	doubtful bool
}

// look loads the files again if they differ from those of the last load and are at rest: none of them has
// just become much shorter, as those do that are about to be written, and unless carry is true
// none has changed before the load came to its end.
func (b *Base) look(ctx context.Context, carry bool) look {
	b.loading.Lock()
	defer b.loading.Unlock()
	before := b.stampsNow()
	l := newLoading(b.paths, &b.o, true)
	if b.unchanged(l) {
		b.doubts = doubts{}
		return look{}
	}
	if wait := b.doubts.wait(b.stamps, before, &b.o); wait > 0 {
		return look{again: wait, doubtful: true}
	}
	next, report := b.run(ctx, l)
	if next == nil && ctx.Err() != nil || !carry && !slices.Equal(before, b.stampsNow()) {
		return look{again: b.o.Quiet}
	}
	return look{change: b.adopt(l, next, report), changed: true}
}

func (b *Base) reload(ctx context.Context, l *loading) Change {
	next, report := b.run(ctx, l)
	if next == nil && ctx.Err() != nil { // the files may be good
		return Change{Snapshot: b.Snapshot(), Err: report.Err(), Diagnostics: report}
	}
	return b.adopt(l, next, report)
}

// run loads what was read. A load that does not end with its context is left alone.
func (b *Base) run(ctx context.Context, l *loading) (*Snapshot, engine.Diagnostics) {
	l.loadCache = b.texts.Load()
	if l.loadCache == nil {
		l.loadCache = new(engine.LoadCache)
		b.texts.Store(l.loadCache)
	}
	next, report := l.runUnder(ctx)
	if l.left {
		b.texts.Store(new(engine.LoadCache)) // the others are still in use
	}
	return next, report
}

// adopt takes up what a load has come to.
func (b *Base) adopt(l *loading, next *Snapshot, report engine.Diagnostics) Change {
	old := b.Snapshot()
	b.remember(l)
	if next == nil {
		return Change{Snapshot: old, Err: report.Err(), Diagnostics: report}
	}
	next.Version = old.Version + 1
	next.Program.Inherit(old.Program)
	b.current.Store(next)
	return Change{Snapshot: next, Diagnostics: report,
		Tools:     !slices.Equal(shown(old.Tools), shown(next.Tools)),
		Prompts:   !slices.Equal(shown(old.Prompts), shown(next.Prompts)),
		Resources: !slices.Equal(shown(old.Resources), shown(next.Resources)) || !slices.Equal(shown(old.Templates), shown(next.Templates)),
	}
}

// remember notes which files a load was made of. One that failed may not have come to read
// all, so those of the load before count too.
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
	b.doubts = doubts{}
}

// reads returns the files besides those found that loading reads.
func (b *Base) reads() []string { return *b.deps.Load() }

// fingerprint returns that of the files found and of others.
func (l *loading) fingerprint(deps []string) (f fingerprint) {
	hash := sha256.New()
	for _, s := range l.sources {
		fmt.Fprintf(hash, "%q %d\n", s.Name, len(s.Text))
		hash.Write(bytesOf(s.Text))
	}
	for _, d := range l.found.report {
		fmt.Fprintln(hash, d)
	}
	for _, dep := range deps {
		data, err := os.ReadFile(dep)
		fmt.Fprintf(hash, "%q %d %t\n", dep, len(data), err == nil)
		hash.Write(data)
	}
	hash.Sum(f[:0])
	return f
}

// shown are texts that differ when what clients see of the items differs.
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
	for _, hint := range []*bool{t.ReadOnly, t.Destructive, t.Idempotent, t.OpenWorld} {
		if hint != nil {
			text += fmt.Sprintf("\n%t", *hint)
		} else {
			text += "\n-"
		}
	}
	return text + fmt.Sprint("\n", t.Icons)
}

func (p *Prompt) shown() string {
	return fmt.Sprintf("%q %q %q %q %v", p.Name, p.Title, p.Description, fmt.Sprint(p.Arguments), p.Icons)
}

func (r *Resource) shown() string {
	return fmt.Sprintf("%q %q %q %q %q %s %v %d %v %v %q", r.URI, r.Name, r.Title, r.Description, r.MIMEType, formatGiven(r.UI),
		r.Icons, r.Size, r.Audience, r.Priority, r.LastModified)
}

// formatGiven writes a term that may be absent.
func formatGiven(t engine.Term) string {
	if t == nil {
		return ""
	}
	return engine.FormatTerm(t)
}
