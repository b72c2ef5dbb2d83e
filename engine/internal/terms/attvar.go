package terms

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines attributed variables (SWI-Prolog's manual, section 8.1). The attributes of a variable are a chain
// att(Module, Value, More) that ends in [].
//
// The machine knows the chain only as one term beside the variable. It calls the hooks of the modules when the
// variable is bound; library(dif), when/2, freeze/2 and clpfd are built on that.

var attvarTable = []machine.Builtin{
	{Name: "attvar", Arity: 1, Func: attvar, Modes: "@term", Doc: "Term is an attributed variable."},
	{Name: "put_attr", Arity: 3, Func: putAttr, Modes: "+variable, +module, +value",
		Doc: "Gives variable the attribute value under the name module."},
	{Name: "get_attr", Arity: 3, Func: getAttr, Modes: "+variable, +module, -value",
		Doc: "Value is the attribute of variable under the name module."},
	{Name: "del_attr", Arity: 2, Func: delAttr, Modes: "+variable, +module",
		Doc: "Removes the attribute with the name module from variable."},
	{Name: "put_attrs", Arity: 2, Func: putAttrs, Modes: "+variable, +attributes",
		Doc: "Gives variable all its attributes as att/3 chain."},
	{Name: "get_attrs", Arity: 2, Func: getAttrs, Modes: "+variable, -attributes",
		Doc: "Attributes is the att/3 chain of all attributes of variable."},
	{Name: "term_attvars", Arity: 2, Func: termAttvars, Modes: "@term, -variables",
		Doc: "Variables are the attributed variables of term and those in their attributes."},
	{Name: "$attvars_since", Arity: 2, Func: attvarsSince, Modes: "+mark, -variables",
		Doc: "Variables are the attributed ones made since the compound mark was."},
	{Name: "$unifier", Arity: 3, Func: unifierWith(code.FMinus), Modes: "+a, +b, -pairs",
		Doc: "Pairs are the bindings Variable-Value that would make a and b equal; fails if nothing would."},
}

// fnAtt is the functor of the chain, which programs see by get_attrs/2.
var fnAtt = code.Functor("att", 3)

// attvar is attvar/1. A variable whose attributes have all been deleted is an ordinary one again.
func attvar(m *machine.Machine, a []cell) (bool, error) {
	chain, ok := m.Attributes(m.Deref(a[0]))
	return ok && m.Deref(chain) != code.ANil, nil
}

// attrChain returns the attributes of a dereferenced variable, [] when there are none.
func attrChain(m *machine.Machine, v cell) cell {
	if attrs, ok := m.Attributes(v); ok {
		return m.Deref(attrs)
	}
	return code.ANil
}

// findAttr returns the att/3 cell of a module in a chain. ok is false at the end of the chain, and at a term of another
// form, which put_attrs/2 may have put there.
func findAttr(m *machine.Machine, chain, module cell) (att cell, ok bool) {
	for stacks.IsCompound(chain) && m.Functor(chain) == fnAtt {
		if m.Deref(m.Arg(chain, 0)) == module {
			return chain, true
		}
		chain = m.Deref(m.Arg(chain, 2))
	}
	return 0, false
}

// putAttr is put_attr/3. It changes the value in place, on the trail, so the chain keeps its order, by which the hooks
// are called. A term that is bound is reported before a module that is no atom.
func putAttr(m *machine.Machine, a []cell) (bool, error) {
	v, module := m.Deref(a[0]), m.Deref(a[1])
	m.RestrictRest()
	if !stacks.IsVar(v) {
		return false, m.UninstantiationError(v)
	}
	if module.Tag() != code.Atom {
		return false, m.TypeError("atom", module)
	}
	chain := attrChain(m, v)
	if att, ok := findAttr(m, chain, module); ok {
		m.SetArg(att, 1, a[2], true)
		return true, nil
	}
	att := m.NewCompound(fnAtt, []cell{module, a[2], code.ANil})
	last := chain
	for stacks.IsCompound(chain) {
		last, chain = chain, m.Deref(m.Arg(chain, 2))
	}
	if stacks.IsCompound(last) {
		m.SetArg(last, 2, att, true) // hooks are called in the order in which modules have put theirs
	} else {
		m.PutAttributes(v, att)
	}
	return true, nil
}

// getAttr is get_attr/3. It fails for terms that are no variables, as in SWI-Prolog. The module must be known:
// get_attrs/2 is there for all of them.
func getAttr(m *machine.Machine, a []cell) (bool, error) {
	v, module := m.Deref(a[0]), m.Deref(a[1])
	att, ok := findAttr(m, attrChain(m, v), module)
	return ok && m.Unify(a[2], m.Arg(att, 1)), nil
}

// delAttr is del_attr/2. It builds the chain anew without the module, because backtracking needs the old one. It
// succeeds for a module without an attribute and for a term that is no variable, as in SWI-Prolog.
func delAttr(m *machine.Machine, a []cell) (bool, error) {
	v, module := m.Deref(a[0]), m.Deref(a[1])
	chain := attrChain(m, v)
	if _, ok := findAttr(m, chain, module); !ok {
		return true, nil
	}
	var rest []cell
	for ; stacks.IsCompound(chain); chain = m.Deref(m.Arg(chain, 2)) {
		if m.Deref(m.Arg(chain, 0)) != module {
			rest = append(rest, chain)
		}
	}
	list := code.ANil
	for i := len(rest) - 1; i >= 0; i-- {
		list = m.NewCompound(fnAtt, []cell{m.Arg(rest[i], 0), m.Arg(rest[i], 1), list})
	}
	m.PutAttributes(v, list)
	return true, nil
}

// putAttrs is put_attrs/2. The chain is not checked; a term of another form has no attributes. Backtracking restores
// the old chain.
func putAttrs(m *machine.Machine, a []cell) (bool, error) {
	v := m.Deref(a[0])
	m.RestrictRest()
	if !stacks.IsVar(v) {
		return false, m.UninstantiationError(v)
	}
	m.PutAttributes(v, a[1])
	return true, nil
}

// getAttrs is get_attrs/2. It fails for a variable without attributes and for other terms, as in SWI-Prolog. The chain
// is the one in use and no copy, so a program sees later changes by put_attr/3 in it.
func getAttrs(m *machine.Machine, a []cell) (bool, error) {
	attrs, ok := m.Attributes(m.Deref(a[0]))
	return ok && m.Unify(a[1], attrs), nil
}

// termAttvars is term_attvars/2. Attributes may contain further attributed variables, and even their own variable, so
// each is visited once. Each visit is charged. The variables of the term come first in the list, then those in their
// attributes.
func termAttvars(m *machine.Machine, a []cell) (bool, error) {
	var list []cell
	seen := map[cell]bool{}
	for todo := []cell{a[0]}; len(todo) > 0; todo = todo[1:] {
		for _, v := range m.Variables(todo[0]) {
			attrs := attrChain(m, m.Deref(v))
			if attrs == code.ANil || seen[v] {
				continue
			}
			seen[v] = true
			list = append(list, v)
			todo = append(todo, attrs)
		}
		if err := m.Charge(1); err != nil {
			return false, err
		}
	}
	return m.Unify(a[1], m.List(list, code.ANil)), nil
}

// attvarsSince is $attvars_since/2, on which call_residue_vars/2 stands. Those whose attributes are all gone do not
// count. The mark must be a compound, because its address tells which variables are younger.
func attvarsSince(m *machine.Machine, a []cell) (bool, error) {
	if !stacks.IsCompound(m.Deref(a[0])) {
		return false, m.TypeError("compound", a[0])
	}
	var list []cell
	for _, v := range m.AttributedSince(a[0]) {
		if attrChain(m, m.Deref(v)) != code.ANil {
			list = append(list, v)
		}
	}
	return m.Unify(a[1], m.List(list, code.ANil)), nil
}
