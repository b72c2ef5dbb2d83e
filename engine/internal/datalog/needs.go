package datalog

import "slices"

// This file defines properties of a program that must be checked before it is computed.

// Need says that a column of an atom must have integers.
type Need struct {
	Atom   Atom
	Column int
}

// AreNumbers reports whether all columns in needs have only integers. rows are the facts of the relations that are not
// defined by rules.
func (p *Program) AreNumbers(needs []Need, rows [][]uint32, defined []bool) bool {
	type column struct{ rel, number int }
	seen := map[column]bool{}
	for i := 0; i < len(needs); i++ {
		a, at := needs[i].Atom, needs[i].Column
		if !defined[a.Rel] {
			for facts := rows[a.Rel]; len(facts) > 0; facts = facts[len(a.Args):] {
				if p.Numbers.values[facts[at]] == notNumber && a.Matches(facts[:len(a.Args)]) {
					return false
				}
			}
			continue
		}
		if c := (column{a.Rel, at}); seen[c] || at >= len(a.Args)-len(p.modes(a.Rel)) {
			continue // values with modes are integers, otherwise the computation is given up
		} else {
			seen[c] = true
		}
		for _, r := range p.Rules {
			if r.Head.Rel != a.Rel {
				continue
			}
			t := r.Head.Args[at]
			if !t.isVar() && p.Numbers.values[t.id()] == notNumber {
				return false
			}
			for _, b := range r.Body {
				if j := slices.Index(b.Args, t); t.isVar() && j >= 0 {
					needs = append(needs, Need{b, j})
					break
				}
			}
		}
	}
	return true
}

// CallsItself reports whether the rules of a relation depend on it.
func (p *Program) CallsItself(rel int) bool {
	return slices.ContainsFunc(p.Rules, func(r Rule) bool {
		return r.Head.Rel == rel && slices.ContainsFunc(r.Body, func(a Atom) bool { return p.Reaches(a.Rel, rel) })
	})
}
