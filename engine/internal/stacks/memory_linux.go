package stacks

import (
	"os"
	"syscall"
)

// This file defines how address space is reserved on Linux.

// reserve returns n bytes of address space whose pages are allocated when they are touched, or nil. They do not count
// as committed memory before that.
func reserve(n int) []byte {
	space, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		return nil
	}
	return space
}

func unreserve(space []byte) { _ = syscall.Munmap(space) }

var pageSize = os.Getpagesize()

// discard releases the pages of reserved space that begin between two of its bytes.
func discard(space []byte, from, to int) {
	from = (from + pageSize - 1) / pageSize * pageSize
	if from < to {
		_ = syscall.Madvise(space[from:to], syscall.MADV_DONTNEED)
	}
}
