//go:build !amd64 && !arm64

package native

import "unsafe"

// call is never called: there is no native code.
func call(unsafe.Pointer, uintptr) {}

func syncInstructions([]byte) {}
