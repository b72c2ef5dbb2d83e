package database

import (
	"sync/atomic"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines what is kept of the clauses of a text, so that programs which replace one
// another need not lay them out again. The cells are shared: they never change.

// Template is what a clause says, without the program that it belongs to.
type Template struct {
	cells    []cell
	body     cell
	nvars    int32
	at, line int32
	ssu      bool
	shared   bool
	// restricted is that of the clause.
	restricted bool
	file       string
}

// Template returns that of a clause.
func (c *Clause) Template() Template {
	return Template{cells: c.Cells, body: c.Body, nvars: int32(c.NVars), at: int32(c.at), line: c.Line, ssu: c.SSU,
		shared: c.shared, restricted: c.Restricted, file: c.File}
}

// Body returns the cells that the body of the clause is in, and its root.
func (m *Template) Body() (cells []code.Cell, root code.Cell) { return m.cells, m.body }

// Block is room for clauses that come from templates, in one piece of memory.
type Block []clauseWithText

// Make makes the next clause of a block, for a predicate; it is not added to it.
func (b *Block) Make(m *Template, p *Pred) *Clause {
	if len(*b) == 0 {
		*b = make(Block, 1)
	}
	both := &(*b)[0]
	*b = (*b)[1:]
	c, t := &both.clause, &both.text
	t.Pred, t.Cells, t.Body, t.NVars, t.SSU, t.File, t.shared = p, m.cells, m.body, int(m.nvars), m.ssu, m.file, m.shared
	t.Restricted = m.restricted
	c.Text, c.at, c.Line = t, uint32(m.at), m.line
	c.erased.Store(never)
	return c
}

// FactTemplates is what ground facts of one predicate say that follow one another in a file.
type FactTemplates struct {
	file   string
	arrays []factArray
	count  int
	object atomic.Pointer[Object]
}

// factArray is the cells of some facts, and their places.
type factArray struct {
	cells []cell
	facts []factPlace
}

type factPlace struct{ at, line int32 }

// NewFactTemplates returns an empty list of facts that a file gives.
func NewFactTemplates(file string) *FactTemplates { return &FactTemplates{file: file} }

// AddCells adds a fact whose arguments and their parts are cells, with addresses that count from the first of them.
func (f *FactTemplates) AddCells(cells []code.Cell, line int) {
	n := len(f.arrays) - 1
	if n < 0 || cap(f.arrays[n].cells)-len(f.arrays[n].cells) < len(cells) {
		room := 16 * len(cells)
		if n >= 0 {
			room = max(min(2*cap(f.arrays[n].cells), manyCells), len(cells))
		}
		f.arrays = append(f.arrays, factArray{make([]cell, 0, room), make([]factPlace, 0, room/len(cells))})
		n++
	}
	a := &f.arrays[n]
	at := len(a.cells)
	a.cells = a.cells[:at+len(cells)]
	relocate(a.cells[at:], cells, at)
	a.facts = append(a.facts, factPlace{int32(at), int32(line)})
	f.count++
}

// Len returns the number of facts.
func (f *FactTemplates) Len() int { return f.count }

// InArray reports whether a clause is a ground fact, which shares an array of cells with others.
func (c *Clause) InArray() bool { return c.shared && len(c.Cells) > 0 }

// Add adds a clause. It returns false when that is not in an array.
func (f *FactTemplates) Add(c *Clause) bool {
	if !c.InArray() {
		return false
	}
	n := len(f.arrays) - 1
	if n < 0 || &f.arrays[n].cells[0] != &c.Cells[0] {
		f.arrays = append(f.arrays, factArray{cells: c.Cells})
		n++
	}
	f.arrays[n].facts = append(f.arrays[n].facts, factPlace{int32(c.at), c.Line})
	f.file = c.File
	f.count++
	return true
}

// Are reports whether clauses are these, all of them and in this order.
func (f *FactTemplates) Are(list []*Clause) bool {
	if f == nil || len(list) != f.count {
		return false
	}
	for i := range f.arrays {
		a := &f.arrays[i]
		for j, c := range list[:len(a.facts)] {
			if !c.InArray() || &c.Cells[0] != &a.cells[0] || int32(c.at) != a.facts[j].at {
				return false
			}
		}
		list = list[len(a.facts):]
	}
	return true
}

// Object is the code that selects among the clauses of a predicate, before it has a place. It does not change.
type Object struct {
	Entry  [EntryWords]code.Instr
	Code   []code.Instr
	PredAt []int // the instructions with the number of the predicate
	Labels []int // where in Code they are
	Halves []Half
}

// Half is a half word that holds a label. At is an index of the code, or -1-i for word i of the entry.
type Half struct{ At, Shift, Label int }

// Object returns what SetObject has kept, or nil.
func (f *FactTemplates) Object() *Object { return f.object.Load() }

// SetObject keeps the code that selects among the facts, which is the same in all programs.
func (f *FactTemplates) SetObject(o *Object) { f.object.Store(o) }

// SetFacts says which facts the predicate may be made of; SetFacts is for those who load a
// program, Facts for those who link it.
func (p *Pred) SetFacts(f *FactTemplates) { p.templates = f }

// Facts returns what SetFacts has said, or nil.
func (p *Pred) Facts() *FactTemplates { return p.templates }

// AddStaticFacts adds facts to a predicate: they have been there always.
func (p *Program) AddStaticFacts(pred *Pred, f *FactTemplates) {
	list := make([]*Clause, 0, f.count)
	for i := range f.arrays {
		a := &f.arrays[i]
		text := &Text{Pred: pred, Cells: a.cells, Body: code.ATrue, File: f.file, shared: true}
		block := make([]Clause, len(a.facts))
		for j := range block {
			c, from := &block[j], a.facts[j]
			c.Text, c.at, c.Line = text, uint32(from.at), from.line
			c.erased.Store(never)
			list = append(list, c)
		}
	}
	pred.mu.Lock()
	defer pred.mu.Unlock()
	pred.all.addAll(list)
	pred.loads.Add(1)
}

// addAll adds clauses at the end.
func (s *set) addAll(list []*Clause) {
	if s.plan.Load() == nil {
		if old := s.list(); len(old) > 0 {
			list = append(append(make([]*Clause, 0, len(old)+len(list)), old...), list...)
		}
		s.setList(list)
		return
	}
	for _, c := range list {
		s.add(c, false)
	}
}
