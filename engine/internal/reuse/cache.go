// Package reuse makes loads incremental: a program that replaces another does not parse and compile again what their
// texts have in common.
//
// A [Cache] holds the results of the last load. [Cache.For] returns the incremental readers for a [load.Program].
// Cached results replace four steps: parsing, laying out clauses, compiling, and searching for undefined predicates.
// They replace nothing else. Directives run, and clauses are expanded and checked, as if they had just been parsed.
package reuse

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines the cache of texts, and the operators and flags that the parser depends on.

// Cache holds the results of the last load. A text that has not changed is not parsed again, as long as the operators
// and flags of the parser have not changed either. The zero value is an empty cache. Several goroutines may use a
// Cache at the same time.
type Cache struct {
	mu     sync.Mutex
	texts  map[string]*text // of the last load, by the name of the source
	facts  map[load.FactsKey]*load.Facts
	parsed []string
	code   int // size of the program's code, in words
	limit  int // 0: maxCached
}

// text is the result of loading one text. It does not change after the load that made it.
type text struct {
	size    int
	sum     textSum
	items   []item
	lookups []load.Lookup // of the searches in its clauses
}

// textSum is the hash of a text.
type textSum [sha256.Size]byte

// parsing holds what the parser depends on besides the text.
type parsing struct {
	ops        *opsHash
	flags      syntax.Flags
	restricted bool
}

// opsHash is the hash of an operator table.
type opsHash [sha256.Size]byte

// opsState is an operator table at one moment.
type opsState struct {
	ops     *syntax.Ops
	changes int
}

// same reports whether both parse a text in the same way.
func (p parsing) same(q parsing) bool {
	return p.flags == q.flags && p.restricted == q.restricted && (p.ops == q.ops || *p.ops == *q.ops)
}

// The limits of a cache, in bytes of text: for the parts that are cached, and for those of them that are cached as
// terms, which take with their layouts many times as much memory as their text. A fact in an array counts as factCost
// whatever its text: its cells are shared with the program, so that it costs its place only. A load that looks for
// mistakes keeps the terms of clauses too, for which lintCost times their text is counted.
const (
	maxCached = 64 << 20
	maxTerms  = 4 << 20
	factCost  = 8
	lintCost  = 3
)

// Parsed returns the names of the texts that the last load parsed at least in part, in the order of loading.
func (c *Cache) Parsed() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.parsed)
}

// find returns the cached result of a text, or nil.
func (c *Cache) find(name string, size int, sum textSum) *text {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.texts[name]; known != nil && known.size == size && known.sum == sum {
		return known
	}
	return nil
}

// For returns the incremental readers for a program.
func (c *Cache) For(p *load.Program) load.Incremental {
	return &texts{cache: c, program: p, limit: cmp.Or(c.limit, maxCached), byName: map[string]*text{},
		facts: map[load.FactsKey]*load.Facts{}, hashes: map[opsState]*opsHash{}}
}

// texts are the texts that one program has loaded.
type texts struct {
	cache   *Cache
	program *load.Program
	byName  map[string]*text
	facts   map[load.FactsKey]*load.Facts
	parsed  []string
	cached  int // what the cache takes, see maxCached
	limit   int // of cached
	terms   int // size of the parts that are cached as terms
	hashes  map[opsState]*opsHash
	yielder load.Yielder
}

// Begin reserves space for as much code as the last program had.
func (t *texts) Begin() {
	t.cache.mu.Lock()
	size := t.cache.code
	t.cache.mu.Unlock()
	t.program.DB().ReserveCode(size)
}

// End replaces the contents of the cache with the results of this load.
func (t *texts) End() {
	c := t.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	c.texts, c.parsed, c.code = maps.Clone(t.byName), slices.Clone(t.parsed), len(t.program.DB().Code())
	c.facts = maps.Clone(t.facts)
}

// Facts returns the facts that the last load kept under a key, or nil. They are kept for the next load too.
func (t *texts) Facts(key load.FactsKey) *load.Facts {
	t.cache.mu.Lock()
	known := t.cache.facts[key]
	t.cache.mu.Unlock()
	if known != nil {
		t.facts[key] = known
	}
	return known
}

// KeepFacts keeps facts for the next load. Their cells are shared with the programs, so that they cost the list of
// their places only.
func (t *texts) KeepFacts(key load.FactsKey, f *load.Facts) {
	t.facts[key] = f
	t.parsed = append(t.parsed, key.File)
}

// Reader returns a reader of a text. It returns nil if the text is larger than bookmarks can tell.
func (t *texts) Reader(l *load.Loader, source string) load.Reader {
	if len(source) > math.MaxInt32 {
		return nil
	}
	now := &text{size: len(source), sum: sha256.Sum256(arrays.Bytes(source))}
	r := &reader{Loader: l, texts: t, now: now}
	if known := t.cache.find(l.Name(), len(source), now.sum); known != nil {
		r.known = known.items
		now.items = make([]item, 0, len(known.items))
		now.lookups = slices.Clip(known.lookups)
	}
	t.byName[l.Name()] = now
	return r
}

// bytesOf returns the bytes of a text without copying them. They must not be changed.

// parsing returns the operators and flags that a parser depends on now.
func (t *texts) parsing(l *load.Loader) parsing {
	ops, flags := l.Parser().Conditions()
	return parsing{t.hash(ops), flags, l.Restricted()}
}

// hash returns the hash of the operators of a table and its parents. A table without operators of its own has the hash
// of its parent.
func (t *texts) hash(ops *syntax.Ops) *opsHash {
	state := opsState{ops, ops.Changes()}
	hash := t.hashes[state]
	if hash != nil {
		return hash
	}
	own, parent := ops.Own(), &opsHash{}
	if ops.Parent() != nil {
		parent = t.hash(ops.Parent())
	}
	if hash = parent; len(own) > 0 {
		hash = hashOps(own, parent)
	}
	t.hashes[state] = hash
	return hash
}

// hashOps returns the hash of operators and of the hash of the parent table.
func hashOps(own []syntax.Op, parent *opsHash) *opsHash {
	sum := sha256.New()
	sum.Write(parent[:])
	for _, op := range own {
		fmt.Fprintf(sum, "%d %s %q\n", op.Priority, op.Type, op.Name)
	}
	h := &opsHash{}
	sum.Sum(h[:0])
	return h
}
