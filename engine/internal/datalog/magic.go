package datalog

import "slices"

// This file defines the rewriting of a program for a question: relations with constants in some columns are computed
// only for the requested values.

// magic rewrites a program. Relations of the result follow those of the program.
type magic struct {
	p      *Program
	domain int
	rules  []Rule
	rels   []*Relation
	made   map[string]int // relations for requested values, by relation and known columns
	asked  map[int]int    // for each of those, the relation of the requested values
	all    map[int]int    // relations all of whose rows are computed, by relation of the program
	result int
	// unsuitable says that the program requests something that the clauses would answer by an error.
	unsuitable bool
	asks       map[int]bool // whether a relation holds requested values
	whole      bool         // all rows of relations are computed, whatever is requested
}

func (m *magic) newRelation(arity int) int {
	m.rels = append(m.rels, NewRelation(arity, m.domain))
	return len(m.rels) - 1
}

// add adds a rule of the rewritten program.
func (m *magic) add(r Rule) {
	r.number = len(m.rules) + 1
	m.rules = append(m.rules, r)
}

// goal makes the rules for a question.
func (m *magic) goal(goal int, known []bool, values []uint32) {
	if m.factor(goal, known, values) {
		return
	}
	rel := m.relation(goal, known)
	var all, free []Term
	for i, k := range known {
		t := Term(i)
		if k {
			t = Const(values[i])
		} else {
			free = append(free, t)
		}
		all = append(all, t)
	}
	m.result = rel
	if slices.Contains(known, true) {
		m.seed(m.asked[rel], known, values)
		m.result = m.newRelation(len(free))
		m.add(Rule{Head: Atom{m.result, free}, Body: []Atom{{rel, all}}, Vars: len(known)})
	}
}

// seed adds the values of the known columns to a relation.
func (m *magic) seed(rel int, known []bool, values []uint32) {
	m.rels[rel].Add(pick(values, known, true))
}

// pick returns the items at the known columns, or at the others.
func pick[T any](items []T, known []bool, which bool) []T {
	var list []T
	for i, item := range items {
		if known[i] == which {
			list = append(list, item)
		}
	}
	return list
}

// relation returns the relation of the rows of a relation for the requested values, in the known columns.
func (m *magic) relation(rel int, known []bool) int {
	if m.p.Given[rel] != nil {
		return rel
	}
	clear(known[len(known)-len(m.p.modes(rel)):]) // values of joined rows are only known at the end
	name := []byte{byte(rel), byte(rel >> 8)}
	for _, k := range known {
		if k {
			name = append(name, 'b')
		} else {
			name = append(name, 'f')
		}
	}
	if made, ok := m.made[string(name)]; ok {
		return made
	}
	made := m.newRelation(len(known))
	if modes := m.p.modes(rel); modes != nil {
		m.rels[made].keep(modes, m.p.Numbers)
	}
	m.made[string(name)] = made
	if slices.Contains(known, true) {
		m.asked[made] = m.newRelation(len(pick(known, known, true)))
		m.asks[m.asked[made]] = true
	} else {
		m.all[rel] = made
	}
	for i := range m.p.Rules {
		if r := &m.p.Rules[i]; r.Head.Rel == rel {
			m.rewrite(r, known, made)
		}
	}
	return made
}

// rewrite makes the rules for one rule, whose head goes to a relation.
func (m *magic) rewrite(r *Rule, known []bool, to int) {
	bound := make([]bool, r.places())
	var body []Atom
	if asked, ok := m.asked[to]; ok {
		body = append(body, Atom{asked, pick(r.Head.Args, known, true)})
	}
	for i, t := range r.Head.Args {
		if known[i] && t.isVar() {
			bound[t] = true
		}
	}
	m.unsuitable = m.unsuitable || m.p.asksJoined(r, known)
	open := !slices.Contains(known, true)
	made := m.body(r, bound, body, open)
	made.Head = Atom{to, r.Head.Args}
	m.add(made)
}

// AsksJoined reports whether a call with values passes one of them to a relation with modes, in a column that the
// relation computes. Clauses throw an error in that case.
func (p *Program) AsksJoined(rel int, known []bool) bool {
	return p.Modes != nil && slices.ContainsFunc(p.Rules, func(r Rule) bool {
		return r.Head.Rel == rel && p.asksJoined(&r, known)
	})
}

func (p *Program) asksJoined(r *Rule, known []bool) bool {
	for _, a := range r.Body {
		for _, t := range a.Args[len(a.Args)-len(p.modes(a.Rel)):] {
			if i := slices.Index(r.Head.Args, t); i >= 0 && known[i] {
				return true
			}
		}
	}
	return false
}

// body returns a rule extended by the atoms of another rule, each for its requested values. All values of atoms that
// depend on the head of an open rule are requested. Rules with arithmetic keep their written order, as another order
// may not terminate. Negated atoms do not restrict the requested values.
func (m *magic) body(r *Rule, bound []bool, body []Atom, open bool) Rule {
	made := *r
	made.Absent = nil
	left := slices.Clone(r.Body)
	asked := func(a Atom) Atom {
		if m.p.Given[a.Rel] != nil {
			return a
		}
		known := make([]bool, len(a.Args))
		for j, t := range a.Args {
			known[j] = isKnown(t, bound) && !m.whole && !(open && m.p.Reaches(a.Rel, r.Head.Rel))
		}
		rel := m.relation(a.Rel, known)
		if asked, ok := m.asked[rel]; ok {
			m.ask(Atom{asked, pick(a.Args, known, true)}, body, r)
		}
		return Atom{rel, a.Args}
	}
	for len(left) > 0 {
		r.calculable(bound)
		i := 0
		if len(r.Calcs) == 0 {
			i = m.choose(left, bound)
		}
		a := asked(left[i])
		left = slices.Delete(left, i, i+1)
		bind(a, bound)
		body = append(slices.Clip(body), a)
	}
	r.calculable(bound)
	for _, a := range r.Absent {
		made.Absent = append(made.Absent, asked(a))
	}
	made.Body = body
	return made
}

// bind notes that the variables of an atom have values.
func bind(a Atom, bound []bool) {
	for _, t := range a.Args {
		if t.isVar() {
			bound[t] = true
		}
	}
}

// calculable returns the arithmetic steps with known operands, and notes that their results are known.
func (r *Rule) calculable(bound []bool) []Calc {
	var list []Calc
	for _, c := range r.Calcs {
		if !c.ready(bound) {
			continue
		}
		list = append(list, c)
		if !c.isTest() && c.Out.isVar() {
			bound[c.Out] = true
		}
	}
	return list
}

// ask makes the rule for the requested values: the values for which the atoms so far hold, with the conditions whose
// values are known.
func (m *magic) ask(head Atom, body []Atom, r *Rule) {
	if len(body) == 1 && body[0].Rel == head.Rel && slices.Equal(body[0].Args, head.Args) {
		return
	}
	bound := make([]bool, r.places())
	for _, a := range body {
		bind(a, bound)
	}
	made := Rule{Head: head, Body: body, Calcs: r.calculable(bound), Vars: r.Vars, Steps: r.Steps}
	for _, t := range r.Tests {
		if isKnown(t.Left, bound) && isKnown(t.Right, bound) {
			made.Tests = append(made.Tests, t)
		}
	}
	m.rules = append(m.rules, made)
}

// choose returns the next atom: the one with the most known arguments.
func (m *magic) choose(left []Atom, bound []bool) int {
	best, score := 0, -1<<30
	for i, a := range left {
		s := 0
		for _, t := range a.Args {
			if isKnown(t, bound) {
				s += 4
			}
		}
		if s == 0 {
			s = -100
		}
		if m.p.Given[a.Rel] != nil {
			s++
		}
		if s > score {
			best, score = i, s
		}
	}
	return best
}

// Reaches reports whether the rules of a relation depend on another.
func (p *Program) Reaches(from, to int) bool {
	seen := map[int]bool{}
	todo := []int{from}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if at == to {
			return true
		}
		for i := range p.Rules {
			if p.Rules[i].Head.Rel != at {
				continue
			}
			for a := range p.Rules[i].atoms() {
				if !seen[a.Rel] && p.Given[a.Rel] == nil {
					seen[a.Rel] = true
					todo = append(todo, a.Rel)
				}
			}
		}
	}
	return false
}

// factor makes the rules for a recursion that passes the unknown arguments on unchanged. It computes only the values
// that the recursion reaches, and the rows of the other rules for those values. It returns false if the rules do not
// have that form.
func (m *magic) factor(goal int, known []bool, values []uint32) bool {
	if !slices.Contains(known, true) || m.p.Given[goal] != nil || m.p.modes(goal) != nil {
		return false
	}
	recursive := map[int]int{} // by rule, the atom
	for i := range m.p.Rules {
		r := &m.p.Rules[i]
		if r.Head.Rel != goal {
			continue
		}
		if r.Calcs != nil || r.Absent != nil {
			return false
		}
		for j, a := range r.Body {
			if m.p.Given[a.Rel] != nil || !m.p.Reaches(a.Rel, goal) {
				continue
			}
			if _, second := recursive[i]; second || a.Rel != goal || !r.passes(j, known) {
				return false
			}
			recursive[i] = j
		}
	}
	reached := m.newRelation(len(pick(values, known, true)))
	m.seed(reached, known, values)
	m.result = m.newRelation(len(pick(values, known, false)))
	for i := range m.p.Rules {
		r := &m.p.Rules[i]
		if r.Head.Rel != goal {
			continue
		}
		head, rest := Atom{m.result, pick(r.Head.Args, known, false)}, *r
		if j, ok := recursive[i]; ok {
			head = Atom{reached, pick(r.Body[j].Args, known, true)}
			rest.Body = slices.Delete(slices.Clone(r.Body), j, j+1)
		}
		bound := make([]bool, r.places())
		from := Atom{reached, pick(r.Head.Args, known, true)}
		for _, t := range from.Args {
			if t.isVar() {
				bound[t] = true
			}
		}
		rest = m.body(&rest, bound, []Atom{from}, false)
		rest.Head = head
		m.add(rest)
	}
	return true
}

// passes reports whether the rule's atom j has the unknown arguments of the head unchanged. These must occur nowhere
// else, and its other arguments must get their values without them.
func (r *Rule) passes(j int, known []bool) bool {
	count := map[Term]int{}
	bound := map[Term]bool{}
	for i, t := range r.Head.Args {
		count[t]++
		bound[t] = bound[t] || known[i]
	}
	for i, a := range r.Body {
		for _, t := range a.Args {
			count[t]++
			bound[t] = bound[t] || i != j
		}
	}
	for _, t := range r.Tests {
		count[t.Left]++
		count[t.Right]++
	}
	for i, t := range r.Head.Args {
		own := r.Body[j].Args[i]
		switch {
		case known[i]:
			if own.isVar() && !bound[own] {
				return false
			}
		case !t.isVar() || own != t || count[t] != 2:
			return false
		}
	}
	return true
}

// Selected yields each row with the given values in some columns of a sealed relation.
func (r *Relation) Selected(known []bool, values []uint32, each func(row []uint32) error) error {
	mask := uint64(0)
	for i, k := range known {
		if k {
			mask |= 1 << i
		}
	}
	if mask == 0 {
		for i := range r.n {
			if err := each(r.Row(i)); err != nil {
				return err
			}
		}
		return nil
	}
	if mask == 1<<r.Arity-1 {
		if r.Has(values) {
			return each(values)
		}
		return nil
	}
	x, key := r.indexOn(mask), pick(values, known, true)
	if x.starts != nil {
		lo, hi := x.span(key[0])
		for i := lo; i < hi; i++ {
			if err := each(x.sorted[i*r.Arity : (i+1)*r.Arity]); err != nil {
				return err
			}
		}
		return nil
	}
	at := x.newest(key)
	for ; at != 0; at = x.next[at-1] {
		if row := r.Row(int(at - 1)); slices.Equal(pick(row, known, true), key) {
			if err := each(row); err != nil {
				return err
			}
		}
	}
	return nil
}
