package database

// This file defines how the order of clauses becomes that of the commits, and how a clause is found that is like
// another.

// Settle moves the clauses that the transaction has added to predicates that are ordered behind those that others have
// committed since, or before them if they were added in front. So predicates have their clauses in the order of the
// commits. It returns what has become of the clauses that it has moved.
func (t *Tx) Settle(ordered func(*Pred) bool) (moved map[*Clause]*Clause) {
	type end struct {
		pred  *Pred
		front bool
	}
	places := map[end][]int{}
	for i, c := range t.added {
		if ordered(c.Pred) && c.erased.Load() == never {
			at := end{c.Pred, t.inFront[i]}
			places[at] = append(places[at], i)
		}
	}
	for at, list := range places {
		if !t.overtaken(t.added[list[0]], at.front) {
			continue
		}
		if moved == nil {
			moved = map[*Clause]*Clause{}
		}
		for _, i := range list {
			moved[t.added[i]] = t.move(i)
		}
	}
	return moved
}

// overtaken reports whether a clause that others have committed stands behind one of the transaction, or in front of
// it.
func (t *Tx) overtaken(c *Clause, front bool) bool {
	list := c.Pred.all.list()
	for i := range list {
		other := list[len(list)-1-i]
		if front {
			other = list[i]
		}
		if other == c {
			return false
		}
		if other.created.Load() < uncommitted && other.erased.Load() != 0 {
			return true
		}
	}
	return true
}

// move puts a clause that the transaction has added at the end of its predicate, or in front, and returns it as it is
// there.
func (t *Tx) move(i int) *Clause {
	c := t.added[i]
	own := c.Pred.Copy(c)
	own.created.Store(c.created.Load())
	own.erased.Store(never)
	own.Pred.insert(own, t.inFront[i])
	c.erased.Store(0) // dead before any generation
	c.Pred.noteDead(c, corpses{})
	t.added[i] = own
	return own
}

// Alike returns the clauses that the index finds for a call with the arguments of a clause's head. Those with the same
// head are among them.
func (p *Pred) Alike(c *Clause) []*Clause {
	var call Probe
	call.Set(c.Cells, c.Cells[c.at:][:p.Arity()])
	list, one := p.Candidates(&call)
	if one != nil {
		return []*Clause{one}
	}
	return list
}

// Committed reports whether the clause is alive for those who begin now.
func (c *Clause) Committed() bool {
	return c.created.Load() < uncommitted && c.erased.Load() >= uncommitted
}
