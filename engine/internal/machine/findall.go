package machine

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines the three predicates that findall/3 is compiled to.

// bag collects copies of solutions; it stands on the Go object stack of the machine.
type bag struct {
	items []frozen
	bytes int
}

// findallTable are predicates that only the compiler and the library call.
var findallTable = []Builtin{
	{Name: "$findall_start", Arity: 1, Func: findallStart, Modes: "-bag", Doc: "Starts to collect solutions."},
	{Name: "$findall_add", Arity: 2, Func: findallAdd, Modes: "+bag, ?term", Doc: "Adds a copy of a solution to a bag."},
	{Name: "$findall_collect", Arity: 2, Func: findallCollect, Modes: "+bag, -list", Doc: "Returns the solutions of a bag as a list and ends it."},
	{Name: "$findall_collect", Arity: 3, Func: findallCollect, Modes: "+bag, -list, ?tail", Doc: "Returns the solutions of a bag as a list ending in tail and ends it."},
	{Name: "$findall_count", Arity: 2, Func: findallCount, Modes: "+bag, -count", Doc: "Returns how many solutions a bag holds."},
	{Name: "throw", Arity: 1, Func: throw, Modes: "+ball", Doc: "Throws a copy of ball to the innermost catch/3 that takes it."},
}

func findallStart(m *Machine, a []cell) (bool, error) {
	m.objs = append(m.objs, &bag{})
	return m.Unify(a[0], code.MakeInt(int64(len(m.objs)-1))), nil
}

func (m *Machine) bagArg(c cell) *bag {
	return m.objs[m.Deref(c).Int()].(*bag)
}

func findallAdd(m *Machine, a []cell) (bool, error) {
	b := m.bagArg(a[0])
	f := m.freezeWith(a[1], true)
	b.items = append(b.items, f)
	n := 32 + 8*len(f.cells)
	b.bytes += n
	return true, m.HoldBytes(n)
}

func findallCount(m *Machine, a []cell) (bool, error) {
	return m.Unify(a[1], code.MakeInt(int64(len(m.bagArg(a[0]).items)))), nil
}

func findallCollect(m *Machine, a []cell) (bool, error) {
	b := m.bagArg(a[0])
	if _, end := m.ListPrefix(a[1]); end != code.ANil && !IsVar(end) {
		return false, m.TypeError("list", a[1])
	}
	tail := code.ANil
	if len(a) == 3 {
		tail = a[2]
	}
	items := make([]cell, len(b.items))
	for i, f := range b.items {
		items[i] = m.thaw(f)
	}
	m.objs = m.objs[:len(m.objs)-1]
	if err := m.HoldBytes(-b.bytes); err != nil {
		return false, err
	}
	return m.Unify(a[1], m.List(items, tail)), m.checkMemory()
}

func throw(m *Machine, a []cell) (bool, error) {
	c := m.Deref(a[0])
	if IsVar(c) {
		return false, m.InstantiationError()
	}
	return false, m.Throw(c)
}
