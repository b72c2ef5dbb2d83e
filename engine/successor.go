package engine

import (
	"slices"
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/load"
)

// This file defines how one program takes over from another: what was added at run time moves
// on, and what calls that are still running on the old one commit is passed on.

// successor is the program that has replaced another.
type successor struct {
	program *Program

	mu sync.Mutex // guards what follows, and is never held for longer than one change takes
	// copying is true as long as what was added at run time is being copied. What is committed
	// meanwhile waits.
	copying bool
	waiting []change
	// copies are the clauses of the successor that stand for those of the old program. While copying
	// they belong to the goroutine that copies.
	copies  map[*database.Clause]*database.Clause
	yielder load.Yielder // of copying
}

// change is what a transaction has changed.
type change struct {
	born    []*database.Clause
	inFront []bool // of born
	died    []*database.Clause
}

// Inherit adds to p, a program that was loaded and not queried yet, the clauses that were
// added to the old one since its loading. From its beginning on p also gets the clauses that
// transactions of the old program commit, so that calls in flight lose nothing; none of them
// waits for Inherit. Clauses that came from files stay behind, retracted or not: p has what its
// own files say. Clauses of predicates that are not dynamic any more are dropped. Indexes that
// calls of the old program have found worth their while are made in p too, lest its first calls
// have to wait.
func (p *Program) Inherit(old *Program) {
	s := p.follow(old)
	s.copyFrom(old)
	s.catchUp()
}

// follow makes p the successor of another program. The transactions that end before it are in the
// database of that, those that end later find the successor.
func (p *Program) follow(old *Program) *successor {
	s := &successor{program: p, copying: true, copies: map[*database.Clause]*database.Clause{}}
	old.successorMu.Lock()
	defer old.successorMu.Unlock()
	old.successor = s
	return s
}

// copyFrom copies what was added to the old program, while it goes on.
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

// catchUp makes the changes that have waited. Most of them it makes while others come; when
// few are left, or they come faster than they can be made, it ends the waiting.
func (s *successor) catchUp() {
	const few, rounds = 16, 100
	for i := 0; ; i++ {
		s.mu.Lock()
		list := s.waiting
		s.waiting = nil
		if len(list) <= few || i == rounds {
			for _, c := range list {
				s.make(c)
			}
			s.copying = false
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		for _, c := range list {
			s.make(c)
		}
	}
}

// addAll copies the clauses of a predicate that were added at run time, in their order: those
// in front of the loaded ones in front, the others at the end.
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

// add gives the successor a copy of a clause and returns it; nil when the successor has no use for it.
func (s *successor) add(c *database.Clause, front bool) *database.Clause {
	pred := s.program.counterpart(c.Pred)
	if pred == nil {
		return nil
	}
	own := s.program.db.AddCopy(pred, c, front)
	s.copies[c] = own
	return own
}

// counterpart returns the dynamic predicate of p that stands for one of another program, or
// nil when p defines it otherwise. One that p does not know was created at run time and is again.
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
	born, died := tx.Changes()
	c := change{born, tx.InFront(), died}
	if err := tx.Commit(); err != nil || p.successor == nil {
		return err
	}
	p.successor.pass(c)
	return nil
}

// pass repeats the changes of a transaction of the old program, or has them wait.
func (s *successor) pass(c change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.copying {
		s.waiting = append(s.waiting, c)
		return
	}
	s.make(c)
}

// make makes the changes of a transaction of the old program in the successor, and in its own
// successor if it has been replaced in turn. A clause may have been copied already.
func (s *successor) make(c change) {
	var own change
	p := s.program
	p.successorMu.RLock()
	defer p.successorMu.RUnlock()
	for _, c := range c.died {
		if copied := s.copies[c]; copied != nil {
			p.db.EraseNow(copied)
			own.died = append(own.died, copied)
			delete(s.copies, c)
		}
	}
	for i, b := range c.born {
		if b.Erased() || b.Pred.Has(database.ThreadLocal) || s.copies[b] != nil {
			continue
		}
		if copied := s.add(b, c.inFront[i]); copied != nil {
			own.born, own.inFront = append(own.born, copied), append(own.inFront, c.inFront[i])
		}
	}
	if p.successor != nil {
		p.successor.pass(own)
	}
}
