// Package builtin holds the predicates written in Go, a file a chapter: a table at the head of
// each file, then the functions in table order.
package builtin

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

type cell = code.Cell

// Table returns all predicates written in Go.
func Table() []machine.Builtin {
	return slices.Concat(
		arithTable,
		typeTable,
		compareTable,
		sortTable,
		termHashTable,
		constructTable,
		subTextTable,
		atomTable,
		stringTable,
		termTextTable,
		charTypeTable,
		characterTable,
		streamTable,
		openTable,
		streamPropertyTable,
		readTermTable,
		readTextTable,
		writeTermTable,
		flagPredicates,
		operatorTable,
		formatTable,
		timeTable,
		globalTable,
		systemTable,
		sinkTable,
		clauseTable,
		attvarTable,
		listTable,
		// chapters
	)
}
