package builtin

import (
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines one-sided unification, and the comparison of terms up to the names of their variables. Neither
// binds anything, so neither needs the trail, and nothing wakes up.

// manySteps is the number of pairs of subterms after which pairs are remembered. Remembering ends the comparison of
// cyclic terms and of terms that share many parts. It costs an entry a pair, which small terms do not pay.
const manySteps = 10_000

// pairing walks two terms side by side, with a stack of its own.
type pairing struct {
	m     *machine.Machine
	stack [][2]cell
	steps int
	seen  map[[2]cell]bool
}

// next returns the next pair of subterms, not dereferenced. It charges the steps by the thousand. more is
// false when all pairs have been compared.
func (p *pairing) next() (a, b cell, more bool, err error) {
	if len(p.stack) == 0 {
		return 0, 0, false, nil
	}
	if p.steps++; p.steps%1024 == 0 {
		err = p.m.Charge(1024)
	}
	pair := p.stack[len(p.stack)-1]
	p.stack = p.stack[:len(p.stack)-1]
	return pair[0], pair[1], true, err
}

// known remembers a pair of compounds and reports whether it has been remembered before. A pair that comes back need
// not be compared again: if it differs, the first comparison finds out.
func (p *pairing) known(a, b cell) bool {
	if p.steps < manySteps {
		return false
	}
	if p.seen == nil {
		p.seen = map[[2]cell]bool{}
	}
	key := [2]cell{a, b}
	if p.seen[key] {
		return true
	}
	p.seen[key] = true
	return false
}

// same compares two dereferenced terms that are not variables. It pushes the pairs of their arguments for later.
func (p *pairing) same(a, b cell) bool {
	m := p.m
	if !machine.IsCompound(a) || !machine.IsCompound(b) {
		return a.Tag() == b.Tag() && !machine.IsCompound(a) && m.Unify(a, b)
	}
	if p.known(a, b) {
		return true
	}
	if m.Functor(a) != m.Functor(b) {
		return false
	}
	for i := m.Functor(a).FunctorArity() - 1; i >= 0; i-- {
		p.stack = append(p.stack, [2]cell{m.Arg(a, i), m.Arg(b, i)})
	}
	return true
}

// subsumes reports whether general becomes specific by binding variables of its own only. Variables of specific are
// fixed, also where general has them too.
func subsumes(m *machine.Machine, general, specific cell) (bool, error) {
	fixed, value := map[cell]bool{}, map[cell]cell{}
	for _, v := range m.Variables(specific) {
		fixed[m.Deref(v)] = true
	}
	p := pairing{m: m, stack: [][2]cell{{general, specific}}}
	for {
		a, b, more, err := p.next()
		if !more || err != nil {
			return err == nil, err
		}
		a, b = m.Deref(a), m.Deref(b)
		switch v, bound := value[a]; {
		case a == b && (fixed[a] || !machine.IsVar(a) && !machine.IsCompound(a)):
		case bound:
			if !m.Identical(v, b) {
				return false, nil
			}
		case machine.IsVar(a) && !fixed[a]:
			value[a] = b
		case machine.IsVar(a) || machine.IsVar(b) || !p.same(a, b):
			return false, nil
		}
	}
}

// isVariant reports whether a renaming of variables makes a and b identical. The renaming must be one to one, hence
// the maps in both directions.
func isVariant(m *machine.Machine, a, b cell) (bool, error) {
	left, right := map[cell]cell{}, map[cell]cell{}
	p := pairing{m: m, stack: [][2]cell{{a, b}}}
	for {
		a, b, more, err := p.next()
		if !more || err != nil {
			return err == nil, err
		}
		a, b = m.Deref(a), m.Deref(b)
		if machine.IsVar(a) && machine.IsVar(b) {
			if !sameRenaming(left, a, b) || !sameRenaming(right, b, a) {
				return false, nil
			}
			continue
		}
		if machine.IsVar(a) || machine.IsVar(b) || !p.same(a, b) {
			return false, nil
		}
	}
}

// sameRenaming maps a to b unless it has been mapped to something else.
func sameRenaming(names map[cell]cell, a, b cell) bool {
	if was, ok := names[a]; ok {
		return was == b
	}
	names[a] = b
	return true
}
