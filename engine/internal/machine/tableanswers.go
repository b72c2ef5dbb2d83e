package machine

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
)

// This file defines the answers of a table: a growing list of tuples without duplicates. An answer that another takes
// the place of is dropped and the other added at the end, so that who reads the list sees every change.

// answerSet is a list of tuples with a hash index. All cells stand in one slice.
type answerSet struct {
	width int      // arguments of a tuple
	cells []cell   // the tuples
	ends  []uint32 // where they end; nil as long as each has width cells
	marks []uint8  // by answer
	slots []uint64 // hash index: half a hash, half the number of an answer plus one; or 0
	count int      // answers that are not dropped
	sure  int      // answers that are true, not undefined

	clock *uint32  // counts the answers of all tables of a run that explains itself, else nil
	born  []uint32 // by answer: the clock when it was added
}

// The marks of an answer.
const (
	markDropped = 1 << iota
	markUndefined
)

func (s *answerSet) len() int             { return len(s.marks) }
func (s *answerSet) dropped(i int) bool   { return s.marks[i]&markDropped != 0 }
func (s *answerSet) undefined(i int) bool { return s.marks[i]&markUndefined != 0 }

// bytes returns what the set takes.
func (s *answerSet) bytes() int {
	return 8*cap(s.cells) + 4*cap(s.ends) + cap(s.marks) + 8*cap(s.slots) + 4*cap(s.born)
}

// cellsOf returns the cells of answer i.
func (s *answerSet) cellsOf(i int) []cell {
	if s.ends == nil {
		return s.cells[i*s.width : (i+1)*s.width]
	}
	from := uint32(0)
	if i > 0 {
		from = s.ends[i-1]
	}
	return s.cells[from:s.ends[i]]
}

// add adds a tuple unless it is there. One that is there as undefined becomes true when it
// has been derived without undefined ones.
func (s *answerSet) add(tuple []cell, undefined bool) {
	if 4*s.len() >= 3*len(s.slots) {
		s.rehash()
	}
	hash := hashCells(tuple)
	at := s.find(hash, tuple)
	if slot := s.slots[at]; slot != 0 {
		old := int(uint32(slot)) - 1
		if undefined || !s.undefined(old) {
			return
		}
		s.drop(old)
	}
	s.slots[at] = uint64(hash)<<32 | uint64(s.push(tuple, undefined)+1)
}

// push appends a tuple and returns its number.
func (s *answerSet) push(tuple []cell, undefined bool) int {
	if s.ends == nil && len(tuple) != s.width {
		s.ends = make([]uint32, s.len())
		for i := range s.ends {
			s.ends[i] = uint32((i + 1) * s.width)
		}
	}
	s.cells = arrays.Append(s.cells, tuple...)
	if s.ends != nil {
		s.ends = arrays.Append(s.ends, uint32(len(s.cells)))
	}
	mark := uint8(markUndefined)
	if !undefined {
		mark = 0
		s.sure++
	}
	s.marks = arrays.Append(s.marks, mark)
	s.count++
	if s.clock != nil {
		*s.clock++
		s.born = arrays.Append(s.born, *s.clock)
	}
	return s.len() - 1
}

// drop takes an answer out of the list.
func (s *answerSet) drop(i int) {
	s.count--
	if !s.undefined(i) {
		s.sure--
	}
	s.marks[i] |= markDropped
}

// find returns the slot where a tuple is or would be.
func (s *answerSet) find(hash uint32, tuple []cell) int {
	mask := len(s.slots) - 1
	for at := int(hash) & mask; ; at = (at + 1) & mask {
		slot := s.slots[at]
		if slot == 0 || uint32(slot>>32) == hash && slices.Equal(s.cellsOf(int(uint32(slot))-1), tuple) {
			return at
		}
	}
}

// rehash doubles the index.
func (s *answerSet) rehash() {
	old := s.slots
	s.slots = make([]uint64, max(8, 2*len(old)))
	mask := len(s.slots) - 1
	for _, slot := range old {
		if slot == 0 {
			continue
		}
		at := int(slot>>32) & mask
		for s.slots[at] != 0 {
			at = (at + 1) & mask
		}
		s.slots[at] = slot
	}
}

// hashCells mixes cells word by word, so that all bits of them reach all bits of the hash.
func hashCells(cells []cell) uint32 {
	h := uint64(14695981039346656037)
	for _, c := range cells {
		h = (h ^ uint64(c)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return uint32(h ^ h>>32)
}

// reset forgets all answers.
func (s *answerSet) reset() {
	s.cells, s.ends, s.marks, s.born = s.cells[:0], nil, s.marks[:0], s.born[:0]
	clear(s.slots)
	s.count, s.sure = 0, 0
}

// finish drops what only a growing set needs.
func (s *answerSet) finish() {
	s.slots = nil
	if s.count == s.len() {
		return
	}
	all := *s
	s.cells, s.ends, s.marks, s.count, s.sure, s.clock, s.born = nil, nil, nil, 0, 0, nil, nil
	for i := range all.len() {
		if all.dropped(i) {
			continue
		}
		s.push(all.cellsOf(i), all.undefined(i))
		if all.clock != nil {
			s.born = append(s.born, all.born[i])
		}
	}
}
