package datalog

import "slices"

// This file defines how a transitive closure that joins itself becomes a linear recursion.

// linear returns the program with p(X, Z) :- p(X, Y), p(Y, Z) replaced by p(X, Z) :- Body, p(Y, Z) for each other rule
// p(X, Y) :- Body, if none of these depends on p. Both programs have the same rows. X, Y and Z may be several
// arguments.
func (p *Program) linear() *Program {
	isJoin := func(r Rule) bool { return p.modes(r.Head.Rel) == nil && r.joinsItself() }
	if !slices.ContainsFunc(p.Rules, isJoin) {
		return p
	}
	made := *p
	made.Rules = nil
	for _, r := range p.Rules {
		rules := []Rule{r}
		if isJoin(r) {
			if steps, ok := p.steps(r.Head.Rel); ok {
				rules = steps
			}
		}
		made.Rules = append(made.Rules, rules...)
	}
	return &made
}

// joinsItself reports whether a rule is p(X, Z) :- p(X, Y), p(Y, Z) and nothing else.
func (r *Rule) joinsItself() bool {
	half := len(r.Head.Args) / 2
	if half == 0 || len(r.Head.Args) != 2*half || len(r.Body) != 2 || len(r.Absent)+len(r.Tests)+len(r.Calcs) > 0 ||
		r.Body[0].Rel != r.Head.Rel || r.Body[1].Rel != r.Head.Rel {
		return false
	}
	x, z := r.Head.Args[:half], r.Head.Args[half:]
	first, last := r.Body[0].Args, r.Body[1].Args
	if !slices.Equal(first[:half], x) {
		first, last = last, first
	}
	y := first[half:]
	vars := map[Term]bool{}
	for _, t := range slices.Concat(x, y, z) {
		if !t.isVar() || vars[t] {
			return false
		}
		vars[t] = true
	}
	return slices.Equal(first[:half], x) && slices.Equal(last[:half], y) && slices.Equal(last[half:], z)
}

// steps returns the linear recursive rules, one for each rule of the relation that does not join it with itself. ok is
// false if one of these rules depends on the relation, or calculates.
func (p *Program) steps(rel int) (list []Rule, ok bool) {
	for _, r := range p.Rules {
		if r.Head.Rel != rel || r.joinsItself() {
			continue
		}
		for a := range r.atoms() {
			if p.Reaches(a.Rel, rel) {
				return nil, false
			}
		}
		if len(r.Calcs) > 0 {
			return nil, false
		}
		half := len(r.Head.Args) / 2
		rest := slices.Clone(r.Head.Args[half:])
		for i := range half {
			rest = append(rest, Term(r.Vars+i))
		}
		next := r
		next.Vars += half
		next.Head.Args = slices.Concat(r.Head.Args[:half], rest[half:])
		next.Body = append(slices.Clone(r.Body), Atom{rel, rest})
		list = append(list, next)
	}
	return list, true
}
