//go:build unix

// This file defines what the measurement asks of a Unix system: ending a child with
// everything it started, and its peak memory.
package main

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// killTogether lets a cancelled command take its children along.
func killTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

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
