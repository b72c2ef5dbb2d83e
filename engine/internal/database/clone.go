package database

import (
	"maps"
	"slices"
)

// roomForCode is the room for further code words in a clone or an unpacked program; a small program needs no more.
const roomForCode = 1 << 11

// Clone returns a program with the same modules, predicates and code, to which things can be
// added without the original noticing. Code and static clauses are shared; they do not change.
// The original must be sealed and have no dynamic clauses.
func (p *Program) Clone() *Program {
	q := &Program{modules: make(map[string]*Module, len(p.modules))}
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

// copyInto gives the copy of m the copies of its parents, and its own operators.
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

// This part defines how one program passes clauses to another that replaces it.

// BornAfter reports whether the clause was committed after a generation and is alive for those
// who begin now; uncommitted deaths do not count.
func (c *Clause) BornAfter(gen uint64) bool {
	created := c.created.Load()
	return created > gen && created < uncommitted && c.erased.Load() >= uncommitted
}

// Loaded reports whether the clause was there at a generation, dead or alive.
func (c *Clause) Loaded(gen uint64) bool { return c.created.Load() <= gen }

// AddCopy adds a copy of a clause of another program to a predicate of this one, in front or at
// the end, and returns it. It makes the predicate dynamic.
func (p *Program) AddCopy(pred *Pred, c *Clause, front bool) *Clause {
	own := pred.Copy(c)
	t := Tx{program: p, direct: true}
	t.Claim(pred)
	t.Add(own, front)
	return own
}

// Copy returns a copy of a clause of another program for this predicate, without adding it.
func (pred *Pred) Copy(c *Clause) *Clause {
	var own *Clause
	if args, ok := c.atomicArgs(); ok {
		own = pred.newFact(args, 0, Source{})
	} else {
		own = newRule(&Text{Pred: pred, Cells: c.Cells, Body: c.Body, NVars: c.NVars, SSU: c.SSU,
			Restricted: c.Restricted}, int(c.at), 0)
	}
	return own
}

// atomicArgs returns the arguments of a fact if they are atoms and small integers.
func (c *Clause) atomicArgs() (args []cell, ok bool) {
	if !c.shared {
		return nil, false
	}
	args = c.Cells[c.at:][:c.Pred.Arity()]
	return args, !slices.ContainsFunc(args, cell.IsPointer)
}

// IndexLike makes the indexes that calls have caused in another predicate. Nobody calls p yet.
func (p *Pred) IndexLike(other *Pred) { p.indexLike(&p.all, &other.all, nil, path{}, 0) }

// indexLike is IndexLike for a set: all clauses, or the clauses with a key at some place.
func (p *Pred) indexLike(s, other *set, above []way, at path, key cell) {
	was := other.plan.Load()
	if was == nil || len(s.list()) < indexMinimum {
		return
	}
	for _, w := range was.ways {
		if w.index == nil {
			continue
		}
		if s.plan.Load() == nil {
			p.judge(s, p.places(above, at, key))
		}
		own := p.build(s, w.path)
		if own == nil {
			continue
		}
		slots := w.index.table.Load().slots
		for i := range slots {
			many, k := slots[i].many.Load(), cell(slots[i].key.Load())
			if many == nil || many.plan.Load() == nil {
				continue
			}
			if some, _ := own.index.find(k); some != nil {
				p.indexLike(some, many, s.plan.Load().ways, w.path, k)
			}
		}
	}
}

// EraseNow kills a clause for all who begin from now on.
func (p *Program) EraseNow(c *Clause) {
	t := Tx{program: p, direct: true}
	t.eraseNow(c)
}

// OwnClauses gives a predicate copies of the clauses that it shares with the original of its program. It must be called
// before these are changed, indexed with others or compiled in this program.
func (p *Pred) OwnClauses() {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.all.list()
	if len(list) == 0 || list[0].Pred == p { // either all of them are shared or none is
		return
	}
	own := slices.Clone(list)
	for i, c := range own {
		own[i] = newRule(&Text{Pred: p, Cells: c.Cells, Body: c.Body, NVars: c.NVars, SSU: c.SSU, File: c.File}, int(c.at),
			int(c.Line))
		own[i].created.Store(c.created.Load())
	}
	p.all.setList(own)
	p.all.plan.Store(nil)
}
