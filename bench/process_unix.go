//go:build unix

// This file defines how a Unix system tells the peak memory of a child.
package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakKiB is the largest resident size of the process or one of its children.
func peakKiB(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" { // which counts in bytes
		return int64(usage.Maxrss) / 1024
	}
	return int64(usage.Maxrss)
}
