package code

import (
	"math/big"
	"unsafe"
)

// This file defines the words of blobs.

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
