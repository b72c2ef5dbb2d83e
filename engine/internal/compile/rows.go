package compile

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines the linking of predicates of rows. The same facts of a program that replaces this one need not be
// linked again: their code is kept before it has a place.

// linkRows links a predicate of rows.
func (c *Compiler) linkRows(p *database.Pred, list []*database.Clause) {
	k := c.linker(p)
	facts := p.Facts()
	if !facts.Are(list) {
		k.link(k.factEntry(list))
		return
	}
	o := facts.Object()
	if o == nil {
		o = &database.Object{Entry: k.factEntry(list)}
		o.Code, o.PredAt, o.Labels, o.Halves = slices.Clone(k.e.code), k.rowsAt, k.e.labels, k.halves
		facts.SetObject(o)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	k.e.code, k.e.labels, k.halves = append(c.words[:0], o.Code...), o.Labels, o.Halves
	for _, at := range o.PredAt {
		k.e.code[at] = k.e.code[at].WithImm(p.ID)
	}
	c.words = k.e.code
	k.link(o.Entry)
}
