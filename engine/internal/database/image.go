package database

import (
	"cmp"
	"errors"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/packed"
)

// This file defines how a program is written as bytes. An image holds what Clone copies and what clones share: modules,
// predicates, clauses and code. Names stand in front, once each, and everything else mentions them by their places, in
// the order of their first mention. So the same program gives the same bytes whatever numbers its atoms have.

// packer writes the image of a program.
type packer struct {
	program *Program
	w       packed.Writer
	texts   names[string]
	atoms   names[uint32]
	// moved gives the addresses of clauses other values, unless it is nil.
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
	k.code() // last: keys of switches stand there in an order that depends on their numbers
	return k.finish(w)
}

// finish writes the names, and behind them all that mentions them.
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

// names writes the operators and exports of a module and how many predicates it has.
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

// clauses writes the clauses of predicates in their order, behind how many they are and how much they hold.
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

// clause writes a clause and returns how many cells and entries of lines it has.
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
