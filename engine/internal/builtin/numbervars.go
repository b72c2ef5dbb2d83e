package builtin

import (
	"github.com/mcplogic/mcplogic/engine/internal/arith"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
)

// This file defines numbervars/1,3,4, which bind variables to terms '$VAR'(N). Writing with numbervars(true) shows
// these as letters and numbers.

var numberVarsTable = []machine.Builtin{
	{Name: "numbervars", Arity: 1, Func: numbervars1, Modes: "?term",
		Doc: "Binds the variables to '$VAR'(0), '$VAR'(1) ..."},
	{Name: "numbervars", Arity: 3, Func: numbervars, Modes: "?term, +integer, -integer",
		Doc: "Binds the variables to '$VAR'(Start) ..., up to End without End."},
	{Name: "numbervars", Arity: 4, Func: numbervarsOptions, Modes: "?term, +integer, -integer, +list",
		Doc: "As numbervars/3, with options functor_name(F), attvar(skip, bind or error), singletons(B)."},
}

// numbering holds the options of numbervars/4.
type numbering struct {
	functor    cell
	attributed string // what to do with attributed variables: bind, skip or error
	singletons bool   // variables that occur once become '$VAR'('_')
}

// plainNumbering holds the options of numbervars/1 and /3. Attributed variables are an error, because a binding would
// wake their goals.
var plainNumbering = numbering{functor: code.FVar, attributed: "error"}

// numbervars1 is numbervars/1. The numbers begin with 0.
func numbervars1(m *machine.Machine, a []cell) (bool, error) {
	_, err := plainNumbering.run(m, a[0], arith.Int(0))
	return err == nil, err
}

// numbervars is numbervars/3. The end is unified after the variables are bound. If that fails backtracking unbinds
// them.
func numbervars(m *machine.Machine, a []cell) (bool, error) { return plainNumbering.unify(m, a) }

// numbervarsOptions is numbervars/4.
func numbervarsOptions(m *machine.Machine, a []cell) (bool, error) {
	options, err := stream.OptionItems(m, a[3])
	if err != nil {
		return false, err
	}
	nv := plainNumbering
	for _, option := range options {
		if err := nv.option(m, m.Deref(option)); err != nil {
			return false, err
		}
	}
	return nv.unify(m, a)
}

// option sets one option of numbervars/4, whose value must be an atom. Unknown ones are ignored, whatever their value.
func (nv *numbering) option(m *machine.Machine, option cell) error {
	if option == code.AtomCell("singletons") {
		nv.singletons = true
		return nil
	}
	o, ok := stream.AsOption(m, option, "numbervar_option")
	if !ok {
		return m.DomainError("numbervar_option", option)
	}
	name, err := m.AtomArg(o.Value)
	switch o.Name {
	case "functor_name":
		nv.functor = code.MakeFunctor(m.NewAtom(name).Atom(), 1)
	case "attvar":
		if err == nil && name != "bind" && name != "skip" && name != "error" {
			return m.DomainError("numbervar_option", option)
		}
		nv.attributed = name
	case "singletons":
		nv.singletons = name == "true"
	default:
		return nil
	}
	return err
}

// unify numbers the variables of a[0] from a[1] and unifies a[2] with the next number.
func (nv numbering) unify(m *machine.Machine, a []cell) (bool, error) {
	start, err := arith.Integer(m, a[1])
	if err != nil {
		return false, err
	}
	end, err := nv.run(m, a[0], start)
	return err == nil && arith.Unify(m, a[2], end), err
}

// run binds the variables of a term and returns the number after the last one used. Attributed variables that are
// skipped take no number.
func (nv numbering) run(m *machine.Machine, t cell, next arith.Num) (arith.Num, error) {
	var single map[cell]bool
	if nv.singletons {
		single = singletons(m, t)
	}
	for _, v := range m.Variables(t) {
		v = m.Deref(v)
		if nv.attributed != "bind" && attrChain(m, v) != code.ANil {
			if nv.attributed == "error" {
				return next, m.TypeError("free_of_attvar", t)
			}
			continue
		}
		name := code.AtomCell("_")
		if !single[v] {
			name = arith.Store(m, next)
			next, _ = arith.Sum(m, next, arith.Int(1))
		}
		m.Unify(v, m.NewCompound(nv.functor, []cell{name}))
	}
	return next, nil
}

// singletons returns the variables of a term, true for those that occur once. It visits a compound twice at most.
// That is enough to count to two, and lets it end for cyclic terms.
func singletons(m *machine.Machine, t cell) map[cell]bool {
	single := map[cell]bool{}
	seen := map[cell]int{}
	todo := []cell{t}
	for len(todo) > 0 {
		c := m.Deref(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		if machine.IsVar(c) {
			_, again := single[c]
			single[c] = !again
		}
		if !machine.IsCompound(c) || seen[c] == 2 {
			continue
		}
		seen[c]++
		todo = append(todo, argsOf(m, c)...)
	}
	return single
}
