// Package reuse makes loads incremental: a program that replaces another need not read again what the texts
// of both have in common.
//
// A [Cache] keeps what the last load came to. [Cache.For] returns what a [load.Program] reads its texts with: readers
// around the parser. What is kept takes the place of the parser, of the laying out of clauses, of the compiler
// and of the search for undefined predicates, and of nothing else. Directives are obeyed, and clauses are
// expanded and checked, as if they had just been read.
package reuse

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"sync"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines the cache of texts, and the operators and flags under which a text is read.

// Cache keeps what texts were read as. A text that is as it was is not parsed again, as far as the operators
// and flags that it is read under are as they were. The zero value is empty. Several goroutines
// may use it.
type Cache struct {
	mu     sync.Mutex
	texts  map[string]*text // of the last load, by the name of the source
	parsed []string
	code   int // words
}

// text is what one text was read as. It does not change after the load that made it.
type text struct {
	size    int
	sum     textSum
	items   []item
	lookups []load.Lookup // that the searches in its clauses have made
}

// textSum tells texts apart.
type textSum [sha256.Size]byte

// parsing is what the parser depends on besides the text.
type parsing struct {
	ops   *opsHash
	flags syntax.Flags
}

// opsHash tells operator tables apart.
type opsHash [sha256.Size]byte

// opsState is an operator table at one moment.
type opsState struct {
	ops     *syntax.Ops
	changes int
}

// same reports whether a text is read alike under both.
func (p parsing) same(q parsing) bool {
	return p.flags == q.flags && (p.ops == q.ops || *p.ops == *q.ops)
}

// The most that is kept of a load, in bytes of text: of all texts, and of those parts that are
// kept as terms, which with the places of their parts take many times as much.
const (
	maxTexts = 64 << 20
	maxTerms = 4 << 20
)

// Parsed returns the names of the texts that the last load had to parse because something was
// new, if only in part, in the order of their loading.
func (c *Cache) Parsed() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.parsed)
}

// find returns what a text was read as, or nil.
func (c *Cache) find(name string, size int, sum textSum) *text {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.texts[name]; known != nil && known.size == size && known.sum == sum {
		return known
	}
	return nil
}

// For returns the incremental reading of a program's texts.
func (c *Cache) For(p *load.Program) load.Incremental {
	return &texts{cache: c, program: p, byName: map[string]*text{}, hashes: map[opsState]*opsHash{}}
}

// texts are those that one program has loaded.
type texts struct {
	cache   *Cache
	program *load.Program
	byName  map[string]*text
	parsed  []string
	bytes   int // of the texts
	terms   int // bytes of the parts that are kept as terms
	hashes  map[opsState]*opsHash
	yielder load.Yielder
}

// Begin makes room for the code that the program will have if it is like the one before.
func (t *texts) Begin() {
	t.cache.mu.Lock()
	size := t.cache.code
	t.cache.mu.Unlock()
	t.program.DB().ReserveCode(size)
}

// End puts what the load has come to in the place of what the cache had.
func (t *texts) End() {
	c := t.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	c.texts, c.parsed, c.code = maps.Clone(t.byName), slices.Clone(t.parsed), len(t.program.DB().Code())
}

// Reader returns a reader of a text; nil when there are too many texts to keep it.
func (t *texts) Reader(l *load.Loader, source string) load.Reader {
	if t.bytes+len(source) > maxTexts {
		return nil
	}
	now := &text{size: len(source), sum: sha256.Sum256(bytesOf(source))}
	r := &reader{Loader: l, texts: t, now: now}
	if known := t.cache.find(l.Name(), len(source), now.sum); known != nil {
		r.known = known.items
		now.items = make([]item, 0, len(known.items))
		now.lookups = slices.Clip(known.lookups)
	}
	t.byName[l.Name()] = now
	t.bytes += len(source)
	return r
}

// bytesOf returns the bytes of a text, to be read only.
func bytesOf(source string) []byte { return unsafe.Slice(unsafe.StringData(source), len(source)) }

// parsing returns what a parser depends on at the moment.
func (t *texts) parsing(parser *syntax.Parser) parsing {
	ops, flags := parser.Conditions()
	return parsing{t.hash(ops), flags}
}

// hash returns the hash of the operators that can be seen in a table. Most tables have none of their own.
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

// hashOps returns the hash of the operators of a table and of those of its parents.
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
