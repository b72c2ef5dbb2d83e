//go:build unix

package main

import "golang.org/x/sys/unix"

// maxFiles is how many files the process may have open.
func maxFiles() int {
	const most = 1 << 20
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return most
	}
	return int(min(uint64(limit.Cur), most))
}
