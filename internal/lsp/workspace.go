package lsp

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/format"
)

// This file defines the index of all files of a knowledge base, and how uses lead to definitions.

// workspace has the indexes of files. Its methods may be called from any goroutine.
type workspace struct {
	mu    sync.Mutex
	files map[string]*fileIndex
	// overlaid are the files that the editor has open. Their texts on the disk are not indexed.
	overlaid map[string]string
	metas    map[key]string // of the files
	listed   map[string]bool

	listing sync.Mutex // held while a folder is listed
}

func newWorkspace() *workspace {
	return &workspace{files: map[string]*fileIndex{}, overlaid: map[string]string{}, metas: map[key]string{},
		listed: map[string]bool{}}
}

// maxFiles bounds the files of a workspace that are indexed. Whoever opens a home folder gets the first ones.
const maxFiles = 20_000

// meta says which arguments of a predicate are goals.
func (w *workspace) meta(name string, arity int) string {
	w.mu.Lock()
	meta, ok := w.metas[key{name, arity}]
	w.mu.Unlock()
	if ok {
		return meta
	}
	return inspect.Meta(name, arity)
}

// open sets the text of a file that the editor has.
func (w *workspace) open(path, text string) {
	w.overlay(path, text)
	w.index(path, text)
}

// overlay sets the text of a file that the editor has, without indexing it.
func (w *workspace) overlay(path, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.overlaid[path] = text
}

// index indexes the text of a file that the editor has, if it still is that.
func (w *workspace) index(path, text string) {
	x := indexText(path, text, w.meta, w.textOf)
	w.mu.Lock()
	defer w.mu.Unlock()
	if now, open := w.overlaid[path]; open && now == text {
		w.put(x)
	}
}

func (w *workspace) put(x *fileIndex) {
	w.files[x.path] = x
	maps.Copy(w.metas, x.metas)
}

// draft returns the text of a file that the editor has open.
func (w *workspace) draft(path string) (string, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text, ok := w.overlaid[absolute(path)]
	return text, ok
}

// textOf returns the text of a file as the editor or the disk has it.
func (w *workspace) textOf(path string) (string, bool) {
	if text, ok := w.draft(path); ok {
		return text, true
	}
	path = filepath.FromSlash(path)
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > format.MaxBytes {
		return "", false
	}
	data, err := os.ReadFile(path)
	return string(data), err == nil
}

// close makes the text on the disk count again.
func (w *workspace) close(path string) {
	w.mu.Lock()
	delete(w.overlaid, path)
	w.mu.Unlock()
	w.refresh(path)
}

// refresh reads a file again.
func (w *workspace) refresh(path string) {
	w.mu.Lock()
	_, open := w.overlaid[path]
	w.mu.Unlock()
	if open {
		return
	}
	text, ok := w.textOf(path)
	if !ok {
		w.mu.Lock()
		delete(w.files, path)
		w.mu.Unlock()
		return
	}
	x := indexText(path, text, w.meta, w.textOf)
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, open := w.overlaid[path]; !open {
		w.put(x)
	}
}

// list indexes the files of a folder, once, and reports whether it did. It stops when done reports true, and waits for
// another that lists.
func (w *workspace) list(folder string, done func() bool) bool {
	w.listing.Lock()
	defer w.listing.Unlock()
	if w.isListed(folder) {
		return false
	}
	metas := w.countMetas()
	files := programsBelow(folder)
	w.refreshAll(files, done)
	if w.countMetas() > metas { // files that were indexed before may use them
		w.refreshAll(files, done)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.listed[folder] = true
	return true
}

// isListed reports whether the files of a folder are indexed.
func (w *workspace) isListed(folder string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.listed[folder]
}

// refreshAll reads files again, on all processors.
func (w *workspace) refreshAll(files []string, done func() bool) {
	var group sync.WaitGroup
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for !done() {
				i := int(next.Add(1)) - 1
				if i >= len(files) {
					return
				}
				w.refresh(files[i])
			}
		})
	}
	group.Wait()
}

// countMetas returns how many predicates of the files take goals.
func (w *workspace) countMetas() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.metas)
}

// programsBelow lists rules and tests below a folder.
func programsBelow(folder string) (files []string) {
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case path != folder && d.IsDir() && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return fs.SkipDir
		case len(files) >= maxFiles:
			return fs.SkipAll
		case !d.IsDir() && isProgram(path) && !strings.HasPrefix(d.Name(), "."):
			files = append(files, path)
		}
		return nil
	})
	return files
}

func isProgram(path string) bool {
	ext := filepath.Ext(path)
	return ext == ".pl" || ext == ".plt"
}

// baseOf returns the folder of the knowledge base that a file belongs to: the topmost folder, within the roots of the
// workspace, that has rules or mcplogic.json in it.
func baseOf(path string, roots []string) string {
	folder := filepath.Dir(path)
	var root string
	for _, r := range roots {
		if (folder == r || strings.HasPrefix(folder, strings.TrimSuffix(r, string(filepath.Separator))+
			string(filepath.Separator))) && len(r) > len(root) {
			root = r
		}
	}
	base := folder
	for at := folder; root != "" && len(at) >= len(root); at = filepath.Dir(at) {
		if holdsRules(at) {
			base = at
		}
		if filepath.Dir(at) == at {
			break
		}
	}
	return base
}

// holdsRules reports whether a folder itself has rules in it.
func holdsRules(folder string) bool {
	entries, err := os.ReadDir(folder)
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return !e.IsDir() && (filepath.Ext(e.Name()) == ".pl" || e.Name() == "mcplogic.json")
	})
}

// in returns the indexes of the files below a folder, by path.
func (w *workspace) in(folder string) []*fileIndex {
	w.mu.Lock()
	defer w.mu.Unlock()
	prefix := strings.TrimSuffix(folder, string(filepath.Separator)) + string(filepath.Separator)
	var list []*fileIndex
	for path, x := range w.files {
		if strings.HasPrefix(path, prefix) {
			list = append(list, x)
		}
	}
	slices.SortFunc(list, func(a, b *fileIndex) int { return strings.Compare(a.path, b.path) })
	return list
}

func (w *workspace) file(path string) *fileIndex {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.files[path]
}

// program is the files of a knowledge base together, as they are at one moment.
type program struct {
	files []*fileIndex
	// defined has the files that define a predicate, by module.
	defined map[key]map[string][]*fileIndex
}

// program returns the knowledge base that a file belongs to.
func (s *server) program(path string) *program {
	p := &program{files: s.space.in(baseOf(path, s.roots)), defined: map[key]map[string][]*fileIndex{}}
	if x := s.space.file(path); x != nil && !slices.Contains(p.files, x) {
		p.files = append(p.files, x)
	}
	return p
}

// indexedProgram returns the knowledge base that a file belongs to when all its files have been indexed. Answers that
// have to name each place need that. The lock of the server is held.
func (s *server) indexedProgram(path string) *program {
	folder := baseOf(path, s.roots)
	if isFile(path) && s.space.list(folder, func() bool { return s.ctx.Err() != nil }) {
		s.aloneAgain(folder)
	}
	return s.program(path)
}

// definitions returns the files that define a predicate, by module.
func (p *program) definitions(k key) map[string][]*fileIndex {
	if found, ok := p.defined[k]; ok {
		return found
	}
	found := map[string][]*fileIndex{}
	for _, x := range p.files {
		if one := x.preds[k]; one != nil && (one.clauses > 0 || !k.isLabel()) {
			found[x.module] = append(found[x.module], x)
		}
	}
	p.defined[k] = found
	return found
}

// resolve returns the module whose predicate a use in a file leads to, "" if no file defines it.
func (p *program) resolve(x *fileIndex, u *use) string {
	found := p.definitions(u.key)
	if u.module != "" {
		if _, ok := found[u.module]; ok {
			return u.module
		}
		return ""
	}
	if _, ok := found[x.module]; ok {
		return x.module
	}
	best := ""
	for module, files := range found {
		exported := slices.ContainsFunc(files, func(f *fileIndex) bool { return f.exports[u.key] })
		if (exported || module == "user") && (best == "" || module < best) {
			best = module
		}
	}
	return best
}

// useAt returns the use at a place of a file, or nil.
func (x *fileIndex) useAt(p position) *use {
	for i := range x.uses {
		if u := &x.uses[i]; within(u.span, p) {
			return u
		}
	}
	return nil
}

// within reports whether a place is in a range, its end included.
func within(s span, p position) bool { return !precedes(p, s.Start) && !precedes(s.End, p) }

func precedes(a, b position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}

func indicator(name string, arity int) string {
	return fmt.Sprintf("%s/%d", engine.FormatTerm(term.Atom(name)), arity)
}

var _ source.Metas = (*workspace)(nil).meta
