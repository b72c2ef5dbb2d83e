package terms

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/arith"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines the predicates that take terms apart and build them (ISO 13211-1, 8.5). What they build is
// bounded by MaxArity and by the memory limit, which is asked before the arguments are made.

var constructTable = []machine.Builtin{
	{Name: "functor", Arity: 3, Func: termFunctor, Modes: "?term, ?atomic, ?integer",
		Doc: "The name and arity of a term, or the most general term with them."},
	{Name: "functor", Arity: 4, Func: typedFunctor, Modes: "?term, ?atomic, ?integer, ?type",
		Doc: "As functor/3, with the type of the term: compound, atom, callable or atomic. foo() is a compound."},
	{Name: "arg", Arity: 3, Func: termArg, Nondet: true, Modes: "?integer, +compound, ?term",
		Doc: "An argument of a compound, counted from 1."},
	{Name: "=..", Arity: 2, Func: univ, Modes: "?term, ?list",
		Doc: "The list holds the name and the arguments of the term."},
	{Name: "compound_name_arity", Arity: 3, Func: compoundNameArity, Modes: "?compound, ?atom, ?integer",
		Doc: "The name and arity of a compound, or the most general compound with them."},
	{Name: "compound_name_arguments", Arity: 3, Func: compoundNameArguments, Modes: "?compound, ?atom, ?list",
		Doc: "The name and the list of arguments of a compound."},
	{Name: "copy_term", Arity: 2, Func: copying(true), Modes: "@term, -term",
		Doc: "A copy with fresh variables, with copies of their attributes. A ground term is its own copy."},
	{Name: "copy_term_nat", Arity: 2, Func: copying(false), Modes: "@term, -term",
		Doc: "A copy with fresh variables, without attributes. A ground term is its own copy."},
	{Name: "copy_term", Arity: 4, Func: copyingSome(true), Modes: "@term, @term, -term, -term",
		Doc: "Copies with only the variables of the first argument renamed; parts without these are shared."},
	{Name: "copy_term_nat", Arity: 4, Func: copyingSome(false), Modes: "@term, @term, -term, -term",
		Doc: "copy_term/4 without attributes."},
	{Name: "duplicate_term", Arity: 2, Func: duplicateTerm, Modes: "@term, -term",
		Doc: "A copy that shares nothing with the term."},
	{Name: "term_variables", Arity: 2, Func: termVariables, Modes: "@term, -list",
		Doc: "The variables of a term, in depth-first order."},
	{Name: "term_variables", Arity: 3, Func: termVariablesTail, Modes: "@term, -list, ?tail",
		Doc: "The variables of a term as a list that ends in Tail."},
	{Name: "setarg", Arity: 3, Func: setArg, Modes: "+integer, +compound, +term",
		Doc: "Replaces an argument; backtracking undoes it."},
	{Name: "nb_setarg", Arity: 3, Func: nbSetArg, Modes: "+integer, +compound, +term",
		Doc: "Replaces an argument by a copy; backtracking does not undo it."},
	{Name: "nb_linkarg", Arity: 3, Func: nbLinkArg, Modes: "+integer, +compound, +term",
		Doc: "Replaces an argument by the term itself; backtracking does not undo it, but undoes bindings of its variables."},
}

// termFunctor is functor/3 (ISO 13211-1, 8.5.1). An atomic term is its own name, with arity 0. For a term that is to be
// built the name is checked before the arity, as in the standard (8.5.1.3).
func termFunctor(m *machine.Machine, a []cell) (bool, error) {
	t := m.Deref(a[0])
	switch {
	case stacks.IsCompound(t):
		if err := needArguments(m, t); err != nil {
			return false, err
		}
		return unifyFunctor(m, a, t), nil
	case !stacks.IsVar(t):
		return unifyFunctor(m, a, t), nil
	}
	name, n, err := functorArgs(m, a)
	switch {
	case err != nil:
		return false, err
	case n == 0:
		return m.Unify(t, name), nil
	}
	return unifyOpen(m, t, name, n)
}

// needArguments returns the error of functor/3 and =../2 for a compound without arguments, such as foo(). They could
// not build it again: from its name and arity 0 they build an atom.
func needArguments(m *machine.Machine, t cell) error {
	if m.Functor(t).FunctorArity() == 0 {
		return m.DomainError("compound_non_zero_arity", t)
	}
	return nil
}

// unifyFunctor unifies a[1] and a[2] with the name and the arity of a dereferenced term.
func unifyFunctor(m *machine.Machine, a []cell, t cell) bool {
	name, arity := t, 0
	if stacks.IsCompound(t) {
		f := m.Functor(t)
		name, arity = f.FunctorName(), f.FunctorArity()
	}
	return m.Unify(a[1], name) && m.Unify(a[2], code.MakeInt(int64(arity)))
}

// functorArgs returns the name and the arity of a term that is to be built. A compound is no name (8.5.1.3). The errors
// come in this order: an unbound name, a compound name, those of the arity.
func functorArgs(m *machine.Machine, a []cell) (name cell, arity int, err error) {
	name = m.Deref(a[1])
	switch {
	case stacks.IsVar(name):
		return 0, 0, m.InstantiationError()
	case stacks.IsCompound(name):
		return 0, 0, m.TypeError("atomic", name)
	}
	arity, err = arityArg(m, a[2])
	return name, arity, err
}

// typedFunctor is functor/4 of SWI-Prolog. A known term has the type compound, atom or atomic. The type callable is
// accepted for atoms and compounds, and never returned. A compound such as foo() is no error here, because its type
// tells it from an atom.
func typedFunctor(m *machine.Machine, a []cell) (bool, error) {
	t := m.Deref(a[0])
	if stacks.IsVar(t) {
		return buildTyped(m, t, a)
	}
	kind := "atomic"
	switch {
	case stacks.IsCompound(t):
		kind = "compound"
	case t.Tag() == code.Atom:
		kind = "atom"
	}
	if wanted := m.Deref(a[3]); stacks.IsCallable(t) && wanted == m.NewAtom("callable") {
		kind = "callable"
	}
	return unifyFunctor(m, a, t) && m.Unify(a[3], m.NewAtom(kind)), nil
}

// buildTyped unifies a variable with the most general term of a name, an arity and a type. An unbound type follows from
// the name and the arity. It does not for an atom with arity 0, which is an instantiation error: the term may be the
// atom or a compound such as foo().
func buildTyped(m *machine.Machine, v cell, a []cell) (bool, error) {
	name, n, err := functorArgs(m, a)
	if err != nil {
		return false, err
	}
	if n > 0 && name.Tag() != code.Atom {
		return false, m.TypeError("atom", name)
	}
	byAtom := name.Tag() == code.Atom
	if stacks.IsVar(m.Deref(a[3])) && (n > 0 || !byAtom) { // there is one type only
		if n == 0 {
			return m.Unify(v, name) && m.Unify(a[3], m.NewAtom("atomic")), nil
		}
		return m.Unify(v, openCompound(m, name, n)) && m.Unify(a[3], m.NewAtom("compound")), nil
	}
	kind, err := m.AtomArg(a[3])
	if err != nil {
		return false, err
	}
	switch kind {
	case "compound":
		return byAtom && m.Unify(v, openCompound(m, name, n)), nil
	case "callable":
		if n > 0 {
			return m.Unify(v, openCompound(m, name, n)), nil
		}
		return byAtom && m.Unify(v, name), nil
	case "atom":
		return byAtom && n == 0 && m.Unify(v, name), nil
	case "atomic":
		return !byAtom && n == 0 && m.Unify(v, name), nil
	}
	return false, m.DomainError("functor_type", a[3])
}

// arityArg returns an argument that must be an arity. It fails unless the heap may take a compound of that arity, at
// a word for the argument and a word for the variable.
func arityArg(m *machine.Machine, c cell) (int, error) {
	n, err := arith.Natural(m, c)
	if err != nil {
		return 0, err
	}
	if n > code.MaxArity {
		return 0, m.RepresentationError("max_arity")
	}
	return n, machine.Fits(m, n*16)
}

// unifyOpen unifies a variable with name(_, ..., _). Only an atom can be the name of a compound. The caller
// has asked for the room (see arityArg).
func unifyOpen(m *machine.Machine, v, name cell, arity int) (bool, error) {
	if name.Tag() != code.Atom {
		return false, m.TypeError("atom", name)
	}
	return m.Unify(v, openCompound(m, name, arity)), nil
}

// openCompound returns name(_, ..., _).
func openCompound(m *machine.Machine, name cell, arity int) cell {
	args := make([]cell, arity)
	for i := range args {
		args[i] = m.NewVar()
	}
	return m.NewCompound(code.MakeFunctor(name.Atom(), arity), args)
}

// termArg is arg/3 (ISO 13211-1, 8.5.2). An unbound number enumerates the arguments, as SWI-Prolog does; the standard
// asks for an error. The compound is checked before the number. A negative number is a domain error; 0 and a number
// beyond the arity fail.
func termArg(m *machine.Machine, a []cell) (bool, error) {
	t := m.Deref(a[1])
	if !stacks.IsCompound(t) {
		return false, m.TypeError("compound", t)
	}
	arity := m.Functor(t).FunctorArity()
	if stacks.IsVar(m.Deref(a[0])) {
		return eachArg(m, arity)
	}
	n, err := arith.Natural(m, a[0])
	if err != nil || n == 0 || n > arity {
		return false, err
	}
	return m.Unify(a[2], m.Arg(t, n-1)), nil
}

// eachArg answers arg/3 with each number. It fetches the compound anew for each answer, since a collection may have
// moved it. The last argument leaves no choice point.
func eachArg(m *machine.Machine, arity int) (bool, error) {
	i := 0
	return m.Alternatives(func(m *machine.Machine, a []cell) (ok, more bool, err error) {
		if i == arity {
			return false, false, nil
		}
		i++
		ok = m.Unify(a[2], m.Arg(m.Deref(a[1]), i-1)) && m.Unify(a[0], code.MakeInt(int64(i)))
		return ok, i < arity, nil
	})
}

// univ is =../2 (ISO 13211-1, 8.5.3). With a nonvariable term the second argument must still be a list or a partial
// list.
func univ(m *machine.Machine, a []cell) (bool, error) {
	t := m.Deref(a[0])
	if stacks.IsVar(t) {
		return buildUniv(m, t, a[1])
	}
	if err := partialListArg(m, a[1]); err != nil {
		return false, err
	}
	if stacks.IsCompound(t) {
		if err := needArguments(m, t); err != nil {
			return false, err
		}
	}
	return m.Unify(a[1], m.List(nameAndArgs(m, t), code.ANil)), nil
}

// nameAndArgs returns the name and the arguments of a dereferenced term. An atomic term is its own name.
func nameAndArgs(m *machine.Machine, t cell) []cell {
	if !stacks.IsCompound(t) {
		return []cell{t}
	}
	return append([]cell{m.Functor(t).FunctorName()}, argsOf(m, t)...)
}

// argsOf returns the arguments of a dereferenced compound in a slice of Go. It is valid until the built-in returns.
func argsOf(m *machine.Machine, t cell) []cell {
	args := make([]cell, m.Functor(t).FunctorArity())
	for i := range args {
		args[i] = m.Arg(t, i)
	}
	return args
}

// buildUniv unifies a variable with the term that a list describes. A list of one element is that element, which must
// be atomic. The errors come in this order: a partial list, an empty list, an unbound name, and the name of a term with
// arguments that is no atom.
func buildUniv(m *machine.Machine, v, list cell) (bool, error) {
	items, err := m.ListArg(list)
	if err != nil {
		return false, err
	}
	if len(items) == 0 {
		return false, m.DomainError("non_empty_list", list)
	}
	name := m.Deref(items[0])
	switch {
	case stacks.IsVar(name):
		return false, m.InstantiationError()
	case len(items) > 1:
		return unifyCompound(m, v, name, items[1:])
	case stacks.IsCompound(name):
		return false, m.TypeError("atomic", name)
	}
	return m.Unify(v, name), nil
}

// unifyCompound unifies a variable with name(args...). A number cannot be the name of a compound (8.5.3.3).
func unifyCompound(m *machine.Machine, v, name cell, args []cell) (bool, error) {
	if name.Tag() != code.Atom {
		return false, m.TypeError("atom", name)
	}
	if len(args) > code.MaxArity {
		return false, m.RepresentationError("max_arity")
	}
	return m.Unify(v, m.NewCompound(code.MakeFunctor(name.Atom(), len(args)), args)), nil
}

// compoundNameArity is compound_name_arity/3 of SWI-Prolog, functor/3 for compounds alone, with arguments or without. A
// term that is atomic is a type error. Arity 0 makes a compound such as foo(), which functor/3 cannot make.
func compoundNameArity(m *machine.Machine, a []cell) (bool, error) {
	t := m.Deref(a[0])
	switch {
	case stacks.IsCompound(t):
		return unifyFunctor(m, a, t), nil
	case !stacks.IsVar(t):
		return false, m.TypeError("compound", t)
	}
	name := m.Deref(a[1])
	if stacks.IsVar(name) {
		return false, m.InstantiationError()
	}
	n, err := arityArg(m, a[2])
	if err != nil {
		return false, err
	}
	return unifyOpen(m, t, name, n)
}

// compoundNameArguments is compound_name_arguments/3 of SWI-Prolog, =../2 for compounds alone. An empty list makes a
// compound such as foo(), where =../2 makes an atom.
func compoundNameArguments(m *machine.Machine, a []cell) (bool, error) {
	t := m.Deref(a[0])
	switch {
	case stacks.IsCompound(t):
		return m.Unify(a[1], m.Functor(t).FunctorName()) && m.Unify(a[2], m.List(argsOf(m, t), code.ANil)), nil
	case !stacks.IsVar(t):
		return false, m.TypeError("compound", t)
	}
	name := m.Deref(a[1])
	if stacks.IsVar(name) {
		return false, m.InstantiationError()
	}
	args, err := m.ListArg(a[2])
	if err != nil {
		return false, err
	}
	return unifyCompound(m, t, name, args)
}

// copying returns copy_term/2 (ISO 13211-1, 8.5.4) or copy_term_nat/2. A ground term is its own copy, as in SWI-Prolog.
// A program that changes such terms by setarg/3 has duplicate_term/2.
func copying(attrs bool) func(m *machine.Machine, a []cell) (bool, error) {
	return func(m *machine.Machine, a []cell) (bool, error) {
		if m.IsGround(a[0]) {
			return m.Unify(a[1], a[0]), nil
		}
		return m.Unify(a[1], stacks.ShareTerm(&m.Terms, a[0], attrs, nil)), nil
	}
}

// copyingSome returns copy_term/4 or copy_term_nat/4, which copy a pair of a[0] and a[1] and keep the variables that
// a[0] does not have.
func copyingSome(attrs bool) func(m *machine.Machine, a []cell) (bool, error) {
	return func(m *machine.Machine, a []cell) (bool, error) {
		renamed := map[cell]bool{}
		for _, v := range m.Variables(a[0]) {
			renamed[v] = true
		}
		if len(renamed) == 0 {
			return m.Unify(a[2], a[0]) && m.Unify(a[3], a[1]), nil
		}
		kept := slices.DeleteFunc(m.Variables(a[1]), func(v cell) bool { return renamed[v] })
		pair := stacks.ShareTerm(&m.Terms, m.NewCompound(code.FMinus, []cell{a[0], a[1]}), attrs, kept)
		return m.Unify(a[2], m.Arg(pair, 0)) && m.Unify(a[3], m.Arg(pair, 1)), nil
	}
}

// duplicateTerm is duplicate_term/2, whose copy shares nothing with the term, and within itself what the term does.
func duplicateTerm(m *machine.Machine, a []cell) (bool, error) {
	return m.Unify(a[1], stacks.Duplicate(&m.Terms, a[0])), nil
}

// termVariables is term_variables/2 (ISO 13211-1, 8.5.5), from left to right in depth first order. The second argument
// must be a list or a partial list, as Cor.2 of the standard asks.
func termVariables(m *machine.Machine, a []cell) (bool, error) {
	if err := partialListArg(m, a[1]); err != nil {
		return false, err
	}
	return m.Unify(a[1], m.List(m.Variables(a[0]), code.ANil)), nil
}

// termVariablesTail is term_variables/3, a difference list of the variables. The tail is not checked.
func termVariablesTail(m *machine.Machine, a []cell) (bool, error) {
	return m.Unify(a[1], m.List(m.Variables(a[0]), a[2])), nil
}

// setArg is setarg/3: backtracking restores the old argument.
func setArg(m *machine.Machine, a []cell) (bool, error) {
	return assignArg(m, a, false, func(t cell, i int, v cell) { m.SetArg(t, i, v, true) })
}

// nbSetArg is nb_setarg/3: the argument is a copy and stays after backtracking.
func nbSetArg(m *machine.Machine, a []cell) (bool, error) {
	return assignArg(m, a, true, func(t cell, i int, v cell) { m.SetArg(t, i, v, false) })
}

// nbLinkArg is nb_linkarg/3: the argument is the term itself and stays after backtracking.
func nbLinkArg(m *machine.Machine, a []cell) (bool, error) {
	return assignArg(m, a, true, func(c cell, i int, v cell) { stacks.LinkArg(&m.Terms, c, i, v) })
}

// assignArg replaces argument a[0] of a[1] by a[2]. It fails when there is no such argument. The number is checked
// before the compound. A negative number is a domain error.
func assignArg(m *machine.Machine, a []cell, lasts bool, assign func(t cell, i int, v cell)) (bool, error) {
	n, err := arith.Natural(m, a[0])
	if err != nil {
		return false, err
	}
	t := m.Deref(a[1])
	if !stacks.IsCompound(t) {
		return false, m.TypeError("compound", t)
	}
	if n == 0 || n > m.Functor(t).FunctorArity() {
		return false, nil
	}
	assign(t, n-1, a[2])
	if lasts {
		machine.Outlasts(m, t.Addr())
	}
	return true, nil
}
