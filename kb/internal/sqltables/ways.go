package sqltables

import (
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"math"
	"math/bits"
	"slices"
	"time"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file bounds the statements of a query that goals ask again and again with other values. The first questions are
// put one by one. Then there are two ways. A block asks for the values that the next goals are likely to give: the
// values that follow the present one in the rows that it came from. A fetch reads all rows that the constants of the
// query select, and later questions are answered from these rows. Both return the same rows as single questions.

// ways are the bounds within which the way of a query is chosen.
type ways struct {
	statement int // how many rows cost as much as a statement
	most      int // after so many statements a query is fetched whatever its rows cost
	rows      int // the most rows of a fetch
	bytes     int // about the most bytes of a fetch
	scanned   int // the most rows of a fetch whose rows each question has to scan
	block     int // the most values of a block; 0: no blocks
	recursive int // the database computes a recursion whose largest table has at least so many rows; 0: it computes none
	// trusted is how long columns of tables are assumed to be unchanged; 0: for ever.
	trusted time.Duration
}

var usualWays = ways{statement: 128, most: 80, rows: 1 << 22, bytes: 256 << 20, scanned: 1 << 14, block: 1 << 11,
	recursive: 1 << 13, trusted: 5 * time.Second}

// usage is what a snapshot knows of the questions of one query.
type usage struct {
	plan       *plan // nil before Ask
	statements int
	streamed   int         // rows that the statements had
	tried      int         // the row limit of the last fetch, which exceeded it
	never      bool        // no fetch is possible
	refused    bool        // the database has refused a block
	declined   bool        // the goals compute the total from fetched rows
	lost       int         // the number of consecutive searches that found no source
	given      []bool      // the columns that had a value in a question
	common     []term.Term // the values that all questions so far share
	kept       *fetched    // nil before a fetch
	block      int         // how many values the next block has
	// source are the rows that the values of the last block came from. at is where the block ended in them, and columns
	// has the place of each key.
	source  seenRows
	columns []int
	at      int
}

// fetched are the rows of a query, or the totals of its groups.
type fetched struct {
	common  []term.Term // the values that the questions share
	rows    *relation.Rows
	places  []int // the index of each column in the rows, or -1
	keys    []int // the columns that groups differ in; nil for rows
	indexes map[uint64]*index
	held    int // bytes that the run holds for the rows
	// differ and list are buffers that are reused.
	differ []int
	list   []int32
}

// firstBlock is the size of the first block of a query. Each further block is blockGrowth times as large. maxPairs
// bounds blocks whose questions differ in several columns: each question is a part of one condition.
const (
	firstBlock  = 8
	blockGrowth = 4
	maxPairs    = 1 << 8
	maxLost     = 16
	totalRows   = 8 // so many rows of a total cost as much as one fetched row
	valueRows   = 4 // so many fetched rows cost as much as a value of a block
	fetchGrowth = 4 // the factor by which the row limit of a repeated fetch grows
)

// usageOf notes the values of a question and returns the usage of its query.
func (s *snapshot) usageOf(text string, given []term.Term) *usage {
	u := s.usages[text]
	if u == nil {
		u = &usage{given: make([]bool, len(given)), common: slices.Clone(given), block: firstBlock}
		s.usages[text] = u
	}
	u.note(given)
	return u
}

// note notes the values of a question.
func (u *usage) note(given []term.Term) {
	for i, v := range given {
		u.given[i] = u.given[i] || v != nil
		if u.common[i] != v {
			u.common[i] = nil
		}
	}
}

// severally answers a question by a block or a fetch. ok is false if the question has to be put by itself.
func (s *snapshot) severally(
	ctx context.Context, db *source, p *plan, u *usage, text string, given []term.Term,
) (rows *relation.Rows, ok bool, err error) {
	if u.statements == 0 {
		return nil, false, nil
	}
	if err := s.fetchInTime(ctx, db, p, u); err != nil {
		return nil, false, err
	}
	if u.declined {
		return p.unasked(question{unknown: true}), true, nil
	}
	if rows, ok := u.kept.answer(p, given); ok {
		return rows, true, nil
	}
	list := s.siblings(p, u, text, given)
	if len(list) == 0 {
		return nil, false, nil
	}
	if err := s.guess(ctx, db, &u.refused, func() (err error) {
		if p.query.Total != nil {
			ok, err = s.groupBlock(ctx, db, p, u, text, list)
		} else {
			ok, err = s.putBlock(ctx, db, p, text, list, maxGuessed)
		}
		return err
	}); err != nil {
		return nil, false, err
	}
	if u.block = min(u.block*blockGrowth, s.set.ways.block); !ok {
		u.block /= blockGrowth * blockGrowth
	}
	rows, ok = s.ahead[text][string(s.key)]
	return rows, ok, nil
}

// fetchInTime fetches a query once its statements have cost as much as a fetch. A fetch with too many rows is given up,
// and tried again when four times as many rows are worth the cost.
func (s *snapshot) fetchInTime(ctx context.Context, db *source, p *plan, u *usage) error {
	w := s.set.ways
	if u.kept != nil {
		if !u.kept.isOutgrown(u) {
			return nil
		}
		s.release(u.kept.held)
		u.kept, u.tried, u.never = nil, 0, false
	}
	budget := min(u.streamed+w.statement*u.statements+valueRows*s.valuesAhead(u), w.rows)
	switch {
	case u.statements >= w.most, p.query.Total != nil && u.statements >= (w.most+fetchGrowth-1)/fetchGrowth:
		budget = w.rows
	case p.query.Total != nil: // the database computes all groups before it returns one
		rows, err := s.sizeOf(ctx, db, p, u)
		if rows < 0 || rows > fetchGrowth*totalRows*budget {
			return err
		}
		budget = w.rows
	}
	if u.never || budget < fetchGrowth*u.tried || budget < firstBlock*w.statement {
		return nil
	}
	if rows, err := s.sizeOf(ctx, db, p, u); err != nil {
		return err
	} else if rows > budget && p.query.Total == nil {
		if rows > fetchGrowth*budget {
			return nil
		}
		budget = min(rows+rows/fetchGrowth, w.rows)
	}
	u.tried, u.never = budget, budget == w.rows
	return s.guess(ctx, db, &u.never, func() error { return s.fetch(ctx, db, p, u, budget) })
}

// sizeOf estimates the rows of a query that selects all of a table. It is -1 for other queries and if there is no
// estimate.
func (s *snapshot) sizeOf(ctx context.Context, db *source, p *plan, u *usage) (int, error) {
	hasValue := func(v term.Term) bool { return v != nil }
	q, values := p.query, u.common
	if q.Limited {
		values = values[:len(values)-1]
	}
	if len(q.Tables) > 1 || len(q.Members)+len(q.Filters)+len(q.Absent)+len(q.Tests) > 0 ||
		slices.ContainsFunc(values, hasValue) {
		return -1, nil
	}
	return db.size(ctx, s.sessions[db.name], q.Tables[0])
}

// guess calls f, which puts statements for rows that no goal has asked for yet. If the database refuses a statement,
// refused is set and the questions are put one by one, as none of them may need the faulty row.
func (s *snapshot) guess(ctx context.Context, db *source, refused *bool, f func() error) error {
	err := s.session(db).guess(ctx, f)
	var told *relation.Error
	if errors.As(err, &told) && told.Code != relation.Stopped {
		*refused = true
		return nil
	}
	return err
}

// fetch fetches a query that has no more rows than budget.
func (s *snapshot) fetch(ctx context.Context, db *source, p *plan, u *usage, budget int) error {
	forms, params, none := p.conditions(u.common)
	if none {
		return nil
	}
	if p.query.Total != nil {
		return s.fetchGroups(ctx, db, p, u, forms, params, budget)
	}
	f := p.fetched(u)
	if len(p.keysOf(u)) == 0 && !f.isCommon(u) {
		budget = min(budget, s.set.ways.scanned) // each question has to scan the rows
	}
	st, looked := &statement{columns: p.columns, lenient: true}, p.selected(forms)
	for i := range p.columns {
		f.places[i] = -1
		if form(forms[i]) != formSame && (u.given[i] || slices.Contains(looked, i)) {
			f.places[i] = i
			st.selected = append(st.selected, i)
		}
	}
	st.text = p.text(forms, st.selected, askRows, nil)
	return s.keep(ctx, db, p, u, f, question{st: st, params: params}, budget)
}

// fetched returns an empty fetch for the questions so far.
func (p *plan) fetched(u *usage) *fetched {
	f := &fetched{common: slices.Clone(u.common), places: make([]int, len(p.columns)), indexes: map[uint64]*index{}}
	if p.query.Limited {
		f.common[len(f.common)-1] = nil
	}
	return f
}

// isCommon reports whether all questions so far had the same values.
func (f *fetched) isCommon(u *usage) bool {
	for i, v := range f.common {
		if u.given[i] && v == nil {
			return false
		}
	}
	return true
}

// keep reads the rows of a statement for the questions to come, if there are not too many.
func (s *snapshot) keep(
	ctx context.Context, db *source, p *plan, u *usage, f *fetched, ask question, most int,
) (err error) {
	f.rows, f.held, err = s.read(ctx, db, p, ask, most, s.set.ways.bytes)
	if f.rows != nil && err == nil {
		u.kept = f
	}
	return err
}

// keysOf are the columns in which the questions differ.
func (p *plan) keysOf(u *usage) (keys []int) {
	for i := range p.columns {
		if u.given[i] && u.common[i] == nil {
			keys = append(keys, i)
		}
	}
	return keys
}

// isOutgrown reports whether questions after a fetch differ in further columns.
func (f *fetched) isOutgrown(u *usage) bool {
	for i, v := range f.common {
		if v != nil && u.common[i] == nil {
			return true
		}
	}
	for i, at := range f.places {
		if u.given[i] && u.common[i] == nil && at < 0 {
			return true
		}
	}
	return false
}

// read reads the rows of a statement into memory that the run holds. It returns nil if there are more than `most` rows,
// or a value that would be an error.
func (s *snapshot) read(
	ctx context.Context, db *source, p *plan, ask question, most, bytes int,
) (all *relation.Rows, held int, err error) {
	batch, rest, err := s.put(ctx, db, p, ask)
	if err != nil {
		return nil, 0, err
	}
	all = &relation.Rows{}
	all.Reset(len(ask.st.columns))
	for {
		for i := range batch.Len() {
			all.Copy(batch, i)
		}
		const indexed = 16 // bytes per row
		size := all.Bytes() + indexed*all.Len()
		if ask.st.bad || all.Len() > most || size > bytes || s.hold != nil && !s.hold(size-held, size) {
			if rest != nil {
				rest.Close()
			}
			s.release(held)
			return nil, 0, nil
		}
		held = size
		if rest == nil {
			all.Finish()
			return all, held, nil
		}
		batch = &relation.Rows{}
		more, err := rest.Fetch(ctx, batch)
		if err != nil {
			s.release(held)
			return nil, 0, db.explained(ctx, s.sessions[p.query.Database], p.query, err)
		}
		if !more {
			rest = nil
		}
	}
}

// HoldBy implements relation.Holder.
func (s *snapshot) HoldBy(hold func(bytes, all int) (ok bool)) { s.hold = hold }

// release returns the memory of a dropped fetch to the run.
func (s *snapshot) release(bytes int) {
	if s.hold != nil {
		s.hold(-bytes, 0)
	}
}

// answer returns the rows for a question. ok is false if they have not been fetched.
func (f *fetched) answer(p *plan, given []term.Term) (rows *relation.Rows, ok bool) {
	if f == nil {
		return nil, false
	}
	for i, v := range f.common {
		if v != nil && v != given[i] {
			return nil, false
		}
	}
	keys := f.differ[:0]
	for i, at := range f.places {
		switch {
		case given[i] == nil || f.common[i] != nil:
		case at < 0:
			return nil, false
		default:
			keys = append(keys, i)
		}
	}
	f.differ = keys
	if f.keys == nil {
		return f.pick(p, keys, given), true
	}
	if !isGroup(f.keys, given) || slices.ContainsFunc(p.query.Equal, func(pair [2]int) bool {
		return given[pair[0]] != given[pair[1]]
	}) {
		return nil, false
	}
	rows = f.pick(p, f.keys, given)
	if rows.Len() == 0 {
		return p.unasked(question{}), true
	}
	return totalRow(rows, len(f.keys)), true
}

// pick returns the rows that have given values in some columns, in their original order.
func (f *fetched) pick(p *plan, keys []int, given []term.Term) *relation.Rows {
	tests := p.numberTests(given)
	if len(keys) == 0 && len(tests) == 0 {
		return f.rows
	}
	list := f.list[:0]
	defer func() { f.list = list }()
	look := func(at int32) {
		row := f.rows.Row(int(at))
		for _, i := range keys {
			if !isTerm(f.rows, row[f.places[i]], given[i]) {
				return
			}
		}
		if f.keys == nil && isFalse(tests, row) {
			return
		}
		list = append(list, at)
	}
	if len(keys) == 0 || keys[len(keys)-1] >= bits.UintSize {
		for at := range f.rows.Len() {
			look(int32(at))
		}
		return f.rows.Pick(list)
	}
	mask := uint64(0)
	var hash uint64
	for _, i := range keys {
		mask |= 1 << i
		hash = hash*hashStep + hashTerm(given[i])
	}
	x := f.indexes[mask]
	if x == nil {
		x = f.index(keys)
		f.indexes[mask] = x
	}
	for _, at := range x.bucket(hash) {
		look(at)
	}
	return f.rows.Pick(list)
}

// index has the rows by the hashes of some of their values.
type index struct {
	starts []int32 // where each bucket begins in rows, and where the last one ends
	rows   []int32
}

func (x *index) bucket(hash uint64) []int32 {
	i := hash >> (1 + bits.LeadingZeros64(uint64(len(x.starts)-1)))
	return x.rows[x.starts[i]:x.starts[i+1]]
}

// index makes the index of some columns. The rows of a bucket keep their order.
func (f *fetched) index(keys []int) *index {
	n := f.rows.Len()
	size := 1 << max(bits.Len(uint(n)), 1)
	x := &index{starts: make([]int32, size+1), rows: make([]int32, n)}
	buckets := make([]int32, n)
	shift := 1 + bits.LeadingZeros64(uint64(size))
	for at := range n {
		var hash uint64
		row := f.rows.Row(at)
		for _, i := range keys {
			hash = hash*hashStep + hashValue(f.rows, row[f.places[i]])
		}
		buckets[at] = int32(hash >> shift)
		x.starts[buckets[at]+1]++
	}
	for i := range size {
		x.starts[i+1] += x.starts[i]
	}
	next := slices.Clone(x.starts)
	for at, b := range buckets {
		x.rows[next[b]] = int32(at)
		next[b]++
	}
	return x
}

const hashStep = 0x9e3779b97f4a7c15

var hashSeed = maphash.MakeSeed()

// hashTerm and hashValue return the same hash for a term and the value that represents it.
func hashTerm(t term.Term) uint64 {
	switch t := t.(type) {
	case term.Int:
		return hashOf(relation.Int, uint64(t), "")
	case term.Atom:
		return hashOf(relation.Atom, 0, string(t))
	case term.String:
		return hashOf(relation.String, 0, string(t))
	}
	return hashOf(relation.Other, 0, string(appendKey(nil, "", []term.Term{t})))
}

func hashValue(rows *relation.Rows, v relation.Value) uint64 {
	switch v.Kind {
	case relation.Int:
		return hashOf(v.Kind, uint64(v.Int()), "")
	case relation.Atom, relation.String:
		return hashOf(v.Kind, 0, rows.Text(v))
	}
	return hashTerm(rows.TermOf(v))
}

func hashOf(of relation.Kind, n uint64, text string) uint64 {
	h := (n + uint64(of)) * hashStep
	if text != "" {
		h ^= maphash.String(hashSeed, text)
	}
	h ^= h >> 29
	return h * hashStep
}

// isTerm reports whether a value represents a term.
func isTerm(rows *relation.Rows, v relation.Value, t term.Term) bool {
	switch t := t.(type) {
	case term.Int:
		return v.Kind == relation.Int && v.Int() == int64(t)
	case term.Atom:
		return v.Kind == relation.Atom && rows.Text(v) == string(t)
	case term.String:
		return v.Kind == relation.String && rows.Text(v) == string(t)
	}
	return (v.Kind == relation.Float || v.Kind == relation.Other) &&
		string(appendKey(nil, "", []term.Term{rows.TermOf(v)})) == string(appendKey(nil, "", []term.Term{t}))
}

// numberTest is a test of a query with the number of a question.
type numberTest struct {
	column int
	op     string
	number term.Term
}

// numberTests are the tests that can be made on rows in memory. It stops before the first test that cannot, because the
// goal may throw an error there before it makes later tests.
func (p *plan) numberTests(given []term.Term) (tests []numberTest) {
	for i, t := range p.query.Tests {
		v := given[len(p.columns)+i]
		_, isInt := v.(term.Int)
		_, isFloat := v.(term.Float)
		if orders[t.Op] == nil || isOfColumns(t) || t.Standard || t.Integers || !isInt && !isFloat {
			break
		}
		tests = append(tests, numberTest{t.Column, t.Op, v})
	}
	return tests
}

// isFalse reports whether a test is false for a row and all earlier tests are true.
func isFalse(tests []numberTest, row []relation.Value) bool {
	for _, t := range tests {
		order := 0
		switch v := row[t.column]; n := t.number.(type) {
		case term.Int:
			if v.Kind != relation.Int {
				return false
			}
			order = cmp.Compare(v.Int(), int64(n))
		case term.Float:
			if v.Kind != relation.Float || math.IsNaN(float64(n)) || math.IsNaN(v.Float()) {
				return false
			}
			order = cmp.Compare(v.Float(), float64(n))
		}
		if !slices.Contains(orders[t.op], order) {
			return true
		}
	}
	return false
}

// orders maps each operator to the results of a comparison for which it holds.
var orders = map[string][]int{"<": {-1}, "<=": {-1, 0}, "=": {0}, ">=": {0, 1}, ">": {1}}
