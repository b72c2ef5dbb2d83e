package database

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/native"
)

// area holds the code of a program: one growing slice of words. Addresses never change. A
// machine runs on the slice it has loaded, in which everything visible to it is present; words
// behind it are written only before their address becomes visible. Words of a shared area that a
// machine may read are not overwritten: a copy of the slice takes its place.
type area struct {
	mu      sync.Mutex
	current atomic.Pointer[codeVersion]
	free    map[int][]uint32 // freed blocks by size
	shared  bool             // other goroutines may be running the code
	putOff  bool             // patches wait for flush
	pending []wordPatch
	refused map[int]bool // addresses of code that cannot be translated, until some code changes
}

// codeVersion is the code as a machine loads it.
type codeVersion struct {
	words   []code.Instr
	table   *native.Table // the native code of some of it, or nil
	changes int           // how often words have been changed or given back so far
}

// wordPatch is a change of words that waits.
type wordPatch struct {
	at    uint32
	block []code.Instr
}

// load returns the words written so far.
func (a *area) load() []code.Instr { return a.current.Load().words }

// set installs words as the code of the area. They begin with the words that were there before. The lock must be held.
func (a *area) set(words []code.Instr) {
	next := codeVersion{words: words}
	if now := a.current.Load(); now != nil {
		next.table, next.changes = now.table, now.changes
	}
	a.current.Store(&next)
}

// copied returns a copy of the words of a sealed program, with room for some more. Memory that append has just copied
// into is not zeroed before, as that of make would be.
func (a *area) copied() []code.Instr {
	a.mu.Lock()
	defer a.mu.Unlock()
	words := a.load()
	n := len(words)
	if cap(words) < n+roomForCode {
		words = slices.Grow(words, roomForCode)
		a.set(words)
	}
	return append([]code.Instr(nil), words[:n+roomForCode]...)[:n]
}

// change notes that words have changed or are to be used again, so that what is being translated is void. It takes
// their native code away. The lock must be held.
func (a *area) change(at uint32, size int) {
	now := *a.current.Load()
	now.changes++
	clear(a.refused)
	if now.table != nil {
		now.table.Drop(int(at), int(at)+size)
	}
	a.current.Store(&now)
}

// replace installs words as the code of the area. Only the patched words differ from the old ones. The lock must be
// held. Machines use the old words and native code until they load the new ones.
func (a *area) replace(words []code.Instr, patches ...wordPatch) {
	now := a.current.Load()
	next := codeVersion{words: words, changes: now.changes + 1}
	clear(a.refused)
	if now.table != nil {
		next.table = now.table.Clone(cap(words))
		for _, patch := range patches {
			next.table.Drop(int(patch.at), int(patch.at)+len(patch.block))
		}
	}
	a.current.Store(&next)
}

// add stores a block of code and returns its address.
func (a *area) add(block []code.Instr) uint32 {
	a.mu.Lock()
	defer a.mu.Unlock()
	if list := a.free[len(block)]; len(list) > 0 {
		at := list[len(list)-1]
		a.free[len(block)] = list[:len(list)-1]
		copy(a.load()[at:], block)
		return at
	}
	words := a.load()
	at := len(words)
	words = append(words, block...)
	a.set(words)
	return uint32(at)
}

// addNew is add, at the end in any case.
func (a *area) addNew(block []code.Instr) uint32 {
	a.mu.Lock()
	defer a.mu.Unlock()
	words := a.load()
	at := len(words)
	words = append(words, block...)
	a.set(words)
	return uint32(at)
}

// reserve makes room for code up to a size.
func (a *area) reserve(size int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if words := a.load(); cap(words) < size {
		words = append(make([]code.Instr, 0, size), words...)
		a.set(words)
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
	a.change(at, size)
}

// place reserves size words and stores what build makes of their address.
func (a *area) place(size int, build func(at uint32) []code.Instr) uint32 {
	a.mu.Lock()
	defer a.mu.Unlock()
	if list := a.free[size]; len(list) > 0 {
		at := list[len(list)-1]
		a.free[size] = list[:len(list)-1]
		copy(a.load()[at:], build(at))
		return at
	}
	words := a.load()
	at := uint32(len(words))
	words = append(words, build(at)...)
	a.set(words)
	return at
}

// patch overwrites words.
func (a *area) patch(at uint32, block []code.Instr) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.putOff {
		a.pending = append(a.pending, wordPatch{at, slices.Clone(block)})
		return
	}
	words := a.load()
	if !a.shared {
		copy(words[at:], block)
		a.change(at, len(block))
		return
	}
	words = append(make([]code.Instr, 0, len(words)+len(words)/8), words...)
	copy(words[at:], block)
	a.replace(words, wordPatch{at, block})
}

// hold puts patches off until flush. Many of them then cost one copy of the code.
func (a *area) hold() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.putOff = a.shared
}

// flush makes the patches that have been put off.
func (a *area) flush() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.putOff = false
	if len(a.pending) == 0 {
		return
	}
	words := append(make([]code.Instr, 0, cap(a.load())), a.load()...)
	for _, patch := range a.pending {
		copy(words[patch.at:], patch.block)
	}
	a.replace(words, a.pending...)
	a.pending = nil
}

// at returns n words as they are after all patches, those that have been put off included.
func (a *area) at(at uint32, n int) []code.Instr {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, patch := range slices.Backward(a.pending) {
		if patch.at == at && len(patch.block) >= n {
			return patch.block[:n]
		}
	}
	return a.load()[at:][:n]
}

// share says whether other goroutines may run the code from now on.
func (a *area) share(shared bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.shared = shared
}

// isShared reports whether other goroutines may be running the code.
func (a *area) isShared() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.shared
}
