package database

import (
	"slices"
	"sync/atomic"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
)

// This file defines lists of clauses that grow at both ends while others read them.

// set is a set of clauses of a predicate, in their order, with the indexes that calls have caused. Readers take no
// lock; the predicate's lock is held to change it.
type set struct {
	run  atomic.Pointer[run]
	plan atomic.Pointer[plan]
	dead atomic.Int32 // approximate number of clauses that are dead for everyone
}

// run is an array with clauses in the middle of it. Slices held by readers do not change: the run grows into its unused
// ends, or is replaced.
type run struct {
	items      []*Clause
	start, end atomic.Int32
}

// list returns the clauses. The slice must not be changed.
func (s *set) list() []*Clause {
	r := s.run.Load()
	if r == nil {
		return nil
	}
	return r.items[r.start.Load():r.end.Load()]
}

// setList replaces the clauses.
func (s *set) setList(list []*Clause) {
	r := &run{items: list}
	r.end.Store(int32(len(list)))
	s.run.Store(r)
}

// share takes the clauses of a set that no longer changes. They share an array without room to grow.
func (s *set) share(o *set) {
	if r := o.run.Load(); r != nil && len(o.list()) < len(r.items) {
		s.setList(slices.Clip(o.list()))
	} else {
		s.run.Store(r)
	}
}

// add inserts a clause in front or at the end, here and in the indexes.
func (s *set) add(c *Clause, front bool) {
	s.insert(c, front)
	pl := s.plan.Load()
	if pl == nil {
		return
	}
	for i := range pl.ways {
		w := &pl.ways[i]
		if w.index != nil && !w.index.add(c, front) {
			s.giveUp(w.path)
		}
	}
}

func (s *set) insert(c *Clause, front bool) {
	r := s.run.Load()
	switch {
	case r == nil:
		r = &run{items: []*Clause{0: c, 3: nil}}
		r.end.Store(1)
		s.run.Store(r)
		return
	case front && r.start.Load() == 0, !front && int(r.end.Load()) == len(r.items):
		r = s.grow(front)
	}
	if front {
		at := r.start.Load() - 1
		r.items[at] = c
		r.start.Store(at)
		return
	}
	at := r.end.Load()
	r.items[at] = c
	r.end.Store(at + 1)
}

// grow moves the clauses to a larger array, with room in front or at the end.
func (s *set) grow(front bool) *run {
	list := s.list()
	extra := min(len(list)/2, 1<<16+len(list)/8) + 4
	r := &run{items: make([]*Clause, len(list)+extra)}
	at := 0
	if front {
		at = extra
	}
	arrays.Copy(r.items[at:], list)
	r.start.Store(int32(at))
	r.end.Store(int32(at + len(list)))
	s.run.Store(r)
	return r
}

// corpses says which clauses are invisible to everyone.
type corpses struct {
	upTo uint64 // those that were erased at this generation or before
	tx   *Tx    // and those that it has made and killed itself, if not nil
}

func (d corpses) gone(c *Clause) bool {
	return c.erased.Load() <= d.upTo || d.tx != nil && d.tx.ownDead(c)
}

// noteDead counts a dead clause, and drops the invisible clauses if they are many.
func (s *set) noteDead(c *Clause, d corpses) {
	if dead := int(s.dead.Add(1)); dead >= 8 && dead >= len(s.list())/2 {
		s.sweep(d)
		return
	}
	pl := s.plan.Load()
	if pl == nil {
		return
	}
	for i := range pl.ways {
		if x := pl.ways[i].index; x != nil {
			x.noteDead(c, d)
		}
	}
}

// sweep drops the invisible clauses, and the indexes, which later calls make again.
func (s *set) sweep(d corpses) {
	list := s.list()
	r := &run{items: make([]*Clause, max(len(list), 2*indexMinimum))}
	end := 0
	for _, c := range list {
		if !d.gone(c) {
			r.items[end] = c
			end++
		} else if s == &c.Pred.all {
			c.Pred.Module.program.retire(c)
		}
	}
	if 2*end < len(r.items) {
		r.items = slices.Clone(r.items[:end+indexMinimum])
	}
	r.end.Store(int32(end))
	s.dead.Store(0)
	s.run.Store(r)
	s.plan.Store(nil)
}

// This part defines how clauses get the order of the commits, and how clauses like a given one are found.

// Settle moves the clauses that the transaction has added to ordered predicates: behind the clauses that others have
// committed since, or before them if they were added in front. So predicates have their clauses in the order of the
// commits. It returns the new clauses of the moved ones.
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

// overtaken reports whether a clause that others have committed is after one of the transaction, or before it.
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

// move moves a clause that the transaction has added to the end of its predicate, or to the front. It returns the new
// clause.
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
	list, one := p.candidates(&call)
	if one != nil {
		return []*Clause{one}
	}
	return list
}

// Committed reports whether the clause is alive for those who begin now.
func (c *Clause) Committed() bool {
	return c.created.Load() < uncommitted && c.erased.Load() >= uncommitted
}
