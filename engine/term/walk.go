package term

import (
	"iter"
	"slices"
)

// Parts returns t and all its parts, depth first and left to right, a compound before its arguments. A part that stands
// in several places comes as often. Of a cyclic term the parts have no end.
func Parts(t Term) iter.Seq[Term] {
	return func(yield func(Term) bool) {
		stack := []Term{t}
		for len(stack) > 0 {
			part := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if !yield(part) {
				return
			}
			if c, ok := part.(*Compound); ok {
				for i := len(c.Args) - 1; i >= 0; i-- {
					stack = append(stack, c.Args[i])
				}
			}
		}
	}
}

// Variables returns the distinct variables of terms, depth first and left to right.
func Variables(terms ...Term) []*Var {
	var list []*Var
	seenVar := map[*Var]bool{}
	seen := map[*Compound]bool{}
	stack := slices.Clone(terms)
	slices.Reverse(stack)
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch t := t.(type) {
		case *Var:
			if !seenVar[t] {
				seenVar[t] = true
				list = append(list, t)
			}
		case *Compound:
			if seen[t] {
				continue
			}
			seen[t] = true
			for i := len(t.Args) - 1; i >= 0; i-- {
				stack = append(stack, t.Args[i])
			}
		}
	}
	return list
}

// Rename returns t with variables replaced. Sharing and cycles are kept; t itself is not changed.
func Rename(t Term, to map[*Var]Term) Term {
	return Replace(t, func(part Term) (Term, bool) {
		v, ok := part.(*Var)
		if !ok {
			return nil, false
		}
		r, ok := to[v]
		return r, ok
	})
}

// Replace returns t with the parts replaced for which by returns something else and true. It does not look into what
// it puts in. Sharing and cycles are kept; t itself is not changed.
func Replace(t Term, by func(part Term) (Term, bool)) Term {
	copies := map[*Compound]*Compound{}
	var todo []*Compound
	one := func(t Term) Term {
		if r, ok := by(t); ok {
			return r
		}
		if t, ok := t.(*Compound); ok {
			c := copies[t]
			if c == nil {
				c = &Compound{Functor: t.Functor, Args: make([]Term, len(t.Args))}
				copies[t] = c
				todo = append(todo, t)
			}
			return c
		}
		return t
	}
	root := one(t)
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for i, a := range c.Args {
			copies[c].Args[i] = one(a)
		}
	}
	return root
}
