//go:build !unix

package folder

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Lock locks a folder by a file in it, which the system refuses to remove while it is open.
func Lock(name string) (io.Closer, error) {
	if err := os.Remove(name); err != nil && !os.IsNotExist(err) {
		return nil, fmt.Errorf("%w %s", ErrLocked, filepath.Dir(name))
	}
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if os.IsExist(err) { // another process has just been faster
		return nil, fmt.Errorf("%w %s", ErrLocked, filepath.Dir(name))
	}
	return file, err
}

// Sync does nothing: such systems keep names with the files.
func Sync(string) error { return nil }
