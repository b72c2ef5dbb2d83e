// Package datalog computes what follows from rules without compound terms, bottom up: semi-naively, over rows of small
// numbers. A question with constants derives only what it needs (magic sets: Bancilhon, Maier, Sagiv and Ullman 1986).
// If a recursion passes its unknown arguments on unchanged, only the constants that it reaches are computed (Naughton,
// Ramakrishnan, Sagiv and Ullman, "Argument Reduction by Factoring", 1989).
package datalog

import (
	"errors"
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

// Matches reports whether the constants of the atom are those of a row.
func (a *Atom) Matches(row []uint32) bool {
	for i, t := range a.Args {
		if !t.isVar() && t.id() != row[i] {
			return false
		}
	}
	return true
}

// Rule says that the head holds if the whole body holds. Each variable of the head occurs in the body, or is the result
// of a Calc.
type Rule struct {
	Head Atom
	Body []Atom
	// Absent are negated atoms. A variable that occurs nowhere else is existential.
	Absent []Atom
	// Tests compare variables of the body.
	Tests []Test
	// Calcs are in an order in which the operands of each are known once Body is.
	Calcs []Calc
	Vars  int
	Steps int // intermediate results of Calcs

	number int // index in the program's rules plus one, 0 for a rule of the rewriting
}

// places returns the number of variables and intermediate results.
func (r *Rule) places() int { return r.Vars + r.Steps }

// Test is a condition on two arguments: that they are equal, or that they differ.
type Test struct {
	Left, Right Term
	Differ      bool
}

// Program is a set of rules with their relations. A relation in no head of a rule is given by its rows.
type Program struct {
	Arities []int
	Rules   []Rule
	Given   []*Relation // nil for relations defined by rules
	// Modes say how the last columns of a relation are joined in rows that agree in the other columns. It is nil if
	// there are none.
	Modes [][]Mode
	// Numbers are the constants, for programs with Calcs or Modes. Solve adds to them.
	Numbers *Numbers
}

// modes returns the modes of a relation.
func (p *Program) modes(rel int) []Mode {
	if p.Modes == nil {
		return nil
	}
	return p.Modes[rel]
}

// ErrUnsuitable says that a program cannot be computed here: an integer is too large, arithmetic gets a constant that
// is no integer, or values are used before they are final.
var ErrUnsuitable = errors.New("not for rows")

// Account is called now and then and says whether to continue.
type Account struct {
	// Work receives a number of steps, each about as long as a call of a predicate.
	Work func(n int) error
	// Hold receives a number of additional bytes.
	Hold func(n int) error
}

// Solve returns the rows of a relation that have the given constants in the columns where known is true. domain is the
// number of constants. The rows of the result have only the other columns. whole has, by number, the relations whose
// rows have all been computed.
func Solve(p *Program, domain int, goal int, known []bool, values []uint32, acc Account) (
	found *Relation, whole map[int]*Relation, err error,
) {
	p = p.linear()
	found, whole, err = solve(&magic{p: p, domain: domain}, goal, known, values, acc)
	if err == errUnstratified && !slices.Contains(known, true) {
		found, whole, err = solve(&magic{p: p, domain: domain, whole: true}, goal, known, values, acc)
	}
	if err == errUnstratified {
		err = ErrUnsuitable
	}
	return found, whole, err
}

func solve(m *magic, goal int, known []bool, values []uint32, acc Account) (
	found *Relation, whole map[int]*Relation, err error,
) {
	m.made, m.asked, m.asks, m.all = map[string]int{}, map[int]int{}, map[int]bool{}, map[int]int{}
	m.rels = append(m.rels, m.p.Given...)
	m.goal(goal, known, values)
	if m.unsuitable {
		return nil, nil, ErrUnsuitable
	}
	e := &evaluation{rules: m.rules, rels: m.rels, asks: m.asks, numbers: m.p.Numbers, acc: acc}
	e.give(e.run(m))
	if e.account(); e.err != nil {
		return nil, nil, e.err
	}
	whole = map[int]*Relation{}
	for rel, made := range m.all {
		whole[rel] = e.rels[made]
	}
	return e.rels[m.result], whole, nil
}

// Relation is a growing set of rows of the same length.
type Relation struct {
	Arity  int
	domain int
	rows   []uint32
	n      int
	bits   []uint64 // a bit for each row, when few are possible
	ranks  *ranks   // numbers the constants of the bits; nil if constants are used directly
	slots  []uint32 // hash index else: row number plus one, or 0
	given  bool     // it no longer grows
	by     map[uint64]*index
	// indexes has the indexes by their columns.
	indexes []*index
	counts  []tally // by column: see distinct
	held    int     // bytes accounted for
	wide    uint64  // the columns that may have constants beyond the domain
	hashed  bool    // rows are found by their hash, however few are possible

	// The last columns may have modes. Rows with the same keys are then joined in place.
	modes   []Mode
	numbers *Numbers
	dense   []uint32 // by key number, when few are possible: row number plus one, or 0
	log     []uint32 // new or changed rows, the latest last
	pending []bool   // by row: it is in the part of the log that is still to be processed

	unsure *Relation // the undefined rows; nil if there are none
}

// tally is the number of different values in a column, and the number of rows at the time of the count.
type tally struct{ values, rows int }

// maxBits bounds the numbers of rows for which a bit is kept. Up to fewBits are kept from the beginning, more once
// there are enough rows.
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

// keep gives the last columns of an empty relation modes.
func (r *Relation) keep(modes []Mode, numbers *Numbers) {
	r.modes, r.numbers, r.bits = modes, numbers, nil
	if size := r.size(); size <= fewBits {
		r.dense = make([]uint32, size)
	}
}

// keys returns how many columns form the key of a row.
func (r *Relation) keys() int { return r.Arity - len(r.modes) }

// widen says which columns may get constants beyond the domain. It makes the relation find rows by hash, also if mask
// is 0.
func (r *Relation) widen(mask uint64) {
	r.wide |= mask
	if r.modes != nil && mask&(1<<r.keys()-1) == 0 {
		return
	}
	r.bits, r.ranks, r.dense, r.slots, r.hashed = nil, nil, nil, nil, true
	r.indexes = nil
	clear(r.by)
	r.rehash()
}

// Undefined reports whether a row of the relation is neither true nor false.
func (r *Relation) Undefined(row []uint32) bool { return r.unsure != nil && r.unsure.Has(row) }

// group reorders the new rows by their first key. The results of rows with the same key then come together, so the rows
// that they change are in the processor's cache.
func (r *Relation) group() {
	if len(r.log) == 0 || r.keys() == 0 || r.wide&1 != 0 {
		return
	}
	starts := make([]int, r.domain+1)
	for _, i := range r.log {
		starts[r.rows[int(i)*r.Arity]+1]++
	}
	for v := range r.domain {
		starts[v+1] += starts[v]
	}
	grouped := make([]uint32, len(r.log))
	for _, i := range r.log {
		at := &starts[r.rows[int(i)*r.Arity]]
		grouped[*at] = i
		*at++
	}
	r.log = grouped
}

// look says that the additions and changes from a time on are processed next.
func (r *Relation) look(from int) {
	for i := from; i < len(r.log); i++ {
		r.pending[r.log[i]] = false
	}
}

// grown returns how often rows have been added or changed.
func (r *Relation) grown() int {
	if r.modes != nil {
		return len(r.log)
	}
	return r.n
}

// size returns how many rows with different keys are possible, or more than maxBits.
func (r *Relation) size() int {
	size := 1
	for range r.keys() {
		if size *= max(r.domain, 1); size > maxBits {
			break
		}
	}
	return size
}

// Len returns the number of rows.
func (r *Relation) Len() int { return r.n }

// Rows returns all rows, concatenated.
func (r *Relation) Rows() []uint32 { return r.rows[:len(r.rows):len(r.rows)] }

// Row returns row i.
func (r *Relation) Row(i int) []uint32 { return r.rows[i*r.Arity : (i+1)*r.Arity] }

// Bytes returns the size of the relation.
func (r *Relation) Bytes() int {
	n := r.ranks.bytes() + 4*cap(r.rows) + 8*len(r.bits) + 4*len(r.slots) + 4*len(r.dense) + 4*cap(r.log) + cap(r.pending)
	for _, x := range r.by {
		n += x.bytes()
	}
	return n
}

// distinct estimates the number of different values in a column. It returns the last count, and counts again when the
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
			if int(v>>6) >= len(met) {
				met = append(met, make([]uint64, int(v>>6)+1)...)
			}
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
	r.indexes = nil
	clear(r.by) // a sealed relation has another layout
}

// Add adds a row unless it is there.
func (r *Relation) Add(row []uint32) bool {
	if r.bits != nil {
		at := r.number(row)
		if at < 0 {
			r.bits, r.ranks = nil, nil // they are rebuilt for more constants
			return r.Add(row)
		}
		if r.bits[at>>6]>>(at&63)&1 != 0 {
			return false
		}
		r.bits[at>>6] |= 1 << (at & 63)
	} else {
		if 4*r.n >= 3*len(r.slots) {
			if r.keepBits() {
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
	r.append(row)
	return true
}

// append adds a row at the end.
func (r *Relation) append(row []uint32) {
	r.rows = arrays.Append(r.rows, row...)
	for _, x := range r.indexes {
		x.add(r, r.n)
	}
	r.n++
}

// put adds a row of a relation with modes, or joins its values with those of the row with the same keys.
func (r *Relation) put(row []uint32) error {
	keys := r.keys()
	for _, v := range row[keys:] {
		if r.numbers.values[v] == notNumber {
			return ErrUnsuitable
		}
	}
	at := r.place(row)
	if *at == 0 {
		*at = uint32(r.n + 1)
		r.append(row)
		r.pending = arrays.Push(r.pending, true)
		r.log = arrays.Push(r.log, *at-1)
		return nil
	}
	i := *at - 1
	old, changed := r.Row(int(i))[keys:], false
	for n, mode := range r.modes {
		v, other := mode.join(r.numbers.values[old[n]], r.numbers.values[row[keys+n]])
		if v < MinInt || v > MaxInt {
			return ErrUnsuitable
		}
		if other {
			old[n], changed = r.numbers.id(v), true
		}
	}
	if changed && !r.pending[i] {
		r.pending[i] = true
		r.log = arrays.Push(r.log, i)
	}
	return nil
}

// place returns a pointer to the number of the row with the same keys.
func (r *Relation) place(row []uint32) *uint32 {
	const most = maxBits / 8
	if r.dense == nil && 4*r.n >= 3*len(r.slots) {
		size := r.size()
		if size > most || 16*r.n < size || r.hashed {
			r.rehash()
		} else {
			r.dense, r.slots = make([]uint32, size), nil
			for i := range r.n {
				r.dense[r.number(r.Row(i))] = uint32(i + 1)
			}
		}
	}
	if r.dense != nil {
		return &r.dense[r.number(row)]
	}
	return &r.slots[r.find(row)]
}

// Has reports whether a row is there.
func (r *Relation) Has(row []uint32) bool {
	_, ok := r.where(row)
	return ok
}

// where returns the number of the row with the keys of a row, and ok if it is the same row. With bits the number is
// unknown.
func (r *Relation) where(row []uint32) (i int, ok bool) {
	for at, v := range row[:r.keys()] {
		if int(v) >= r.domain && r.wide>>at&1 == 0 {
			return 0, false
		}
	}
	switch {
	case r.bits != nil:
		at := -1
		if r.ranks == nil {
			at = r.number(row)
		} else if at = r.ranks.number(row, false); at < 0 {
			return 0, false
		}
		return 0, r.bits[at>>6]>>(at&63)&1 != 0
	case r.dense != nil:
		i = int(r.dense[r.number(row)])
	case len(r.slots) > 0:
		i = int(r.slots[r.find(row)])
	}
	if i == 0 {
		return 0, false
	}
	return i - 1, r.modes == nil || slices.Equal(r.Row(i-1), row)
}

// keepBits replaces the hash index by a bit for each possible row, if these are not too many.
func (r *Relation) keepBits() bool {
	const ranked = 1 << 10 // rows from which on numbering the constants pays
	const cached = 1 << 23 // bits that fit in a processor's cache
	size := r.size()
	switch {
	case r.hashed:
		return false
	case size <= maxBits && 64*r.n >= size, size <= cached && 512*r.n >= size:
	case r.n < max(ranked, r.domain/4):
		return false
	default:
		if r.ranks = newRanks(r); r.ranks == nil {
			return false
		}
		size = r.ranks.size()
	}
	r.bits, r.slots = make([]uint64, size/64+1), nil
	for i := range r.n {
		at := r.number(r.Row(i))
		r.bits[at>>6] |= 1 << (at & 63)
	}
	return true
}

// number numbers the possible keys. It returns -1 for a row with a constant that has no number and cannot get one.
func (r *Relation) number(row []uint32) int {
	if r.ranks != nil {
		return r.ranks.number(row, true)
	}
	at := 0
	for _, v := range row[:r.keys()] {
		at = at*r.domain + int(v)
	}
	return at
}

func (r *Relation) find(row []uint32) int {
	keys, mask := row[:r.keys()], len(r.slots)-1
	for at := int(hashRow(keys)) & mask; ; at = (at + 1) & mask {
		if s := r.slots[at]; s == 0 || slices.Equal(r.Row(int(s) - 1)[:len(keys)], keys) {
			return at
		}
	}
}

// rehash puts all rows into a hash index with room for more.
func (r *Relation) rehash() {
	size := max(16, 2*len(r.slots))
	for 4*r.n >= 3*size {
		size *= 2
	}
	r.slots = make([]uint32, size)
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

// index finds rows by the values of some columns. In a sealed relation the rows with the same value are adjacent.
type index struct {
	places []int
	first  []int32  // by value, for one column: row number plus one
	table  keyTable // by values, for several columns: the same
	next   []int32  // by row: the previous row with the same values, plus one
	starts []uint32 // by value: the start of its rows
	sorted []uint32
}

func (x *index) bytes() int {
	return 4*len(x.first) + 4*cap(x.next) + 4*len(x.starts) + 4*len(x.sorted) + 12*len(x.table.keys)
}

// indexOn returns the index on the columns in a bit set.
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
	narrow := len(x.places) == 1 && mask&r.wide == 0
	if narrow && r.given {
		x.sort(r)
	} else {
		if narrow {
			x.first = make([]int32, r.domain)
		}
		for i := range r.n {
			x.add(r, i)
		}
	}
	r.by[mask] = x
	r.indexes = append(r.indexes, x)
	return x
}

// sort orders the rows by value.
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
		x.next = arrays.Push(x.next, x.first[v])
		x.first[v] = int32(i + 1)
		return
	}
	var room [8]uint32
	key := room[:0]
	for _, p := range x.places {
		key = append(key, row[p])
	}
	at := x.table.slot(packed(key))
	x.next = arrays.Push(x.next, *at)
	*at = int32(i + 1)
}

// newest returns the number plus one of the newest row with the given values of the columns of a growing index, 0 if
// there is none. With more than two columns the rows may also have other values.
func (x *index) newest(key []uint32) int32 {
	if x.first != nil {
		if int(key[0]) >= len(x.first) {
			return 0
		}
		return x.first[key[0]]
	}
	return x.table.get(packed(key))
}

// span returns the range of the rows with a value among the sorted rows.
func (x *index) span(v uint32) (lo, hi int) {
	if int(v)+1 >= len(x.starts) {
		return 0, 0
	}
	return int(x.starts[v]), int(x.starts[v+1])
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

// get returns the row of a key, 0 if there is none.
func (t *keyTable) get(key uint64) int32 {
	if t.n == 0 {
		return 0
	}
	return t.rows[t.find(key)]
}

// slot returns the place for the row of a key. The caller stores the row there.
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

// packed hashes values to a number, which is unique for two values.
func packed(values []uint32) uint64 {
	switch len(values) {
	case 1:
		return uint64(values[0])
	case 2:
		return uint64(values[0])<<32 | uint64(values[1])
	}
	return hashRow(values)
}
