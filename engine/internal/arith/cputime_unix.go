//go:build unix

package arith

import (
	"syscall"
	"time"
)

// CPUTime returns the processor time that this process has used.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
