package lsp

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines loads of one text alone. They take milliseconds however large the folder is, and say what can be
// said about a text without the others.

// maxAlone is the size of the largest text that is loaded at each change.
const maxAlone = 1 << 20

// ownCodes are the codes of diagnostics that a text has by itself. An undefined predicate is looked up in the index of
// the other texts.
var ownCodes = []string{"branch", "clause", "condition", "discontiguous", "encoding", "flag", "format", "grammar",
	"ignore", "left_recursion", "multiple", "negation", "not_monotone", "reassigned", "right_recursion", "singleton",
	"style", "syntax", "table", "unbound", "undefined", "unevaluated", "unit"}

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
	files := l.s.space.in(b.folder)
	if slices.ContainsFunc(files, func(x *fileIndex) bool { return x.expands && x.path != path }) {
		return nil, false // what it makes of this text is unknown
	}
	var before []engine.Source
	for _, x := range loadedBefore(files, path) {
		before = append(before, engine.Source{Name: filepath.ToSlash(x.path), Text: x.header})
	}
	stand := func(name string) (string, bool) {
		name = absolute(name)
		if name == path {
			return text, true // one that is loaded before loads it
		}
		x := l.s.space.file(name)
		if x == nil && isProgram(name) {
			l.s.space.refresh(name)
			x = l.s.space.file(name)
		}
		if x == nil {
			return "", false
		}
		return x.header, true
	}
	listed, prog := l.s.space.isListed(b.folder), &program{files: files}
	report = b.drafts.Alone(ctx, engine.Source{Name: filepath.ToSlash(path), Text: text}, &kb.Rest{Before: before,
		Stand:   stand,
		Defines: func(name string, arity int) bool { return !listed || prog.has(key{name, arity}) }})
	return report, ctx.Err() == nil
}

// loadedBefore returns the files that decide how a text is read: those before it that declare operators, and the first
// one that loads it, if there is one.
func loadedBefore(files []*fileIndex, path string) (before []*fileIndex) {
	loaders, names := map[*fileIndex]bool{}, []string{stem(path)}
	for i := 0; i < len(names); i++ {
		for _, x := range files {
			if x.loads && x.path != path && !loaders[x] && strings.Contains(x.header, names[i]) {
				loaders[x], names = true, append(names, stem(x.path))
			}
		}
	}
	loaded := false
	for _, x := range files {
		if x.path < path && (x.ops || loaders[x] && !loaded) {
			before = append(before, x)
		}
		loaded = loaded || loaders[x]
	}
	return before
}

// stem returns the name of a file as another file may write it.
func stem(path string) string { return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) }

// foundAlone publishes the diagnostics of a text that was loaded alone. Those that depend on other texts stay as they
// were.
func (s *server) foundAlone(b *loadedBase, path, text string, report engine.Diagnostics) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.docs[path]
	if d == nil || d.text != text || d.hasLoaded && d.loaded == text {
		return // a load of the folder knows better
	}
	listed := s.space.isListed(b.folder)
	own := s.space.file(path)
	if own != nil && own.expands {
		listed = false // what it makes of the other texts is unknown
	}
	list := slices.DeleteFunc(slices.Clone(d.diagnostics), func(one diagnostic) bool {
		return slices.Contains(ownCodes, one.Code) && (listed || one.Code != "undefined") && !throughOthers(own, &one)
	})
	for i := range report {
		one := &report[i]
		elsewhere := b.undefined[undefinedIn(one.Message)]
		switch {
		case one.Code == "syntax" && d.foreign:
			return // an operator is missing
		case !slices.Contains(ownCodes, one.Code):
		case one.Code == "undefined" && (!listed || elsewhere != "" && elsewhere != path):
		default:
			list = append(list, diagnosticOf(one, own, d.text, d.lines))
		}
	}
	sortDiagnostics(list)
	d.diagnostics, d.checked, d.hasChecked = list, d.text, true
	s.publish(d)
}

// throughOthers reports whether a predicate of a text calls itself through one that the text does not define.
func throughOthers(x *fileIndex, d *diagnostic) bool {
	_, rest, calls := strings.Cut(d.Message, " calls itself through ")
	through, _, _ := strings.Cut(rest, " before ")
	if !calls || x == nil {
		return false
	}
	t, err := engine.ParseTerm(through)
	return err == nil && !slices.ContainsFunc(indicatorsIn(t), x.has)
}

// sortDiagnostics sorts diagnostics by their places.
func sortDiagnostics(list []diagnostic) {
	slices.SortStableFunc(list, func(a, b diagnostic) int {
		return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line),
			cmp.Compare(a.Range.Start.Character, b.Range.Start.Character))
	})
}
