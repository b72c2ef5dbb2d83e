package machine

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how arguments of built-ins are taken apart: typed operand helpers that produce the standard errors.

// IntArg returns an argument that must be an integer. An integer that does not fit 61 bits is a resource_error(memory):
// the argument is a count or a size, and no machine has that much. A negative one is given as
// code.MinInt, which is refused wherever negative numbers are.
func (m *Errors) IntArg(c cell) (int, error) {
	c = m.Deref(c)
	if c.Tag() == code.Int {
		return int(c.Int()), nil
	}
	switch {
	case !m.IsBig(c):
		return 0, m.TypeError("integer", c)
	case m.BlobKind(c) == code.BigNeg:
		return code.MinInt, nil
	}
	return 0, m.ResourceError("memory")
}

// AtomArg returns the text of an argument that must be an atom.
func (m *Errors) AtomArg(c cell) (string, error) {
	c = m.Deref(c)
	if c.Tag() == code.Atom {
		return stacks.AtomText(c), nil
	}
	return "", m.TypeError("atom", c)
}

// CallableArg returns the dereferenced argument, which must be an atom or compound.
func (m *Errors) CallableArg(c cell) (cell, error) {
	c = m.Deref(c)
	if stacks.IsCallable(c) {
		return c, nil
	}
	return 0, m.TypeError("callable", c)
}

// ListArg returns the items, not dereferenced, of an argument that must be a proper list.
// Partial lists are instantiation errors, anything else type_error(list, _).
func (m *Errors) ListArg(c cell) ([]cell, error) {
	items, tail := m.ListPrefix(c)
	switch {
	case tail == code.ANil:
		return items, nil
	case stacks.IsVar(tail):
		return nil, m.InstantiationError()
	}
	return nil, m.TypeError("list", c)
}

// DictName is the name of the functors of dicts.
var DictName = code.AtomCell(string(term.Dict))

// IsDict reports whether a dereferenced cell is a dict, by its functor.
func IsDict(m *Machine, c cell) bool {
	if c.Tag() != code.Str {
		return false
	}
	f := m.Functor(c)
	return f.FunctorName() == DictName && f.FunctorArity()%2 == 1
}

// fewPairs is the number of pairs of a dict that are searched linearly before the binary search.
const fewPairs = 8

// DictAt returns the index, from 0, of the argument with the value of a key in a dict. If the key is missing, the index
// is where its value and the key would be inserted. The first few pairs are searched linearly and the others by
// bisection. Argument 0 is the tag; pair i has its value in argument 2i+1 and its key behind it.
func DictAt(m *Machine, dict, key cell) (at int, found bool) {
	low, high := 0, m.Functor(dict).FunctorArity()/2
	for i := range min(high, fewPairs) { // keys are atoms and small integers: equal ones are the same cell
		if m.Arg(dict, 2*i+2) == key {
			return 2*i + 1, true
		}
	}
	for low < high {
		mid := (low + high) / 2
		switch d := m.Compare(m.Arg(dict, 2*mid+2), key); {
		case d == 0:
			return 2*mid + 1, true
		case d < 0:
			low = mid + 1
		default:
			high = mid
		}
	}
	return 2*low + 1, false
}
