package builtin

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/arith"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/terms"
	"github.com/mcplogic/mcplogic/engine/internal/texts"
)

// This file lists the chapters. No other file of the package refers to all of them.

// Chapter is a group of predicates written in Go, a section of docs/builtins.md.
type Chapter struct {
	Title string
	Table []machine.Builtin
}

// Chapters returns the predicates written in Go, by chapter, in the order of docs/builtins.md.
func Chapters() []Chapter {
	return []Chapter{
		{"Types of terms", terms.Types},
		{"Comparison and unification", terms.Comparison},
		{"Terms", terms.Construction},
		{"Arithmetic", arith.Table},
		{"Atoms and text", texts.AtomTable()},
		{"Strings", texts.StringTable()},
		{"Lists and sorting", terms.Sorting},
		{"Dicts", terms.Dicts},
		{"Reading and writing terms", slices.Concat(readTermTable, writeTermTable, termTextTable, operatorTable)},
		{"Formatted output", formatTable},
		{"Streams", slices.Concat(openTable, streamTable, streamPropertyTable, characterTable, readTextTable,
			texts.JSON, fileNameTable)},
		{"Files and folders", fileTable},
		{"The database", slices.Concat(clauseTable, clauseReferenceTable, explainTable, explainNearTable)},
		{"Tables of databases", sqlTable},
		{"Global variables", globalTable},
		{"Attributed variables", terms.Attributes},
		{"Flags", flagPredicates},
		{"Time", slices.Concat(timeTable, formatTimeTable, valueTable)},
		{"The system", slices.Concat(systemTable, debugTable)},
	}
}

// Table returns all predicates written in Go. The base image numbers the predicates by their order here, so its
// fingerprint covers the tables.
func Table() []machine.Builtin {
	var tables [][]machine.Builtin
	for _, c := range Chapters() {
		tables = append(tables, c.Table)
	}
	return slices.Concat(tables...)
}
