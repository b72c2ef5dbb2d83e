package engine

import (
	"runtime"
	"slices"
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines how one program takes over from another: what was added at run time moves
// on, and what calls that are still running on the old one commit is passed on.

// heir is the program that has replaced another.
type heir struct {
	program *Program

	mu sync.Mutex // guards what follows, and is never held for longer than one change takes
	// copying is true as long as what was added at run time is being copied. What is committed
	// meanwhile waits.
	copying bool
	waiting []change
	// copies are the clauses of the heir that stand for those of the old program. While copying
	// they belong to the goroutine that copies.
	copies map[*database.Clause]*database.Clause
	pace   pace // of copying
}

// pace lets others run from time to time. A reload is in no hurry, and without it calls would
// wait until the scheduler takes the processor away, after ten milliseconds.
type pace int

// step is called at each small step of a long work.
func (n *pace) step() {
	const steps = 256
	if *n++; *n%steps == 0 {
		runtime.Gosched()
	}
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
	h := p.follow(old)
	h.copyFrom(old)
	h.catchUp()
}

// follow makes p the heir of another program. The transactions that end before it are in the
// database of that, those that end later find the heir.
func (p *Program) follow(old *Program) *heir {
	h := &heir{program: p, copying: true, copies: map[*database.Clause]*database.Clause{}}
	old.heirMu.Lock()
	defer old.heirMu.Unlock()
	old.heir = h
	return h
}

// copyFrom copies what was added to the old program, while it goes on.
func (h *heir) copyFrom(old *Program) {
	preds := old.db.Preds()
	for _, pred := range preds {
		if pred.Has(database.Dynamic) && !pred.Has(database.ThreadLocal) {
			h.addAll(pred, old.loadedAt)
		}
	}
	for _, pred := range preds {
		if m := h.program.db.FindModule(pred.Module.Name); m != nil {
			if own := m.Find(pred.Functor); own != nil {
				own.IndexLike(pred)
			}
		}
	}
}

// catchUp makes the changes that have waited. Most of them it makes while others come; when
// few are left, or they come faster than they can be made, it ends the waiting.
func (h *heir) catchUp() {
	const few, rounds = 16, 100
	for i := 0; ; i++ {
		h.mu.Lock()
		list := h.waiting
		h.waiting = nil
		if len(list) <= few || i == rounds {
			for _, c := range list {
				h.make(c)
			}
			h.copying = false
			h.mu.Unlock()
			return
		}
		h.mu.Unlock()
		for _, c := range list {
			h.make(c)
		}
	}
}

// addAll copies the clauses of a predicate that were added at run time, in their order: those
// in front of the loaded ones in front, the others at the end.
func (h *heir) addAll(pred *database.Pred, loadedAt uint64) {
	list := pred.Clauses()
	split := slices.IndexFunc(list, func(c *database.Clause) bool { return c.Loaded(loadedAt) })
	for i := split - 1; i >= 0; i-- {
		if list[i].BornAfter(loadedAt) {
			h.add(list[i], true)
		}
		h.pace.step()
	}
	for _, c := range list[max(split, 0):] {
		if c.BornAfter(loadedAt) {
			h.add(c, false)
		}
		h.pace.step()
	}
}

// add gives the heir a copy of a clause and returns it; nil when the heir has no use for it.
func (h *heir) add(c *database.Clause, front bool) *database.Clause {
	pred := h.program.counterpart(c.Pred)
	if pred == nil {
		return nil
	}
	own := h.program.db.AddCopy(pred, c, front)
	h.copies[c] = own
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

// commit ends a transaction and passes its changes on to the heir.
func (p *Program) commit(tx *database.Tx) error {
	if !tx.Changed() {
		return tx.Commit()
	}
	p.heirMu.RLock()
	defer p.heirMu.RUnlock()
	born, died := tx.Changes()
	c := change{born, tx.InFront(), died}
	if err := tx.Commit(); err != nil || p.heir == nil {
		return err
	}
	p.heir.pass(c)
	return nil
}

// pass repeats the changes of a transaction of the old program, or has them wait.
func (h *heir) pass(c change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.copying {
		h.waiting = append(h.waiting, c)
		return
	}
	h.make(c)
}

// make makes the changes of a transaction of the old program in the heir, and in the heir's own
// heir if it has been replaced in turn. A clause may have been copied already.
func (h *heir) make(c change) {
	var own change
	p := h.program
	p.heirMu.RLock()
	defer p.heirMu.RUnlock()
	for _, c := range c.died {
		if copied := h.copies[c]; copied != nil {
			p.db.EraseNow(copied)
			own.died = append(own.died, copied)
			delete(h.copies, c)
		}
	}
	for i, b := range c.born {
		if b.Erased() || b.Pred.Has(database.ThreadLocal) || h.copies[b] != nil {
			continue
		}
		if copied := h.add(b, c.inFront[i]); copied != nil {
			own.born, own.inFront = append(own.born, copied), append(own.inFront, c.inFront[i])
		}
	}
	if p.heir != nil {
		p.heir.pass(own)
	}
}
