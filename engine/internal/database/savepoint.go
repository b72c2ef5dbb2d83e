package database

import "slices"

// This file defines savepoints: moments of a transaction that it can go back to, which takes back what it has added and
// erased since.

// Savepoint names a moment of a transaction.
type Savepoint uint64

// savepoint is how much had been done at a moment.
type savepoint struct {
	name          Savepoint
	added, erased int
	step          uint32
}

// Save returns the present moment of a transaction that is not direct. It stays a savepoint until Release or
// RollbackTo.
func (t *Tx) Save() Savepoint {
	t.savepoints++
	t.saved = append(t.saved, savepoint{t.savepoints, len(t.added), len(t.erased), t.step})
	return t.savepoints
}

// Release forgets a savepoint and those after it. The changes since then stay part of the transaction.
func (t *Tx) Release(name Savepoint) { t.forget(name) }

// forget drops a savepoint and those after it.
func (t *Tx) forget(name Savepoint) (s savepoint, ok bool) {
	i := slices.IndexFunc(t.saved, func(s savepoint) bool { return s.name == name })
	if i < 0 {
		return savepoint{}, false
	}
	s = t.saved[i]
	t.saved = t.saved[:i]
	return s, true
}

// RollbackTo takes back what has been added and erased since a savepoint, which it forgets with those after it. It
// returns how many bytes of clauses that the transaction has added are gone.
func (t *Tx) RollbackTo(name Savepoint) (bytes int) {
	s, ok := t.forget(name)
	if !ok {
		return 0
	}
	for _, c := range t.erased[s.erased:] {
		if t.stamped(c.created.Load()) {
			bytes -= c.Bytes()
		}
		t.revive(c)
		delete(t.overlay, c)
	}
	for _, c := range t.added[s.added:] {
		bytes += c.Bytes()
		c.erased.Store(0) // dead before any generation
	}
	for _, c := range t.added[s.added:] {
		c.Pred.takeBack(c)
	}
	t.added, t.inFront = cutBack(t.added, s.added), cutBack(t.inFront, s.added)
	t.erased, t.steps = cutBack(t.erased, s.erased), cutBack(t.steps, s.erased)
	t.step++ // a moment of its own, see Mark
	return bytes
}

// cutBack shortens a list and forgets what stood behind.
func cutBack[E any](list []E, n int) []E {
	clear(list[n:])
	return list[:n]
}

// stamped reports whether a stamp is the transaction's own.
func (t *Tx) stamped(stamp uint64) bool { return stamp != never && stamp&^0xffffffff == t.tag }

// revive takes back that the transaction has erased a clause.
func (t *Tx) revive(c *Clause) {
	if stamp := c.erased.Load(); t.stamped(stamp) {
		c.erased.CompareAndSwap(stamp, never)
	}
}

// mayRevive reports whether going back to a savepoint would bring back a clause that the transaction has both added and
// erased.
func (t *Tx) mayRevive(created, erased uint64) bool {
	return slices.ContainsFunc(t.saved, func(s savepoint) bool {
		return uint32(created) <= s.step && s.step < uint32(erased)
	})
}

// Update is a change that a transaction has made.
type Update struct {
	Clause *Clause
	Erased bool
	Front  bool // it was added in front
}

// Updates returns what has been changed since the newest savepoint, what has been erased first. Clauses that have been
// both added and erased since are left out. ok is false if there is no savepoint.
func (t *Tx) Updates() (list []Update, ok bool) {
	if len(t.saved) == 0 {
		return nil, false
	}
	s := t.saved[len(t.saved)-1]
	both := map[*Clause]bool{} // of those that have been added, whether they have been erased
	for _, c := range t.added[s.added:] {
		both[c] = false
	}
	for _, c := range t.erased[s.erased:] {
		if _, own := both[c]; own {
			both[c] = true
		} else {
			list = append(list, Update{Clause: c, Erased: true})
		}
	}
	for i := s.added; i < len(t.added); i++ {
		if c := t.added[i]; !both[c] {
			list = append(list, Update{Clause: c, Front: t.inFront[i]})
		}
	}
	return list, true
}

// Nest begins a transaction within a direct view.
func (t *Tx) Nest() *Tx {
	inner := t.program.Begin(false)
	inner.outer = t
	return inner
}

// Outer returns the direct view within which the transaction has begun, or nil.
func (t *Tx) Outer() *Tx { return t.outer }
