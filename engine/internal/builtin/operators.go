package builtin

import (
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the predicates on operators and on the conversion of characters (ISO 13211-1, 8.14.3-8.14.6).
//
// Operators belong to modules, as in SWI-Prolog. Those of module user are seen everywhere.

var operatorTable = []machine.Builtin{
	{Name: "op", Arity: 3, Func: defineOperator, Modes: "+priority, +specifier, +operators",
		Doc: "Makes atoms operators; priority 0 removes operators."},
	{Name: "current_op", Arity: 3, Func: currentOp, Modes: "?priority, ?specifier, ?operator",
		Doc: "Operator is an operator.", Nondet: true},
	{Name: "char_conversion", Arity: 2, Func: charConversion, Modes: "+character, +character",
		Doc: "The reader takes the first character, where it is not quoted, for the second, while the flag " +
			"char_conversion is on."},
	{Name: "current_char_conversion", Arity: 2, Func: currentCharConversion, Modes: "?character, ?character",
		Doc: "The reader replaces the first character by the second.", Nondet: true},
}

// defineOperator is op/3 (ISO 13211-1, 8.14.3). It checks all names of a list before it defines the first, so after an
// error none is defined. The errors come in this order: an unbound priority or specifier, the names, the priority, the
// specifier, an operator that may not be defined.
func defineOperator(m *machine.Machine, a []cell) (bool, error) {
	if stacks.IsVar(m.Deref(a[0])) || stacks.IsVar(m.Deref(a[1])) {
		return false, m.InstantiationError()
	}
	ops, mod := sourceModule(m, a[2])
	names, err := operatorNames(m, mod, ops)
	if err != nil {
		return false, err
	}
	priority, err := opPriority(m, m.Deref(a[0]))
	if err != nil {
		return false, err
	}
	specifier, err := m.AtomArg(a[1])
	if err != nil {
		return false, err
	}
	typ, ok := syntax.ParseOpType(specifier)
	if !ok {
		return false, m.DomainError("operator_specifier", a[1])
	}
	for _, n := range names {
		if err := checkOperator(m, n, priority, typ); err != nil {
			return false, err
		}
	}
	for _, n := range names {
		m.AddOp(n.mod, priority, typ, n.name)
	}
	return true, nil
}

// isQualified reports whether a dereferenced cell has the form Module:Term.
func isQualified(m *machine.Machine, c cell) bool {
	return c.Tag() == code.Str && m.Functor(c) == code.FColon
}

// sourceModule strips the module from a term and returns the term dereferenced. The default is the module of the
// current text.
func sourceModule(m *machine.Machine, c cell) (cell, *database.Module) {
	if c = m.Deref(c); isQualified(m, c) {
		return m.StripModule(c)
	}
	return c, m.Module()
}

// opPriority returns an argument that must be a priority, 0 to 1200. Priority 0 removes the operator.
func opPriority(m *machine.Machine, c cell) (int, error) {
	if !m.IsInteger(c) {
		return 0, m.TypeError("integer", c)
	}
	if c.Tag() != code.Int || c.Int() < 0 || c.Int() > 1200 {
		return 0, m.DomainError("operator_priority", c)
	}
	return int(c.Int()), nil
}

// operatorName is an operator to be defined, and its module.
type operatorName struct {
	mod  *database.Module
	name string
}

// operatorNames returns the operators that the third argument of op/3 names: an atom or a list of atoms. [] is a name,
// as in SWI-Prolog, where it can be a block operator. With the flag iso it is the empty list.
func operatorNames(m *machine.Machine, mod *database.Module, c cell) ([]operatorName, error) {
	c = m.Deref(c)
	if c.Tag() == code.Atom && (c != code.ANil || m.Flags().Lenient) {
		return []operatorName{{mod, stacks.AtomText(c)}}, nil
	}
	items, err := m.ListArg(c)
	if err != nil {
		return nil, err
	}
	var names []operatorName
	for _, item := range items {
		mod, name := mod, m.Deref(item)
		if isQualified(m, name) {
			name, mod = m.StripModule(name)
		}
		text, err := m.AtomArg(name)
		if err != nil {
			return nil, err
		}
		names = append(names, operatorName{mod, text})
	}
	return names, nil
}

// checkOperator returns the error for an operator that the standard forbids (8.14.3.3 and Cor.2). The comma cannot be
// changed. A bar may only be an infix operator of priority 1001 or more. [] and {} may be block operators unless the
// flag iso is set. An atom may be both infix and postfix only as in SWI-Prolog, without the flag iso.
func checkOperator(m *machine.Machine, n operatorName, priority int, typ syntax.OpType) error {
	infix := typ == syntax.XFX || typ == syntax.XFY || typ == syntax.YFX
	postfix := typ == syntax.XF || typ == syntax.YF
	name := term.Atom(n.name)
	action := ""
	_, isInfix := m.Ops().Infix(name)
	_, isPostfix := m.Ops().Postfix(name)
	switch {
	case n.name == ",":
		action = "modify"
	case n.name == "|" && (!infix || priority > 0 && priority < 1001):
		action = "create"
	case syntax.IsBlockOp(name) && !m.Flags().Lenient:
		action = "create"
	case !m.Flags().SWI && priority > 0 && (infix && isPostfix || postfix && isInfix):
		action = "create"
	}
	if action == "" {
		return nil
	}
	return m.PermissionError(action, "operator", m.NewAtom(n.name))
}

// currentOp is current_op/3 (ISO 13211-1, 8.14.4). Arguments that no operator could have are errors, and do not just
// fail (8.14.4.3). The priority is checked first, then the specifier and the name. Module:Name selects the operators of
// that module. The default is the module of the current text.
func currentOp(m *machine.Machine, a []cell) (bool, error) {
	priority, specifier := m.Deref(a[0]), m.Deref(a[1])
	name, ops := m.Deref(a[2]), m.Ops()
	if plain, mod := m.StripModule(name); plain != name {
		name, ops = plain, machine.OpsOf(&m.View, mod)
	}
	if !stacks.IsVar(priority) && (priority.Tag() != code.Int || priority.Int() < 0 || priority.Int() > 1200) {
		return false, m.DomainError("operator_priority", priority)
	}
	if !stacks.IsVar(specifier) {
		if specifier.Tag() != code.Atom {
			return false, m.DomainError("operator_specifier", specifier)
		}
		if _, ok := syntax.ParseOpType(stacks.AtomText(specifier)); !ok {
			return false, m.DomainError("operator_specifier", specifier)
		}
	}
	if !stacks.IsVar(name) && name.Tag() != code.Atom {
		return false, m.TypeError("atom", name)
	}
	return eachOp(m, operatorsFor(ops, priority, specifier, name))
}

// operatorsFor returns the operators that match the arguments of current_op/3. With a name it looks up that name only.
func operatorsFor(ops *syntax.Ops, priority, specifier, name cell) []syntax.Op {
	var all []syntax.Op
	if stacks.IsVar(name) {
		all = ops.All()
	} else {
		all = operatorsNamed(ops, term.Atom(stacks.AtomText(name)))
	}
	return slices.DeleteFunc(all, func(op syntax.Op) bool {
		return !stacks.IsVar(priority) && int(priority.Int()) != op.Priority ||
			!stacks.IsVar(specifier) && stacks.AtomText(specifier) != op.Type.String()
	})
}

// operatorsNamed returns the operators of a name: at most one prefix, one infix and one postfix operator.
func operatorsNamed(ops *syntax.Ops, name term.Atom) []syntax.Op {
	var list []syntax.Op
	for _, find := range []func(term.Atom) (syntax.Op, bool){ops.Prefix, ops.Infix, ops.Postfix} {
		if op, ok := find(name); ok {
			list = append(list, op)
		}
	}
	return list
}

// eachOp gives the answers of current_op/3, from the operators found when it was called.
func eachOp(m *machine.Machine, ops []syntax.Op) (bool, error) {
	return m.Alternatives(func(m *machine.Machine, a []cell) (ok, more bool, err error) {
		if len(ops) == 0 {
			return false, false, nil
		}
		o := ops[0]
		ops = ops[1:]
		name, _ := m.StripModule(a[2])
		ok = m.Unify(a[0], code.MakeInt(int64(o.Priority))) &&
			m.Unify(a[1], m.NewAtom(o.Type.String())) && m.Unify(name, m.NewAtom(string(o.Name)))
		return ok, len(ops) > 0, nil
	})
}

// charConversion is char_conversion/2 (ISO 13211-1, 8.14.5). It copies the map, because a reader may still use the old
// map. A conversion of a character to itself removes the entry.
func charConversion(m *machine.Machine, a []cell) (bool, error) {
	in, err := conversionChar(m, a[0])
	if err != nil {
		return false, err
	}
	out, err := conversionChar(m, a[1])
	if err != nil {
		return false, err
	}
	x := ioOf(m)
	conversion := maps.Clone(x.conversion)
	if conversion == nil {
		conversion = map[rune]rune{}
	}
	conversion[in] = out
	if in == out {
		delete(conversion, in)
	}
	x.conversion = conversion
	return true, nil
}

// conversionChar returns an argument that must be a character. An unbound argument is an instantiation error, any other
// term is the representation error character (8.14.5.3).
func conversionChar(m *machine.Machine, c cell) (rune, error) {
	c = m.Deref(c)
	if stacks.IsVar(c) {
		return 0, m.InstantiationError()
	}
	r, ok := stacks.OneChar(c)
	if !ok {
		return 0, m.RepresentationError("character")
	}
	return r, nil
}

// currentCharConversion is current_char_conversion/2 (ISO 13211-1, 8.14.6). By default every character converts to
// itself. With both arguments unbound only ASCII and the converted characters are enumerated, and not all of Unicode.
func currentCharConversion(m *machine.Machine, a []cell) (bool, error) {
	for _, c := range a {
		if d := m.Deref(c); !stacks.IsVar(d) && !isCharacter(d) {
			return false, m.RepresentationError("character")
		}
	}
	x := ioOf(m)
	if c := m.Deref(a[0]); !stacks.IsVar(c) {
		r, _ := conversionChar(m, c)
		return m.Unify(a[1], m.NewAtom(string(x.convert(r)))), nil
	}
	chars := slices.Sorted(maps.Keys(x.conversion))
	if c := m.Deref(a[1]); !stacks.IsVar(c) {
		r, _ := conversionChar(m, c)
		chars = append(chars, r)
	} else {
		for r := range rune(utf8.RuneSelf) {
			chars = append(chars, r)
		}
	}
	slices.Sort(chars)
	chars = slices.Compact(chars)
	return m.Alternatives(func(m *machine.Machine, a []cell) (ok, more bool, err error) {
		r := chars[0]
		chars = chars[1:]
		ok = m.Unify(a[0], m.NewAtom(string(r))) && m.Unify(a[1], m.NewAtom(string(x.convert(r))))
		return ok, len(chars) > 0, nil
	})
}

// charConversion returns the conversions for the reader, nil while the flag char_conversion is off.
func (x *IO) charConversion() map[rune]rune {
	if len(x.conversion) == 0 || x.Flag("char_conversion") != term.Term(term.Atom("on")) {
		return nil
	}
	return x.conversion
}

// convert returns the character that the reader takes for r.
func (x *IO) convert(r rune) rune {
	if to, ok := x.conversion[r]; ok {
		return to
	}
	return r
}
