package lsp

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"

	"github.com/mcplogic/mcplogic/engine"
)

// This file defines loads of one text alone. They take milliseconds however large the folder is, and say what can be
// said about a text without the others.

// maxAlone is the size of the largest text that is loaded at each change.
const maxAlone = 1 << 20

// ownCodes are those of diagnostics that a text has by itself. An undefined predicate is looked up in the index of the
// other texts.
var ownCodes = []string{"branch", "clause", "condition", "discontiguous", "encoding", "flag", "grammar", "ignore",
	"left_recursion", "multiple", "negation", "not_monotone", "right_recursion", "singleton", "style", "syntax", "table",
	"unbound", "undefined", "unevaluated", "unit"}

// aloneAgain loads the open texts of a folder alone after the others have been indexed.
func (s *server) aloneAgain(folder string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path, d := range s.docs {
		if isFile(path) && baseOf(path, s.roots) == folder {
			s.loads.loadAlone(d)
		}
	}
}

// loadAlone begins to load a text alone, and ends the load that has begun before. The lock of the server is held.
func (l *loader) loadAlone(d *document) {
	if d.cancel != nil {
		d.cancel()
	}
	if len(d.text) > maxAlone {
		return
	}
	ctx, cancel := context.WithCancel(l.s.ctx)
	l.mu.Lock()
	b := l.base(baseOf(d.path, l.s.roots))
	b.aloneDone = ctx.Done()
	l.mu.Unlock()
	d.cancel = cancel
	path, text := d.path, d.text
	l.group.Add(1)
	go func() {
		defer l.group.Done()
		defer cancel()
		b.alone.Lock()
		defer b.alone.Unlock()
		if ctx.Err() != nil {
			return
		}
		if report, ok := l.alone(ctx, b, path, text); ok {
			l.s.foundAlone(b, path, text, report)
		}
	}()
}

// alone returns the diagnostics of a text without the rest of its knowledge base. ok is false if they are unknown.
func (l *loader) alone(ctx context.Context, b *loadedBase, path, text string) (report engine.Diagnostics, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			l.s.log("load of %s: %v", path, r)
			report, ok = nil, false
		}
	}()
	var before []engine.Source
	for _, x := range l.s.space.in(b.folder) {
		switch {
		case x.path == path:
		case x.expands:
			return nil, false // what it makes of this text is unknown
		case x.ops && x.path < path:
			before = append(before, engine.Source{Name: filepath.ToSlash(x.path), Text: x.header})
		}
	}
	stand := func(path string) (string, bool) {
		path = absolute(path)
		x := l.s.space.file(path)
		if x == nil && isProgram(path) {
			l.s.space.refresh(path)
			x = l.s.space.file(path)
		}
		if x == nil {
			return "", false
		}
		return x.header, true
	}
	report = b.drafts.Alone(ctx, engine.Source{Name: filepath.ToSlash(path), Text: text}, before, stand)
	return report, ctx.Err() == nil
}

// foundAlone publishes the diagnostics of a text that was loaded alone. Those that depend on other texts stay as they
// were.
func (s *server) foundAlone(b *loadedBase, path, text string, report engine.Diagnostics) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.docs[path]
	if d == nil || d.text != text || d.hasLoaded && d.loaded == text {
		return // a load of the folder knows better
	}
	prog, listed := s.program(path), s.space.isListed(b.folder)
	list := slices.DeleteFunc(slices.Clone(d.diagnostics), func(one diagnostic) bool {
		return slices.Contains(ownCodes, one.Code) && (listed || one.Code != "undefined")
	})
	for i := range report {
		one := &report[i]
		elsewhere := b.undefined[undefinedIn(one.Message)]
		switch {
		case one.Code == "syntax" && d.foreign:
			return // an operator is missing
		case !slices.Contains(ownCodes, one.Code):
		case one.Code == "undefined" && (!listed || prog.has(one.Message) || elsewhere != "" && elsewhere != path):
		default:
			list = append(list, diagnosticOf(one, d.text, d.lines))
		}
	}
	sortDiagnostics(list)
	d.diagnostics, d.checked, d.hasChecked = list, d.text, true
	s.publish(d)
}

// sortDiagnostics sorts diagnostics by their places.
func sortDiagnostics(list []diagnostic) {
	slices.SortStableFunc(list, func(a, b diagnostic) int {
		return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line),
			cmp.Compare(a.Range.Start.Character, b.Range.Start.Character))
	})
}
