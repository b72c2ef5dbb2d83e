//go:build !unix

package main

// maxFiles is how many files the process may have open; the system sets no limit.
func maxFiles() int { return 1 << 20 }
