package engine

import (
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/explain"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how values that are to be shown to nobody are left out of texts and explanations.

// shownSecret stands for a value that is left out.
const shownSecret = explain.ShownSecret

// shortestSecret is the least length of a value that is left out where it is a part of a text. A shorter one is left
// out where it is all of a constant, since it would take parts of others with it.
const shortestSecret = 4

// hider replaces values of some length, and what they look like in quotes.
type hider struct{ replace *strings.Replacer }

// newHider returns what replaces some values, nil for none.
func newHider(values []string) *hider {
	var texts []string
	for _, value := range values {
		if len(value) >= shortestSecret {
			quoted := syntax.QuoteAtom(term.Atom(value))
			texts = append(texts, quoted, shownSecret, strings.Trim(quoted, "'"), shownSecret, value, shownSecret)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return &hider{strings.NewReplacer(texts...)}
}

func (h *hider) texts(texts ...*string) {
	for _, text := range texts {
		*text = h.replace.Replace(*text)
	}
}

func (h *hider) list(texts []string) {
	for i := range texts {
		h.texts(&texts[i])
	}
}

func (h *hider) values(values map[string]string) {
	for name, value := range values {
		values[name] = h.replace.Replace(value)
	}
}

// proof leaves the values out of a proof.
func (h *hider) proof(p *Proof) {
	if h == nil {
		return
	}
	h.texts(&p.Text)
	if answer, ok := p.Answer.(map[string]string); ok {
		h.values(answer)
	}
	for i := range p.Nodes {
		n := &p.Nodes[i]
		h.texts(&n.Goal, &n.Says, &n.Note)
		n.Via = slices.Clone(n.Via)
		h.list(n.Via)
		h.values(n.With)
	}
}

// misses leaves the values out of misses.
func (h *hider) misses(m *Misses) {
	if h == nil {
		return
	}
	h.texts(&m.Line, &m.Text)
	h.each(m.Misses)
}

func (h *hider) each(list []Miss) {
	for i := range list {
		m := &list[i]
		h.texts(&m.Goal, &m.Says, &m.Failed, &m.Note, &m.Written, &m.Proof)
		for _, texts := range []*[]string{&m.Held, &m.OtherFailed, &m.WouldHoldIf, &m.Near, &m.Known} {
			*texts = slices.Clone(*texts)
			h.list(*texts)
		}
		h.each(m.Because)
	}
}
