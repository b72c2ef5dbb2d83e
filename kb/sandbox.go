package kb

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/folder"
	"github.com/mcplogic/mcplogic/internal/rulefiles"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines which files and folders the goals of a knowledge base may read and change. It also defines which
// files a knowledge base consists of, and which files its goals may open.

// fileSandbox lets goals open files below some folders only. Links that lead out of a folder are not followed.
type fileSandbox struct {
	// Read and Write are the folders that may be read and written.
	Read, Write []string

	fsys  fs.FS    // the file system of the knowledge base, all of which may be read; nil: the machine's
	inner []string // the folders of the knowledge base in fsys
	mu    sync.Mutex
	tell  func(file string)
	files map[string]bool // the files read while loading; nil after the load
	named map[string]bool // files that a user has named, and the texts that they load
	// stand returns a text that is loaded instead of a file. draft returns the text of a file in an editor. Either may
	// be nil.
	stand, draft func(path string) (text string, ok bool)
	// whole is set in the sandbox of restricted rules, and is then the unrestricted sandbox. A restricted sandbox shows
	// only the folders of the knowledge base, without hidden files.
	whole *fileSandbox
}

func newSandbox(paths []string, o *Options) *fileSandbox {
	s := &fileSandbox{Read: slices.Clone(o.AllowRead), Write: slices.Clone(o.AllowWrite), files: map[string]bool{},
		named: map[string]bool{}, tell: o.Reading, fsys: o.FS}
	for _, path := range paths {
		if info, err := o.tree().Stat(path); err == nil && !info.IsDir() {
			s.named[filepath.Clean(path)] = true
			path = filepath.Dir(path)
		}
		if s.fsys == nil {
			s.Read = append(s.Read, path)
		} else {
			s.inner = append(s.inner, filepath.ToSlash(path))
		}
	}
	return s
}

// restricted returns the sandbox of restricted rules.
func (s *fileSandbox) restricted(o *Options) *fileSandbox {
	return &fileSandbox{Read: s.Read[len(o.AllowRead):], fsys: s.fsys, inner: s.inner, stand: s.stand, draft: s.draft,
		whole: s}
}

// OpenRead opens a file of one of the folders. A relative path starts from the working
// directory, or else from a folder.
func (s *fileSandbox) OpenRead(path string) (io.ReadCloser, error) {
	return reading(s, "open", path, func(fsys fs.FS, c openCandidate) (io.ReadCloser, error) {
		f, err := folder.OpenRegular(fsys, c.name)
		file := filepath.Join(c.folder, c.name)
		if err == nil {
			s.note(file)
		}
		if s.draft == nil || err != nil && !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
		text, ok := s.draft(file)
		if !ok {
			return f, err
		}
		if err == nil {
			f.Close()
		}
		return draftFile{strings.NewReader(text)}, nil
	})
}

// draftFile is the text of a file in an editor. It can seek, as a file can.
type draftFile struct{ *strings.Reader }

// Close implements io.Closer.
func (draftFile) Close() error { return nil }

// textSuffixes are the suffixes of files with Prolog text.
var textSuffixes = []string{".pl", ".plt", ".pro", ".prolog"}

// OpenSource opens a file that the text from loads. A file that a user has named may load texts from outside its
// folder, such as '../lib.pl', and these texts may too. Files of a folder that a user has named may not.
func (s *fileSandbox) OpenSource(name, from string) (io.ReadCloser, error) {
	if s.stand != nil {
		if text, ok := s.stand(name); ok {
			return draftFile{strings.NewReader(text)}, nil
		}
	}
	f, err := s.OpenRead(name)
	path := filepath.Clean(filepath.FromSlash(name))
	if err == nil || s.fsys != nil || !slices.Contains(textSuffixes, filepath.Ext(path)) ||
		!s.isNamed(filepath.FromSlash(from)) {
		return f, err
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	text, err := folder.OpenRegular(folder.RootFS{Root: root}, filepath.Base(path))
	if err != nil {
		return nil, err
	}
	s.note(path)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.named[path] = true
	return text, nil
}

// isNamed reports whether a text may load others from outside of the folders.
func (s *fileSandbox) isNamed(file string) bool {
	if s.whole != nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.named[filepath.Clean(file)]
}

// relative makes an absolute name relative to the first folder that holds the file. Goals therefore need not know where
// the folders are.
func (s *fileSandbox) relative(name string) string {
	if !filepath.IsAbs(name) {
		return name
	}
	for _, folder := range s.Read {
		root, err := filepath.Abs(folder)
		if err != nil {
			continue
		}
		if inside, err := filepath.Rel(root, filepath.FromSlash(name)); err == nil && filepath.IsLocal(inside) {
			return filepath.ToSlash(inside)
		}
	}
	return filepath.Base(name)
}

// OpenWrite creates or overwrites a file of one of the folders, or opens it for appending.
func (s *fileSandbox) OpenWrite(path string, atEnd bool) (io.WriteCloser, error) {
	mode := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if atEnd {
		mode = os.O_WRONLY | os.O_CREATE | os.O_APPEND
	}
	return s.openWrite(path, mode)
}

func (s *fileSandbox) openWrite(path string, mode int) (io.WriteCloser, error) {
	f, err := within(s, s.Write, "open", path, func(r *os.Root, c openCandidate) (*os.File, error) {
		return r.OpenFile(c.name, mode, 0o666)
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// within calls do for the places that a path may mean in the folders, until it succeeds.
func within[T any](
	s *fileSandbox, folders []string, op, path string, do func(root *os.Root, c openCandidate) (T, error),
) (T, error) {
	var none T
	err := error(&fs.PathError{Op: op, Path: path, Err: fs.ErrPermission})
	for _, c := range candidates(folders, filepath.FromSlash(path)) {
		if s.whole != nil && folder.HiddenPath(filepath.ToSlash(c.name)) {
			continue
		}
		root, rootErr := os.OpenRoot(c.folder)
		if rootErr != nil {
			continue
		}
		result, doErr := do(root, c)
		root.Close()
		if doErr == nil {
			return result, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			err = &fs.PathError{Op: op, Path: path, Err: folder.Reason(doErr)}
		}
		if errors.Is(doErr, fs.ErrExist) {
			break // a new file is not created in another folder if it exists in this one
		}
	}
	return none, err
}

// reading calls do for the places that a path to read may mean, until it succeeds: those in the file system of the
// knowledge base, and then those in folders of the machine.
func reading[T any](
	s *fileSandbox, op, path string, do func(fsys fs.FS, c openCandidate) (T, error),
) (T, error) {
	var first error
	for _, name := range s.insides(path) {
		result, err := do(s.fsys, openCandidate{".", name})
		if err == nil {
			return result, nil
		}
		if first == nil {
			first = err
		}
	}
	result, err := within(s, s.Read, op, path, func(root *os.Root, c openCandidate) (T, error) {
		return do(folder.RootFS{Root: root}, c)
	})
	if err != nil && first != nil {
		err = first
	}
	return result, err
}

// insides lists what a path may mean in the file system of the knowledge base: the path itself, or the path within one
// of the folders.
func (s *fileSandbox) insides(name string) (list []string) {
	if s.fsys == nil || path.IsAbs(filepath.ToSlash(name)) {
		return nil
	}
	for _, below := range append([]string{"."}, s.inner...) {
		inside := path.Join(below, filepath.ToSlash(name))
		if fs.ValidPath(inside) && (s.whole == nil || !folder.HiddenPath(inside)) && !slices.Contains(list, inside) {
			list = append(list, inside)
		}
	}
	return list
}

// Stat describes a file or folder.
func (s *fileSandbox) Stat(path string) (fs.FileInfo, error) {
	return reading(s, "stat", path, func(fsys fs.FS, c openCandidate) (fs.FileInfo, error) {
		return fs.Stat(fsys, c.name)
	})
}

// ReadDir lists a folder.
func (s *fileSandbox) ReadDir(path string) ([]fs.DirEntry, error) {
	return reading(s, "readdir", path, func(fsys fs.FS, c openCandidate) ([]fs.DirEntry, error) {
		list, err := fs.ReadDir(fsys, c.name)
		if s.whole != nil {
			list = slices.DeleteFunc(list, func(d fs.DirEntry) bool { return folder.Hidden(d.Name()) })
		}
		return list, err
	})
}

// ReadLink returns the target of a link, if the target may be read.
func (s *fileSandbox) ReadLink(path string) (string, error) {
	return reading(s, "readlink", path, func(fsys fs.FS, c openCandidate) (string, error) {
		if _, err := fs.Stat(fsys, c.name); err != nil {
			return "", err
		}
		return fs.ReadLink(fsys, c.name)
	})
}

// Folder returns the working directory, or else the first folder that may be read.
func (s *fileSandbox) Folder() string {
	here, err := os.Getwd()
	if err == nil && len(candidates(s.Read, here)) > 0 {
		return filepath.ToSlash(here)
	}
	for _, folder := range s.Read {
		if absolute, err := filepath.Abs(folder); err == nil {
			return filepath.ToSlash(absolute)
		}
	}
	return ""
}

// Create makes a new file. It is an error if the file exists.
func (s *fileSandbox) Create(path string) (io.WriteCloser, error) {
	return s.openWrite(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
}

// changeWithin is within for the folders that may be changed.
func (s *fileSandbox) changeWithin(op, path string, do func(r *os.Root, name string) error) error {
	_, err := within(s, s.Write, op, path, func(r *os.Root, c openCandidate) (struct{}, error) {
		if c.name == "." {
			return struct{}{}, fs.ErrPermission // the folder itself
		}
		return struct{}{}, do(r, c.name)
	})
	return err
}

// Mkdir makes a folder.
func (s *fileSandbox) Mkdir(path string) error {
	return s.changeWithin("mkdir", path, func(r *os.Root, name string) error { return r.Mkdir(name, 0o777) })
}

// Remove deletes an empty folder, or else a file or a link.
func (s *fileSandbox) Remove(path string, folder bool) error {
	return s.changeWithin("remove", path, func(r *os.Root, name string) error {
		info, err := r.Lstat(name)
		switch {
		case err != nil:
			return err
		case folder && !info.IsDir():
			return syscall.ENOTDIR
		case !folder && info.IsDir():
			return fs.ErrPermission
		}
		return r.Remove(name)
	})
}

// Rename gives a file or folder another name within the same folder of the sandbox.
func (s *fileSandbox) Rename(from, to string) error {
	_, err := within(s, s.Write, "rename", from, func(r *os.Root, c openCandidate) (struct{}, error) {
		for _, target := range candidates([]string{c.folder}, filepath.FromSlash(to)) {
			if c.name != "." && target.name != "." {
				return struct{}{}, r.Rename(c.name, target.name)
			}
		}
		return struct{}{}, fs.ErrPermission
	})
	return err
}

// Chtimes sets the times of a file.
func (s *fileSandbox) Chtimes(path string, read, changed time.Time) error {
	return s.changeWithin("chtimes", path, func(r *os.Root, name string) error { return r.Chtimes(name, read, changed) })
}

// Writable reports whether a file may be written or made.
func (s *fileSandbox) Writable(path string) bool {
	_, err := within(s, s.Write, "access", path, func(r *os.Root, c openCandidate) (struct{}, error) {
		info, err := r.Stat(c.name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if info, err = r.Stat(filepath.Dir(c.name)); err == nil && !info.IsDir() {
				err = syscall.ENOTDIR
			}
			return struct{}{}, err
		case err != nil || info.IsDir():
			return struct{}{}, err
		case !info.Mode().IsRegular():
			return struct{}{}, fs.ErrPermission
		}
		f, err := r.OpenFile(c.name, os.O_WRONLY, 0)
		if err == nil {
			err = f.Close()
		}
		return struct{}{}, err
	})
	return err == nil
}

// TempFolder returns the first folder that may be both written and read, or else the first that may be written.
func (s *fileSandbox) TempFolder() string {
	first := ""
	for _, folder := range s.Write {
		absolute, err := filepath.Abs(folder)
		if err != nil {
			continue
		}
		if len(candidates(s.Read, absolute)) > 0 {
			return filepath.ToSlash(absolute)
		}
		if first == "" {
			first = filepath.ToSlash(absolute)
		}
	}
	return first
}

// note remembers a file that was read while loading.
func (s *fileSandbox) note(file string) {
	if s.whole != nil {
		s = s.whole
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files != nil {
		s.files[file] = true
		if s.tell != nil {
			s.tell(file)
		}
	}
}

// opened returns the files opened so far and stops remembering them.
func (s *fileSandbox) opened() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	files := slices.Sorted(maps.Keys(s.files))
	s.files = nil
	return files
}

// openCandidate is a name in a folder of the sandbox that a path may mean.
type openCandidate struct{ folder, name string }

// candidates lists what a path may mean: first the path itself, then the path within each folder.
func candidates(folders []string, path string) []openCandidate {
	var list []openCandidate
	if absolute, err := filepath.Abs(path); err == nil {
		for _, folder := range folders {
			root, err := filepath.Abs(folder)
			if err != nil {
				continue
			}
			if name, err := filepath.Rel(root, absolute); err == nil && filepath.IsLocal(name) {
				list = append(list, openCandidate{folder, name})
			}
		}
	}
	if filepath.IsLocal(path) {
		for _, folder := range folders {
			list = append(list, openCandidate{folder, path})
		}
	}
	return list
}

// foundFiles lists the files and folders that paths stand for.
type foundFiles struct {
	tree    folder.Tree
	files   []string        // in the order of loading
	folders []string        // the folders that hold the files, for the watch
	real    map[string]bool // the files' paths without links
	report  source.Diagnostics
}

// find lists the files that paths stand for.
func find(tree folder.Tree, paths []string) foundFiles {
	f := foundFiles{tree: tree, real: map[string]bool{}}
	for _, path := range paths {
		f.path(filepath.Clean(path))
	}
	return f
}

func (f *foundFiles) fail(path, format string, args ...any) {
	at := source.Position{File: path}
	f.report = append(f.report, source.Diagnostic{Position: at, Severity: source.SeverityError, Code: "path",
		Message: fmt.Sprintf(format, args...)})
}

// path adds one path that a user gave.
func (f *foundFiles) path(path string) {
	info, err := f.tree.Stat(path)
	if err != nil {
		f.fail(path, "%s", explain(f.tree, path, err))
		return
	}
	if ext := filepath.Ext(path); !info.IsDir() && (ext == ".md" || slices.Contains(rulefiles.DataEndings, ext)) {
		f.fail(path, "this is "+noRules)
		return
	}
	if !info.IsDir() {
		f.add(path)
		f.folders = append(f.folders, filepath.Dir(path))
		return
	}
	files, folders := f.tree.Files(path, func(path string, err error) { f.fail(path, "%s", explain(f.tree, path, err)) })
	f.folders = append(f.folders, folders...)
	if len(files) == 0 && len(f.report.Errors()) == 0 {
		f.fail(path, emptyFolder)
	}
	for _, file := range files {
		f.add(file)
	}
}

// add adds a file. A file that several paths or links lead to is added once.
func (f *foundFiles) add(file string) {
	real, err := f.tree.Real(file)
	if err != nil {
		real = file
	}
	if !f.real[real] {
		f.real[real] = true
		f.files = append(f.files, file)
	}
}

// explain returns the message of an error of the file system.
func explain(tree folder.Tree, path string, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if near := sibling(tree, path); near != "" {
			return "no such file or folder; did you mean " + near + "?"
		}
		return "no such file or folder"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	}
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err.Error()
	}
	return err.Error()
}

// sibling returns a file with a similar name in the folder of a missing file, or "".
func sibling(tree folder.Tree, path string) string {
	entries, err := tree.ReadDir(filepath.Dir(path))
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	near := spell.Nearest(filepath.Base(path), names)
	if near == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(path), near)
}

// readSources makes sources of files. Unless hold is true, the texts of large files are not read yet.
func readSources(tree folder.Tree, files []string, hold bool) (sources []source.File, report source.Diagnostics) {
	for _, file := range files {
		one, err := readSource(tree, file, hold)
		if err != nil {
			at := source.Position{File: file}
			report = append(report, source.Diagnostic{Position: at, Severity: source.SeverityError, Code: "path",
				Message: explain(tree, file, err)})
			continue
		}
		sources = append(sources, one)
	}
	return sources, report
}

// largeFile is the size in bytes from which a text is not held in memory.
const largeFile = 1 << 20

// readSource makes the source of a file.
func readSource(tree folder.Tree, file string, hold bool) (s source.File, err error) {
	s.Name = filepath.ToSlash(file)
	if info, err := tree.Stat(file); err == nil && info.Size() >= largeFile && !hold {
		s.Open = func() (io.ReadCloser, error) { return tree.Open(file) }
		r, err := s.Open()
		if err == nil {
			err = r.Close()
		}
		return s, err
	}
	data, err := tree.ReadFile(file)
	s.Text = textOf(data)
	return s, err
}

// textOf returns bytes as a string without copying them, because files of facts are large. The bytes may not change
// afterwards.
func textOf(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

// bytesOf returns a string as bytes without copying it. The bytes may not be changed.
func bytesOf(text string) []byte { return unsafe.Slice(unsafe.StringData(text), len(text)) }

// canonical returns canonicalPath for the file system of the paths.
func (o *Options) canonical() func(path string) string {
	if o.FS != nil {
		return path.Clean
	}
	return canonicalPath
}

// canonicalPath returns the absolute path of a file without links, or the path itself if the file does not exist.
func canonicalPath(path string) string {
	name, err := folder.Disk.Real(filepath.FromSlash(path))
	if err != nil {
		return path
	}
	return filepath.ToSlash(name)
}

// Sources reads the files that paths lead to, in the order of loading.
func (o *Options) Sources(paths []string) ([]source.File, error) {
	f := find(o.tree(), paths)
	sources, report := readSources(o.tree(), f.files, true)
	return sources, append(f.report, report...).Err()
}

// Files lists the files that paths lead to, in the order of loading.
func (o *Options) Files(paths []string) ([]string, error) {
	f := find(o.tree(), paths)
	return f.files, f.report.Err()
}

// emptyFolder is the message for a folder without rules.
const emptyFolder = "there are no .pl files in this folder"

// noRules is the message for files that hold no program.
const noRules = "no file of rules, whose name ends in .pl"
