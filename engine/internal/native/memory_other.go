//go:build !linux && !darwin && !windows

package native

// Where the standard library cannot make memory executable there is no native code.

var pageSize = 1

func writable(int) []byte        { return nil }
func makeExecutable([]byte) bool { return false }
func release([]byte)             {}
func reserveTable(int) []byte    { return nil }
func releaseTable([]byte)        {}
