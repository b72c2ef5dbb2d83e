package builtin

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"

	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/texts"
)

// This file defines the access of a run to files and folders, besides opening files: the requests of the predicates of
// files.go to the host.

// At returns the host's path of a file. Relative names start from the working folder that the run has chosen, if any.
func (x *IO) At(name string) string {
	if x.workFolder == "" || path.IsAbs(name) || name == "" {
		return name
	}
	return path.Join(x.workFolder, name)
}

// WorkFolder returns the working folder that the run has chosen, or "".
func (x *IO) WorkFolder() string { return x.workFolder }

// folder returns the absolute name of the working folder, without a slash at its end, or "" if there is none.
func (x *IO) folder() string {
	if x.workFolder != "" {
		return x.workFolder
	}
	l, err := x.lister()
	if err != nil {
		return ""
	}
	return strings.TrimRight(l.Folder(), "/")
}

// absolute returns the absolute name of a file, without . and .. in it. If the working folder may not be seen, relative
// names start from the root.
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

// stat describes a file or folder. The empty name is no file, and without a Lister it returns fs.ErrPermission.
func (x *IO) stat(name string) (fs.FileInfo, error) {
	if name == "" {
		return nil, fs.ErrNotExist
	}
	if name == nullDevice {
		return os.Stat(os.DevNull)
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
// permission error if the action is not permitted, else an existence error. Its context has the message of the system.
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

// forget deletes the remaining temporary files of the run. It ignores errors, because no goal is left to handle them.
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

// Close closes the streams and deletes temporary files. It also ends the snapshot of the databases. It returns the
// error of the streams, and always does the rest.
func (x *IO) Close() error {
	err := x.Table.Close()
	x.forget()
	x.EndTables()
	return err
}

// EndTables ends the snapshot of the databases.
func (x *IO) EndTables() {
	if x.tables != nil {
		x.tables.Close()
		x.tables = nil
	}
}

// This part defines predicates about names of files. Names have slashes on all systems, as in SWI-Prolog; the sandbox
// translates them.

var fileNameTable = []machine.Builtin{
	{Name: "file_base_name", Arity: 2, Func: nameOf(baseName), Modes: "+file, -name",
		Doc: "The last part of the name of a file."},
	{Name: "file_directory_name", Arity: 2, Func: nameOf(directoryName), Modes: "+file, -directory",
		Doc: "The name of a file without its last part; . if there is no other."},
	{Name: "file_name_extension", Arity: 3, Func: fileNameExtension, Modes: "?base, ?extension, ?file",
		Doc: "A name with an extension is its base, a dot and the extension, which is not added twice."},
	{Name: "is_absolute_file_name", Arity: 1, Func: isAbsoluteFileName, Modes: "+file",
		Doc: "The name of a file begins at the root."},
	{Name: "prolog_to_os_filename", Arity: 2, Func: osFileName, Modes: "?file, ?os_file",
		Doc: "Both are the same name of a file: names have slashes on all systems."},
}

// fileArg returns an argument that must be the name of a file, as any kind of text.
func fileArg(m *machine.Machine, c cell) (string, error) {
	if stacks.IsVar(m.Deref(c)) {
		return "", m.InstantiationError()
	}
	return texts.Any(m, c, "atom")
}

// nameOf returns a predicate that unifies its second argument with a part of a file name. It reads only the name: the
// file need not exist.
func nameOf(part func(string) string) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		file, err := fileArg(m, a[0])
		if err != nil {
			return false, err
		}
		return texts.Unify(m, a[1], part(file), (*machine.Machine).NewAtom)
	}
}

// baseName is path.Base, except that "" has the name "".
func baseName(file string) string {
	if file == "" {
		return ""
	}
	return path.Base(file)
}

// directoryName is path.Dir, except that slashes at the end do not count: the directory of a/b/ is a.
func directoryName(file string) string {
	if trimmed := strings.TrimRight(file, "/"); trimmed != "" {
		file = trimmed
	}
	return path.Dir(file)
}

// fileNameExtension is file_name_extension/3. With a known file it splits, else it joins. The extension may include the
// dot. A base that already has the extension stays unchanged. When joining, it checks the base before the extension.
// The file need not exist.
func fileNameExtension(m *machine.Machine, a []cell) (bool, error) {
	if !stacks.IsVar(m.Deref(a[2])) {
		return splitExtension(m, a)
	}
	base, err := fileArg(m, a[0])
	if err != nil {
		return false, err
	}
	ext, err := fileArg(m, a[1])
	if err != nil {
		return false, err
	}
	if ext = strings.TrimPrefix(ext, "."); ext != "" && path.Ext(base) != "."+ext {
		base += "." + ext
	}
	return texts.Unify(m, a[2], base, (*machine.Machine).NewAtom)
}

// splitExtension is file_name_extension/3 for a known file. It fails if a given extension is not that of the file. A
// file without an extension has the empty atom.
func splitExtension(m *machine.Machine, a []cell) (bool, error) {
	file, err := fileArg(m, a[2])
	if err != nil {
		return false, err
	}
	ext := strings.TrimPrefix(path.Ext(file), ".")
	base := strings.TrimSuffix(strings.TrimSuffix(file, ext), ".")
	if !stacks.IsVar(m.Deref(a[1])) {
		want, err := fileArg(m, a[1])
		if err != nil || ext != strings.TrimPrefix(want, ".") {
			return false, err
		}
		return texts.Unify(m, a[0], base, (*machine.Machine).NewAtom)
	}
	ok, err := texts.Unify(m, a[1], ext, (*machine.Machine).NewAtom)
	if !ok || err != nil {
		return false, err
	}
	return texts.Unify(m, a[0], base, (*machine.Machine).NewAtom)
}

// isAbsoluteFileName is is_absolute_file_name/1. Such a name begins with a slash, on all systems.
func isAbsoluteFileName(m *machine.Machine, a []cell) (bool, error) {
	file, err := fileArg(m, a[0])
	return err == nil && path.IsAbs(file), err
}

// osFileName is prolog_to_os_filename/2, in the direction of the bound argument. It translates nothing. If both
// arguments are unbound it is an instantiation error.
func osFileName(m *machine.Machine, a []cell) (bool, error) {
	from, to := a[0], a[1]
	if stacks.IsVar(m.Deref(from)) {
		from, to = to, from
	}
	name, err := fileArg(m, from)
	if err != nil {
		return false, err
	}
	return texts.Unify(m, to, name, (*machine.Machine).NewAtom)
}
