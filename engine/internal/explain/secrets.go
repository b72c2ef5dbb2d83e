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

// veiled is a term without the constants that are secrets.
func (o *Options) veiled(t term.Term) term.Term {
	if len(o.Secrets) == 0 {
		return t
	}
	return o.veil(t, map[*term.Compound]*term.Compound{})
}

// Veiled is a term without the constants that are secrets, and the variable that stands for these, to be written as
// [ShownSecret].
func Veiled(t term.Term, secrets []string) (shown term.Term, hidden *term.Var) {
	o := Options{Secrets: secrets}
	return o.veiled(t), secretVar
}

// veil copies the parts of a term that have secrets. A part of a term that is deeper than a text shows, or that is the
// term itself, is left as it is. done has the copies.
func (o *Options) veil(t term.Term, done map[*term.Compound]*term.Compound) term.Term {
	c, ok := t.(*term.Compound)
	if !ok {
		if o.secret(t) {
			return secretVar
		}
		return t
	}
	if known := done[c]; known != nil {
		return known
	}
	if len(done) >= maxParts {
		return secretVar
	}
	veiled := &term.Compound{Functor: c.Functor, Args: make([]term.Term, len(c.Args))}
	done[c] = veiled
	for i, arg := range c.Args {
		veiled.Args[i] = o.veil(arg, done)
	}
	return veiled
}

// secret reports whether a constant is a secret: its text, or the text of a number.
func (o *Options) secret(t term.Term) bool {
	if _, unbound := t.(*term.Var); unbound {
		return false
	}
	text, isText := term.Text(t)
	if !isText {
		text = syntax.FormatTerm(t)
	}
	return text != "" && slices.Contains(o.Secrets, text)
}
