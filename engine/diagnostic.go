package engine

import (
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/reuse"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/source"
)

// This file defines the inputs and results of loading.

// The inputs and results of loading.
type (
	// Position is a place in a named file: file, line and column, as far as they are known. Diagnostics, declarations,
	// clauses and frames of backtraces embed it. As text it is file:line:column.
	Position = syntax.Position
	// Place is a place in one text: line and column.
	Place = syntax.Place
	// Source is the text of one file.
	Source = load.Source
	// Declaration is a directive that describes a predicate, such as mode/2.
	Declaration = load.Declaration
	// Diagnostic is one problem found while loading.
	Diagnostic = load.Diagnostic
	// Fix is a change of a text that mends a problem.
	Fix = load.Fix
	// Diagnostics is a list of problems. As an error it stands for a load that failed.
	Diagnostics = load.Diagnostics
	// Severity says whether a diagnostic makes the load fail.
	Severity = load.Severity
	// LoadCache caches the results of a load. A program that is loaded with the cache of another does not parse and
	// compile again what their texts have in common. The zero value is an empty cache. Several goroutines may use it.
	LoadCache = reuse.Cache
)

// An error makes the load fail, a warning does not.
const (
	SeverityError   = load.SeverityError
	SeverityWarning = load.SeverityWarning
)

// ReplaceWord returns the fix that puts another word for the one at a place of a line, nil if that is not there.
func ReplaceWord(at Place, line, word, other string) *Fix {
	return load.ReplaceWord(at, line, word, other)
}

// SyntaxDiagnostic makes a diagnostic of a syntax error that package source found in a file.
func SyntaxDiagnostic(file string, err *source.Error) Diagnostic {
	return load.SyntaxDiagnostic(file, err)
}

// placed puts a position, if known, before a text.
func placed(at Position, text string) string {
	if at.File == "" {
		return text
	}
	return at.String() + ": " + text
}
