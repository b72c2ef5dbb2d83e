package builtin

import (
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines unification that binds nothing, and the comparison of terms up to the
// names of their variables.

// manySteps is the number of pairs of subterms after which pairs are remembered, which ends
// the comparison of cyclic terms.
const manySteps = 10_000

// trial unifies terms without changing them.
type trial struct {
	m     *machine.Machine
	fixed map[cell]bool // variables that must keep their values; nil: none, and both sides are bound
	value map[cell]cell // what the other variables have been bound to
	order []cell        // those variables, in the order in which they were bound
	stack [][2]cell
	seen  map[[2]cell]bool
}

// deref follows variables through the bindings of the trial.
func (t *trial) deref(c cell) cell {
	for {
		c = t.m.Deref(c)
		v, ok := t.value[c]
		if !ok {
			return c
		}
		c = v
	}
}

// unify reports whether a and b can be made equal.
func (t *trial) unify(a, b cell) bool {
	t.stack = append(t.stack, [2]cell{a, b})
	for steps := 0; len(t.stack) > 0; steps++ {
		pair := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		a, b := t.deref(pair[0]), t.deref(pair[1])
		if a == b || steps > manySteps && t.known(a, b) {
			continue
		}
		if !t.pair(a, b) {
			return false
		}
	}
	return true
}

// known remembers a pair and reports whether it was met before.
func (t *trial) known(a, b cell) bool {
	if t.seen == nil {
		t.seen = map[[2]cell]bool{}
	}
	if t.seen[[2]cell{a, b}] {
		return true
	}
	t.seen[[2]cell{a, b}] = machine.IsCompound(a) && machine.IsCompound(b)
	return false
}

// pair unifies two different terms, leaving their arguments for later.
func (t *trial) pair(a, b cell) bool {
	m := t.m
	switch {
	case machine.IsVar(a) && !t.fixed[a]:
		return t.bind(a, b)
	case machine.IsVar(b) && t.fixed == nil:
		return t.bind(b, a)
	case machine.IsVar(a) || machine.IsVar(b):
		return false
	case !machine.IsCompound(a) || !machine.IsCompound(b):
		return a.Tag() == b.Tag() && !machine.IsCompound(a) && m.Unify(a, b)
	case m.Functor(a) != m.Functor(b):
		return false
	}
	for i := m.Functor(a).FunctorArity() - 1; i >= 0; i-- {
		t.stack = append(t.stack, [2]cell{m.Arg(a, i), m.Arg(b, i)})
	}
	return true
}

func (t *trial) bind(v, value cell) bool {
	if t.value == nil {
		t.value = map[cell]cell{}
	}
	t.value[v] = value
	t.order = append(t.order, v)
	return true
}

// isVariant reports whether a renaming of variables makes a and b identical.
func isVariant(m *machine.Machine, a, b cell) (bool, error) {
	left, right := map[cell]cell{}, map[cell]cell{}
	t := trial{m: m, stack: [][2]cell{{a, b}}}
	for steps := 1; len(t.stack) > 0; steps++ {
		if steps%1024 == 0 {
			if err := m.Charge(1024); err != nil {
				return false, err
			}
		}
		pair := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		a, b := m.Deref(pair[0]), m.Deref(pair[1])
		if machine.IsVar(a) && machine.IsVar(b) {
			if !sameRenaming(left, a, b) || !sameRenaming(right, b, a) {
				return false, nil
			}
			continue
		}
		if machine.IsVar(a) || machine.IsVar(b) {
			return false, nil
		}
		if steps > manySteps && t.known(a, b) {
			continue
		}
		if !t.pair(a, b) {
			return false, nil
		}
	}
	return true, nil
}

// sameRenaming maps a to b unless it has been mapped to something else.
func sameRenaming(names map[cell]cell, a, b cell) bool {
	if was, ok := names[a]; ok {
		return was == b
	}
	names[a] = b
	return true
}
