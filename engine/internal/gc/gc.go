// Package gc marks the reachable cells of a heap and slides them together. It does not depend on stacks: the machine
// marks from its roots, and gives the roots their new addresses.
//
// Live words keep their order, so that choice points stay segments of the heap and age can be told from addresses. A
// word's new address is the number of live words below it, found with a bitmap and one count for each of its words
// (Jonkers 1979 for sliding without a second field a cell; the bitmap as in Abuaiadh et al. 2004).
package gc

import (
	"math/bits"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

type cell = code.Cell

// block is the part of the bitmap that belongs to 64 cells. Bits and count share a cache line, because a moved
// pointer needs both.
type block struct {
	live  uint64 // a bit for each cell
	below int    // live cells before the block
}

// Heap is a heap during one collection, with its working memory. The next collection reuses the memory.
type Heap struct {
	cells  []cell // up to the top of the heap
	blocks []block
	ranges []uint64 // runs of cells still to be marked: address and length
	inside []uint64 // a bit for each cell: raw words of blobs; empty until needed
	exact  bool     // the root that is being marked certainly is a term
	strict bool     // doubtful roots are checked so well that a Check accepts the cells that they lead to
	pause  func()
}

// pauseSteps is the number of cells after which pause is called.
const pauseSteps = 1 << 16

// Begin prepares the collection of the cells of a heap. Cell 0 is never used but counts as live, so that the null
// reference stays what it is. Marking and sliding call pause now and then. It may end the collection by a panic. The
// heap cannot be used after that.
func (g *Heap) Begin(cells []cell, strict bool, pause func()) {
	g.cells, g.strict, g.pause = cells, strict, pause
	g.blocks = Cleared(g.blocks, len(cells)>>6+1)
	g.inside = g.inside[:0]
	g.blocks[0].live = 1
}

// End releases the heap, and the working memory if it is unusually large.
func (g *Heap) End() {
	const usual = 1 << 20
	g.cells, g.pause = nil, nil
	if cap(g.ranges) > usual {
		g.ranges = nil
	}
}

// Cleared returns a slice of n zero values, the given one if it is large enough.
func Cleared[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// Marked reports whether the word at an address is live.
func (g *Heap) Marked(a int) bool { return g.blocks[a>>6].live>>(a&63)&1 != 0 }

// A range is packed into a word. Its length fits, since no compound has more than code.MaxArity parts.
const rangeBits = 28

// packRange packs the n words from an address on. An n of 2^rangeBits or more does not fit.
func packRange(a, n int) uint64 { return uint64(a)<<rangeBits | uint64(n) }

// MarkRoots marks from roots that certainly are terms.
func (g *Heap) MarkRoots(roots []cell) {
	g.exact = true
	for _, c := range roots {
		if c.IsPointer() {
			g.Mark(c)
		}
	}
	g.exact = false
}

// Mark marks everything that can be reached from c. When it follows a part, it keeps the parts behind that as a
// range, for later. There are none behind the last part. So a long list needs no stack, and any term needs at most a
// word for each compound.
func (g *Heap) Mark(c cell) {
	cells, blocks, ranges := g.cells, g.blocks, g.ranges[:0]
	a, n := g.open(c)
	for steps := 0; ; steps++ {
		if steps&(pauseSteps-1) == pauseSteps-1 {
			g.pause()
		}
		for n == 0 {
			if len(ranges) == 0 {
				g.ranges = ranges
				return
			}
			top := ranges[len(ranges)-1]
			ranges = ranges[:len(ranges)-1]
			a, n = int(top>>rangeBits), int(top&(1<<rangeBits-1))
		}
		b, bit := &blocks[a>>6], uint64(1)<<(a&63)
		at := a
		a++
		n--
		if b.live&bit != 0 {
			continue
		}
		v := cells[at]
		to, parts := v.Addr(), 1
		switch v.Tag() {
		case code.Atom, code.Int:
			b.live |= bit
			continue
		case code.Ref:
			b.live |= bit
			if to < len(cells) && blocks[to>>6].live>>(to&63)&1 != 0 {
				continue
			}
			if to >= len(cells) {
				parts = 0
			}
		case code.Lst:
			b.live |= bit
			parts = 2
			if to+1 >= len(cells) {
				parts = 0
			}
		case code.Str:
			b.live |= bit
			to, parts = g.openCompound(to)
		case code.Blob:
			b.live |= bit
			g.markBlob(to)
			continue
		case code.Att:
			if to != at || a == len(cells) {
				continue
			}
			b.live |= bit
			n = max(n, 1) // the attributes
			continue
		default: // a header is not a term
			continue
		}
		if parts > 0 {
			if n > 0 {
				ranges = append(ranges, packRange(a, n))
			}
			a, n = to, parts
		}
	}
}

// open returns the cells that c points to. There are none if c is atomic, or if its compound or blob is already
// marked. open marks headers itself.
func (g *Heap) open(c cell) (at, n int) {
	a := c.Addr()
	switch c.Tag() {
	case code.Ref:
		n = 1
	case code.Att, code.Lst:
		n = 2
	case code.Str:
		return g.openCompound(a)
	case code.Blob:
		g.markBlob(a)
		return 0, 0
	default:
		return 0, 0
	}
	if a+n > len(g.cells) {
		return 0, 0
	}
	return a, n
}

// openCompound marks the functor at an address and returns where its arguments are.
func (g *Heap) openCompound(a int) (at, n int) {
	if a >= len(g.cells) {
		return 0, 0
	}
	f := g.cells[a]
	if n = f.FunctorArity(); !f.IsFunctor() || a+n >= len(g.cells) {
		return 0, 0
	}
	b, bit := &g.blocks[a>>6], uint64(1)<<(a&63)
	if b.live&bit != 0 {
		return 0, 0
	}
	b.live |= bit
	return a + 1, n
}

// markBlob marks a blob with its raw words.
func (g *Heap) markBlob(a int) {
	if !g.isBlob(a) {
		return
	}
	if g.Marked(a) {
		return
	}
	end := a + 1 + g.cells[a].BlobWords()
	for i := a >> 6; i<<6 < end; i++ {
		bits := ^uint64(0)
		if first := a - i<<6; first > 0 {
			bits <<= first
		}
		if over := (i+1)<<6 - end; over > 0 {
			bits &= ^uint64(0) >> over
		}
		g.blocks[i].live |= bits
	}
}

// isBlob reports whether a blob begins at an address.
func (g *Heap) isBlob(a int) bool { return IsBlobAt(g.cells, a) && (g.exact || !g.raw(a)) }

// IsTermAt reports whether the cell at an address of a heap may be a term. IsStructAt and IsBlobAt report whether a
// structure or a blob may begin there. They only read that cell, which may be a raw word of a blob.
func IsTermAt(heap []cell, a int) bool { return a < len(heap) && heap[a].Tag() != code.Hdr }

func IsStructAt(heap []cell, a int) bool {
	return a < len(heap) && heap[a].IsFunctor() && a+heap[a].FunctorArity() < len(heap)
}

func IsBlobAt(heap []cell, a int) bool {
	return a < len(heap) && heap[a].Tag() == code.Hdr && !heap[a].IsFunctor() && a+heap[a].BlobWords() < len(heap)
}

// raw reports whether the cell at an address is a raw word of a blob.
func (g *Heap) raw(a int) bool {
	if len(g.inside) == 0 {
		g.inside = rawWords(g.cells, g.inside)
	}
	return g.inside[a>>6]>>(a&63)&1 != 0
}

// rawWords returns a bitmap of the raw words in a heap, found by reading it from its start.
func rawWords(heap []cell, buf []uint64) []uint64 {
	inside := Cleared(buf, len(heap)>>6+1)
	for i := 1; i < len(heap); i++ {
		c := heap[i]
		if c.Tag() != code.Hdr || c.IsFunctor() {
			continue
		}
		for n := min(c.BlobWords(), len(heap)-1-i); n > 0; n-- {
			i++
			inside[i>>6] |= 1 << (i & 63)
		}
	}
	return inside
}

// Plausible reports whether the cell that a doubtful root points to fits the tag of the root.
func (g *Heap) Plausible(c cell) bool {
	a := c.Addr()
	if g.strict && c.IsPointer() && g.raw(a) {
		return false
	}
	switch c.Tag() {
	case code.Ref:
		return g.isTerm(a)
	case code.Lst:
		return g.isTerm(a) && g.isTerm(a+1)
	case code.Str:
		return IsStructAt(g.cells, a)
	case code.Blob:
		return g.isBlob(a)
	}
	return c.Tag() == code.Atom || c.Tag() == code.Int
}

// isTerm reports whether the cell at an address may be a term.
func (g *Heap) isTerm(a int) bool { return IsTermAt(g.cells, a) && !(g.strict && g.raw(a)) }

// Count stores in each block the number of live cells before it, and returns the number of all live cells.
func (g *Heap) Count() int {
	n := 0
	for i := range g.blocks {
		b := &g.blocks[i]
		b.below = n
		n += bits.OnesCount64(b.live)
	}
	return n
}

// MovedAddr returns the new address of a live cell. For a dead cell it returns that of the next live one.
func (g *Heap) MovedAddr(a int) int {
	b := &g.blocks[a>>6]
	return b.below + bits.OnesCount64(b.live&(1<<(a&63)-1))
}

// Moved returns a cell with its address after the slide.
func (g *Heap) Moved(c cell) cell {
	a := c.Addr()
	if !c.IsPointer() || a >= len(g.cells) {
		return c
	}
	return cell(g.MovedAddr(a))<<3 | c.Tag()
}

// Slide moves the live cells to the start of the heap.
func (g *Heap) Slide() {
	cells, blocks, top := g.cells, g.blocks, 0
	for i := 0; i < len(blocks); i++ {
		if i&(pauseSteps>>6-1) == 0 {
			g.pause()
		}
		for live := blocks[i].live; live != 0; {
			a := i<<6 + bits.TrailingZeros64(live)
			live &= live - 1
			c := cells[a]
			switch {
			case c.Tag() == code.Atom || c.Tag() == code.Int:
			case c.Tag() != code.Hdr:
				if at := c.Addr(); at>>6 < len(blocks) {
					b := &blocks[at>>6]
					n := b.below + bits.OnesCount64(b.live&(1<<(at&63)-1))
					c = cell(n)<<3 | c.Tag()
				}
			case !c.IsFunctor():
				n := c.BlobWords()
				cells[top] = c
				top += 1 + copy(cells[top+1:], cells[a+1:a+1+n])
				a += 1 + n
				if i = a >> 6; i == len(blocks) {
					return
				}
				live = blocks[i].live &^ (1<<(a&63) - 1)
				continue
			}
			cells[top] = c
			top++
		}
	}
}
