package machine

import (
	"runtime"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
)

// This file defines where the arrays of heap and stacks live.
//
// Small ones are slices like any other. One that outgrows those moves once into address space that is reserved for as
// far as its limit allows. There it grows without being copied, so that memory holds it once, and pages that a
// collection has emptied go back to the system. Where the system reserves nothing, arrays grow by copying.

// stackMemory is the memory of the heap or of a stack.
type stackMemory struct {
	mapped  []byte   // reserved address space, or nil
	retired [][]byte // what it has outgrown; texts may be read there until the next collection
	needed  int      // cells that lately were needed
}

// memory is what a machine has reserved. It is apart from the machine, to be given back when the machine is garbage.
type memory struct {
	heap, envs, choices, trail stackMemory
}

// release gives everything back; nothing may use it any more.
func (mem *memory) release() {
	for _, s := range []*stackMemory{&mem.heap, &mem.envs, &mem.choices, &mem.trail} {
		s.release()
	}
}

// release gives a mapped array back to the system. Arrays of Go are left to its collector.
func (s *stackMemory) release() {
	s.releaseRetired()
	if s.mapped != nil {
		unreserve(s.mapped)
		s.mapped = nil
	}
}

// releaseRetired gives back what the array has outgrown.
func (s *stackMemory) releaseRetired() {
	for _, space := range s.retired {
		unreserve(space)
	}
	s.retired = nil
}

// releaseWith gives the memory back when m is garbage.
func (mem *memory) releaseWith(m *Machine) {
	runtime.AddCleanup(m, func(mem *memory) { mem.release() }, mem)
}

const (
	// smallStack is the number of cells up to which an array is an ordinary slice.
	smallStack = 1 << 13
	cellBytes  = 8
)

// cells returns the reserved memory as an array.
func (s *stackMemory) cells() []cell {
	if s.mapped == nil {
		return nil
	}
	return unsafe.Slice((*cell)(unsafe.Pointer(&s.mapped[0])), len(s.mapped)/cellBytes)
}

// grow returns an array of size cells that begins with the cells of old. most is how large it may
// ever become, as far as is known now.
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

// fresh returns an array of size cells. From a certain size on it reserves addresses for most cells, which become
// those of s; s keeps none for a small array, or where there are none to be had.
func (s *stackMemory) fresh(size, most int) []cell {
	s.mapped = nil
	if size > smallStack {
		s.mapped = reserve(max(size, most) * cellBytes)
	}
	if s.mapped == nil {
		return make([]cell, size)
	}
	return s.cells()[:size]
}

// fit returns the array cut to about size cells if it is much larger, and gives the rest back. What was needed a few
// collections ago may be needed again, and a page that comes back costs more than one that stays: what is kept shrinks
// by a sixth with each collection, and what the patience of a small heap may ask for again is kept.
func (s *stackMemory) fit(array []cell, size int) []cell {
	s.releaseRetired()
	s.needed = max(size, s.needed-s.needed/6)
	switch {
	case s.mapped != nil && len(array) > s.needed+max(s.needed/4, maxPatience*minGrowth):
		discard(s.mapped, s.needed*cellBytes, len(array)*cellBytes)
		return array[:s.needed]
	case s.mapped == nil && len(array) > max(4*size, smallStack):
		return append(make([]cell, 0, size), array[:size]...)
	}
	return array
}

// larger returns how large an array of n cells should become: twice as large, or a little larger where that
// costs no copying.
func (s *stackMemory) larger(n int) int {
	if more := n/8 + smallStack; n+more <= len(s.mapped)/cellBytes {
		return n + more
	}
	return 2 * n
}

// mostCells is how many cells one array may ever need within the memory limit. A built-in may
// pass the limit by an eighth before it is stopped.
func (m *Terms) mostCells() int {
	limit := m.limitBytes() / cellBytes
	return limit + limit/8 + 2*slack
}
