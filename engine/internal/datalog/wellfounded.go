package datalog

// This file defines relations that depend on their own negation, by well-founded semantics. They are computed as if
// negation within them held, and the instances of the rules are kept. The truth values of the atoms then follow from
// these instances.

// ground is a variable-free program. Its atoms and rule instances are numbered.
type ground struct {
	e        *evaluation
	truth    []truth // by atom
	supports []int32 // by atom: the number of instances that may hold
	head     []int32 // by instance
	missing  []int32 // by instance: the number of its atoms and negations that are not known to hold
	dead     []bool  // by instance: a part of it does not hold
	positive adjacency
	negative adjacency
	changed  []int32 // atoms with a new value that has not been propagated
}

type truth uint8

const (
	unknown truth = iota
	isTrue
	isFalse
)

// adjacency lists instances by atom. It is built from pairs.
type adjacency struct {
	pairs  [][2]int32
	starts []int32
	list   []int32
}

func (a *adjacency) add(atom, instance int32) { a.pairs = append(a.pairs, [2]int32{atom, instance}) }

// finish sorts the pairs by atom.
func (a *adjacency) finish(atoms int) {
	a.starts, a.list = make([]int32, atoms+1), make([]int32, len(a.pairs))
	for _, p := range a.pairs {
		a.starts[p[0]+1]++
	}
	for i := range atoms {
		a.starts[i+1] += a.starts[i]
	}
	at := append([]int32(nil), a.starts...)
	for _, p := range a.pairs {
		a.list[at[p[0]]] = p[1]
		at[p[0]]++
	}
	a.pairs = nil
}

func (a *adjacency) of(atom int32) []int32 { return a.list[a.starts[atom]:a.starts[atom+1]] }

// wellFounded computes the loose relations. The rows of the result are marked.
func (e *evaluation) wellFounded(m *magic) error {
	var rules []Rule
	for _, r := range e.rules {
		if e.isLoose(r.Head.Rel) {
			rules = append(rules, r)
		}
	}
	if rules == nil {
		return nil
	}
	e.instances, e.counts = make([][]uint32, len(e.rules)), make([]int, len(e.rules))
	seeds := make([]int, len(e.rels)) // by relation: the rows that no rule has made
	for rel, r := range e.rels {
		if e.isLoose(rel) {
			seeds[rel] = r.n
		}
	}
	if err := e.stratum(rules); err != nil || !e.isLoose(m.result) {
		return err
	}
	first := make([]int32, len(e.rels)) // by relation: the number of its first atom
	atoms := int32(0)
	for rel, r := range e.rels {
		if e.isLoose(rel) {
			first[rel] = atoms
			atoms += int32(r.n)
		}
	}
	g := &ground{e: e, truth: make([]truth, atoms), supports: make([]int32, atoms)}
	for rel, n := range seeds {
		for row := range n {
			g.instance(first[rel] + int32(row))
		}
	}
	if err := g.read(rules, first); err != nil {
		return err
	}
	if err := g.solve(); err != nil {
		return err
	}
	marked := map[int]bool{m.result: true}
	for _, made := range m.all {
		marked[made] = marked[made] || e.isLoose(made)
	}
	for rel, is := range marked {
		if is {
			e.rels[rel] = g.mark(e.rels[rel], first[rel])
		}
	}
	return e.holdAll()
}

// instance adds an instance of a rule for an atom, from which nothing is missing yet.
func (g *ground) instance(head int32) (number int32) {
	g.head = append(g.head, head)
	g.supports[head]++
	g.missing, g.dead = append(g.missing, 0), append(g.dead, false)
	return int32(len(g.head)) - 1
}

// groundBytes is the approximate size of an instance with its atoms.
const groundBytes = 40

// read makes the instances of rules. It leaves out the relations of requested values, which only select the relevant
// atoms.
func (g *ground) read(rules []Rule, first []int32) error {
	e := g.e
	for i := range rules {
		r := &rules[i]
		if r.number == 0 {
			continue
		}
		j := &binding{env: make([]uint32, r.Vars)}
		if err := e.acc.Hold(groundBytes * e.counts[r.number-1]); err != nil {
			return err
		}
		e.held += groundBytes * e.counts[r.number-1] // released with the instances
		for n := range e.counts[r.number-1] {
			copy(j.env, e.instances[r.number-1][n*r.Vars:(n+1)*r.Vars])
			head, _ := e.rels[r.Head.Rel].where(j.atom(r.Head))
			instance := g.instance(first[r.Head.Rel] + int32(head))
			for _, a := range r.Body {
				if e.isLoose(a.Rel) && !e.asks[a.Rel] {
					at, _ := e.rels[a.Rel].where(j.atom(a))
					g.positive.add(first[a.Rel]+int32(at), instance)
					g.missing[instance]++
				}
			}
			for _, a := range r.Absent {
				if e.isLoose(a.Rel) {
					g.deny(r, a, j, first[a.Rel], instance)
				}
			}
			if !e.note(1) {
				return e.err
			}
		}
		e.instances[r.number-1] = nil
	}
	g.positive.finish(len(g.truth))
	g.negative.finish(len(g.truth))
	return nil
}

// binding is the values of the variables of a rule.
type binding struct{ env, row []uint32 }

// atom returns the values of the arguments of an atom.
func (j *binding) atom(a Atom) []uint32 {
	j.row = j.row[:0]
	for _, t := range a.Args {
		if t.isVar() {
			j.row = append(j.row, j.env[t])
		} else {
			j.row = append(j.row, t.id())
		}
	}
	return j.row
}

// deny notes that an instance holds only if no row matches an atom.
func (g *ground) deny(r *Rule, a Atom, j *binding, first, instance int32) {
	rel := g.e.rels[a.Rel]
	deny := func(row []uint32) error {
		if at, ok := rel.where(row); ok {
			g.negative.add(first+int32(at), instance)
			g.missing[instance]++
		}
		return nil
	}
	bound := make([]bool, r.places())
	for _, b := range r.Body {
		bind(b, bound)
	}
	r.calculable(bound)
	b := absence{known: make([]bool, len(a.Args))}
	open := false
	for i, t := range a.Args {
		b.known[i] = isKnown(t, bound)
		b.args = append(b.args, sourceOf(t))
		open = open || !b.known[i]
	}
	if !open {
		_ = deny(j.atom(a))
		return
	}
	_ = rel.Selected(b.known, append([]uint32(nil), j.atom(a)...), func(row []uint32) error {
		if b.agrees(row) {
			return deny(row)
		}
		return nil
	})
}

// solve computes the truth values of all atoms that are not undefined.
func (g *ground) solve() error {
	for instance, missing := range g.missing {
		if missing == 0 {
			g.set(g.head[instance], isTrue)
		}
	}
	for {
		if !g.pass() {
			return g.e.err
		}
		if !g.refute() {
			return g.e.err
		}
	}
}

// set gives an atom a value, unless it has one.
func (g *ground) set(atom int32, value truth) {
	if g.truth[atom] == unknown {
		g.truth[atom] = value
		g.changed = append(g.changed, atom)
	}
}

// pass propagates values to the instances and their heads. It returns false if the evaluation must end.
func (g *ground) pass() bool {
	for len(g.changed) > 0 {
		atom := g.changed[len(g.changed)-1]
		g.changed = g.changed[:len(g.changed)-1]
		holds, fails := g.positive.of(atom), g.negative.of(atom)
		if g.truth[atom] == isFalse {
			holds, fails = fails, holds
		}
		for _, instance := range holds {
			if g.missing[instance]--; g.missing[instance] == 0 && !g.dead[instance] {
				g.set(g.head[instance], isTrue)
			}
		}
		for _, instance := range fails {
			if g.dead[instance] {
				continue
			}
			g.dead[instance] = true
			head := g.head[instance]
			if g.supports[head]--; g.supports[head] == 0 {
				g.set(head, isFalse)
			}
		}
		if !g.e.note(1 + len(holds) + len(fails)) {
			return false
		}
	}
	return true
}

// refute makes atoms false whose remaining instances depend only on each other. It returns false if there are none.
func (g *ground) refute() bool {
	left := make([]int32, len(g.head)) // by instance: atoms not known to be possible
	founded := make([]bool, len(g.truth))
	var todo []int32
	found := func(instance int32) {
		if head := g.head[instance]; !founded[head] && g.truth[head] == unknown {
			founded[head] = true
			todo = append(todo, head)
		}
	}
	for atom, value := range g.truth {
		if value == unknown {
			for _, instance := range g.positive.of(int32(atom)) {
				left[instance]++
			}
		}
	}
	for instance := range g.head {
		if !g.dead[instance] && left[instance] == 0 {
			found(int32(instance))
		}
	}
	for len(todo) > 0 {
		atom := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, instance := range g.positive.of(atom) {
			if left[instance]--; left[instance] == 0 && !g.dead[instance] {
				found(instance)
			}
		}
	}
	for atom, value := range g.truth {
		if value == unknown && !founded[atom] {
			g.set(int32(atom), isFalse)
		}
	}
	return g.e.note(len(g.head)+len(g.truth)) && len(g.changed) > 0
}

// mark returns the rows of a relation that are not false.
func (g *ground) mark(r *Relation, first int32) *Relation {
	made := NewRelation(r.Arity, r.domain)
	made.held = r.held
	for i := range r.n {
		value := g.truth[first+int32(i)]
		if value == isFalse {
			continue
		}
		made.Add(r.Row(i))
		if value == unknown {
			if made.unsure == nil {
				made.unsure = NewRelation(r.Arity, r.domain)
			}
			made.unsure.Add(r.Row(i))
		}
	}
	return made
}
