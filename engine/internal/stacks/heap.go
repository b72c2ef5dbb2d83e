package stacks

import (
	"math"
	"math/big"
	"slices"
	"unicode/utf8"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/bignum"
	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines how terms are read from and built on the heap. Addresses are indexes, so the heap may grow at any
// time; only a collection moves terms, and none happens inside a built-in. A dereferenced attributed variable is an Att
// cell, which may only be at its own address, so cells to be stored or returned go through [Keep].

// cell is a term or a part of one; see package code.
type cell = code.Cell

// Deref follows references from c to a term or an unbound variable.
func (m *Terms) Deref(c cell) cell {
	for c.Tag() == code.Ref {
		n := m.Heap[c.Addr()]
		if n == c {
			return c
		}
		c = n
	}
	return c
}

// Keep turns a dereferenced cell into one that may be stored anywhere.
func Keep(c cell) cell {
	if c.Tag() == code.Att {
		return code.MakeRef(c.Addr())
	}
	return c
}

// IsVar reports whether a dereferenced cell is an unbound variable, attributed or not.
func IsVar(c cell) bool { return c.Tag() <= code.Att }

// Functor returns the functor cell of a dereferenced compound ('./2' for a list cell).
func (m *Terms) Functor(c cell) cell {
	if c.Tag() == code.Lst {
		return code.FDot
	}
	return m.Heap[c.Addr()]
}

// Arg returns argument i, from 0, of a dereferenced compound, itself not dereferenced.
func (m *Terms) Arg(c cell, i int) cell { return m.Heap[m.ArgAddr(c, i)] }

// ArgAddr returns the heap address of argument i, from 0, of a dereferenced compound.
func (m *Terms) ArgAddr(c cell, i int) int {
	if c.Tag() == code.Lst {
		return c.Addr() + i
	}
	return c.Addr() + 1 + i
}

// IsCompound reports whether a dereferenced cell is a compound.
func IsCompound(c cell) bool { return c.Tag() == code.Str || c.Tag() == code.Lst }

// IsCallable reports whether a dereferenced cell is an atom or a compound.
func IsCallable(c cell) bool { return IsCompound(c) || c.Tag() == code.Atom }

// Room makes sure that n more cells fit on the heap; it grows the heap but never collects.
// If it exceeds the memory limit, the error is thrown when the built-in returns.
func (m *Terms) Room(n int) {
	if m.H+n > len(m.Heap) {
		m.GrowHeap(m.H + n)
	}
}

// Push stores c on top of the heap; Room must have been called.
func (m *Terms) Push(c cell) {
	m.Heap[m.H] = c
	m.H++
}

// NewVar returns a fresh variable.
func (m *Terms) NewVar() cell {
	m.Room(1)
	v := code.MakeRef(m.H)
	m.Push(v)
	return v
}

// NewList returns [head|tail].
func (m *Terms) NewList(head, tail cell) cell {
	m.Room(2)
	a := m.H
	m.Push(Keep(head))
	m.Push(Keep(tail))
	return code.MakeLst(a)
}

// List returns the list of items, ended by tail.
func (m *Terms) List(items []cell, tail cell) cell {
	m.Room(2 * len(items))
	if len(items) == 0 {
		return tail
	}
	first := m.H
	for i, item := range items {
		m.Push(Keep(item))
		if i == len(items)-1 {
			m.Push(Keep(tail))
		} else {
			m.Push(code.MakeLst(m.H + 1))
		}
	}
	return code.MakeLst(first)
}

// FreshList returns a list of n fresh variables, which are the heads of its cells.
func FreshList(m *Terms, n int) cell {
	if n == 0 {
		return code.ANil
	}
	m.Room(2 * n)
	first := m.H
	for i := range n {
		m.Push(code.MakeRef(m.H))
		m.Push(code.MakeLst(m.H + 1))
		m.PollAt(i, 0)
	}
	m.Heap[m.H-1] = code.ANil
	return code.MakeLst(first)
}

// NewStruct returns name(args...), the atom when there are none, a list cell for './2'.
func (m *Terms) NewStruct(name string, args ...cell) cell {
	if len(args) == 0 {
		return m.NewAtom(name)
	}
	return m.NewCompound(code.MakeFunctor(m.NewAtom(name).Atom(), len(args)), args)
}

// NewCompound returns the compound with the given functor cell.
func (m *Terms) NewCompound(functor cell, args []cell) cell {
	if functor == code.FDot {
		return m.NewList(args[0], args[1])
	}
	m.Room(1 + len(args))
	a := m.H
	m.Push(functor)
	for _, arg := range args {
		m.Push(Keep(arg))
	}
	return code.MakeStr(a)
}

// NewInt returns an integer, small or big.
func (m *Terms) NewInt(n int64) cell {
	if code.FitsInt(n) {
		return code.MakeInt(n)
	}
	return m.NewBig(big.NewInt(n))
}

// NewBig returns an integer of any size; it keeps no reference to n.
func (m *Terms) NewBig(n *big.Int) cell {
	if n.IsInt64() && code.FitsInt(n.Int64()) {
		return code.MakeInt(n.Int64())
	}
	words := n.Bits()
	m.Room(len(words) + 1)
	a := m.H
	m.Push(code.MakeBlobHeader(bigKind(n), len(words), 0))
	m.H += copy(bigWords(m.Heap[m.H:m.H+len(words)]), words)
	return code.MakeBlob(a)
}

// NewFloat returns a float.
func (m *Terms) NewFloat(f float64) cell {
	m.Room(2)
	a := m.H
	m.Push(code.MakeBlobHeader(code.FloatBlob, 1, 0))
	m.Push(code.FloatWord(f))
	return code.MakeBlob(a)
}

// NewString returns a string.
func (m *Terms) NewString(s string) cell {
	n := (len(s) + 7) / 8
	m.Room(n + 1)
	a := m.H
	m.Push(code.MakeBlobHeader(code.StringBlob, n, n*8-len(s)))
	if n > 0 {
		m.Heap[m.H+n-1] = 0
		arrays.Copy(code.Bytes(m.Heap[m.H:m.H+n]), arrays.Bytes(s))
		m.H += n
	}
	return code.MakeBlob(a)
}

func floatBits(c cell) float64 { return math.Float64frombits(uint64(c)) }

// BlobKind returns the kind of a dereferenced blob.
func (m *Terms) BlobKind(c cell) code.BlobKind { return m.Heap[c.Addr()].BlobKind() }

// IsString reports whether a dereferenced cell is a string.
func (m *Terms) IsString(c cell) bool {
	return c.Tag() == code.Blob && m.BlobKind(c) == code.StringBlob
}

// IsFloat reports whether a dereferenced cell is a float.
func (m *Terms) IsFloat(c cell) bool { return c.Tag() == code.Blob && m.BlobKind(c) == code.FloatBlob }

// IsBig reports whether a dereferenced cell is an integer too large for a cell.
func (m *Terms) IsBig(c cell) bool {
	if c.Tag() != code.Blob {
		return false
	}
	kind := m.BlobKind(c)
	return kind == code.BigPos || kind == code.BigNeg
}

// IsRatio reports whether a dereferenced cell is a rational number that is no integer.
func (m *Terms) IsRatio(c cell) bool { return c.Tag() == code.Blob && m.BlobKind(c) >= code.RatioPos }

// IsInteger reports whether a dereferenced cell is an integer of any size.
func (m *Terms) IsInteger(c cell) bool { return c.Tag() == code.Int || m.IsBig(c) }

// IsNumber reports whether a dereferenced cell is a number.
func (m *Terms) IsNumber(c cell) bool {
	return c.Tag() == code.Int || c.Tag() == code.Blob && m.BlobKind(c) != code.StringBlob
}

// FloatValue returns the value of a dereferenced float.
func (m *Terms) FloatValue(c cell) float64 { return floatBits(m.Heap[c.Addr()+1]) }

// StringValue returns the text of a dereferenced string.
func (m *Terms) StringValue(c cell) string { return BlobText(m.Heap, c.Addr()) }

// BlobText returns the text of the string blob at address a of some cells.
func BlobText(cells []cell, a int) string {
	h := cells[a]
	return string(code.Bytes(cells[a+1 : a+1+h.BlobWords()])[:h.BlobBytes()])
}

// BigValue returns the value of a dereferenced integer of any size, as a fresh number.
func (m *Terms) BigValue(c cell) *big.Int {
	if c.Tag() == code.Int {
		return big.NewInt(c.Int())
	}
	return blobBig(m.Heap, c.Addr())
}

// blobBig returns the integer in the blob at address a of some cells.
func blobBig(cells []cell, a int) *big.Int {
	h := cells[a]
	words := slices.Clone(bigWords(cells[a+1 : a+1+h.BlobWords()]))
	n := new(big.Int).SetBits(words)
	if h.BlobKind() == code.BigNeg {
		n.Neg(n)
	}
	return n
}

// NewRational returns a rational number, which may be an integer; it keeps no reference to r.
func (m *Terms) NewRational(r *big.Rat) cell {
	if r.IsInt() {
		return m.NewBig(r.Num())
	}
	numerator, denominator := r.Num().Bits(), r.Denom().Bits()
	kind := code.RatioPos
	if r.Sign() < 0 {
		kind = code.RatioNeg
	}
	n := 1 + len(numerator) + len(denominator)
	m.Room(n + 1)
	a := m.H
	m.Push(code.MakeBlobHeader(kind, n, 0))
	m.Push(cell(len(numerator)))
	words := bigWords(m.Heap[m.H : m.H+n-1])
	copy(words[copy(words, numerator):], denominator)
	m.H += n - 1
	return code.MakeBlob(a)
}

// NewShortRatio returns n/d, which is in lowest terms and no integer, for a positive d.
func (m *Terms) NewShortRatio(n, d int64) cell {
	kind, magnitude := code.RatioPos, uint64(n)
	if n < 0 {
		kind, magnitude = code.RatioNeg, -magnitude
	}
	const words = 3
	m.Room(words + 1)
	a := m.H
	m.Push(code.MakeBlobHeader(kind, words, 0))
	m.Push(1)
	m.Push(cell(magnitude))
	m.Push(cell(d))
	return code.MakeBlob(a)
}

// ShortRatio returns the parts of a dereferenced rational number that is no integer if both are below 2**31.
func (m *Terms) ShortRatio(c cell) (n, d int64, ok bool) {
	a := c.Addr()
	h := m.Heap[a]
	if h.BlobWords() != 3 || m.Heap[a+2]|m.Heap[a+3] >= 1<<31 {
		return 0, 0, false
	}
	n, d = int64(m.Heap[a+2]), int64(m.Heap[a+3])
	if h.BlobKind() == code.RatioNeg {
		n = -n
	}
	return n, d, true
}

// RatioValue returns the value of a dereferenced rational number that is no integer, as a fresh number.
func (m *Terms) RatioValue(c cell) *big.Rat { return blobRatio(m.Heap, c.Addr()) }

// blobRatio returns the rational number in the blob at address a of some cells.
func blobRatio(cells []cell, a int) *big.Rat {
	h := cells[a]
	words := bigWords(cells[a+2 : a+1+h.BlobWords()])
	n := cells[a+1]
	return bignum.RatioOf(h.BlobKind() == code.RatioNeg, words[:n], words[n:])
}

// NewAtom returns the atom with this text. An atom that is new to the process lives until this machine's run ends,
// unless it is stored in the database.
func (m *Terms) NewAtom(text string) cell {
	if len(text) == 1 && text[0] < utf8.RuneSelf {
		return asciiAtoms[text[0]]
	}
	n, added := code.AcquireAtom(text, m.OwnAtoms)
	if added {
		m.noteAtoms(1, len(text))
	}
	return code.MakeAtom(n)
}

// NewAtoms stores the atoms with some texts, each as NewAtom makes it. They may outnumber code.AtomBatch.
func (m *Terms) NewAtoms(texts []string, atoms []cell) {
	for len(texts) > 0 {
		var numbers [code.AtomBatch]uint32
		n := min(len(texts), len(numbers))
		added, size := code.AcquireAtoms(texts[:n], m.OwnAtoms, numbers[:n])
		for i, number := range numbers[:n] {
			atoms[i] = code.MakeAtom(number)
		}
		if added > 0 {
			m.noteAtoms(added, size)
		}
		texts, atoms = texts[n:], atoms[n:]
	}
}

// noteAtoms accounts for new atoms of the run, whose texts have size bytes.
func (m *Terms) noteAtoms(added, size int) {
	m.AtomBytes += size + added*AtomOverhead
	if m.ManyAtoms() {
		m.HSoft = -1 // the next call searches for dead ones
	}
}

// AtomOverhead estimates what one atom costs beside its text: its entry, its slots in the table and in the set of the
// run, and the rounding up of the text.
const AtomOverhead = 64

// AtomText returns the text of an atom cell.
func AtomText(c cell) string { return code.AtomText(c.Atom()) }

// OneChar returns the character of a dereferenced one-character atom.
func OneChar(c cell) (rune, bool) {
	if c.Tag() != code.Atom {
		return 0, false
	}
	text := AtomText(c)
	r, size := utf8.DecodeRuneInString(text)
	return r, size > 0 && size == len(text)
}

// This part defines where the arrays of heap and stacks live.
//
// Small ones are slices like any other. One that outgrows those moves once into address space that is reserved for as
// far as its limit allows. There it grows without being copied, so that memory holds it once, and pages that a
// collection has emptied go back to the system. Where the system reserves nothing, arrays grow by copying.

// stackMemory is the memory of the heap or of a stack.
type stackMemory struct {
	mapped  []byte   // reserved address space, or nil
	retired [][]byte // the outgrown array; texts may be read there until the next collection
	needed  int      // cells needed recently
}

// Memory is the reserved memory of a machine. It is a separate object, so that it can be released when the machine is
// garbage.
type Memory struct {
	heap, envs, choices, trail stackMemory
}

// Release releases all memory; nothing may use it any more.
func (mem *Memory) Release() {
	for _, s := range []*stackMemory{&mem.heap, &mem.envs, &mem.choices, &mem.trail} {
		s.release()
	}
}

// release returns a mapped array to the system. Go arrays are left to Go's collector.
func (s *stackMemory) release() {
	s.releaseRetired()
	if s.mapped != nil {
		unreserve(s.mapped)
		s.mapped = nil
	}
}

// releaseRetired releases the outgrown array.
func (s *stackMemory) releaseRetired() {
	for _, space := range s.retired {
		unreserve(space)
	}
	s.retired = nil
}

const (
	// smallStack is the number of cells up to which an array is an ordinary slice.
	smallStack = 1 << 13
	// CellBytes is the size of a cell.
	CellBytes = 8
)

// cells returns the reserved memory as an array.
func (s *stackMemory) cells() []cell {
	if s.mapped == nil {
		return nil
	}
	return unsafe.Slice((*cell)(unsafe.Pointer(&s.mapped[0])), len(s.mapped)/CellBytes)
}

// grow returns an array of size cells that begins with the cells of old. most is its largest possible size, as
// currently known.
func (s *stackMemory) grow(old []cell, size, most int) []cell {
	if space := s.cells(); size <= len(space) {
		return space[:size]
	}
	before := s.mapped
	to := s.fresh(size, most)
	arrays.Copy(to, old)
	if before != nil {
		s.retired = append(s.retired, before)
	}
	return to
}

// fresh returns an array of size cells. Large arrays get reserved addresses for most cells, which s stores. s has none
// for a small array, or if the system reserves none.
func (s *stackMemory) fresh(size, most int) []cell {
	s.mapped = nil
	if size > smallStack {
		s.mapped = reserve(max(size, most) * CellBytes)
	}
	if s.mapped == nil {
		return make([]cell, size)
	}
	return s.cells()[:size]
}

// fit returns the array cut to about size cells if it is much larger, and releases the rest. Recently needed memory may
// be needed again, and a page that is mapped again costs more than one that stays. So the kept size shrinks by a sixth
// with each collection, and does not fall below what a small heap may grow to.
func (s *stackMemory) fit(array []cell, size int) []cell {
	s.releaseRetired()
	s.needed = max(size, s.needed-s.needed/6)
	switch {
	case s.mapped != nil && len(array) > s.needed+max(s.needed/4, maxPatience*minGrowth):
		discard(s.mapped, s.needed*CellBytes, len(array)*CellBytes)
		return array[:s.needed]
	case s.mapped == nil && len(array) > max(4*size, smallStack):
		return append(make([]cell, 0, size), array[:size]...)
	}
	return array
}

// larger returns the next size of an array of n cells: twice as large, or slightly larger if growing costs no copying.
func (s *stackMemory) larger(n int) int {
	if more := n/8 + smallStack; n+more <= len(s.mapped)/CellBytes {
		return n + more
	}
	return 2 * n
}

// mostCells is the largest number of cells of one array within the memory limit. A built-in may exceed the limit by an
// eighth before it is stopped.
func (m *Terms) mostCells() int {
	limit := m.LimitBytes() / CellBytes
	return limit + limit/8 + 2*Slack
}

// Indicator returns the term name/arity of a functor cell.
func (m *Terms) Indicator(functor cell) cell {
	return m.NewCompound(code.FSlash,
		[]cell{functor.FunctorName(), code.MakeInt(int64(functor.FunctorArity()))})
}

// IsOpen reports whether the n arguments of a term are different variables.
func (m *Terms) IsOpen(c cell, n int) bool {
	c = m.Deref(c)
	for i := range n {
		v := m.Deref(m.Arg(c, i))
		for j := range i {
			if m.Deref(m.Arg(c, j)) == v {
				return false
			}
		}
		if v.Tag() != code.Ref {
			return false
		}
	}
	return true
}
