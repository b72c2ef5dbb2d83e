package terms

import (
	"math"
	"slices"
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines sorting by the standard order of terms (ISO 13211-1, 7.2), and the length of lists. It also defines
// predicates on lists and whole terms that the library builds on.
//
// Lists are copied into a slice of cells, an index of the slice is sorted, and the sorted list is built from it. No
// collection happens meanwhile, so the cells stay valid.

var sortTable = []machine.Builtin{
	{Name: "sort", Arity: 2, Func: sort, Modes: "+list, -list", Doc: "The list in standard order, without duplicates."},
	{Name: "msort", Arity: 2, Func: msort, Modes: "+list, -list", Doc: "The list in standard order, with duplicates."},
	{Name: "sort", Arity: 4, Func: sort4, Modes: "+key, +order, +list, -list",
		Doc: "The list sorted by argument Key of its elements (0: the element) in an order: @<, @=<, @> or @>=; @< and @> " +
			"drop duplicates."},
	{Name: "keysort", Arity: 2, Func: keysort, Modes: "+pairs, -pairs",
		Doc: "The list of Key-Value sorted by key; equal keys keep their order."},
	{Name: "length", Arity: 2, Func: listLength, Nondet: true, Modes: "?list, ?integer",
		Doc: "The list has that many elements."},
	{Name: "$skip_list", Arity: 3, Func: skipList, Modes: "-integer, @term, -term",
		Doc: "How many list cells the term begins with, and what follows them."},
}

// sort is sort/2 (ISO 13211-1, 8.4.3). Of equal elements the first stays.
func sort(m *machine.Machine, a []cell) (bool, error) { return sortElements(m, a, true) }

// msort is msort/2 of SWI-Prolog: sort/2 that drops nothing.
func msort(m *machine.Machine, a []cell) (bool, error) { return sortElements(m, a, false) }

// sortElements sorts a list by its elements. The second argument must be a list or a partial list, which the standard
// checks before sorting.
func sortElements(m *machine.Machine, a []cell, dedup bool) (bool, error) {
	s := newSorter(m)
	defer s.free()
	if err := s.read(a[0]); err != nil {
		return false, err
	}
	if err := partialListArg(m, a[1]); err != nil {
		return false, err
	}
	s.dedup = dedup
	sorted, err := s.run()
	return err == nil && m.Unify(a[1], m.List(sorted, code.ANil)), err
}

// partialListArg is the error for an argument that is neither a list nor a partial list.
func partialListArg(m *machine.Machine, c cell) error {
	if _, tail := m.SkipList(c); tail != code.ANil && !stacks.IsVar(tail) {
		return m.TypeError("list", c)
	}
	return nil
}

// sort4 is sort/4 of SWI-Prolog. The arguments are checked from left to right. Key 0 sorts by the elements
// themselves, which are then the keys without a copy.
func sort4(m *machine.Machine, a []cell) (bool, error) {
	path, err := sortPath(m, a[0])
	if err != nil {
		return false, err
	}
	s := newSorter(m)
	defer s.free()
	if err := s.order(a[1]); err != nil {
		return false, err
	}
	if err := s.read(a[2]); err != nil {
		return false, err
	}
	for _, key := range path {
		if err := s.partKeys(key); err != nil {
			return false, err
		}
	}
	items, err := s.run()
	return err == nil && m.Unify(a[3], m.List(items, code.ANil)), err
}

// sortPath returns the path from an element to its sort key: numbers of arguments and keys of dicts, from the outside
// in. The empty path is the whole element. An item that is neither a number nor a key is the type error sort_key, which
// SWI-Prolog has for it alone.
func sortPath(m *machine.Machine, c cell) ([]cell, error) {
	c = m.Deref(c)
	if c == code.MakeInt(0) {
		return nil, nil
	}
	items := []cell{c}
	if c.Tag() == code.Lst {
		var err error
		if items, err = m.ListArg(c); err != nil {
			return nil, err
		}
	}
	path := make([]cell, len(items))
	for i, item := range items {
		if path[i] = m.Deref(item); path[i].Tag() == code.Atom && path[i] != code.ANil {
			continue
		}
		if !m.IsInteger(path[i]) {
			return nil, m.TypeError("sort_key", c)
		}
		n, err := m.IntArg(item)
		switch {
		case err != nil:
			return nil, err
		case n < 1:
			return nil, m.DomainError("not_less_than_one", item)
		}
	}
	return path, nil
}

// keysort is keysort/2 (ISO 13211-1, 8.4.4). Elements of the second argument that are bound must be pairs too
// (8.4.4.3).
func keysort(m *machine.Machine, a []cell) (bool, error) {
	s := newSorter(m)
	defer s.free()
	if err := s.read(a[0]); err != nil {
		return false, err
	}
	if err := partialListArg(m, a[1]); err != nil {
		return false, err
	}
	s.keys = s.ownKeys()
	for i, item := range s.items {
		var err error
		if s.keys[i], err = pairKey(m, item); err != nil {
			return false, err
		}
	}
	// 8.4.4.3 asks for a pair_list or a partial one as second argument too.
	sorted, _ := m.ListPrefix(a[1])
	for _, item := range sorted {
		if _, err := pairKey(m, item); err != nil && !stacks.IsVar(m.Deref(item)) {
			return false, err
		}
	}
	result, err := s.run()
	return err == nil && m.Unify(a[1], m.List(result, code.ANil)), err
}

// pairKey returns the key of Key-Value. It is not dereferenced. A term of another form is the type error pair.
func pairKey(m *machine.Machine, item cell) (cell, error) {
	item = m.Deref(item)
	if !stacks.IsCompound(item) || m.Functor(item) != code.FMinus {
		return 0, m.TypeError("pair", item)
	}
	return m.Arg(item, 0), nil
}

// sorter sorts items by keys. Equal keys keep their order. Its slices are used again by the next one.
type sorter struct {
	m           *machine.Machine
	items       []cell
	keys        []cell // of the same length, perhaps the same slice
	own         []cell // where keys are that are not the items
	words       wordOrder
	many        bool // there are words
	down, dedup bool
	index       []sortedItem
	spare       []sortedItem
	ends        []int
	err         error
}

// sorters are those that nobody uses.
var sorters = sync.Pool{New: func() any { return new(sorter) }}

// newSorter returns a sorter for one list. Its user gives it back by free.
func newSorter(m *machine.Machine) *sorter {
	s := sorters.Get().(*sorter)
	s.m = m
	return s
}

// free gives the sorter back. What it has returned is no longer valid.
func (s *sorter) free() {
	const most = 1 << 16 // items; more would keep much memory for nobody
	if cap(s.items) > most {
		return
	}
	s.words.forget()
	*s = sorter{items: s.items[:0], own: s.own[:0], words: s.words,
		index: s.index[:0], spare: s.spare[:0], ends: s.ends[:0]}
	sorters.Put(s)
}

// read takes the items from a list, which are their own keys. The items are not dereferenced. A term that is no proper
// list is an error.
func (s *sorter) read(list cell) (err error) {
	var tail cell
	if s.items, tail = s.m.AppendList(s.items[:0], list); tail != code.ANil {
		_, err = s.m.ListArg(list) // what is wrong with it
	}
	s.keys = s.items
	return err
}

// ownKeys makes room for keys that are not the items.
func (s *sorter) ownKeys() []cell {
	s.own = arrays.Room(s.own, len(s.items))
	return s.own
}

// sortedItem is an item with a word that compares it with others; the word is 0 if there are none.
type sortedItem struct {
	word uint64
	at   int32 // in items and keys
}

// order sets the direction, and whether duplicates are dropped, from an argument such as @>=.
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

// partKeys replaces each key by a part of it: an argument of a compound, or a value of a dict.
func (s *sorter) partKeys(key cell) (err error) {
	of := s.keys
	s.keys = s.ownKeys() // perhaps what is read here: each once, before it is written
	for i, item := range of {
		if s.keys[i], err = sortPart(s.m, s.m.Deref(item), key); err != nil {
			return err
		}
	}
	return nil
}

// sortPart returns a part of a dereferenced item: the argument of that number, or the value of that key of a dict. The
// existence error for an item without the part has three arguments in SWI-Prolog, so it is made by hand.
func sortPart(m *machine.Machine, item, key cell) (cell, error) {
	missing := "key"
	switch {
	case machine.IsDict(m, item):
		if at, found := machine.DictAt(m, item, key); found {
			return m.Arg(item, at), nil
		}
	case key.Tag() == code.Atom:
		return 0, m.TypeError("dict", item)
	case !stacks.IsCompound(item):
		return 0, m.TypeError("compound", item)
	default:
		if n := key.Int(); key.Tag() == code.Int && n <= int64(m.Functor(item).FunctorArity()) {
			return m.Arg(item, int(n)-1), nil
		}
		missing = "argument"
	}
	formal := m.NewStruct("existence_error", m.NewAtom(missing), key, item)
	return 0, m.Throw(m.NewStruct("error", formal, m.NewVar()))
}

// manyItems is the least number of items for which comparison words are made.
const manyItems = 16

// run returns the sorted items, in a slice of the sorter. They are valid until free. The items or the keys may be
// overwritten. The only errors are those of limits.
func (s *sorter) run() ([]cell, error) {
	const itemBytes = 64 // of the index, the spare half of it, and words for two arguments with these
	n := len(s.items)
	if n <= shortRun {
		return s.runFew()
	}
	if s.err = machine.Fits(s.m, n*itemBytes); s.err != nil {
		return nil, s.err
	}
	s.index = arrays.Room(s.index, n)
	if s.many = n >= manyItems; s.many {
		s.words.set(s.m, s.keys)
	}
	for i := range s.index {
		s.index[i] = sortedItem{at: int32(i)}
		if s.many {
			s.index[i].word = s.words.word(int32(i))
		}
	}
	s.sortRuns()
	if s.err != nil {
		return nil, s.err
	}
	if s.dedup {
		s.index = slices.CompactFunc(s.index, func(i, j sortedItem) bool { return i.word == j.word && s.compare(i, j) == 0 })
	}
	result := s.ownKeys()[:len(s.index)] // keys are no longer needed
	for k, i := range s.index {
		result[k] = s.items[i.at]
	}
	return result, nil
}

// runFew is run for few items, which are sorted by insertion without another slice.
func (s *sorter) runFew() ([]cell, error) {
	var order [shortRun]sortedItem
	for end := range s.items {
		item := sortedItem{at: int32(end)}
		at := end
		for at > 0 && s.before(item, order[at-1]) {
			order[at] = order[at-1]
			at--
		}
		order[at] = item
	}
	var result [shortRun]cell
	n := 0
	for i := range s.items {
		if s.dedup && i > 0 && s.compare(order[i-1], order[i]) == 0 {
			continue
		}
		result[n] = s.items[order[i].at]
		n++
	}
	return append(s.items[:0], result[:n]...), s.err
}

// before reports whether the item j belongs strictly before i. An error, from a limit, makes it answer false until the
// sort has ended.
func (s *sorter) before(j, i sortedItem) bool {
	if s.err != nil {
		return false
	}
	s.err = s.m.Charge(1)
	if j.word != i.word {
		return s.down != (j.word < i.word)
	}
	d := s.compare(j, i)
	return s.down && d > 0 || !s.down && d < 0
}

// compare compares the keys of items with equal words.
func (s *sorter) compare(j, i sortedItem) int {
	if s.many {
		return s.words.compare(j.at, i.at)
	}
	return s.m.Compare(s.keys[j.at], s.keys[i.at])
}

// sortRuns merges runs that are in order, neighbours first, until one is left. Merge sort is stable, as keysort/2 has
// to be, and needs few comparisons. Comparisons cost most, since each may walk two terms.
func (s *sorter) sortRuns() {
	ends := s.runs()
	if len(ends) > 1 {
		s.spare = arrays.Room(s.spare, len(s.index)/2+1)
	}
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

// shortRun is the least length of a run before merging; insertion extends shorter ones. Items in random order have runs
// of two on average, and half of all comparisons would only find their ends.
const shortRun = 8

// runs returns the ends of the runs that are in order, or that insertion has put in order. A list that is in order, or
// in the opposite one without equal neighbours, is one run, and is sorted by one comparison for each element.
func (s *sorter) runs() []int {
	ends := arrays.Room(s.ends, len(s.index)/shortRun+1)[:0]
	for start := 0; start < len(s.index); {
		end := start + 1
		falls := end < len(s.index) && s.before(s.index[end], s.index[start])
		for end < len(s.index) && s.before(s.index[end], s.index[end-1]) == falls {
			end++
		}
		if falls {
			slices.Reverse(s.index[start:end])
		}
		for ; end < len(s.index) && end < start+shortRun; end++ {
			s.insert(start, end)
		}
		ends = append(ends, end)
		start = end
	}
	s.ends = ends
	return ends
}

// insert puts the item at end into the run that begins at start, behind those that are equal: equal items
// keep their order. It looks for the place by halves, as comparisons cost more than moves.
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

// merge merges the runs low..mid and mid..high of the index. Only the left run is copied. When it is used
// up the rest of the right one is in place.
func (s *sorter) merge(low, mid, high int) {
	left := arrays.Room(s.spare, mid-low)
	arrays.Copy(left, s.index[low:mid])
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

// listLength is length/2. A proper list has its length; a partial list is extended to a known length, or enumerated.
// length(L, L) fails. The number is checked before the list, so length(a, -1) is a domain error, as in SWI-Prolog.
func listLength(m *machine.Machine, a []cell) (bool, error) {
	have, tail := m.SkipList(a[0])
	n, err := lengthArg(m, a[1])
	if err != nil {
		return false, err
	}
	switch {
	case tail == code.ANil:
		return m.Unify(a[1], code.MakeInt(int64(have))), nil
	case !stacks.IsVar(tail):
		return false, m.TypeError("list", a[0])
	case n >= 0:
		if n < have {
			return false, nil
		}
		if err := machine.Fits(m, min(n-have, math.MaxInt/freshBytes)*freshBytes); err != nil {
			return false, err
		}
		list, err := freshList(m, n-have)
		return err == nil && m.Unify(tail, list), err
	case tail == m.Deref(a[1]):
		return false, nil
	}
	// Goals that wait for the tail may say where the list ends. They run between the steps of $length/3 of the library.
	if _, watched := m.Attributes(tail); watched {
		machine.CallSoon(m, m.NewStruct("$length", tail, code.MakeInt(int64(have)), a[1]))
		return true, nil
	}
	return lengths(m, have)
}

// lengthArg returns the length that is asked for, -1 when it is unbound. A negative one is a domain error.
func lengthArg(m *machine.Machine, c cell) (int, error) {
	c = m.Deref(c)
	if stacks.IsVar(c) {
		return -1, nil
	}
	if m.IsBig(c) && m.BlobKind(c) == code.BigPos {
		return math.MaxInt, nil
	}
	n, err := m.IntArg(c)
	if err == nil && n < 0 {
		return 0, m.DomainError("not_less_than_zero", c)
	}
	return n, err
}

// lengths gives a partial list all its lengths, beginning with n. It has no end, as length(L, N) has none.
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

// freshBytes is the size on the heap of an element of freshList.
const freshBytes = 2 * 8

// freshList returns a list of n fresh variables. A call is charged for 64 elements, which take about as long.
func freshList(m *machine.Machine, n int) (cell, error) {
	const check = 1 << 6
	if err := m.Charge((n + check - 1) / check); err != nil {
		return 0, err
	}
	return stacks.FreshList(&m.Terms, n), nil
}

// skipList is $skip_list/3. By the tail the caller tells proper lists ([]), partial lists (a variable) and other
// terms apart. The tail of a cyclic list is a list cell.
func skipList(m *machine.Machine, a []cell) (bool, error) {
	n, tail := m.SkipList(a[1])
	return m.Unify(a[0], code.MakeInt(int64(n))) && m.Unify(a[2], tail), nil
}

var listTable = []machine.Builtin{
	{Name: "$memberchk", Arity: 3, Func: memberchk, Modes: "?item, +list, -rest",
		Doc: "Rest is [] when item is the first member that unifies with it, else begins with one that goals wait for."},
}

// memberchk is $memberchk/3. It tries the members in turn and undoes the bindings of those that do not unify, where
// Prolog would make choice points. A member whose unification wakes goals is left to the caller, as the rest of the
// list, because these goals may fail. At the open end of a partial list it adds the item.
func memberchk(m *machine.Machine, a []cell) (bool, error) {
	c := m.Deref(a[1])
	for n := 0; c.Tag() == code.Lst; n++ {
		switch ok, wakes := m.UnifyOrUndo(a[0], m.Arg(c, 0)); {
		case wakes:
			return m.Unify(a[2], c), nil
		case ok:
			return m.Unify(a[2], code.ANil), nil
		}
		c = m.Deref(m.Arg(c, 1))
		if err := m.Charge(1); err != nil {
			return false, err
		}
	}
	switch {
	// The tail has attributes, so binding it wakes goals: the new element, still unbound, is left to the caller.
	case c.Tag() == code.Att:
		list := m.NewList(m.NewVar(), m.NewVar())
		return m.Unify(c, list) && m.Unify(a[2], list), nil
	case stacks.IsVar(c):
		return m.Unify(c, m.NewList(a[0], m.NewVar())) && m.Unify(a[2], code.ANil), nil
	case c == code.ANil:
		return false, nil
	}
	return false, m.TypeError("list", c)
}
