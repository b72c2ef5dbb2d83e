package builtin

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines predicates on lists and whole terms that the library builds on.

var listTable = []machine.Builtin{
	{Name: "memberchk", Arity: 2, Func: memberchk, Modes: "?item, +list", Doc: "Item is the first member of list that unifies with it."},
}

// memberchk tries the members in turn, undoing the bindings of those that do not unify. At the
// open end of a partial list it adds the item.
func memberchk(m *machine.Machine, a []cell) (bool, error) {
	c := m.Deref(a[1])
	for n := 0; c.Tag() == code.Lst; n++ {
		if m.UnifyOrUndo(a[0], m.Arg(c, 0)) {
			return true, nil
		}
		c = m.Deref(m.Arg(c, 1))
		if err := m.Charge(1); err != nil {
			return false, err
		}
	}
	switch {
	case machine.IsVar(c):
		return m.Unify(c, m.NewList(a[0], m.NewVar())), nil
	case c == code.ANil:
		return false, nil
	}
	return false, m.TypeError("list", c)
}
