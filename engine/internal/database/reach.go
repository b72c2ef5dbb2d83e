package database

import "github.com/mcplogic/mcplogic/engine/internal/code"

// This file defines which predicates goals may reach, as far as the names in clauses tell.

// The bounds of a search: how many clauses are read, and how many arguments a closure is given.
const (
	maxReadClauses = 100_000
	maxClosureArgs = 3
)

// Reaches returns the predicates of the program that a goal may call which names some functors, the nearest first. All
// functors in a clause count, wherever they stand.
func (m *Module) Reaches(functors []code.Cell) (reached []*Pred) {
	seen := map[*Pred]bool{}
	find := func(in *Module, f code.Cell) {
		for more := range maxClosureArgs + 1 {
			p := in.Resolve(code.MakeFunctor(f.FunctorAtom(), f.FunctorArity()+more))
			if p != nil && p.Builtin < 0 && !p.Module.Library && p.Module != m.program.system && !seen[p] {
				seen[p] = true
				reached = append(reached, p)
			}
		}
	}
	for _, f := range functors {
		find(m, f)
	}
	work := 0
	for i := 0; i < len(reached); i++ {
		for _, c := range reached[i].Clauses() {
			if work++; work > maxReadClauses {
				return reached
			}
			if !c.IsFact() {
				c.eachFunctor(func(f code.Cell) { find(reached[i].Module, f) })
			}
		}
	}
	return reached
}

// eachFunctor visits the functors and atoms of a clause.
func (c *Clause) eachFunctor(visit func(code.Cell)) {
	for _, cells := range [][]code.Cell{{c.Body}, c.Own()} {
		for i := 0; i < len(cells); i++ {
			switch x := cells[i]; {
			case x.Tag() == code.Atom:
				visit(code.MakeFunctor(x.Atom(), 0))
			case x.IsFunctor():
				visit(x)
			case x.Tag() == code.Hdr:
				i += x.BlobWords()
			}
		}
	}
}

// Opaque returns the text of an atom in a clause that stands for a Go value, "" if there is none.
func (c *Clause) Opaque() (text string) {
	c.eachFunctor(func(f code.Cell) {
		if name := code.AtomText(f.FunctorAtom()); code.OpaqueOf(name) != nil {
			text = name
		}
	})
	return text
}

// FirstWith returns the first fact of a predicate that has an atom as argument i, from 0; nil if there is none.
func (p *Pred) FirstWith(i int, atom code.Cell) *Clause {
	for _, c := range p.Clauses() {
		if c.HeadArg(i) == atom && c.IsFact() && !c.Dead() {
			return c
		}
	}
	return nil
}
