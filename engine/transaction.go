package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/commit"
	"github.com/mcplogic/mcplogic/engine/internal/convert"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how runs and Go code change the database, and how the changes last.

// ErrConflict is returned by Commit when another run has meanwhile retracted a clause that
// this one retracts. Run the goal again.
var ErrConflict = database.ErrConflict

// commit ends a transaction, as the documentation of [Run.Commit] says.
func (p *Program) commit(tx *database.Tx, by string) error {
	err := p.changes.Commit(tx, by)
	if taken := (*commit.KeyTakenError)(nil); errors.As(err, &taken) {
		return p.thrown(throwFormal(taken.Formal))
	}
	return err
}

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

// Replace makes all facts of persistent predicates those of a sequence, as [Program.Apply] does.
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

// Moment is the state of the database that a run has seen, kept for runs that explain what it answered. Goroutines may
// share it.
type Moment struct {
	p      *Program
	moment *database.Moment
	gen    uint64
}

// Keep keeps the state of the database that the run sees, without its own changes, until Release. Facts that are
// retracted meanwhile take memory as long.
func (r *Run) Keep() *Moment {
	moment, gen := r.m.Keep()
	return &Moment{r.p, moment, gen}
}

// Release gives the state up. The moment must not be used by then.
func (m *Moment) Release() {
	if m != nil {
		m.moment.Release()
	}
}

// Changed reports whether the database of the program has changed since.
func (m *Moment) Changed() bool { return m.p.db.Generation() != m.gen }

// of is the moment for a run of a program, nil for those of others.
func (m *Moment) of(p *Program) *database.Moment {
	if m == nil || m.p != p {
		return nil
	}
	return m.moment
}

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

// What a journal is told.
type (
	// Fact is a fact of a persistent predicate.
	Fact = commit.Fact
	// FactChange is what one transaction adds to persistent predicates and removes from them.
	FactChange = commit.FactChange
	// Journal makes the changes of persistent predicates durable. Many goroutines call it at the same time.
	//
	// A journal may pass on the changes of other processes by [Program.Apply]. It then calls [FactChange.Settle] before
	// it accepts a change, and lets Append return in the order in which it has accepted changes, each after done of the
	// one before.
	Journal = commit.Journal
)

// ErrNotStored is in the chain of the error of a commit whose changes the journal could not keep.
var ErrNotStored = commit.ErrNotStored

// Assert adds clauses behind the others of their predicates, as assertz/1 does. It adds all of them or, with an
// error, none. A clause is Head or Head :- Body, given as a term or as a Go value that [TermOf] converts, such as a
// struct for a fact. Module:Clause adds to another module than user. Predicates without clauses become dynamic. Runs
// that have begun do not see the clauses; those that begin later do.
//
// The error is an *[Exception] for a term that cannot be a clause and for a predicate that is not dynamic, and a
// [ConvertError] for a value without a term. Any goroutine may call Assert at any time.
func (p *Program) Assert(clauses ...any) error {
	_, err := p.AssertAll(func(yield func(Term, error) bool) {
		for _, c := range clauses {
			if t, err := convert.Term(c); !yield(t, err) || err != nil {
				return
			}
		}
	})
	return err
}

// AssertAll adds the clauses of a sequence as [Program.Assert] does and returns their number. For Go values the
// sequence yields engine.TermOf(value). An error of the sequence ends it and is returned. After an error nothing has
// been added. The sequence does not see the changes of its own AssertAll and must not wait for them.
func (p *Program) AssertAll(clauses iter.Seq2[Term, error]) (n int, err error) {
	tx := p.db.Begin(false)
	defer tx.Rollback() // nothing after a commit
	for t, err := range clauses {
		if err == nil {
			err = p.assert(tx, t)
		}
		if err != nil {
			return 0, fmt.Errorf("clause %d: %w", n+1, err)
		}
		n++
	}
	if err := p.commit(tx, ""); err != nil {
		return 0, err
	}
	return n, nil
}

// maxClause bounds the parts of a clause. A term that contains itself is larger.
const maxClause = 1 << 22

// assert adds one clause.
func (p *Program) assert(tx *database.Tx, t Term) error {
	module, t, err := p.qualified(p.db.User(), t)
	if err != nil {
		return err
	}
	head, body := t, Term(term.True)
	if args, ok := term.Is(t, ":-", 2); ok {
		body = args[1]
		if module, head, err = p.qualified(module, args[0]); err != nil {
			return err
		}
	}
	name, arity, ok := term.Indicator(head)
	if !ok {
		return p.thrown(callableError(head))
	}
	if arity > load.MaxArity {
		return p.thrown(throwFormal(term.New("representation_error", term.Atom("max_procedure_arity"))))
	}
	pred := assertable(module, code.Functor(string(name), arity))
	if !pred.Has(database.Dynamic) && (pred.Defined() || name == "!" && arity == 0) {
		return p.thrown(throwFormal(term.New("permission_error", term.Atom("modify"), term.Atom("static_procedure"),
			term.New("/", name, term.Int(arity)))))
	}
	if err := checkClause(head, body); err != nil {
		return p.thrown(err)
	}
	tx.Claim(pred)
	tx.Add(load.Clause(pred, head, body), false)
	return nil
}

// qualified returns the parts of Module:Term. For other terms the module is the given one.
func (p *Program) qualified(module *database.Module, t Term) (*database.Module, Term, error) {
	for {
		args, ok := term.Is(t, ":", 2)
		if !ok {
			return module, t, nil
		}
		name, isAtom := args[0].(term.Atom)
		if !isAtom {
			return nil, nil, p.thrown(TypeError("module", args[0]))
		}
		module, t = p.db.Module(string(name)), args[1]
	}
}

// assertable returns the predicate that a clause asserted in a module belongs to.
func assertable(module *database.Module, functor code.Cell) *database.Pred {
	if p := module.Resolve(functor); p != nil && (p.Module == module || p.Has(database.Locked) || !p.Module.Library) {
		return p
	}
	return module.Lookup(functor)
}

// checkClause returns an error for a clause that is too large, or whose body cannot be called.
func checkClause(head, body Term) error {
	if !smaller(head, maxClause) || !smaller(body, maxClause) {
		return throwFormal(term.New("representation_error", term.Atom("max_clause_size")))
	}
	if load.BadGoal(body) != nil {
		return TypeError("callable", body)
	}
	return nil
}

// callableError is the error of a term that cannot be called.
func callableError(t Term) error {
	if _, unbound := t.(*term.Var); unbound {
		return throwFormal(term.Atom("instantiation_error"))
	}
	return TypeError("callable", t)
}

// thrown gives an exception that no run has thrown its message.
func (p *Program) thrown(err error) error {
	if ex, ok := err.(*Exception); ok {
		ex.Message = p.messageText(context.Background(), ex.Term, nil)
	}
	return err
}
