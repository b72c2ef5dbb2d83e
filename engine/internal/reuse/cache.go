// Package reuse makes loads incremental. A program that replaces another one does not parse and compile again the
// parts that their texts share.
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
	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/flow"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
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
	// inferred holds the values that arguments can have, if the last load searched for mistakes.
	inferred flow.Memory
}

// text is the result of loading one text. It does not change after the load that made it.
type text struct {
	size    int
	sum     textSum
	items   []item
	lookups []load.Lookup // the lookups of the searches in its clauses
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

// The limits of a cache, in bytes of text. maxCached bounds all cached parts. maxTerms bounds the parts that are
// cached as terms: with their layouts these take many times as much memory as their text. A fact in an array counts
// as factCost, whatever its text, because the program shares its cells and only its place takes memory. A load that
// searches for mistakes also keeps the terms of clauses. They count as lintCost times their text.
const (
	maxCached = 64 << 20
	maxTerms  = 4 << 20
	factCost  = 8
	lintCost  = 3
)

// Parsed returns the names of the texts that the last load parsed, wholly or in part, in the order of loading.
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

// For returns the incremental readers of a cache for a program.
func For(c *Cache, p *load.Program) load.Incremental {
	return &texts{cache: c, program: p, limit: cmp.Or(c.limit, maxCached), byName: map[string]*text{},
		facts: map[load.FactsKey]*load.Facts{}, hashes: map[opsState]*opsHash{}}
}

// texts holds the texts that one program has loaded.
type texts struct {
	cache   *Cache
	program *load.Program
	byName  map[string]*text
	facts   map[load.FactsKey]*load.Facts
	parsed  []string
	cached  int // the size of the cached parts, see maxCached
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

// Inferred returns the values that were inferred for the last program.
func (t *texts) Inferred() *flow.Memory { return &t.cache.inferred }

// Facts returns the facts that the last load kept under a key, or nil.
func (t *texts) Facts(key load.FactsKey) *load.Facts {
	t.cache.mu.Lock()
	defer t.cache.mu.Unlock()
	return t.cache.facts[key]
}

// KeepFacts keeps the facts of a file for the next load. The programs share their cells, so only the list of their
// places takes memory.
func (t *texts) KeepFacts(key load.FactsKey, f *load.Facts) {
	t.facts[key] = f
	if f != t.Facts(key) {
		t.parsed = append(t.parsed, key.File)
	}
}

// Reader returns a reader of a text. It returns nil if the text is too large for bookmarks.
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

// This part defines the cached result of the search for undefined predicates in a body. The result holds as long as all
// lookups of the search have the same answers.

// bodySearch is the result of the search in the body of a clause of a run. It does not change after the load that made
// it.
type bodySearch struct {
	// done says that the body was searched and all predicates that it calls are defined. lookups and asserts are set
	// only then.
	done    bool
	lookups []int32 // numbers of lookups of the text
	asserts []string
	// places is the layout of the body. It is nil if the body of the clause is not the one that was read.
	places []packedPlace
}

// clauseSearch is the [load.Search] of the body of a clause of a run.
type clauseSearch struct {
	r            *reader
	item, clause int
}

var _ load.Search = clauseSearch{}

// searchOf returns the search in clause i of the last run.
func (r *reader) searchOf(clause int) clauseSearch {
	return clauseSearch{r, len(r.now.items) - 1, clause}
}

func (s clauseSearch) entry() *runClause { return &s.r.now.items[s.item].run.clauses[s.clause] }

// Known returns the predicates that the body asserts. ok is false if the body must be searched.
func (s clauseSearch) Known(holds func(load.Lookup) bool) (asserts []string, ok bool) {
	b := s.entry().search
	if !b.done {
		return nil, false
	}
	for _, n := range b.lookups {
		if !s.r.searches.holds(s.r.now, n, holds) {
			return nil, false
		}
	}
	return b.asserts, true
}

// Body returns the body of the clause.
func (s clauseSearch) Body() body.Part {
	k := s.entry()
	return body.Part{Term: skeleton(k.template.Body()), Layout: unpackLayout(k.search.places)}
}

// Keep caches the result of a search in the body.
func (s clauseSearch) Keep(lookups []load.Lookup, asserts []string) {
	b := &bodySearch{done: true, asserts: slices.Clone(asserts), places: s.entry().search.places}
	for _, l := range lookups {
		if n := s.r.searches.number(s.r.now, l); !slices.Contains(b.lookups, n) {
			b.lookups = append(b.lookups, n)
		}
	}
	b.lookups = slices.Clip(b.lookups)
	s.r.now.items[s.item].ownRun().clauses[s.clause].search = b
}

// searches holds the lookups of the searches in one text.
type searches struct {
	numbers map[load.Lookup]int32 // made for the first new lookup
	states  []lookupState         // by number; grown on demand
}

// lookupState says whether a lookup still has the same answer.
type lookupState int8

const (
	lookupFails lookupState = iota - 1
	lookupUnknown
	lookupHolds
)

// state returns a pointer to the state of a lookup of the text.
func (s *searches) state(t *text, n int32) *lookupState {
	if missing := len(t.lookups) - len(s.states); missing > 0 {
		s.states = append(s.states, make([]lookupState, missing)...)
	}
	return &s.states[n]
}

// holds reports whether lookup n of a text still has the same answer.
func (s *searches) holds(t *text, n int32, ask func(load.Lookup) bool) bool {
	state := s.state(t, n)
	if *state == lookupUnknown {
		*state = lookupFails
		if ask(t.lookups[n]) {
			*state = lookupHolds
		}
	}
	return *state == lookupHolds
}

// number returns the number of a lookup that has just been made, and marks its answer as valid.
func (s *searches) number(t *text, l load.Lookup) int32 {
	if s.numbers == nil {
		s.numbers = map[load.Lookup]int32{}
		for i, known := range t.lookups {
			s.numbers[known] = int32(i)
		}
	}
	n, ok := s.numbers[l]
	if !ok {
		n = int32(len(t.lookups))
		s.numbers[l] = n
		t.lookups = append(t.lookups, l)
	}
	*s.state(t, n) = lookupHolds
	return n
}

// skeleton returns a term with 0 for each number and string. A search does not need their values.
func skeleton(cells []code.Cell, root code.Cell) term.Term {
	var out term.Term
	type task struct {
		from code.Cell
		to   *term.Term
	}
	stack := []task{{root, &out}}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		functor, first := term.Atom(term.Dot), t.from.Addr()
		arity := 2
		switch t.from.Tag() {
		case code.Atom:
			*t.to = term.Atom(code.AtomText(t.from.Atom()))
			continue
		case code.Str:
			f := cells[first]
			functor, arity, first = term.Atom(code.AtomText(f.FunctorAtom())), f.FunctorArity(), first+1
		case code.Lst:
		case code.Att:
			*t.to = term.NewVar("")
			continue
		default:
			*t.to = term.Int(0)
			continue
		}
		c := &term.Compound{Functor: functor, Args: make([]term.Term, arity)}
		*t.to = c
		for i := arity - 1; i >= 0; i-- {
			stack = append(stack, task{cells[first+i], &c.Args[i]})
		}
	}
	return out
}

// packedPlace is the place of a part of a term. The places of its args arguments follow it. It is packed because the
// cache has one for each part of a body.
type packedPlace struct{ line, column, args int32 }

// packLayout lists the places of a layout. Each place stands before the places of its arguments.
func packLayout(l *syntax.Layout) []packedPlace {
	if l == nil {
		return nil
	}
	var list []packedPlace
	stack := []*syntax.Layout{l}
	for len(stack) > 0 {
		l := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if l == nil {
			list = append(list, packedPlace{args: -1})
			continue
		}
		list = append(list, packedPlace{int32(l.Pos.Line), int32(l.Pos.Column), int32(len(l.Args))})
		for i := len(l.Args) - 1; i >= 0; i-- {
			stack = append(stack, l.Args[i])
		}
	}
	return slices.Clip(list)
}

// unpackLayout returns the layout of a list that packLayout made.
func unpackLayout(list []packedPlace) *syntax.Layout {
	var out *syntax.Layout
	stack := []**syntax.Layout{&out}
	for _, p := range list {
		to := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if p.args < 0 {
			continue
		}
		at := syntax.Place{Line: int(p.line), Column: int(p.column)}
		l := &syntax.Layout{Pos: at, Args: make([]*syntax.Layout, p.args)}
		*to = l
		for i := len(l.Args) - 1; i >= 0; i-- {
			stack = append(stack, &l.Args[i])
		}
	}
	return out
}
