package kb

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine"
)

// This file defines drafts: a knowledge base with some of its texts as an editor has them.

// Drafts loads a knowledge base again and again while its texts are being written. What one load has read the next one
// need not. Load is for one goroutine, Alone for one other.
type Drafts struct {
	paths []string
	o     Options
	cache *engine.LoadCache
	alone *engine.LoadCache // of the text that was loaded alone
}

// NewDrafts returns the drafts of files and folders.
func NewDrafts(paths []string, o *Options) *Drafts {
	return &Drafts{paths: slices.Clone(paths), o: o.complete(), cache: new(engine.LoadCache),
		alone: new(engine.LoadCache)}
}

// Load loads the files, and texts instead of those on the disk, by their paths. Texts whose files are not there are
// loaded after them if they are .pl files below one of the folders, and tests (.plt) in any case. The snapshot is nil
// if there are errors among the diagnostics.
func (d *Drafts) Load(ctx context.Context, texts map[string]string) (*Snapshot, engine.Diagnostics) {
	l := newLoading(d.paths, &d.o, true)
	l.loadCache = d.cache
	left := map[string]string{} // by their canonical paths
	for path := range texts {
		left[canonicalPath(path)] = path
	}
	for i, s := range l.sources {
		if path, ok := left[canonicalPath(s.Name)]; ok {
			l.sources[i] = engine.Source{Name: s.Name, Text: texts[path]}
			delete(left, canonicalPath(s.Name))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(left)) {
		path := left[key]
		if ext := filepath.Ext(path); ext == ".plt" || ext == ".pl" && d.within(key) {
			l.sources = append(l.sources, engine.Source{Name: filepath.ToSlash(path), Text: texts[path]})
		}
	}
	if len(l.sources) > 0 { // a folder may be empty but for what is being written
		l.found.report = slices.DeleteFunc(l.found.report, func(one engine.Diagnostic) bool { return one.Code == "path" })
	}
	snapshot, report := l.runUnder(ctx)
	if l.left {
		d.cache = new(engine.LoadCache) // that of the load that does not end is still in use
	}
	return snapshot, report
}

// Rest is what is known of the rest of a knowledge base while one of its texts is loaded alone.
type Rest struct {
	// Before are texts that are loaded before it.
	Before []engine.Source
	// Stand returns the text that stands for that of a file which the text loads.
	Stand func(path string) (text string, ok bool)
	// Defines reports whether another text defines a predicate.
	Defines func(name string, arity int) bool
}

// Alone loads one text without the rest of its knowledge base, and returns the diagnostics of that text.
func (d *Drafts) Alone(ctx context.Context, text engine.Source, rest *Rest) engine.Diagnostics {
	l := &loading{o: &d.o, began: time.Now(), names: map[string]*Tool{}, found: foundFiles{files: []string{text.Name}},
		sandbox: newSandbox(d.paths, &d.o), texts: map[string][]string{}, loadCache: d.alone, defines: rest.Defines}
	l.sandbox.stand = rest.Stand
	l.sources = append(slices.Clone(rest.Before), text)
	_, report := l.runUnder(ctx)
	if l.left {
		d.alone = new(engine.LoadCache)
	}
	return slices.DeleteFunc(report, func(one engine.Diagnostic) bool { return one.File != text.Name })
}

// within reports whether a file is below one of the folders.
func (d *Drafts) within(file string) bool {
	return slices.ContainsFunc(d.paths, func(path string) bool {
		return strings.HasPrefix(file, strings.TrimSuffix(canonicalPath(path), "/")+"/")
	})
}
