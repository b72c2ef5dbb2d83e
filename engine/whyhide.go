package engine

import (
	"slices"
)

// This file defines which texts of explanations may show values that are to be shown to nobody.

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
