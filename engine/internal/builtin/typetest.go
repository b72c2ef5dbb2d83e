package builtin

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines the predicates that test the type of a term (ISO 13211-1, 8.3). The compiler makes instructions
// of the most frequent ones; their functions serve call/N.

var typeTable = []machine.Builtin{
	{Name: "var", Arity: 1, Func: typeTest(func(_ *machine.Machine, c cell) bool { return machine.IsVar(c) }),
		Modes: "@term", Doc: "The term is an unbound variable."},
	{Name: "nonvar", Arity: 1, Func: typeTest(func(_ *machine.Machine, c cell) bool { return !machine.IsVar(c) }),
		Modes: "@term", Doc: "The term is not an unbound variable."},
	{Name: "atom", Arity: 1, Func: typeTest(isAtom), Modes: "@term", Doc: "The term is an atom."},
	{Name: "number", Arity: 1, Func: typeTest((*machine.Machine).IsNumber), Modes: "@term",
		Doc: "The term is an integer or a float."},
	{Name: "integer", Arity: 1, Func: typeTest((*machine.Machine).IsInteger), Modes: "@term",
		Doc: "The term is an integer."},
	{Name: "float", Arity: 1, Func: typeTest((*machine.Machine).IsFloat), Modes: "@term", Doc: "The term is a float."},
	{Name: "rational", Arity: 1, Func: typeTest(isRational), Modes: "@term",
		Doc: "The term is an integer or another rational number, such as 1r3."},
	{Name: "atomic", Arity: 1, Func: typeTest(func(_ *machine.Machine, c cell) bool { return c.IsAtomic() }),
		Modes: "@term", Doc: "The term is neither compound nor unbound."},
	{Name: "compound", Arity: 1, Func: typeTest(func(_ *machine.Machine, c cell) bool { return machine.IsCompound(c) }),
		Modes: "@term", Doc: "The term has arguments."},
	{Name: "callable", Arity: 1, Func: typeTest(func(_ *machine.Machine, c cell) bool { return machine.IsCallable(c) }),
		Modes: "@term", Doc: "The term is an atom or a compound."},
	{Name: "is_callable", Arity: 1, Func: typeTest(isCallableBody), Modes: "@term",
		Doc: "The term could be called: its control structures hold callable terms."},
	{Name: "is_list", Arity: 1, Func: typeTest((*machine.Machine).IsProperList), Modes: "@term",
		Doc: "The term is a list that ends in []."},
	{Name: "string", Arity: 1, Func: typeTest((*machine.Machine).IsString), Modes: "@term", Doc: "The term is a string."},
	{Name: "ground", Arity: 1, Func: typeTest((*machine.Machine).IsGround), Modes: "@term",
		Doc: "The term has no unbound variables."},
	{Name: "nonground", Arity: 2, Func: nonGround, Modes: "@term, -variable",
		Doc: "The first variable of a term that is not ground."},
	{Name: "cyclic_term", Arity: 1, Func: typeTest(func(m *machine.Machine, c cell) bool { return !m.IsAcyclic(c) }),
		Modes: "@term", Doc: "The term contains itself."},
	{Name: "acyclic_term", Arity: 1, Func: typeTest((*machine.Machine).IsAcyclic), Modes: "@term",
		Doc: "The term is a finite tree."},
	{Name: "blob", Arity: 2, Func: blob, Modes: "@term, -atom", Doc: "The term is an atom; its kind of blob is text."},
}

// typeTest returns the predicate that holds for the terms that pass a test. The test gets them dereferenced. Such a
// predicate throws nothing and binds nothing.
func typeTest(is func(m *machine.Machine, c cell) bool) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		return is(m, m.Deref(a[0])), nil
	}
}

// isAtom is atom/1.
func isAtom(_ *machine.Machine, c cell) bool { return c.Tag() == code.Atom }

// isCallableBody is is_callable/1. It descends into the control constructs of a body. A variable in the place of a goal
// is fine, because it may be bound to a goal before the call. Each control construct is visited once, as bodies may be
// cyclic.
func isCallableBody(m *machine.Machine, c cell) bool {
	if machine.IsVar(c) {
		return false
	}
	todo := []cell{c}
	seen := map[cell]bool{}
	for len(todo) > 0 {
		c := m.Deref(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		if machine.IsVar(c) || seen[c] {
			continue
		}
		if !machine.IsCallable(c) {
			return false
		}
		if machine.IsCompound(c) && code.Control(m.Functor(c)) {
			seen[c] = true
			for i := m.Functor(c).FunctorArity() - 1; i >= 0; i-- {
				todo = append(todo, m.Arg(c, i))
			}
		}
	}
	return true
}

// nonGround is nonground/2 of SWI-Prolog. The first variable is the leftmost one.
func nonGround(m *machine.Machine, a []cell) (bool, error) {
	vars := m.Variables(a[0])
	return len(vars) > 0 && m.Unify(a[1], vars[0]), nil
}

// blob is blob/2. Atoms are the only blobs here, and their type is text.
func blob(m *machine.Machine, a []cell) (bool, error) {
	return m.Deref(a[0]).Tag() == code.Atom && m.Unify(a[1], m.NewAtom("text")), nil
}

// isRational is rational/1. Integers are rational; floats are not.
func isRational(m *machine.Machine, c cell) bool { return m.IsInteger(c) || m.IsRatio(c) }
