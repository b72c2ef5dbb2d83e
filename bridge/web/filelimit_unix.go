//go:build unix

package web

import (
	"math"

	"golang.org/x/sys/unix"
)

// fileLimit is how many files the process may have open, 0 when that is not known.
func fileLimit() int {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return int(min(uint64(limit.Cur), math.MaxInt32))
}
