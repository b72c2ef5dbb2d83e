package builtin

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines unification and comparison of terms (ISO 13211-1, 8.2 and 8.4). The compiler makes instructions
// of =/2 and of the comparisons; the functions here serve calls through call/N and goals that are not compiled.

var compareTable = []machine.Builtin{
	{Name: "=", Arity: 2, Func: equal, Modes: "?term, ?term", Doc: "Unifies two terms."},
	{Name: "$unify", Arity: 2, Func: equal, Modes: "?term, ?term",
		Doc: "As =/2; not compiled, so that it heeds the flag occurs_check."},
	{Name: "$unify", Arity: 3, Func: equal, Modes: "?term, ?term, +predicate",
		Doc: "As $unify/2; under occurs_check=error the context of the error is Predicate."},
	{Name: "unify_with_occurs_check", Arity: 2, Func: unifyWithOccursCheck, Modes: "?term, ?term",
		Doc: "Unifies two terms, failing where the result would contain itself."},
	{Name: "subsumes_term", Arity: 2, Func: subsumesTerm, Modes: "@term, @term",
		Doc: "The first term can be made equal to the second by binding its own variables only."},
	{Name: "unifiable", Arity: 3, Func: unifiable, Modes: "@term, @term, -list",
		Doc: "The list holds Variable = Value for each binding that would unify the terms."},
	{Name: "?=", Arity: 2, Func: decided, Modes: "@term, @term",
		Doc: "Whether the terms are equal can be decided now: they are identical or cannot be unified."},
	{Name: "==", Arity: 2, Func: ordered(func(d int) bool { return d == 0 }), Modes: "@term, @term",
		Doc: "The terms are identical."},
	{Name: "\\==", Arity: 2, Func: ordered(func(d int) bool { return d != 0 }), Modes: "@term, @term",
		Doc: "The terms are not identical."},
	{Name: "@<", Arity: 2, Func: ordered(func(d int) bool { return d < 0 }), Modes: "@term, @term",
		Doc: "The first term comes before the second in the standard order."},
	{Name: "@>", Arity: 2, Func: ordered(func(d int) bool { return d > 0 }), Modes: "@term, @term",
		Doc: "The first term comes after the second in the standard order."},
	{Name: "@=<", Arity: 2, Func: ordered(func(d int) bool { return d <= 0 }), Modes: "@term, @term",
		Doc: "The first term does not come after the second in the standard order."},
	{Name: "@>=", Arity: 2, Func: ordered(func(d int) bool { return d >= 0 }), Modes: "@term, @term",
		Doc: "The first term does not come before the second in the standard order."},
	{Name: "same_term", Arity: 2, Func: sameTerm, Modes: "@term, @term",
		Doc: "The terms are the same variable, the same atomic term or one compound in memory."},
	{Name: "compare", Arity: 3, Func: compare, Modes: "-atom, @term, @term", Doc: "The order of two terms: <, = or >."},
	{Name: "=@=", Arity: 2, Func: variant, Modes: "@term, @term",
		Doc: "The terms are equal but for the names of their variables."},
	{Name: "\\=@=", Arity: 2, Func: notVariant, Modes: "@term, @term",
		Doc: "The terms differ by more than the names of their variables."},
}

// equal is =/2 and $unify/2,3. It unifies as the flag occurs_check says, which is an extension of SWI-Prolog.
func equal(m *machine.Machine, a []cell) (bool, error) {
	switch mode := ioOf(m).Flag("occurs_check"); mode {
	case term.Term(term.True):
		return unifyWithOccursCheck(m, a)
	case term.Term(term.Atom("error")):
		if len(a) == 3 {
			return unifyOrThrow(m, a, m.NewStruct("context", a[2], m.NewVar()))
		}
		ok, err := unifyOrThrow(m, a, m.NewVar())
		return ok, machine.InContext(err, code.FEqual)
	}
	return m.Unify(a[0], a[1]), nil
}

// unifyWithOccursCheck is unify_with_occurs_check/2 (ISO 13211-1, 8.2.2). It unifies first and looks for a cycle
// after. Unification without the check is what the machine does fast, and failure undoes it. Of terms that are cyclic
// already each binding is looked at.
func unifyWithOccursCheck(m *machine.Machine, a []cell) (bool, error) {
	if !m.IsAcyclic(a[0]) || !m.IsAcyclic(a[1]) {
		pairs, ok := m.Unifier(a[0], a[1], true)
		return ok && machine.OccursError(m, pairs, code.ANil) == nil && m.Unify(a[0], a[1]), nil
	}
	return m.Unify(a[0], a[1]) && m.IsAcyclic(a[0]), nil
}

// unifyOrThrow unifies under the flag occurs_check=error. It throws where unification would make a term that contains
// itself.
func unifyOrThrow(m *machine.Machine, a []cell, context cell) (bool, error) {
	pairs, ok := m.Unifier(a[0], a[1], true)
	if !ok || len(pairs) == 0 {
		return ok, nil
	}
	if err := machine.OccursError(m, pairs, context); err != nil {
		return false, err
	}
	return unifyWithOccursCheck(m, a)
}

// checkedUnifier is the unifier of two terms as the flag occurs_check allows it.
func checkedUnifier(m *machine.Machine, a []cell) (pairs []cell, ok bool, err error) {
	mode := ioOf(m).Flag("occurs_check")
	pairs, ok = m.Unifier(a[0], a[1], mode != term.Term(term.True))
	if ok && mode == term.Term(term.Atom("error")) {
		if _, finite := m.Unifier(a[0], a[1], false); !finite {
			_, err = unifyOrThrow(m, a, m.NewVar())
			return nil, false, err
		}
	}
	return pairs, ok, nil
}

// subsumesTerm is subsumes_term/2 (ISO 13211-1, 8.2.4). It leaves no bindings.
func subsumesTerm(m *machine.Machine, a []cell) (bool, error) { return subsumes(m, a[0], a[1]) }

// unifiable is unifiable/3 of SWI-Prolog. It binds nothing, so no goal of an attributed variable runs. The list is []
// for terms that are equal already.
func unifiable(m *machine.Machine, a []cell) (bool, error) {
	pairs, ok, err := checkedUnifier(m, a)
	if !ok {
		return false, err
	}
	var items []cell
	for i := 0; i < len(pairs); i += 2 {
		items = append(items, m.NewCompound(code.FEqual, pairs[i:i+2]))
	}
	return m.Unify(a[2], m.List(items, code.ANil)), nil
}

// decided is ?=/2: the unifier does not exist, or is empty. dif/2 of such terms succeeds or fails at once and need not
// wait.
func decided(m *machine.Machine, a []cell) (bool, error) {
	pairs, ok, err := checkedUnifier(m, a)
	return err == nil && (!ok || len(pairs) == 0), err
}

// ordered returns a predicate of 8.4.1: holds says for which results of comparing the arguments it is true. The
// comparison throws nothing and binds nothing. Variables are ordered by age, which a collection keeps.
func ordered(holds func(d int) bool) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		return holds(m.Compare(a[0], a[1])), nil
	}
}

// sameTerm is same_term/2. Equal compounds at different addresses are different to it. Atomic terms are compared by
// value, because a large integer, a float or a string may lie on the heap twice.
func sameTerm(m *machine.Machine, a []cell) (bool, error) {
	x, y := m.Deref(a[0]), m.Deref(a[1])
	return x == y || x.IsAtomic() && y.IsAtomic() && m.Identical(x, y), nil
}

// orderAtoms are the results of compare/3, in the order of the results of Machine.Compare plus 1.
var orderAtoms = [3]cell{code.AtomCell("<"), code.AEqual, code.AtomCell(">")}

// compare is compare/3 (ISO 13211-1, 8.4.2). The order is checked first: compare(<>, a, b) is an error and not false.
func compare(m *machine.Machine, a []cell) (bool, error) {
	switch order := m.Deref(a[0]); {
	case machine.IsVar(order), order == orderAtoms[0], order == orderAtoms[1], order == orderAtoms[2]:
	case order.Tag() == code.Atom:
		return false, m.DomainError("order", order)
	default:
		return false, m.TypeError("atom", order)
	}
	return m.Unify(a[0], orderAtoms[m.Compare(a[1], a[2])+1]), nil
}

// variant is =@=/2. It is of SWI-Prolog. The terms may be cyclic.
func variant(m *machine.Machine, a []cell) (bool, error) { return isVariant(m, a[0], a[1]) }

// notVariant is \=@=/2.
func notVariant(m *machine.Machine, a []cell) (bool, error) {
	same, err := isVariant(m, a[0], a[1])
	return !same, err
}
