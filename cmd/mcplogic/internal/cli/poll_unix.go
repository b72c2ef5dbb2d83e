//go:build unix

package cli

import (
	"context"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// ReadContext is Read until a context ends. Elsewhere, where reads cannot be ended, goals are read for by a goroutine.
func (t *Typing) ReadContext(ctx context.Context, p []byte) (int, error) {
	defer EndingWith(ctx, t)()
	return t.Read(p)
}

// readable waits until something can be read from a terminal, or for some time. It is true, too, where
// the system cannot say.
func readable(f *os.File, wait time.Duration) bool {
	fds := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLIN}}
	n, err := unix.Poll(fds, int(wait.Milliseconds()))
	return n > 0 || err != nil && err != unix.EINTR
}
