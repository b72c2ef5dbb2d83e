package machine

import (
	"maps"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines frozen terms: copies that live outside the heap, as a run of cells whose pointers are relative to
// its start. It also defines the three predicates that findall/3 is compiled to. Copying goes breadth first over the
// copy itself, as Cheney's collector does (1970), so nothing recurses. Only variables leave a mark in the source, which
// is undone afterwards; when the copy outgrows the heap, the term shares subterms or is cyclic, and copying starts
// again with a table of what has been copied.

// frozen is a term outside the heap. Its atoms are held by whoever froze it.
type frozen struct {
	root   cell
	cells  []cell
	shared bool // has shared subterms, or is cyclic
}

// copyMark is what a copied variable holds meanwhile: a blob header of a kind that no blob has.
const copyMark = cell(15)<<8 | 8 | code.Hdr

// isMark reports whether a cell is a mark, makeMark makes the mark of an address in the copy, and markTarget returns
// that address.
func isMark(c cell) bool    { return c&0xffff == copyMark }
func makeMark(at int) cell  { return cell(at)<<16 | copyMark }
func markTarget(c cell) int { return int(c >> 16) }

// copier copies terms out of a heap.
type copier struct {
	m     *Terms
	heap  []cell
	to    []cell
	undo  []cell      // pairs: address, old cell
	attrs bool        // copy attributed variables with their attributes
	seen  map[int]int // where a compound or blob at an address went; nil: do not ask
	limit int         // largest size without seen
	kept  []cell      // variables that are not copied; a reference to one leads beyond beyondCopy
	notes bool        // blocks are to be noted
	noted []noted     // the compounds that were copied
}

// copyRoom is what copies use one after another.
type copyRoom struct {
	copyBuf, undoBuf []cell
	noteBuf          []noted
}

// noted is a compound that was copied: its pointer, where its copy is, and how many cells that has.
type noted struct {
	from     cell
	start, n int
}

// fewCells is a size up to which a term is copied as if it shared nothing, however small the heap: a table of what has
// been copied costs more than the parts that are copied twice.
const fewCells = 1 << 11

// freeze copies a term out of the heap. Attributed variables become plain ones.
func (m *View) freeze(c cell) frozen { return m.freezeWith(c, false) }

// freezeWith is freeze, with or without the attributes of variables.
func (m *View) freezeWith(c cell, attrs bool) frozen {
	f := m.copyOut(c, attrs)
	f.cells = append([]cell(nil), f.cells...)
	return f
}

// copyOut is freezeWith into a buffer, which the next copy overwrites.
func (m *Terms) copyOut(c cell, attrs bool) frozen {
	f, _ := m.copyBy(copier{attrs: attrs}, c)
	return f
}

// copyBy is copyOut by a copier with its attrs, kept, notes and seen. What the term shares is copied once if there is a
// table for it.
func (m *Terms) copyBy(k copier, c cell) (frozen, []noted) {
	c = m.Deref(c)
	if c.Tag() == code.Atom || c.Tag() == code.Int {
		return frozen{root: c}, nil
	}
	k.m, k.heap, k.to, k.undo, k.limit = m, m.heap, m.copyBuf[:0], m.undoBuf[:0], max(m.h, fewCells)+64
	k.noted = m.noteBuf[:0]
	root, ok := k.run(c)
	if !ok {
		m.PollHolding(0)
		k.to, k.undo, k.noted, k.seen = nil, nil, nil, map[int]int{}
		if root, ok = k.run(c); !ok {
			m.PollHolding(k.held())
		}
	}
	m.noteWork(len(k.to))
	if cap(k.to) <= 1<<16 {
		m.copyBuf, m.undoBuf, m.noteBuf = k.to, k.undo, k.noted
	}
	return frozen{root: root, cells: k.to, shared: k.seen != nil}, k.noted
}

// run copies c and everything below it; ok is false when the limit was passed, or the run is over.
func (k *copier) run(c cell) (root cell, ok bool) {
	for _, v := range k.kept {
		at := k.m.Deref(v).Addr()
		k.undo = arrays.Append(k.undo, cell(at), k.heap[at])
		k.heap[at] = makeMark(beyondCopy + at)
	}
	root = k.copy(keep(c), -1)
	ok = true
	for i, next := 0, pollSteps; i < len(k.to); i++ {
		if i >= next {
			if next = i + pollSteps; k.m.mustStop() || k.tooLarge() {
				ok = false
				break
			}
		}
		c := k.to[i]
		switch c.Tag() {
		case code.Hdr:
			if !c.IsFunctor() {
				i += c.BlobWords()
			}
		case code.Ref, code.Str, code.Lst, code.Blob:
			v := k.copy(c, i)
			k.to[i] = v
		}
		if k.seen == nil && len(k.to) > k.limit {
			ok = false
			break
		}
	}
	for i := len(k.undo) - 2; i >= 0; i -= 2 {
		k.heap[k.undo[i]] = k.undo[i+1]
	}
	k.undo = k.undo[:0]
	return root, ok
}

// held estimates what the copy takes, in bytes, and the term that is made of it.
func (k *copier) held() int {
	const entryBytes, noteBytes = 48, 72 // a note with the room that it grows into, and its entry in ShareTerm
	return cellBytes*(cap(k.to)+len(k.to)+cap(k.undo)) + entryBytes*len(k.seen) + noteBytes*len(k.noted)
}

// tooLarge reports whether the copy takes more than the memory that is left.
func (k *copier) tooLarge() bool { return k.m.pollable && k.m.used()+k.held() > k.m.limitBytes() }

// copy returns what to store at index slot of the copy for the heap cell c (slot -1: for the
// root). Parts of compounds are appended as they are, to be copied when their turn comes.
func (k *copier) copy(c cell, slot int) cell {
	for c.Tag() == code.Ref {
		at := c.Addr()
		n := k.heap[at]
		if n == c {
			return k.variable(at, slot)
		}
		if isMark(n) {
			return code.MakeRef(markTarget(n))
		}
		c = n
	}
	at := c.Addr()
	switch c.Tag() {
	case code.Att:
		return k.attributed(at, slot)
	case code.Lst:
		return code.MakeLst(k.compound(c, 2))
	case code.Str:
		return code.MakeStr(k.compound(c, 1+k.heap[at].FunctorArity()))
	case code.Blob:
		return code.MakeBlob(k.block(at, 1+k.heap[at].BlobWords()))
	}
	return c
}

// compound is block for a compound, of a pointer.
func (k *copier) compound(c cell, n int) int {
	before := len(k.to)
	start := k.block(c.Addr(), n)
	if k.notes && start == before {
		k.noted = arrays.Append(k.noted, noted{c, start, n})
	}
	return start
}

// block appends n cells from an address and returns where they are.
func (k *copier) block(at, n int) int {
	if k.seen != nil {
		if to, ok := k.seen[at]; ok {
			return to
		}
		k.seen[at] = len(k.to)
	}
	start := len(k.to)
	k.to = arrays.Append(k.to, k.heap[at:at+n]...)
	if h := k.to[start]; h.Tag() == code.Hdr && !h.IsFunctor() && !isMark(h) {
		return start // raw words
	}
	for i := start; i < len(k.to) && len(k.undo) > 0; i++ {
		if isMark(k.to[i]) { // the part is a variable that has been copied already
			k.to[i] = code.MakeRef(at + i - start)
		}
	}
	return start
}

// variable copies an unbound variable: the slot where it is first met becomes its new place.
func (k *copier) variable(at, slot int) cell {
	if slot < 0 {
		k.to = append(k.to, 0)
		slot = len(k.to) - 1
	}
	k.undo = arrays.Append(k.undo, cell(at), k.heap[at])
	k.heap[at] = makeMark(slot)
	return code.MakeRef(slot)
}

// attributed copies an attributed variable, to a place of its own when attributes are kept. One whose attributes have
// all been deleted is copied as the plain variable that it is.
func (k *copier) attributed(at, slot int) cell {
	if !k.attrs || k.heap[at+1] == code.ANil {
		return k.variable(at, slot)
	}
	start := len(k.to)
	k.to = append(k.to, code.MakeAtt(start), k.heap[at+1])
	if isMark(k.to[start+1]) {
		k.to[start+1] = code.MakeRef(at + 1)
	}
	k.undo = arrays.Append(k.undo, cell(at), k.heap[at])
	k.heap[at] = makeMark(start)
	return code.MakeRef(start)
}

// thaw builds a frozen term on the heap, with fresh variables.
func (m *Terms) thaw(f frozen) cell {
	if len(f.cells) == 0 {
		return f.root
	}
	m.Room(len(f.cells))
	at := m.h
	m.h += len(f.cells)
	return m.thawAt(f, at)
}

// thawAt is thaw of a term that is not atomic, at an address where there is room.
func (m *Terms) thawAt(f frozen, at int) cell {
	m.noteWork(len(f.cells))
	base := cell(at) << 3
	to := m.heap[at : at+len(f.cells)]
	for i := 0; i < len(f.cells); i++ {
		c := f.cells[i]
		if c.IsPointer() {
			c += base
		}
		to[i] = c
		if c.Tag() == code.Hdr && !c.IsFunctor() {
			n := c.BlobWords()
			copy(to[i+1:i+1+n], f.cells[i+1:i+1+n])
			i += n
		}
	}
	return keep(f.root + base)
}

// attributed reports whether a frozen term has attributed variables.
func (f frozen) attributed() bool {
	for i := 0; i < len(f.cells); i++ {
		switch c := f.cells[i]; {
		case c.Tag() == code.Att:
			return true
		case c.Tag() == code.Hdr && !c.IsFunctor():
			i += c.BlobWords()
		}
	}
	return false
}

// Duplicate returns a copy of a term whose parts may be changed: what it shares, the copy shares.
func Duplicate(m *Terms, c cell) cell {
	f, _ := m.copyBy(copier{attrs: true, seen: map[int]int{}}, c)
	return m.thaw(f)
}

// beyondCopy is an address that no copy has. A copier marks a variable at address a that it keeps by beyondCopy+a.
const beyondCopy = 1 << 40

// ShareTerm returns a copy of a term which keeps some variables, and shares the compounds of the term that have no
// others: a change of one by setarg/3 shows in both. Parts stand behind the compounds that have them, so one walk from
// the end finds what is shared. Unless the term is ground, a compound that comes to itself again is not, nor is
// one with a part that stands before it because several share that.
func ShareTerm(m *Terms, c cell, attrs bool, kept []cell) cell {
	if m.IsGround(c) { // all of it is shared
		return keep(m.Deref(c))
	}
	f, blocks := m.copyBy(copier{attrs: attrs, notes: true, kept: kept}, c)
	m.Room(len(f.cells))
	base := cell(m.h) << 3
	var few [64]cell
	shared := few[:] // by their places in the copy
	if len(f.cells) > len(few) {
		shared = make([]cell, len(f.cells))
	}
	for _, b := range slices.Backward(blocks) {
		all := true
		part := f.cells[b.start : b.start+b.n]
		for _, c := range part {
			if c.Tag() == code.Ref && c.Addr() < beyondCopy || IsCompound(c) && shared[c.Addr()] == 0 {
				all = false
				break
			}
		}
		if all {
			shared[b.start] = b.from
			continue
		}
		for i, c := range part { // thaw adds the base
			if c.Tag() == code.Ref && c.Addr() >= beyondCopy {
				part[i] = code.MakeRef(c.Addr()-beyondCopy) - base
			} else if IsCompound(c) && shared[c.Addr()] != 0 {
				part[i] = shared[c.Addr()] - base
			}
		}
	}
	return m.thaw(f)
}

// Saved is a term kept outside the heap by a predicate written in Go, such as a value of a
// global variable or a message between calls of a nondeterministic predicate.
type Saved struct{ term frozen }

// Save copies a term out of the heap.
func (m *Machine) Save(c cell) Saved {
	f := m.freeze(c)
	m.holdAtoms(f)
	return Saved{f}
}

// Bytes is how much memory the copy takes.
func (s Saved) Bytes() int { return cellBytes * (len(s.term.cells) + 4) }

// Restore builds a saved term on the heap, with fresh variables.
func (m *Machine) Restore(s Saved) cell { return m.thaw(s.term) }

// bag collects copies of solutions; it stands on the Go object stack of the machine. Of a
// solution that is a compound without compounds in it keeps the cells, which begin with the
// functor; of another the root, then for a pointer the number of the copy's cells and these.
type bag struct {
	chunks [][]cell // a solution is in one of them, so that no growth copies what is there
	cells  int      // in all chunks
	count  int
	bytes  int // accounted for
	taint  int // of the derivation that has started it
	// doubt holds the undefined goals that some solution rests on, or the lack of one.
	doubt *doubt
	// unanswered is what solutions rest on that nobody has answered, by number; first is the number at the start.
	unanswered map[int]bool
	first      int
}

// bagChunk is the size in cells of a chunk when there are many, and of one that the next bag may use again.
const bagChunk = 1 << 15

// room returns the chunk with room for n more cells; made is the size of a new one.
func (b *bag) room(n int) (chunk *[]cell, made int) {
	if k := len(b.chunks); k > 0 && cap(b.chunks[k-1])-len(b.chunks[k-1]) >= n {
		return &b.chunks[k-1], 0
	}
	made = max(n, min(64+2*b.cells, bagChunk))
	b.chunks = append(b.chunks, make([]cell, 0, made))
	return &b.chunks[len(b.chunks)-1], made
}

// findallTable are predicates that only the compiler and the library call.
var findallTable = []Builtin{
	{Name: "$findall_start", Arity: 1, Func: findallStart, Modes: "-bag", Doc: "Starts to collect solutions."},
	{Name: "$findall_add", Arity: 2, Func: taking((*Machine).bagArg, findallAdd), Modes: "+bag, ?term",
		Doc: "Adds a copy of a solution to a bag."},
	{Name: "$findall_note", Arity: 1, Func: taking((*Machine).bagArg, findallNote), Modes: "+bag",
		Doc: "Counts a solution among those of a bag, of which nothing is kept there."},
	{Name: "$findall_collect", Arity: 2, Func: taking((*Machine).bagArg, findallCollect), Modes: "+bag, -list",
		Doc: "Returns the solutions of a bag as a list and ends it."},
	{Name: "$findall_collect", Arity: 3, Func: taking((*Machine).bagArg, findallCollect), Modes: "+bag, -list, ?tail",
		Doc: "Returns the solutions of a bag as a list ending in tail and ends it."},
	{Name: "$findall_count", Arity: 2, Func: taking((*Machine).bagArg, findallCount), Modes: "+bag, -count",
		Doc: "Returns how many solutions a bag holds."},
	{Name: "throw", Arity: 1, Func: throw, Modes: "+ball",
		Doc: "Throws a copy of ball to the innermost catch/3 that takes it."},
}

// findallStart is $findall_start/1. The bag is named by its place among the objects of the run, which nest as the goals
// do. The chunk that the bag before has left is used again, so that findall/3 in a loop makes no garbage.
func findallStart(m *Machine, a []cell) (bool, error) {
	b := &bag{taint: m.taint(), first: m.tables.unanswered.count}
	if m.bagBuf != nil {
		b.chunks = append(b.chunks, m.bagBuf[:0])
		m.bagBuf = nil
	}
	m.objs = append(m.objs, b)
	return m.Unify(a[0], code.MakeInt(int64(len(m.objs)-1))), nil
}

// bagArg returns the bag that an argument names.
func (m *Machine) bagArg(c cell) (*bag, error) {
	c = m.Deref(c)
	if c.Tag() == code.Int && c.Int() >= 0 && c.Int() < int64(len(m.objs)) {
		if b, ok := m.objs[c.Int()].(*bag); ok {
			return b, nil
		}
	}
	return nil, m.TypeError("bag", c)
}

// findallAdd is $findall_add/2. A solution is its root, its size and its cells. Two common kinds take less: an atomic
// solution is its root alone, and a compound of atomic terms and variables its cells alone, whose first one tells how
// many there are.
func findallAdd(m *Machine, b *bag, a []cell) (bool, error) {
	f := m.copyOut(a[1], true)
	chunk, made := b.room(2 + len(f.cells))
	before := len(*chunk)
	switch {
	case !f.root.IsPointer():
		*chunk = append(*chunk, f.root)
	case f.isFlat():
		*chunk = append(*chunk, f.cells...)
	default:
		*chunk = append(*chunk, f.root, code.MakeInt(int64(len(f.cells))))
		*chunk = append(*chunk, f.cells...)
	}
	m.noteSolution(b)
	b.count++
	b.cells += len(*chunk) - before
	if made == 0 {
		return true, nil
	}
	if err := m.Hold(cellBytes * made); err != nil {
		return false, err
	}
	b.bytes += cellBytes * made
	return true, nil
}

// noteSolution notes what the solution that a bag takes rests on.
func (m *Machine) noteSolution(b *bag) {
	if b.doubt == nil && !m.tables.missing && (m.tables.stuck || m.taint() > b.taint) {
		b.doubt = m.newDoubt(0, b.taint)
	}
	for _, n := range m.unansweredSince(b.first, 0) {
		if b.unanswered == nil {
			b.unanswered = map[int]bool{}
		}
		b.unanswered[n] = true
	}
}

// findallNote is $findall_note/1.
func findallNote(m *Machine, b *bag, _ []cell) (bool, error) {
	m.noteSolution(b)
	return true, nil
}

// isFlat reports whether the term is a compound of atomic terms and variables, and nothing else.
func (f frozen) isFlat() bool {
	return f.root == code.MakeStr(0) && len(f.cells) == 1+f.cells[0].FunctorArity()
}

// findallCount is $findall_count/2.
func findallCount(m *Machine, b *bag, a []cell) (bool, error) {
	return m.Unify(a[1], code.MakeInt(int64(b.count))), nil
}

// findallCollect is $findall_collect/2,3. The result must be a list or may become one, as ISO 13211-1, 8.10.1.3 has it.
func findallCollect(m *Machine, b *bag, a []cell) (bool, error) {
	if _, end := m.SkipList(a[1]); end != code.ANil && !IsVar(end) {
		return false, m.TypeError("list", a[1])
	}
	tail := code.ANil
	if len(a) == 3 {
		tail = a[2]
	}
	list := m.bagList(b, tail)
	m.objs = m.objs[:len(m.objs)-1]
	if k := len(b.chunks); k > 0 && cap(b.chunks[k-1]) <= bagChunk {
		m.bagBuf = b.chunks[k-1] // the largest
	}
	if err := m.Hold(-b.bytes); err != nil {
		return false, err
	}
	if b.doubt != nil {
		m.restsOnAll(b.doubt)
	}
	m.restOnUnanswered(slices.Collect(maps.Keys(b.unanswered)))
	return m.Unify(a[1], list), m.checkMemory()
}

// bagList builds the list of the solutions in a bag, which ends in tail.
func (m *Machine) bagList(b *bag, tail cell) cell {
	if b.count == 0 {
		return tail
	}
	m.Room(2*b.count + b.cells)
	list := m.h
	m.h += 2 * b.count
	at := list
	for i, chunk := range b.chunks {
		at = m.thawSolutions(chunk, at)
		if i < len(b.chunks)-1 {
			b.chunks[i] = nil
		}
	}
	m.heap[at-1] = keep(tail)
	return code.MakeLst(list)
}

// thawSolutions builds those in a chunk and puts them into the list cells from an address, each of
// which goes on at the next. It returns the address behind the last.
func (m *Machine) thawSolutions(rest []cell, at int) int {
	for ; len(rest) > 0; at += 2 {
		root := rest[0]
		switch {
		case root.IsFunctor():
			n := 1 + root.FunctorArity()
			root = m.thaw(frozen{root: code.MakeStr(0), cells: rest[:n]})
			rest = rest[n:]
		case root.IsPointer():
			n := 2 + int(rest[1].Int())
			root = m.thaw(frozen{root: root, cells: rest[2:n]})
			rest = rest[n:]
		default:
			rest = rest[1:]
		}
		m.heap[at], m.heap[at+1] = root, code.MakeLst(at+2)
	}
	return at
}

// throw is throw/1. The error holds a copy of the ball.
func throw(m *Machine, a []cell) (bool, error) {
	c := m.Deref(a[0])
	if IsVar(c) {
		return false, m.InstantiationError()
	}
	return false, m.Throw(c)
}
