package stacks

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines frozen terms: copies that live outside the heap, as a run of cells whose pointers are relative to
// its start. Copying goes breadth first over the
// copy itself, as Cheney's collector does (1970), so nothing recurses. Only variables are marked in the source, and the
// marks are undone afterwards. If the copy outgrows the heap, the term shares subterms or is cyclic, and copying starts
// again with a table of copied compounds.

// Frozen is a term outside the heap. The code that froze it must keep its atoms alive.
type Frozen struct {
	Root   cell   // the term, with an address relative to the first cell
	Cells  []cell // its parts
	Shared bool   // has shared subterms, or is cyclic
}

// Cleanup is a cleanup goal to be run, and the ball of the exception that has brought it about, or nil.
type Cleanup struct {
	Goal Frozen
	Ball *Frozen
}

// copyMark is the temporary content of a copied variable: a blob header of a kind that no blob has.
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
	seen  map[int]int // where the compound or blob at an address was copied to; nil: not recorded
	limit int         // largest size without seen
	kept  []cell      // variables that are not copied; a reference to one leads beyond beyondCopy
	notes bool        // blocks are recorded
	noted []noted     // the compounds that were copied
}

// copyRoom is memory that copies reuse.
type copyRoom struct {
	copyBuf, undoBuf []cell
	noteBuf          []noted
}

// noted is a copied compound: its pointer, the place of its copy, and its number of cells.
type noted struct {
	from     cell
	start, n int
}

// fewCells is the size up to which a term is copied as a tree, however small the heap, as a table of copied compounds
// costs more than copying shared parts twice.
const fewCells = 1 << 11

// Freeze copies a term out of the heap. Attributed variables become plain ones.
func (m *Terms) Freeze(c cell) Frozen { return m.FreezeWith(c, false) }

// FreezeWith is Freeze, optionally with the attributes of variables.
func (m *Terms) FreezeWith(c cell, attrs bool) Frozen {
	f := m.CopyOut(c, attrs)
	f.Cells = append([]cell(nil), f.Cells...)
	return f
}

// CopyOut is FreezeWith into a buffer that the next copy overwrites.
func (m *Terms) CopyOut(c cell, attrs bool) Frozen {
	f, _ := m.copyBy(copier{attrs: attrs}, c)
	return f
}

// copyBy is CopyOut with a copier, which has attrs, kept, notes and seen. Shared subterms are copied once if there is a
// table for them.
func (m *Terms) copyBy(k copier, c cell) (Frozen, []noted) {
	c = m.Deref(c)
	if c.Tag() == code.Atom || c.Tag() == code.Int {
		return Frozen{Root: c}, nil
	}
	k.m, k.heap, k.to, k.undo, k.limit = m, m.Heap, m.copyBuf[:0], m.undoBuf[:0], max(m.H, fewCells)+64
	k.noted = m.noteBuf[:0]
	root, ok := k.run(c)
	if !ok {
		m.PollHolding(0)
		k.to, k.undo, k.noted, k.seen = nil, nil, nil, map[int]int{}
		if root, ok = k.run(c); !ok {
			m.PollHolding(k.held())
		}
	}
	m.NoteWork(len(k.to))
	if cap(k.to) <= 1<<16 {
		m.copyBuf, m.undoBuf, m.noteBuf = k.to, k.undo, k.noted
	}
	return Frozen{Root: root, Cells: k.to, Shared: k.seen != nil}, k.noted
}

// run copies c and everything below it; ok is false if the limit was exceeded or the run is over.
func (k *copier) run(c cell) (root cell, ok bool) {
	for _, v := range k.kept {
		at := k.m.Deref(v).Addr()
		k.undo = arrays.Append(k.undo, cell(at), k.heap[at])
		k.heap[at] = makeMark(beyondCopy + at)
	}
	root = k.copy(Keep(c), -1)
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

// held estimates the bytes of the copy and of the term that is made from it.
func (k *copier) held() int {
	const entryBytes, noteBytes = 48, 72 // a note with the room that it grows into, and its entry in ShareTerm
	return CellBytes*(cap(k.to)+len(k.to)+cap(k.undo)) + entryBytes*len(k.seen) + noteBytes*len(k.noted)
}

// tooLarge reports whether the copy takes more memory than is left.
func (k *copier) tooLarge() bool { return k.m.Pollable && k.m.Used()+k.held() > k.m.LimitBytes() }

// copy returns what to store at index slot of the copy for the heap cell c (slot -1: for the
// root). Parts of compounds are appended unchanged and copied later.
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
		k.noted = arrays.Push(k.noted, noted{c, start, n})
	}
	return start
}

// block appends n cells from an address and returns their place.
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
		if isMark(k.to[i]) { // the part is a variable that has already been copied
			k.to[i] = code.MakeRef(at + i - start)
		}
	}
	return start
}

// variable copies an unbound variable: the slot of its first occurrence becomes its new place.
func (k *copier) variable(at, slot int) cell {
	if slot < 0 {
		k.to = append(k.to, 0)
		slot = len(k.to) - 1
	}
	k.undo = arrays.Append(k.undo, cell(at), k.heap[at])
	k.heap[at] = makeMark(slot)
	return code.MakeRef(slot)
}

// attributed copies an attributed variable, to a separate place if attributes are kept. A variable whose attributes
// have all been deleted is copied as a plain variable.
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

// Thaw builds a frozen term on the heap, with fresh variables.
func (m *Terms) Thaw(f Frozen) cell {
	if len(f.Cells) == 0 {
		return f.Root
	}
	m.Room(len(f.Cells))
	at := m.H
	m.H += len(f.Cells)
	return m.thawAt(f, at)
}

// thawAt is Thaw for a term that is not atomic, at an address with enough room.
func (m *Terms) thawAt(f Frozen, at int) cell {
	m.NoteWork(len(f.Cells))
	base := cell(at) << 3
	to := m.Heap[at : at+len(f.Cells)]
	for i := 0; i < len(f.Cells); i++ {
		c := f.Cells[i]
		if c.IsPointer() {
			c += base
		}
		to[i] = c
		if c.Tag() == code.Hdr && !c.IsFunctor() {
			n := c.BlobWords()
			copy(to[i+1:i+1+n], f.Cells[i+1:i+1+n])
			i += n
		}
	}
	return Keep(f.Root + base)
}

// Bytes is the size of the copy in memory.
func (f Frozen) Bytes() int { return CellBytes * (len(f.Cells) + 4) }

// attributed reports whether a frozen term has attributed variables.
func (f Frozen) attributed() bool {
	for i := 0; i < len(f.Cells); i++ {
		switch c := f.Cells[i]; {
		case c.Tag() == code.Att:
			return true
		case c.Tag() == code.Hdr && !c.IsFunctor():
			i += c.BlobWords()
		}
	}
	return false
}

// Duplicate returns a copy of a term whose parts may be changed. The copy has the same sharing as the term.
func Duplicate(m *Terms, c cell) cell {
	f, _ := m.copyBy(copier{attrs: true, seen: map[int]int{}}, c)
	return m.Thaw(f)
}

// beyondCopy is an address beyond all copies. A copier marks a kept variable at address a by beyondCopy+a.
const beyondCopy = 1 << 40

// ShareTerm returns a copy of a term that keeps some variables. It shares the compounds of the term without other
// variables, so a change of such a compound by setarg/3 shows in both. Parts come after the compounds that contain
// them, so one walk from the end finds the shared compounds. Unless the term is ground, two kinds are not shared: a
// compound that contains itself, and a compound with a part before it, which several compounds contain.
func ShareTerm(m *Terms, c cell, attrs bool, kept []cell) cell {
	if m.IsGround(c) { // all of it is shared
		return Keep(m.Deref(c))
	}
	f, blocks := m.copyBy(copier{attrs: attrs, notes: true, kept: kept}, c)
	m.Room(len(f.Cells))
	base := cell(m.H) << 3
	var few [64]cell
	shared := few[:] // by their places in the copy
	if len(f.Cells) > len(few) {
		shared = make([]cell, len(f.Cells))
	}
	for _, b := range slices.Backward(blocks) {
		all := true
		part := f.Cells[b.start : b.start+b.n]
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
	return m.Thaw(f)
}

// IsFlat reports whether the term is a compound of atomic terms and variables, and nothing else.
func (f Frozen) IsFlat() bool {
	return f.Root == code.MakeStr(0) && len(f.Cells) == 1+f.Cells[0].FunctorArity()
}
