//go:build unix

package facts

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// lockFolder locks a folder by a file in it. The lock ends with the process.
func lockFolder(name string) (io.Closer, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		return nil, fmt.Errorf("another process uses the store %s", filepath.Dir(name))
	}
	return file, nil
}

// syncFolder makes the names of the files in a folder durable.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
