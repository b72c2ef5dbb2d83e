// Package builtin holds the predicates written in Go, a file a chapter: a table at the head of
// each file, then the functions in table order.
package builtin

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/arith"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

type cell = code.Cell

// Chapter is a group of predicates written in Go.
type Chapter struct {
	Title string
	Table []machine.Builtin
}

// Chapters returns the predicates written in Go, by chapter.
func Chapters() []Chapter {
	return []Chapter{
		{"Types of terms", typeTable},
		{"Comparison and unification", slices.Concat(compareTable, termHashTable, variantHashTable)},
		{"Terms", constructTable},
		{"Arithmetic", arith.Table},
		{"Atoms and text", slices.Concat(atomTable, subTextTable, charTypeTable, wildcardTable, textBytesTable)},
		{"Strings", stringTable},
		{"Lists and sorting", slices.Concat(listTable, sortTable)},
		{"Reading and writing terms", slices.Concat(readTermTable, writeTermTable, termTextTable, operatorTable)},
		{"Formatted output", formatTable},
		{"Streams", slices.Concat(openTable, streamTable, streamPropertyTable, characterTable, readTextTable, fileNameTable)},
		{"The database", slices.Concat(clauseTable, clauseReferenceTable)},
		{"Global variables", globalTable},
		{"Attributed variables", attvarTable},
		{"Flags", flagPredicates},
		{"Time", timeTable},
		{"The system", systemTable},
	}
}

// Table returns all predicates written in Go.
func Table() []machine.Builtin {
	var tables [][]machine.Builtin
	for _, c := range Chapters() {
		tables = append(tables, c.Table)
	}
	return slices.Concat(tables...)
}

// partOf makes the errors of f name the predicate in Prolog that calls it.
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
