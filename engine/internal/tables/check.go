package tables

import (
	"cmp"
	"math/big"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/feel"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file finds inputs for which several rows hold, and inputs for which no row holds.
//
// The values of each input fall into segments. All values of a segment pass the same tests. A row is one or more
// boxes of segments. To find overlaps, the boxes are sorted along one axis and compared with those that meet them
// there. To find gaps, the space is halved until a part has no box, or one box fills it.

// Finding is an overlap of two rows, or a gap between rows.
type Finding struct {
	// Rows holds the numbers of two rows that hold for the witness. It is nil for a gap.
	Rows []int
	// Witness has a value for each input.
	Witness []term.Term
}

// The bounds of the search: pairs of boxes that are compared, visits of boxes in the search for gaps, boxes of a table,
// and overlaps that are found.
const (
	maxPairs    = 400_000_000
	maxVisits   = 40_000_000
	maxBoxes    = 200_000
	maxOverlaps = 5
)

// box is a part of the space of segments, with both ends of each axis in it.
type box struct {
	row    int
	lo, hi []int32
}

// Check returns the overlaps and a gap. If the policy is any, rows overlap only if their outputs differ. sure is
// false if the search was not complete, because tests are expressions or the table is too large.
func (t *Table) Check(ended func() bool) (overlaps []Finding, gap *Finding, sure bool) {
	s := &space{table: t, ended: ended, sure: true}
	for i, c := range t.Columns {
		if !c.Output {
			s.axes = append(s.axes, newAxis(t, i))
		}
	}
	if len(s.axes) == 0 {
		return nil, nil, true
	}
	boxes := s.boxes()
	overlaps = s.overlaps(boxes)
	if !s.sure {
		return overlaps, nil, false
	}
	whole := box{lo: make([]int32, len(s.axes)), hi: make([]int32, len(s.axes))}
	for i, a := range s.axes {
		whole.hi[i] = int32(len(a.samples)) - 1
		if len(a.samples) == 0 {
			return overlaps, nil, true
		}
	}
	left := maxVisits
	if at := s.gap(whole, boxes, &left); at != nil {
		gap = &Finding{Witness: s.witness(at)}
	}
	return overlaps, gap, left > 0 && !ended()
}

// space is the space of the segments of all inputs.
type space struct {
	table *Table
	axes  []*inputAxis
	ended func() bool
	sure  bool
}

// inputAxis has a value from each segment of an input. Ordered values come first, null last.
type inputAxis struct {
	column  int
	samples []sample
	ordered int            // the number of samples with a key
	numbers map[string]int // the segments of values without an order
	spans   map[string][][2]int32
}

// sample is a value of a segment. key gives its order. It is nil for a value without an order.
type sample struct {
	key   *big.Rat
	value term.Term
}

var null = term.Term(term.Atom("null"))

// key returns the number by which a value is ordered.
func key(t term.Term) *big.Rat {
	if r, ok := feel.Rat(t); ok {
		return r
	}
	name, _, _ := term.Indicator(t)
	if args, ok := term.Is(t, "duration", 2); ok {
		r, _ := feel.Rat(args[0])
		return r
	}
	at, ok := values.Type{Name: string(name)}.Time(t)
	if !ok {
		return nil
	}
	if name == "date" {
		return big.NewRat(at.Unix()/86400, 1)
	}
	return new(big.Rat).Add(big.NewRat(at.Unix(), 1), big.NewRat(int64(at.Nanosecond()), 1e9))
}

// newAxis finds the segments of a column.
func newAxis(t *Table, column int) *inputAxis {
	a, c := &inputAxis{column: column, numbers: map[string]int{}, spans: map[string][][2]int32{}}, &t.Columns[column]
	var found []term.Term
	seen := map[string]bool{}
	for _, r := range t.Rows {
		if cell := &r.Cells[column]; !seen[cell.Text] {
			seen[cell.Text] = true
			found = append(found, constants(cell.Tests.Items)...)
		}
	}
	_, listed := kindOf(c.Type)
	_, nullable := term.Is(c.Type, "maybe", 1)
	nullable = nullable || slices.ContainsFunc(found, func(v term.Term) bool { return v == null })
	switch {
	case listed != nil:
		a.list(listed)
	case c.Kind == Boolean:
		a.list([]term.Term{term.True, term.Atom("false")})
	case c.Kind == Text || c.Kind == Anyhow:
		a.list(append(found, other(c, found)))
	default:
		a.order(c, found)
	}
	if nullable {
		a.list([]term.Term{null})
	}
	return a
}

// other returns a text that is not among the values.
func other(c *Column, found []term.Term) term.Term {
	text := "other"
	for slices.ContainsFunc(found, func(t term.Term) bool { return term.Equal(t, c.text(text)) }) {
		text += "_"
	}
	return c.text(text)
}

// list makes the segments of values without an order.
func (a *inputAxis) list(list []term.Term) {
	for _, v := range list {
		name := syntax.FormatTerm(v)
		if _, known := a.numbers[name]; !known && feel.Constant(v) {
			a.numbers[name] = len(a.samples)
			a.samples = append(a.samples, sample{nil, v})
		}
	}
}

// order makes the segments of ordered values. Each constant is a segment, and so is each space between two constants.
func (a *inputAxis) order(c *Column, found []term.Term) {
	var keys []*big.Rat
	for _, v := range found {
		if k := key(v); k != nil && v != null {
			keys = append(keys, k)
		}
	}
	whole, low, high := domain(c)
	if len(keys) == 0 {
		keys = append(keys, new(big.Rat))
	}
	slices.SortFunc(keys, (*big.Rat).Cmp)
	one, half := big.NewRat(1, 1), big.NewRat(1, 2)
	var list []*big.Rat
	for i, k := range keys {
		switch {
		case whole:
			f := floor(k)
			list = append(list, new(big.Rat).Sub(f, one), f, new(big.Rat).Add(f, one))
		case i == 0:
			list = append(list, new(big.Rat).Sub(k, one), k)
		default:
			middle := new(big.Rat).Add(keys[i-1], k)
			list = append(list, middle.Mul(middle, half), k)
		}
	}
	if !whole {
		list = append(list, new(big.Rat).Add(keys[len(keys)-1], one))
	}
	for _, end := range []*big.Rat{low, high} {
		if end != nil {
			list = append(list, end)
		}
	}
	slices.SortFunc(list, (*big.Rat).Cmp)
	for i, k := range list {
		if i > 0 && list[i-1].Cmp(k) == 0 || low != nil && k.Cmp(low) < 0 || high != nil && k.Cmp(high) > 0 {
			continue
		}
		if v := valueOf(c, k); v != nil {
			a.samples = append(a.samples, sample{k, v})
		}
	}
	a.ordered = len(a.samples)
}

// floor returns the largest integer that is not larger than r.
func floor(r *big.Rat) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Div(r.Num(), r.Denom()))
}

// domain reports whether the values of a column are whole numbers, and returns the smallest and the largest one.
func domain(c *Column) (whole bool, low, high *big.Rat) {
	t := c.Type
	if of, ok := term.Is(t, "maybe", 1); ok {
		t = of[0]
	}
	name, _, _ := term.Indicator(t)
	if args, ok := term.Is(t, "between", 3); ok {
		low, _ = feel.Rat(args[1])
		high, _ = feel.Rat(args[2])
		return args[0] == term.Term(term.Atom("integer")), low, high
	}
	day := int64(86400)
	switch name {
	case "integer":
		return true, nil, nil
	case "positive_integer":
		return true, big.NewRat(1, 1), nil
	case "non_negative_integer":
		return true, new(big.Rat), nil
	case "negative_integer":
		return true, nil, big.NewRat(-1, 1)
	case "byte":
		return true, new(big.Rat), big.NewRat(255, 1)
	case "time":
		first, _ := values.Type{Name: "time"}.Time(term.New("time", term.Int(0), term.Int(0), term.Int(0)))
		return false, big.NewRat(first.Unix(), 1), big.NewRat(first.Unix()+day-1, 1)
	case "date":
		return true, c.low, c.high
	}
	return false, nil, nil
}

// valueOf returns the value of a key, nil if there is none, such as a date before the first one.
func valueOf(c *Column, k *big.Rat) term.Term {
	switch c.Kind {
	case Number:
		return feel.Number(k)
	case "duration":
		return term.New("duration", feel.Number(k), term.Int(0))
	}
	seconds, nanos := k.Num().Int64()/k.Denom().Int64(), int64(0)
	if c.Kind == "date" {
		seconds *= 86400
	} else {
		f := floor(k)
		seconds = f.Num().Int64()
		rest := new(big.Rat).Mul(new(big.Rat).Sub(k, f), big.NewRat(1e9, 1))
		nanos = rest.Num().Int64() / rest.Denom().Int64()
	}
	at := time.Unix(seconds, nanos).UTC()
	if at.Year() < 1 || at.Year() > 9999 {
		return nil
	}
	return values.Type{Name: string(c.Kind)}.OfTime(at)
}

// cover returns the spans of segments for which a cell holds. ok is false if they are not known.
func (a *inputAxis) cover(cell *Cell) (spans [][2]int32, ok bool) {
	if known, found := a.spans[cell.Text]; found {
		return known, known != nil
	}
	all, held := int32(len(a.samples)), [][2]int32{}
	a.spans[cell.Text] = nil
	for _, item := range cell.Tests.Items {
		from, to, ok := a.span(item)
		if !ok {
			return nil, false
		}
		if from < to {
			held = append(held, [2]int32{int32(from), int32(to) - 1})
		}
	}
	slices.SortFunc(held, func(x, y [2]int32) int { return cmp.Compare(x[0], y[0]) })
	next, outside := int32(0), [][2]int32{} // the segments between the spans
	spans = [][2]int32{}
	for _, h := range held {
		if h[0] > next {
			outside = append(outside, [2]int32{next, h[0] - 1})
		}
		if n := len(spans); n > 0 && spans[n-1][1] >= h[0]-1 {
			spans[n-1][1] = max(spans[n-1][1], h[1])
		} else {
			spans = append(spans, h)
		}
		next = max(next, h[1]+1)
	}
	switch {
	case cell.Tests.Any:
		spans = [][2]int32{{0, all - 1}}
	case cell.Tests.Not:
		if spans = outside; next < all {
			spans = append(spans, [2]int32{next, all - 1})
		}
	}
	a.spans[cell.Text] = spans
	return spans, true
}

// span returns the segments for which one test holds. to is behind the last one. ok is false if they are not known.
func (a *inputAxis) span(item term.Term) (from, to int, ok bool) {
	if _, isList := term.Slice(item); isList || !feel.Constant(item) {
		return 0, 0, false
	}
	// behind returns the first segment behind a key, or at it.
	behind := func(k *big.Rat, at bool) int {
		return sort.Search(a.ordered, func(i int) bool {
			order := a.samples[i].key.Cmp(k)
			return order > 0 || at && order == 0
		})
	}
	if ends, isRange := term.Is(item, "range", 4); isRange {
		for _, end := range []term.Term{ends[0], ends[2]} {
			if end != term.Term(term.Atom("inf")) && key(end) == nil { // such as a text
				return 0, 0, false
			}
		}
		to = a.ordered
		if k := key(ends[0]); k != nil {
			from = behind(k, ends[1] == term.Term(term.Atom("closed")))
		}
		if k := key(ends[2]); k != nil {
			to = behind(k, ends[3] != term.Term(term.Atom("closed")))
		}
		return from, to, true
	}
	if k := key(item); k != nil && a.ordered > 0 {
		return behind(k, true), behind(k, false), true
	}
	i, known := a.numbers[syntax.FormatTerm(item)]
	if !known {
		return 0, 0, true // outside of the domain
	}
	return i, i + 1, true
}

// boxes returns the boxes of all rows.
func (s *space) boxes() (list []box) {
	for n := range s.table.Rows {
		of := []box{{row: n}}
		for _, a := range s.axes {
			spans, ok := a.cover(&s.table.Rows[n].Cells[a.column])
			if !ok || len(spans)*len(of)+len(list) > maxBoxes {
				s.sure, of = false, nil
				break
			}
			var wider []box
			for _, b := range of {
				for _, span := range spans {
					wider = append(wider, box{n, append(slices.Clip(b.lo), span[0]), append(slices.Clip(b.hi), span[1])})
				}
			}
			of = wider
		}
		list = append(list, of...)
	}
	return list
}

// overlaps finds rows whose boxes meet.
func (s *space) overlaps(boxes []box) (found []Finding) {
	axis := s.sweepAxis(boxes)
	sorted := slices.Clone(boxes)
	slices.SortStableFunc(sorted, func(a, b box) int { return cmp.Compare(a.lo[axis], b.lo[axis]) })
	left, known := maxPairs, map[[2]int]bool{}
	for i, a := range sorted {
		if left < 0 || s.ended() {
			s.sure = false
			return found
		}
		for _, b := range sorted[i+1:] {
			left--
			if b.lo[axis] > a.hi[axis] {
				break
			}
			rows := [2]int{min(a.row, b.row), max(a.row, b.row)}
			if a.row == b.row || !meet(a, b) || known[rows] || s.table.Hit == "any" && !s.differ(a.row, b.row) {
				continue
			}
			known[rows] = true
			at := make([]int32, len(a.lo))
			for k := range at {
				at[k] = max(a.lo[k], b.lo[k])
			}
			found = append(found, Finding{rows[:], s.witness(at)})
			if len(found) == maxOverlaps {
				return found
			}
		}
	}
	return found
}

// sweepAxis returns the axis along which the fewest boxes meet.
func (s *space) sweepAxis(boxes []box) (best int) {
	least := -1
	for axis := range s.axes {
		var starts []int32
		for _, b := range boxes {
			starts = append(starts, b.lo[axis])
		}
		slices.Sort(starts)
		pairs := 0
		for _, b := range boxes {
			from, _ := slices.BinarySearch(starts, b.lo[axis])
			to, _ := slices.BinarySearch(starts, b.hi[axis]+1)
			pairs += to - from
		}
		if least < 0 || pairs < least {
			best, least = axis, pairs
		}
	}
	return best
}

func meet(a, b box) bool {
	for i, lo := range a.lo {
		if lo > b.hi[i] || b.lo[i] > a.hi[i] {
			return false
		}
	}
	return true
}

// differ reports whether the outputs of two rows certainly differ.
func (s *space) differ(a, b int) bool {
	for i, c := range s.table.Columns {
		x, y := s.table.Rows[a].Cells[i].Value, s.table.Rows[b].Cells[i].Value
		if c.Output && feel.Constant(x) && feel.Constant(y) && !term.Equal(x, y) {
			return true
		}
	}
	return false
}

// gap returns a point of a part of the space that is in no box. It returns nil if there is none, or if left becomes
// negative.
func (s *space) gap(part box, boxes []box, left *int) []int32 {
	if len(boxes) == 0 {
		return part.lo
	}
	if *left -= len(boxes); *left < 0 || s.ended() {
		return nil
	}
	cuts := make([]int, len(s.axes))
	for _, b := range boxes {
		fills := true
		for i := range s.axes {
			for _, inner := range []bool{b.lo[i] > part.lo[i], b.hi[i] < part.hi[i]} {
				if inner {
					fills = false
					cuts[i]++
				}
			}
		}
		if fills {
			return nil
		}
	}
	axis := slices.Index(cuts, slices.Max(cuts))
	var ends []int32 // of lower halves
	for _, b := range boxes {
		if b.lo[axis] > part.lo[axis] {
			ends = append(ends, b.lo[axis]-1)
		}
		if b.hi[axis] < part.hi[axis] {
			ends = append(ends, b.hi[axis])
		}
	}
	slices.Sort(ends)
	cut := ends[len(ends)/2]
	for _, half := range [][2]int32{{part.lo[axis], cut}, {cut + 1, part.hi[axis]}} {
		sub := box{0, slices.Clone(part.lo), slices.Clone(part.hi)}
		sub.lo[axis], sub.hi[axis] = half[0], half[1]
		var within []box
		for _, b := range boxes {
			if b.lo[axis] <= half[1] && b.hi[axis] >= half[0] {
				within = append(within, b)
			}
		}
		if at := s.gap(sub, within, left); at != nil {
			return at
		}
	}
	return nil
}

// witness returns the values of a point.
func (s *space) witness(at []int32) (list []term.Term) {
	for i, a := range s.axes {
		list = append(list, a.samples[at[i]].value)
	}
	return list
}

// WitnessText shows the inputs of a finding by their names.
func (t *Table) WitnessText(f *Finding) string {
	var parts []string
	for _, c := range t.Columns {
		if c.Output {
			continue
		}
		value := f.Witness[len(parts)]
		text := syntax.FormatTerm(value)
		if v, ok := values.Of(c.Type); ok {
			if shown, ok := v.Text(value); ok {
				text = shown
			}
		}
		parts = append(parts, c.Name+" = "+text)
	}
	return strings.Join(parts, ", ")
}
