package machine

import "github.com/mcplogic/mcplogic/engine/internal/database"

// This file defines the clauses of thread_local predicates. The thread main has the clauses that the program knows.
// Each other thread has clauses of its own: none when it starts, and they are dropped when it ends.

// ownThread returns the thread that the machine runs in, nil for main. An engine runs in the thread that made it.
func (m *Machine) ownThread() *thread {
	if m.self == nil {
		return nil
	}
	return m.self.within
}

// InThread returns the predicate with the clauses of p that the calling thread has: p, or a private one if p is
// thread_local.
func (m *Machine) InThread(p *database.Pred) *database.Pred {
	if !p.Has(database.ThreadLocal) {
		return p
	}
	t := m.ownThread()
	if t == nil {
		return p
	}
	if own := t.preds[p]; own != nil {
		return own
	}
	if t.preds == nil {
		t.preds = map[*database.Pred]*database.Pred{}
	}
	own := p.Private()
	t.preds[p], t.preds[own] = own, own
	return own
}

// dropOwnClauses erases the private clauses of a thread that ends.
func (m *Machine) dropOwnClauses(t *thread) {
	for _, own := range t.preds {
		for _, c := range own.Clauses() {
			m.tx.Erase(c)
		}
	}
	t.preds = nil
}
