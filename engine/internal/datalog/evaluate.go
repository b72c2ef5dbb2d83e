package datalog

import "slices"

// This file defines the evaluation of rules: each round joins what the last one has added with all that is there.

// evaluation is a run of rules over relations.
type evaluation struct {
	rules []Rule
	rels  []*Relation
	acc   Account
	work  int // steps not accounted for
	err   error
}

// stepsPerCall is how many steps of a join take about as long as a call of a predicate.
const (
	stepsPerCall = 16
	batch        = 4096
)

// note accounts for steps; ok is false when the run is to end.
func (e *evaluation) note(n int) bool {
	e.work += n
	if e.work < batch {
		return e.err == nil
	}
	if e.err == nil {
		e.err = e.acc.Work(e.work / stepsPerCall)
	}
	e.work = 0
	if e.err == nil {
		e.err = e.holdAll()
	}
	return e.err == nil
}

// holdAll accounts for the memory of the relations.
func (e *evaluation) holdAll() error {
	for _, r := range e.rels {
		if r == nil {
			continue
		}
		if n := r.Bytes() - r.held; n != 0 {
			r.held += n
			if err := e.acc.Hold(n); err != nil {
				return err
			}
		}
	}
	return nil
}

// Held returns what Solve has accounted for the relation.
func (r *Relation) Held() int { return r.held }

func (e *evaluation) run() error {
	defined := make([]bool, len(e.rels))
	for _, r := range e.rules {
		defined[r.Head.Rel] = true
	}
	for i := range e.rules {
		r := &e.rules[i]
		if slices.ContainsFunc(r.Body, func(a Atom) bool { return defined[a.Rel] }) {
			continue
		}
		j := e.plan(r, -1)
		j.from, j.to = 0, 1<<62
		j.step(0)
		if !e.note(1) {
			return e.err
		}
	}
	return e.rounds(defined)
}

// rounds goes on until no relation has grown.
func (e *evaluation) rounds(defined []bool) error {
	seen := make([]int, len(e.rels))
	var later []*join
	var planned []int // how many rows there were when later was planned
	for {
		if e.outgrown(planned) {
			later, planned = e.recursive(defined)
			if err := e.holdAll(); err != nil {
				return err
			}
		}
		ends := make([]int, len(e.rels))
		grown := false
		for i, r := range e.rels {
			if defined[i] {
				ends[i] = r.n
				grown = grown || r.n > seen[i]
			}
		}
		if !grown {
			return e.holdAll()
		}
		for _, j := range later {
			rel := j.steps[0].number
			if j.from, j.to = seen[rel], ends[rel]; j.from < j.to {
				j.step(0)
			}
			if !e.note(1) {
				return e.err
			}
		}
		copy(seen, ends)
	}
}

// outgrown reports whether a relation is so much larger than at the last plan that another order may be better now.
func (e *evaluation) outgrown(planned []int) bool {
	const factor, few = 4, 16
	for i, r := range e.rels {
		if planned == nil || r != nil && r.n > factor*planned[i]+few {
			return true
		}
	}
	return false
}

// recursive plans the joins of each round, one for each atom of a body whose relation grows. sizes are the numbers of
// rows as they are now.
func (e *evaluation) recursive(defined []bool) (later []*join, sizes []int) {
	for i := range e.rules {
		r := &e.rules[i]
		for j, a := range r.Body {
			if defined[a.Rel] {
				later = append(later, e.plan(r, j))
			}
		}
	}
	sizes = make([]int, len(e.rels))
	for i, r := range e.rels {
		if r != nil { // else no rule that is needed is about it
			sizes[i] = r.n
		}
	}
	return later, sizes
}

// source is where a value comes from: a variable, or a constant when variable is negative.
type source struct {
	variable int
	value    uint32
}

type output struct{ place, variable int }

// step is an atom of a body, in the order of the join.
type step struct {
	rel    *Relation
	number int
	key    []source // by place of the index
	index  *index   // nil: all rows, or all places are known
	all    bool     // all places are known
	outs   []output
	checks []output // places that repeat a variable or hold a known value
	known  []source // what the checks of constants compare with
	tests  []Test
}

// join is a rule in the order of evaluation. Of the first atom the rows from a number on are looked at, to another.
type join struct {
	e        *evaluation
	head     *Relation
	headArgs []source
	steps    []step
	env      []uint32
	row      []uint32
	key      []uint32
	from, to int
}

// plan orders the atoms of a rule. The atom whose new rows are joined comes first. The next one is always the atom with
// the fewest rows for the values known so far, and among equals the first of the body.
func (e *evaluation) plan(r *Rule, delta int) *join {
	j := &join{e: e, head: e.rels[r.Head.Rel], env: make([]uint32, r.Vars), row: make([]uint32, len(r.Head.Args))}
	bound := make([]bool, r.Vars)
	done := make([]bool, len(r.Body))
	tested := make([]bool, len(r.Tests))
	for n := range r.Body {
		next := delta
		if n > 0 || delta < 0 {
			next = e.choose(r, done, bound)
		}
		done[next] = true
		s := e.stepFor(r.Body[next], bound, n == 0 && delta >= 0)
		for i, t := range r.Tests {
			if !tested[i] && isKnown(t.Left, bound) && isKnown(t.Right, bound) {
				tested[i] = true
				s.tests = append(s.tests, t)
			}
		}
		j.steps = append(j.steps, s)
		j.key = append(j.key, make([]uint32, len(s.key))...)
	}
	for _, t := range r.Head.Args {
		j.headArgs = append(j.headArgs, sourceOf(t))
	}
	return j
}

// choose returns the atom to join next.
func (e *evaluation) choose(r *Rule, done, bound []bool) int {
	best, least := -1, 0.0
	for i, a := range r.Body {
		if done[i] {
			continue
		}
		if fan := e.fanOut(a, bound); best < 0 || fan < least {
			best, least = i, fan
		}
	}
	return best
}

// fanOut estimates how many rows of an atom agree with known values: all rows, divided by the number of keys that there
// are, as if the columns were independent of each other.
func (e *evaluation) fanOut(a Atom, bound []bool) float64 {
	rel := e.rels[a.Rel]
	rows, keys, all := float64(rel.n), 1.0, true
	for place, t := range a.Args {
		if isKnown(t, bound) {
			keys *= float64(rel.distinct(place))
		} else {
			all = false
		}
	}
	if rows == 0 || all {
		return rows / max(keys, 1)
	}
	return rows / min(keys, rows)
}

func isKnown(t Term, bound []bool) bool { return !t.isVar() || bound[t] }

func sourceOf(t Term) source {
	if t.isVar() {
		return source{variable: int(t)}
	}
	return source{-1, t.id()}
}

// stepFor makes the step of an atom, and notes the variables that it gives values.
func (e *evaluation) stepFor(a Atom, bound []bool, delta bool) step {
	s := step{rel: e.rels[a.Rel], number: a.Rel}
	mask := uint64(0)
	for i, t := range a.Args {
		switch {
		case isKnown(t, bound) && delta:
			s.checks, s.known = append(s.checks, output{place: i}), append(s.known, sourceOf(t))
		case isKnown(t, bound):
			s.key = append(s.key, sourceOf(t))
			mask |= 1 << i
		}
	}
	for i, t := range a.Args {
		if mask>>i&1 != 0 || !t.isVar() {
			continue
		}
		if bound[t] {
			s.checks, s.known = append(s.checks, output{place: i}), append(s.known, sourceOf(t))
			continue
		}
		bound[t] = true
		s.outs = append(s.outs, output{i, int(t)})
	}
	switch {
	case mask == 0:
	case len(s.key) == len(a.Args):
		s.all = true
	default:
		if s.rel.by[mask] == nil {
			e.note(s.rel.n)
		}
		s.index = s.rel.indexOn(mask)
	}
	return s
}

func (j *join) value(s source) uint32 {
	if s.variable < 0 {
		return s.value
	}
	return j.env[s.variable]
}

// step goes through the rows of an atom that agree with the values so far.
func (j *join) step(n int) {
	if n == len(j.steps) {
		j.derive()
		return
	}
	s := &j.steps[n]
	arity := s.rel.Arity
	switch {
	case s.all:
		key := s.values(j)
		if j.e.note(1) && s.rel.Has(key) {
			j.next(n, s)
		}
	case s.index == nil:
		to := s.rel.n
		if n == 0 {
			to = min(to, j.to)
		}
		from := 0
		if n == 0 {
			from = j.from
		}
		for i := from; i < to; i++ {
			if !j.e.note(1) {
				return
			}
			j.match(n, s, s.rel.rows[i*arity:(i+1)*arity])
		}
	case s.index.starts != nil:
		v := j.value(s.key[0])
		lo, hi := int(s.index.starts[v]), int(s.index.starts[v+1])
		if !j.e.note(1 + hi - lo) {
			return
		}
		rows := s.index.sorted[lo*arity : hi*arity]
		for i := 0; i < len(rows); i += arity {
			j.match(n, s, rows[i:i+arity])
		}
	default:
		j.chained(n, s)
	}
}

// values returns the values of the places that are known.
func (s *step) values(j *join) []uint32 {
	key := j.key[:0]
	for _, src := range s.key {
		key = append(key, j.value(src))
	}
	return key
}

// chained is step for an index on a relation that grows.
func (j *join) chained(n int, s *step) {
	x := s.index
	at, exact := x.newest(s.values(j)), len(s.key) <= 2
	for ; at != 0; at = x.next[at-1] {
		if !j.e.note(1) {
			return
		}
		row := s.rel.Row(int(at - 1))
		if exact || s.agrees(j, row) {
			j.match(n, s, row)
		}
	}
}

// agrees compares the places of the index, of more than two, with their values.
func (s *step) agrees(j *join, row []uint32) bool {
	for i, src := range s.key {
		if row[s.index.places[i]] != j.value(src) {
			return false
		}
	}
	return true
}

// match goes on with a row unless a check fails.
func (j *join) match(n int, s *step, row []uint32) {
	for _, o := range s.outs {
		j.env[o.variable] = row[o.place]
	}
	for i, c := range s.checks {
		if row[c.place] != j.value(s.known[i]) {
			return
		}
	}
	j.next(n, s)
}

func (j *join) next(n int, s *step) {
	for _, t := range s.tests {
		if !t.Holds(j.value(sourceOf(t.Left)), j.value(sourceOf(t.Right))) {
			return
		}
	}
	if n+1 == len(j.steps) {
		j.derive()
		return
	}
	j.step(n + 1)
}

// derive adds the row of the head.
func (j *join) derive() {
	for i, s := range j.headArgs {
		j.row[i] = j.value(s)
	}
	j.head.Add(j.row)
}
