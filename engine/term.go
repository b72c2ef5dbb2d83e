package engine

import (
	"strconv"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// Term is any Prolog term; see package term.
type Term = term.Term

// ParseTerm reads one term, which must be the whole text; the end dot may be missing.
func ParseTerm(text string) (Term, error) {
	read, err := syntax.ParseTerm(text, standardOps, &syntax.Flags{Lenient: true})
	if err != nil {
		return nil, err
	}
	return read.Term, nil
}

var standardOps = syntax.StandardOps()

// FormatTerm writes a term as writeq/1 does: it reads back as the same term. A text of more than 16 MiB
// is cut.
func FormatTerm(t Term) string { return syntax.FormatTerm(t) }

// FormatText writes a term as write/1 does, for people. A text of more than 16 MiB is cut.
func FormatText(t Term) string { return syntax.FormatText(t) }

// ShowTerm is FormatTerm for messages: a text of more than 2,000 bytes is cut and ends in dots.
func ShowTerm(t Term) string { return syntax.ShowTerm(t) }

// NewAtom returns an atom. Package term makes terms of the other kinds.
func NewAtom(text string) Term { return term.Atom(text) }

// NewString returns a string.
func NewString(text string) Term { return term.String(text) }

// NewInt returns an integer.
func NewInt(n int64) Term { return term.Int(n) }

// smaller reports whether a term has fewer than n parts.
func smaller(t Term, n int) bool {
	for range term.Parts(t) {
		if n--; n <= 0 {
			return false
		}
	}
	return true
}

// numberedNames names the variables of terms _1, _2 and so on in the order of their occurrence.
func numberedNames(terms ...Term) map[*term.Var]string {
	names := map[*term.Var]string{}
	for i, v := range term.Variables(terms...) {
		names[v] = "_" + strconv.Itoa(i+1)
	}
	return names
}
