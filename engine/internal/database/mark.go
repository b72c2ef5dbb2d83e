package database

// This file defines how one finds out that a predicate is as it was.

// Mark is a moment in the life of a predicate.
type Mark struct {
	view    View
	loads   uint32
	touched bool // a transaction had changes that only it sees
}

// MarkOf returns a moment of a predicate, that of a view. It is to be taken before the clauses are looked at.
func (t *Tx) MarkOf(p *Pred, v View) Mark { return Mark{v, p.loads.Load(), t.touches(p)} }

// Touched reports whether a transaction had changes that only it sees.
func (m Mark) Touched() bool { return m.touched }

// Outdated reports whether a predicate has changed since for those who begin now.
func (m Mark) Outdated(p *Pred) bool {
	return m.touched || p.loads.Load() != m.loads || p.changed.Load() > m.view.Gen
}

// touches reports whether the transaction has changes of a predicate that have not been committed, or whether there are
// too many changes to say.
func (t *Tx) touches(p *Pred) bool {
	const many = 64
	if len(t.added)+len(t.erased) > many {
		return true
	}
	for _, list := range [][]*Clause{t.added, t.erased} {
		for _, c := range list {
			if c.Pred == p {
				return true
			}
		}
	}
	return false
}

// Unchanged reports whether a predicate is known to be as it was at a moment, of this transaction or another one.
func (t *Tx) Unchanged(p *Pred, m Mark) bool {
	now := t.Now()
	return !m.touched && p.loads.Load() == m.loads && p.changed.Load() <= min(m.view.Gen, now.Gen) && !t.touches(p)
}
