package engine

import (
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/base"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
)

// This file defines what programs can ask about the predicates that every program has.

type (
	// Documented describes a predicate of the system or of a library.
	Documented = base.Documented
	// DocumentedChapter is a group of them: a part of the system or a library.
	DocumentedChapter = base.DocumentedChapter
)

// Documentation returns the predicates of the system and its libraries, by chapter. Nobody may change it.
func Documentation() []DocumentedChapter { return base.Documentation() }

// Meta says which arguments of a predicate of the system or a library are goals: a character for each argument, as
// meta_predicate/1 has them. It returns "" if none are, or if there is no such predicate.
func Meta(name string, arity int) string {
	if meta := lib.Meta(name, arity); meta != "" {
		return meta
	}
	if pred := plain().db.System().Find(code.Functor(name, arity)); pred != nil {
		return pred.Meta()
	}
	return ""
}

// plain is a program without clauses of its own.
var plain = sync.OnceValue(func() *Program { return New(nil) })

// Libraries returns the names of the libraries, sorted.
func Libraries() []string { return lib.Names() }
