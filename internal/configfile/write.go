package configfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// This file replaces a file in such a way that it is complete at any time.

// File is a configuration file with the state that was read.
type File struct {
	path string // with links followed
	text []byte
	mode fs.FileMode
	// exists says that the file exists, and the fields above describe it.
	exists bool
}

// Open reads a file. A missing file counts as empty.
func Open(path string) (*File, error) {
	f := &File{path: path}
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		if f.path, err = filepath.EvalSymlinks(path); err != nil {
			return nil, fmt.Errorf("%s is a link to nowhere: %w", path, err)
		}
		if info, err = os.Stat(f.path); err != nil {
			return nil, err
		}
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", path)
	}
	f.mode, f.exists = info.Mode().Perm(), true
	f.text, err = os.ReadFile(f.path)
	return f, err
}

// Text returns the text of the file.
func (f *File) Text() []byte { return f.text }

// Replace writes another text. It returns the path of a copy of the old one, "" if there was none. It writes the text
// to a temporary file beside the file first, and renames that when it is complete.
func (f *File) Replace(text []byte) (backup string, err error) {
	dir := filepath.Dir(f.path)
	if !f.exists {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return "", err
		}
	} else {
		if err := f.writable(); err != nil {
			return "", err
		}
		if backup, err = f.backUp(); err != nil {
			return "", err
		}
	}
	temporary, err := create(f.path+".new", text, f.mode)
	if err != nil {
		return backup, err
	}
	if err = f.unchanged(); err == nil {
		err = os.Rename(temporary, f.path)
	}
	if err != nil {
		return backup, errors.Join(err, os.Remove(temporary))
	}
	return backup, nil
}

// writable returns an error if the file may not be written. Without this check a writable folder would be enough to
// replace it.
func (f *File) writable() error {
	if f.mode&0o222 == 0 {
		return &fs.PathError{Op: "write", Path: f.path, Err: fs.ErrPermission}
	}
	w, err := os.OpenFile(f.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return w.Close()
}

// unchanged returns an error if the file has changed since it was read.
func (f *File) unchanged() error {
	now, err := os.ReadFile(f.path)
	switch {
	case !f.exists && errors.Is(err, fs.ErrNotExist), err == nil && f.exists && bytes.Equal(now, f.text):
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return fmt.Errorf("another program has changed %s meanwhile; nothing was written", f.path)
}

// backUp copies the file to one beside it. It overwrites an earlier copy.
func (f *File) backUp() (string, error) {
	if info, err := os.Lstat(f.path + ".bak"); err == nil && info.Mode().IsRegular() {
		_ = os.Remove(f.path + ".bak")
	}
	return create(f.path+".bak", f.text, f.mode)
}

// create writes a new file with an unused name and returns the name. A mode of 0 stands for the usual mode.
func create(name string, text []byte, mode fs.FileMode) (string, error) {
	const most = 1000
	path := name
	for n := 1; ; n++ {
		w, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, cmp.Or(mode, 0o666))
		if errors.Is(err, fs.ErrExist) && n < most {
			path = name + strconv.Itoa(n)
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = w.Write(text)
		if mode != 0 {
			err = errors.Join(err, w.Chmod(mode))
		}
		if err = errors.Join(err, w.Sync(), w.Close()); err != nil {
			return "", errors.Join(err, os.Remove(path))
		}
		return path, nil
	}
}
