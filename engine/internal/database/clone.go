package database

import (
	"maps"
	"slices"
)

// roomForCode is how many more words of code a clone, or the program of an image, has room for; a small
// program needs no more.
const roomForCode = 1 << 11

// Clone returns a program with the same modules, predicates and code, to which things can be
// added without the original noticing. Code and static clauses are shared; they do not change.
// The original must be sealed and have no dynamic clauses.
func (p *Program) Clone() *Program {
	q := &Program{modules: make(map[string]*Module, len(p.modules)), active: map[*Tx]struct{}{}}
	q.area.set(p.area.copied())
	q.gen.Store(1)
	copies := make(map[*Module]*Module, len(p.order))
	for _, m := range p.order {
		c := &Module{Name: m.Name, Library: m.Library, Flags: m.Flags, File: m.File, Unknown: m.Unknown,
			program: q, exports: maps.Clone(m.exports)}
		c.preds.grow(m.preds.count)
		copies[m] = c
		q.list(c)
	}
	for _, m := range p.order {
		m.copyInto(copies)
	}
	q.user, q.system = copies[p.user], copies[p.system]
	q.copyPreds(p, copies)
	q.spans, q.sorted = slices.Clone(p.spans), p.sorted
	return q
}

// copyInto gives the copy of m the copies of its parents, and operators of its own.
func (m *Module) copyInto(copies map[*Module]*Module) {
	c := copies[m]
	var parents []*Module
	for _, parent := range m.Parents() {
		parents = append(parents, copies[parent])
	}
	c.setParents(parents...)
	c.Ops = m.Ops.Clone()
	if len(parents) > 0 {
		c.Ops.SetParent(parents[0].Ops)
	}
}

// copyPreds copies the predicates of p, in order, so that their numbers stay the same.
func (q *Program) copyPreds(p *Program, copies map[*Module]*Module) {
	old := p.Preds()
	block := make([]Pred, len(old))
	list := make([]*Pred, len(old))
	var of, module *Module // the modules of the last predicate and of its copy
	for i, o := range old {
		if o.Module != of {
			of, module = o.Module, copies[o.Module]
		}
		c := &block[i]
		c.Module, c.Functor, c.ID, c.Entry = module, o.Functor, o.ID, o.Entry
		c.Builtin, c.File, c.Line = o.Builtin, o.File, o.Line
		c.meta.Store(o.meta.Load())
		c.flags.Store(o.flags.Load())
		c.all.share(&o.all)
		module.preds.put(c)
		list[i] = c
	}
	for i, o := range old {
		if t := o.resolved.Load(); t != nil {
			list[i].resolved.Store(list[t.ID])
		}
	}
	q.preds.Store(&list)
}
