package compile

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines what is kept of a linked predicate of rows, so that the same facts of a program
// that replaces this one need not be linked again.

// rowsObject is the code of a predicate of rows before it has a place. It does not change.
type rowsObject struct {
	entry  [database.EntryWords]code.Instr
	code   []code.Instr
	rowsAt []int // the instructions with the number of the predicate
	labels []int
	halves []half
}

// linkRows links a predicate of rows.
func (c *Compiler) linkRows(p *database.Pred, list []*database.Clause) {
	k := c.linker(p)
	facts := p.Facts()
	if !facts.Are(list) {
		k.link(k.factEntry(list))
		return
	}
	o, ok := facts.Linked().(*rowsObject)
	if !ok {
		o = &rowsObject{entry: k.factEntry(list)}
		o.code, o.rowsAt, o.labels, o.halves = slices.Clone(k.e.code), k.rowsAt, k.e.labels, k.halves
		facts.SetLinked(o)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	k.e.code, k.e.labels, k.halves = append(c.words[:0], o.code...), o.labels, o.halves
	for _, at := range o.rowsAt {
		k.e.code[at] = k.e.code[at].WithImm(p.ID)
	}
	c.words = k.e.code
	k.link(o.entry)
}
