package explain

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how constants that nobody may see are shown.

// ShownSecret stands for a value that is shown to nobody.
const ShownSecret = "<secret>"

// secretVar stands for such a constant in a term that is written: a variable has no quotes.
var secretVar = term.NewVar(ShownSecret)

// veiled is a term without the constants that are secrets, and without parts beyond those that a text shows.
func (o *Options) veiled(t term.Term) term.Term {
	if len(o.Secrets) == 0 {
		return t
	}
	parts := 0
	return term.Replace(t, func(part term.Term) (term.Term, bool) {
		if _, isCompound := part.(*term.Compound); isCompound {
			parts++
		}
		return secretVar, parts > maxParts || o.secret(part)
	})
}

// Veiled is a term without the constants that are secrets, and the variable that stands for these, to be written as
// [ShownSecret].
func Veiled(t term.Term, secrets []string) (shown term.Term, hidden *term.Var) {
	o := Options{Secrets: secrets}
	return o.veiled(t), secretVar
}

// secret reports whether a constant is a secret: its text, or the text of a number.
func (o *Options) secret(t term.Term) bool {
	switch t.(type) {
	case *term.Var, *term.Compound:
		return false
	}
	text, isText := term.Text(t)
	if !isText {
		text = syntax.FormatTerm(t)
	}
	return text != "" && slices.Contains(o.Secrets, text)
}
