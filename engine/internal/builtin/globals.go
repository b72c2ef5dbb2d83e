package builtin

import (
	"github.com/mcplogic/mcplogic/engine/internal/arith"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines what a run keeps under names: global variables and the numbers of flag/3.

var globalTable = []machine.Builtin{
	{Name: "b_setval", Arity: 2, Func: setGlobal(true), Modes: "+name, ?value", Doc: "Gives a global variable a value until backtracking."},
	{Name: "b_getval", Arity: 2, Func: getGlobal, Modes: "+name, ?value", Doc: "Value is that of a global variable."},
	{Name: "nb_setval", Arity: 2, Func: setGlobal(false), Modes: "+name, ?value", Doc: "Gives a global variable a copy of a value that backtracking does not touch."},
	{Name: "nb_getval", Arity: 2, Func: getGlobal, Modes: "+name, ?value", Doc: "Value is that of a global variable."},
	{Name: "nb_current", Arity: 2, Func: currentGlobal, Modes: "?name, ?value", Doc: "There is a global variable with this value.", Nondet: true},
	{Name: "flag", Arity: 3, Func: flagNumber, Modes: "+key, -old, +new", Doc: "Old is the number kept under a key, 0 at first, and New the value of the expression kept from now on."},
}

func setGlobal(backtrackable bool) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		name, err := m.AtomArg(a[0])
		if err != nil {
			return false, err
		}
		m.SetGlobal(name, a[1], backtrackable)
		return true, nil
	}
}

// getGlobal is b_getval/2 and nb_getval/2.
func getGlobal(m *machine.Machine, a []cell) (bool, error) {
	name, err := m.AtomArg(a[0])
	if err != nil {
		return false, err
	}
	value, ok := m.Global(name)
	if !ok {
		return false, m.ExistenceError("variable", a[0])
	}
	return m.Unify(a[1], value), nil
}

// currentGlobal is nb_current/2.
func currentGlobal(m *machine.Machine, a []cell) (bool, error) {
	if c := m.Deref(a[0]); !machine.IsVar(c) {
		name, err := m.AtomArg(c)
		if err != nil {
			return false, err
		}
		value, ok := m.Global(name)
		return ok && m.Unify(a[1], value), nil
	}
	names := m.GlobalNames()
	return m.Alternatives(func(m *machine.Machine, a []cell) (ok, more bool, err error) {
		if len(names) == 0 {
			return false, false, nil
		}
		name := names[0]
		names = names[1:]
		value, ok := m.Global(name)
		return ok && m.Unify(a[0], m.NewAtom(name)) && m.Unify(a[1], value), len(names) > 0, nil
	})
}

// flagNumber is flag/3.
func flagNumber(m *machine.Machine, a []cell) (bool, error) {
	key, err := flagKey(m, m.Deref(a[0]))
	if err != nil {
		return false, err
	}
	x := ioOf(m)
	old := code.MakeInt(0)
	if saved, ok := x.counters[key]; ok {
		old = m.Restore(saved)
	}
	if !m.Unify(a[1], old) {
		return false, nil
	}
	value := m.Deref(a[2])
	if value.Tag() != code.Atom {
		if value, err = arith.Eval(m, value); err != nil {
			return false, err
		}
	}
	if x.counters == nil {
		x.counters = map[string]machine.Saved{}
	}
	const entryBytes = 64
	held := entryBytes + len(key)
	if saved, ok := x.counters[key]; ok {
		held = -saved.Bytes()
	}
	number := m.Save(value)
	x.counters[key] = number
	return true, m.Hold(held + number.Bytes())
}

// flagKey returns the name under which flag/3 keeps a number: an atom, integer or the functor of
// a compound.
func flagKey(m *machine.Machine, c cell) (string, error) {
	switch {
	case machine.IsVar(c):
		return "", m.InstantiationError()
	case machine.IsCompound(c):
		return "f:" + machine.AtomText(m.Functor(c).FunctorName()), nil
	case c.Tag() == code.Atom:
		return "a:" + machine.AtomText(c), nil
	}
	text, _ := m.AtomicText(c)
	return "n:" + text, nil
}
