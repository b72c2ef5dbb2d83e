package main

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// This file defines how the process lets go of parts of its program file on Linux.

// dropImage takes the pages of the program file that are never written out of the process. They
// stay in the system's cache and come back when they are touched, which costs about a tenth of a
// millisecond in all. Initialising some two hundred packages, and reading the library, each touch
// most of a file of twelve megabytes; a running goal needs one.
func dropImage() {
	file, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return
	}
	for line := range bytes.Lines(maps) {
		fields := bytes.Fields(line) // addresses, permissions, offset, device, inode, path
		if len(fields) == 6 && string(fields[5]) == file && fields[1][1] != 'w' {
			dropRange(fields[0])
		}
	}
}

// dropRange does so with a range of addresses, two hexadecimal numbers parted by a dash.
func dropRange(text []byte) {
	low, high, _ := bytes.Cut(text, []byte("-"))
	start, err := strconv.ParseUint(string(low), 16, 64)
	if err != nil {
		return
	}
	end, err := strconv.ParseUint(string(high), 16, 64)
	if err != nil {
		return
	}
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, uintptr(start), uintptr(end-start), syscall.MADV_DONTNEED)
}
