package database

import "slices"

// This file defines what one program hands to another that replaces it.

// BornAfter reports whether the clause was committed after a generation and is alive for those
// who begin now; deaths that are not committed do not count.
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

// Copy returns a copy of a clause of another program for this predicate, which it is not added to.
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

// IndexLike makes the indexes that calls of another predicate have made worth their while there. Nobody calls p yet.
func (p *Pred) IndexLike(other *Pred) { p.indexLike(&p.all, &other.all, nil, path{}, 0) }

// indexLike does so for a set, which is all clauses or those with a key at one of several places.
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
