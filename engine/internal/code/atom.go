package code

import (
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
)

// This file defines the table of atoms. The whole process has one.
//
// Atoms of programs are permanent. An atom that a running goal makes is counted: each machine that meets it holds one
// reference until it is reset, and the number of an atom that nobody holds is used again. So new texts do not make
// memory grow for ever.
//
// Machines find permanent atoms, and atoms that they hold, without a lock. Machines take a lock only when they make
// an atom, meet a counted atom for the first time, or give it back.

const chunkSize = 1 << 12

type atomEntry struct {
	text string
	refs int32  // written under the lock of the atom's shard, atomically; permanent when negative
	hash uint32 // of the text
}

type atomChunk [chunkSize]atomEntry

// atomTable holds the entries by number, and the numbers by text in shards.
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

// intern is Intern. It copies the text unless lasts is set.
func intern(text string, lasts bool) uint32 {
	s, hash := shardOf(text)
	if n, ok := s.findHeld(text, hash, nil); ok {
		return n
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n, ok := s.find(text, hash)
	if !ok {
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
	if n, ok := s.findHeld(text, hash, own); ok {
		return n, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.acquire(text, hash, own)
}

// acquire is AcquireAtom for a text of the shard. The lock must be held.
func (s *atomShard) acquire(text string, hash uint32, own *AtomSet) (n uint32, added bool) {
	n, ok := s.find(text, hash)
	if !ok {
		n = s.add(arrays.Clone(text), hash) // the memory of text may be overwritten later
	}
	e := entry(n)
	if added = e.refs >= 0 && !own.Has(n); added {
		atomic.AddInt32(&e.refs, 1)
		own.add(n)
	}
	return n, added
}

// AtomBatch is the largest number of atoms that AcquireAtoms acquires at once.
const AtomBatch = 256

// AcquireAtoms is AcquireAtom for up to AtomBatch texts. It stores the numbers of the atoms in numbers. It takes the
// lock of a shard at most once. added is the number of atoms that own did not have before, and size the length of
// their texts.
func AcquireAtoms(texts []string, own *AtomSet, numbers []uint32) (added, size int) {
	var hashes [AtomBatch]uint32
	var missing, order [AtomBatch]uint8 // indexes of texts that were not found, and the same sorted by shard
	var ends [atomShards + 1]int
	misses := 0
	for i, text := range texts {
		var s *atomShard
		var ok bool
		s, hashes[i] = shardOf(text)
		if numbers[i], ok = s.findHeld(text, hashes[i], own); !ok {
			missing[misses] = uint8(i)
			misses++
			ends[hashes[i]%atomShards+1]++
		}
	}
	for i := range atomShards {
		ends[i+1] += ends[i]
	}
	for _, i := range missing[:misses] {
		end := &ends[hashes[i]%atomShards] // begins as the start of the shard's part of order, and becomes its end
		order[*end] = i
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
			n, isNew := s.acquire(texts[i], hashes[i], own)
			if numbers[i] = n; isNew {
				added++
				size += len(texts[i])
			}
		}
		s.mu.Unlock()
		begin = end
	}
	return added, size
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
		s.mu.Lock()
		n += s.used
		s.mu.Unlock()
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

// The functors that the machine, the compiler and the built-ins know. FDot is './2'.
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
// A Go map takes fifty bytes an atom at a million of them. Here a slot is one word. Its upper half is the hash, so
// that other atoms are skipped without reading their texts. Probing is linear, and a removal moves the following
// slots up to close the gap (Knuth, The Art of Computer Programming 3, 6.4, algorithm R).
//
// Slots are written under the lock of their shard and read without it. Such a reader may miss an atom that is being
// moved, and then takes the lock. It accepts only atoms whose texts do not change any more: permanent ones, and those
// to which its machine has a reference.

// atomShards is the number of tables that texts are spread over. With many of them machines seldom wait for
// each other, and a table that grows is a small one.
const atomShards = 16

// atomShard holds the atoms whose hashes have the same lower bits.
type atomShard struct {
	mu    sync.Mutex
	slots atomic.Pointer[atomSlots] // hash<<32 | number+1, or 0
	used  int
	free  []uint32 // numbers to be used again
	slab  []byte   // holds short texts of permanent atoms, one behind the other
	_     [48]byte // so that no two shards share a line of the processor's cache
}

// shardOf returns the shard that a text belongs to, and its hash there.
func shardOf(text string) (*atomShard, uint32) {
	hash := uint32(maphash.String(atomTable.seed, text))
	return shardFor(hash), hash
}

// shardFor returns the shard of the texts with a hash. Its lower bits choose the shard, the upper ones the slot.
func shardFor(hash uint32) *atomShard { return &atomTable.shards[hash%atomShards] }

// atomSlots are the slots of a shard.
type atomSlots []uint64

// all returns the slots as they are now.
func (s *atomShard) all() atomSlots {
	if list := s.slots.Load(); list != nil {
		return *list
	}
	return nil
}

// home returns the slot where the search for a hash begins.
func (s atomSlots) home(hash uint32) int { return int(uint64(hash) * uint64(len(s)) >> 32) }

func (s atomSlots) after(i int) int {
	if i++; i == len(s) {
		return 0
	}
	return i
}

// distance returns the number of slots from one to another, wrapping around.
func (s atomSlots) distance(from, to int) int {
	if to < from {
		return to - from + len(s)
	}
	return to - from
}

// vacant returns the index of the empty slot for a hash.
func (s atomSlots) vacant(hash uint32) int {
	i := s.home(hash)
	for s[i] != 0 {
		i = s.after(i)
	}
	return i
}

// find returns the number of the atom with a text. The lock must be held.
func (s *atomShard) find(text string, hash uint32) (n uint32, ok bool) {
	slots := s.all()
	if len(slots) == 0 {
		return 0, false
	}
	for i := slots.home(hash); slots[i] != 0; i = slots.after(i) {
		if slot := slots[i]; uint32(slot>>32) == hash {
			if n := uint32(slot) - 1; entry(n).text == text {
				return n, true
			}
		}
	}
	return 0, false
}

// findHeld is find without the lock. It finds atoms that are permanent or in own. own may be nil.
func (s *atomShard) findHeld(text string, hash uint32, own *AtomSet) (n uint32, ok bool) {
	slots := s.all()
	if len(slots) == 0 {
		return 0, false
	}
	i := slots.home(hash)
	for range slots {
		slot := atomic.LoadUint64(&slots[i])
		if slot == 0 {
			break
		}
		if uint32(slot>>32) == hash {
			n := uint32(slot) - 1
			if e := entry(n); (atomic.LoadInt32(&e.refs) < 0 || own != nil && own.Has(n)) && e.text == text {
				return n, true
			}
		}
		i = slots.after(i)
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
	if s.used++; s.used > len(s.all())/4*3 {
		s.resize(max(least, s.used/2*4))
	}
	e := entry(n)
	e.text, e.hash = text, hash
	slots := s.all()
	atomic.StoreUint64(&slots[slots.vacant(hash)], uint64(hash)<<32|uint64(n+1))
	return n
}

// resize gives the table another size.
func (s *atomShard) resize(size int) {
	slots := make(atomSlots, size)
	for _, slot := range s.all() {
		if slot != 0 {
			slots[slots.vacant(uint32(slot>>32))] = slot
		}
	}
	s.slots.Store(&slots)
}

// remove forgets an atom. The lock must be held.
func (s *atomShard) remove(n, hash uint32) {
	slots := s.all()
	hole := slots.home(hash)
	for slots[hole] != uint64(hash)<<32|uint64(n+1) {
		hole = slots.after(hole)
	}
	for i := slots.after(hole); slots[i] != 0; i = slots.after(i) {
		home := slots.home(uint32(slots[i] >> 32))
		if slots.distance(home, i) >= slots.distance(hole, i) {
			atomic.StoreUint64(&slots[hole], slots[i])
			hole = i
		}
	}
	atomic.StoreUint64(&slots[hole], 0)
	if isOpaque(entry(n).text) {
		opaques.Delete(entry(n).text)
	}
	s.free = append(s.free, n)
	entry(n).text = ""
	const worthwhile = 1 << 12
	if s.used--; len(slots) > worthwhile && s.used < len(slots)/8 {
		s.resize(s.used*2 + worthwhile/2)
	}
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
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, slot := range s.all() {
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
	n, ok := shard.findHeld(text, hash, s)
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
	if len(s.numbers) == 0 {
		return
	}
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

// releasedAtoms collects atoms to be given back, by shard, so that the lock of a shard is taken once for many.
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

// end gives back the remaining atoms.
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
