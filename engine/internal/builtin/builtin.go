// Package builtin holds the predicates written in Go. Each file is a chapter: a table at its head, then the functions
// in the order of the table.
//
// A function gets the arguments as cells that are not dereferenced. It may hold cells while it runs, because terms
// move at calls only, and must not keep them after it returns. It returns false to fail and an error to throw.
// engine/internal/machine/limits.go says how it must charge for loops, walks and memory; docs/recipes.md has a table of
// these rules.
//
// Errors have the forms of ISO 13211-1, 7.12. Where the standard leaves open which of several errors is thrown, the
// order of the tests follows SWI-Prolog.
package builtin

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// cell is a term or a part of one; see package code.
type cell = code.Cell

// partOf makes the errors of f name another predicate: the library predicate that f implements in Go, such as print/1.
// So users see errors of the predicate that they called.
func partOf(name string, arity int, f machine.Func) machine.Func {
	functor := code.Functor(name, arity)
	return func(m *machine.Machine, a []cell) (bool, error) {
		ok, err := f(m, a)
		if err != nil {
			err = machine.InContext(err, functor)
		}
		return ok, err
	}
}

// truth returns the atom true or false.
func truth(b bool) term.Term {
	if b {
		return term.True
	}
	return term.False
}

// atoms converts texts to atoms.
func atoms(names ...string) []term.Term {
	var list []term.Term
	for _, name := range names {
		list = append(list, term.Atom(name))
	}
	return list
}
