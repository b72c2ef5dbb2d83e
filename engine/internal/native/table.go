package native

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
)

// This file defines the table that maps addresses of the machine's code to native code. It also defines the map of
// native code that Linux perf reads: a line for each predicate, of address, size and name.

// Unit is the native code of one predicate or clause.
type Unit struct {
	root    int // the address that it was made for
	pages   *pages
	size    int            // of the code, in bytes
	ranges  []addressRange // of the machine's code that it was made from
	also    []addressRange // of further code that it depends on
	entries []entryPoint
	// WithFloats says that its arithmetic handles floats.
	WithFloats bool
	// Floats counts how often native code has met a float that it was not ready for.
	Floats atomic.Int32
}

// addressRange is a range of addresses of the machine's code.
type addressRange struct{ start, end int }

// entryPoint is an address of the machine's code and the offset of the native code for it.
type entryPoint struct{ p, offset int }

// overlaps reports whether one of some ranges has addresses between two.
func overlaps(list []addressRange, start, end int) bool {
	return slices.ContainsFunc(list, func(r addressRange) bool { return r.start < end && start < r.end })
}

// Table leads from addresses of one version of a program's code to native code. Entering and looking up may be done by
// several goroutines, at the same time as changes.
type Table struct {
	mu    sync.Mutex // guards the units
	slots []uint64   // native addresses by addresses of the machine's code, 0 for those that have none
	space []byte     // where slots lie, if that is reserved memory
	units []*Unit
	gone  []*Unit // which a machine may still be in
}

// NewTable returns a table without units for code of size words, nil where there is no native code.
func NewTable(size int) *Table {
	if !prepare() {
		return nil
	}

	t := &Table{}
	size = max(size, AddrRowsRetry+1)
	if t.space = reserveTable(size * 8); t.space != nil {
		t.slots = unsafe.Slice((*uint64)(unsafe.Pointer(&t.space[0])), size)
		runtime.AddCleanup(t, func(space []byte) { releaseTable(space) }, t.space)
	} else {
		t.slots = make([]uint64, size)
	}
	t.slots[AddrFail], t.slots[AddrRowsRetry], t.slots[AddrProceed] =
		routines.fail, routines.rowsRetry, routines.proceed
	t.slots[AddrRetryDyn], t.slots[AddrRedo] = routines.retryDyn, routines.redo
	return t
}

// Len returns the number of addresses that the table has room for.
func (t *Table) Len() int { return len(t.slots) }

// Has reports whether there is native code for an address.
func (t *Table) Has(p int) bool { return p < len(t.slots) && atomic.LoadUint64(&t.slots[p]) != 0 }

// Add adds a unit, in place of the one made for the same address.
func (t *Table) Add(u *Unit) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.remove(func(old *Unit) (those, gone bool) { return old.root == u.root, false })
	t.units = append(t.units, u)
	base := uint64(u.pages.base())
	for _, e := range u.entries {
		atomic.StoreUint64(&t.slots[e.p], base+uint64(e.offset))
	}
}

// Drop forgets the units made from words between two addresses, or counting on them. No machine may be in these
// words, but in what a unit was made from besides.
func (t *Table) Drop(start, end int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.remove(func(u *Unit) (those, gone bool) {
		if !overlaps(u.ranges, start, end) {
			return overlaps(u.also, start, end), false
		}
		outside := func(r addressRange) bool { return r.start < start || r.end > end }
		return true, !slices.ContainsFunc(u.ranges, outside)
	})
}

// remove forgets those units. Their memory is kept as long as the table, as machines may be in them, unless they are
// gone for good.
func (t *Table) remove(which func(*Unit) (those, gone bool)) {
	t.units = slices.DeleteFunc(t.units, func(u *Unit) bool {
		those, gone := which(u)
		if !those {
			return false
		}
		for _, e := range u.entries {
			atomic.StoreUint64(&t.slots[e.p], 0)
		}
		if !gone {
			t.gone = append(t.gone, u)
		}
		return true
	})
}

// UnitAt returns the unit that has native code for an address, or nil.
func (t *Table) UnitAt(p int) *Unit {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, u := range t.units {
		if overlaps(u.ranges, p, p+1) {
			return u
		}
	}
	return nil
}

// Clone returns a table with the same units and room for code of size words.
func (t *Table) Clone(size int) *Table {
	to := NewTable(size)
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, u := range t.units {
		to.Add(u)
	}
	return to
}

// This part defines the memory that native code lies in. It is written first and made executable then, and never both
// at once.

// pages is memory with native code.
type pages struct{ memory []byte }

func (p *pages) base() uintptr { return uintptr(unsafe.Pointer(&p.memory[0])) }

// maxBytes is how much native code a process may have.
const maxBytes = 64 << 20

// usedBytes is how much it has.
var usedBytes atomic.Int64

// publish makes code executable. It returns nil if the system does not allow that, or there is too much already, or
// more than jumps reach across. The memory is given back when nobody has the pages any more.
func publish(b *buffer) *pages {
	if len(b.code) >= maxCode {
		return nil
	}
	size := (len(b.code) + pageSize - 1) / pageSize * pageSize
	if usedBytes.Add(int64(size)) > maxBytes {
		usedBytes.Add(-int64(size))
		return nil
	}
	memory := writable(size)
	if memory == nil {
		usedBytes.Add(-int64(size))
		return nil
	}
	b.resolve(uintptr(unsafe.Pointer(&memory[0])))
	copy(memory, b.code)
	if !makeExecutable(memory) {
		release(memory)
		usedBytes.Add(-int64(size))
		return nil
	}
	p := &pages{memory}
	runtime.AddCleanup(p, func(memory []byte) {
		usedBytes.Add(-int64(len(memory)))
		release(memory)
	}, memory)
	return p
}

var perfMap struct {
	sync.Mutex
	to io.Writer
}

// MapTo writes the places of what is translated from now on to w. nil ends that.
func MapTo(w io.Writer) {
	ready := w != nil && prepare()
	perfMap.Lock()
	defer perfMap.Unlock()
	perfMap.to = w
	if ready {
		_, _ = fmt.Fprintf(w, "%x %x routines of native code\n", routines.pages.base(), len(routines.pages.memory))
	}
}

// Mapped reports whether there is a map.
func Mapped() bool {
	perfMap.Lock()
	defer perfMap.Unlock()
	return perfMap.to != nil
}

// Name puts a unit into the map, if there is one.
func (u *Unit) Name(name string) {
	perfMap.Lock()
	defer perfMap.Unlock()
	if perfMap.to != nil {
		_, _ = fmt.Fprintf(perfMap.to, "%x %x %s\n", u.pages.base(), u.size, name)
	}
}
