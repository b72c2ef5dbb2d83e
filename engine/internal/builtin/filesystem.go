package builtin

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"syscall"

	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines what a run may see of files and folders and change of them, besides opening files: what the
// predicates of files.go ask of the host.

// At returns the path by which the host knows a file: relative names start from the working folder of the run, if it
// has chosen one.
func (x *IO) At(name string) string {
	if x.opts.WorkFolder == "" || path.IsAbs(name) || name == "" {
		return name
	}
	return path.Join(x.opts.WorkFolder, name)
}

// WorkFolder returns the working folder that the run has chosen, or "".
func (x *IO) WorkFolder() string { return x.opts.WorkFolder }

// folder returns the absolute name of the working folder, without a slash at its end, or "" if there is none.
func (x *IO) folder() string {
	if x.opts.WorkFolder != "" {
		return x.opts.WorkFolder
	}
	l, err := x.lister()
	if err != nil {
		return ""
	}
	return strings.TrimRight(l.Folder(), "/")
}

// absolute returns the absolute name of a file, without . and .. in it. Names start from the root when the working
// folder may not be seen.
func (x *IO) absolute(name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join("/", x.folder(), name)
}

// lister returns the Lister of the run, fs.ErrPermission if the program may not list folders.
func (x *IO) lister() (Lister, error) {
	if l, ok := x.files().(Lister); ok {
		return l, nil
	}
	return nil, fs.ErrPermission
}

// changer returns the Changer of the run, fs.ErrPermission if the program may not change files.
func (x *IO) changer() (Changer, error) {
	if x.opts.Changer == nil || x.restricted {
		return nil, fs.ErrPermission
	}
	return x.opts.Changer, nil
}

// stat describes a file or folder. The empty name is none, and without a Lister nothing may be seen.
func (x *IO) stat(name string) (fs.FileInfo, error) {
	if name == "" {
		return nil, fs.ErrNotExist
	}
	l, err := x.lister()
	if err != nil {
		return nil, err
	}
	return l.Stat(x.At(name))
}

// isFolder reports whether there is a folder of this name.
func (x *IO) isFolder(name string) bool {
	info, err := x.stat(name)
	return err == nil && info.IsDir()
}

// fileError returns the exception for an error of an action on a file or folder, in the terms of SWI-Prolog: a
// permission error if the action is not permitted, else an existence error. The message of the system is in its
// context.
func fileError(m *machine.Machine, action, typ string, culprit cell, err error) error {
	var number syscall.Errno
	message := err.Error()
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		message = pathErr.Err.Error()
	}
	full := errors.As(err, &number) && (number == syscall.ENOTEMPTY || number == syscall.EROFS)
	if full || errors.Is(err, fs.ErrPermission) {
		return m.ErrorMessage(m.NewStruct("permission_error", m.NewAtom(action), m.NewAtom(typ), culprit), message)
	}
	return m.ErrorMessage(m.NewStruct("existence_error", m.NewAtom(typ), culprit), message)
}

// forget deletes the temporary files that the run has made and that are still there. It ignores errors, because no goal
// is left to get them.
func (x *IO) forget() {
	c, err := x.changer()
	if err != nil {
		return
	}
	for _, name := range x.temporary {
		_ = c.Remove(name, false)
	}
	x.temporary = nil
}

// Close closes the streams and deletes temporary files. It also ends the snapshot of the databases. The error is that
// of the streams; the rest is done all the same.
func (x *IO) Close() error {
	err := x.Table.Close()
	x.forget()
	x.endTables()
	return err
}

// endTables ends the snapshot of the databases.
func (x *IO) endTables() {
	if x.tables != nil {
		x.tables.Close()
		x.tables = nil
	}
}
