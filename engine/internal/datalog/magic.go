package datalog

import "slices"

// This file defines the rewriting of a program for a question: relations with constants in some places are computed for
// those values only that are asked for.

// magic rewrites a program. Relations of the result follow those of the program.
type magic struct {
	p      *Program
	domain int
	rules  []Rule
	rels   []*Relation
	made   map[string]int // relations for the values asked for, by relation and places that are known
	asked  map[int]int    // of those, the relations of these values
	result int
}

func (m *magic) newRelation(arity int) int {
	m.rels = append(m.rels, NewRelation(arity, m.domain))
	return len(m.rels) - 1
}

// goal makes the rules for a question.
func (m *magic) goal(goal int, known []bool, values []uint32) {
	m.asked = map[int]int{}
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
		m.rules = append(m.rules, Rule{Head: Atom{m.result, free}, Body: []Atom{{rel, all}}, Vars: len(known)})
	}
}

// seed puts the values of the places that are known into a relation.
func (m *magic) seed(rel int, known []bool, values []uint32) {
	m.rels[rel].Add(pick(values, known, true))
}

// pick returns the items of the places that are known, or of the others.
func pick[T any](items []T, known []bool, which bool) []T {
	var list []T
	for i, item := range items {
		if known[i] == which {
			list = append(list, item)
		}
	}
	return list
}

// relation returns the relation of what a relation holds for the values asked for, in the places that are known.
func (m *magic) relation(rel int, known []bool) int {
	if m.p.Given[rel] != nil {
		return rel
	}
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
	m.made[string(name)] = made
	if slices.Contains(known, true) {
		m.asked[made] = m.newRelation(len(pick(known, known, true)))
	}
	for i := range m.p.Rules {
		if r := &m.p.Rules[i]; r.Head.Rel == rel {
			m.rewrite(r, known, made)
		}
	}
	return made
}

// rewrite makes the rules of one rule, whose head goes to a relation.
func (m *magic) rewrite(r *Rule, known []bool, to int) {
	bound := make([]bool, r.Vars)
	var body []Atom
	if asked, ok := m.asked[to]; ok {
		body = append(body, Atom{asked, pick(r.Head.Args, known, true)})
	}
	for i, t := range r.Head.Args {
		if known[i] && t.isVar() {
			bound[t] = true
		}
	}
	open := !slices.Contains(known, true)
	m.body(r, bound, body, open, func(body []Atom) {
		m.rules = append(m.rules, Rule{Head: Atom{to, r.Head.Args}, Body: body, Tests: r.Tests, Vars: r.Vars})
	})
}

// body puts the atoms of a rule behind those that are there, each for the values that it is asked for, and hands the
// result on. The atoms that depend on the head of an open rule are asked for everything.
func (m *magic) body(r *Rule, bound []bool, body []Atom, open bool, done func(body []Atom)) {
	left := slices.Clone(r.Body)
	for len(left) > 0 {
		i := m.choose(left, bound)
		a := left[i]
		left = slices.Delete(left, i, i+1)
		if m.p.Given[a.Rel] == nil {
			known := make([]bool, len(a.Args))
			for j, t := range a.Args {
				known[j] = isKnown(t, bound) && !(open && m.p.reaches(a.Rel, r.Head.Rel))
			}
			rel := m.relation(a.Rel, known)
			if asked, ok := m.asked[rel]; ok {
				m.ask(Atom{asked, pick(a.Args, known, true)}, body, r)
			}
			a = Atom{rel, a.Args}
		}
		for _, t := range a.Args {
			if t.isVar() {
				bound[t] = true
			}
		}
		body = append(slices.Clip(body), a)
	}
	done(body)
}

// ask makes the rule that says which values are asked for.
func (m *magic) ask(head Atom, body []Atom, r *Rule) {
	if len(body) == 1 && body[0].Rel == head.Rel && slices.Equal(body[0].Args, head.Args) {
		return
	}
	m.rules = append(m.rules, Rule{Head: head, Body: body, Tests: testsOf(r, body), Vars: r.Vars})
}

// testsOf returns the tests of a rule whose variables have values in a body.
func testsOf(r *Rule, body []Atom) []Test {
	bound := make([]bool, r.Vars)
	for _, a := range body {
		for _, t := range a.Args {
			if t.isVar() {
				bound[t] = true
			}
		}
	}
	var list []Test
	for _, t := range r.Tests {
		if isKnown(t.Left, bound) && isKnown(t.Right, bound) {
			list = append(list, t)
		}
	}
	return list
}

// choose returns which atom comes next: the one of which most is known.
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

// reaches reports whether the rules of a relation depend on another.
func (p *Program) reaches(from, to int) bool {
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
			for _, a := range p.Rules[i].Body {
				if !seen[a.Rel] && p.Given[a.Rel] == nil {
					seen[a.Rel] = true
					todo = append(todo, a.Rel)
				}
			}
		}
	}
	return false
}

// factor makes the rules for a recursion that passes the unknown arguments on as they are: only the values that it
// reaches are computed, and what the other rules say for those. It returns false when the rules are not like that.
func (m *magic) factor(goal int, known []bool, values []uint32) bool {
	if !slices.Contains(known, true) || m.p.Given[goal] != nil {
		return false
	}
	recursive := map[int]int{} // by rule, the atom
	for i := range m.p.Rules {
		r := &m.p.Rules[i]
		if r.Head.Rel != goal {
			continue
		}
		for j, a := range r.Body {
			if m.p.Given[a.Rel] != nil || !m.p.reaches(a.Rel, goal) {
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
		bound := make([]bool, r.Vars)
		from := Atom{reached, pick(r.Head.Args, known, true)}
		for _, t := range from.Args {
			if t.isVar() {
				bound[t] = true
			}
		}
		m.body(&rest, bound, []Atom{from}, false, func(body []Atom) {
			m.rules = append(m.rules, Rule{Head: head, Body: body, Tests: r.Tests, Vars: r.Vars})
		})
	}
	return true
}

// passes reports whether the rule's atom j has the unknown arguments of the head as they are, which occur nowhere else,
// and whether its other arguments get values without them.
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

// Selected returns an index from the values of some places of a relation, which does not grow any more, to its rows.
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
		for i := x.starts[key[0]]; i < x.starts[key[0]+1]; i++ {
			if err := each(x.sorted[int(i)*r.Arity : int(i+1)*r.Arity]); err != nil {
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
