// Package folder finds the files of a program below a folder: those that end in .pl, in all folders but
// hidden ones, whose names begin with a dot. The engine looks for them in an fs.FS, a knowledge base on the
// disk, where links may lead back; both are a [Tree].
package folder

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Tree is a file system: that of the machine, or an fs.FS. Its names have the separators of the machine.
type Tree struct {
	ReadDir  func(name string) ([]fs.DirEntry, error)
	Open     func(name string) (fs.File, error)
	ReadFile func(name string) ([]byte, error)
	Stat     func(name string) (fs.FileInfo, error) // follows links
	Real     func(name string) (string, error)      // the absolute name when links are followed
}

// Disk is the file system of the machine.
var Disk = Tree{os.ReadDir, func(name string) (fs.File, error) { return os.Open(name) },
	os.ReadFile, os.Stat,
	func(name string) (string, error) {
		if real, err := filepath.EvalSymlinks(name); err == nil {
			name = real
		}
		return filepath.Abs(name)
	}}

// In returns the tree of a file system.
func In(fsys fs.FS) Tree {
	return Tree{
		func(name string) ([]fs.DirEntry, error) { return fs.ReadDir(fsys, filepath.ToSlash(name)) },
		func(name string) (fs.File, error) { return fsys.Open(filepath.ToSlash(name)) },
		func(name string) ([]byte, error) { return fs.ReadFile(fsys, filepath.ToSlash(name)) },
		func(name string) (fs.FileInfo, error) { return fs.Stat(fsys, filepath.ToSlash(name)) },
		func(name string) (string, error) { return name, nil },
	}
}

// Hidden reports whether a file or folder of this name is passed over.
func Hidden(name string) bool { return strings.HasPrefix(name, ".") }

// IsProgram reports whether a file of this name is one of a program.
func IsProgram(name string) bool { return path.Ext(name) == ".pl" }

// walk visits a folder and those in it.
type walk struct {
	Tree
	files, folders []string
	seen           map[string]bool // where the folders are, as links may lead back
	fail           func(name string, err error)
}

// Files returns the files of a program in a folder and those below it, sorted, and the folders that were visited. fail
// is called for files and folders that cannot be read.
func (t Tree) Files(name string, fail func(name string, err error)) (files, folders []string) {
	w := walk{Tree: t, seen: map[string]bool{}, fail: fail}
	w.folder(name)
	slices.Sort(w.files)
	return w.files, w.folders
}

// folder adds the files below a folder. It recurses as deep as folders nest.
func (w *walk) folder(name string) {
	where, err := w.Real(name)
	if err != nil || w.seen[where] {
		return
	}
	w.seen[where] = true
	w.folders = append(w.folders, name)
	entries, err := w.ReadDir(name)
	if err != nil {
		w.fail(name, err)
		return
	}
	for _, e := range entries {
		if !Hidden(e.Name()) {
			w.entry(filepath.Join(name, e.Name()))
		}
	}
}

func (w *walk) entry(name string) {
	info, err := w.Stat(name)
	switch {
	case err != nil: // a link to nothing, or gone since
	case info.IsDir():
		w.folder(name)
	case info.Mode().IsRegular() && IsProgram(name):
		w.files = append(w.files, name)
	}
}
