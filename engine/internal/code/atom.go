package code

import (
	"strings"
	"sync"
	"sync/atomic"
)

// This file defines the table of atoms, one for the whole process, as names are.
//
// Atoms of programs are permanent. An atom that a running goal makes is counted: each machine
// that meets it holds one reference until it is reset, and the number of an atom that nobody
// holds is used again. So memory stays flat under ever new texts.

const chunkSize = 1 << 12

type atomEntry struct {
	text string
	refs int32 // written under atoms.mu, atomically; permanent when negative
}

type atomChunk [chunkSize]atomEntry

var atoms = struct {
	mu     sync.RWMutex
	number map[string]uint32
	most   int // entries of number since it was made
	free   []uint32
	next   uint32
	chunks atomic.Pointer[[]*atomChunk] // read without the lock
}{number: map[string]uint32{}}

func entry(n uint32) *atomEntry {
	return &(*atoms.chunks.Load())[n/chunkSize][n%chunkSize]
}

// AtomText returns the text of an atom. The caller must hold the atom: a permanent one, or
// one its machine has acquired.
func AtomText(n uint32) string { return entry(n).text }

// Intern returns the number of the atom with this text and makes it permanent.
func Intern(text string) uint32 {
	atoms.mu.RLock()
	n, ok := atoms.number[text]
	if ok && entry(n).refs < 0 {
		atoms.mu.RUnlock()
		return n
	}
	atoms.mu.RUnlock()
	atoms.mu.Lock()
	defer atoms.mu.Unlock()
	n = lookupLocked(text)
	atomic.StoreInt32(&entry(n).refs, -1)
	return n
}

// AcquireAtom returns the number of the atom with this text. When counted is true the caller
// has got a reference, to be given back with ReleaseAtom.
func AcquireAtom(text string) (n uint32, counted bool) {
	atoms.mu.RLock()
	n, ok := atoms.number[text]
	if ok && entry(n).refs < 0 {
		atoms.mu.RUnlock()
		return n, false
	}
	atoms.mu.RUnlock()
	atoms.mu.Lock()
	defer atoms.mu.Unlock()
	n = lookupLocked(text)
	e := entry(n)
	if e.refs < 0 {
		return n, false
	}
	atomic.AddInt32(&e.refs, 1)
	return n, true
}

// PinAtom makes an atom permanent. The caller must hold it.
func PinAtom(n uint32) {
	e := entry(n)
	if atomic.LoadInt32(&e.refs) < 0 {
		return
	}
	atoms.mu.Lock()
	atomic.StoreInt32(&e.refs, -1)
	atoms.mu.Unlock()
}

// ReleaseAtoms gives back references got from AcquireAtom.
func ReleaseAtoms(numbers []uint32) {
	atoms.mu.Lock()
	defer atoms.mu.Unlock()
	for _, n := range numbers {
		e := entry(n)
		if e.refs < 0 {
			continue
		}
		if atomic.AddInt32(&e.refs, -1) == 0 {
			delete(atoms.number, e.text)
			e.text = ""
			atoms.free = append(atoms.free, n)
		}
	}
	shrinkLocked()
}

// shrinkLocked makes the map anew when most of what it once held is gone, for maps keep their size.
func shrinkLocked() {
	const worthwhile = 1 << 16
	if atoms.most < worthwhile || len(atoms.number) > atoms.most/4 {
		return
	}
	number := make(map[string]uint32, len(atoms.number))
	for text, n := range atoms.number {
		number[text] = n
	}
	atoms.number, atoms.most = number, len(number)
}

// AtomCount returns how many atoms exist, for tests and statistics.
func AtomCount() int {
	atoms.mu.RLock()
	defer atoms.mu.RUnlock()
	return len(atoms.number)
}

// lookupLocked finds or adds an atom; a new one has no references.
func lookupLocked(text string) uint32 {
	if n, ok := atoms.number[text]; ok {
		return n
	}
	var n uint32
	if k := len(atoms.free); k > 0 {
		n, atoms.free = atoms.free[k-1], atoms.free[:k-1]
	} else {
		n = atoms.next
		atoms.next++
		if n%chunkSize == 0 {
			addChunk()
		}
	}
	text = strings.Clone(text) // it may be part of a larger one, or lie where others will be written
	e := entry(n)
	e.text = text
	atomic.StoreInt32(&e.refs, 0)
	atoms.number[text] = n
	atoms.most = max(atoms.most, len(atoms.number))
	return n
}

// addChunk publishes a longer list of chunks; the old list stays valid for its readers.
func addChunk() {
	var list []*atomChunk
	if old := atoms.chunks.Load(); old != nil {
		list = append(list, *old...)
	}
	list = append(list, new(atomChunk))
	atoms.chunks.Store(&list)
}

// Atoms that the machine, the compiler and the built-ins know by number.
var (
	ANil      = known("[]")
	ADot      = known(".")
	ACurly    = known("{}")
	ATrue     = known("true")
	AFalse    = known("false")
	AFail     = known("fail")
	ACut      = known("!")
	AComma    = known(",")
	ASemi     = known(";")
	ABar      = known("|")
	AArrow    = known("->")
	ASoft     = known("*->")
	ANot      = known("\\+")
	ANeck     = known(":-")
	AColon    = known(":")
	ACall     = known("call")
	AMinus    = known("-")
	APlus     = known("+")
	ASlash    = known("/")
	AEqual    = known("=")
	AError    = known("error")
	AUser     = known("user")
	ASystem   = known("system")
	ACaret    = known("^")
	AEOF      = known("end_of_file")
	AEmpty    = known("")
	AContext  = known("context")
	AVarNames = known("$VAR")
	AInf      = known("inf")
	ANan      = known("nan")
)

// known interns text and returns its cell.
func known(text string) Cell { return MakeAtom(Intern(text)) }

// AtomCell interns text permanently and returns its cell.
func AtomCell(text string) Cell { return known(text) }

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
	FCutTo  = Functor("$cut", 1)
	FCallTo = Functor("$body", 2)
)

// Functor interns name permanently and returns the functor cell of name/arity.
func Functor(name string, arity int) Cell { return MakeFunctor(Intern(name), arity) }
