package database

// This file defines how a commit is made in two steps, so that something else can be made durable between them.

// Prepare does what Commit does to find conflicts, and sees to it that Commit finds none: until the transaction ends,
// others that retract the same clauses lose. On ErrConflict nothing was changed and the transaction is rolled back.
func (t *Tx) Prepare() error {
	p := t.program
	p.txMu.Lock()
	if t.conflicts() || t.outdated() {
		p.txMu.Unlock()
		t.Rollback()
		return ErrConflict
	}
	if p.doomed == nil {
		p.doomed = map[*Clause]*Tx{}
	}
	for _, c := range t.erased {
		p.doomed[c] = t
	}
	t.prepared, t.settled = true, make(chan struct{})
	p.txMu.Unlock()
	return nil
}

// conflicts notes what a commit would lose to others and reports whether there is anything. The lock of the
// transactions must be held.
func (t *Tx) conflicts() bool {
	for _, c := range t.erased {
		by := t.program.doomed[c]
		if c.erased.Load() < uncommitted || by != nil && by != t && !t.overrules {
			t.lost = append(t.lost, c.Pred)
			if by != nil && by != t {
				t.winner = by.settled
			}
		}
	}
	return len(t.lost) > 0
}

// Overrule lets the transaction be committed although others are prepared that retract the same clauses: they lose.
func (t *Tx) Overrule() { t.overrules = true }

// Overrules reports whether the transaction has been told to [Tx.Overrule].
func (t *Tx) Overrules() bool { return t.overrules }

// Loses reports whether another transaction has been committed since Prepare that this one loses to.
func (t *Tx) Loses() bool {
	t.program.txMu.Lock()
	defer t.program.txMu.Unlock()
	return t.conflicts() || t.outdated()
}

// unprepare ends what Prepare began; the lock of the transactions must be held.
func (t *Tx) unprepare() {
	if !t.prepared {
		return
	}
	t.prepared = false
	close(t.settled)
	for _, c := range t.erased {
		if t.program.doomed[c] == t {
			delete(t.program.doomed, c)
		}
	}
}

// Winner returns a channel that is closed when a transaction has ended that is being stored and that this one has lost
// to; nil if it has lost to none. Running again before that would lose again.
func (t *Tx) Winner() <-chan struct{} { return t.winner }

// BeganAt returns the generation that the transaction began with.
func (t *Tx) BeganAt() uint64 { return t.gen }
