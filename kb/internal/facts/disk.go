package facts

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Disk is the folder of a log. Files are given by their names in it.
type Disk interface {
	// Path is the folder, for messages.
	Path() string
	// Lock makes the folder if it is not there, and keeps other processes out until the lock is closed.
	Lock() (io.Closer, error)
	// List returns the names of the files, sorted.
	List() ([]string, error)
	// Open opens a file for reading.
	Open(name string) (io.ReadSeekCloser, error)
	// Append opens a file for writing at its end, and makes it if it is not there.
	Append(name string) (File, error)
	// Overwrite writes over a part of a file, which is durable then.
	Overwrite(name string, at int64, data []byte) error
	Rename(from, to string) error
	Remove(name string) error
	// Sync makes the names of the files durable.
	Sync() error
}

// File is a file that is written.
type File interface {
	io.WriteCloser
	Sync() error
	Truncate(size int64) error
}

// folderDisk is a folder of the system.
type folderDisk string

func (d folderDisk) Path() string { return string(d) }

// lockWait is how long Lock waits for another process to end.
var lockWait = time.Second

// Lock waits a moment for another process to end: one that has been killed keeps its lock until the system has cleared
// it away, and whoever starts the next one at once is not to fail for that.
func (d folderDisk) Lock() (io.Closer, error) {
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return nil, err
	}
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		lock, err := lockFolder(d.join("lock"))
		if err == nil || time.Since(began) > lockWait {
			return lock, err
		}
	}
}

func (d folderDisk) List() (names []string, err error) {
	entries, err := os.ReadDir(string(d))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

func (d folderDisk) Open(name string) (io.ReadSeekCloser, error) { return os.Open(d.join(name)) }

func (d folderDisk) Append(name string) (File, error) {
	return os.OpenFile(d.join(name), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
}

func (d folderDisk) Overwrite(name string, at int64, data []byte) error {
	file, err := os.OpenFile(d.join(name), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if _, err = file.WriteAt(data, at); err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

func (d folderDisk) Rename(from, to string) error { return os.Rename(d.join(from), d.join(to)) }

func (d folderDisk) Remove(name string) error { return os.Remove(d.join(name)) }

func (d folderDisk) Sync() error { return syncFolder(string(d)) }

func (d folderDisk) join(name string) string { return filepath.Join(string(d), name) }
