package engine

import (
	"slices"
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/load"
)

// This file defines how a program replaces another. The clauses that were added at run time are copied to the
// successor. Changes that calls on the old program commit later are passed on to it.

// successor is the program that has replaced another.
type successor struct {
	program *Program

	mu sync.Mutex // guards what follows, and is held only briefly: at the most for one change
	// copying is true while the clauses that were added at run time are copied. Changes that are committed meanwhile
	// are queued in waiting.
	copying bool
	waiting []change
	// copies maps clauses of the old program to their copies in the successor. While copying is true, it belongs to
	// the goroutine that copies.
	copies  map[*database.Clause]*database.Clause
	yielder load.Yielder // of the goroutine that copies
}

// change is a change of the database by a transaction.
type change struct {
	added   []*database.Clause
	inFront []bool // for each clause in added: it was added before the others
	removed []*database.Clause
}

// Inherit makes p the successor of the old program. p must be loaded and not queried yet.
//
// Inherit copies to p the clauses that were added to the old program since it was loaded. From then on p also receives
// the changes that transactions of the old program commit, so that running calls lose nothing; no call waits for
// Inherit. Clauses from files are not copied, retracted or not: p has the clauses of its own files. Clauses of
// predicates that are not dynamic in p are dropped. Inherit also builds the indexes that the old program has, so that
// the first calls on p do not have to.
func (p *Program) Inherit(old *Program) {
	s := p.follow(old)
	s.copyFrom(old)
	s.catchUp()
}

// follow makes p the successor of another program. A transaction that commits before this is in the database of the old
// program. A transaction that commits later finds the successor.
func (p *Program) follow(old *Program) *successor {
	s := &successor{program: p, copying: true, copies: map[*database.Clause]*database.Clause{}}
	old.successorMu.Lock()
	defer old.successorMu.Unlock()
	old.successor = s
	return s
}

// copyFrom copies the clauses that were added to the old program, which goes on running.
func (s *successor) copyFrom(old *Program) {
	preds := old.db.Preds()
	for _, pred := range preds {
		if pred.Has(database.Dynamic) && !pred.Has(database.ThreadLocal) {
			s.addAll(pred, old.loaded.LoadedAt())
		}
	}
	for _, pred := range preds {
		if m := s.program.db.FindModule(pred.Module.Name); m != nil {
			if own := m.Find(pred.Functor); own != nil {
				own.IndexLike(pred)
			}
		}
	}
}

// catchUp applies the queued changes. It applies most of them while new ones are queued. When few are left, or too many
// rounds have passed, it holds the lock, applies the rest and ends the queueing.
func (s *successor) catchUp() {
	const few, rounds = 16, 100
	for i := 0; ; i++ {
		s.mu.Lock()
		list := s.waiting
		s.waiting = nil
		if len(list) <= few || i == rounds {
			for _, c := range list {
				s.apply(c)
			}
			s.copying = false
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		for _, c := range list {
			s.apply(c)
		}
	}
}

// addAll copies the clauses of a predicate that were added at run time, in their order. Clauses before the loaded ones
// are added in front, the others at the end.
func (s *successor) addAll(pred *database.Pred, loadedAt uint64) {
	list := pred.Clauses()
	split := slices.IndexFunc(list, func(c *database.Clause) bool { return c.Loaded(loadedAt) })
	for i := split - 1; i >= 0; i-- {
		if list[i].BornAfter(loadedAt) {
			s.add(list[i], true)
		}
		s.yielder.Step()
	}
	for _, c := range list[max(split, 0):] {
		if c.BornAfter(loadedAt) {
			s.add(c, false)
		}
		s.yielder.Step()
	}
}

// add adds a copy of a clause to the successor and returns it. It returns nil if the predicate is not dynamic there.
func (s *successor) add(c *database.Clause, front bool) *database.Clause {
	pred := s.program.counterpart(c.Pred)
	if pred == nil {
		return nil
	}
	own := s.program.db.AddCopy(pred, c, front)
	s.copies[c] = own
	return own
}

// counterpart returns the dynamic predicate of p for a predicate of another program. It returns nil if p defines or
// imports one that is not dynamic. If p has no such predicate, the predicate was created at run time, and counterpart
// creates it.
func (p *Program) counterpart(pred *database.Pred) *database.Pred {
	module := p.db.Module(pred.Module.Name)
	own := module.Lookup(pred.Functor)
	if own.Has(database.Dynamic) {
		return own
	}
	if own.Defined() || own.Imported() != nil {
		return nil
	}
	own.Set(database.Dynamic | database.Defined)
	return own
}

// commit ends a transaction and passes its changes on to the successor.
func (p *Program) commit(tx *database.Tx) error {
	if !tx.Changed() {
		return tx.Commit()
	}
	p.successorMu.RLock()
	defer p.successorMu.RUnlock()
	added, removed := tx.Changes()
	c := change{added, tx.InFront(), removed}
	if err := tx.Commit(); err != nil || p.successor == nil {
		return err
	}
	p.successor.pass(c)
	return nil
}

// pass applies a change of the old program to the successor, or queues it.
func (s *successor) pass(c change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.copying {
		s.waiting = append(s.waiting, c)
		return
	}
	s.apply(c)
}

// apply applies a change of the old program to the successor, and to the successor of that if there is one. A clause
// may have been copied already.
func (s *successor) apply(c change) {
	var own change
	p := s.program
	p.successorMu.RLock()
	defer p.successorMu.RUnlock()
	for _, c := range c.removed {
		if copied := s.copies[c]; copied != nil {
			p.db.EraseNow(copied)
			own.removed = append(own.removed, copied)
			delete(s.copies, c)
		}
	}
	for i, b := range c.added {
		if b.Erased() || b.Pred.Has(database.ThreadLocal) || s.copies[b] != nil {
			continue
		}
		if copied := s.add(b, c.inFront[i]); copied != nil {
			own.added, own.inFront = append(own.added, copied), append(own.inFront, c.inFront[i])
		}
	}
	if p.successor != nil {
		p.successor.pass(own)
	}
}
