package builtin

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines clause retrieval and the changes of the database (ISO 13211-1, 8.8, 8.9).
//
// All changes go through the transaction of the run (m.Tx). Without the option Transaction of RunOptions it makes
// them at once. The logical update view of 7.5.4 comes from generations: a call sees the clauses that exist when it
// begins, so an iteration over clauses needs no copy.

var clauseTable = []machine.Builtin{
	{Name: "clause", Arity: 2, Func: clause, Nondet: true, Meta: ":?", Modes: "+head, ?body",
		Doc: "Head :- Body is a clause of a predicate of the program."},
	{Name: "$shown_clause", Arity: 4, Func: shownClause, Nondet: true, Meta: ":???",
		Modes: "+head, -body, -neck, ?reference",
		Doc:   "A clause as it was written: Neck is :-, => or =>(Guard). No reference is made if it is known."},
	{Name: "assertz", Arity: 1, Func: assertz, Meta: ":", Modes: "+clause",
		Doc: "Adds clause behind the other clauses of its predicate."},
	{Name: "asserta", Arity: 1, Func: asserta, Meta: ":", Modes: "+clause",
		Doc: "Adds clause before the other clauses of its predicate."},
	{Name: "assert", Arity: 1, Func: assertz, Meta: ":", Modes: "+clause",
		Doc: "Adds clause behind the other clauses of its predicate, as assertz/1."},
	{Name: "retract", Arity: 1, Func: retract, Nondet: true, Meta: ":", Modes: "?clause",
		Doc: "Removes the first clause that unifies with clause; on backtracking the next."},
	{Name: "retractall", Arity: 1, Func: retractall, Meta: ":", Modes: "+head",
		Doc: "Removes all clauses whose head unifies with head; declares the predicate dynamic if it is unknown."},
	{Name: "abolish", Arity: 1, Func: abolish, Meta: ":", Modes: "+indicator",
		Doc: "Removes all clauses of a dynamic predicate."},
	{Name: "abolish", Arity: 2, Func: abolish2, Meta: ":+", Modes: "+name, +arity",
		Doc: "Removes all clauses of a dynamic predicate."},
}

// target returns the predicate that a clause or head belongs to. This is a built-in that programs cannot redefine, a
// predicate imported from the program, or one of the module itself. A unit of tests also changes the predicates of the
// enclosing module. A missing predicate is created in the module as undefined.
func target(m *machine.Machine, mod *database.Module, head cell) *database.Pred {
	functor := code.MakeFunctor(head.Atom(), 0)
	if stacks.IsCompound(head) {
		functor = m.Functor(head)
	}
	p := resolve(mod, functor)
	if p == nil {
		return mod.Lookup(functor)
	}
	if p.Module == mod || p.Has(database.Locked) || !p.Module.Library && !inherited(mod, functor, p) {
		return p
	}
	return mod.Lookup(functor)
}

// inherited reports whether a module only inherits a predicate from its parents, so that goals of the module do not
// change its clauses.
func inherited(mod *database.Module, functor cell, p *database.Pred) bool {
	if p.Module == mod || p.Module.Library || mod.Unit {
		return false
	}
	own := mod.Find(functor)
	return own == nil || own.Imported() == nil || clausesOf(own.Imported()) != p
}

// resolve returns the predicate whose clauses a goal of a module reads and changes, or nil.
func resolve(mod *database.Module, functor cell) *database.Pred {
	if p := mod.Resolve(functor); p != nil {
		return clausesOf(p)
	}
	return nil
}

// clausesOf returns the predicate with the clauses of p. If p is tabled and dynamic, this is the predicate behind it.
func clausesOf(p *database.Pred) *database.Pred {
	if p.Has(database.Tabled) {
		own := p.Module.Find(p.TableFunctor())
		if own != nil && own.Has(database.Dynamic) {
			return own
		}
	}
	return p
}

// headFor returns the head of a clause of p. Behind a tabled predicate the head has another name than the goal.
func headFor(m *machine.Machine, p *database.Pred, head cell) cell {
	if functorOf(m, head) == p.Functor {
		return head
	}
	args := make([]cell, p.Arity())
	for i := range args {
		args[i] = m.Arg(head, i)
	}
	return m.NewCompound(p.Functor, args)
}

// splitClause splits Head :- Body. A missing body is true. The predicate belongs to the module mod, the body runs in
// the module scope. The errors come in this order: an unbound clause, an unbound head, a head that is not callable. A
// qualifier that is a variable counts as an unbound clause or head. The body is not checked.
func splitClause(m *machine.Machine, c cell) (head, body cell, mod, scope *database.Module, err error) {
	c, scope = m.StripModule(c)
	mod = scope
	if stacks.IsVar(c) || ofAnyModule(m, c) {
		return 0, 0, nil, nil, m.InstantiationError()
	}
	head, body = c, code.ATrue
	if stacks.IsCompound(c) && m.Functor(c) == code.FNeck {
		head, body = m.Deref(m.Arg(c, 0)), m.Deref(m.Arg(c, 1))
		if stacks.IsCompound(head) && m.Functor(head) == code.FColon {
			head, mod = m.StripModule(head)
		}
	}
	if stacks.IsVar(head) || ofAnyModule(m, head) {
		return 0, 0, nil, nil, m.InstantiationError()
	}
	if !stacks.IsCallable(head) {
		return 0, 0, nil, nil, m.TypeError("callable", head)
	}
	return head, body, mod, scope, nil
}

// ofAnyModule reports whether a dereferenced term is qualified by a variable.
func ofAnyModule(m *machine.Machine, c cell) bool {
	return stacks.IsCompound(c) && m.Functor(c) == code.FColon && stacks.IsVar(m.Deref(m.Arg(c, 0)))
}

// functorOf returns the functor of a dereferenced callable, as a cell.
func functorOf(m *machine.Machine, c cell) cell {
	if c.Tag() == code.Atom {
		return code.MakeFunctor(c.Atom(), 0)
	}
	return m.Functor(c)
}

// permission returns the permission_error for a predicate that is not dynamic, or whose clauses are private.
func permission(m *machine.Machine, action, kind string, p *database.Pred) error {
	culprit := m.Indicator(p.Functor)
	if mod := p.Module; mod != m.Program().User() && mod != m.Program().System() {
		culprit = m.NewCompound(code.FColon, []cell{m.NewAtom(mod.Name), culprit})
	}
	return m.PermissionError(action, kind, culprit)
}

// assertz is assertz/1 and assert/1 (ISO 13211-1, 8.9.2).
func assertz(m *machine.Machine, a []cell) (bool, error) {
	c, err := add(m, a[0], false)
	return c != nil, err
}

// asserta is asserta/1 (ISO 13211-1, 8.9.1).
func asserta(m *machine.Machine, a []cell) (bool, error) {
	c, err := add(m, a[0], true)
	return c != nil, err
}

// add adds a clause and returns it. The body is converted to a goal first (7.6.2), so a variable becomes call/1. The
// memory of the clause counts as the run's until the clause is retracted. The errors come in this order: errors of the
// head, of the body and of the guard, then a static predicate, then too many arguments for the machine's registers.
func add(m *machine.Machine, c cell, front bool) (*database.Clause, error) {
	c, guard, ssu := singleSided(m, c)
	head, body, mod, scope, err := splitClause(m, c)
	if err != nil {
		return nil, err
	}
	if body, err = m.Body(body); err != nil {
		return nil, err
	}
	p := target(m, mod, head)
	if scope != mod && body != code.ATrue {
		body = m.NewCompound(code.FColon, []cell{m.NewAtom(scope.Name), body})
	}
	if guard != 0 {
		if guard, err = m.Body(guard); err != nil {
			return nil, err
		}
		if scope != mod {
			guard = m.NewCompound(code.FColon, []cell{m.NewAtom(scope.Name), guard})
		}
		body = m.NewCompound(code.FComma, []cell{m.NewCompound(fGuard, []cell{guard}), body})
	}
	if err := modifiable(m, p); err != nil {
		return nil, err
	}
	if p.Arity() > 255 {
		return nil, m.RepresentationError("max_procedure_arity")
	}
	cl, err := m.NewClause(p, headFor(m, p, head), body, ssu)
	if err != nil {
		return nil, err
	}
	if err := m.Hold(cl.Bytes()); err != nil {
		return nil, err
	}
	if machine.Lasts(m, p) {
		if err := machine.AddLasting(m, cl, front); err != nil {
			return nil, err
		}
	} else {
		m.Tx().Add(cl, front)
	}
	return cl, m.Charge(1)
}

// fGuard is the functor of the goal that holds the guard of a clause with =>. fRule is the functor of such a clause.
var fGuard, fRule = code.Functor("$guard", 1), code.Functor("=>", 2)

// singleSided makes Head :- Body of a clause Head, Guard => Body. The guard is 0 when there is none. Any other clause
// is returned unchanged, with ssu false. The rule is qualified by its module, which splitClause strips again.
func singleSided(m *machine.Machine, c cell) (rule, guard cell, ssu bool) {
	plain, scope := m.StripModule(c)
	if !stacks.IsCompound(plain) || m.Functor(plain) != fRule {
		return c, 0, false
	}
	head, body := m.Deref(m.Arg(plain, 0)), m.Arg(plain, 1)
	if stacks.IsCompound(head) && m.Functor(head) == code.FComma {
		head, guard = m.Arg(head, 0), m.Arg(head, 1)
	}
	rule = m.NewCompound(code.FNeck, []cell{head, body})
	return m.NewCompound(code.FColon, []cell{m.NewAtom(scope.Name), rule}), guard, true
}

// modifiable checks that a predicate may be changed. It makes an unknown predicate dynamic, as 8.9.1 asks.
func modifiable(m *machine.Machine, p *database.Pred) error {
	if p.IsStatic() {
		return permission(m, "modify", "static_procedure", p)
	}
	if err := machine.Changing(m, p); err != nil {
		return err
	}
	return MakeDynamic(m, p)
}

// MakeDynamic makes a predicate dynamic. In a transaction only that transaction sees the change until the commit. A
// predicate that becomes dynamic counts as memory of the run. Otherwise a loop that makes predicates would grow without
// bound. It may not hide a predicate of the system or a library that calls of isolated runs reach.
func MakeDynamic(m *machine.Machine, p *database.Pred) error {
	const predBytes = 500
	if !p.Has(database.Dynamic) {
		if machine.IsIsolated(m) {
			other := p.Module.Resolve(p.Functor)
			if other == nil {
				other, _ = m.Program().Loader.Autoload(p.Functor, m.Loading)
			}
			if other != nil && (other.Module.Library || other.Module == m.Program().System()) {
				return permission(m, "modify", "static_procedure", other)
			}
		}
		if err := m.Hold(predBytes); err != nil {
			return err
		}
	}
	m.Tx().Claim(p)
	return nil
}

// tryClause reports whether a clause is an answer of a predicate with these arguments.
type tryClause func(m *machine.Machine, a []cell, c *database.Clause) (bool, error)

// eachClause answers with each clause of p that may match head and for which try succeeds. head is the dereferenced
// head in the first argument. It looks one clause ahead and makes no choice point without a second clause. So retract/1
// of a fact with a bound first argument is deterministic, as in SWI-Prolog.
func eachClause(m *machine.Machine, a []cell, head cell, p *database.Pred, try tryClause) (bool, error) {
	s := m.ClausesFor(p, head)
	c, more := m.NextClause(&s, head)
	if !more {
		if c == nil {
			return false, nil
		}
		return try(m, a, c)
	}
	return otherClauses(m, c, s, try)
}

// otherClauses answers with c and the clauses that follow. It is a function of its own because its closure escapes to
// Go's heap. Most calls end in eachClause and leave nothing to Go's collector.
func otherClauses(m *machine.Machine, c *database.Clause, rest machine.ClauseSeq, try tryClause) (bool, error) {
	more := true
	return m.Alternatives(func(m *machine.Machine, a []cell) (bool, bool, error) {
		now := c
		if now == nil {
			now, more = m.NextClause(&rest, headOf(m, a[0]))
		}
		c = nil
		if now == nil {
			return false, more, nil
		}
		ok, err := try(m, a, now)
		return ok, more, err
	})
}

// headOf returns the head of a term that stands for a clause, dereferenced. Functions with several answers call it for
// each answer, because a collection between two answers moves terms.
func headOf(m *machine.Machine, c cell) cell {
	c, _ = m.StripModule(c)
	if stacks.IsCompound(c) && m.Functor(c) == code.FNeck {
		c, _ = m.StripModule(m.Arg(c, 0))
	}
	return c
}

// clause is clause/2 (ISO 13211-1, 8.8.1).
func clause(m *machine.Machine, a []cell) (bool, error) { return findClause(m, a, matchClause) }

// matchClause unifies the first two arguments with the head and body of a clause.
func matchClause(m *machine.Machine, a []cell, c *database.Clause) (bool, error) {
	head, _ := m.StripModule(a[0])
	return unifyShown(m, c, head, a[1]), nil
}

// unifyShown unifies the head of a clause and its body in the form of clause/2: the body of Head, Guard => Body is
// (Guard, !, Body).
func unifyShown(m *machine.Machine, c *database.Clause, head, body cell) bool {
	if !c.SSU {
		return m.UnifyClause(c, head, body)
	}
	rest := m.NewVar()
	if !m.UnifyClause(c, head, rest) {
		return false
	}
	guard, rest, guarded := splitGuard(m, rest)
	if guarded {
		rest = conjunction(m, m.Deref(guard), m.NewCompound(code.FComma, []cell{code.ACut, rest}))
	}
	return m.Unify(body, rest)
}

// conjunction puts the goals of a dereferenced conjunction before another goal. It collects the goals in a slice and
// builds from the right. Recursion would be as deep as the conjunction is long.
func conjunction(m *machine.Machine, goals, last cell) cell {
	var list []cell
	for ; stacks.IsCompound(goals) && m.Functor(goals) == code.FComma; goals = m.Deref(m.Arg(goals, 1)) {
		list = append(list, m.Arg(goals, 0))
	}
	last = m.NewCompound(code.FComma, []cell{goals, last})
	for _, goal := range slices.Backward(list) {
		last = m.NewCompound(code.FComma, []cell{goal, last})
	}
	return last
}

// splitGuard removes the guard, if there is one, from the body of a clause with =>. The guard is the goal $guard(Guard)
// in front of the body, where add has put it. Without a guard rest is the whole body.
func splitGuard(m *machine.Machine, body cell) (guard, rest cell, guarded bool) {
	body = m.Deref(body)
	if !stacks.IsCompound(body) || m.Functor(body) != code.FComma {
		return 0, body, false
	}
	first := m.Deref(m.Arg(body, 0))
	if !stacks.IsCompound(first) || m.Functor(first) != fGuard {
		return 0, body, false
	}
	return m.Arg(first, 0), m.Arg(body, 1), true
}

// shownClause is $shown_clause/4.
func shownClause(m *machine.Machine, a []cell) (bool, error) {
	return findClause(m, a, func(m *machine.Machine, a []cell, c *database.Clause) (bool, error) {
		head, _ := m.StripModule(a[0])
		body, neck := m.NewVar(), m.NewAtom(":-")
		if !m.UnifyClause(c, head, body) {
			return false, nil
		}
		if c.SSU {
			guard, rest, guarded := splitGuard(m, body)
			body, neck = rest, m.NewAtom("=>")
			if guarded {
				neck = m.NewStruct("=>", guard)
			}
		}
		if !m.Unify(a[1], body) || !m.Unify(a[2], neck) {
			return false, nil
		}
		return !stacks.IsVar(m.Deref(a[3])) || m.Unify(a[3], newReference(m, c)), nil
	})
}

// findClause answers with the clauses of a predicate for which try succeeds. The head and the body are the first two
// arguments. The body may be a variable or callable (8.8.1.3). The errors come in this order: an unbound head, a head
// that is not callable, a body that is not callable, a private predicate. A predicate that does not exist has no
// clauses, so the call fails.
func findClause(m *machine.Machine, a []cell, try tryClause) (bool, error) {
	head, mod := m.StripModule(a[0])
	if stacks.IsVar(head) || ofAnyModule(m, head) {
		return false, m.InstantiationError()
	}
	if !stacks.IsCallable(head) {
		return false, m.TypeError("callable", head)
	}
	if body := m.Deref(a[1]); !stacks.IsVar(body) && !stacks.IsCallable(body) {
		return false, m.TypeError("callable", body)
	}
	p := resolve(mod, functorOf(m, head))
	if p == nil {
		return false, nil
	}
	// Built-in predicates and those of module system are private. All others may be read, static ones too.
	if p.Builtin >= 0 || p.Module == m.Program().System() {
		return false, permission(m, "access", "private_procedure", p)
	}
	if own := p.Context(); own != nil {
		head, p = headInContext(m, own, head), own
		// try reads the head from the argument, so the argument is replaced too.
		a[0] = head
	}
	return eachClause(m, a, head, p, try)
}

// headInContext returns the head of the clauses of a transparent predicate: the head of the goal, without any module.
func headInContext(m *machine.Machine, own *database.Pred, head cell) cell {
	args := []cell{m.NewVar()}
	for i := range own.Arity() - 1 {
		args = append(args, m.Arg(head, i))
	}
	return m.NewCompound(own.Functor, args)
}

// retract is retract/1 (ISO 13211-1, 8.9.3). It fails for a predicate that does not exist, and does not make that
// dynamic. A predicate that is not dynamic is a permission error, with or without clauses. The clause of an answer is
// erased before the answer is given.
func retract(m *machine.Machine, a []cell) (bool, error) {
	head, _, mod, _, err := splitClause(m, a[0])
	if err != nil {
		return false, err
	}
	functor := functorOf(m, head)
	p := resolve(mod, functor)
	if p == nil || p.Has(database.Dynamic) && inherited(mod, functor, p) {
		return false, nil
	}
	if !p.Has(database.Dynamic) {
		return false, permission(m, "modify", "static_procedure", p)
	}
	if err := machine.Changing(m, p); err != nil {
		return false, err
	}
	return eachClause(m, a, head, p, func(m *machine.Machine, a []cell, c *database.Clause) (bool, error) {
		// The view of the call still has a clause that was erased since it began. retract/1 succeeds for such a clause if
		// the run itself erased it, and skips it if another run did.
		head, body, _, _, err := splitClause(m, a[0])
		if err != nil || !unifyShown(m, c, head, body) {
			return false, nil
		}
		erased, err := erase(m, c)
		return erased || err == nil && m.Tx().Erased(c), err
	})
}

// erase retracts a clause. A clause that the run has added no longer counts as its memory. It returns false if the
// clause was erased before.
func erase(m *machine.Machine, c *database.Clause) (bool, error) {
	if machine.Lasts(m, c.Pred) {
		return machine.EraseLasting(m, c)
	}
	if !m.Tx().Erase(c) {
		return false, nil
	}
	if m.Tx().Owns(c) {
		_ = m.Hold(-c.Bytes())
	}
	return true, nil
}

// retractall is retractall/1 (ISO 13211-1, 8.9.5). It makes an unknown predicate dynamic, as SWI-Prolog does. It
// charges for each clause, because the loop runs over the whole predicate without a call.
func retractall(m *machine.Machine, a []cell) (bool, error) {
	head, mod := m.StripModule(a[0])
	if stacks.IsVar(head) || ofAnyModule(m, head) {
		return false, m.InstantiationError()
	}
	if !stacks.IsCallable(head) {
		return false, m.TypeError("callable", head)
	}
	p := target(m, mod, head)
	if err := modifiable(m, p); err != nil {
		return false, err
	}
	for s := m.ClausesFor(p, head); ; {
		c, _ := m.NextClause(&s, head)
		if c == nil {
			return true, nil
		}
		if m.HeadUnifies(c, head) {
			if _, err := erase(m, c); err != nil {
				return false, err
			}
		}
		if err := m.Charge(1); err != nil {
			return false, err
		}
	}
}

// abolish is abolish/1 (ISO 13211-1, 8.9.4). It succeeds for a predicate that does not exist. It checks only the form
// of the indicator; abolishPred checks the rest.
func abolish(m *machine.Machine, a []cell) (bool, error) {
	pi, mod := m.StripModule(a[0])
	if stacks.IsVar(pi) {
		return false, m.InstantiationError()
	}
	if !stacks.IsCompound(pi) || m.Functor(pi) != code.FSlash {
		return false, m.TypeError("predicate_indicator", pi)
	}
	return abolishPred(m, mod, m.Arg(pi, 0), m.Arg(pi, 1))
}

// abolish2 is abolish/2. It comes from SWI-Prolog: the name and the arity are separate arguments, and the errors are
// those of abolish/1.
func abolish2(m *machine.Machine, a []cell) (bool, error) {
	name, mod := m.StripModule(a[0])
	return abolishPred(m, mod, name, a[1])
}

// abolishPred erases the clauses of a dynamic predicate. Within a transaction the predicate stays dynamic, because
// others still see its clauses. Static predicates are refused, as the standard asks. Outside of a transaction the
// predicate is unknown afterwards, so that calling it is an existence error.
func abolishPred(m *machine.Machine, mod *database.Module, name, arity cell) (bool, error) {
	functor, err := functorArg(m, name, arity)
	if err != nil {
		return false, err
	}
	p := mod.Resolve(functor)
	if p == nil || p.Has(database.Dynamic) && inherited(mod, functor, p) {
		return true, nil
	}
	if !p.Has(database.Dynamic) {
		return false, permission(m, "modify", "static_procedure", p)
	}
	if err := erasePred(m, p); err != nil {
		return false, err
	}
	if d := m.Tx().Definer(); d != nil && m.Tx().Direct() {
		d.Clear(p, database.Dynamic|database.Defined)
	}
	return true, nil
}

// functorArg returns the functor of a name and an arity given as terms. The errors are those of abolish/1
// (8.9.4.3). An arity beyond the machine's registers is a representation error.
func functorArg(m *machine.Machine, name, arity cell) (cell, error) {
	name, arity = m.Deref(name), m.Deref(arity)
	if stacks.IsVar(name) || stacks.IsVar(arity) {
		return 0, m.InstantiationError()
	}
	if name.Tag() != code.Atom {
		return 0, m.TypeError("atom", name)
	}
	n, err := m.IntArg(arity)
	if err != nil {
		return 0, err
	}
	if n < 0 {
		return 0, m.DomainError("not_less_than_zero", arity)
	}
	if n > 255 {
		return 0, m.RepresentationError("max_arity")
	}
	return code.MakeFunctor(name.Atom(), n), nil
}

// erasePred erases the clauses that the run sees now. It charges for each clause, visible or not, as there may be a
// million.
func erasePred(m *machine.Machine, p *database.Pred) error {
	view, list := m.Tx().Clauses(p)
	for _, c := range list {
		if m.Tx().Sees(c, view) {
			if _, err := erase(m, c); err != nil {
				return err
			}
		}
		if err := m.Charge(1); err != nil {
			return err
		}
	}
	return nil
}
