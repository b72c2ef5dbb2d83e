package database

import (
	"sync"
	"sync/atomic"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// area holds the code of a program: one growing slice of words. Addresses never change. A
// machine runs on the slice it has loaded, in which everything visible to it is present; words
// behind it are written only before their address becomes visible.
type area struct {
	mu    sync.Mutex
	words atomic.Pointer[[]code.Instr]
	free  map[int][]uint32 // freed blocks by size
}

// load returns the words written so far.
func (a *area) load() []code.Instr { return *a.words.Load() }

// add stores a block of code and returns its address.
func (a *area) add(block []code.Instr) uint32 {
	a.mu.Lock()
	defer a.mu.Unlock()
	if list := a.free[len(block)]; len(list) > 0 {
		at := list[len(list)-1]
		a.free[len(block)] = list[:len(list)-1]
		copy((*a.words.Load())[at:], block)
		return at
	}
	words := *a.words.Load()
	at := len(words)
	words = append(words, block...)
	a.words.Store(&words)
	return uint32(at)
}

// addNew is add, at the end in any case.
func (a *area) addNew(block []code.Instr) uint32 {
	a.mu.Lock()
	defer a.mu.Unlock()
	words := *a.words.Load()
	at := len(words)
	words = append(words, block...)
	a.words.Store(&words)
	return uint32(at)
}

// reserve makes room for code up to a size.
func (a *area) reserve(size int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if words := *a.words.Load(); cap(words) < size {
		words = append(make([]code.Instr, 0, size), words...)
		a.words.Store(&words)
	}
}

// release gives a block back. No machine may be running in it or ever return to it.
func (a *area) release(at uint32, size int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.free == nil {
		a.free = map[int][]uint32{}
	}
	a.free[size] = append(a.free[size], at)
}

// place reserves size words and stores what build makes of their address.
func (a *area) place(size int, build func(at uint32) []code.Instr) uint32 {
	a.mu.Lock()
	defer a.mu.Unlock()
	if list := a.free[size]; len(list) > 0 {
		at := list[len(list)-1]
		a.free[size] = list[:len(list)-1]
		copy((*a.words.Load())[at:], build(at))
		return at
	}
	words := *a.words.Load()
	at := uint32(len(words))
	words = append(words, build(at)...)
	a.words.Store(&words)
	return at
}

// patch overwrites words.
func (a *area) patch(at uint32, block []code.Instr) {
	a.mu.Lock()
	defer a.mu.Unlock()
	copy((*a.words.Load())[at:], block)
}
