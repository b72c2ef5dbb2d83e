package native

import "unsafe"

// call runs native code on a machine. It needs no more stack than its own frame.
//
//go:noescape
func call(machine unsafe.Pointer, code uintptr)

// syncInstructions does nothing: the processor sees what has been written.
func syncInstructions([]byte) {}
