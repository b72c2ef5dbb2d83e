package database

import "slices"

// This file defines how a transaction that has lost to others gets through: those that would change the same
// predicates wait with their commits until it has ended.

// Lost returns the predicates because of whose clauses Commit returned ErrConflict.
func (t *Tx) Lost() []*Pred { return t.lost }

// Guard makes other transactions wait that change some predicates, until the transaction ends or guards
// none any more. One transaction of a program can do so at a time; for others it does nothing.
func (t *Tx) Guard(preds map[*Pred]bool) {
	p := t.program
	p.txMu.Lock()
	defer p.txMu.Unlock()
	if _, active := p.active[t]; !active || p.elder != nil && p.elder != t {
		return
	}
	if len(preds) == 0 {
		t.yield()
		return
	}
	if p.elder == nil {
		p.elder, t.yielded = t, make(chan struct{})
	}
	t.guarded = preds
}

// yield ends Guard; the lock of the transactions must be held.
func (t *Tx) yield() {
	if t.program.elder == t {
		t.program.elder, t.guarded = nil, nil
		close(t.yielded)
	}
}

// Obstacle returns a channel that is closed when another transaction does not guard any more what this one has
// changed; nil when none does.
func (t *Tx) Obstacle() <-chan struct{} {
	p := t.program
	p.txMu.Lock()
	defer p.txMu.Unlock()
	e := p.elder
	if e == nil || e == t {
		return nil
	}
	for _, c := range slices.Concat(t.erased, t.added) {
		if e.guarded[c.Pred] {
			return e.yielded
		}
	}
	return nil
}
