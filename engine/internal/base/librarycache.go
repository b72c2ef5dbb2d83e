package base

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/load"
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

// libraryCache is the base with libraries. It is never run and does not change.
type libraryCache struct {
	program   *load.Program
	libraries map[string]*cachedLibrary // by key of [load.Program.Loaded]
}

// cachedLibrary is a library of a cache.
type cachedLibrary struct {
	module string
	ops    []syntax.Op // that it defines in user
	needs  []string    // keys of the libraries that its code calls, and of those that theirs does
}

// cachedLibraries is the cache of the process and what it lacks.
var cachedLibraries struct {
	cache   atomic.Pointer[libraryCache] // nil as long as no library was read twice
	wanting atomic.Bool                  // wanted is not empty
	read    atomic.Int64                 // how many libraries have been read

	mu      sync.Mutex // guards what follows, and changes of the cache
	wanted  []string   // keys of libraries that programs have read
	refused map[string]bool
}

// LibrariesRead returns how many texts of libraries programs of this process have read.
func LibrariesRead() int { return int(cachedLibraries.read.Load()) }

// hiddenLibraries are the libraries that a program began with and has not asked for.
type hiddenLibraries struct {
	program *load.Program
	cache   *libraryCache
	modules map[string]*database.Module // all of the cache, by key
}

// New returns a program without clauses of its own, with the libraries of the cache.
func New() *load.Program {
	if cachedLibraries.wanting.Load() {
		extendLibraryCache()
	}
	h := &hiddenLibraries{cache: cachedLibraries.cache.Load()}
	if h.cache == nil {
		h.program = shared().Clone()
	} else {
		h.program = h.cache.program.Clone()
		h.hide()
	}
	h.program.UseLibraries(h)
	return h.program
}

// hide hides the libraries of the cache and their operators.
func (h *hiddenLibraries) hide() {
	db, loaded := h.program.DB(), h.program.Loaded()
	h.modules = make(map[string]*database.Module, len(h.cache.libraries))
	for key, l := range h.cache.libraries {
		h.modules[key] = db.Hide(l.module)
		delete(loaded, key)
	}
	ops := shared().DB().User().Ops.Clone()
	ops.SetParent(db.System().Ops)
	*db.User().Ops = *ops // other tables point to this one
}

// Read notes that a program has read a library.
func (h *hiddenLibraries) Read(key string) {
	cachedLibraries.read.Add(1)
	cachedLibraries.mu.Lock()
	defer cachedLibraries.mu.Unlock()
	c := cachedLibraries.cache.Load()
	cached := c != nil && c.libraries[key] != nil
	if cached || cachedLibraries.refused[key] || slices.Contains(cachedLibraries.wanted, key) {
		return
	}
	cachedLibraries.wanted = append(cachedLibraries.wanted, key)
	cachedLibraries.wanting.Store(true)
}

// extendLibraryCache loads the libraries that programs have read into a new cache.
func extendLibraryCache() {
	cachedLibraries.mu.Lock()
	defer cachedLibraries.mu.Unlock()
	c := cachedLibraries.cache.Load()
	if c == nil {
		c = &libraryCache{program: shared()}
	}
	if cachedLibraries.refused == nil {
		cachedLibraries.refused = map[string]bool{}
	}
	for _, key := range cachedLibraries.wanted {
		if c.libraries[key] != nil {
			continue
		}
		if next := c.with(key); next != nil {
			c = next
		} else {
			cachedLibraries.refused[key] = true
		}
	}
	cachedLibraries.wanted = nil
	cachedLibraries.wanting.Store(false)
	if c.program != shared() {
		cachedLibraries.cache.Store(c)
	}
}

// with returns a cache with one more library and those that it loads, nil if they cannot be
// kept.
func (c *libraryCache) with(key string) *libraryCache {
	p := c.program.Clone()
	p.Configure(load.Options{Solve: solver(p)})
	p.KeepOpsApart()
	known, clauses := len(p.DB().Preds()), countClauses(p.DB().Preds())
	p.LoadLibrary(strings.TrimPrefix(key, load.LibraryKey))
	p.Seal()
	added := p.OwnOps()
	if !cacheable(p, added, known) || countClauses(p.DB().Preds()[:known]) != clauses {
		return nil
	}
	next := &libraryCache{program: p, libraries: maps.Clone(c.libraries)}
	if next.libraries == nil {
		next.libraries = map[string]*cachedLibrary{}
	}
	for key, ops := range added {
		next.libraries[key] = &cachedLibrary{module: p.Loaded()[key].Name, ops: ops.All()}
	}
	next.findNeeds()
	return next
}

func countClauses(preds []*database.Pred) int {
	n := 0
	for _, pred := range preds {
		n += len(pred.Clauses())
	}
	return n
}

// cacheable reports whether the libraries added, given by their keys, and what was loaded since there
// were known predicates is in modules of the library, and the same for every program.
func cacheable(p *load.Program, added map[string]*syntax.Ops, known int) bool {
	if !p.HasOnlyClauses() {
		return false
	}
	for key := range added {
		if m := p.Loaded()[key]; !m.Library || m == p.DB().System() {
			return false
		}
	}
	for _, pred := range p.DB().Preds()[known:] {
		foreign := pred.Defined() && !pred.Module.Library
		if foreign || pred.Has(database.Dynamic) && len(pred.Clauses()) > 0 {
			return false
		}
	}
	return true
}

// findNeeds finds which libraries the code of each one calls, by its imports and by what it
// gets without import.
func (c *libraryCache) findNeeds() {
	keys := map[*database.Module]string{}
	for key := range c.libraries {
		keys[c.program.Loaded()[key]] = key
	}
	direct := map[string]map[string]bool{}
	for _, pred := range c.program.DB().Preds() {
		key := keys[pred.Module]
		if key == "" || pred.Defined() {
			continue
		}
		if other := c.supplier(pred, keys); other != "" && other != key {
			if direct[key] == nil {
				direct[key] = map[string]bool{}
			}
			direct[key][other] = true
		}
	}
	for key, l := range c.libraries {
		l.needs = closure(key, direct)
	}
}

// supplier returns the key of the library that defines what a library calls, "" if none does.
func (c *libraryCache) supplier(pred *database.Pred, keys map[*database.Module]string) string {
	if t := pred.Imported(); t != nil {
		return keys[t.Module]
	}
	if pred.Module.Resolve(pred.Functor) != nil {
		return ""
	}
	key := load.LibraryKey + lib.Autoload()[lib.Indicator{Name: pred.Name(), Arity: pred.Arity()}]
	return keys[c.program.Loaded()[key]]
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

// Take shows the program a library that it began with. It returns nil when there is
// none, or when it cannot be had because the program has its own module of that name, or of
// that of a library it needs: the library is then read.
func (h *hiddenLibraries) Take(key string) *database.Module {
	if h.modules[key] == nil {
		return nil
	}
	db, loaded := h.program.DB(), h.program.Loaded()
	needs := h.cache.libraries[key].needs
	modules := make([]*database.Module, len(needs))
	for i, need := range needs {
		modules[i] = h.modules[need]
		if m, ok := loaded[need]; ok && m != modules[i] {
			return nil
		}
	}
	if !db.Reveal(modules) {
		return nil
	}
	for i, need := range needs {
		if loaded[need] != nil {
			continue
		}
		loaded[need] = modules[i]
		for _, op := range h.cache.libraries[need].ops {
			db.User().Ops.Add(op.Priority, op.Type, op.Name)
		}
	}
	return h.modules[key]
}
