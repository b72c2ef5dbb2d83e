//go:build unix

// This file defines how a Unix system tells the peak memory of a child, and the time that this process has taken.
package main

import (
	"os"
	"runtime"
	"syscall"
	"time"
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

// ownTime is the processor time of this process so far.
func ownTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
