package builtin

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines predicates on lists and whole terms that the library builds on.

var listTable = []machine.Builtin{
	{Name: "$memberchk", Arity: 3, Func: memberchk, Modes: "?item, +list, -rest",
		Doc: "Rest is [] when item is the first member that unifies with it, else begins with one that goals wait for."},
}

// memberchk is $memberchk/3. It tries the members in turn and undoes the bindings of those that do not unify, where
// Prolog would make choice points. A member whose unification wakes goals is left to the caller, as the rest of the
// list, because these goals may fail. At the open end of a partial list it adds the item.
func memberchk(m *machine.Machine, a []cell) (bool, error) {
	c := m.Deref(a[1])
	for n := 0; c.Tag() == code.Lst; n++ {
		switch ok, wakes := m.UnifyOrUndo(a[0], m.Arg(c, 0)); {
		case wakes:
			return m.Unify(a[2], c), nil
		case ok:
			return m.Unify(a[2], code.ANil), nil
		}
		c = m.Deref(m.Arg(c, 1))
		if err := m.Charge(1); err != nil {
			return false, err
		}
	}
	switch {
	// The tail has attributes, so binding it wakes goals: the new element, still unbound, is left to the caller.
	case c.Tag() == code.Att:
		list := m.NewList(m.NewVar(), m.NewVar())
		return m.Unify(c, list) && m.Unify(a[2], list), nil
	case machine.IsVar(c):
		return m.Unify(c, m.NewList(a[0], m.NewVar())) && m.Unify(a[2], code.ANil), nil
	case c == code.ANil:
		return false, nil
	}
	return false, m.TypeError("list", c)
}
