package database

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines the calls for which a transaction has found no fact. A goal that relies on the absence of a fact,
// as in ( retract(n(K, N)) -> true ; N = 0 ), must not be committed after another goal that adds it. So a transaction
// that changes persistent predicates has a conflict if facts that match such a call have been added to them since it
// began.

// maxAbsent is how many calls without a clause a transaction notes for each predicate. Beyond that number, any clause
// that others add to the predicate is a conflict.
const maxAbsent = 64

// anything stands for all calls.
var anything = [][]code.Cell{nil}

// countsOn reports whether the transaction conflicts with others that add clauses of a predicate.
func (t *Tx) countsOn(p *Pred) bool { return p.Has(Persistent) && !t.direct }

// NoteAbsent notes that a call of a predicate found no clause, or relies on finding all of them. It returns the keys of
// the call's arguments if they are new: their atoms must live as long as the transaction.
func (t *Tx) NoteAbsent(p *Pred, call *Probe) []code.Cell {
	if !t.countsOn(p) {
		return nil
	}
	list := t.absent[p]
	keys := call.keys[:call.n]
	for _, known := range list {
		if known == nil || slices.Equal(known, keys) {
			return nil
		}
	}
	if len(list) == maxAbsent {
		t.NoteAllAbsent(p)
		return nil
	}
	keys = append(make([]code.Cell, 0, call.n), keys...)
	t.noteAbsent(p, append(list, keys))
	return keys
}

// NoteAllAbsent notes that the transaction relies on seeing all clauses of a predicate, as for a table that was not
// filled by calls. If another program has replaced that of the transaction, these clauses are unknown, and any clause
// is a conflict.
func (t *Tx) NoteAllAbsent(p *Pred) {
	if t.countsOn(p) {
		t.noteAbsent(p, anything)
	}
}

// noteAbsent notes the keys of a call of a predicate that has found no clause.
func (t *Tx) noteAbsent(p *Pred, list [][]code.Cell) {
	if t.absent == nil {
		t.absent = map[*Pred][][]code.Cell{}
	}
	t.absent[p] = list
}

// Follows says that the transaction repeats the changes of an older transaction whose program was replaced. own maps
// predicates of the old program to this one, or returns nil. All facts that are only in this program have been added
// meanwhile.
func (t *Tx) Follows(other *Tx, own func(*Pred) *Pred) (conflict bool) {
	for p, list := range other.absent {
		if p = own(p); p != nil {
			t.noteAbsent(p, list)
		}
	}
	t.follows = true
	t.program.txMu.Lock()
	defer t.program.txMu.Unlock()
	return t.outdated()
}

// outdated reports whether others have added, or are about to add, facts that the transaction has found absent. The
// lock of the transactions must be held.
func (t *Tx) outdated() bool {
	isPersistent := func(c *Clause) bool { return c.Pred.Has(Persistent) }
	if len(t.absent) == 0 || t.overrules ||
		!slices.ContainsFunc(t.added, isPersistent) && !slices.ContainsFunc(t.erased, isPersistent) {
		return false
	}
	found := len(t.lost)
	for p, list := range t.absent {
		if slices.ContainsFunc(list, func(keys []code.Cell) bool { return t.appeared(p, keys) }) {
			t.lost = append(t.lost, p)
		}
	}
	return len(t.lost) > found
}

// appeared reports whether others have added a clause that matches a call with some keys since the transaction began,
// or are about to do so.
func (t *Tx) appeared(p *Pred, keys []code.Cell) bool {
	var args [maxKeys]code.Cell // unbound below the keys
	for i := range args {
		args[i] = code.MakeAtom(0)
	}
	call := Probe{args: args[:], n: len(keys)}
	copy(call.keys[:], keys)
	list, one := p.candidates(&call)
	if one != nil {
		list = []*Clause{one}
	}
	return slices.ContainsFunc(list, func(c *Clause) bool {
		for i, k := range keys {
			if own := c.ArgKey(i); k != 0 && own != 0 && own != k {
				return false
			}
		}
		created := c.created.Load()
		switch {
		case created < uncommitted:
			return c.Committed() && (created > t.gen || t.follows && t.Sees(c, t.Now()))
		case t.stamped(created):
			return false
		}
		for other := range t.program.active {
			if other.prepared && other.stamped(created) && c.erased.Load() == never {
				t.winner = other.settled
				return true
			}
		}
		return false
	})
}
