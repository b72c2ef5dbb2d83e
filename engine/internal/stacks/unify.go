package stacks

import (
	"cmp"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/bignum"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines unification, comparison and the tests on whole terms. All of them use an explicit stack. They
// terminate for cyclic terms because compounds under comparison are treated as equal (Jaffar 1984): unify binds one to
// the other, compare records pairs.

// Bind makes the unbound variable at address a equal to value, which is dereferenced.
func (m *Terms) Bind(v, value cell) {
	a := v.Addr()
	if v.Tag() == code.Att {
		m.bindAttributed(v, value)
		return
	}
	m.Heap[a] = Keep(value)
	if a < m.HB {
		m.pushTrail(cell(a) << 3)
	}
}

// pushTrail adds a word to the trail. UndoTrail describes these words.
func (m *Terms) pushTrail(entry cell) {
	if m.TR == len(m.Trail) {
		m.GrowTrail()
	}
	m.Trail[m.TR] = entry
	m.TR++
}

// assign stores a value at an address so that backtracking restores the old one.
func (m *Terms) assign(a int, value cell) {
	if a < m.HB {
		m.pushTrail(m.Heap[a])
		m.pushTrail(cell(a)<<3 | 1)
	}
	m.Heap[a] = value
}

// bindAttributed binds an attributed variable and queues its wake-up.
func (m *Terms) bindAttributed(v, value cell) {
	a := v.Addr()
	if IsVar(value) && value.Tag() == code.Ref {
		m.Bind(value, code.MakeRef(a)) // the plain variable is bound
		return
	}
	m.queueWake(m.Heap[a+1], value)
	m.assign(a, Keep(value))
}

// BindVars binds two distinct unbound variables to each other, the younger to the older. Of attributed variables the
// older is the one that got attributes first.
func (m *Terms) BindVars(a, b cell) {
	switch {
	case a.Tag() == code.Att && b.Tag() == code.Att && a.Addr() < b.Addr():
		m.bindAttributed(b, a)
	case a.Tag() == code.Att:
		m.bindAttributed(a, b)
	case b.Tag() == code.Att:
		m.Bind(a, b)
	case a.Addr() < b.Addr():
		m.Bind(b, a)
	default:
		m.Bind(a, b)
	}
}

// Unify makes a and b equal and reports whether that is possible. On failure bindings remain,
// to be undone by backtracking.
func (m *Terms) Unify(a, b cell) bool {
	a, b = m.Deref(a), m.Deref(b)
	switch {
	case a == b:
		return true
	case IsVar(a) && IsVar(b):
		m.BindVars(a, b)
		return true
	case IsVar(a):
		m.Bind(a, b)
		return true
	case IsVar(b):
		m.Bind(b, a)
		return true
	case a.Tag() != b.Tag():
		return false
	case IsCompound(a):
		return m.unifyCompound(a, b)
	}
	return a.Tag() == code.Blob && m.sameBlob(a, b)
}

// sameBlob compares two dereferenced blobs word by word. A NaN equals itself.
func (m *Terms) sameBlob(a, b cell) bool {
	x, y := a.Addr(), b.Addr()
	n := 1 + m.Heap[x].BlobWords()
	if m.Heap[x] != m.Heap[y] {
		return false
	}
	for i := 1; i < n; i++ {
		if m.Heap[x+i] != m.Heap[y+i] {
			return false
		}
	}
	return true
}

// Unnoted is the number of steps after which a walk over terms takes cycles into account, and parts that are shared.
// Few terms have more parts. A longer walk marks each compound with a bit.
const Unnoted = 256

// walkRoom is memory that walks over terms reuse.
type walkRoom struct {
	Work  []cell // explicit stack of unify, compare and the like
	marks *marks // nil while a walk uses it
}

// marks is a set of visited heap addresses.
type marks struct {
	bits    []uint64
	touched []int // the words of bits that are not 0
}

// add reports whether an address is new.
func (s *marks) add(at int) bool {
	w, bit := at>>6, uint64(1)<<(at&63)
	switch old := s.bits[w]; {
	case old&bit != 0:
		return false
	case old == 0:
		s.touched = append(s.touched, w)
	}
	s.bits[w] |= bit
	return true
}

// has reports whether an address is among the marks.
func (s *marks) has(at int) bool { return s.bits[at>>6]&(1<<(at&63)) != 0 }

// takeMarks returns an empty set with room for all addresses of the heap. It reuses the memory kept by keepMarks.
func (m *Terms) takeMarks(each int) *marks {
	s := m.marks
	m.marks = nil
	if words := each*m.H>>6 + 1; s == nil || len(s.bits) < words {
		s = &marks{bits: make([]uint64, words+words/4)}
	}
	return s
}

// keepMarks clears marks and keeps their room for the next walk. A walk that panics leaves its marks to the collector.
func (m *Terms) keepMarks(s *marks) {
	if s == nil {
		return
	}
	for _, w := range s.touched {
		s.bits[w] = 0
	}
	s.touched = s.touched[:0]
	m.marks = s
}

// pairMarks is the set of pairs of compounds that a walk over two terms has visited. Most compounds are visited once,
// so only pairs whose first compound was visited before are stored as pairs.
type pairMarks struct {
	first *marks
	pairs map[[2]cell]bool
	a, b  cell // the pair at a power of two of the steps
}

// again reports whether a pair equals the stored one. A cyclic walk reaches it soon (Brent 1980).
func (s *pairMarks) again(a, b cell, steps int) bool {
	if a == s.a && b == s.b {
		return true
	}
	if steps&(steps-1) == 0 {
		s.a, s.b = a, b
	}
	return false
}

// add reports whether a pair may be new. A repeated pair is reported as new twice.
func (s *pairMarks) add(m *Terms, a, b cell) bool {
	if s.first == nil {
		s.first = m.takeMarks(1)
	}
	if s.first.add(a.Addr()) {
		return true
	}
	if s.pairs[[2]cell{a, b}] {
		return false
	}
	if s.pairs == nil {
		s.pairs = map[[2]cell]bool{}
	}
	s.pairs[[2]cell{a, b}] = true
	return true
}

// unifyCompound unifies two dereferenced compounds of the same tag. Pairs of compounds among their arguments wait on
// the work stack; the last pair is processed at once, so lists need no stack.
func (m *Terms) unifyCompound(a, b cell) bool {
	base := len(m.Work)
	ok := true
	var seen pairMarks
	steps := 0
	for ; ok; steps++ {
		m.PollAt(steps, 1+len(seen.pairs))
		if a != b && !seen.again(a, b, steps) && (steps <= Unnoted || seen.add(m, a, b)) {
			ok = m.unifyArgs(a, b)
		}
		n := len(m.Work)
		if n == base {
			break
		}
		a, b = m.Work[n-2], m.Work[n-1]
		m.Work = m.Work[:n-2]
	}
	m.Work = m.Work[:base]
	m.keepMarks(seen.first)
	m.NoteWork(steps)
	return ok
}

// unifyArgs unifies the arguments of two dereferenced compounds of the same tag, and puts pairs of compounds among them
// on the work stack.
func (m *Terms) unifyArgs(a, b cell) bool {
	n, x, y := 2, a.Addr(), b.Addr()
	if a.Tag() == code.Str {
		if m.Heap[x] != m.Heap[y] {
			return false
		}
		n = m.Heap[x].FunctorArity()
		x, y = x+1, y+1
	}
	for i := range n {
		m.PollAt(i, 0)
		c, d := m.Heap[x+i], m.Heap[y+i]
		if c == d {
			continue
		}
		c, d = m.Deref(c), m.Deref(d)
		switch {
		case c == d:
		case IsVar(c):
			if IsVar(d) {
				m.BindVars(c, d)
			} else {
				m.Bind(c, d)
			}
		case IsVar(d):
			m.Bind(d, c)
		case c.Tag() != d.Tag():
			return false
		case c.Tag() == code.Blob:
			if !m.sameBlob(c, d) {
				return false
			}
		case c.Tag() > code.Lst:
			return false
		default:
			m.Work = append(m.Work, c, d)
		}
	}
	return true
}

// rank is the place of a dereferenced term in the standard order, with atoms before strings.
func (m *Terms) rank(c cell) int {
	switch c.Tag() {
	case code.Ref, code.Att:
		return 0
	case code.Int:
		return 1
	case code.Atom:
		return 2
	case code.Blob:
		if m.BlobKind(c) == code.StringBlob {
			return 3
		}
		return 1
	}
	return 4
}

// place returns the position of a rank in the standard order of the program. In SWI-Prolog strings precede atoms.
func (m *Terms) place(rank int) int {
	if m.StringsFirst && (rank == 2 || rank == 3) {
		return 5 - rank
	}
	return rank
}

// Rank returns the rank of a dereferenced term, and the position of that rank in the standard order of the program.
func (m *Terms) Rank(c cell) (rank, at int) {
	rank = m.rank(c)
	return rank, m.place(rank)
}

// Compare orders two terms by the standard order: -1, 0 or 1. See package term.
func (m *Terms) Compare(a, b cell) int {
	a, b = m.Deref(a), m.Deref(b)
	for range 1 + quickCompares {
		switch {
		case a == b:
			return 0
		case !IsCompound(a) || !IsCompound(b):
			return m.compareAtomic(a, b)
		}
		if d := m.compareFunctors(a, b); d != 0 {
			return d
		}
		last := m.Functor(a).FunctorArity() - 1
		if last < 0 {
			return 0
		}
		for i := 0; ; i++ {
			x, y := m.Deref(m.Arg(a, i)), m.Deref(m.Arg(b, i))
			if i == last {
				a, b = x, y
				break
			}
			if x == y {
				continue
			}
			if IsCompound(x) && IsCompound(y) {
				return m.compareCompounds(a, b)
			}
			if d := m.compareAtomic(x, y); d != 0 {
				return d
			}
		}
	}
	return m.compareCompounds(a, b)
}

// quickCompares is the number of nested compounds, each the last argument of the previous one, that are compared
// without a stack.
const quickCompares = 32

// compareCompounds is Compare for terms of any size and depth, also for cyclic ones.
func (m *Terms) compareCompounds(a, b cell) int {
	base, steps := len(m.Work), 0
	var seen pairMarks
	defer func() {
		m.Work = m.Work[:base]
		m.keepMarks(seen.first)
		m.NoteWork(steps)
	}()
	m.Work = append(m.Work, a, b)
	for ; len(m.Work) > base; steps++ {
		m.PollAt(steps, 1+len(seen.pairs))
		a, b := m.Deref(m.Work[len(m.Work)-2]), m.Deref(m.Work[len(m.Work)-1])
		m.Work = m.Work[:len(m.Work)-2]
		if a == b {
			continue
		}
		if !IsCompound(a) || !IsCompound(b) {
			if d := m.compareAtomic(a, b); d != 0 {
				return d
			}
			continue
		}
		if seen.again(a, b, steps) || steps > Unnoted && !seen.add(m, a, b) {
			continue
		}
		if d := m.compareFunctors(a, b); d != 0 {
			return d
		}
		for i := m.Functor(a).FunctorArity() - 1; i >= 0; i-- {
			m.Work = append(m.Work, m.Arg(a, i), m.Arg(b, i))
		}
	}
	return 0
}

// compareFunctors orders two dereferenced compounds by arity and then by name.
func (m *Terms) compareFunctors(a, b cell) int {
	f, g := m.Functor(a), m.Functor(b)
	if f == g {
		return 0
	}
	if d := cmp.Compare(f.FunctorArity(), g.FunctorArity()); d != 0 {
		return d
	}
	return strings.Compare(AtomText(f.FunctorName()), AtomText(g.FunctorName()))
}

// compareAtomic orders two dereferenced terms of which at least one is not compound.
func (m *Terms) compareAtomic(a, b cell) int {
	if a == b {
		return 0
	}
	if a.Tag() == code.Int && b.Tag() == code.Int {
		return cmp.Compare(a.Int(), b.Int())
	}
	rank := m.rank(a)
	if other := m.rank(b); rank != other {
		return cmp.Compare(m.place(rank), m.place(other))
	}
	switch rank {
	case 0:
		return cmp.Compare(a.Addr(), b.Addr())
	case 2:
		return strings.Compare(AtomText(a), AtomText(b))
	case 3:
		return strings.Compare(m.StringValue(a), m.StringValue(b))
	}
	if m.IsRatio(a) && m.IsRatio(b) {
		return bignum.CompareRatios(m.RatioValue(a), m.RatioValue(b), m.Meter())
	}
	return term.CompareNumbers(m.number(a), m.number(b))
}

// number returns a dereferenced number as a Go value.
func (m *Terms) number(c cell) term.Term {
	if c.Tag() == code.Int {
		return term.Int(c.Int())
	}
	if m.IsFloat(c) {
		return term.Float(m.FloatValue(c))
	}
	if m.IsRatio(c) {
		return term.NewRational(m.RatioValue(c))
	}
	return term.NewInt(m.BigValue(c))
}

// Identical reports whether two terms are ==.
func (m *Terms) Identical(a, b cell) bool { return m.Compare(a, b) == 0 }

// Walk visits the dereferenced subterms of c, compounds before their parts, until visit returns false. It reports
// whether it reached the end. A compound may be visited twice only within the first from steps. The work stack holds
// the remaining parts of each compound: the address of the next and the address behind the last.
func (m *Terms) Walk(c cell, from int, visit func(cell) bool) bool {
	base, steps := len(m.Work), 0
	var seen *marks
	defer func() {
		m.Work = m.Work[:base]
		m.keepMarks(seen)
		m.NoteWork(steps)
	}()
	for at, end := 0, 0; ; steps++ {
		m.PollAt(steps, 0)
		c = m.Deref(c)
		known := false
		if steps >= from && IsCompound(c) {
			if seen == nil {
				seen = m.takeMarks(1)
			}
			known = !seen.add(c.Addr())
		}
		if !known {
			if !visit(c) {
				return false
			}
			if n := 2; IsCompound(c) {
				if at < end {
					m.Work = append(m.Work, cell(at), cell(end))
				}
				if at = c.Addr(); c.Tag() == code.Str {
					n = m.Heap[at].FunctorArity()
					at++
				}
				end = at + n
			}
		}
		if at == end {
			top := len(m.Work)
			if top == base {
				return true
			}
			at, end = int(m.Work[top-2]), int(m.Work[top-1])
			m.Work = m.Work[:top-2]
		}
		c = m.Heap[at]
		at++
	}
}

// IsGround reports whether a term has no unbound variables.
func (m *Terms) IsGround(c cell) bool {
	return m.Walk(c, Unnoted, func(c cell) bool { return !IsVar(c) })
}

// Variables returns the distinct unbound variables of a term, in depth-first order.
func (m *Terms) Variables(c cell) []cell {
	list, ended := m.variables(c, Unnoted)
	if !ended { // perhaps a cycle that was traversed repeatedly: the order would be wrong
		list, _ = m.variables(c, 0)
	}
	return list
}

// variables returns the variables found by a walk. The walk ends after from steps. If from is 0 it takes cycles into
// account from the beginning.
func (m *Terms) variables(c cell, from int) (list []cell, ended bool) {
	defer func() {
		for i, v := range list {
			m.Heap[v.Addr()] = v
			list[i] = Keep(v)
		}
	}()
	steps := 0
	ended = m.Walk(c, from, func(c cell) bool {
		if IsVar(c) {
			list = append(list, c)
			m.Heap[c.Addr()] = makeMark(0) // so that it is found once
		}
		steps++
		return from == 0 || steps < from
	})
	return list, ended
}

// IsAcyclic reports whether a term is a finite tree. The first walk stores only one compound and ends soon for nearly
// all terms. If it does not end, or reaches that compound again, a search for a cycle decides.
func (m *Terms) IsAcyclic(c cell) bool {
	steps, kept := 0, cell(0)
	ended := m.Walk(c, Unnoted, func(c cell) bool {
		if c == kept {
			return false
		}
		if steps++; steps&(steps-1) == 0 && IsCompound(c) {
			kept = c
		}
		return steps < Unnoted
	})
	return ended || m.searchCycle(c)
}

// searchCycle reports whether no part of a term contains itself.
func (m *Terms) searchCycle(c cell) bool {
	seen := m.takeMarks(2) // even numbers mark visited compounds, the next odd ones those without a cycle
	base, steps := len(m.Work), 0
	defer func() {
		m.Work = m.Work[:base]
		m.keepMarks(seen)
		m.NoteWork(steps)
	}()
	m.Work = append(m.Work, m.Deref(c))
	for ; len(m.Work) > base; steps++ {
		m.PollAt(steps, 0)
		c := m.Work[len(m.Work)-1]
		if !IsCompound(c) || !seen.add(2*c.Addr()) {
			if IsCompound(c) {
				seen.add(2*c.Addr() + 1)
			}
			m.Work = m.Work[:len(m.Work)-1]
			continue
		}
		for i := m.Functor(c).FunctorArity() - 1; i >= 0; i-- {
			d := m.Deref(m.Arg(c, i))
			if !IsCompound(d) {
				continue
			}
			if seen.has(2*d.Addr()) && !seen.has(2*d.Addr()+1) {
				return false
			}
			m.Work = append(m.Work, d)
		}
	}
	return true
}

// IsProperList reports whether c is a list that ends in [].
func (m *Terms) IsProperList(c cell) bool {
	_, tail := m.SkipList(c)
	return tail == code.ANil
}

// UnifyOrUndo unifies, and undoes all bindings if that fails or if goals of attributed variables would have to run.
// wakes reports the latter.
func (m *Terms) UnifyOrUndo(a, b cell) (ok, wakes bool) {
	mark, hb, wake, goals := m.TR, m.HB, m.Wake, m.WakeGoals
	m.HB = m.H // trail everything
	ok = m.Unify(a, b)
	m.HB = hb
	wakes = ok && m.WakeGoals != goals
	if !ok || wakes {
		m.UndoTrail(mark)
		m.Wake, m.WakeGoals = wake, goals
	}
	return ok, wakes
}

// mostOccurs is the number of bindings to compounds that are checked one by one.
const mostOccurs = 16

// UnifyFinite unifies if no binding makes a term that contains itself. It checks the bindings one by one, each with the
// earlier ones in force, if they are few and of plain variables. Otherwise known is false, and the terms are unchanged.
func UnifyFinite(m *Terms, a, b cell) (ok, known bool) {
	mark, hb, wake, goals := m.TR, m.HB, m.Wake, m.WakeGoals
	m.HB = m.H // trail everything
	ok = m.Unify(a, b)
	m.HB = hb
	if !ok {
		return false, true
	}
	compounds, known := 0, true
	for _, entry := range m.Trail[mark:m.TR] {
		if known = known && entry.Tag() == code.Ref; known && IsCompound(m.Heap[entry.Addr()]) {
			compounds++
		}
	}
	if !known || compounds > mostOccurs {
		m.UndoTrail(mark)
		m.Wake, m.WakeGoals = wake, goals
		return false, false
	}
	if compounds > 0 && !m.bindFinite(mark) {
		return false, true
	}
	tr := mark // without the entries that nobody undoes
	for _, entry := range m.Trail[mark:m.TR] {
		if entry.Addr() < hb {
			m.Trail[tr] = entry
			tr++
		}
	}
	m.TR = tr
	return true, true
}

// bindFinite repeats the bindings on the trail since mark. It stops at a binding of a variable to a term that contains
// the variable.
func (m *Terms) bindFinite(mark int) bool {
	base := len(m.Work)
	defer func() { m.Work = m.Work[:base] }()
	for _, entry := range m.Trail[mark:m.TR] {
		m.Work = append(m.Work, m.Heap[entry.Addr()])
	}
	for _, entry := range m.Trail[mark:m.TR] {
		m.Heap[entry.Addr()] = code.MakeRef(entry.Addr())
	}
	for i, entry := range m.Trail[mark:m.TR] {
		v, value := code.MakeRef(entry.Addr()), m.Work[base+i]
		if IsCompound(value) && !m.Walk(value, Unnoted, func(c cell) bool { return c != v }) {
			return false
		}
		m.Heap[v.Addr()] = value
	}
	return true
}

// UndoTrail undoes the entries of the trail down to length to. An entry with the tag of a variable is a bound variable.
// Any other entry is above the old value of an assignment.
func (m *Terms) UndoTrail(to int) {
	for m.TR > to {
		m.TR--
		a := m.Trail[m.TR]
		if a.Tag() == code.Ref {
			m.Heap[a.Addr()] = a
		} else {
			m.TR--
			m.Heap[a.Addr()] = m.Trail[m.TR]
		}
	}
}
