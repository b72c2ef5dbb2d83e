package explain

import (
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how values that are to be shown to nobody are left out of texts.

// shortestSecret is the least length of a value that is left out where it is a part of a text. A shorter one is left
// out where it is all of a constant, since it would take parts of others with it.
const shortestSecret = 4

// Hider replaces values of some length, and what they look like in quotes, by [ShownSecret].
type Hider struct{ replace *strings.Replacer }

// NewHider returns what replaces some values, nil for none.
func NewHider(values []string) *Hider {
	var texts []string
	for _, value := range values {
		if len(value) >= shortestSecret {
			quoted := syntax.QuoteAtom(term.Atom(value))
			texts = append(texts, quoted, ShownSecret, strings.Trim(quoted, "'"), ShownSecret, value, ShownSecret)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return &Hider{strings.NewReplacer(texts...)}
}

// Texts replaces the values in texts.
func (h *Hider) Texts(texts ...*string) {
	for _, text := range texts {
		*text = h.replace.Replace(*text)
	}
}

// List replaces them in a list.
func (h *Hider) List(texts []string) {
	for i := range texts {
		h.Texts(&texts[i])
	}
}

// Values replaces them in the values of a map.
func (h *Hider) Values(values map[string]string) {
	for name, value := range values {
		values[name] = h.replace.Replace(value)
	}
}
