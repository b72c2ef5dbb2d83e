package machine

import (
	"maps"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines global variables. A run begins with those that the directives of the program have set. It copies
// each of them to its heap when it asks for it first.

var globalTable = []Builtin{
	{Name: "b_getval", Arity: 2, control: (*Machine).controlGetGlobal, Modes: "+name, ?value",
		Doc: "Value is that of a global variable."},
	{Name: "nb_getval", Arity: 2, control: (*Machine).controlGetGlobal, Modes: "+name, ?value",
		Doc: "Value is that of a global variable."},
	{Name: "nb_delete", Arity: 1, Func: deleteGlobal, Modes: "+name",
		Doc: "There is no such global variable any more."},
}

// Globals returns the global variables that a run begins with, by name. The map does not change.
type Globals func() map[string]term.Term

var fnMissingGlobal = code.Functor("$missing_global", 2)

// controlGetGlobal is b_getval/2 and nb_getval/2. The hook user:exception/3 may give a variable that does not exist a
// value.
func (m *Machine) controlGetGlobal(int) error {
	name, err := m.AtomArg(m.x[0])
	if err != nil {
		return err
	}
	if value, ok := m.Global(name); ok {
		m.p = m.cp
		m.proceedIf(m.Unify(m.x[1], value))
		return nil
	}
	if m.program.User().FindHook(fException) != nil {
		return m.invoke(fnMissingGlobal, nil)
	}
	return m.ExistenceError("variable", m.x[0])
}

// SetGlobal gives a global variable a value. Without backtrackable it is a copy and stays.
func (m *Machine) SetGlobal(name string, v cell, backtrackable bool) {
	holder := m.globals[name]
	if holder == 0 || !backtrackable && m.Arg(holder, 1) != code.ATrue {
		holder = m.newGlobal(name)
	}
	m.SetArg(holder, 0, v, backtrackable)
	if !backtrackable {
		Outlasts(m, 0)
	}
	if tail := m.Arg(holder, 1); !backtrackable && tail == code.ANil {
		m.SetArg(holder, 1, code.ATrue, false)
	} else if backtrackable && tail == code.ATrue {
		m.SetArg(holder, 1, code.AFalse, false)
	}
}

// newGlobal makes the holder of a global variable: a list cell that backtracking spares. Its head is the value. Its
// tail is [] as long as the variable has no value that outlasts the goal, true when the last value does, and false when
// backtracking brings that value back. Then the next value that lasts has another holder, which backtracking does not
// reach.
func (m *Machine) newGlobal(name string) cell {
	if m.globals == nil {
		m.globals = map[string]cell{}
	}
	if m.globals[name] == 0 {
		m.holdEntry(name, 0)
	}
	holder := m.NewList(code.ANil, code.ANil)
	m.protect(0)
	m.globals[name] = holder
	return holder
}

// Global returns the value of a global variable.
func (m *Machine) Global(name string) (v cell, ok bool) {
	holder, ok := m.globals[name]
	if holder != 0 {
		return m.Arg(holder, 0), true
	}
	if ok || m.first == nil {
		return 0, false
	}
	value, ok := m.first()[name]
	if !ok {
		return 0, false
	}
	m.SetGlobal(name, m.Import(value), false)
	return m.Arg(m.globals[name], 0), true
}

// deleteGlobal is nb_delete/1. A variable of the program stays there for other runs.
func deleteGlobal(m *Machine, a []cell) (bool, error) {
	name, err := m.AtomArg(a[0])
	if err != nil {
		return false, err
	}
	if _, ok := m.Global(name); ok {
		m.globals[name] = 0
		Outlasts(m, 0)
	}
	return true, nil
}

// Undo takes back all bindings that the goal has made, backtrackable assignments among them.
func (m *Machine) Undo() {
	m.cutTo(choiceBase)
	m.undo()
}

// GlobalNames returns the names of the global variables in order. With lasting set these are the variables that the run
// has asked for, or has given a value that outlasts it.
func (m *Machine) GlobalNames(lasting bool) []string {
	names := slices.Collect(maps.Keys(m.globals))
	if lasting {
		names = slices.DeleteFunc(names, func(name string) bool {
			return m.globals[name] != 0 && m.Arg(m.globals[name], 1) == code.ANil
		})
	} else if m.first != nil {
		names = slices.AppendSeq(names, maps.Keys(m.first()))
	}
	names = slices.DeleteFunc(names, func(name string) bool { holder, ok := m.globals[name]; return ok && holder == 0 })
	slices.Sort(names)
	return slices.Compact(names)
}
