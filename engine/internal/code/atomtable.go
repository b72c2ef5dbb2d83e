package code

import (
	"hash/maphash"
	"sync"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
)

// This file defines the hash table that finds atoms by their texts.
//
// A map of Go's takes fifty bytes an atom at a million of them. Here a slot is one word, the upper half of it the hash,
// so that strangers are passed over without a look at their texts; probing is linear, and what a removal leaves is
// closed up by moving what follows (Knuth, The Art of Computer Programming 3, 6.4, algorithm R).

// atomShards is the number of tables that texts are spread over. With many of them machines seldom wait for
// each other, and a table that grows is a small one.
const atomShards = 16

// atomShard is the atoms whose texts have a hash in a certain range.
type atomShard struct {
	mu    sync.RWMutex
	slots []uint64 // hash<<32 | number+1, or 0
	used  int
	// changes counts the atoms that have been added and removed.
	changes uint64
	free    []uint32 // numbers to be used again
	slab    []byte   // where short texts of permanent atoms go, one behind the other
}

// shardOf returns the shard that a text belongs to, and its hash there.
func shardOf(text string) (*atomShard, uint32) {
	hash := uint32(maphash.String(atomTable.seed, text))
	return shardFor(hash), hash
}

// shardFor returns the shard of the texts with a hash. Its lower bits choose the shard, the upper ones the slot.
func shardFor(hash uint32) *atomShard { return &atomTable.shards[hash%atomShards] }

// home is the slot where a hash is looked for first.
func (s *atomShard) home(hash uint32) int { return int(uint64(hash) * uint64(len(s.slots)) >> 32) }

func (s *atomShard) after(i int) int {
	if i++; i == len(s.slots) {
		return 0
	}
	return i
}

// find returns the number of the atom with a text. The lock must be held, for reading at least.
func (s *atomShard) find(text string, hash uint32) (n uint32, ok bool) {
	if len(s.slots) == 0 {
		return 0, false
	}
	for i := s.home(hash); s.slots[i] != 0; i = s.after(i) {
		if slot := s.slots[i]; uint32(slot>>32) == hash {
			if n := uint32(slot) - 1; entry(n).text == text {
				return n, true
			}
		}
	}
	return 0, false
}

// add adds an atom without references, whose text lasts, and returns its number. The lock must be held.
func (s *atomShard) add(text string, hash uint32) (n uint32) {
	if k := len(s.free); k > 0 {
		n, s.free = s.free[k-1], s.free[:k-1]
	} else {
		n = newNumber()
	}
	const least = 64
	if s.used++; s.used > len(s.slots)/4*3 {
		s.resize(max(least, s.used/2*4))
	}
	s.changes++
	e := entry(n)
	e.text, e.hash = text, hash
	s.put(uint64(hash)<<32 | uint64(n+1))
	return n
}

func (s *atomShard) put(slot uint64) {
	i := s.home(uint32(slot >> 32))
	for s.slots[i] != 0 {
		i = s.after(i)
	}
	s.slots[i] = slot
}

// resize gives the table another size.
func (s *atomShard) resize(size int) {
	old := s.slots
	s.slots = make([]uint64, size)
	for _, slot := range old {
		if slot != 0 {
			s.put(slot)
		}
	}
}

// remove forgets an atom. The lock must be held.
func (s *atomShard) remove(n, hash uint32) {
	hole := s.home(hash)
	for s.slots[hole] != uint64(hash)<<32|uint64(n+1) {
		hole = s.after(hole)
	}
	for i := s.after(hole); s.slots[i] != 0; i = s.after(i) {
		home := s.home(uint32(s.slots[i] >> 32))
		if s.distance(home, i) >= s.distance(hole, i) {
			s.slots[hole] = s.slots[i]
			hole = i
		}
	}
	s.slots[hole] = 0
	s.free = append(s.free, n)
	s.changes++
	entry(n).text = ""
	const worthwhile = 1 << 12
	if s.used--; len(s.slots) > worthwhile && s.used < len(s.slots)/8 {
		s.resize(s.used*2 + worthwhile/2)
	}
}

// distance is how many slots lie from one to another, going round.
func (s *atomShard) distance(from, to int) int {
	if to < from {
		return to - from + len(s.slots)
	}
	return to - from
}

// keep copies a text of a permanent atom.
func (s *atomShard) keep(text string) string {
	const small, most = 64, 1 << 14
	if len(text) > small {
		return arrays.Clone(text)
	}
	if len(text) > cap(s.slab)-len(s.slab) {
		s.slab = make([]byte, 0, min(max(2*cap(s.slab), 4*small), most))
	}
	at := len(s.slab)
	s.slab = append(s.slab, text...)
	return unsafe.String(unsafe.SliceData(s.slab[at:]), len(text))
}

// each visits the texts of the atoms.
func (s *atomShard) each(visit func(text string)) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, slot := range s.slots {
		if slot != 0 {
			visit(entry(uint32(slot) - 1).text)
		}
	}
}

// AtomSet is a set of counted atoms, to each of which it holds a reference. The zero value is
// empty. It belongs to one goroutine.
type AtomSet struct {
	numbers []uint32
	members []uint64 // a bit for each number
}

const wordBits = 64

// Empty reports whether there are no atoms in the set.
func (s *AtomSet) Empty() bool { return len(s.numbers) == 0 }

// Numbers returns the atoms. The slice must not be changed.
func (s *AtomSet) Numbers() []uint32 { return s.numbers }

// Has reports whether an atom is in the set.
func (s *AtomSet) Has(n uint32) bool {
	i := int(n / wordBits)
	return i < len(s.members) && s.members[i]>>(n%wordBits)&1 != 0
}

// HasText reports whether the atom with this text is in the set.
func (s *AtomSet) HasText(text string) bool {
	shard, hash := shardOf(text)
	shard.mu.RLock()
	defer shard.mu.RUnlock()
	n, ok := shard.find(text, hash)
	return ok && s.Has(n)
}

func (s *AtomSet) add(n uint32) {
	i := int(n / wordBits)
	if i >= len(s.members) {
		s.members = append(s.members, make([]uint64, i+1-len(s.members))...)
	}
	s.members[i] |= 1 << (n % wordBits)
	s.numbers = append(s.numbers, n)
}

// Release gives back the references to the atoms that are not to be kept.
func (s *AtomSet) Release(keep func(n uint32) bool) {
	kept := s.numbers[:0]
	var given releasedAtoms
	for _, n := range s.numbers {
		if keep(n) {
			kept = append(kept, n)
			continue
		}
		s.members[n/wordBits] &^= 1 << (n % wordBits)
		given.add(n)
	}
	given.end()
	s.numbers = kept
	const worthwhile = 1 << 12
	if len(kept) == 0 && cap(kept) > worthwhile {
		*s = AtomSet{}
	}
}

// releasedAtoms are atoms to be given back, by shard, so that the lock of a shard is taken once for many.
type releasedAtoms struct {
	lists [atomShards][64]uint32
	used  [atomShards]int
}

func (r *releasedAtoms) add(n uint32) {
	at := entry(n).hash % atomShards
	r.lists[at][r.used[at]] = n
	if r.used[at]++; r.used[at] == len(r.lists[at]) {
		r.release(at)
	}
}

// end gives back those that are left.
func (r *releasedAtoms) end() {
	for at := range r.used {
		if r.used[at] > 0 {
			r.release(uint32(at))
		}
	}
}

func (r *releasedAtoms) release(at uint32) {
	s := &atomTable.shards[at]
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range r.lists[at][:r.used[at]] {
		s.release(n)
	}
	r.used[at] = 0
}
