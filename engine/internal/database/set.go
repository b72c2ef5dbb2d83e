package database

import (
	"slices"
	"sync/atomic"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
)

// This file defines lists of clauses that grow at both ends while others read them.

// set is some clauses of a predicate, in their order, and the indexes that calls have made
// worth their while. Readers take no lock; the predicate's lock is held to change it.
type set struct {
	run  atomic.Pointer[run]
	plan atomic.Pointer[plan]
	dead atomic.Int32 // clauses that are dead for everyone, about
}

// run is an array with clauses in the middle of it. What readers hold does not change: it
// grows into the unused ends, or a new one takes its place.
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

// share takes the clauses of a set that does not change any more. They share an array in which there is no room to
// grow.
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

// corpses says which clauses nobody can see any more.
type corpses struct {
	upTo uint64 // those that were erased at this generation or before
	tx   *Tx    // and those that it has made and killed itself, if not nil
}

func (d corpses) gone(c *Clause) bool {
	return c.erased.Load() <= d.upTo || d.tx != nil && d.tx.ownDead(c)
}

// noteDead counts a clause that is dead and drops those that are gone when they are many.
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

// sweep drops the clauses that are gone, and the indexes, which the next call makes anew.
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
