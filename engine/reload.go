package engine

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines how one program takes over from another: what was added at run time moves
// on, and what calls that are still running on the old one commit is passed on.

// heir is the program that has replaced another.
type heir struct {
	program *Program
	// copies are the clauses of the heir that stand for those of the old program.
	copies map[*database.Clause]*database.Clause
}

// Inherit adds to p, a program that was loaded and not queried yet, the clauses that were
// added to the old one since its loading. From then on p also gets the clauses that
// transactions of the old program commit, so that calls in flight lose nothing. Clauses that
// came from files stay behind, retracted or not: p has what its own files say. Clauses of
// predicates that are not dynamic any more are dropped.
func (p *Program) Inherit(old *Program) {
	old.heirMu.Lock()
	defer old.heirMu.Unlock()
	h := &heir{program: p, copies: map[*database.Clause]*database.Clause{}}
	for _, pred := range old.db.Preds() {
		if pred.Has(database.Dynamic) && !pred.Has(database.ThreadLocal) {
			h.addAll(pred, old.loadedAt)
		}
	}
	old.heir = h
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
	}
	for _, c := range list[max(split, 0):] {
		if c.BornAfter(loadedAt) {
			h.add(c, false)
		}
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
	own := module.Lookup(code.Functor(pred.Name(), pred.Arity()))
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
	if err := tx.Commit(); err != nil || p.heir == nil {
		return err
	}
	p.heir.pass(born, died)
	return nil
}

// pass repeats the changes of a transaction of the old program, also in the heir's own heir if
// it has been replaced in turn. The lock keeps it apart from other such transactions and from
// the next reload.
func (h *heir) pass(born, died []*database.Clause) {
	h.program.heirMu.Lock()
	defer h.program.heirMu.Unlock()
	var ownBorn, ownDied []*database.Clause
	for _, c := range died {
		if own := h.copies[c]; own != nil {
			h.program.db.EraseNow(own)
			ownDied = append(ownDied, own)
		}
	}
	front := inFront(born)
	for _, c := range born {
		if c.Erased() || c.Pred.Has(database.ThreadLocal) {
			continue
		}
		if own := h.add(c, front[c]); own != nil {
			ownBorn = append(ownBorn, own)
		}
	}
	if h.program.heir != nil {
		h.program.heir.pass(ownBorn, ownDied)
	}
}

// inFront returns those of new clauses that stand before the other clauses of their predicates.
func inFront(born []*database.Clause) map[*database.Clause]bool {
	isNew := map[*database.Clause]bool{}
	for _, c := range born {
		isNew[c] = true
	}
	front := map[*database.Clause]bool{}
	for _, c := range born {
		list := c.Pred.Clauses()
		others := slices.IndexFunc(list, func(c *database.Clause) bool { return !isNew[c] })
		for i := 0; i < others && !front[list[i]]; i++ {
			front[list[i]] = true
		}
	}
	return front
}
