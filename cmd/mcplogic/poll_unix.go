//go:build unix

package main

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// readable waits until something can be read from a terminal, or for some time. It is true, too, where
// the system cannot say.
func readable(f *os.File, wait time.Duration) bool {
	fds := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLIN}}
	n, err := unix.Poll(fds, int(wait.Milliseconds()))
	return n > 0 || err != nil && err != unix.EINTR
}
