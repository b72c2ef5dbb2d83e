//go:build amd64 || arm64

package native

import (
	"runtime/debug"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// TestFault checks that an access to unmapped memory ends in a Go panic that can be recovered.
func TestFault(t *testing.T) {
	var a asm
	a.movImm(rT0, 1<<40)
	a.load(rT1, at(rT0, 0))
	a.ret()
	p := publish(&a.buffer)
	require.NotNil(t, p)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	var machine [64]uint64
	require.Panics(t, func() { call(unsafe.Pointer(&machine), p.base()) })
}

// TestPublishLimit checks the bound on native code of a process.
func TestPublishLimit(t *testing.T) {
	before := usedBytes.Load()
	usedBytes.Store(maxBytes)
	defer usedBytes.Store(before)
	var a asm
	a.ret()
	require.Nil(t, publish(&a.buffer))
}
