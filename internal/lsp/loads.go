package lsp

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines loads: the diagnostics of mcplogic check for the texts as the editor has them.

// directiveTime is how long a directive may run in a load for an editor.
const directiveTime = 2 * time.Second

// loader loads knowledge bases beside the requests. A text that changes is loaded alone, at once. The whole folder is
// loaded after a pause in typing; the next change ends that load.
type loader struct {
	s     *server
	group sync.WaitGroup

	mu    sync.Mutex
	bases map[string]*loadedBase
}

// loadedBase is a knowledge base that is loaded.
type loadedBase struct {
	folder string
	drafts *kb.Drafts
	alone  sync.Mutex // held while a text is loaded alone

	// guarded by the lock of the loader
	wanted  bool // a load is to come
	running bool
	since   time.Time          // when the oldest change was made that no load has seen
	cancel  context.CancelFunc // of the load that runs
	took    time.Duration      // of the last load
	// aloneDone ends when the last text that was to be loaded alone has been. nil: there was none.
	aloneDone <-chan struct{}

	changed chan struct{} // is sent each change

	// program is the one of the last load that came to its end without errors, nil before.
	program atomic.Pointer[engine.Program]

	// guarded by the lock of the server
	shown     map[string][]diagnostic // of files that have some in the editor
	undefined map[string]string       // files in which undefined predicates have been found
	settled   bool                    // a load has come to its end
}

func newLoader(s *server) *loader { return &loader{s: s, bases: map[string]*loadedBase{}} }

func (l *loader) wait() { l.group.Wait() }

// base returns the knowledge base in a folder. The lock is held.
func (l *loader) base(folder string) *loadedBase {
	b := l.bases[folder]
	if b == nil {
		o := kb.Options{}
		if l.s.o.Load != nil {
			o = *l.s.o.Load
		}
		o.Lint = true
		if at := &o.Directives.Time; *at <= 0 || *at > directiveTime {
			*at = directiveTime
		}
		o.Output, o.Error, o.Input = nil, nil, nil
		b = &loadedBase{folder: folder, drafts: o.Drafts([]string{folder}), shown: map[string][]diagnostic{},
			changed: make(chan struct{}, 1)}
		l.bases[folder] = b
	}
	return b
}

// want asks for a load of the knowledge base in a folder. It ends a load that runs, unless no load has come to its end
// for long.
func (l *loader) want(folder string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.base(folder)
	b.wanted = true
	if b.since.IsZero() {
		b.since = time.Now()
	}
	switch {
	case !b.running:
		b.running = true
		l.group.Add(1)
		go l.run(b)
	case b.cancel != nil && !b.late():
		b.cancel()
	}
	select {
	case b.changed <- struct{}{}:
	default:
	}
}

// inferred returns the types of the arguments of a predicate that a file defines, as the last load has found them. It
// runs nothing.
func (l *loader) inferred(path, module string, k key) []string {
	l.mu.Lock()
	b := l.bases[baseOf(path, l.s.roots)]
	l.mu.Unlock()
	if b == nil || b.program.Load() == nil {
		return nil
	}
	return inner.Of(b.program.Load()).Types(module, k.name, k.arity)
}

// late reports whether no load has come to its end for so long that the next one must. The lock is held.
func (b *loadedBase) late() bool { return time.Since(b.since) > 2*time.Second+2*b.took }

// run loads as long as loads are wanted.
func (l *loader) run(b *loadedBase) {
	defer l.group.Done()
	l.awaitAlone(b)
	if l.s.space.list(b.folder, func() bool { return l.s.ctx.Err() != nil }) {
		l.s.mu.Lock()
		l.s.aloneAgain(b.folder)
		l.s.mu.Unlock()
	}
	for l.quiet(b) {
		l.awaitAlone(b)
		l.mu.Lock()
		if !b.wanted {
			b.running = false
			l.mu.Unlock()
			return
		}
		ctx, cancel := context.WithCancel(l.s.ctx)
		b.wanted, b.cancel = false, cancel
		l.mu.Unlock()
		texts := l.s.texts(b.folder)
		began := time.Now()
		report := l.load(ctx, b, texts)
		if l.ended(b, ctx, time.Since(began)) {
			l.publish(b.folder, b, report, texts)
		}
		cancel()
	}
}

// awaitAlone waits until no text is being loaded alone: such a load is short, and the user waits for it.
func (l *loader) awaitAlone(b *loadedBase) {
	l.mu.Lock()
	done := b.aloneDone
	l.mu.Unlock()
	if done != nil {
		<-done
	}
}

// ended notes that a load has ended. It reports whether that was its own end.
func (l *loader) ended(b *loadedBase, ctx context.Context, took time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	b.cancel = nil
	if ctx.Err() != nil {
		return false
	}
	b.took = took
	if b.since = time.Now(); !b.wanted {
		b.since = time.Time{}
	}
	return true
}

// quiet waits for a pause in typing, which has to be longer for large knowledge bases. It returns false when the server
// ends.
func (l *loader) quiet(b *loadedBase) bool {
	for {
		l.mu.Lock()
		pause := min(b.took/2, time.Second)
		l.mu.Unlock()
		select {
		case <-time.After(pause):
			return true
		case <-l.s.ctx.Done():
			return false
		case <-b.changed:
			l.mu.Lock()
			late := !b.since.IsZero() && b.late()
			l.mu.Unlock()
			if late {
				return true
			}
		}
	}
}

// load loads once. A load that crashes has no diagnostics, and the next one begins anew.
func (l *loader) load(ctx context.Context, b *loadedBase, texts map[string]string) (report source.Diagnostics) {
	defer func() {
		if r := recover(); r != nil {
			l.s.log("load: %v", r)
		}
	}()
	snapshot, err := b.drafts.Load(ctx, texts)
	if snapshot != nil {
		b.program.Store(snapshot.Program)
	}
	return snapshot.Report(err)
}

// publish tells the editor what a load has found.
func (l *loader) publish(folder string, b *loadedBase, report source.Diagnostics, texts map[string]string) {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	found := map[string][]diagnostic{}
	lines := map[string]lineIndex{}
	b.undefined, b.settled = map[string]string{}, true
	names := openNames(texts)
	for i := range report {
		d := &report[i]
		path := absolute(d.File)
		if real, err := filepath.EvalSymlinks(path); err == nil && texts[path] == "" {
			path = cmp.Or(names[real], path)
		}
		if path == "" {
			continue
		}
		if d.Code == "decision" && !isProgram(path) {
			l.s.atDirective(found, folder, path, d)
		}
		if isWorkbook := filepath.Ext(path) == ".xlsx"; isWorkbook {
			continue // nobody can see a place in it
		}
		if d.Code == "undefined" {
			b.undefined[undefinedIn(d.Message)] = path
		}
		text, ok := texts[path]
		if !ok {
			text, _ = l.s.space.textOf(path)
		}
		if lines[path] == nil {
			lines[path] = indexLines(text)
		}
		found[path] = append(found[path], diagnosticOf(d, text, lines[path]))
	}
	for _, list := range found {
		sortDiagnostics(list)
	}
	for path := range b.shown {
		if _, ok := found[path]; !ok {
			found[path] = nil
		}
	}
	for path := range texts {
		if _, ok := found[path]; !ok {
			found[path] = nil
		}
	}
	l.s.found(b, found, texts)
}

// openNames returns the paths by which the editor has opened files, by their paths without links.
func openNames(texts map[string]string) map[string]string {
	names := map[string]string{}
	for path := range texts {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			names[real] = path
		}
	}
	return names
}

// atDirective shows what is wrong with a decision table at the directives that read it, too.
func (s *server) atDirective(found map[string][]diagnostic, folder, table string, d *source.Diagnostic) {
	for _, x := range s.space.in(folder) {
		for _, p := range x.order {
			if p.table == table {
				one := diagnosticOf(d, "", indexLines(""))
				one.Range, one.Message = p.tableAt, fmt.Sprintf("%s:%d: %s", filepath.Base(table), d.Line, d.Message)
				found[x.path] = append(found[x.path], one)
			}
		}
	}
}

// undefinedIn returns the indicator in a message about an undefined predicate.
func undefinedIn(message string) string {
	text, _, _ := strings.Cut(message, " is not defined")
	return text
}

// has reports whether some text has clauses of a predicate or declares it.
func (p *program) has(k key) bool {
	return slices.ContainsFunc(p.files, func(x *fileIndex) bool { return x.has(k) })
}

// absolute returns the absolute path of a file of a load, or "".
func absolute(file string) string {
	if file == "" {
		return ""
	}
	path, err := filepath.Abs(filepath.FromSlash(file))
	if err != nil {
		return ""
	}
	return path
}

// This part defines loads of one text alone. They take milliseconds however large the folder is, and say what can be
// said about a text without the others.

// maxAlone is the size of the largest text that is loaded at each change.
const maxAlone = 1 << 20

// ownCodes are the codes of diagnostics that a text has by itself. An undefined predicate is looked up in the index of
// the other texts.
var ownCodes = []string{"branch", "clause", "condition", "discontiguous", "encoding", "flag", "format", "grammar",
	"ignore", "left_recursion", "multiple", "negation", "not_monotone", "reassigned", "right_recursion", "singleton",
	"style", "syntax", "table", "unbound", "undefined", "unevaluated", "unit"}

// aloneAgain loads the open texts of a folder alone after the others have been indexed. The lock of the server is held.
func (s *server) aloneAgain(folder string) {
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
func (l *loader) alone(ctx context.Context, b *loadedBase, path, text string) (report source.Diagnostics, ok bool) {
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
	var before []source.File
	for _, x := range loadedBefore(files, path) {
		before = append(before, source.File{Name: filepath.ToSlash(x.path), Text: x.header})
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
	report = b.drafts.Alone(ctx, source.File{Name: filepath.ToSlash(path), Text: text}, &kb.Rest{Before: before,
		Stand: stand, Draft: l.s.space.draft,
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
func (s *server) foundAlone(b *loadedBase, path, text string, report source.Diagnostics) {
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
			list = append(list, diagnosticOf(one, d.text, d.lines))
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

func sortDiagnostics(list []diagnostic) {
	slices.SortStableFunc(list, func(a, b diagnostic) int {
		return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line),
			cmp.Compare(a.Range.Start.Character, b.Range.Start.Character))
	})
}
