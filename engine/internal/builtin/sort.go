package builtin

import (
	"math"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines sorting by the standard order of terms, and the length of lists.

var sortTable = []machine.Builtin{
	{Name: "sort", Arity: 2, Func: sort, Modes: "+list, -list", Doc: "The list in standard order, without duplicates."},
	{Name: "msort", Arity: 2, Func: msort, Modes: "+list, -list", Doc: "The list in standard order, with duplicates."},
	{Name: "sort", Arity: 4, Func: sort4, Modes: "+key, +order, +list, -list", Doc: "The list sorted by argument Key of its elements (0: the element) in an order: @<, @=<, @> or @>=; @< and @> drop duplicates."},
	{Name: "keysort", Arity: 2, Func: keysort, Modes: "+pairs, -pairs", Doc: "The list of Key-Value sorted by key; equal keys keep their order."},
	{Name: "length", Arity: 2, Func: listLength, Nondet: true, Modes: "?list, ?integer", Doc: "The list has that many elements."},
	{Name: "$skip_list", Arity: 3, Func: skipList, Modes: "-integer, @term, -term", Doc: "How many list cells the term begins with, and what follows them."},
}

// sort is sort/2 (ISO 13211-1, 8.4.3).
func sort(m *machine.Machine, a []cell) (bool, error) {
	items, err := sortArgs(m, a[0], a[1])
	if err != nil {
		return false, err
	}
	items, err = (&sorter{m: m, items: items, keys: items, dedup: true}).run()
	return err == nil && m.Unify(a[1], m.List(items, code.ANil)), err
}

func msort(m *machine.Machine, a []cell) (bool, error) {
	items, err := sortArgs(m, a[0], a[1])
	if err != nil {
		return false, err
	}
	items, err = (&sorter{m: m, items: items, keys: items}).run()
	return err == nil && m.Unify(a[1], m.List(items, code.ANil)), err
}

// sortArgs returns the items to sort; what they are to be unified with must be a list or a
// partial list.
func sortArgs(m *machine.Machine, list, sorted cell) ([]cell, error) {
	items, err := m.ListArg(list)
	if err != nil {
		return nil, err
	}
	return items, partialListArg(m, sorted)
}

// partialListArg fails unless the argument is a list or could become one.
func partialListArg(m *machine.Machine, c cell) error {
	if _, tail := m.SkipList(c); tail != code.ANil && !machine.IsVar(tail) {
		return m.TypeError("list", c)
	}
	return nil
}

// sort4 is sort/4.
func sort4(m *machine.Machine, a []cell) (bool, error) {
	key, err := sortKeyArg(m, a[0])
	if err != nil {
		return false, err
	}
	s := sorter{m: m}
	if err := s.order(a[1]); err != nil {
		return false, err
	}
	if s.items, err = m.ListArg(a[2]); err != nil {
		return false, err
	}
	s.keys = s.items
	if key > 0 {
		if err := s.argumentKeys(key); err != nil {
			return false, err
		}
	}
	items, err := s.run()
	return err == nil && m.Unify(a[3], m.List(items, code.ANil)), err
}

// sortKeyArg returns the number of the argument to sort by, 0 for the whole element.
func sortKeyArg(m *machine.Machine, c cell) (int, error) {
	c = m.Deref(c)
	if !m.IsInteger(c) {
		return 0, m.TypeError("sort_key", c)
	}
	key, err := m.IntArg(c)
	if err == nil && key < 0 {
		err = m.DomainError("not_less_than_one", c)
	}
	return key, err
}

// keysort is keysort/2 (ISO 13211-1, 8.4.4).
func keysort(m *machine.Machine, a []cell) (bool, error) {
	items, err := sortArgs(m, a[0], a[1])
	if err != nil {
		return false, err
	}
	s := sorter{m: m, items: items, keys: make([]cell, len(items))}
	for i, item := range items {
		if s.keys[i], err = pairKey(m, item); err != nil {
			return false, err
		}
	}
	sorted, _ := m.ListPrefix(a[1])
	for _, item := range sorted {
		if _, err := pairKey(m, item); err != nil && !machine.IsVar(m.Deref(item)) {
			return false, err
		}
	}
	items, err = s.run()
	return err == nil && m.Unify(a[1], m.List(items, code.ANil)), err
}

// pairKey returns the key of Key-Value.
func pairKey(m *machine.Machine, item cell) (cell, error) {
	item = m.Deref(item)
	if !machine.IsCompound(item) || m.Functor(item) != code.FMinus {
		return 0, m.TypeError("pair", item)
	}
	return m.Arg(item, 0), nil
}

// sorter sorts items by keys. Equal keys keep their order.
type sorter struct {
	m           *machine.Machine
	items, keys []cell // of the same length, perhaps the same slice
	down, dedup bool
	index       []int32
	spare       []int32
	err         error
}

// order sets the direction from an argument such as @>=.
func (s *sorter) order(c cell) error {
	name, err := s.m.AtomArg(c)
	if err != nil {
		return err
	}
	switch name {
	case "@<", "@=<", "@>", "@>=":
		s.down = name[1] == '>'
		s.dedup = len(name) == 2
		return nil
	}
	return s.m.DomainError("order", c)
}

// argumentKeys makes argument n of each item its key.
func (s *sorter) argumentKeys(n int) error {
	m := s.m
	s.keys = make([]cell, len(s.items))
	for i, item := range s.items {
		item = m.Deref(item)
		if !machine.IsCompound(item) {
			return m.TypeError("compound", item)
		}
		if n > m.Functor(item).FunctorArity() {
			formal := m.NewStruct("existence_error", m.NewAtom("argument"), code.MakeInt(int64(n)), item)
			return m.Throw(m.NewStruct("error", formal, m.NewVar()))
		}
		s.keys[i] = m.Arg(item, n-1)
	}
	return nil
}

// run returns the sorted items, in the place of the keys if those have one of their own.
func (s *sorter) run() ([]cell, error) {
	n := len(s.items)
	s.index, s.spare = make([]int32, n), make([]int32, n)
	for i := range s.index {
		s.index[i] = int32(i)
	}
	s.sortRuns()
	if s.err != nil {
		return nil, s.err
	}
	if s.dedup {
		s.index = slices.CompactFunc(s.index, func(i, j int32) bool { return s.m.Compare(s.keys[i], s.keys[j]) == 0 })
	}
	sorted := s.keys
	if n > 0 && &s.keys[0] == &s.items[0] {
		sorted = make([]cell, n)
	}
	for k, i := range s.index {
		sorted[k] = s.items[i]
	}
	return sorted[:len(s.index)], nil
}

// before reports whether the item with index j belongs strictly before that with index i.
func (s *sorter) before(j, i int32) bool {
	if s.err != nil {
		return false
	}
	s.err = s.m.Charge(1)
	d := s.m.Compare(s.keys[j], s.keys[i])
	return s.down && d > 0 || !s.down && d < 0
}

// sortRuns merges runs that are in order, neighbours first, until one is left.
func (s *sorter) sortRuns() {
	ends := s.runs()
	for len(ends) > 1 {
		merged := ends[:0]
		start := 0
		for i := 0; i < len(ends); i += 2 {
			end := ends[i]
			if i+1 < len(ends) {
				end = ends[i+1]
				s.merge(start, ends[i], end)
			}
			start = end
			merged = append(merged, end)
		}
		ends = merged
	}
}

// shortRun is the length that runs are brought to by insertion, so that not half of the items
// begin a run when they come in no order.
const shortRun = 8

// runs returns where the runs end that are in order already, or have been made so.
func (s *sorter) runs() []int {
	ends := make([]int, 0, len(s.index)/shortRun+1)
	for start := 0; start < len(s.index); {
		end := start + 1
		for end < len(s.index) && !s.before(s.index[end], s.index[end-1]) {
			end++
		}
		for ; end < len(s.index) && end < start+shortRun; end++ {
			s.insert(start, end)
		}
		ends = append(ends, end)
		start = end
	}
	return ends
}

// insert puts the item at end into the run that begins at start, behind those that are equal.
func (s *sorter) insert(start, end int) {
	item := s.index[end]
	at, high := start, end
	for at < high {
		if mid := (at + high) / 2; s.before(item, s.index[mid]) {
			high = mid
		} else {
			at = mid + 1
		}
	}
	copy(s.index[at+1:end+1], s.index[at:end])
	s.index[at] = item
}

// merge merges the runs low..mid and mid..high of the index.
func (s *sorter) merge(low, mid, high int) {
	left := s.spare[:mid-low]
	copy(left, s.index[low:mid])
	i, j := 0, mid
	for k := low; i < len(left); k++ {
		if j < high && s.before(s.index[j], left[i]) {
			s.index[k] = s.index[j]
			j++
		} else {
			s.index[k] = left[i]
			i++
		}
	}
}

// listLength is length/2.
func listLength(m *machine.Machine, a []cell) (bool, error) {
	have, tail := m.SkipList(a[0])
	n, err := lengthArg(m, a[1])
	if err != nil {
		return false, err
	}
	switch {
	case tail == code.ANil:
		return m.Unify(a[1], code.MakeInt(int64(have))), nil
	case !machine.IsVar(tail):
		return false, m.TypeError("list", a[0])
	case n >= 0:
		if n < have {
			return false, nil
		}
		if err := m.Reserve(min(n-have, math.MaxInt/freshBytes) * freshBytes); err != nil {
			return false, err
		}
		list, err := freshList(m, n-have)
		return err == nil && m.Unify(tail, list), err
	case tail == m.Deref(a[1]):
		return false, nil
	}
	return lengths(m, have)
}

// lengthArg returns the length asked for, -1 when it is unbound.
func lengthArg(m *machine.Machine, c cell) (int, error) {
	c = m.Deref(c)
	if machine.IsVar(c) {
		return -1, nil
	}
	n, err := m.IntArg(c)
	if err == nil && n < 0 {
		return 0, m.DomainError("not_less_than_zero", c)
	}
	return n, err
}

// lengths gives a partial list all its lengths, beginning with n.
func lengths(m *machine.Machine, n int) (bool, error) {
	extra := 0
	return m.Alternatives(func(m *machine.Machine, a []cell) (ok, more bool, err error) {
		_, tail := m.SkipList(a[0])
		list, err := freshList(m, extra)
		ok = err == nil && m.Unify(tail, list) && m.Unify(a[1], code.MakeInt(int64(n+extra)))
		extra++
		return ok, true, err
	})
}

// freshBytes is what an element of freshList costs: a list cell of two words and a variable.
const freshBytes = 3 * 8

// freshList returns a list of n fresh variables.
func freshList(m *machine.Machine, n int) (cell, error) {
	const check = 1 << 6
	items := make([]cell, n)
	for i := range items {
		if i%check == 0 {
			if err := m.Charge(1); err != nil {
				return 0, err
			}
		}
		items[i] = m.NewVar()
	}
	return m.List(items, code.ANil), nil
}

// skipList tells a proper list (the tail is []), a partial one (a variable) and other terms apart.
// The tail of a cyclic list is a list cell.
func skipList(m *machine.Machine, a []cell) (bool, error) {
	n, tail := m.SkipList(a[1])
	return m.Unify(a[0], code.MakeInt(int64(n))) && m.Unify(a[2], tail), nil
}
