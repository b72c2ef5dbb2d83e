package compile

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines the compiler's form of terms: runs of cells with relative pointers, in which variable n is Att|n.
// Terms may share parts, nest deeply or even be cyclic, so walks have their own stack and a bound.

// cell is a term or a part of one; see package code.
type cell = code.Cell

// terms holds the terms of one clause.
type terms struct {
	cells []cell
}

// termsOf returns the terms of a clause as the program has them.
func termsOf(cl *database.Clause) *terms { return &terms{cl.Cells} }

// args returns the arguments of a compound as a slice of the cells.
func (ts *terms) args(t cell) []cell {
	at := t.Addr()
	if t.Tag() == code.Lst {
		return ts.cells[at : at+2]
	}
	return ts.cells[at+1 : at+1+ts.cells[at].FunctorArity()]
}

// functor returns the functor of an atom or compound, 0 for other terms.
func (ts *terms) functor(t cell) cell {
	switch t.Tag() {
	case code.Lst:
		return code.FDot
	case code.Str:
		return ts.cells[t.Addr()]
	case code.Atom:
		return code.MakeFunctor(t.Atom(), 0)
	}
	return 0
}

// term adds a compound to the cells and returns it. Earlier terms stay valid, as they refer to indices and not to the
// slice.
func (ts *terms) term(functor cell, args ...cell) cell {
	at := len(ts.cells)
	ts.cells = append(append(ts.cells, functor), args...)
	return code.MakeStr(at)
}

// These functions classify the terms of a clause. A variable there is a number, in a cell with the tag of attributed
// variables.
func isVar(t cell) bool      { return t.Tag() == code.Att }
func isCompound(t cell) bool { return t.Tag() == code.Str || t.Tag() == code.Lst }
func isCallable(t cell) bool { return isCompound(t) || t.Tag() == code.Atom }

// blob returns the words of a blob, header included.
func (ts *terms) blob(t cell) []cell {
	at := t.Addr()
	return ts.cells[at : at+1+ts.cells[at].BlobWords()]
}

// walkBound is the number of steps after which a walk stores visited places, so that shared parts are not visited
// repeatedly.
const walkBound = 1000

// eachVar calls f for the variables in t from left to right, repeated ones too.
func (ts *terms) eachVar(t cell, f func(v int)) {
	if !t.IsPointer() {
		return
	}
	stack := append(make([]cell, 0, 16), t)
	var seen map[cell]bool
	for steps := 0; len(stack) > 0; steps++ {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if isVar(t) {
			f(t.Addr())
			continue
		}
		if !isCompound(t) || seen[t] {
			continue
		}
		if steps > walkBound {
			if seen == nil {
				seen = map[cell]bool{}
			}
			seen[t] = true
		}
		args := ts.args(t)
		for i := len(args) - 1; i >= 0; i-- {
			stack = append(stack, args[i])
		}
	}
}

// size is the size of a term as a tree.
type size struct {
	cells  int // cells on the heap
	depth  int // nesting, not counting tails of lists
	nested int // compounds and blobs that are not tails of lists
}

// The largest terms that are built by instructions; others become templates. They are below
// walkBound and below the room that an instruction guarantees.
const (
	maxCells = 200
	maxDepth = 30
)

// measure returns the size of t. It stops at the bounds, with sizes above them, so it is quick for shared and cyclic
// terms.
func (ts *terms) measure(t cell) size {
	var s size
	type item struct {
		t     cell
		depth int
	}
	stack := append(make([]item, 0, 16), item{t, 1})
	for len(stack) > 0 && s.cells <= maxCells && s.depth <= maxDepth {
		it := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch {
		case it.t.Tag() == code.Blob:
			s.cells += len(ts.blob(it.t))
			s.nested++
		case isCompound(it.t):
			args := ts.args(it.t)
			s.cells += len(args) + 1
			s.nested++
			s.depth = max(s.depth, it.depth)
			for i, a := range args {
				if i == 1 && a.Tag() == code.Lst {
					stack = append(stack, item{a, it.depth})
					s.nested-- // a tail, or a similar last part
				} else if a.IsPointer() && !isVar(a) {
					stack = append(stack, item{a, it.depth + 1})
				}
			}
		}
	}
	return s
}

// occurs reports whether variable v is in t.
func (ts *terms) occurs(v int, t cell) bool {
	found := false
	ts.eachVar(t, func(u int) { found = found || u == v })
	return found
}

// template returns the words of an OpPutTerm for t; at has the place of each variable, -1 for an unused one. Shared
// parts stay shared.
func (ts *terms) template(t cell, at func(v int) int) []cell {
	words := []cell{0}
	moved := map[cell]cell{}
	move := func(t cell, slot int) cell {
		if isVar(t) {
			if n := at(t.Addr()); n >= 0 {
				return code.MakeAtt(n)
			}
			return code.MakeRef(slot)
		}
		if !t.IsPointer() {
			return t
		}
		to, ok := moved[t]
		if !ok {
			to = cell(len(words)-1)<<3 | t.Tag()
			moved[t] = to
			words = append(words, ts.block(t)...)
		}
		return to
	}
	words[0] = move(t, 0)
	for i := 1; i < len(words); i++ {
		c := words[i]
		if c.Tag() == code.Hdr {
			if !c.IsFunctor() {
				i += c.BlobWords()
			}
			continue
		}
		v := move(c, i-1)
		words[i] = v
	}
	return words
}

// block returns the cells of one compound or blob without its parts.
func (ts *terms) block(t cell) []cell {
	switch t.Tag() {
	case code.Lst:
		return ts.args(t)
	case code.Str:
		at := t.Addr()
		return ts.cells[at : at+1+ts.cells[at].FunctorArity()]
	}
	return ts.blob(t)
}
