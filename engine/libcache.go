package engine

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines how libraries are kept compiled, so that a program does not read again what
// another program of the process has read before it.
//
// The library that a program reads is loaded once more, beside all programs, when the next one
// is made: a process with one program pays nothing. Later programs begin as clones of the
// result, in which the modules of libraries are hidden until the program asks for them. What a
// library does to other modules than its own cannot be hidden; the few that do something are
// read each time.

// shelf is the base with libraries, which is never run, and what it holds.
type shelf struct {
	program   *Program
	libraries map[string]*keptLibrary // by key of Program.loaded
}

// keptLibrary is a library of a shelf.
type keptLibrary struct {
	module string
	ops    []syntax.Op // that it defines in user
	needs  []string    // keys of the libraries that its code calls, and of those that theirs does
}

// kept is the shelf of the process, nil as long as no library was read twice.
var kept struct {
	shelf atomic.Pointer[shelf]
	news  atomic.Bool  // wanted is not empty
	read  atomic.Int64 // how many libraries have been read

	mu      sync.Mutex // guards what follows, and changes of the shelf
	wanted  []string   // keys of libraries that programs have read
	refused map[string]bool
}

// hiddenLibraries are the libraries that a program was born with and has not asked for.
type hiddenLibraries struct {
	shelf   *shelf
	modules map[string]*database.Module // all of the shelf, by key
}

// newborn returns a program without clauses, with the libraries of the shelf.
func newborn() *Program {
	if kept.news.Load() {
		extendShelf()
	}
	s := kept.shelf.Load()
	if s == nil {
		if p := firstProgram(); p != nil {
			return p
		}
		return base().clone()
	}
	p := s.program.clone()
	p.hidden = hiddenLibraries{s, make(map[string]*database.Module, len(s.libraries))}
	for key, l := range s.libraries {
		p.hidden.modules[key] = p.db.Hide(l.module)
		delete(p.loaded, key)
	}
	ops := base().db.User().Ops.Clone()
	ops.SetParent(p.db.System().Ops)
	*p.db.User().Ops = *ops // other tables point to this one
	return p
}

// wantLibrary notes that a program has read a library.
func wantLibrary(key string) {
	kept.read.Add(1)
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if s := kept.shelf.Load(); s != nil && s.libraries[key] != nil || kept.refused[key] || slices.Contains(kept.wanted, key) {
		return
	}
	kept.wanted = append(kept.wanted, key)
	kept.news.Store(true)
}

// extendShelf loads the libraries that programs have read onto a new shelf.
func extendShelf() {
	kept.mu.Lock()
	defer kept.mu.Unlock()
	s := kept.shelf.Load()
	if s == nil {
		s = &shelf{program: base()}
	}
	if kept.refused == nil {
		kept.refused = map[string]bool{}
	}
	for _, key := range kept.wanted {
		if s.libraries[key] != nil {
			continue
		}
		if next := s.with(key); next != nil {
			s = next
		} else {
			kept.refused[key] = true
		}
	}
	kept.wanted = nil
	kept.news.Store(false)
	if s.program != base() {
		kept.shelf.Store(s)
	}
}

// with returns a shelf with one more library and those that it loads, nil if they cannot be
// kept.
func (s *shelf) with(key string) *shelf {
	p := s.program.clone()
	p.shelving = map[string]*syntax.Ops{}
	known, clauses := len(p.db.Preds()), countClauses(p.db.Preds())
	p.loadLibrary(key[len(libraryKey):])
	p.seal()
	if !p.keepable(known) || countClauses(p.db.Preds()[:known]) != clauses {
		return nil
	}
	next := &shelf{program: p, libraries: maps.Clone(s.libraries)}
	if next.libraries == nil {
		next.libraries = map[string]*keptLibrary{}
	}
	for key, ops := range p.shelving {
		next.libraries[key] = &keptLibrary{module: p.loaded[key].Name, ops: ops.All()}
	}
	next.findNeeds()
	p.shelving = nil
	return next
}

func countClauses(preds []*database.Pred) int {
	n := 0
	for _, pred := range preds {
		n += len(pred.Clauses())
	}
	return n
}

// keepable reports whether what was loaded since there were known predicates is in modules
// of the library, and the same for every program.
func (p *Program) keepable(known int) bool {
	if len(p.diagnostics)+len(p.declarations)+len(p.initGoals)+len(p.layouts) > 0 {
		return false
	}
	for _, m := range p.shelvedModules() {
		if !m.Library || m == p.db.System() {
			return false
		}
	}
	for _, pred := range p.db.Preds()[known:] {
		foreign := pred.Defined() && !pred.Module.Library
		if foreign || pred.Has(database.Dynamic) && len(pred.Clauses()) > 0 {
			return false
		}
	}
	return true
}

// shelvedModules are the modules that the shelf being made gets.
func (p *Program) shelvedModules() []*database.Module {
	var list []*database.Module
	for key := range p.shelving {
		list = append(list, p.loaded[key])
	}
	return list
}

// findNeeds finds which libraries the code of each one calls, by its imports and by what it
// gets without import.
func (s *shelf) findNeeds() {
	keys := map[*database.Module]string{}
	for key := range s.libraries {
		keys[s.program.loaded[key]] = key
	}
	direct := map[string]map[string]bool{}
	for _, pred := range s.program.db.Preds() {
		key := keys[pred.Module]
		if key == "" || pred.Defined() {
			continue
		}
		if other := s.supplier(pred, keys); other != "" && other != key {
			if direct[key] == nil {
				direct[key] = map[string]bool{}
			}
			direct[key][other] = true
		}
	}
	for key, l := range s.libraries {
		l.needs = closure(key, direct)
	}
}

// supplier returns the key of the library that defines what a library calls, "" if none does.
func (s *shelf) supplier(pred *database.Pred, keys map[*database.Module]string) string {
	if t := pred.Imported(); t != nil {
		return keys[t.Module]
	}
	if pred.Module.Resolve(pred.Functor) != nil {
		return ""
	}
	key := libraryKey + lib.Autoload()[lib.Indicator{Name: pred.Name(), Arity: pred.Arity()}]
	return keys[s.program.loaded[key]]
}

// closure returns key and all that can be reached from it.
func closure(key string, direct map[string]map[string]bool) []string {
	seen := map[string]bool{key: true}
	list := []string{key}
	for i := 0; i < len(list); i++ {
		for _, other := range slices.Sorted(maps.Keys(direct[list[i]])) {
			if !seen[other] {
				seen[other] = true
				list = append(list, other)
			}
		}
	}
	return list
}

// takeLibrary shows the program a library that it was born with. It returns nil when there is
// none, or when it cannot be had because the program has its own module of that name, or of
// that of a library it needs: the library is then read.
func (p *Program) takeLibrary(key string) *database.Module {
	h := p.hidden
	if h.modules[key] == nil {
		return nil
	}
	needs := h.shelf.libraries[key].needs
	modules := make([]*database.Module, len(needs))
	for i, need := range needs {
		modules[i] = h.modules[need]
		if m, ok := p.loaded[need]; ok && m != modules[i] {
			return nil
		}
	}
	if !p.db.Reveal(modules) {
		return nil
	}
	for i, need := range needs {
		if p.loaded[need] != nil {
			continue
		}
		p.loaded[need] = modules[i]
		for _, op := range h.shelf.libraries[need].ops {
			p.db.User().Ops.Add(op.Priority, op.Type, op.Name)
		}
	}
	return h.modules[key]
}

// libraryOwner returns the module that is given the operators of a library: user, or one that
// only keeps them apart.
func (p *Program) libraryOwner(key string) *database.Module {
	if p.shelving == nil {
		return p.db.User()
	}
	owner := &database.Module{Ops: syntax.NewOps(nil), Flags: p.db.User().Flags}
	p.shelving[key] = owner.Ops
	return owner
}
