// Package datalog computes what follows from rules without compound terms, bottom up: semi-naively, over rows of small
// numbers. A question with constants derives only what it needs (magic sets: Bancilhon, Maier, Sagiv and Ullman 1986).
// If a recursion passes its unknown arguments on unchanged, only the constants that it reaches are computed (Naughton,
// Ramakrishnan, Sagiv and Ullman, "Argument Reduction by Factoring", 1989).
package datalog

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
)

// Term is an argument: a variable of the rule, from 0, or a constant as Const makes it.
type Term int64

// Const returns the term for a constant.
func Const(id uint32) Term { return -1 - Term(id) }

func (t Term) isVar() bool { return t >= 0 }
func (t Term) id() uint32  { return uint32(-1 - t) }

// Atom is a relation with arguments.
type Atom struct {
	Rel  int
	Args []Term
}

// Rule says that the head holds where all of the body holds. Each variable of the head occurs in the body.
type Rule struct {
	Head Atom
	Body []Atom
	// Tests are about variables of the body.
	Tests []Test
	Vars  int
}

// Test is a condition on two arguments.
type Test struct {
	Left, Right Term
	Holds       func(left, right uint32) bool
}

// Program is rules, with the relations that they are about. Those that no rule has in its head are given.
type Program struct {
	Arities []int
	Rules   []Rule
	Given   []*Relation // nil for those that rules define
}

// Account is asked now and then whether to go on.
type Account struct {
	// Work is told of so many steps, about as long as a call of a predicate each.
	Work func(n int) error
	// Hold is told of so many more bytes.
	Hold func(n int) error
}

// Solve returns the rows of a relation that have the given constants in the places where known is true. domain is the
// number of constants. The rows of the result have the places that are not known.
func Solve(p *Program, domain int, goal int, known []bool, values []uint32, acc Account) (*Relation, error) {
	m := &magic{p: p, made: map[string]int{}, domain: domain}
	m.rels = append(m.rels, p.Given...)
	m.goal(goal, known, values)
	e := &evaluation{rules: m.rules, rels: m.rels, acc: acc}
	if err := e.run(); err != nil {
		return nil, err
	}
	return e.rels[m.result], nil
}

// Relation is a growing set of rows of the same length.
type Relation struct {
	Arity  int
	domain int
	rows   []uint32
	n      int
	bits   []uint64 // of the rows there are, when they are few enough to number
	slots  []uint32 // hash index else: row number plus one, or 0
	given  bool     // it does not grow any more
	by     map[uint64]*index
	counts []tally // by place: see distinct
	held   int     // bytes accounted for
}

// tally is the number of different values at a place, and the number of rows when they were counted.
type tally struct{ values, rows int }

// maxBits bounds the numbers of rows for which a bit is kept. fewBits are kept from the beginning, more once there are
// rows enough to pay for them.
const (
	maxBits = 1 << 28
	fewBits = 1 << 12
)

// NewRelation returns an empty relation over a domain of constants.
func NewRelation(arity, domain int) *Relation {
	r := &Relation{Arity: arity, domain: domain, by: map[uint64]*index{}}
	if size := r.size(); size <= fewBits {
		r.bits = make([]uint64, size/64+1)
	}
	return r
}

// size returns how many rows are possible, or more than maxBits.
func (r *Relation) size() int {
	size := 1
	for range r.Arity {
		if size *= max(r.domain, 1); size > maxBits {
			break
		}
	}
	return size
}

// Len returns the number of rows.
func (r *Relation) Len() int { return r.n }

// Row returns row i.
func (r *Relation) Row(i int) []uint32 { return r.rows[i*r.Arity : (i+1)*r.Arity] }

// Bytes returns what the relation takes.
func (r *Relation) Bytes() int {
	n := 4*cap(r.rows) + 8*len(r.bits) + 4*len(r.slots)
	for _, x := range r.by {
		n += x.bytes()
	}
	return n
}

// distinct estimates how many different values stand at a place. It returns the last count, and counts again when the
// number of rows has doubled.
func (r *Relation) distinct(place int) int {
	if r.counts == nil {
		r.counts = make([]tally, r.Arity)
	}
	c := &r.counts[place]
	if r.n >= 2*c.rows {
		met := make([]uint64, r.domain/64+1)
		*c = tally{rows: r.n}
		for at := place; at < r.n*r.Arity; at += r.Arity {
			v := r.rows[at]
			if met[v>>6]>>(v&63)&1 == 0 {
				met[v>>6] |= 1 << (v & 63)
				c.values++
			}
		}
	}
	return c.values
}

// Seal says that no rows will be added.
func (r *Relation) Seal() {
	r.given = true
	clear(r.by) // they are laid out otherwise from now on
}

// Add adds a row unless it is there.
func (r *Relation) Add(row []uint32) bool {
	if r.bits != nil {
		at := r.number(row)
		if r.bits[at>>6]>>(at&63)&1 != 0 {
			return false
		}
		r.bits[at>>6] |= 1 << (at & 63)
	} else {
		if 4*r.n >= 3*len(r.slots) {
			if size := r.size(); size <= maxBits && 64*r.n >= size {
				r.keepBits(size)
				return r.Add(row)
			}
			r.rehash()
		}
		at := r.find(row)
		if r.slots[at] != 0 {
			return false
		}
		r.slots[at] = uint32(r.n + 1)
	}
	r.rows = arrays.Append(r.rows, row...)
	for _, x := range r.by {
		x.add(r, r.n)
	}
	r.n++
	return true
}

// Has reports whether a row is there.
func (r *Relation) Has(row []uint32) bool {
	if r.bits != nil {
		at := r.number(row)
		return r.bits[at>>6]>>(at&63)&1 != 0
	}
	return len(r.slots) > 0 && r.slots[r.find(row)] != 0
}

// keepBits goes over from the hash index to a bit for each possible row.
func (r *Relation) keepBits(size int) {
	r.bits, r.slots = make([]uint64, size/64+1), nil
	for i := range r.n {
		at := r.number(r.Row(i))
		r.bits[at>>6] |= 1 << (at & 63)
	}
}

func (r *Relation) number(row []uint32) int {
	at := 0
	for _, v := range row {
		at = at*r.domain + int(v)
	}
	return at
}

func (r *Relation) find(row []uint32) int {
	mask := len(r.slots) - 1
	for at := int(hashRow(row)) & mask; ; at = (at + 1) & mask {
		if s := r.slots[at]; s == 0 || slices.Equal(r.Row(int(s)-1), row) {
			return at
		}
	}
}

func (r *Relation) rehash() {
	r.slots = make([]uint32, max(16, 2*len(r.slots)))
	for i := range r.n {
		r.slots[r.find(r.Row(i))] = uint32(i + 1)
	}
}

func hashRow(row []uint32) uint64 {
	h := uint64(14695981039346656037)
	for _, v := range row {
		h = (h ^ uint64(v)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h ^ h>>32
}

// index finds rows by the values at some places. Of a relation that does not grow any more the rows with a value stand
// one behind the other.
type index struct {
	places []int
	first  []int32  // by value, for one place: row number plus one
	table  keyTable // by values, for several: the same
	next   []int32  // by row: the one before with the same values, plus one
	starts []uint32 // by value: where its rows begin
	sorted []uint32
}

func (x *index) bytes() int {
	return 4*len(x.first) + 4*cap(x.next) + 4*len(x.starts) + 4*len(x.sorted) + 12*len(x.table.keys)
}

// indexOn returns the index on the places in a set of bits.
func (r *Relation) indexOn(mask uint64) *index {
	if x := r.by[mask]; x != nil {
		return x
	}
	x := &index{}
	for i := range r.Arity {
		if mask>>i&1 != 0 {
			x.places = append(x.places, i)
		}
	}
	switch {
	case len(x.places) == 1 && r.given:
		x.sort(r)
	default:
		if len(x.places) == 1 {
			x.first = make([]int32, r.domain)
		}
		for i := range r.n {
			x.add(r, i)
		}
	}
	r.by[mask] = x
	return x
}

// sort lays the rows out by value.
func (x *index) sort(r *Relation) {
	x.starts = make([]uint32, r.domain+1)
	place := x.places[0]
	for i := range r.n {
		x.starts[r.rows[i*r.Arity+place]+1]++
	}
	for v := range r.domain {
		x.starts[v+1] += x.starts[v]
	}
	x.sorted = make([]uint32, len(r.rows))
	at := slices.Clone(x.starts)
	for i := range r.n {
		v := r.rows[i*r.Arity+place]
		copy(x.sorted[int(at[v])*r.Arity:], r.Row(i))
		at[v]++
	}
}

func (x *index) add(r *Relation, i int) {
	row := r.Row(i)
	if x.starts != nil {
		return
	}
	if x.first != nil {
		v := row[x.places[0]]
		x.next = arrays.Append(x.next, x.first[v])
		x.first[v] = int32(i + 1)
		return
	}
	var room [8]uint32
	key := room[:0]
	for _, p := range x.places {
		key = append(key, row[p])
	}
	at := x.table.slot(packed(key))
	x.next = arrays.Append(x.next, *at)
	*at = int32(i + 1)
}

// newest returns the number plus one of the newest row with values at the places of an index that grows, 0 if there is
// none. Rows with other values come too where there are more than two places.
func (x *index) newest(key []uint32) int32 {
	if x.first != nil {
		return x.first[key[0]]
	}
	return x.table.get(packed(key))
}

// keyTable is a hash table of row numbers plus one by packed values, with open addresses.
type keyTable struct {
	keys []uint64
	rows []int32 // 0: the slot is free
	n    int
}

// find returns the slot that has a key, or is free for it. The table must have a free slot.
func (t *keyTable) find(key uint64) int {
	mask := uint64(len(t.keys) - 1)
	at := key * 0x9e3779b97f4a7c15
	for at = (at ^ at>>32) & mask; t.rows[at] != 0 && t.keys[at] != key; at = (at + 1) & mask {
	}
	return int(at)
}

// get returns the row of a key, 0 for one that is not there.
func (t *keyTable) get(key uint64) int32 {
	if t.n == 0 {
		return 0
	}
	return t.rows[t.find(key)]
}

// slot returns the place for the row of a key. The caller puts a row there.
func (t *keyTable) slot(key uint64) *int32 {
	if 2*(t.n+1) > len(t.keys) {
		old := *t
		size := max(16, 2*len(old.keys))
		t.keys, t.rows = make([]uint64, size), make([]int32, size)
		for i, row := range old.rows {
			if row != 0 {
				at := t.find(old.keys[i])
				t.keys[at], t.rows[at] = old.keys[i], row
			}
		}
	}
	at := t.find(key)
	if t.rows[at] == 0 {
		t.keys[at] = key
		t.n++
	}
	return &t.rows[at]
}

// packed returns a number for values: of two the number is theirs alone.
func packed(values []uint32) uint64 {
	if len(values) == 2 {
		return uint64(values[0])<<32 | uint64(values[1])
	}
	return hashRow(values)
}
