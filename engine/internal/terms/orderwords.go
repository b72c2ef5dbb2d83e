package terms

import (
	"cmp"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines words that stand for terms while they are sorted, since a comparison of two terms has to look for
// both of them on the heap.

// The parts of a word: the place of the term's kind in the standard order, and what orders terms of the kind.
const (
	wordBits  = 61
	intOffset = 1 << (wordBits - 1) // makes the integers of cells positive
)

// wordOrder compares terms of a list by words. If all of them are compounds of one functor, their arguments are
// compared one after the other, and so are the arguments of these. It is good until the next collection. Its slices are
// used again when it is set again.
type wordOrder struct {
	m     *machine.Machine
	terms []cell
	// levels are the words of the terms, or of the parts of them that are compared one after the other. They are made
	// when they are wanted.
	levels []orderLevel
	// rest are the parts that follow, the next one last.
	rest   []orderParts
	opened int // compounds that have been taken apart
}

// orderLevel has a word for each term. Words that are different are in the order of what they stand for. Equal ones
// stand for equal terms if the level is exact.
type orderLevel struct {
	words []uint64
	exact bool
}

// orderParts are the arguments from next on of compounds of one functor.
type orderParts struct {
	of          []cell
	next, arity int
}

// maxLevels bounds the words of a term, maxOpened the compounds that are taken apart for them.
const (
	maxLevels = 3
	maxOpened = 6
)

// set makes o the order of some terms.
func (o *wordOrder) set(m *machine.Machine, terms []cell) {
	*o = wordOrder{m: m, terms: terms, levels: o.levels[:0], rest: o.rest[:0]}
	o.add(terms)
}

// forget lets go of the terms.
func (o *wordOrder) forget() {
	clear(o.rest[:cap(o.rest)])
	*o = wordOrder{levels: o.levels[:0], rest: o.rest[:0]}
}

// word returns the first word of a term.
func (o *wordOrder) word(i int32) uint64 { return o.levels[0].words[i] }

// compare compares the terms i and j, whose first words are equal.
func (o *wordOrder) compare(i, j int32) int {
	for n := 0; o.levels[n].exact; {
		if n++; n == len(o.levels) {
			if len(o.rest) == 0 {
				return 0
			}
			if n == maxLevels {
				break
			}
			o.add(o.nextParts())
		}
		if words := o.levels[n].words; words[i] != words[j] {
			return cmp.Compare(words[i], words[j])
		}
	}
	return o.m.Compare(o.terms[i], o.terms[j])
}

// add makes the words of the next parts, or of the first parts of these.
func (o *wordOrder) add(parts []cell) {
	for o.opened < maxOpened {
		n := alike(o.m, parts)
		if n == 0 {
			break
		}
		o.opened++
		o.rest = append(o.rest, orderParts{of: parts, arity: n})
		parts = o.nextParts()
	}
	n := len(o.levels)
	o.levels = slices.Grow(o.levels, 1)[:n+1]
	level := &o.levels[n]
	level.words, level.exact = arrays.Room(level.words, len(parts)), true
	mixed := false // there are numbers that no word can hold
	for i, c := range parts {
		c = o.m.Deref(c)
		rank, place := o.m.Rank(c)
		word, exact := orderWord(o.m, c, rank)
		level.words[i] = uint64(place)<<wordBits | word
		level.exact = level.exact && exact
		mixed = mixed || rank == 1 && !exact
	}
	if mixed {
		for i, w := range level.words {
			if w>>wordBits == 1 {
				level.words[i] = 1 << wordBits
			}
		}
	}
}

// nextParts returns the next parts that are to be compared. There are some.
func (o *wordOrder) nextParts() []cell {
	last := len(o.rest) - 1
	p := &o.rest[last]
	parts := make([]cell, len(p.of))
	for i, c := range p.of {
		parts[i] = o.m.Arg(o.m.Deref(c), p.next)
	}
	if p.next++; p.next == p.arity {
		o.rest = o.rest[:last]
	}
	return parts
}

// alike returns the number of arguments of terms that are all compounds of one functor, 0 for others.
func alike(m *machine.Machine, terms []cell) int {
	var first cell
	for _, c := range terms {
		c = m.Deref(c)
		if !stacks.IsCompound(c) {
			return 0
		}
		f := m.Functor(c)
		if first == 0 {
			first = f
		}
		if f != first {
			return 0
		}
	}
	if first == 0 {
		return 0
	}
	return first.FunctorArity()
}

// orderWord returns what orders a dereferenced term among those of its rank; exact is false if other terms may have
// the same.
func orderWord(m *machine.Machine, c cell, rank int) (word uint64, exact bool) {
	switch rank {
	case 0:
		return uint64(c.Addr()), true
	case 1:
		if c.Tag() == code.Int {
			return uint64(c.Int() + intOffset), true
		}
		return 0, false
	case 2:
		return textWord(stacks.AtomText(c))
	case 3:
		return textWord(m.StringValue(c))
	}
	const arityBits = 24
	f := m.Functor(c)
	n := min(uint64(f.FunctorArity()), 1<<arityBits-1)
	word = n << (wordBits - arityBits)
	if n < 1<<arityBits-1 {
		text, _ := textWord(stacks.AtomText(f.FunctorName()))
		word |= text >> arityBits
	}
	return word, false
}

// textWord returns the first seven bytes of a text, the first in the highest bits, and behind them how many there are,
// eight for more. So a text stands before those that it begins.
func textWord(s string) (w uint64, exact bool) {
	const most, countBits = 7, wordBits - 7*8
	for i := range most {
		w <<= 8
		if i < len(s) {
			w |= uint64(s[i])
		}
	}
	return w<<countBits | uint64(min(len(s), most+1)), len(s) <= most
}
