//go:build linux

package native

import "unsafe"

// syncInstructions makes the processor see the instructions that have been written to memory.
func syncInstructions(memory []byte) {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
	syncRange(start, start+uintptr(len(memory)))
}

// syncRange cleans the data cache and invalidates the instruction caches of all processors between two addresses.
//
//go:noescape
func syncRange(start, end uintptr)
