package code

import (
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
)

// This file defines the table of atoms, one for the whole process, as names are.
//
// Atoms of programs are permanent. An atom that a running goal makes is counted: each machine
// that meets it holds one reference until it is reset, and the number of an atom that nobody
// holds is used again. So memory stays flat under ever new texts.

const chunkSize = 1 << 12

type atomEntry struct {
	text string
	refs int32  // written under the lock of the atom's shard, atomically; permanent when negative
	hash uint32 // of the text
}

type atomChunk [chunkSize]atomEntry

// atoms are the entries by number, and the numbers by text in shards.
var atomTable = struct {
	seed   maphash.Seed
	shards [atomShards]atomShard
	mu     sync.Mutex // guards what follows, for writers
	next   uint32
	chunks atomic.Pointer[[]*atomChunk] // read without the lock
}{seed: maphash.MakeSeed()}

func entry(n uint32) *atomEntry { return &(*atomTable.chunks.Load())[n/chunkSize][n%chunkSize] }

// AtomText returns the text of an atom. The caller must hold the atom: a permanent one, or
// one its machine has acquired.
func AtomText(n uint32) string { return entry(n).text }

// Intern returns the number of the atom with this text and makes it permanent.
func Intern(text string) uint32 { return intern(text, false) }

// InternAll returns the numbers of the atoms with these texts, which stay in memory anyway, and makes them permanent.
func InternAll(texts []string) []uint32 {
	numbers := make([]uint32, len(texts))
	for i, text := range texts {
		numbers[i] = intern(text, true)
	}
	return numbers
}

// intern is Intern of a text that lasts, or else is to be copied.
func intern(text string, lasts bool) uint32 {
	s, hash := shardOf(text)
	s.mu.RLock()
	n, ok := s.find(text, hash)
	if ok && entry(n).refs < 0 {
		s.mu.RUnlock()
		return n
	}
	s.mu.RUnlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if n, ok = s.find(text, hash); !ok {
		if !lasts {
			text = s.keep(text)
		}
		n = s.add(text, hash)
	}
	atomic.StoreInt32(&entry(n).refs, -1)
	return n
}

// AcquireAtom returns the number of the atom with this text. Unless the atom is permanent the set own holds
// a reference to it afterwards. added reports that own did not have the atom before.
func AcquireAtom(text string, own *AtomSet) (n uint32, added bool) {
	s, hash := shardOf(text)
	s.mu.RLock()
	n, ok := s.find(text, hash)
	if ok && (entry(n).refs < 0 || own.Has(n)) {
		s.mu.RUnlock()
		return n, false
	}
	changes := s.changes
	s.mu.RUnlock()
	s.mu.Lock()
	if s.changes != changes {
		n, ok = s.find(text, hash)
	}
	if !ok {
		n = s.addCopy(text, hash)
	}
	added = s.refer(n, own)
	s.mu.Unlock()
	return n, added
}

// AtomBatch is how many atoms AcquireAtoms acquires at once, at the most.
const AtomBatch = 256

// AcquireAtoms is AcquireAtom of up to AtomBatch texts, whose numbers it stores. The lock of a shard is taken once for
// all of its texts. added is how many atoms own did not have before, size how long their texts are.
func AcquireAtoms(texts []string, own *AtomSet, numbers []uint32) (added, size int) {
	var hashes [AtomBatch]uint32
	var order [AtomBatch]uint8 // places in texts, by shard
	var ends [atomShards + 1]int
	for i, text := range texts {
		_, hashes[i] = shardOf(text)
		ends[hashes[i]%atomShards+1]++
	}
	for i := range atomShards {
		ends[i+1] += ends[i]
	}
	for i := range texts {
		end := &ends[hashes[i]%atomShards] // the begin, before the texts of the shard have been counted again
		order[*end] = uint8(i)
		*end++
	}
	begin := 0
	for shard, end := range ends[:atomShards] {
		if begin == end {
			continue
		}
		s := &atomTable.shards[shard]
		s.mu.Lock()
		for _, i := range order[begin:end] {
			n, ok := s.find(texts[i], hashes[i])
			if !ok {
				n = s.addCopy(texts[i], hashes[i])
			}
			if numbers[i] = n; s.refer(n, own) {
				added++
				size += len(texts[i])
			}
		}
		s.mu.Unlock()
		begin = end
	}
	return added, size
}

// addCopy adds an atom whose text may lie where others will be written. The lock must be held.
func (s *atomShard) addCopy(text string, hash uint32) uint32 { return s.add(arrays.Clone(text), hash) }

// refer adds a reference to an atom to a set, unless the atom is permanent or the set has it. The lock must be held.
func (s *atomShard) refer(n uint32, own *AtomSet) (added bool) {
	e := entry(n)
	if added = e.refs >= 0 && !own.Has(n); added {
		atomic.AddInt32(&e.refs, 1)
		own.add(n)
	}
	return added
}

// PinAtom makes an atom permanent. The caller must hold it.
func PinAtom(n uint32) {
	e := entry(n)
	if atomic.LoadInt32(&e.refs) < 0 {
		return
	}
	s := shardFor(e.hash)
	s.mu.Lock()
	atomic.StoreInt32(&e.refs, -1)
	s.mu.Unlock()
}

// HoldAtom adds a reference to an atom, for ReleaseAtom to give back. The caller must hold it.
func HoldAtom(n uint32) {
	e := entry(n)
	s := shardFor(e.hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.refs >= 0 {
		atomic.AddInt32(&e.refs, 1)
	}
}

// ReleaseAtom gives back a reference that HoldAtom has added.
func ReleaseAtom(n uint32) {
	s := shardFor(entry(n).hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.release(n)
}

// release gives back a reference to an atom of the shard. The lock must be held.
func (s *atomShard) release(n uint32) {
	if e := entry(n); e.refs >= 0 && atomic.AddInt32(&e.refs, -1) == 0 {
		s.remove(n, e.hash)
	}
}

// AtomCount returns how many atoms exist, for tests and statistics.
func AtomCount() int {
	n := 0
	for i := range atomTable.shards {
		s := &atomTable.shards[i]
		s.mu.RLock()
		n += s.used
		s.mu.RUnlock()
	}
	return n
}

// AtomsWith lists the atoms that begin with a prefix, in no order.
func AtomsWith(prefix string) []string {
	var list []string
	for i := range atomTable.shards {
		atomTable.shards[i].each(func(text string) {
			if strings.HasPrefix(text, prefix) {
				list = append(list, text)
			}
		})
	}
	return list
}

// newNumber returns a number that no atom has had.
func newNumber() uint32 {
	atomTable.mu.Lock()
	defer atomTable.mu.Unlock()
	n := atomTable.next
	atomTable.next++
	if n%chunkSize == 0 {
		addChunk()
	}
	return n
}

// addChunk publishes a longer list of chunks; the old list stays valid for its readers.
func addChunk() {
	var list []*atomChunk
	if old := atomTable.chunks.Load(); old != nil {
		list = append(list, *old...)
	}
	list = append(list, new(atomChunk))
	atomTable.chunks.Store(&list)
}

// Atoms that the machine, the compiler and the built-ins know by number.
var (
	ANil      = permanent("[]")
	ADot      = permanent(".")
	ACurly    = permanent("{}")
	ATrue     = permanent("true")
	AFalse    = permanent("false")
	AFail     = permanent("fail")
	ACut      = permanent("!")
	AComma    = permanent(",")
	ASemi     = permanent(";")
	ABar      = permanent("|")
	AArrow    = permanent("->")
	ASoft     = permanent("*->")
	ANot      = permanent("\\+")
	ANeck     = permanent(":-")
	AColon    = permanent(":")
	ACall     = permanent("call")
	AMinus    = permanent("-")
	APlus     = permanent("+")
	ASlash    = permanent("/")
	AEqual    = permanent("=")
	AError    = permanent("error")
	AUser     = permanent("user")
	ASystem   = permanent("system")
	ACaret    = permanent("^")
	AEOF      = permanent("end_of_file")
	AEmpty    = permanent("")
	AContext  = permanent("context")
	AVarNames = permanent("$VAR")
	AInf      = permanent("inf")
	ANan      = permanent("nan")
)

// permanent interns text and returns its cell.
func permanent(text string) Cell { return MakeAtom(Intern(text)) }

// AtomCell interns text permanently and returns its cell.
func AtomCell(text string) Cell { return permanent(text) }

// FDot is the functor './2'; the others likewise.
var (
	FDot    = Functor(".", 2)
	FComma  = Functor(",", 2)
	FSemi   = Functor(";", 2)
	FBar    = Functor("|", 2)
	FArrow  = Functor("->", 2)
	FSoft   = Functor("*->", 2)
	FNot    = Functor("\\+", 1)
	FNeck   = Functor(":-", 2)
	FColon  = Functor(":", 2)
	FMinus  = Functor("-", 2)
	FSlash  = Functor("/", 2)
	FCaret  = Functor("^", 2)
	FEqual  = Functor("=", 2)
	FError  = Functor("error", 2)
	FCall   = Functor("call", 1)
	FCurly  = Functor("{}", 1)
	FVar    = Functor("$VAR", 1)
	FCut    = Functor("!", 0)
	FCutTo  = Functor("$cut", 1)
	FCallTo = Functor("$body", 2)
)

// Functor interns name permanently and returns the functor cell of name/arity.
func Functor(name string, arity int) Cell { return MakeFunctor(Intern(name), arity) }

// This part defines the hash table that finds atoms by their texts.
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
