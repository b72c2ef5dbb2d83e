package terms

import (
	"sync"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
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
	{Name: "unifiable", Arity: 3, Func: unifierWith(code.FEqual), Modes: "@term, @term, -list",
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
	switch occursCheck(m) {
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

// unifyWithOccursCheck is unify_with_occurs_check/2 (ISO 13211-1, 8.2.2). It unifies first and looks at the bindings
// after: unification without the check is what the machine does fast, and failure undoes it. Where the bindings are
// many it looks for a cycle, unless the terms are cyclic already.
func unifyWithOccursCheck(m *machine.Machine, a []cell) (bool, error) {
	if ok, known := stacks.UnifyFinite(&m.Terms, a[0], a[1]); known {
		return ok, nil
	}
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

// occursCheck is the value of the flag occurs_check, nil for a machine without flags.
func occursCheck(m *machine.Machine) term.Term {
	if m.IO == nil {
		return nil
	}
	return m.IO.Flag("occurs_check")
}

// checkedUnifier is the unifier of two terms as the flag occurs_check allows it.
func checkedUnifier(m *machine.Machine, a []cell) (pairs []cell, ok bool, err error) {
	mode := occursCheck(m)
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

// unifierWith returns unifiable/3 of SWI-Prolog or $unifier/3, on which dif/2 rests. The list has the bindings that
// unifying two terms would make, as terms of a functor. It binds nothing, so no goal of an attributed variable runs.
func unifierWith(functor cell) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		const itemBytes = 6 * 8 // in the array and on the heap
		pairs, ok, err := checkedUnifier(m, a)
		if !ok {
			return false, err
		}
		m.PollHolding((8 + itemBytes/2) * len(pairs))
		items := make([]cell, 0, len(pairs)/2)
		for i := 0; i < len(pairs); i += 2 {
			items = append(items, m.NewCompound(functor, pairs[i:i+2]))
		}
		return m.Unify(a[2], m.List(items, code.ANil)), nil
	}
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
	case stacks.IsVar(order), order == orderAtoms[0], order == orderAtoms[1], order == orderAtoms[2]:
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

// This part defines the predicates that test the type of a term (ISO 13211-1, 8.3). The compiler makes instructions of
// the most frequent ones; their functions serve call/N.

var typeTable = []machine.Builtin{
	{Name: "var", Arity: 1, Func: typeTest(func(_ *machine.Machine, c cell) bool { return stacks.IsVar(c) }),
		Modes: "@term", Doc: "The term is an unbound variable."},
	{Name: "nonvar", Arity: 1, Func: typeTest(func(_ *machine.Machine, c cell) bool { return !stacks.IsVar(c) }),
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
	{Name: "compound", Arity: 1, Func: typeTest(func(_ *machine.Machine, c cell) bool { return stacks.IsCompound(c) }),
		Modes: "@term", Doc: "The term has arguments."},
	{Name: "callable", Arity: 1, Func: typeTest(func(_ *machine.Machine, c cell) bool { return stacks.IsCallable(c) }),
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
	if stacks.IsVar(c) {
		return false
	}
	todo := []cell{c}
	seen := map[cell]bool{}
	for len(todo) > 0 {
		c := m.Deref(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		if stacks.IsVar(c) || seen[c] {
			continue
		}
		if !stacks.IsCallable(c) {
			return false
		}
		if stacks.IsCompound(c) && code.Control(m.Functor(c)) {
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

// This part defines one-sided unification, and the comparison of terms up to the names of their variables. Neither
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
	// tables keep the stack for the next walk.
	tables *cellTables
}

// end leaves the stack to the next walk, unless it is large.
func (p *pairing) end() {
	if cap(p.stack) <= mostSlots {
		p.tables.stack = p.stack
	}
}

// next returns the next pair of subterms, not dereferenced. It charges the steps by the thousand. more is
// false when all pairs have been compared.
func (p *pairing) next() (a, b cell, more bool, err error) {
	if len(p.stack) == 0 {
		return 0, 0, false, nil
	}
	if p.steps++; p.steps%1024 == 0 {
		p.m.PollHolding(16*cap(p.stack) + 48*len(p.seen))
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
	if !stacks.IsCompound(a) || !stacks.IsCompound(b) {
		return a.Tag() == b.Tag() && !stacks.IsCompound(a) && m.Unify(a, b)
	}
	if p.known(a, b) {
		return true
	}
	if m.Functor(a) != m.Functor(b) {
		return false
	}
	for i := m.Functor(a).FunctorArity() - 1; i >= 0; i-- {
		if c, d := m.Arg(a, i), m.Arg(b, i); c != d || c.IsPointer() {
			p.stack = append(p.stack, [2]cell{c, d})
		}
	}
	return true
}

// subsumes reports whether general becomes specific by binding variables of its own only. Variables of specific are
// fixed, also where general has them too.
func subsumes(m *machine.Machine, general, specific cell) (bool, error) {
	tables := takeTables()
	defer tables.giveBack()
	fixed, value := &tables.both[0], &tables.both[1]
	for _, v := range m.Variables(specific) {
		fixed.put(m, m.Deref(v), code.ATrue)
	}
	p := pairing{m: m, tables: tables, stack: append(tables.stack[:0], [2]cell{general, specific})}
	defer p.end()
	for {
		a, b, more, err := p.next()
		if !more || err != nil {
			return err == nil, err
		}
		a, b = m.Deref(a), m.Deref(b)
		switch {
		case !stacks.IsVar(a):
			if same := a == b && !stacks.IsCompound(a); !same && (stacks.IsVar(b) || !p.same(a, b)) {
				return false, nil
			}
		case fixed.get(a) != 0:
			if a != b {
				return false, nil
			}
		default:
			if v := value.putNew(m, a, b); v != b && !m.Identical(v, b) {
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
	left, right := &tables.both[0], &tables.both[1]
	p := pairing{m: m, tables: tables, stack: append(tables.stack[:0], [2]cell{a, b})}
	defer p.end()
	for {
		a, b, more, err := p.next()
		if !more || err != nil {
			return err == nil, err
		}
		a, b = m.Deref(a), m.Deref(b)
		if stacks.IsVar(a) && stacks.IsVar(b) {
			met := left.get(a) != 0
			if left.putNew(m, a, b) != b || right.putNew(m, b, a) != a {
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
		if stacks.IsVar(a) || stacks.IsVar(b) || !p.same(a, b) {
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
type cellTables struct {
	both  [2]cellTable
	stack [][2]cell // for what is left to be compared
}

// The sizes of a table at first, and of the largest that is kept.
const (
	fewSlots  = 1 << 4
	mostSlots = 1 << 10
)

// spareTables is the pool. All runs of the process share it.
var spareTables = sync.Pool{New: func() any {
	return &cellTables{both: [2]cellTable{{slots: make([][2]cell, fewSlots)}, {slots: make([][2]cell, fewSlots)}}}
}}

// takeTables returns empty tables, which go back by giveBack.
func takeTables() *cellTables { return spareTables.Get().(*cellTables) }

// giveBack empties the tables and keeps them unless they are large.
func (t *cellTables) giveBack() {
	for i := range t.both {
		table := &t.both[i]
		if len(table.slots) > mostSlots {
			return
		}
		if table.used > 0 {
			clear(table.slots)
			table.used = 0
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
func (t *cellTable) putNew(m *machine.Machine, key, value cell) cell {
	if s := t.slot(key); s[0] != 0 {
		return s[1]
	}
	t.put(m, key, value)
	return value
}

// put gives a key a value. A table that would be more than three quarters full is doubled first. A comparison may have
// another table as large.
func (t *cellTable) put(m *machine.Machine, key, value cell) {
	if 4*(t.used+1) > 3*len(t.slots) {
		old := t.slots
		m.PollHolding(4 * len(old) * int(unsafe.Sizeof(old[0])))
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
