package database

import (
	"cmp"
	"errors"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/packed"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how a program is written as bytes. An image holds what Clone copies and what clones share: modules,
// predicates, clauses and code. Names come first, once each, and the rest refers to them by index, in the order of
// their first mention. So the same program gives the same bytes, whatever numbers its atoms have.

// packer writes the image of a program.
type packer struct {
	program *Program
	w       packed.Writer
	texts   names[string]
	atoms   names[uint32]
	// moved maps addresses of clauses to new values, unless it is nil.
	moved code.Renaming
	err   error
}

// names are numbered in the order of their first mention.
type names[T comparable] struct {
	places map[T]int
	list   []T
}

func (n *names[T]) place(name T) int {
	at, ok := n.places[name]
	if !ok {
		if n.places == nil {
			n.places = map[T]int{}
		}
		at = len(n.list)
		n.places[name] = at
		n.list = append(n.list, name)
	}
	return at
}

// Pack writes the image of a program, which must be sealed and have no dynamic clauses.
func (p *Program) Pack(w *packed.Writer) error {
	k := &packer{program: p}
	k.modules()
	k.preds()
	k.clauses(p.Preds())
	k.code() // last: the order of switch keys in the code depends on atom numbers
	return k.finish(w)
}

// finish writes the names, followed by the rest.
func (k *packer) finish(w *packed.Writer) error {
	w.Int(len(k.atoms.list))
	for _, n := range k.atoms.list {
		w.Text(code.AtomText(n))
	}
	w.Int(len(k.texts.list))
	for _, text := range k.texts.list {
		w.Text(text)
	}
	w.Bytes = append(w.Bytes, k.w.Bytes...)
	return k.err
}

func (k *packer) text(s string) { k.w.Int(k.texts.place(s)) }

func (k *packer) atom(n uint32) (uint32, bool) { return uint32(k.atoms.place(n)), true }

func (k *packer) cell(c cell) {
	c, _ = code.RenameCell(c, k.atom)
	k.w.Uint(uint64(c))
}

func (k *packer) fail(err error) {
	if k.err == nil {
		k.err = err
	}
}

func (k *packer) modules() {
	order := k.program.order
	k.w.Int(len(order))
	for _, m := range order {
		k.module(m)
		k.w.Int(len(m.Parents()))
		for _, parent := range m.Parents() {
			k.w.Int(slices.Index(order, parent))
		}
		k.names(m)
	}
	k.w.Int(slices.Index(order, k.program.user))
	k.w.Int(slices.Index(order, k.program.system))
}

// module writes a module without its parents and names.
func (k *packer) module(m *Module) {
	k.text(m.Name)
	k.text(m.File)
	k.text(m.Unknown)
	k.w.Bool(m.Library)
	k.w.Int(int(m.Flags.DoubleQuotes))
	k.w.Int(int(m.Flags.BackQuotes))
	k.w.Bool(m.Flags.VarPrefix)
	k.w.Bool(m.Flags.Lenient)
	k.w.Bool(m.Flags.NaturalRationals)
}

// names writes the operators and exports of a module and the number of its predicates.
func (k *packer) names(m *Module) {
	ops := m.Ops.Own()
	k.w.Int(len(ops))
	for _, op := range ops {
		k.w.Int(op.Priority)
		k.w.Int(int(op.Type))
		k.text(string(op.Name))
	}
	exports := m.Exports()
	slices.SortFunc(exports, compareFunctors)
	k.w.Int(len(exports))
	for _, f := range exports {
		k.cell(f)
	}
	k.w.Int(m.preds.count)
}

// compareFunctors orders functors by name and arity, whatever their numbers.
func compareFunctors(a, b cell) int {
	return cmp.Or(cmp.Compare(code.AtomText(a.FunctorAtom()), code.AtomText(b.FunctorAtom())),
		cmp.Compare(a.FunctorArity(), b.FunctorArity()))
}

func (k *packer) preds() {
	list := k.program.Preds()
	k.w.Int(len(list))
	for _, p := range list {
		if p.Has(Dynamic) && len(p.all.list()) > 0 {
			k.fail(errors.New("database: an image cannot hold dynamic clauses"))
		}
		k.w.Int(slices.Index(k.program.order, p.Module))
		k.cell(p.Functor)
		k.w.Uint(uint64(p.Entry))
		k.w.Int(p.Builtin + 1)
		k.text(p.Meta())
		k.text(p.File)
		k.w.Int(p.Line)
		k.w.Uint(uint64(p.flags.Load()))
		target := 0
		if t := p.resolved.Load(); t != nil {
			target = 1 + int(t.ID)
		}
		k.w.Int(target)
	}
}

// clauses writes the clauses of predicates in their order, after their number and size.
func (k *packer) clauses(preds []*Pred) {
	var clauses, cells, lines int
	body := k.w
	k.w = packed.Writer{}
	for _, p := range preds {
		list := p.all.list()
		k.w.Int(len(list))
		clauses += len(list)
		for _, c := range list {
			own, places := k.clause(c)
			cells += own
			lines += places
		}
	}
	rest := k.w
	k.w = body
	k.w.Int(clauses)
	k.w.Int(cells)
	k.w.Int(lines)
	k.w.Bytes = append(k.w.Bytes, rest.Bytes...)
}

// clause writes a clause and returns its numbers of cells and line entries.
func (k *packer) clause(c *Clause) (ncells, nlines int) {
	if c.created.Load() != 0 || c.Erased() {
		k.fail(errors.New("database: an image cannot hold clauses that come or go"))
	}
	at, end := c.extent()
	own := make([]cell, end-at)
	relocate(own, c.Cells[at:end], -at)
	k.w.Int(len(own))
	code.RenameCells(own, k.atom)
	for _, x := range own {
		k.w.Uint(uint64(x))
	}
	k.w.Int(int(c.at) - at)
	k.w.Int(int(c.Line))
	k.cell(c.Body)
	k.w.Int(c.NVars)
	k.w.Bool(c.SSU)
	k.text(c.File)
	addr := c.addr.Load()
	if addr != 0 && k.moved != nil {
		addr, _ = k.moved(addr)
	}
	k.w.Uint(uint64(addr))
	k.w.Uint(uint64(c.size.Load()))
	k.w.Bool(c.guarded.Load())
	var lines []LineEntry
	if list := c.lines.Load(); list != nil {
		lines = *list
	}
	k.w.Int(len(lines))
	for _, e := range lines {
		k.w.Int(int(e.Offset))
		k.w.Int(int(e.Line))
	}
	return len(own), len(lines)
}

func (k *packer) code() {
	words := slices.Clone(k.program.Code())
	if err := code.Rename(words, k.atom); err != nil {
		k.fail(err)
	}
	k.w.Int(len(words))
	for _, w := range words {
		k.w.Word(uint64(w))
	}
}

// This part defines how the program of an image is made. It takes few allocations, one for all things of a kind. Names
// remain slices of the image.

// unpacker makes the program of an image. A damaged image stops it, and the reader then has the error.
type unpacker struct {
	r       *packed.Reader
	program *Program
	texts   []string
	atoms   []uint32
	preds   []*Pred
	base    uint32 // added to the addresses of clauses
	spans   []span
}

// Unpack makes the program that Pack has written. It returns nil for anything else. The caller must check that its
// built-ins and flags have the same numbers.
func Unpack(r *packed.Reader) *Program {
	p := &Program{modules: map[string]*Module{}}
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

// module reads a reference to a module read before.
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

// slabs are the unused parts of the arrays for all clauses.
type slabs struct {
	clauses []clauseWithText
	list    []*Clause
	cells   []cell
	lines   []LineEntry
	heads   [][]LineEntry
}

// cut takes n elements from the front of an array, none if there are fewer.
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
