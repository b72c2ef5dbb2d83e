// Package terms holds the predicates written in Go on terms as such: their types, comparison, unification, parts,
// hashes, order, dicts and attributes. Each file is a table at its head, then the functions in the order of the table,
// as in package builtin, which joins the tables. What holds of a function there holds here.
package terms

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// cell is a term or a part of one; see package code.
type cell = code.Cell

// The tables by chapters of docs/builtins.md.
var (
	Types        = typeTable
	Comparison   = slices.Concat(compareTable, termHashTable, variantHashTable, factorizeTable)
	Construction = slices.Concat(constructTable, numberVarsTable)
	Sorting      = slices.Concat(listTable, sortTable)
	Dicts        = dictTable
	Attributes   = attvarTable
)
