//go:build !unix

package web

// fileLimit is not known where the system sets none.
func fileLimit() int { return 0 }
