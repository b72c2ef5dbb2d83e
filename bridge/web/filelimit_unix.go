//go:build unix

package web

import (
	"math"

	"golang.org/x/sys/unix"
)

// fileLimit returns the number of files that the process may have open, 0 if it is not known.
func fileLimit() int {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return int(min(uint64(limit.Cur), math.MaxInt32))
}
