package datalog

import (
	"errors"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
)

// This file defines how joins run: atom by atom, in batches of rows stored by column.

// stage holds the values after some atoms of a join, for up to width rows. It has no columns for variables and
// intermediate results that are not used later.
type stage struct {
	n     int
	cols  [][]uint32 // by variable
	nums  [][]int64  // by number of an intermediate result
	from  []uint32   // by row: its row in the previous stage
	rows  []uint32   // by row: the row of the last atom
	terms []Term     // the variables that have columns
}

// width bounds the number of rows of a stage.
const width = 1024

// runner runs joins.
type runner struct {
	e      *evaluation
	j      *join
	stages []stage
	row    []uint32
	ats    [width]int
	left   [width]int64
	right  [width]int64
	keep   [width]bool

	from, to int // the current range of new rows of the first atom

	// Of a join in shards:
	wave  *wave
	helps bool      // another runner accounts for the steps
	found *Relation // rows of the head that are not there yet
}

// start runs a join.
func (e *evaluation) start(j *join) {
	if j.isCut() {
		e.runShards(j)
		return
	}
	e.runner.e = e
	before := j.head.n
	e.runner.run(j, j.from, j.to)
	j.made += j.head.n - before
}

// run runs a join for a range of new rows of its first atom.
func (w *runner) run(j *join, from, to int) {
	w.j, w.from, w.to = j, from, to
	for len(w.stages) <= len(j.steps) {
		w.stages = append(w.stages, stage{})
	}
	for i := range w.stages[:len(j.steps)+1] {
		l := &w.stages[i]
		if n := j.places - len(l.cols); n > 0 {
			l.cols, l.nums = append(l.cols, make([][]uint32, n)...), append(l.nums, make([][]int64, n)...)
		}
		l.n, l.terms = 0, l.terms[:0]
	}
	l := &w.stages[0]
	l.n = 1
	l.widen(1)
	if j.first == nil || w.pass(j.first, l) {
		w.step(0)
	}
}

// column returns the column of a variable, with room for all rows of the stage.
func (l *stage) column(v Term) []uint32 {
	if len(l.cols[v]) < len(l.from) {
		l.cols[v] = make([]uint32, len(l.from))
	}
	return l.cols[v]
}

// results returns the column of an intermediate result.
func (l *stage) results(t Term) []int64 {
	if len(l.nums[t]) < len(l.from) {
		l.nums[t] = make([]int64, len(l.from))
	}
	return l.nums[t]
}

// value returns the value of a source in a row.
func (l *stage) value(s source, row int) uint32 {
	if s.variable < 0 {
		return s.value
	}
	return l.cols[s.variable][row]
}

// values stores the values of sources in a row, one after the other.
func (w *runner) values(l *stage, sources []source, row int) []uint32 {
	w.row = w.row[:0]
	for _, s := range sources {
		w.row = append(w.row, l.value(s, row))
	}
	return w.row
}

// compact keeps the rows for which keep is true.
func (w *runner) compact(l *stage) {
	keep := w.keep[:l.n]
	n := 0
	for _, is := range keep {
		if is {
			n++
		}
	}
	if n == l.n {
		return
	}
	for _, t := range l.terms {
		if t >= Term(w.j.vars) {
			squeeze(l.nums[t], keep)
		} else {
			squeeze(l.cols[t], keep)
		}
	}
	l.n = n
}

// squeeze moves the items for which keep is true to the front.
func squeeze[T any](items []T, keep []bool) {
	n := 0
	for i, is := range keep {
		items[n] = items[i]
		if is {
			n++
		}
	}
}

// step joins the rows of a stage with the next atom.
func (w *runner) step(n int) {
	in := &w.stages[n]
	if n == len(w.j.steps) {
		w.derive(in)
		return
	}
	if !w.note(in.n) {
		return
	}
	s := &w.j.steps[n]
	switch {
	case s.all:
		w.held(n, s, in)
	case s.index == nil:
		w.scan(n, s, in)
	case s.index.starts != nil:
		w.spans(n, s, in)
	default:
		w.chains(n, s, in)
	}
	w.flush(n)
}

// room makes room for another row after step n. It returns false if the evaluation must end.
func (w *runner) room(n int) bool {
	out := &w.stages[n+1]
	if len(out.from) >= width {
		return w.flush(n)
	}
	out.widen(min(width, max(16, 4*len(out.from))))
	return true
}

// widen makes room for n rows.
func (l *stage) widen(n int) {
	if more := n - len(l.from); more > 0 {
		l.from, l.rows = append(l.from, make([]uint32, more)...), append(l.rows, make([]uint32, more)...)
	}
}

// held keeps the stage's rows that a relation contains.
func (w *runner) held(n int, s *step, in *stage) {
	w.find(s.rel, s.key, in)
	out := &w.stages[n+1]
	out.widen(in.n)
	for i, is := range w.keep[:in.n] {
		if out.from[out.n] = uint32(i); is {
			out.n++
		}
	}
}

// scan joins with all rows, or with the new rows.
func (w *runner) scan(n int, s *step, in *stage) {
	from, to := 0, s.rel.n
	isDelta := n == 0 && w.j.delta
	if isDelta {
		from, to = w.from, w.to
	}
	out := &w.stages[n+1]
	for i := range in.n {
		for at := from; at < to; at++ {
			if out.n == len(out.from) && !w.room(n) {
				return
			}
			row := uint32(at)
			if isDelta && s.rel.modes != nil {
				row = s.rel.log[at]
			}
			out.from[out.n], out.rows[out.n] = uint32(i), row
			out.n++
		}
	}
}

// spans joins with the sorted rows of an index.
func (w *runner) spans(n int, s *step, in *stage) {
	out := &w.stages[n+1]
	for i := range in.n {
		lo, hi := s.index.span(in.value(s.key[0], i))
		for at := lo; at < hi; at++ {
			if out.n == len(out.from) && !w.room(n) {
				return
			}
			out.from[out.n], out.rows[out.n] = uint32(i), uint32(at)
			out.n++
		}
	}
}

// chains joins with the rows of an index on a growing relation.
func (w *runner) chains(n int, s *step, in *stage) {
	out, x := &w.stages[n+1], s.index
	for i := range in.n {
		for at := x.newest(w.values(in, s.key, i)); at != 0; at = x.next[at-1] {
			if out.n == len(out.from) && !w.room(n) {
				return
			}
			out.from[out.n], out.rows[out.n] = uint32(i), uint32(at-1)
			out.n++
		}
	}
}

// flush continues with the rows after step n. It returns false if the evaluation must end.
func (w *runner) flush(n int) bool {
	s, in, out := &w.j.steps[n], &w.stages[n], &w.stages[n+1]
	if !w.note(out.n) {
		return false
	}
	if out.n == 0 {
		return true
	}
	w.check(s, in, out)
	w.gather(s, in, out)
	if out.n > 0 && (s.then == nil || w.pass(s.then, out)) {
		w.step(n + 1)
	}
	out.n = 0
	return w.note(0)
}

// cells returns the rows that a step reads.
func (s *step) cells() []uint32 {
	if s.index != nil && s.index.starts != nil {
		return s.index.sorted
	}
	return s.rel.rows
}

// check drops the rows that do not have the values that a step requires.
func (w *runner) check(s *step, in, out *stage) {
	cells, arity := s.cells(), s.rel.Arity
	for _, c := range s.checks {
		n := 0
		for i := range out.n {
			at := int(out.rows[i]) * arity
			want := c.known.value
			switch {
			case c.twin >= 0:
				want = cells[at+c.twin]
			case c.known.variable >= 0:
				want = in.cols[c.known.variable][out.from[i]]
			}
			if cells[at+c.place] == want {
				out.from[n], out.rows[n] = out.from[i], out.rows[i]
				n++
			}
		}
		out.n = n
	}
}

// gather makes the columns of a stage.
func (w *runner) gather(s *step, in, out *stage) {
	out.terms = out.terms[:0]
	from, rows := out.from[:out.n], out.rows[:out.n]
	for _, t := range s.passed {
		out.terms = append(out.terms, t)
		if t >= Term(w.j.vars) {
			to, old := out.results(t), in.nums[t]
			for i, at := range from {
				to[i] = old[at]
			}
			continue
		}
		to, old := out.column(t)[:len(from)], in.cols[t]
		for i, at := range from {
			to[i] = old[at]
		}
	}
	cells, arity := s.cells(), s.rel.Arity
	for _, o := range s.outs {
		t := Term(o.variable)
		out.terms = append(out.terms, t)
		to, place := out.column(t)[:len(rows)], o.place
		for i, at := range rows {
			to[i] = cells[int(at)*arity+place]
		}
	}
}

// find stores in keep which rows of a stage a relation contains.
func (w *runner) find(rel *Relation, args []source, l *stage) {
	if !w.number(rel, args, l) {
		for i := range l.n {
			w.keep[i] = rel.Has(w.values(l, args, i))
		}
		return
	}
	keep := w.keep[:l.n]
	for i, at := range w.ats[:l.n] {
		keep[i] = at >= 0 && rel.bits[at>>6]>>(at&63)&1 != 0
	}
}

// number stores the numbers of rows in ats, -1 for a row with an unnumbered constant. It returns false if rows are not
// kept as bits.
func (w *runner) number(rel *Relation, args []source, l *stage) bool {
	if rel.bits == nil || rel.wide != 0 {
		return false
	}
	ats := w.ats[:l.n]
	clear(ats)
	for c, s := range args {
		room, ranked := rel.domain, []uint32(nil)
		if rel.ranks != nil {
			room, ranked = rel.ranks.room[c], rel.ranks.columns[c]
		}
		switch {
		case s.variable < 0:
			v := rel.rank(ranked, s.value)
			for i, at := range ats {
				ats[i] = at*room + v | at>>63 | v>>63
			}
		case ranked == nil && w.e.numbers == nil:
			for i, v := range l.cols[s.variable][:len(ats)] {
				ats[i] = ats[i]*room + int(v)
			}
		default:
			for i, v := range l.cols[s.variable][:len(ats)] {
				rank := rel.rank(ranked, v)
				ats[i] = ats[i]*room + rank | ats[i]>>63 | rank>>63
			}
		}
	}
	return true
}

// rank returns the rank of a constant in a column, the constant itself if ranks is nil, and -1 if it has no rank.
func (r *Relation) rank(ranked []uint32, v uint32) int {
	switch {
	case int(v) >= r.domain:
		return -1
	case ranked == nil:
		return int(v)
	}
	return int(ranked[v]) - 1
}

// pass keeps the rows of a stage for which a filter holds, and adds the results of arithmetic. It returns false if
// there are none.
func (w *runner) pass(f *filter, l *stage) bool {
	for i := range f.calcs {
		if !w.calculate(&f.calcs[i], l) || l.n == 0 {
			return false
		}
	}
	for _, t := range f.tests {
		left, right := sourceOf(t.Left), sourceOf(t.Right)
		for i := range l.n {
			w.keep[i] = (l.value(left, i) != l.value(right, i)) == t.Differ
		}
		w.compact(l)
	}
	for i := range f.absent {
		if a := &f.absent[i]; a.open {
			for row := range l.n {
				w.keep[row] = !w.holds(a, l, row)
			}
		} else {
			w.find(a.rel, a.args, l)
			for row, is := range w.keep[:l.n] {
				w.keep[row] = !is
			}
		}
		if !w.note(l.n) {
			return false
		}
		w.compact(l)
	}
	return l.n > 0
}

// calculate does a step of arithmetic for the rows of a stage. It returns false if a result is not an integer of the
// range.
func (w *runner) calculate(c *calc, l *stage) bool {
	left, right := w.operands(c.Left, l, &w.left), w.operands(c.Right, l, &w.right)
	if left == nil || right == nil {
		w.e.give(ErrUnsuitable)
		return false
	}
	if c.isTest() {
		for i, a := range left {
			w.keep[i] = compares(c.Op, a, right[i])
		}
		w.compact(l)
		return true
	}
	for i, a := range left {
		v, ok := apply(c.Op, a, right[i])
		if !ok || v < MinInt || v > MaxInt {
			w.e.give(ErrUnsuitable)
			return false
		}
		left[i] = v
	}
	switch {
	case c.Op != Is:
		copy(l.results(c.Out), left)
		l.terms = append(l.terms, c.Out)
	case c.known:
		out := sourceOf(c.Out)
		for i, v := range left {
			w.keep[i] = v == w.e.numbers.values[l.value(out, i)]
		}
		w.compact(l)
	default:
		n, to := w.e.numbers.Len(), l.column(c.Out)
		for i, v := range left {
			to[i] = w.e.numbers.id(v)
		}
		l.terms = append(l.terms, c.Out)
		return w.note(stepsPerCall * (w.e.numbers.Len() - n))
	}
	return true
}

// operands returns the integer values of a term. It returns nil if a value is no integer.
func (w *runner) operands(t Term, l *stage, room *[width]int64) []int64 {
	list := room[:l.n]
	if t >= Term(w.j.vars) {
		copy(list, l.nums[t])
		return list
	}
	s, values := sourceOf(t), w.e.numbers.values
	for i := range list {
		if list[i] = values[l.value(s, i)]; list[i] == notNumber {
			return nil
		}
	}
	return list
}

// errFound ends the search for a row.
var errFound = errors.New("found")

// holds reports whether a row matches an atom with unknown columns.
func (w *runner) holds(a *absence, l *stage, row int) bool {
	for i, s := range a.args {
		if a.known[i] {
			a.values[i] = l.value(s, row)
		}
	}
	return a.rel.Selected(a.known, a.values, func(row []uint32) error {
		if !w.note(1) || a.agrees(row) {
			return errFound
		}
		return nil
	}) != nil
}

// agrees reports whether columns with the same variable have the same value.
func (a *absence) agrees(row []uint32) bool {
	for i, s := range a.args {
		if first := slices.Index(a.args[:i], s); first >= 0 && row[first] != row[i] {
			return false
		}
	}
	return true
}

// derive adds the rows of the head.
func (w *runner) derive(l *stage) {
	j := w.j
	if j.kept != nil {
		for row := range l.n {
			for v := range j.vars {
				value := uint32(0)
				if slices.Contains(l.terms, Term(v)) {
					value = l.cols[v][row]
				}
				*j.kept = arrays.Push(*j.kept, value)
			}
		}
		*j.count += l.n
	}
	head := j.head
	i := 0
	switch {
	case w.found != nil:
		w.keepNew(l)
		return
	case head.modes != nil:
		for i < l.n && w.e.err == nil {
			w.e.give(head.put(w.values(l, j.headArgs, i)))
			i++
		}
		return
	case w.number(head, j.headArgs, l):
		for ; i < l.n && w.ats[i] >= 0; i++ {
			at := w.ats[i]
			if word, bit := &head.bits[at>>6], uint64(1)<<(at&63); *word&bit == 0 {
				*word |= bit
				head.append(w.values(l, j.headArgs, i))
			}
		}
	}
	for ; i < l.n; i++ { // a constant got a rank
		head.Add(w.values(l, j.headArgs, i))
	}
}
