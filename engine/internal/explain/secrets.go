package explain

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how secret constants are shown.

// ShownSecret replaces a secret value.
const ShownSecret = "<secret>"

// secretVar replaces a secret constant in a term to be written, as a variable gets no quotes.
var secretVar = term.NewVar(ShownSecret)

// veiled returns a term without secret constants, and without subterms that a text does not show.
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

// Veiled returns a term without secret constants, and the variable that replaces them, to be written as [ShownSecret].
func Veiled(t term.Term, secrets []string) (shown term.Term, hidden *term.Var) {
	o := Options{Secrets: secrets}
	return o.veiled(t), secretVar
}

// secret reports whether a constant is a secret, by its text or the text of a number.
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
