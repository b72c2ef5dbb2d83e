package engine

import (
	"context"
	"fmt"
	"iter"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/convert"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how Go code adds clauses to a running program.

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
