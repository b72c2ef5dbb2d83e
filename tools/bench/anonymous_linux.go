// This file defines what Linux tells about the anonymous memory of a child process.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// anonymousKiB returns the anonymous memory of the only child of a shell at this moment. It returns 0 when there
// is no child, or no longer.
func anonymousKiB(shellID int) int64 {
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", shellID))
	if err != nil {
		return 0
	}
	pages, err := os.ReadFile("/proc/" + strings.TrimSpace(string(children)) + "/statm")
	if err != nil {
		return 0
	}
	return anonymousPages(string(pages)) * int64(os.Getpagesize()) / 1024
}

// anonymousPages reads a line of statm: size, resident, shared, and more, in pages. Shared are the resident
// pages of files and of shared memory, so the other resident ones are anonymous.
func anonymousPages(statm string) int64 {
	fields := strings.Fields(statm)
	if len(fields) < 3 {
		return 0
	}
	resident, _ := strconv.ParseInt(fields[1], 10, 64)
	shared, _ := strconv.ParseInt(fields[2], 10, 64)
	return resident - shared
}
