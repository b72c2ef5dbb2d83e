package native

import (
	"os"
	"syscall"
	"unsafe"
)

var (
	kernel32       = syscall.NewLazyDLL("kernel32.dll")
	virtualAlloc   = kernel32.NewProc("VirtualAlloc")
	virtualProtect = kernel32.NewProc("VirtualProtect")
	virtualFree    = kernel32.NewProc("VirtualFree")
	flushCache     = kernel32.NewProc("FlushInstructionCache")
)

const (
	memCommit       = 0x1000
	memReserve      = 0x2000
	memRelease      = 0x8000
	pageReadWrite   = 0x04
	pageExecuteRead = 0x20
)

var pageSize = os.Getpagesize()

// writable returns memory to write code to, nil if there is none.
func writable(size int) []byte {
	at, _, _ := virtualAlloc.Call(0, uintptr(size), memCommit|memReserve, pageReadWrite)
	if at == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), size)
}

// makeExecutable makes memory executable and no longer writable. It reports whether the system allows that.
func makeExecutable(memory []byte) bool {
	var old uint32
	at := uintptr(unsafe.Pointer(&memory[0]))
	ok, _, _ := virtualProtect.Call(at, uintptr(len(memory)), pageExecuteRead, uintptr(unsafe.Pointer(&old)))
	if ok == 0 {
		return false
	}
	const thisProcess = ^uintptr(0)
	_, _, _ = flushCache.Call(thisProcess, at, uintptr(len(memory)))
	return true
}

// release gives memory back.
func release(memory []byte) {
	_, _, _ = virtualFree.Call(uintptr(unsafe.Pointer(&memory[0])), 0, memRelease)
}

// reserveTable returns nil: memory for tables comes from Go.
func reserveTable(int) []byte { return nil }

func releaseTable([]byte) {}
