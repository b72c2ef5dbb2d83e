package code

import (
	"strings"
	"sync"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the Go values behind atoms.

// opaques holds Go values by the texts of their atoms. An entry is removed together with its atom.
var opaques sync.Map

// isOpaque reports whether an atom with this text may have a value.
func isOpaque(text string) bool { return strings.HasPrefix(text, term.OpaqueMark) }

// HoldOpaque keeps a value for the atom with a text. The caller must hold the atom.
func HoldOpaque(text string, value any) { opaques.Store(text, value) }

// OpaqueOf returns the value of the atom with a text, nil if there is none.
func OpaqueOf(text string) any {
	if !isOpaque(text) {
		return nil
	}
	value, _ := opaques.Load(text)
	return value
}
