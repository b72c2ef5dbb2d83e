package database

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/packed"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"slices"
)

// This file defines how the program of an image is made. It takes few allocations, one for all
// things of a kind. Names stay parts of the image.

// unpacker makes the program of an image. Damaged images make it stop, with the reader saying so.
type unpacker struct {
	r       *packed.Reader
	program *Program
	texts   []string
	atoms   []uint32
	preds   []*Pred
	base    uint32 // added to the addresses of clauses
	spans   []span
}

// Unpack makes the program that Pack has written. It returns nil if that is not what is read;
// what the numbers in it stand for, built-ins and flags, is the caller's to check.
func Unpack(r *packed.Reader) *Program {
	p := &Program{modules: map[string]*Module{}, active: map[*Tx]struct{}{}}
	p.gen.Store(1)
	u := &unpacker{r: r, program: p}
	u.begin()
	u.modules()
	u.makePreds()
	u.clauses()
	u.code()
	if r.Err() != nil {
		return nil
	}
	p.spans = u.spans
	return p
}

// begin reads the names.
func (u *unpacker) begin() {
	atoms := u.names()
	u.texts = u.names()
	if !u.r.Bad() {
		u.atoms = code.InternAll(atoms)
	}
}

func (u *unpacker) names() []string {
	list := make([]string, u.r.Count())
	for i := range list {
		list[i] = u.r.Text()
	}
	return list
}

func (u *unpacker) text() string {
	if n := u.r.Below(len(u.texts)); !u.r.Bad() {
		return u.texts[n]
	}
	return ""
}

func (u *unpacker) atom(n uint32) (uint32, bool) {
	if int(n) >= len(u.atoms) {
		return 0, false
	}
	return u.atoms[n], true
}

func (u *unpacker) cell() cell {
	c, ok := code.RenameCell(cell(u.r.Uint()), u.atom)
	if !ok {
		u.r.Fail()
	}
	return c
}

func (u *unpacker) functor() cell {
	f := u.cell()
	if !f.IsFunctor() {
		u.r.Fail()
	}
	return f
}

// module reads which module is meant, one of those read so far.
func (u *unpacker) module() *Module {
	if n := u.r.Below(len(u.program.order)); !u.r.Bad() {
		return u.program.order[n]
	}
	return nil
}

func (u *unpacker) modules() {
	for range u.r.Count() {
		m := u.newModule()
		u.program.list(m)
		for range u.r.Count() {
			if parent := u.module(); parent != nil && parent != m {
				m.setParents(append(slices.Clip(m.Parents()), parent)...)
			}
		}
		m.preds.grow(u.moduleNames(m))
	}
	u.program.user, u.program.system = u.module(), u.module()
	if u.program.user != nil {
		u.program.user.Ops.ReadIndicators()
	}
}

// newModule reads a module without its parents and names.
func (u *unpacker) newModule() *Module {
	m := u.program.newModule(u.text())
	m.File = u.text()
	m.Unknown = u.text()
	m.Library = u.r.Bool()
	m.Flags = syntax.Flags{DoubleQuotes: syntax.Quotes(u.r.Below(256)), BackQuotes: syntax.Quotes(u.r.Below(256)),
		VarPrefix: u.r.Bool(), Lenient: u.r.Bool(), NaturalRationals: u.r.Bool()}
	return m
}

// moduleNames reads the operators and exports of a module, which has its parents, and how many predicates it has.
func (u *unpacker) moduleNames(m *Module) int {
	m.Ops = syntax.NewOps(nil)
	if parents := m.Parents(); len(parents) > 0 {
		m.Ops.SetParent(parents[0].Ops)
	}
	for range u.r.Count() {
		m.Ops.Add(u.r.Below(1201), syntax.OpType(u.r.Below(int(syntax.YF)+1)), term.Atom(u.text()))
	}
	n := u.r.Count()
	m.exports = make(map[cell]bool, n)
	for range n {
		m.exports[u.functor()] = true
	}
	return u.r.Count()
}

// makePreds makes the predicates, without their clauses.
func (u *unpacker) makePreds() {
	block := make([]Pred, u.r.Count())
	u.preds = make([]*Pred, len(block))
	for i := range block {
		u.preds[i] = &block[i]
	}
	for i, p := range u.preds {
		m := u.module()
		if m == nil {
			return
		}
		p.ID, p.Module, p.Functor = uint32(i), m, u.functor()
		p.Entry = uint32(u.r.Uint())
		p.Builtin = int(u.r.Uint()) - 1
		p.setMeta(u.text())
		p.File, p.Line = u.text(), int(u.r.Uint())
		p.flags.Store(uint32(u.r.Uint()))
		if target := u.r.Below(len(block) + 1); target > 0 {
			p.resolved.Store(u.preds[target-1])
		}
		m.preds.put(p)
	}
	u.program.preds.Store(&u.preds)
}

// slabs are what is left of the arrays for all clauses.
type slabs struct {
	clauses []clauseWithText
	list    []*Clause
	cells   []cell
	lines   []LineEntry
	heads   [][]LineEntry
}

// cut takes n elements off the front of an array, none when there are not so many.
func cut[T any](u *unpacker, from *[]T, n int) []T {
	if n > len(*from) {
		u.r.Fail()
		return nil
	}
	part := (*from)[:n:n]
	*from = (*from)[n:]
	return part
}

func (u *unpacker) clauses() {
	n, cells, lines := u.r.Count(), u.r.Count(), u.r.Count()
	s := &slabs{make([]clauseWithText, n), make([]*Clause, n), make([]cell, cells), make([]LineEntry, lines),
		make([][]LineEntry, n)}
	u.spans = make([]span, 0, n)
	for _, p := range u.preds {
		list := cut(u, &s.list, u.r.Count())
		for i := range list {
			list[i] = u.clause(p, s)
		}
		if u.r.Bad() {
			return
		}
		if len(list) > 0 {
			p.all.setList(list)
		}
	}
}

// clause reads a clause of p.
func (u *unpacker) clause(p *Pred, s *slabs) *Clause {
	both := cut(u, &s.clauses, 1)
	if both == nil {
		return nil
	}
	c, t := &both[0].clause, &both[0].text
	c.Text = t
	t.Pred = p
	t.Cells = cut(u, &s.cells, u.r.Count())
	for i := range t.Cells {
		t.Cells[i] = cell(u.r.Uint())
	}
	if !code.RenameCells(t.Cells, u.atom) {
		u.r.Fail()
	}
	c.at = uint32(u.r.Below(len(t.Cells) + 1))
	c.Line = int32(u.r.Uint())
	t.Body, t.NVars, t.SSU, t.File = u.cell(), int(u.r.Uint()), u.r.Bool(), u.text()
	c.erased.Store(never)
	at := uint32(u.r.Uint())
	if at != 0 {
		at += u.base
	}
	t.addr.Store(at)
	t.start.Store(at)
	t.size.Store(uint32(u.r.Uint()))
	t.guarded.Store(u.r.Bool())
	lines := cut(u, &s.lines, u.r.Count())
	for i := range lines {
		lines[i] = LineEntry{Offset: int32(u.r.Uint()), Line: int32(u.r.Uint())}
	}
	if at != 0 {
		head := &cut(u, &s.heads, 1)[0]
		*head = lines
		t.lines.Store(head)
		u.spans = append(u.spans, span{at, c})
	}
	return c
}

// code reads the code, last.
func (u *unpacker) code() {
	n := u.r.Count()
	words := make([]code.Instr, n, n+roomForCode)
	for i := range words {
		words[i] = code.Instr(u.r.Word())
	}
	if u.r.Bad() || code.Rename(words, u.atom) != nil {
		u.r.Fail()
	}
	u.program.area.set(words)
}
