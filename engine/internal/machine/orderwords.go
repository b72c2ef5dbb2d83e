package machine

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines words that stand for terms while they are sorted, since a comparison of two terms has to look for
// both of them on the heap.

// The parts of a word: the place of the term's kind in the standard order, and what orders terms of the kind.
const (
	wordBits  = 61
	intOffset = 1 << (wordBits - 1) // makes the integers of cells positive
)

// OrderWords returns a word for each of some terms. Terms with different words are in the standard order as their
// words are; equal words tell nothing. If all terms are compounds of one functor the words are those of their first
// arguments.
func (m *Terms) OrderWords(terms []cell) []uint64 {
	words := make([]uint64, len(terms))
	within := m.alike(terms)
	mixed := false // there are numbers that no word can hold
	for i, c := range terms {
		c = m.Deref(c)
		if within {
			c = m.Deref(m.Arg(c, 0))
		}
		rank := m.rank(c)
		words[i] = uint64(rank)<<wordBits | m.orderWord(c, rank)
		mixed = mixed || rank == 1 && c.Tag() != code.Int
	}
	if mixed {
		for i, w := range words {
			if w>>wordBits == 1 {
				words[i] = 1 << wordBits
			}
		}
	}
	return words
}

// alike reports whether all terms are compounds of the same functor with arguments.
func (m *Terms) alike(terms []cell) bool {
	var first cell
	for _, c := range terms {
		c = m.Deref(c)
		if !IsCompound(c) {
			return false
		}
		f := m.Functor(c)
		if first == 0 {
			first = f
		}
		if f != first || f.FunctorArity() == 0 {
			return false
		}
	}
	return first != 0
}

// orderWord returns what orders a dereferenced term among those of its rank.
func (m *Terms) orderWord(c cell, rank int) uint64 {
	switch rank {
	case 0:
		return uint64(c.Addr())
	case 1:
		if c.Tag() == code.Int {
			return uint64(c.Int() + intOffset)
		}
		return 0
	case 2:
		return textWord(AtomText(c), wordBits)
	case 3:
		return textWord(m.StringValue(c), wordBits)
	}
	const arityBits = 24
	f := m.Functor(c)
	if n := uint64(f.FunctorArity()); n < 1<<arityBits-1 {
		return n<<(wordBits-arityBits) | textWord(AtomText(f.FunctorName()), wordBits-arityBits)
	}
	return (1<<arityBits - 1) << (wordBits - arityBits)
}

// textWord returns the first bytes of a text that fit into so many bits, the first byte in the highest ones.
func textWord(s string, bits int) (w uint64) {
	left := bits
	for i := 0; i < len(s) && left >= 8; i++ {
		left -= 8
		w = w<<8 | uint64(s[i])
	}
	return w << left & (1<<bits - 1)
}
