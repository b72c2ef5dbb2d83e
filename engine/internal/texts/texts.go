// Package texts holds the predicates written in Go on text: atoms, strings, lists of characters and of codes, and
// functions of text, such as classes of characters, patterns, escapes and digests. Each file is a table at its head,
// then the functions in the order of the table, as in package builtin, which joins the tables. The rules for functions
// there also apply here. Arguments that are text are read by argument.go.
package texts

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// AtomTable returns the predicates on atoms, characters and text of any kind.
func AtomTable() []machine.Builtin {
	return slices.Concat(atomTable, subTextTable, charTypeTable, wildcardTable, textBytesTable, uriTable, digestTable,
		regexTable, yamlTable, feelTable)
}

// StringTable returns the predicates on strings.
func StringTable() []machine.Builtin { return stringTable }
