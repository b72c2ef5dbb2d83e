//go:build !unix

package web

// fileLimit returns 0: there is no known limit on this system.
func fileLimit() int { return 0 }
