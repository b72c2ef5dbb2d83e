package engine

import (
	"iter"

	"github.com/mcplogic/mcplogic/engine/internal/commit"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines how runs and Go code change the database, and how the changes last.

// ErrConflict is returned by Commit when another run has meanwhile retracted a clause that
// this one retracts. Run the goal again.
var ErrConflict = database.ErrConflict

// Inherit makes p the successor of the old program. p must be loaded and not queried yet.
//
// Inherit copies to p the clauses that were added to the old program since it was loaded. From then on p also receives
// the changes that transactions of the old program commit, so that running calls lose nothing; no call waits for
// Inherit. Clauses from files are not copied, retracted or not: p has the clauses of its own files. Clauses of
// predicates that are not dynamic in p are dropped. Inherit also builds the indexes that the old program has, so that
// the first calls on p do not have to.
func (p *Program) Inherit(old *Program) { p.changes.Inherit(old.changes) }

// Apply makes a change that a journal has got from elsewhere. Transactions that are not committed yet and cannot be
// after it have a conflict. Facts of predicates that are not persistent are left out. The error says that a fact which
// is to be removed is not there; nothing is changed then.
func (p *Program) Apply(others FactChange) error { return p.changes.Apply(others) }

// Replace replaces all facts of persistent predicates by a sequence of facts, as [Program.Apply] does.
func (p *Program) Replace(all iter.Seq[Fact]) error { return p.changes.Replace(all) }

// PersistentFacts returns the facts of the persistent predicates as they are at the time of the call. end must be
// called when the sequence is not needed any more; until then their memory is kept.
func (p *Program) PersistentFacts() (all iter.Seq[Fact], end func()) { return p.changes.Facts() }

// IsPersistent reports whether a predicate is persistent.
func (p *Program) IsPersistent(module, name string, arity int) bool {
	return p.changes.IsPersistent(module, name, arity)
}

// Persistent returns the persistent predicates as module:name/arity, sorted.
func (p *Program) Persistent() []string { return p.changes.Persistent() }

// Restore adds facts of persistent predicates that the journal has kept. It does not tell the journal of them. Facts
// of predicates that are not persistent are left out and returned.
func (p *Program) Restore(stored iter.Seq[Fact]) (left []Fact) { return p.changes.Restore(stored) }

// Rivalry remembers which predicates a goal has lost to other transactions: in those its runs retracted clauses that
// others had retracted, and Commit returned [ErrConflict]. One goroutine uses it. The zero value is for a goal that
// has lost nothing.
type Rivalry struct{ preds map[*database.Pred]bool }

// Note adds what a run has just lost. The run must not have been closed.
func (v *Rivalry) Note(r *Run) {
	for _, p := range r.m.Tx().Lost() {
		if v.preds == nil {
			v.preds = map[*database.Pred]bool{}
		}
		v.preds[p] = true
	}
}

// Prefer gives a transaction precedence for the predicates in v: other runs that retract clauses of them wait until
// this run ends; see [Run.Obstacle]. A nil v ends the precedence. One run of a program has precedence at a time; for
// a second one Prefer does nothing.
func (r *Run) Prefer(v *Rivalry) {
	if v == nil {
		v = &Rivalry{}
	}
	r.m.Tx().Guard(v.preds)
}

// Obstacle returns a channel that is closed when the run that has precedence over this one has ended. Commit should
// wait for it, or it takes from that run again what it needs. It is nil when there is no such run.
func (r *Run) Obstacle() <-chan struct{} { return r.m.Tx().Obstacle() }

// ErrNotStored is in the chain of the error of a commit whose changes the journal could not keep.
var ErrNotStored = commit.ErrNotStored
