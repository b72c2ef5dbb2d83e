package gc

import (
	"errors"
	"fmt"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines a check that each pointer on a heap leads to a cell of the right kind. It is slow and serves
// tests.

// Check walks over the reachable cells of a heap.
type Check struct {
	cells  []cell
	inside []uint64 // raw words of blobs
	seen   []uint64 // cells that were checked
	todo   []int    // cells to check
}

// NewCheck returns a check of the cells of a heap.
func NewCheck(cells []cell) *Check {
	return &Check{cells: cells, inside: rawWords(cells, nil), seen: make([]uint64, len(cells)>>6+1)}
}

// Reach checks a cell and everything that can be reached from it.
func (v *Check) Reach(c cell) error {
	if err := v.target(c); err != nil {
		return err
	}
	v.open(c)
	for len(v.todo) > 0 {
		a := v.todo[len(v.todo)-1]
		v.todo = v.todo[:len(v.todo)-1]
		c := v.cells[a]
		err := v.target(c)
		if err == nil && c.Tag() == code.Att && c.Addr() != a {
			err = errors.New("attributed variable away from home")
		}
		if err != nil {
			return fmt.Errorf("cell %d: %w", a, err)
		}
		v.open(c)
	}
	return nil
}

// open puts on the stack the cells that c points to, except those that were checked.
func (v *Check) open(c cell) {
	a, n := c.Addr(), 0
	switch c.Tag() {
	case code.Ref:
		n = 1
	case code.Att, code.Lst:
		n = 2
	case code.Str:
		n = v.cells[a].FunctorArity()
		a++
	}
	for i := a; i < a+n; i++ {
		if v.seen[i>>6]>>(i&63)&1 == 0 {
			v.seen[i>>6] |= 1 << (i & 63)
			v.todo = append(v.todo, i)
		}
	}
}

// target checks that c is a term, and that its tag fits what it points to.
func (v *Check) target(c cell) error {
	a, ok := c.Addr(), true
	switch c.Tag() {
	case code.Ref:
		ok = v.isTerm(a)
	case code.Att:
		ok = v.isTerm(a) && v.isTerm(a+1) && a != 0
	case code.Lst:
		ok = v.isTerm(a) && v.isTerm(a+1) && a != 0
	case code.Str:
		ok = v.isHeader(a) && v.cells[a].IsFunctor() && v.areTerms(a+1, v.cells[a].FunctorArity())
	case code.Blob:
		ok = v.isHeader(a) && !v.cells[a].IsFunctor() && a+v.cells[a].BlobWords() < len(v.cells)
	case code.Hdr:
		ok = false
	}
	if !ok {
		return fmt.Errorf("bad pointer %x (tag %d, address %d of %d)", c, c.Tag(), a, len(v.cells))
	}
	return nil
}

func (v *Check) raw(a int) bool { return v.inside[a>>6]>>(a&63)&1 != 0 }

// isTerm reports whether a term may stand at an address.
func (v *Check) isTerm(a int) bool {
	return a < len(v.cells) && v.cells[a].Tag() != code.Hdr && !v.raw(a)
}

// isHeader reports whether a header stands at an address.
func (v *Check) isHeader(a int) bool {
	return a < len(v.cells) && v.cells[a].Tag() == code.Hdr && !v.raw(a)
}

// areTerms reports whether each of n cells from a on is a term.
func (v *Check) areTerms(a, n int) bool {
	for i := a; i < a+n; i++ {
		if !v.isTerm(i) {
			return false
		}
	}
	return true
}
