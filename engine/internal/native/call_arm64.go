package native

import "unsafe"

// call runs native code on a machine. It needs no more stack than its own frame, in which R30 is saved.
//
//go:noescape
func call(machine unsafe.Pointer, code uintptr)
