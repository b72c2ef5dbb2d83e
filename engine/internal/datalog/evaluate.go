package datalog

import "slices"

// This file defines the evaluation of rules: each round joins the additions of the last round with all rows.

// evaluation is a run of rules over relations.
type evaluation struct {
	rules   []Rule
	rels    []*Relation
	numbers *Numbers
	acc     Account
	work    int // steps not accounted for
	err     error

	asks      map[int]bool // relations of requested values
	strata    *strata      // nil if all relations are complete at once
	instances [][]uint32   // by rule with loose relations: the variables of each possible instance
	counts    []int        // rows of instances
	held      int          // bytes of instances and of new numbers, accounted for
	before    int          // bytes of numbers
	runner    runner
	wave      wave
}

// stepsPerCall is the number of join steps that take about as long as a call of a predicate.
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
	e.account()
	if e.err == nil {
		e.err = e.holdAll()
	}
	return e.err == nil
}

// account accounts for the steps that make up whole calls.
func (e *evaluation) account() {
	if e.err == nil {
		e.give(e.acc.Work(e.work / stepsPerCall))
	}
	e.work %= stepsPerCall
}

// give ends the evaluation with an error, unless it has already ended or the error is nil.
func (e *evaluation) give(err error) {
	if e.err == nil {
		e.err = err
	}
}

// holdAll accounts for the memory of the relations, of the instances and of new numbers.
func (e *evaluation) holdAll() error {
	n := -e.held
	if e.numbers != nil {
		n += e.numbers.bytes() - e.before
	}
	for _, list := range e.instances {
		n += 4 * cap(list)
	}
	n += int(e.wave.bytes.Load())
	if n != 0 {
		if err := e.acc.Hold(n); err != nil {
			return err
		}
		e.held += n
	}
	for _, r := range e.rels {
		if r == nil {
			continue
		}
		if n := r.Bytes() - r.held; n != 0 {
			if err := e.acc.Hold(n); err != nil {
				return err
			}
			r.held += n
		}
	}
	return nil
}

// Held returns the bytes that Solve has accounted for the relation.
func (r *Relation) Held() int { return r.held }

// run computes the relations, one stratum after the other.
func (e *evaluation) run(m *magic) error {
	if e.numbers != nil {
		e.before = e.numbers.bytes()
	}
	e.widen()
	if err := e.stratify(); err != nil {
		return err
	}
	if e.strata == nil {
		return e.stratum(e.rules)
	}
	for level := range e.strata.levels {
		var rules []Rule
		for _, r := range e.rules {
			if e.strata.level[r.Head.Rel] == level {
				rules = append(rules, r)
			}
		}
		if err := e.stratum(rules); err != nil {
			return err
		}
	}
	return e.wellFounded(m)
}

// stratum computes the relations of a stratum. All other relations in their rules are complete.
func (e *evaluation) stratum(rules []Rule) error {
	defined := make([]bool, len(e.rels))
	for i := range rules {
		defined[rules[i].Head.Rel] = true
	}
	for i := range rules {
		r := &rules[i]
		if slices.ContainsFunc(r.Body, func(a Atom) bool { return defined[a.Rel] }) {
			continue
		}
		e.start(e.plan(r, -1))
		if !e.note(1) {
			return e.err
		}
	}
	return e.rounds(rules, defined)
}

// rounds continues until no relation grows.
func (e *evaluation) rounds(rules []Rule, defined []bool) error {
	seen := make([]int, len(e.rels))
	var later []*join
	var planned []int // numbers of rows when later was planned
	for {
		if e.outgrown(planned) {
			later, planned = e.recursive(rules, defined)
			if err := e.holdAll(); err != nil {
				return err
			}
		}
		ends := make([]int, len(e.rels))
		grown := false
		for i, r := range e.rels {
			if defined[i] {
				ends[i] = r.grown()
				grown = grown || ends[i] > seen[i]
				if seen[i] == 0 {
					r.group()
				}
				r.look(seen[i])
			}
		}
		if !grown {
			e.give(e.holdAll())
			return e.err
		}
		for _, j := range later {
			rel := j.steps[0].number
			if j.from, j.to = seen[rel], ends[rel]; j.from < j.to {
				e.start(j)
			}
			if !e.note(1) {
				return e.err
			}
		}
		copy(seen, ends)
	}
}

// outgrown reports whether a relation has grown so much since the last plan that another order may be better.
func (e *evaluation) outgrown(planned []int) bool {
	const factor, few = 4, 16
	for i, r := range e.rels {
		if planned == nil || r != nil && r.n > factor*planned[i]+few {
			return true
		}
	}
	return false
}

// recursive plans the joins of each round, one for each atom of a body whose relation grows. sizes are the current
// numbers of rows.
func (e *evaluation) recursive(rules []Rule, defined []bool) (later []*join, sizes []int) {
	for i := range rules {
		r := &rules[i]
		for j, a := range r.Body {
			if defined[a.Rel] {
				later = append(later, e.plan(r, j))
			}
		}
	}
	sizes = make([]int, len(e.rels))
	for i, r := range e.rels {
		if r != nil { // else no needed rule uses it
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

// check is a column of a row that must have a given value: that of the column twin of the same row, or a known value.
type check struct {
	place, twin int // twin is -1 for a known value
	known       source
}

// step is an atom of a body, in the order of the join.
type step struct {
	rel    *Relation
	number int
	key    []source // by column of the index
	index  *index   // nil: all rows, or all columns are known
	all    bool     // all columns are known
	checks []check
	outs   []output // variables bound by the row that are used later
	passed []Term   // earlier variables and intermediate results that are used later
	then   *filter  // nil if no further condition is tested
}

// filter holds the conditions that are tested after some atoms of a body.
type filter struct {
	calcs  []calc
	tests  []Test
	absent []absence
}

// absence is a negated atom.
type absence struct {
	rel    *Relation
	args   []source
	known  []bool
	values []uint32
	open   bool // some columns are unknown
}

// join is a rule in the order of evaluation. delta says that the first atom takes only new rows, in a range of row
// numbers.
type join struct {
	head     *Relation
	headArgs []source
	first    *filter // the conditions before any atom, or nil
	steps    []step
	vars     int
	places   int // variables and intermediate results
	delta    bool
	from, to int
	alone    bool // it changes only the rows of the head
	work     int  // steps
	made     int  // new rows

	kept  *[]uint32 // receives the variables of each possible instance; nil if they are not kept
	count *int
}

// plan orders the atoms of a rule. The atom whose new rows are joined comes first. The next atom is always the one with
// the fewest rows for the values known so far, and among equals the first of the body.
func (e *evaluation) plan(r *Rule, delta int) *join {
	j := &join{head: e.rels[r.Head.Rel], vars: r.Vars, places: r.places(), delta: delta >= 0}
	w := &filterer{e: e, r: r, bound: make([]bool, r.places()), calcs: make([]bool, len(r.Calcs)),
		tests: make([]bool, len(r.Tests)), absent: make([]bool, len(r.Absent))}
	done := make([]bool, len(r.Body))
	j.first = w.filter(len(r.Body) == 0)
	for n := range r.Body {
		next := delta
		if n > 0 || delta < 0 {
			next = e.choose(r, done, w.bound)
		}
		done[next] = true
		var before []Term
		for t, known := range w.bound {
			if known {
				before = append(before, Term(t))
			}
		}
		s := e.stepFor(r.Body[next], w.bound, n == 0 && delta >= 0)
		s.passed, s.then = before, w.filter(n+1 == len(r.Body))
		j.steps = append(j.steps, s)
	}
	for _, t := range r.Head.Args {
		j.headArgs = append(j.headArgs, sourceOf(t))
	}
	if e.isLoose(r.Head.Rel) && r.number > 0 {
		j.kept, j.count = &e.instances[r.number-1], &e.counts[r.number-1]
	}
	j.drop()
	j.alone = j.kept == nil && j.head.modes == nil && r.Calcs == nil && !slices.ContainsFunc(j.steps, func(s step) bool {
		return s.then != nil && slices.ContainsFunc(s.then.absent, func(a absence) bool { return a.open })
	})
	return j
}

// drop removes the columns that are not used later.
func (j *join) drop() {
	used := make([]bool, j.places)
	use := func(terms ...Term) {
		for _, t := range terms {
			if t.isVar() {
				used[t] = true
			}
		}
	}
	useAll := func(sources []source) {
		for _, s := range sources {
			use(Term(s.variable))
		}
	}
	useAll(j.headArgs)
	for v := 0; v < j.vars && j.kept != nil; v++ {
		used[v] = true
	}
	for n := len(j.steps) - 1; n >= 0; n-- {
		s := &j.steps[n]
		if f := s.then; f != nil {
			for _, c := range f.calcs {
				use(c.Left, c.Right)
				if c.isTest() || c.known {
					use(c.Out)
				}
			}
			for _, t := range f.tests {
				use(t.Left, t.Right)
			}
			for i := range f.absent {
				useAll(f.absent[i].args)
			}
		}
		s.outs = slices.DeleteFunc(s.outs, func(o output) bool { return !used[o.variable] })
		s.passed = slices.DeleteFunc(s.passed, func(t Term) bool { return !used[t] })
		useAll(s.key)
		for _, c := range s.checks {
			use(Term(c.known.variable))
		}
	}
}

// filterer assigns the conditions of a rule to the first atoms after which their values are known.
type filterer struct {
	e                    *evaluation
	r                    *Rule
	bound                []bool
	calcs, tests, absent []bool // by condition: it has been assigned
}

// filter returns the conditions to be tested now, or nil. last says that all atoms are known.
func (w *filterer) filter(last bool) *filter {
	var f filter
	for again := true; again; {
		again = false
		for i, c := range w.r.Calcs {
			if w.calcs[i] || !c.ready(w.bound) {
				continue
			}
			w.calcs[i], again = true, true
			f.calcs = append(f.calcs, calc{c, !c.isTest() && isKnown(c.Out, w.bound)})
			if !c.isTest() && c.Out.isVar() {
				w.bound[c.Out] = true
			}
		}
	}
	for i, t := range w.r.Tests {
		if !w.tests[i] && isKnown(t.Left, w.bound) && isKnown(t.Right, w.bound) {
			w.tests[i] = true
			f.tests = append(f.tests, t)
		}
	}
	for i, a := range w.r.Absent {
		if w.absent[i] || w.e.isLoose(a.Rel) || !last && slices.ContainsFunc(a.Args, w.isOpen) {
			continue
		}
		w.absent[i] = true
		b := absence{rel: w.e.rels[a.Rel], values: make([]uint32, len(a.Args)), open: slices.ContainsFunc(a.Args, w.isOpen)}
		for _, t := range a.Args {
			b.args, b.known = append(b.args, sourceOf(t)), append(b.known, isKnown(t, w.bound))
		}
		f.absent = append(f.absent, b)
	}
	if f.calcs == nil && f.tests == nil && f.absent == nil {
		return nil
	}
	return &f
}

func (w *filterer) isOpen(t Term) bool { return !isKnown(t, w.bound) }

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

// fanOut estimates how many rows of an atom match known values: the number of rows divided by the number of different
// keys, as if the columns were independent.
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

// stepFor makes the step of an atom, and notes the variables that it binds.
func (e *evaluation) stepFor(a Atom, bound []bool, delta bool) step {
	s := step{rel: e.rels[a.Rel], number: a.Rel}
	mask := uint64(0)
	for i, t := range a.Args {
		switch {
		case isKnown(t, bound) && delta:
			s.checks = append(s.checks, check{i, -1, sourceOf(t)})
		case isKnown(t, bound):
			s.key = append(s.key, sourceOf(t))
			mask |= 1 << i
		}
	}
	hashed := len(s.key) > 2 && len(s.key) < len(a.Args)
	for i, t := range a.Args {
		first := slices.IndexFunc(s.outs, func(o output) bool { return Term(o.variable) == t })
		switch {
		case mask>>i&1 != 0:
			if hashed { // the index also returns rows with other values
				s.checks = append(s.checks, check{i, -1, sourceOf(t)})
			}
		case first >= 0:
			s.checks = append(s.checks, check{place: i, twin: s.outs[first].place})
		case !isKnown(t, bound):
			bound[t] = true
			s.outs = append(s.outs, output{i, int(t)})
		}
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
