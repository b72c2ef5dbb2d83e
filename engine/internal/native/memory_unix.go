//go:build linux || darwin

package native

import (
	"os"
	"syscall"
)

var pageSize = os.Getpagesize()

// writable returns memory to write code to, nil if there is none.
func writable(size int) []byte {
	memory, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	return memory
}

// makeExecutable makes memory executable and no longer writable. It reports whether the system allows that.
func makeExecutable(memory []byte) bool {
	if syscall.Mprotect(memory, syscall.PROT_READ|syscall.PROT_EXEC) != nil {
		return false
	}
	syncInstructions(memory)
	return true
}

// release unmaps memory.
func release(memory []byte) { _ = syscall.Munmap(memory) }

// reserveTable returns memory for a table, whose pages are allocated when they are touched.
func reserveTable(size int) []byte { return writable(size) }

func releaseTable(memory []byte) { release(memory) }
