package database

import (
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines how the clauses that may match a call are found. An index on one place of the head, an argument or
// a part of one, is made at the first call that benefits from it, and kept up to date from then on. If it still finds
// many clauses for a key, these form a set with its own indexes, on other arguments or deeper in the same one.

// Key returns the index key of the cell c among cells: the cell itself for atoms and small integers, the functor of a
// compound, a hash of the words of a blob; 0 for a variable. Unequal terms may share a key only when they are blobs.
func Key(cells []code.Cell, c code.Cell) code.Cell {
	switch c.Tag() {
	case code.Atom, code.Int:
		return c
	case code.Lst:
		return code.FDot
	case code.Str:
		return cells[c.Addr()]
	case code.Blob:
		h := uint64(14695981039346656037)
		at := c.Addr()
		for _, w := range cells[at : at+1+cells[at].BlobWords()] {
			h = (h ^ uint64(w)) * 1099511628211
			h ^= h >> 29
		}
		return code.Cell(h)<<3 | code.Blob
	}
	return 0
}

// ArgKey returns the index key of argument i, from 0, of the clause's head.
func (c *Clause) ArgKey(i int) code.Cell { return Key(c.Cells, c.HeadArg(i)) }

// maxDepth bounds the depth at which keys are searched in a term.
const maxDepth = 4

// path leads to a place in the head: an argument, then arguments of the term there, each counted from 1; 0 ends it.
type path [maxDepth]uint8

// below returns the paths to the first n arguments of the term at p, none if that is too deep.
func (p path) below(n int) []path {
	depth := slices.Index(p[:], 0)
	if depth < 0 {
		return nil
	}
	list := make([]path, min(n, maxKeys))
	for i := range list {
		list[i] = p
		list[i][depth] = uint8(i + 1)
	}
	return list
}

// under returns argument i of a compound cell; ok is false if there is none.
func under(cells []code.Cell, c code.Cell, i int) (code.Cell, bool) {
	switch at := c.Addr(); c.Tag() {
	case code.Lst:
		if i < 2 {
			return cells[at+i], true
		}
	case code.Str:
		if i < cells[at].FunctorArity() {
			return cells[at+1+i], true
		}
	}
	return 0, false
}

// key returns the key of the clause's head at a path, 0 if the term there is unknown.
func (c *Clause) key(p path) code.Cell {
	at, ok := c.HeadArg(int(p[0])-1), true
	for _, step := range p[1:] {
		if step == 0 {
			break
		}
		if at, ok = under(c.Cells, at, int(step)-1); !ok {
			return 0
		}
	}
	return Key(c.Cells, at)
}

// maxKeys is the number of arguments that clauses are selected by.
const maxKeys = 32

// Probe is a call whose clauses are to be found.
type Probe struct {
	heap []code.Cell
	args []code.Cell
	keys [maxKeys]code.Cell
	n    int
}

// Set makes p the probe for a call with these arguments, terms of the heap.
func (p *Probe) Set(heap, args []code.Cell) {
	p.heap, p.args, p.n = heap, args, min(len(args), maxKeys)
	for i, c := range args[:p.n] {
		p.keys[i] = Key(heap, deref(heap, c))
	}
}

func deref(heap []code.Cell, c code.Cell) code.Cell {
	for c.Tag() == code.Ref {
		next := heap[c.Addr()]
		if next == c || next.Tag() == code.Att {
			return next
		}
		c = next
	}
	return c
}

// key returns the key at a path, 0 if it is unbound.
func (p *Probe) key(at path) code.Cell {
	if at[1] == 0 {
		return p.keys[at[0]-1]
	}
	c, ok := deref(p.heap, p.args[at[0]-1]), true
	for _, step := range at[1:] {
		if step == 0 {
			break
		}
		if c, ok = under(p.heap, c, int(step)-1); !ok {
			return 0
		}
		c = deref(p.heap, c)
	}
	return Key(p.heap, c)
}

// Matches reports whether the call may match the clause, judged by keys.
func (p *Probe) Matches(c *Clause) bool {
	args := c.Cells[c.at:]
	for i, k := range p.keys[:p.n] {
		if k == 0 {
			continue
		}
		switch own := args[i]; own.Tag() {
		case code.Atom, code.Int:
			if own != k {
				return false
			}
		case code.Att:
		default:
			if Key(c.Cells, own) != k || !p.partsMatch(c, i, own) {
				return false
			}
		}
	}
	return true
}

// partsMatch compares the parts of a compound argument that has the same functor.
func (p *Probe) partsMatch(c *Clause, i int, own code.Cell) bool {
	if !own.IsPointer() || own.Tag() == code.Blob {
		return true
	}
	arg := deref(p.heap, p.args[i])
	for j := 0; ; j++ {
		x, ok := under(c.Cells, own, j)
		if !ok {
			return true
		}
		y, _ := under(p.heap, arg, j)
		if k, l := Key(c.Cells, x), Key(p.heap, deref(p.heap, y)); k != 0 && l != 0 && k != l {
			return false
		}
	}
}

// indexMinimum is the number of clauses from which a hash lookup beats a scan of keys.
const indexMinimum = 8

// plan is the evaluation of the ways to select among the clauses of a set.
type plan struct {
	size int // of the set at the time of the evaluation
	ways []way
}

// way is one place by which clauses may be selected.
type way struct {
	path path
	// found is the approximate number of clauses for a key. The plan omits useless ways.
	found float64
	index *index // nil until it is worthwhile
}

// index finds the clauses whose key at one place matches a given one.
type index struct {
	path  path
	table atomic.Pointer[table]
	used  int
	vars  set // the clauses without a key, which are in all groups too
}

// table is a hash table with open addressing. A reader may hold one that has been replaced.
type table struct{ slots []slot }

// newTable returns a table for at least n keys.
func newTable(n int) *table { return &table{make([]slot, 16+n+n/3)} }

// keys is the number of keys that the table may hold.
func (t *table) keys() int { return len(t.slots) / 4 * 3 }

// slot holds the only clause of a key, or the set of its clauses.
type slot struct {
	key  atomic.Uint64
	one  atomic.Pointer[Clause]
	many atomic.Pointer[set]
}

// Candidates returns the current view and the clauses that may match a call in it. A single clause is returned as such.
// A direct view does not keep clauses that others erase. So a list taken after the view may lack clauses that were
// alive in it, and a list taken before lacks clauses that were added since.
func (t *Tx) Candidates(p *Pred, call *Probe) (v View, list []*Clause, one *Clause) {
	for v = t.Now(); ; {
		list, one = p.candidates(call)
		now := t.Now()
		if now == v {
			return v, list, one
		}
		v = now
	}
}

// Clauses returns the current view and a list with all clauses of a predicate that are alive in it.
func (t *Tx) Clauses(p *Pred) (v View, list []*Clause) {
	for v = t.Now(); ; {
		list = p.Clauses()
		now := t.Now()
		if now == v {
			return v, list
		}
		v = now
	}
}

// candidates returns the clauses that may match a call: all of them, or fewer if an index helps. A single clause is
// returned as such.
func (p *Pred) candidates(call *Probe) (list []*Clause, one *Clause) {
	s := &p.all
	var above []way // the set that s is a part of, and the way by which it was chosen
	var at path
	var key code.Cell
	for {
		list = s.list()
		if len(list)-int(s.dead.Load()) < indexMinimum {
			return list, nil
		}
		pl := s.plan.Load()
		if pl == nil || pl.size*4 < len(list) {
			if !call.selects(above, at, key) {
				return list, nil
			}
			pl = p.judge(s, p.places(above, at, key))
		}
		w := pl.choose(call)
		if w == nil {
			return list, nil
		}
		if w.index == nil {
			if w = p.build(s, w.path); w == nil {
				return list, nil
			}
		}
		above, at, key = pl.ways, w.path, call.key(w.path)
		next, one := w.index.find(key)
		if next == nil {
			return nil, one
		}
		s = next
	}
}

// selects reports whether the call binds, or may bind, one of the places that places returns.
func (p *Probe) selects(ways []way, at path, key code.Cell) bool {
	if at == (path{}) {
		return slices.ContainsFunc(p.keys[:p.n], func(k cell) bool { return k != 0 })
	}
	other := func(w way) bool { return w.path != at && p.key(w.path) != 0 }
	return key.Tag() == code.Hdr || slices.ContainsFunc(ways, other)
}

// places returns the places at which clauses may differ. These are the arguments. Below a place at which clauses have
// the same key, they are the other arguments and the parts of that term.
func (p *Pred) places(ways []way, at path, key code.Cell) []path {
	if at == (path{}) {
		return path{}.below(p.Arity())
	}
	var list []path
	for _, w := range ways {
		if w.path != at {
			list = append(list, w.path)
		}
	}
	if key.Tag() != code.Hdr {
		return list
	}
	return append(list, at.below(key.FunctorArity())...)
}

// choose returns the best way for a call, nil when none helps.
func (pl *plan) choose(call *Probe) *way {
	var best *way
	for i := range pl.ways {
		w := &pl.ways[i]
		if call.key(w.path) != 0 && (best == nil || w.cost() < best.cost()) {
			best = w
		}
	}
	return best
}

// cost is the approximate cost of a call for the clauses it finds. An existing index is preferred to one that would be
// slightly better.
func (w *way) cost() float64 {
	if w.index == nil {
		return 4 * (1 + w.found)
	}
	return 1 + w.found
}

// judge evaluates which places distinguish the clauses of a set. If all clauses have the same functor at a place, it
// continues with the arguments there.
func (p *Pred) judge(s *set, places []path) *plan {
	const maxPaths = 64
	p.mu.Lock()
	defer p.mu.Unlock()
	list, old := s.list(), s.plan.Load()
	pl := &plan{size: len(list)}
	for i := 0; i < len(places); i++ {
		at := places[i]
		found, common := expected(list, at)
		if found <= 0.6*float64(len(list)) {
			pl.ways = append(pl.ways, way{path: at, found: found, index: old.indexOn(at)})
			continue
		}
		if common.Tag() == code.Hdr && len(places) < maxPaths {
			places = append(places, at.below(common.FunctorArity())...)
		}
	}
	s.plan.Store(pl)
	return pl
}

// indexOn returns the index on a place, or nil.
func (pl *plan) indexOn(at path) *index {
	if pl == nil {
		return nil
	}
	if i := slices.IndexFunc(pl.ways, func(w way) bool { return w.path == at }); i >= 0 {
		return pl.ways[i].index
	}
	return nil
}

// expected estimates how many clauses of a list match a key at a place. It examines only a sample. common is the most
// frequent key in it.
func expected(list []*Clause, at path) (found float64, common code.Cell) {
	const sample = 512
	counts := map[cell]int{}
	vars, n := 0, 0
	for i := 0; i < len(list); i += 1 + len(list)/sample {
		n++
		if k := list[i].key(at); k == 0 {
			vars++
		} else {
			counts[k]++
		}
	}
	once, twice := 0, 0
	for k, c := range counts {
		switch c {
		case 1:
			once++
		case 2:
			twice++
		}
		if c > counts[common] || c == counts[common] && k < common {
			common = k
		}
	}
	if len(counts) == 0 || vars > n/4 {
		return math.Inf(1), common
	}
	total, part := float64(len(list)), float64(n)
	// Keys seen once in a sample suggest others that were not seen (Chao's estimate).
	different := float64(len(counts)) + float64(once*once)/float64(2*max(twice, 1))*(1-part/total)
	return max(1, total*(1-float64(vars)/part)/different) + total*float64(vars)/part, common
}

// build makes the index of a way. It returns nil if the way no longer exists.
func (p *Pred) build(s *set, at path) *way {
	p.mu.Lock()
	defer p.mu.Unlock()
	pl := s.plan.Load()
	if pl == nil {
		return nil
	}
	i := slices.IndexFunc(pl.ways, func(w way) bool { return w.path == at })
	if i < 0 {
		return nil
	}
	if pl.ways[i].index != nil {
		return &pl.ways[i]
	}
	x := newIndex(at, s.list())
	if x == nil {
		s.giveUp(at)
		return nil
	}
	next := &plan{size: pl.size, ways: slices.Clone(pl.ways)}
	next.ways[i].index = x
	s.plan.Store(next)
	return &next.ways[i]
}

// giveUp removes a way that does not help.
func (s *set) giveUp(at path) {
	pl := s.plan.Load()
	ways := slices.DeleteFunc(slices.Clone(pl.ways), func(w way) bool { return w.path == at })
	s.plan.Store(&plan{size: pl.size, ways: ways})
}

// newIndex makes an index on a place for a list of clauses, nil if too many have a variable there.
func newIndex(at path, list []*Clause) *index {
	x := &index{path: at}
	keys := make([]cell, len(list))
	for i, c := range list {
		keys[i] = c.key(at)
	}
	x.table.Store(newTable(distinct(keys) * 33 / 32))
	for i, c := range list {
		if k := keys[i]; k != 0 {
			x.addKey(k, c, false)
		} else if !x.addVar(c, false) {
			return nil
		}
	}
	return x
}

// distinct estimates the number of different keys by linear counting (Whang, Vander-Zanden and Taylor, "A linear-time
// probabilistic counting algorithm", 1990): from the share of bits that the hashes of the keys leave clear in a bit
// map.
func distinct(keys []cell) int {
	bitmap := make([]uint64, len(keys)/64+1)
	size := uint64(len(bitmap)) * 64
	marked := 0
	for _, k := range keys {
		high, _ := bits.Mul64(hash(k), size)
		if bit := uint64(1) << (high % 64); bitmap[high/64]&bit == 0 {
			bitmap[high/64] |= bit
			marked++
		}
	}
	clear := float64(int(size) - marked)
	return int(float64(size) * math.Log(float64(size)/max(clear, 1)))
}

// maxVars bounds the clauses with a variable at the place of an index, which are in each of its groups. More are
// allowed only while there are equally few groups.
const maxVars = 16

// add inserts a clause. It returns false if the index is no longer worthwhile.
func (x *index) add(c *Clause, front bool) bool {
	if k := c.key(x.path); k != 0 {
		x.addKey(k, c, front)
		return true
	}
	return x.addVar(c, front)
}

// addVar inserts a clause without a key, as add does.
func (x *index) addVar(c *Clause, front bool) bool {
	x.vars.add(c, front)
	if len(x.vars.list()) > maxVars && x.used > maxVars {
		return false
	}
	slots := x.table.Load().slots
	for i := range slots {
		if slots[i].key.Load() != 0 {
			slots[i].add(c, front)
		}
	}
	return true
}

// addKey inserts a clause with a key. The key of a new slot is stored last, so that a reader of the key also finds the
// clauses.
func (x *index) addKey(k cell, c *Clause, front bool) {
	t := x.table.Load()
	if x.used >= t.keys() {
		t = t.grown()
		x.table.Store(t)
	}
	s := t.slot(k)
	if s.key.Load() == 0 {
		x.used++
		if vars := x.vars.list(); len(vars) > 0 {
			some := &set{}
			some.setList(slices.Clone(vars))
			some.insert(c, front)
			s.many.Store(some)
		} else {
			s.one.Store(c)
		}
		s.key.Store(uint64(k))
		return
	}
	s.add(c, front)
}

// add inserts a clause in the list of a slot.
func (s *slot) add(c *Clause, front bool) {
	if some := s.many.Load(); some != nil {
		some.add(c, front)
		return
	}
	one := s.one.Load()
	if one == nil { // gone
		s.one.Store(c)
		return
	}
	some := &set{}
	some.insert(one, false)
	some.insert(c, front)
	s.many.Store(some)
	s.one.Store(nil)
}

// slot returns the slot of a key, or the empty one where it would be.
func (t *table) slot(k cell) *slot {
	i := t.first(k)
	for {
		s := &t.slots[i]
		if found := s.key.Load(); found == uint64(k) || found == 0 {
			return s
		}
		if i++; i == uint64(len(t.slots)) {
			i = 0
		}
	}
}

// first returns where the search for a key begins. Keys that differ only in their last bits are adjacent, as they are
// often looked up one after the other, such as the numbers of a loop and the atoms of a file.
func (t *table) first(k cell) uint64 {
	groups, _ := bits.Mul64(hash(k>>(tagBits+groupBits)), uint64(len(t.slots)>>groupBits))
	return groups<<groupBits | uint64(k>>tagBits)&(1<<groupBits-1)
}

const (
	tagBits   = 3 // the last bits of a cell are its tag
	groupBits = 3 // the number of adjacent keys, as a power of 2
)

// hash spreads keys over all 64 bits. This also holds for multiples of a large power of two and for consecutive keys.
func hash(k cell) uint64 {
	h := uint64(k) * 0x9e3779b97f4a7c15
	h ^= h >> 32
	return h * 0xd6e8feb86659fd93
}

// grown returns a table with the same entries and twice the room.
func (t *table) grown() *table {
	big := newTable(2 * t.keys())
	for i := range t.slots {
		s := &t.slots[i]
		if k := s.key.Load(); k != 0 {
			to := big.slot(cell(k))
			to.one.Store(s.one.Load())
			to.many.Store(s.many.Load())
			to.key.Store(k)
		}
	}
	return big
}

// find returns the clauses for a key: a set, or one clause, or neither.
func (x *index) find(k cell) (*set, *Clause) {
	s := x.table.Load().slot(k)
	if s.key.Load() == 0 {
		return x.others()
	}
	if some := s.many.Load(); some != nil {
		return some, nil
	}
	if one := s.one.Load(); one != nil {
		return nil, one
	}
	return s.many.Load(), nil // the clause has become a set meanwhile
}

func (x *index) others() (*set, *Clause) {
	if len(x.vars.list()) == 0 {
		return nil, nil
	}
	return &x.vars, nil
}

// noteDead counts a clause that is dead.
func (x *index) noteDead(c *Clause, d corpses) {
	k := c.key(x.path)
	if k == 0 {
		x.vars.noteDead(c, d)
		return
	}
	s := x.table.Load().slot(k)
	if some := s.many.Load(); some != nil {
		some.noteDead(c, d)
	} else if s.one.Load() == c && d.gone(c) {
		s.one.Store(nil)
	}
}
