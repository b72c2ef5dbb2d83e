package datalog

// This file defines the program for a question in a form that another system computes.

// Rewritten is a program for one question, without modes.
type Rewritten struct {
	Rules   []Rule
	Arities []int            // by relation; those of the original program come first
	Seeds   map[int][]uint32 // by relation: its row before any rule is applied
	Goal    int              // the relation whose rows have the unknown columns
}

// Rewrite returns the program that Solve would compute.
func Rewrite(p *Program, domain int, goal int, known []bool, values []uint32) *Rewritten {
	m := &magic{p: p.linear(), domain: domain}
	m.made, m.asked, m.asks, m.all = map[string]int{}, map[int]int{}, map[int]bool{}, map[int]int{}
	m.rels = append(m.rels, p.Given...)
	m.goal(goal, known, values)
	r := &Rewritten{Rules: m.rules, Seeds: map[int][]uint32{}, Goal: m.result}
	for i, rel := range m.rels {
		if i < len(p.Arities) {
			r.Arities = append(r.Arities, p.Arities[i])
			continue
		}
		r.Arities = append(r.Arities, rel.Arity)
		if rel.Len() > 0 {
			r.Seeds[i] = rel.Row(0)
		}
	}
	return r
}

// Value returns the constant of a term that is no variable.
func (t Term) Value() (id uint32, ok bool) {
	if t.isVar() {
		return 0, false
	}
	return t.id(), true
}
