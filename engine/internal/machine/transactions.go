package machine

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines transactions that goals begin (snapshot/1, transaction/1). In a run that is a transaction they are
// savepoints of it. In another the outermost is a transaction of its own.

var transactionTable = []Builtin{
	{Name: "$tx_begin", Arity: 2, Func: beginNested, Meta: "0-", Modes: ":goal, -transaction",
		Doc: "Begins a transaction for a goal."},
	{Name: "$tx_end", Arity: 2, Func: endNested, Modes: "+transaction, +keep",
		Doc: "Ends a transaction and those in it; keep is true or false."},
	{Name: "$transactions", Arity: 1, Func: listNested, Modes: "-goals",
		Doc: "Lists the goals of the transactions that have begun, the innermost first."},
}

// nested is a transaction that a goal has begun.
type nested struct {
	start database.Savepoint
	goal  Saved
}

// direct reports whether the run commits each change as it is made. Changes within a transaction that a goal has
// begun wait for its end all the same.
func (m *View) direct() bool { return m.runTx().Direct() }

// IsIsolated reports whether others see what the run changes only when it is committed, if ever.
func IsIsolated(m *Machine) bool { return !m.direct() }

// runTx returns the view of the database that the run began with.
func (m *View) runTx() *database.Tx {
	if outer := m.tx.Outer(); outer != nil {
		return outer
	}
	return m.tx
}

// leaveTransaction drops the transactions that goals have begun.
func (m *Machine) leaveTransaction() {
	m.nested = nil
	if m.tx == nil {
		return
	}
	if outer := m.tx.Outer(); outer != nil {
		m.tx.Rollback()
		m.tx = outer
	}
}

// beginNested runs '$tx_begin'(Goal, Transaction).
func beginNested(m *Machine, a []cell) (bool, error) {
	goal := m.Save(a[0])
	if err := m.Hold(goal.Bytes()); err != nil {
		return false, err
	}
	if m.tx.Direct() {
		m.tx = m.tx.Nest()
	}
	start := m.tx.Save()
	m.nested = append(m.nested, nested{start, goal})
	return m.Unify(a[1], code.MakeInt(int64(start))), nil
}

// endNested runs '$tx_end'(Transaction, Keep).
func endNested(m *Machine, a []cell) (bool, error) {
	start := m.Deref(a[0])
	i := slices.IndexFunc(m.nested, func(n nested) bool { return start == code.MakeInt(int64(n.start)) })
	if i < 0 {
		return false, m.ExistenceError("transaction", start)
	}
	for _, n := range m.nested[i:] {
		_ = m.Hold(-n.goal.Bytes())
	}
	n := m.nested[i]
	m.nested = m.nested[:i]
	kept := m.Deref(a[1]) == code.ATrue
	if kept {
		m.tx.Release(n.start)
	} else {
		_ = m.Hold(-m.tx.RollbackTo(n.start))
		m.skips = nil
	}
	if i > 0 || m.tx.Outer() == nil {
		return true, nil
	}
	return m.commitNested(kept)
}

// commitNested ends the outermost transaction that the goals of a direct run have begun.
func (m *Machine) commitNested(kept bool) (bool, error) {
	inner, undefined := m.tx, UndefinedChange(m)
	if m.tables.changed = nil; !kept || undefined != nil && inner.Changed() {
		m.leaveTransaction()
	}
	switch {
	case !kept:
		return true, nil
	case m.tx != inner:
		return false, m.PermissionError("commit", "undefined", m.procedure(undefined.Functor, undefined.Module))
	}
	m.PinChanges()
	m.tx, m.skips = inner.Outer(), nil
	if err := m.commit(inner); err == database.ErrConflict {
		return false, m.lost(inner)
	} else if err != nil {
		return false, err
	}
	return true, nil
}

func (m *Machine) commit(tx *database.Tx) error {
	if m.Commit == nil {
		return tx.Commit()
	}
	return m.Commit(tx)
}

// lost is the error of a transaction whose predicates others have changed.
func (m *Machine) lost(tx *database.Tx) error {
	lost := tx.Lost()[0]
	return m.PermissionError("commit", "transaction", m.procedure(lost.Functor, lost.Module))
}

// Lasts reports whether each change of a predicate is committed by itself, by AddLasting and EraseLasting.
func Lasts(m *Machine, p *database.Pred) bool {
	return m.Commit != nil && m.tx.Direct() && p.Has(database.Persistent)
}

// AddLasting adds a clause to its predicate, in front or at the end.
func AddLasting(m *Machine, c *database.Clause, front bool) error {
	tx := m.tx.Nest()
	tx.Add(c, front)
	err := m.commit(tx)
	if err == database.ErrConflict {
		err = m.lost(tx)
	}
	return err
}

// EraseLasting retracts a clause. It returns false if that was done before.
func EraseLasting(m *Machine, c *database.Clause) (bool, error) {
	for {
		tx := m.tx.Nest()
		if !tx.Erase(c) {
			tx.Rollback()
			return false, nil
		}
		if err := m.commit(tx); err != database.ErrConflict { // else another run has erased it, or does
			return err == nil, err
		}
		if err := m.Charge(1); err != nil {
			return false, err
		}
	}
}

// listNested runs '$transactions'(Goals).
func listNested(m *Machine, a []cell) (bool, error) {
	list := make([]cell, len(m.nested))
	for i, n := range m.nested {
		list[len(list)-1-i] = m.Restore(n.goal)
	}
	return m.Unify(a[0], m.List(list, code.ANil)), nil
}
