package builtin

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
	"github.com/mcplogic/mcplogic/engine/internal/texts"
)

// This file defines the predicates on files and folders. Their effects are immediate and never undone, as files are not
// part of a transaction.

// Errors are those of SWI-Prolog, with its names of actions and types, see fileError. A file name is text of any kind,
// uses slashes on all systems, and is relative to the working directory of the run.
var fileTable = []machine.Builtin{
	{Name: "exists_file", Arity: 1, Func: existsFile, Modes: "+file",
		Doc: "There is a file of this name that may be read."},
	{Name: "exists_directory", Arity: 1, Func: existsFolder, Modes: "+directory",
		Doc: "There is a folder of this name that may be read."},
	{Name: "directory_files", Arity: 2, Func: folderFiles, Modes: "+directory, -names",
		Doc: "Names are those of the files and folders in a folder, with . and .. before them."},
	{Name: "size_file", Arity: 2, Func: sizeFile, Modes: "+file, -bytes", Doc: "The size of a file."},
	{Name: "time_file", Arity: 2, Func: timeFile, Modes: "+file, -stamp", Doc: "The time of the last change of a file."},
	{Name: "access_file", Arity: 2, Func: accessFile, Modes: "+file, +mode",
		Doc: "The file may be used in this mode: read, write, append, execute, exist or none, which is always true."},
	{Name: "same_file", Arity: 2, Func: sameFile, Modes: "+file, +file", Doc: "Both are names of one file or folder."},
	{Name: "read_link", Arity: 3, Func: readLink, Modes: "+file, -link, -target",
		Doc: "File is a symbolic link with the text Link, which leads to Target."},
	{Name: "expand_file_name", Arity: 2, Func: expandFileName, Modes: "+pattern, -files",
		Doc: "Files are the files that match a pattern of wildcard_match/2; ~ and $VAR at its beginning are replaced."},
	{Name: "working_directory", Arity: 2, Func: workingFolder, Modes: "-old, +new",
		Doc: "Old is the folder in which relative names start; from now on, until the end of the run, it is New."},
	{Name: "chdir", Arity: 1, Func: changeFolder, Modes: "+directory",
		Doc: "Relative names start from this folder until the end of the run."},
	{Name: "$working_directory", Arity: 1, Func: workingName, Modes: "-directory",
		Doc: "The folder from which relative names start, or '' if it may not be seen."},
	{Name: "make_directory", Arity: 1, Func: makeFolder, Modes: "+directory", Doc: "Makes a folder."},
	{Name: "delete_directory", Arity: 1, Func: deleteFolder, Modes: "+directory", Doc: "Deletes an empty folder."},
	{Name: "delete_file", Arity: 1, Func: deleteFile, Modes: "+file", Doc: "Deletes a file or a link."},
	{Name: "rename_file", Arity: 2, Func: renameFile, Modes: "+file, +name",
		Doc: "Renames a file or folder, and replaces a file that has the new name."},
	{Name: "set_time_file", Arity: 3, Func: setTimeFile, Modes: "+file, -old, +new",
		Doc: "Old are the times of a file: access(Stamp), modified(Stamp), changed(Stamp). New are the times to set."},
	{Name: "tmp_file", Arity: 2, Func: temporaryName, Modes: "+base, -name",
		Doc: "Name is the name of a new file, which is deleted at the end of the run."},
	{Name: "tmp_file_stream", Arity: 3, Func: temporaryStream, Modes: "-file, -stream, +options",
		Doc: "Opens a new file for writing, with options encoding(E) and extension(E), until the end of the run."},
}

// pathArg returns an argument that must be the name of a file or folder: any text but a number, as in SWI-Prolog.
func pathArg(m *machine.Machine, c cell) (string, error) {
	c = m.Deref(c)
	if m.IsNumber(c) {
		return "", m.TypeError("text", c)
	}
	if stacks.IsVar(c) {
		return "", m.InstantiationError()
	}
	return texts.Any(m, c, "text")
}

// existsFile is exists_file/1. It tries to open the file, because an FS need not be a Lister. It fails for a file that
// may not be read.
func existsFile(m *machine.Machine, a []cell) (bool, error) {
	name, err := pathArg(m, a[0])
	files := ioOf(m).files()
	if err != nil || files == nil {
		return false, err
	}
	if info, err := ioOf(m).stat(name); err == nil && !info.Mode().IsRegular() {
		return false, nil
	}
	f, err := files.OpenRead(ioOf(m).At(name))
	if err != nil {
		return false, nil
	}
	return true, f.Close()
}

// existsFolder is exists_directory/1. It fails for a folder that may not be seen.
func existsFolder(m *machine.Machine, a []cell) (bool, error) {
	name, err := pathArg(m, a[0])
	return err == nil && ioOf(m).isFolder(name), err
}

// folderFiles is directory_files/2. As in SWI-Prolog, the list contains . and .. too.
func folderFiles(m *machine.Machine, a []cell) (bool, error) {
	name, err := pathArg(m, a[0])
	if err != nil {
		return false, err
	}
	entries, err := ioOf(m).readFolder(name)
	if err != nil {
		typ := "directory"
		if errors.Is(err, fs.ErrNotExist) {
			typ = "file"
		}
		return false, fileError(m, "access", typ, a[0], err)
	}
	names := []cell{m.NewAtom("."), m.NewAtom("..")}
	for _, e := range entries {
		names = append(names, m.NewAtom(e.Name()))
	}
	if err := m.Charge(len(names)); err != nil {
		return false, err
	}
	return m.Unify(a[1], m.List(names, code.ANil)), nil
}

// readFolder lists a folder. The empty name is no folder. Without a Lister it returns an error.
func (x *IO) readFolder(name string) ([]fs.DirEntry, error) {
	l, err := x.lister()
	if err != nil {
		return nil, err
	}
	if name == "" {
		return nil, fs.ErrNotExist
	}
	return l.ReadDir(x.At(name))
}

// statArg describes the file that an argument names. action is the action named in the exception. The errors are those
// of pathArg and fileError.
func statArg(m *machine.Machine, c cell, action string) (fs.FileInfo, error) {
	name, err := pathArg(m, c)
	if err != nil {
		return nil, err
	}
	info, err := ioOf(m).stat(name)
	if err != nil {
		return nil, fileError(m, action, "file", c, err)
	}
	return info, nil
}

// sizeFile is size_file/2, in bytes.
func sizeFile(m *machine.Machine, a []cell) (bool, error) {
	info, err := statArg(m, a[0], "size")
	return err == nil && m.Unify(a[1], m.NewInt(info.Size())), err
}

// timeFile is time_file/2: the time of the last change, as a stamp.
func timeFile(m *machine.Machine, a []cell) (bool, error) {
	info, err := statArg(m, a[0], "time")
	return err == nil && m.Unify(a[1], m.NewFloat(stampOf(info.ModTime()))), err
}

// accessFile is access_file/2. It fails without a reason if the options of the run do not allow the access. A folder
// may be read. A file may be executed if any user may.
func accessFile(m *machine.Machine, a []cell) (bool, error) {
	name, err := pathArg(m, a[0])
	if err != nil {
		return false, err
	}
	mode, err := m.AtomArg(a[1])
	if err != nil {
		return false, err
	}
	x := ioOf(m)
	switch {
	case mode == "none", name == nullDevice && mode != "execute":
		return true, nil
	case mode == "write", mode == "append":
		c, err := x.changer()
		return err == nil && name != "" && c.Writable(x.At(name)), nil
	case mode == "read":
		if x.isFolder(name) {
			return true, nil
		}
		return existsFile(m, a)
	case mode == "exist", mode == "execute":
		info, err := x.stat(name)
		return err == nil && (mode == "exist" || info.Mode()&0o111 != 0), nil
	}
	return false, m.DomainError("io_mode", a[1])
}

// sameFile is same_file/2. Two names denote the same file if they are equal, if the operating system says so (through
// links too), or if their absolute forms are equal. For a file that does not exist only the names count.
func sameFile(m *machine.Machine, a []cell) (bool, error) {
	x := ioOf(m)
	name, err := pathArg(m, a[0])
	if err != nil {
		return false, err
	}
	other, err := pathArg(m, a[1])
	if err != nil || name == other {
		return err == nil, err
	}
	info, err := x.stat(name)
	if err != nil {
		return false, nil
	}
	otherInfo, err := x.stat(other)
	return err == nil && (os.SameFile(info, otherInfo) || x.absolute(name) == x.absolute(other)), nil
}

// readLink is read_link/3. The second argument is the text of the link, the third the file it refers to, relative to
// the folder of the link. It fails for a file that is no link or may not be seen.
func readLink(m *machine.Machine, a []cell) (bool, error) {
	name, err := pathArg(m, a[0])
	if err != nil {
		return false, err
	}
	x := ioOf(m)
	l, err := x.lister()
	if err != nil {
		return false, nil
	}
	link, err := l.ReadLink(x.At(name))
	if err != nil {
		return false, nil
	}
	end := link
	if !path.IsAbs(end) {
		end = path.Join(path.Dir(name), end)
	}
	return m.Unify(a[1], m.NewAtom(link)) && m.Unify(a[2], m.NewAtom(end)), nil
}

// expandFileName is expand_file_name/2. A name without wildcards is its own expansion, whether the file exists or not,
// as in a shell.
func expandFileName(m *machine.Machine, a []cell) (bool, error) {
	pattern, err := pathArg(m, a[0])
	if err == nil {
		pattern, err = expandHead(m, pattern)
	}
	if err != nil {
		return false, err
	}
	names := []string{pattern}
	if strings.ContainsAny(pattern, "*?[{") {
		if names, err = glob(m, pattern); err != nil {
			return false, err
		}
	}
	items := make([]cell, 0, len(names))
	for _, name := range names {
		items = append(items, m.NewAtom(name))
	}
	return m.Unify(a[1], m.List(items, code.ANil)), nil
}

// expandHead replaces ~ and $VAR at the start of a file name by their values in the environment, as far as that is
// visible. An unset variable is an existence error. Without HOME, ~ stays unchanged.
func expandHead(m *machine.Machine, name string) (string, error) {
	head, rest, _ := strings.Cut(name, "/")
	variable := "HOME"
	if head != "~" {
		var ok bool
		if variable, ok = strings.CutPrefix(head, "$"); !ok || variable == "" {
			return name, nil
		}
	}
	value, ok := ioOf(m).variable(variable)
	switch {
	case !ok && head == "~":
		return name, nil
	case !ok:
		return "", m.ExistenceError("variable", m.NewAtom(variable))
	}
	if len(head) == len(name) {
		return value, nil
	}
	return value + "/" + rest, nil
}

// glob lists the files that a pattern matches. It expands the path part by part, so it opens only folders that match
// the preceding parts. It charges for the entries of these folders.
func glob(m *machine.Machine, pattern string) ([]string, error) {
	found := []string{""}
	if path.IsAbs(pattern) {
		found = []string{"/"}
	}
	for _, part := range strings.Split(pattern, "/") {
		if part == "" {
			continue
		}
		var next []string
		for _, folder := range found {
			names, err := matchesIn(m, folder, part)
			if err != nil {
				return nil, err
			}
			next = append(next, names...)
		}
		found = next
	}
	absent := func(name string) bool { // a dangling link is no file
		_, err := ioOf(m).stat(name)
		return err != nil
	}
	return slices.DeleteFunc(found, absent), m.Charge(len(found))
}

// matchesIn lists the files in a folder that a part of a pattern matches. A part without wildcards is taken unchanged,
// because the parents of readable folders may not be readable. A folder that may not be listed has no matches. Names
// that begin with a dot match only a part that begins with one.
func matchesIn(m *machine.Machine, folder, part string) (names []string, err error) {
	x := ioOf(m)
	if !strings.ContainsAny(part, "*?[{") {
		return []string{joinName(folder, part)}, m.Charge(1)
	}
	w, err := texts.ParseWildcard(m, part, false)
	if err != nil {
		return nil, err
	}
	defer w.Release()
	in := folder
	if in == "" {
		in = "."
	}
	entries, err := x.readFolder(in)
	if err != nil {
		return nil, m.Charge(1)
	}
	if err := m.Charge(len(entries)); err != nil {
		return nil, err
	}
	candidates := []string{".", ".."}
	for _, e := range entries {
		candidates = append(candidates, e.Name())
	}
	for _, name := range candidates {
		if strings.HasPrefix(name, ".") && !strings.HasPrefix(part, ".") || !w.Matches(name) {
			continue
		}
		names = append(names, joinName(folder, name))
	}
	return names, nil
}

// joinName returns the name of a file in a folder. The folder "" is the working folder: the result stays relative.
func joinName(folder, name string) string {
	if folder == "" || folder == "/" {
		return folder + name
	}
	return folder + "/" + name
}

// workingFolder is working_directory/2. The new name is checked before the old one is unified, so working_directory(X,
// X) only reads the folder.
func workingFolder(m *machine.Machine, a []cell) (bool, error) {
	x := ioOf(m)
	if next := m.Deref(a[1]); !stacks.IsVar(next) {
		if _, err := pathArg(m, next); err != nil {
			return false, err
		}
	}
	old := x.folder()
	if l, err := x.lister(); old == "" && err == nil && l.Folder() == "" && x.isFolder(".") {
		old = "." // of a file system without absolute names
	} else if old == "" && (err != nil || l.Folder() == "") {
		return false, m.PermissionError("access", "directory", m.NewAtom("."))
	}
	before := m.NewAtom(strings.TrimRight(old, "/") + "/")
	if !m.Unify(a[0], before) {
		return false, nil
	}
	if m.Deref(a[1]) == before {
		return true, nil
	}
	return changeFolder(m, a[1:])
}

// changeFolder is chdir/1. The folder is a property of the run and not of the process: other runs do not see the
// change. The name counts as memory of the run.
func changeFolder(m *machine.Machine, a []cell) (bool, error) {
	name, err := pathArg(m, a[0])
	if err != nil {
		return false, err
	}
	x := ioOf(m)
	switch info, err := x.stat(name); {
	case err != nil:
		return false, fileError(m, "chdir", "directory", a[0], err)
	case !info.IsDir():
		return false, m.ExistenceError("directory", a[0])
	}
	next := x.absolute(name)
	if err := m.Hold(len(next) - len(x.workFolder)); err != nil {
		return false, err
	}
	x.workFolder = next
	return true, nil
}

// workingName is '$working_directory'/1. The name is the empty atom if the folder may not be seen.
func workingName(m *machine.Machine, a []cell) (bool, error) {
	return m.Unify(a[0], m.NewAtom(ioOf(m).folder())), nil
}

// change applies a change to the file or folder that an argument names. Without a Changer it returns an error. The
// change is charged as one call, however long the file system takes.
func change(m *machine.Machine, c cell, action, typ string, do func(c Changer, path string) error) (bool, error) {
	name, err := pathArg(m, c)
	if err != nil {
		return false, err
	}
	x := ioOf(m)
	changer, err := x.changer()
	switch {
	case name == "":
		err = fs.ErrNotExist
	case err == nil:
		err = do(changer, x.At(name))
	}
	if err != nil {
		return false, fileError(m, action, typ, c, err)
	}
	return true, m.Charge(1)
}

// makeFolder is make_directory/1.
func makeFolder(m *machine.Machine, a []cell) (bool, error) {
	return change(m, a[0], "create", "directory", Changer.Mkdir)
}

// deleteFolder is delete_directory/1. The second argument of Remove selects folders.
func deleteFolder(m *machine.Machine, a []cell) (bool, error) {
	return change(m, a[0], "delete", "directory", func(c Changer, name string) error {
		return c.Remove(name, true)
	})
}

// deleteFile is delete_file/1.
func deleteFile(m *machine.Machine, a []cell) (bool, error) {
	return change(m, a[0], "delete", "file", func(c Changer, name string) error {
		return c.Remove(name, false)
	})
}

// renameFile is rename_file/2. Renaming a file to itself is a permission error. The new name is checked before the old
// one.
func renameFile(m *machine.Machine, a []cell) (bool, error) {
	to, err := pathArg(m, a[1])
	if err != nil {
		return false, err
	}
	x := ioOf(m)
	return change(m, a[0], "rename", "file", func(c Changer, name string) error {
		if x.absolute(name) == x.absolute(to) {
			return fs.ErrPermission
		}
		return c.Rename(name, x.At(to))
	})
}

// setTimeFile is set_time_file/3. If the list names no time, nothing is changed, so the predicate can be used to read
// the times.
func setTimeFile(m *machine.Machine, a []cell) (bool, error) {
	info, err := statArg(m, a[0], "time")
	if err != nil {
		return false, err
	}
	if ok, err := oldTimes(m, a[1], info); !ok || err != nil {
		return false, err
	}
	var times [2]time.Time
	items, err := m.ListArg(a[2])
	if err != nil {
		return false, err
	}
	for _, item := range items {
		if err := timeOption(m, m.Deref(item), &times); err != nil {
			return false, err
		}
	}
	if times[0].IsZero() && times[1].IsZero() {
		return true, nil
	}
	return change(m, a[0], "set_time", "file", func(c Changer, name string) error {
		return c.Chtimes(name, times[0], times[1])
	})
}

// oldTimes unifies a variable with the times of a file, or the options of a list with the times that they name. All
// three times are the time of the last change, because fs.FileInfo has no other.
func oldTimes(m *machine.Machine, c cell, info fs.FileInfo) (bool, error) {
	stamp := m.NewFloat(stampOf(info.ModTime()))
	if stacks.IsVar(m.Deref(c)) {
		var old []cell
		for _, name := range []string{"access", "modified", "changed"} {
			old = append(old, m.NewStruct(name, stamp))
		}
		return m.Unify(c, m.List(old, code.ANil)), nil
	}
	items, err := m.ListArg(c)
	if err != nil {
		return false, err
	}
	for _, item := range items {
		o, ok := stream.AsOption(m, m.Deref(item), "time_option")
		if ok && (o.Name == "access" || o.Name == "modified" || o.Name == "changed") && !m.Unify(o.Value, stamp) {
			return false, nil
		}
	}
	return true, nil
}

// timeOption reads an option of set_time_file/3 into times: the last access comes first, then the last change. A time
// that is not named stays zero. The value now is read from the clock of the run. Other options are ignored.
func timeOption(m *machine.Machine, c cell, times *[2]time.Time) error {
	o, ok := stream.AsOption(m, c, "time_option")
	if !ok || o.Name != "access" && o.Name != "modified" {
		return nil
	}
	at := &times[0]
	if o.Name == "modified" {
		at = &times[1]
	}
	if o.Value == m.NewAtom("now") {
		*at = clock(m)
		return nil
	}
	stamp, err := stampArg(m, o.Value)
	*at = momentOf(stamp, time.UTC).Time.Add(time.Duration((stamp - math.Floor(stamp)) * float64(time.Second)))
	return err
}

// temporaryName is tmp_file/2. It makes no file. The name is useful only if the run may write there, so otherwise it is
// a permission error.
func temporaryName(m *machine.Machine, a []cell) (bool, error) {
	base, err := pathArg(m, a[0])
	if err != nil {
		return false, err
	}
	name, err := newTemporary(m, base, "", a[0], func(c Changer, name string) error {
		if !c.Writable(name) {
			return fs.ErrPermission
		}
		return nil
	})
	return err == nil && m.Unify(a[1], m.NewAtom(name)), err
}

// newTemporary calls use with an unused name in the folder for temporary files. The name is made from the process, the
// start of the run and a counter. If use returns fs.ErrExist, the next name is tried, up to a hundred. The run stores
// the name and deletes the file at its end. Errors name the culprit.
func newTemporary(m *machine.Machine, base, extension string, culprit cell,
	use func(c Changer, name string) error) (string, error) {
	x := ioOf(m)
	c, err := x.changer()
	if err != nil {
		return "", fileError(m, "create", "temporary_file", culprit, err)
	}
	if extension = strings.TrimPrefix(extension, "."); extension != "" {
		extension = "." + extension
	}
	base = strings.NewReplacer("/", "_", "\\", "_", "\x00", "_").Replace(base)
	if base != "" {
		base += "_"
	}
	folder := c.TempFolder()
	name := ""
	for range 100 {
		x.tempCount++
		start := x.started.UnixNano() & 0xffffff
		name = path.Join(folder, fmt.Sprintf("mcplogic_%s%d_%x_%d%s", base, os.Getpid(), start, x.tempCount, extension))
		if err = use(c, name); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return "", fileError(m, "create", "temporary_file", culprit, err)
	}
	x.temporary = append(x.temporary, name)
	return name, m.Hold(len(name) + 16)
}

// temporaryStream is tmp_file_stream/3, and its older form with an encoding, a file and a stream. The older form is
// recognised by its unbound last argument.
func temporaryStream(m *machine.Machine, a []cell) (bool, error) {
	s := &stream.Stream{EOFAction: stream.EOFCode, Mode: stream.ModeWrite}
	file, out, extension := a[0], a[1], ""
	first, last := m.Deref(a[0]), m.Deref(a[2])
	if stacks.IsVar(last) && stacks.IsVar(first) {
		return false, m.InstantiationError()
	}
	var err error
	if stacks.IsVar(last) {
		file, out = a[1], a[2]
		s.Encoding, s.Binary, err = temporaryEncoding(m, first)
	} else {
		if !stacks.IsVar(first) {
			return false, m.UninstantiationError(first)
		}
		extension, err = temporaryOptions(m, last, s)
	}
	if err != nil {
		return false, err
	}
	if o := m.Deref(out); !stacks.IsVar(o) {
		return false, m.UninstantiationError(o)
	}
	return openTemporary(m, s, file, out, extension)
}

// temporaryEncoding reads the encoding of a temporary file: text, binary, or an encoding of open/4.
func temporaryEncoding(m *machine.Machine, c cell) (encoding string, binary bool, err error) {
	name, err := m.AtomArg(c)
	switch {
	case err != nil:
		return "", false, err
	case name == "text":
		return "", false, nil
	case name == "binary" || name == "octet":
		return "", true, nil
	}
	if slices.Contains(stream.Encodings, name) {
		return name, false, nil
	}
	return "", false, m.DomainError("encoding", c)
}

// temporaryOptions reads the options of tmp_file_stream/3 and ignores others. Slashes in an extension become
// underscores, so that it cannot lead into another folder.
func temporaryOptions(m *machine.Machine, list cell, s *stream.Stream) (extension string, err error) {
	items, err := m.ListArg(list)
	if err != nil {
		return "", err
	}
	for _, item := range items {
		o, ok := stream.AsOption(m, m.Deref(item), "tmp_file_option")
		switch {
		case !ok:
			continue
		case o.Name == "encoding":
			s.Encoding, s.Binary, err = temporaryEncoding(m, o.Value)
		case o.Name == "extension":
			extension, err = pathArg(m, o.Value)
			extension = strings.ReplaceAll(extension, "/", "_")
		}
		if err != nil {
			return "", err
		}
	}
	return extension, nil
}

// openTemporary makes a temporary file and opens its stream. It checks the number of streams before it creates the
// file.
func openTemporary(m *machine.Machine, s *stream.Stream, file, out cell, extension string) (bool, error) {
	x := ioOf(m)
	if err := x.NeedRoom(m); err != nil {
		return false, err
	}
	name, err := newTemporary(m, "", extension, m.NewAtom("."), func(c Changer, name string) error {
		w, err := c.Create(name)
		if err != nil {
			return err
		}
		s.Closer = w
		s.Out = stream.NewEncoded(w, s.Encoding, stream.BufferFull)
		return nil
	})
	if err != nil {
		if s.Closer != nil {
			s.Closer.Close()
		}
		return false, err
	}
	s.File = name
	x.Add(s)
	return m.Unify(file, m.NewAtom(name)) && m.Unify(out, stream.Term(m, s)), nil
}
