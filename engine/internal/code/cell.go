// Package code defines what the machine runs on: cells, atoms and instructions.
//
// A [Cell] is a tagged 64-bit word. The three low bits are the tag, the rest a heap address,
// an atom's number or a small integer. Cells hold no Go pointers, so Go's collector never
// looks at a heap, and a term is moved by copying words.
//
// Instructions are words too, see [Op]. The package does not depend on clauses or machines.
package code

import (
	"math"
	"math/big"
	"unsafe"
)

// Cell is one tagged word of a term.
type Cell uint64

// The tags. Ref to itself is an unbound variable; Att, found only at its own address, is an unbound attributed variable
// whose attributes are in the next cell. Str points to a functor cell followed by its arguments, Lst to a head and a
// tail. Blob points to a header followed by raw words. Hdr is a functor or a blob header and never a term by itself.
const (
	Ref Cell = iota
	Att
	Str
	Lst
	Atom
	Int
	Blob
	Hdr
)

const tagMask Cell = 7

// The range of integers that fit in a cell; others are blobs.
const (
	MaxInt = 1<<60 - 1
	MinInt = -1 << 60
)

// BlobKind says what a blob's words mean.
type BlobKind uint8

// Float holds the bits of one double, String UTF-8 bytes, BigPos and BigNeg the magnitude of
// an integer in little-endian words. RatioPos and RatioNeg hold a rational number in lowest terms that is no integer:
// the number of words of the numerator, its magnitude, and the denominator.
const (
	FloatBlob BlobKind = iota
	StringBlob
	BigPos
	BigNeg
	RatioPos
	RatioNeg
)

// Tag returns the tag bits of c.
func (c Cell) Tag() Cell { return c & tagMask }

// Addr returns the heap address in a pointer cell.
func (c Cell) Addr() int { return int(c >> 3) }

// Int returns the value of an integer cell.
func (c Cell) Int() int64 { return int64(c) >> 3 }

// Atom returns the number of an atom cell.
func (c Cell) Atom() uint32 { return uint32(c >> 3) }

// MakeRef returns a reference to address a; the other Make functions likewise.
func MakeRef(a int) Cell  { return Cell(a) << 3 }
func MakeAtt(a int) Cell  { return Cell(a)<<3 | Att }
func MakeStr(a int) Cell  { return Cell(a)<<3 | Str }
func MakeLst(a int) Cell  { return Cell(a)<<3 | Lst }
func MakeBlob(a int) Cell { return Cell(a)<<3 | Blob }

// FloatWord returns the bits of a float. There is one NaN, whatever bits it comes with, so it equals itself.
func FloatWord(f float64) Cell {
	if math.IsNaN(f) {
		f = math.NaN()
	}
	return Cell(math.Float64bits(f))
}

// MakeInt returns the cell of a small integer; n must be between MinInt and MaxInt.
func MakeInt(n int64) Cell { return Cell(n)<<3 | Int }

// MakeAtom returns the cell of atom number n.
func MakeAtom(n uint32) Cell { return Cell(n)<<3 | Atom }

// FitsInt reports whether n is between MinInt and MaxInt.
func FitsInt(n int64) bool { return n>>60 == 0 || n>>60 == -1 }

// MaxArity is the largest arity of a compound term.
const MaxArity = 1<<28 - 1

// ArityShift is where the arity stands in a functor.
const ArityShift = 4

// MakeFunctor returns the header of a compound: atom number in the high half, arity below.
func MakeFunctor(atom uint32, arity int) Cell { return Cell(atom)<<32 | Cell(arity)<<ArityShift | Hdr }

// FunctorAtom and FunctorArity take a functor cell apart; FunctorName is its atom as a cell.
func (c Cell) FunctorAtom() uint32 { return uint32(c >> 32) }
func (c Cell) FunctorArity() int   { return int(uint32(c) >> 4) }
func (c Cell) FunctorName() Cell   { return MakeAtom(uint32(c >> 32)) }

// IsFunctor reports whether a header is a functor and not a blob header.
func (c Cell) IsFunctor() bool { return c&15 == Hdr }

const blobBit Cell = 8

// MakeBlobHeader returns the header of a blob of n payload words, of which the last pad bytes (0 to 7) do not count.
func MakeBlobHeader(kind BlobKind, n, pad int) Cell {
	return Cell(n)<<32 | Cell(kind)<<8 | Cell(pad)<<4 | blobBit | Hdr
}

// BlobKind returns the kind in a blob header. BlobWords and BlobBytes are the length of the blob without the header.
func (c Cell) BlobKind() BlobKind { return BlobKind(c >> 8) }
func (c Cell) BlobWords() int     { return int(c >> 32) }
func (c Cell) BlobBytes() int     { return int(c>>32)*8 - int(c>>4&7) }

// IsPointer reports whether the cell holds a heap address.
func (c Cell) IsPointer() bool { return c&tagMask <= Lst || c&tagMask == Blob }

// IsAtomic reports whether a dereferenced cell is an atom, number or string.
func (c Cell) IsAtomic() bool { t := c & tagMask; return t >= Atom && t <= Blob }

// This part defines the words of blobs.

// BigBlob returns the header and words of an integer.
func BigBlob(n *big.Int) []Cell {
	kind := BigPos
	if n.Sign() < 0 {
		kind = BigNeg
	}
	bits := n.Bits()
	words := make([]Cell, 1+len(bits))
	words[0] = MakeBlobHeader(kind, len(bits), 0)
	for i, w := range bits {
		words[1+i] = Cell(w)
	}
	return words
}

// RatioBlob returns the header and words of a rational number that is no integer.
func RatioBlob(r *big.Rat) []Cell {
	kind := RatioPos
	if r.Sign() < 0 {
		kind = RatioNeg
	}
	numerator, denominator := r.Num().Bits(), r.Denom().Bits()
	words := make([]Cell, 2, 2+len(numerator)+len(denominator))
	words[0] = MakeBlobHeader(kind, cap(words)-1, 0)
	words[1] = Cell(len(numerator))
	for _, w := range numerator {
		words = append(words, Cell(w))
	}
	for _, w := range denominator {
		words = append(words, Cell(w))
	}
	return words
}

// StringBlobOf returns the header and words of a string.
func StringBlobOf(s string) []Cell {
	n := (len(s) + 7) / 8
	words := make([]Cell, 1+n)
	words[0] = MakeBlobHeader(StringBlob, n, n*8-len(s))
	copy(Bytes(words[1:]), s)
	return words
}

// Bytes views words as bytes, without copying.
func Bytes(words []Cell) []byte {
	if len(words) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*8)
}

// This part defines which functors are control constructs (ISO 13211-1, 7.8). The compiler, the machine, the loader
// and the type tests ask here. Package term has the same functions for Go terms.

// Junction reports whether a functor is that of a control construct of two goals: a conjunction, a disjunction (; or
// |), or the condition of an if-then-else.
func Junction(f Cell) bool {
	switch f {
	case FComma, FSemi, FBar, FArrow, FSoft:
		return true
	}
	return false
}

// Control reports whether a functor is that of a control construct all of whose arguments are goals: a junction or a
// negation.
func Control(f Cell) bool { return f == FNot || Junction(f) }
