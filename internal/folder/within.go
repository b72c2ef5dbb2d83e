package folder

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// This file defines how files within a folder are opened, and what is hidden there.

// OpenRegular opens a file for reading. It refuses pipes and devices, which may never answer.
func OpenRegular(fsys fs.FS, name string) (fs.File, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fs.ErrPermission
	}
	return fsys.Open(name)
}

// RootFS is a root as a file system. Names need not be clean.
type RootFS struct{ *os.Root }

// Open opens a file for reading.
func (r RootFS) Open(name string) (fs.File, error) {
	f, err := r.Root.Open(name)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// ReadDir lists a folder.
func (r RootFS) ReadDir(name string) ([]fs.DirEntry, error) {
	return fs.ReadDir(r.FS(), filepath.ToSlash(name))
}

// ReadLink returns what a link leads to.
func (r RootFS) ReadLink(name string) (string, error) { return r.Readlink(name) }

// Reason returns the reason for an error of a folder: that of the system, or that permission is denied. It says
// nothing of links that lead out of the folder.
func Reason(err error) error {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number
	}
	return fs.ErrPermission
}

// HiddenPath reports whether a path leads through what is hidden.
func HiddenPath(path string) bool {
	return slices.ContainsFunc(strings.Split(path, "/"), func(name string) bool {
		return name != "." && Hidden(name)
	})
}

// ErrLocked is the error of a lock that another process has.
var ErrLocked = errors.New("another process uses the store")

// LockWithin locks a folder as Lock does, and waits for another process.
func LockWithin(name string, wait time.Duration) (io.Closer, error) {
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		lock, err := Lock(name)
		if !errors.Is(err, ErrLocked) || time.Since(began) > wait {
			return lock, err
		}
	}
}
