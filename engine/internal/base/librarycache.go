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

// This file defines the library cache: the compiled libraries that programs of the process have read.
//
// When a program has read a library, the next New loads that library into the cache. A process with one program pays
// nothing for the cache. Later programs are clones of the program in the cache. In a clone the modules of libraries are
// hidden until the program uses them. Clauses for other modules cannot be hidden; they are a text of their own, the
// hooks of a library, which is read each time.

// libraryCache is the base with libraries. Its program never runs, and a cache does not change: a new one replaces it.
type libraryCache struct {
	program   *load.Program
	libraries map[string]*cachedLibrary // by key of [load.Program.Loaded]
}

// cachedLibrary is a library of a cache.
type cachedLibrary struct {
	module string
	ops    []syntax.Op // operators that the library defines in user
	needs  []string    // keys of the libraries that its code calls, directly or through other libraries
}

// cachedLibraries is the library cache of the process, and the libraries to be added to it.
var cachedLibraries struct {
	cache   atomic.Pointer[libraryCache] // nil until the first library is added
	wanting atomic.Bool                  // wanted is not empty
	read    atomic.Int64                 // the number of libraries that were read

	mu      sync.Mutex // guards what follows, and changes of the cache
	wanted  []string   // keys of the libraries to be added
	refused map[string]bool
}

// LibrariesRead returns how many libraries the programs of this process have read, from their texts or images.
func LibrariesRead() int { return int(cachedLibraries.read.Load()) }

// hiddenLibraries are the cached libraries that a program has not used yet.
type hiddenLibraries struct {
	program *load.Program
	cache   *libraryCache
	modules map[string]*database.Module // of all cached libraries, by key
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

// Read records that a program has read a library, from its text or image.
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

// mostCached bounds the cache, since each program is a copy of it. When the cache has more than mostCached times the
// predicates of the base, a new one begins with the libraries that are wanted next.
const mostCached = 3

// extendLibraryCache replaces the cache with one that also has the wanted libraries.
func extendLibraryCache() {
	cachedLibraries.mu.Lock()
	defer cachedLibraries.mu.Unlock()
	c := cachedLibraries.cache.Load()
	empty := &libraryCache{program: shared()}
	if c == nil {
		c = empty
	}
	if cachedLibraries.refused == nil {
		cachedLibraries.refused = map[string]bool{}
	}
	for _, key := range cachedLibraries.wanted {
		if c.libraries[key] != nil {
			continue
		}
		if len(c.program.DB().Preds()) > mostCached*len(shared().DB().Preds()) {
			c = empty
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

// with returns a cache that also has a library and the libraries that it loads. It returns nil if they cannot be
// cached.
func (c *libraryCache) with(key string) *libraryCache {
	if next := c.withImages(key); next != nil {
		return next
	}
	next, _ := c.withText(key) // each program that uses the library reports the error
	return next
}

// withImages is with for a library that has an image. It returns nil for others.
func (c *libraryCache) withImages(key string) *libraryCache {
	l := libraryImages()[key]
	if l == nil {
		return nil
	}
	p := c.program.Clone()
	p.Configure(load.Options{Solve: solver(p)})
	missing := slices.DeleteFunc(slices.Clone(l.needs), func(need string) bool { return c.libraries[need] != nil })
	if !addImages(p, missing) {
		return nil
	}
	p.Seal()
	next := c.grown(p)
	for _, need := range missing {
		next.libraries[need] = &cachedLibrary{module: p.Loaded()[need].Name, ops: libraryImages()[need].ops}
	}
	next.findNeeds()
	return next
}

// withText is with for a library whose text is read. The error is that of the text.
func (c *libraryCache) withText(key string) (next *libraryCache, err error) {
	p := c.program.Clone()
	p.Configure(load.Options{Solve: solver(p)})
	p.KeepOpsApart()
	known, clauses := len(p.DB().Preds()), countClauses(p.DB().Preds())
	p.LoadLibrary(strings.TrimPrefix(key, load.LibraryKey))
	p.Seal()
	added := p.OwnOps()
	if !cacheable(p, added, known) || countClauses(p.DB().Preds()[:known]) != clauses {
		return nil, p.Diagnostics().Err()
	}
	next = c.grown(p)
	for key, ops := range added {
		next.libraries[key] = &cachedLibrary{module: p.Loaded()[key].Name, ops: ops.All()}
	}
	next.findNeeds()
	return next, p.Diagnostics().Err()
}

// grown returns a cache with the same libraries whose program is p. What is noted of them is copied: findNeeds changes
// it, and programs use the cache of before.
func (c *libraryCache) grown(p *load.Program) *libraryCache {
	next := &libraryCache{program: p, libraries: make(map[string]*cachedLibrary, len(c.libraries))}
	for key, l := range c.libraries {
		own := *l
		next.libraries[key] = &own
	}
	return next
}

func countClauses(preds []*database.Pred) int {
	n := 0
	for _, pred := range preds {
		n += len(pred.Clauses())
	}
	return n
}

// cacheable reports whether the added libraries, given by their keys, can be cached: all that they define is in modules
// of the library and is the same for every program. The predicates after the first known ones are theirs.
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

// findNeeds sets the needs of each library. Its code calls other libraries through imports and by autoloading.
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

// supplier returns the key of the library that defines a predicate which a library calls, or "".
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

// closure returns key and all keys that can be reached from it.
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

// Take adds a library to the program and returns its module. The library is cached, or else has an image. Take returns
// nil if it is neither, or if the program has a module of its own with the name of the library or of one that it needs.
// The program then reads the library.
func (h *hiddenLibraries) Take(key string) *database.Module {
	if m := h.reveal(key); m != nil || !h.addImages(key) {
		return m
	}
	h.Read(key)
	return h.program.Loaded()[key]
}

// addImages adds a library and those that it needs to the program from the cache and from their images. It returns
// false if that is not possible.
func (h *hiddenLibraries) addImages(key string) bool {
	l := libraryImages()[key]
	if l == nil {
		return false
	}
	db, loaded := h.program.DB(), h.program.Loaded()
	var missing []string
	for _, need := range l.needs {
		switch m, ok := loaded[need]; {
		case ok && m == db.System():
			return false // the program is reading it
		case !ok && h.reveal(need) == nil:
			missing = append(missing, need)
		}
	}
	if !addImages(h.program, missing) {
		return false
	}
	for _, need := range missing {
		h.program.AddLibraryOps(libraryImages()[need].ops)
	}
	h.loadHooks(missing)
	return true
}

// reveal reveals a cached library in the program and returns its module. It returns nil if the library is not cached,
// or if the program has a module of its own with the name of the library or of one that it needs.
func (h *hiddenLibraries) reveal(key string) *database.Module {
	if h.modules[key] == nil {
		return nil
	}
	db, loaded := h.program.DB(), h.program.Loaded()
	needs := h.cache.libraries[key].needs
	hidden := make([]*database.Module, len(needs))
	for i, need := range needs {
		hidden[i] = h.modules[need]
		if m, ok := loaded[need]; ok && m != hidden[i] {
			return nil
		}
	}
	if !db.Reveal(hidden) {
		return nil
	}
	var revealed []string
	for i, need := range needs {
		if loaded[need] != nil {
			continue
		}
		loaded[need] = hidden[i]
		h.program.AddLibraryOps(h.cache.libraries[need].ops)
		revealed = append(revealed, need)
	}
	h.loadHooks(revealed)
	return h.modules[key]
}

// loadHooks adds the hooks of libraries that the program has taken.
func (h *hiddenLibraries) loadHooks(keys []string) {
	for _, key := range keys {
		h.program.LoadHooks(key)
	}
}
