package pages

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// This file defines Drop on Linux.

// Drop takes the pages of the program file that are never written out of the process.
func Drop() {
	for _, s := range segments() {
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, s.start, s.size, syscall.MADV_DONTNEED)
	}
}

// segment is a part of the program file in memory.
type segment struct{ start, size uintptr }

// segments are the parts that are never written, none if the system does not tell.
var segments = sync.OnceValue(func() []segment {
	file, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return nil
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return nil
	}
	var list []segment
	for line := range bytes.Lines(maps) {
		fields := bytes.Fields(line) // addresses, permissions, offset, device, inode, path
		if len(fields) != 6 || string(fields[5]) != file || fields[1][1] == 'w' {
			continue
		}
		if part, ok := parseSegment(string(fields[0])); ok {
			list = append(list, part)
		}
	}
	return list
})

// parseSegment reads a range of addresses, two hexadecimal numbers parted by a dash.
func parseSegment(text string) (segment, bool) {
	low, high, _ := strings.Cut(text, "-")
	start, err := strconv.ParseUint(low, 16, 64)
	if err != nil {
		return segment{}, false
	}
	end, err := strconv.ParseUint(high, 16, 64)
	return segment{uintptr(start), uintptr(end - start)}, err == nil && end > start
}
