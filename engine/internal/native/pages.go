package native

import (
	"runtime"
	"sync/atomic"
	"unsafe"
)

// This file defines the memory that native code lies in. It is written first and made executable then, and never both
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
