package builtin

import (
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/code"
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

// same compares two dereferenced terms that are not variables. It pushes the pairs of their arguments for later. Unify
// compares the atomic ones: neither is a variable, so it binds nothing.
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
	tables := takeTables()
	defer tables.giveBack()
	fixed, value := &tables[0], &tables[1]
	for _, v := range m.Variables(specific) {
		fixed.put(m.Deref(v), code.ATrue)
	}
	p := pairing{m: m, stack: [][2]cell{{general, specific}}}
	for {
		a, b, more, err := p.next()
		if !more || err != nil {
			return err == nil, err
		}
		a, b = m.Deref(a), m.Deref(b)
		switch {
		case !machine.IsVar(a):
			if same := a == b && !machine.IsCompound(a); !same && (machine.IsVar(b) || !p.same(a, b)) {
				return false, nil
			}
		case fixed.get(a) != 0:
			if a != b {
				return false, nil
			}
		default:
			if v := value.putNew(a, b); v != b && !m.Identical(v, b) {
				return false, nil
			}
		}
	}
}

// isVariant reports whether a renaming of variables makes a and b identical, and the attributes of the variables. The
// renaming must be one to one, hence the tables in both directions.
func isVariant(m *machine.Machine, a, b cell) (bool, error) {
	tables := takeTables()
	defer tables.giveBack()
	left, right := &tables[0], &tables[1]
	p := pairing{m: m, stack: [][2]cell{{a, b}}}
	for {
		a, b, more, err := p.next()
		if !more || err != nil {
			return err == nil, err
		}
		a, b = m.Deref(a), m.Deref(b)
		if machine.IsVar(a) && machine.IsVar(b) {
			met := left.get(a) != 0
			if left.putNew(a, b) != b || right.putNew(b, a) != a {
				return false, nil
			}
			one, attributed := m.Attributes(a)
			other, both := m.Attributes(b)
			if attributed != both {
				return false, nil
			}
			if attributed && !met {
				p.stack = append(p.stack, [2]cell{one, other})
			}
			continue
		}
		if machine.IsVar(a) || machine.IsVar(b) || !p.same(a, b) {
			return false, nil
		}
	}
}

// cellTable is a hash table from cells to cells, neither of which is 0: a 0 marks a free slot. The number of slots is a
// power of two, and a quarter of them at least is free, so that a search ends.
type cellTable struct {
	slots [][2]cell
	used  int
}

// cellTables are the two tables of a comparison, from left to right and from right to left. They are pooled, because
// making small ones would be most of the cost of a comparison.
type cellTables [2]cellTable

// The sizes of a table at first, and of the largest that is kept.
const (
	fewSlots  = 1 << 4
	mostSlots = 1 << 10
)

// spareTables is the pool. All runs of the process share it.
var spareTables = sync.Pool{New: func() any {
	return &cellTables{{slots: make([][2]cell, fewSlots)}, {slots: make([][2]cell, fewSlots)}}
}}

// takeTables returns empty tables, which go back by giveBack.
func takeTables() *cellTables { return spareTables.Get().(*cellTables) }

// giveBack empties the tables and keeps them unless they are large.
func (t *cellTables) giveBack() {
	for i := range t {
		if len(t[i].slots) > mostSlots {
			return
		}
		if t[i].used > 0 {
			clear(t[i].slots)
			t[i].used = 0
		}
	}
	spareTables.Put(t)
}

// slot returns where a key is, or where it goes. The table must have a free slot, which put sees to.
func (t *cellTable) slot(key cell) *[2]cell {
	mask := uint64(len(t.slots) - 1)
	for i := uint64(key) * 0x9e3779b97f4a7c15 >> 32; ; i++ {
		if s := &t.slots[i&mask]; s[0] == key || s[0] == 0 {
			return s
		}
	}
}

// get returns the value of a key, or 0.
func (t *cellTable) get(key cell) cell { return t.slot(key)[1] }

// putNew gives a key a value unless it has one, and returns the value that it has then.
func (t *cellTable) putNew(key, value cell) cell {
	if s := t.slot(key); s[0] != 0 {
		return s[1]
	}
	t.put(key, value)
	return value
}

// put gives a key a value. A table that would be more than three quarters full is doubled first.
func (t *cellTable) put(key, value cell) {
	if 4*(t.used+1) > 3*len(t.slots) {
		old := t.slots
		t.slots = make([][2]cell, 2*len(old))
		for _, s := range old {
			if s[0] != 0 {
				*t.slot(s[0]) = s
			}
		}
	}
	s := t.slot(key)
	if s[0] == 0 {
		t.used++
	}
	*s = [2]cell{key, value}
}
