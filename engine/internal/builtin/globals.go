package builtin

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/arith"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/texts"
)

// This file defines global variables and the numbers of flag/3. Both belong to the run; a session carries global
// variables to the next run.

var globalTable = []machine.Builtin{
	{Name: "b_setval", Arity: 2, Func: setGlobal(true), Modes: "+name, ?value",
		Doc: "Gives a global variable a value until backtracking."},
	{Name: "nb_setval", Arity: 2, Func: setGlobal(false), Modes: "+name, ?value",
		Doc: "Gives a global variable a copy of a value; backtracking does not undo it."},
	{Name: "nb_current", Arity: 2, Func: currentGlobal, Modes: "?name, ?value",
		Doc: "There is a global variable with this value.", Nondet: true},
	{Name: "flag", Arity: 3, Func: flagNumber, Modes: "+key, -old, +new",
		Doc: "Old is the number stored under a key, 0 at first; the value of the expression New replaces it."},
	{Name: "$flag_keys", Arity: 1, Func: flagKeys, Modes: "-keys", Doc: "The atoms and numbers that are keys of flag/3."},
}

// setGlobal returns b_setval/2 or nb_setval/2. The second stores a copy outside of the heap, because backtracking frees
// the heap above the choice point. The name must be an atom; the value may be any term.
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

// currentGlobal is nb_current/2. It enumerates the names that exist when it is called, with their values at the time of
// each answer. It skips names that have been deleted meanwhile.
func currentGlobal(m *machine.Machine, a []cell) (bool, error) {
	if c := m.Deref(a[0]); !stacks.IsVar(c) {
		name, err := m.AtomArg(c)
		if err != nil {
			return false, err
		}
		value, ok := m.Global(name)
		return ok && m.Unify(a[1], value), nil
	}
	names := m.GlobalNames(false)
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

// flagNumber is flag/3 of SWI-Prolog. It unifies the first result with the old number and stores the value of an
// expression, which may use the old number. An atom is stored unchanged. The entry counts as memory of the run.
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
	// entryBytes is the approximate size of an entry of a Go map.
	const entryBytes = 64
	// A new entry takes the map's memory and its key; an existing entry releases the old number.
	held := entryBytes + len(key)
	if saved, ok := x.counters[key]; ok {
		held = -saved.Bytes()
	}
	number := m.Save(value)
	if err := m.Hold(held + number.Bytes()); err != nil {
		return false, err
	}
	x.counters[key] = number
	machine.Outlasts(m, 0)
	return true, nil
}

// flagKeys is $flag_keys/1. It leaves out keys that were given as compounds, because only their names are stored.
func flagKeys(m *machine.Machine, a []cell) (bool, error) {
	counters := ioOf(m).counters
	if err := m.Charge(len(counters)); err != nil {
		return false, err
	}
	var keys []cell
	for _, key := range slices.Sorted(maps.Keys(counters)) {
		kind, text, _ := strings.Cut(key, ":")
		switch kind {
		case "a":
			keys = append(keys, m.NewAtom(text))
		case "n":
			if number, ok := texts.ParseNumber(m, text); ok {
				keys = append(keys, number)
			}
		}
	}
	return m.Unify(a[0], m.List(keys, code.ANil)), nil
}

// flagKey returns the key of an entry of flag/3. A compound stands for its name. The prefix a, n or f keeps equal texts
// of atoms, numbers and compounds apart.
func flagKey(m *machine.Machine, c cell) (string, error) {
	switch {
	case stacks.IsVar(c):
		return "", m.InstantiationError()
	case stacks.IsCompound(c):
		return "f:" + stacks.AtomText(m.Functor(c).FunctorName()), nil
	case c.Tag() == code.Atom:
		return "a:" + stacks.AtomText(c), nil
	}
	text, _ := m.AtomicText(c)
	return "n:" + text, nil
}
