package tables

import (
	"math/big"
	"slices"
	"sort"

	"github.com/mcplogic/mcplogic/engine/internal/feel"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the index of a table whose rows have ranges. The ends of the ranges in one column cut its values
// into segments. Neighbouring segments for which the same rows can hold form a part. A table rate/2 that is indexed
// by its first column has these clauses:
//
//	rate(X, R) :- decision_part('rate node', X, P), 'rate row'(P, X, R).
//	'rate node'(Node, End, Low, At, High)  where to go on for values below an end of a range, at it and above it: to a
//	                                       node, or to a part with its sign changed
//	'rate row'(P, X, R) :- ...             the rows, once for each part that they can hold for

// minIndexed is the number of rows from which a table gets such an index.
const minIndexed = 64

// The bounds of the average number of segments, and of parts, that a row is in.
const (
	maxSegmentsEach = 8
	maxPartsEach    = 4
)

// rangeIndex is the index by one column.
type rangeIndex struct {
	table  *Table
	column int
	keys   []rangeEnd
	leaves []int   // the part of each segment: below the first key, at it, between it and the next, and so on
	parts  [][]int // rows, part 0 has none
	nodes  []Clause
}

// rangeEnd is an end of a range.
type rangeEnd struct {
	order *big.Rat
	value term.Term
}

// newRangeIndex returns the index by the column whose parts have the fewest rows. It returns nil if no index is worth
// its cost.
func (t *Table) newRangeIndex() (best *rangeIndex) {
	if len(t.Rows) < minIndexed || t.Single {
		return nil
	}
	least := t.constantRows() / 2
	for i, c := range t.Columns {
		if _, nullable := term.Is(c.Type, "maybe", 1); c.Output || !c.isOrdered() || c.Loose || nullable {
			continue
		}
		x := &rangeIndex{table: t, column: i}
		if x.cut() && x.fill() {
			if n := len(slices.MaxFunc(x.parts, func(a, b []int) int { return len(a) - len(b) })); n < least {
				best, least = x, n
			}
		}
	}
	return best
}

// constantRows returns the number of rows that remain, at best, if the constants of one input select them.
func (t *Table) constantRows() int {
	least := len(t.Rows)
	for i, c := range t.Columns {
		values, constant := map[string]bool{}, 0
		for r := range t.Rows {
			cell := &t.Rows[r].Cells[i]
			if value, _ := cell.guard(&c); !c.Output && value != nil {
				values[cell.Text] = true
				constant++
			}
		}
		if constant > len(t.Rows)/2 {
			least = min(least, len(t.Rows)-constant+constant/len(values))
		}
	}
	return least
}

// ranges returns the ranges for which a cell holds. ok is false if they are not known.
func (x *rangeIndex) ranges(cell *Cell) (list [][]term.Term, ok bool) {
	inf, open, closed := term.Term(term.Atom("inf")), term.Term(term.Atom("open")), term.Term(term.Atom("closed"))
	if cell.Tests.Any {
		return [][]term.Term{{inf, open, inf, open}}, true
	}
	for _, item := range cell.Tests.Items {
		ends, isRange := term.Is(item, "range", 4)
		if !isRange {
			ends = []term.Term{item, closed, item, closed}
		}
		for _, end := range []term.Term{ends[0], ends[2]} {
			if end != inf && (!feel.Constant(end) || key(end) == nil) {
				return nil, false
			}
		}
		list = append(list, ends)
	}
	return list, !cell.Tests.Not
}

// cut collects the ends of the ranges.
func (x *rangeIndex) cut() bool {
	seen := map[string]bool{}
	for i := range x.table.Rows {
		cell := &x.table.Rows[i].Cells[x.column]
		if seen[cell.Text] {
			continue
		}
		seen[cell.Text] = true
		list, ok := x.ranges(cell)
		if !ok {
			return false
		}
		for _, ends := range list {
			for _, end := range []term.Term{ends[0], ends[2]} {
				if k := key(end); k != nil {
					x.keys = append(x.keys, rangeEnd{k, end})
				}
			}
		}
	}
	slices.SortFunc(x.keys, func(a, b rangeEnd) int { return a.order.Cmp(b.order) })
	x.keys = slices.CompactFunc(x.keys, func(a, b rangeEnd) bool { return a.order.Cmp(b.order) == 0 })
	return len(x.keys) > 1
}

// segment returns the segment where a range begins or ends.
func (x *rangeIndex) segment(end, kind term.Term, high bool) int {
	k := key(end)
	at := sort.Search(len(x.keys), func(i int) bool { return k != nil && x.keys[i].order.Cmp(k) >= 0 })
	switch {
	case k == nil && high:
		return 2 * len(x.keys)
	case k == nil:
		return 0
	case kind == term.Term(term.Atom("closed")):
		return 2*at + 1
	case high:
		return 2 * at
	}
	return 2*at + 2
}

// fill finds the parts and their rows. It returns false if rows would be in too many parts.
func (x *rangeIndex) fill() bool {
	segments, total := make([][]int, 2*len(x.keys)+1), 0
	for r := range x.table.Rows {
		list, _ := x.ranges(&x.table.Rows[r].Cells[x.column])
		for _, ends := range list {
			from, to := x.segment(ends[0], ends[1], false), x.segment(ends[2], ends[3], true)
			if total += max(0, to-from+1); total > maxSegmentsEach*len(x.table.Rows) {
				return false
			}
			for s := from; s <= to; s++ {
				if rows := segments[s]; len(rows) == 0 || rows[len(rows)-1] != r {
					segments[s] = append(rows, r)
				}
			}
		}
	}
	x.parts, total = [][]int{nil}, 0
	for s, rows := range segments {
		if s == 0 || !slices.Equal(rows, segments[s-1]) {
			x.leaves = append(x.leaves, len(x.parts))
			if len(rows) == 0 {
				x.leaves[s] = 0
				continue
			}
			x.parts, total = append(x.parts, rows), total+len(rows)
			continue
		}
		x.leaves = append(x.leaves, x.leaves[s-1])
	}
	return total <= maxPartsEach*len(x.table.Rows)
}

// clauses returns the clauses of the predicate of the rows.
func (x *rangeIndex) clauses(name string) (list []Clause) {
	t := x.table
	at := Place{Place: t.Columns[0].At.Place}
	head, part := t.head(name), term.NewVar("")
	row := term.New(term.Atom(name+RowsSuffix), append([]term.Term{part}, head.Args...)...)
	nodes := term.Atom(name + NodesSuffix)
	search := term.New("decision_part", nodes, t.Columns[x.column].v, part)
	list = append(list, Clause{head, term.New(",", search, row), at})
	x.node(nodes, 0, len(x.keys), at)
	list = append(list, x.nodes...)
	for p, rows := range x.parts {
		for _, r := range rows {
			c := t.clause(name+RowsSuffix, &t.Rows[r])
			own := c.Head.(*term.Compound)
			c.Head = term.New(own.Functor, append([]term.Term{term.Int(p)}, own.Args...)...)
			list = append(list, c)
		}
	}
	return list
}

// node adds the nodes for some of the keys. It returns the number of the first one, or a leaf.
func (x *rangeIndex) node(name term.Atom, from, to int, at Place) term.Term {
	if from == to {
		return term.Int(-x.leaves[2*from])
	}
	middle, place := (from+to)/2, len(x.nodes)
	x.nodes = append(x.nodes, Clause{})
	low, high := x.node(name, from, middle, at), x.node(name, middle+1, to, at)
	x.nodes[place] = Clause{term.New(name, term.Int(place+1), x.keys[middle].value, low,
		term.Int(-x.leaves[2*middle+1]), high), term.True, at}
	return term.Int(place + 1)
}
