package native

import (
	"syscall"
	"unsafe"
)

// syncInstructions makes the processor see the instructions that have been written to memory. The system's library does
// that: what programs may do to caches by themselves is not documented for macOS.
func syncInstructions(memory []byte) {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
	_, _, _ = callLibrary(icacheInvalidateAddress, start, uintptr(len(memory)), 0)
}

//go:cgo_import_dynamic libc_sys_icache_invalidate sys_icache_invalidate "/usr/lib/libSystem.B.dylib"

// icacheInvalidateAddress is the address of the code that jumps to sys_icache_invalidate(start, length).
var icacheInvalidateAddress uintptr

// callLibrary calls a function of the system's library on a stack that is large enough for it.
//
//go:linkname callLibrary syscall.syscall
func callLibrary(function, a, b, c uintptr) (r1, r2 uintptr, err syscall.Errno)
