package kb

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"unicode/utf8"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/folder"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines which files a knowledge base consists of, and which files its goals may
// open.

// found is what paths lead to.
type found struct {
	files   []string        // in the order of loading
	folders []string        // that hold them, for the watch
	real    map[string]bool // where the files are when links are followed
	report  engine.Diagnostics
}

// find lists the files that paths stand for.
func find(paths []string) found {
	f := found{real: map[string]bool{}}
	for _, path := range paths {
		f.path(filepath.Clean(path))
	}
	return f
}

func (f *found) fail(path, format string, args ...any) {
	at := engine.Position{File: path}
	f.report = append(f.report, engine.Diagnostic{Position: at, Severity: engine.SeverityError, Code: "path",
		Message: fmt.Sprintf(format, args...)})
}

// path adds one path that a user gave.
func (f *found) path(path string) {
	info, err := os.Stat(path)
	if err != nil {
		f.fail(path, "%s", explain(path, err))
		return
	}
	if !info.IsDir() {
		f.add(path)
		f.folders = append(f.folders, filepath.Dir(path))
		return
	}
	files, folders := folder.Disk.Files(path, func(path string, err error) { f.fail(path, "%s", explain(path, err)) })
	f.folders = append(f.folders, folders...)
	if len(files) == 0 && len(f.report.Errors()) == 0 {
		f.fail(path, "there are no .pl files in this folder")
	}
	for _, file := range files {
		f.add(file)
	}
}

// add adds a file, once, by whatever paths and links it is reached.
func (f *found) add(file string) {
	real := file
	if target, err := filepath.EvalSymlinks(file); err == nil {
		real = target
	}
	if absolute, err := filepath.Abs(real); err == nil {
		real = absolute
	}
	if !f.real[real] {
		f.real[real] = true
		f.files = append(f.files, file)
	}
}

// explain words an error of the file system.
func explain(path string, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if near := sibling(path); near != "" {
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

// sibling returns a file beside a missing one that has nearly its name, or "".
func sibling(path string) string {
	entries, err := os.ReadDir(filepath.Dir(path))
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

// readSources makes sources of files. Unless their texts are to be held, those of large ones
// are left in the files.
func readSources(files []string, hold bool) (sources []engine.Source, report engine.Diagnostics) {
	for _, file := range files {
		source, badLine, err := readSource(file, hold)
		if err != nil {
			at := engine.Position{File: file}
			report = append(report, engine.Diagnostic{Position: at, Severity: engine.SeverityError, Code: "path",
				Message: explain(file, err)})
			continue
		}
		if badLine > 0 {
			at := engine.Position{File: file, Place: engine.Place{Line: badLine}}
			report = append(report, engine.Diagnostic{Position: at, Severity: engine.SeverityWarning, Code: "encoding",
				Message: "this line is not valid UTF-8"})
		}
		sources = append(sources, source)
	}
	return sources, report
}

// largeFile is the size in bytes from which a text is better left in its file.
const largeFile = 1 << 20

// readSource makes the source of a file, and returns the first line that is not valid UTF-8, or 0.
func readSource(file string, hold bool) (s engine.Source, badLine int, err error) {
	s.Name = filepath.ToSlash(file)
	if info, err := os.Stat(file); err == nil && info.Size() >= largeFile && !hold {
		s.Open = func() (io.ReadCloser, error) { return os.Open(file) }
		r, err := s.Open()
		if err != nil {
			return s, 0, err
		}
		defer r.Close()
		badLine, err = invalidLine(r)
		return s, badLine, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return s, 0, err
	}
	s.Text = textOf(data)
	badLine, err = invalidLine(bytes.NewReader(data))
	return s, badLine, err
}

// textOf returns bytes that nobody will change as text without copying them: files of facts are
// large.
func textOf(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

// bytesOf is the other way round: bytes that are only to be read.
func bytesOf(text string) []byte { return unsafe.Slice(unsafe.StringData(text), len(text)) }

// invalidLine returns the first line that is not valid UTF-8, or 0.
func invalidLine(r io.Reader) (int, error) {
	buf, n, line := make([]byte, 1<<15), 0, 1
	for {
		got, err := r.Read(buf[n:])
		n += got
		valid := validPrefix(buf[:n])
		line += bytes.Count(buf[:valid], []byte("\n"))
		if rest := buf[valid:n]; len(rest) > 0 && (err != nil || utf8.FullRune(rest)) {
			return line, nil
		}
		n = copy(buf, buf[valid:n])
		if errors.Is(err, io.EOF) {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
	}
}

// validPrefix returns how many bytes there are before the first one that begins no whole character.
func validPrefix(b []byte) int {
	if utf8.Valid(b) {
		return len(b)
	}
	for i := 0; ; {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
}

// Sandbox lets goals open files below some folders only. Links that lead out of a folder are
// not followed.
type Sandbox struct {
	// Read and Write are the folders.
	Read, Write []string

	mu    sync.Mutex
	files map[string]bool // that were read while loading; nil: not any more
}

// newSandbox returns the sandbox of a knowledge base.
func newSandbox(paths []string, o *Options) *Sandbox {
	s := &Sandbox{Read: slices.Clone(o.AllowRead), Write: slices.Clone(o.AllowWrite), files: map[string]bool{}}
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			path = filepath.Dir(path)
		}
		s.Read = append(s.Read, path)
	}
	return s
}

// OpenRead opens a file of one of the folders. A relative path starts from the working
// directory, or else from a folder.
func (s *Sandbox) OpenRead(path string) (io.ReadCloser, error) {
	f, err := s.open(s.Read, path, openRegular)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// relative is the name of a file within the first folder that holds it, if it has an absolute one: goals
// need not know where the folders are.
func (s *Sandbox) relative(name string) string {
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

// openRegular opens a file for reading, but no pipes and devices, which may never answer.
func openRegular(root *os.Root, name string) (*os.File, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fs.ErrPermission
	}
	return root.Open(name)
}

// OpenWrite creates or overwrites a file of one of the folders, or opens it at its end.
func (s *Sandbox) OpenWrite(path string, atEnd bool) (io.WriteCloser, error) {
	mode := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if atEnd {
		mode = os.O_WRONLY | os.O_CREATE | os.O_APPEND
	}
	f, err := s.open(s.Write, path, func(r *os.Root, name string) (*os.File, error) { return r.OpenFile(name, mode, 0o666) })
	if err != nil {
		return nil, err
	}
	return f, nil
}

// open tries the places that a path may mean in the folders.
func (s *Sandbox) open(folders []string, path string, open func(*os.Root, string) (*os.File, error)) (*os.File, error) {
	err := error(&fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission})
	for _, candidate := range candidates(folders, filepath.FromSlash(path)) {
		root, rootErr := os.OpenRoot(candidate.folder)
		if rootErr != nil {
			continue
		}
		f, openErr := open(root, candidate.name)
		root.Close()
		if openErr == nil {
			s.note(filepath.Join(candidate.folder, candidate.name))
			return f, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			err = &fs.PathError{Op: "open", Path: path, Err: reason(openErr)}
		}
	}
	return nil, err
}

// reason is the reason for an error of a folder: that of the system, or that permission is denied. Nothing
// is said of links that lead out of the folder.
func reason(err error) error {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number
	}
	return fs.ErrPermission
}

// note remembers a file that was opened while loading.
func (s *Sandbox) note(file string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files != nil {
		s.files[file] = true
	}
}

// opened returns the files opened so far and stops remembering them.
func (s *Sandbox) opened() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	files := slices.Sorted(maps.Keys(s.files))
	s.files = nil
	return files
}

// candidate is a name in a folder.
type candidate struct{ folder, name string }

// candidates lists what a path may mean: first as it is, then within each folder.
func candidates(folders []string, path string) []candidate {
	var list []candidate
	if absolute, err := filepath.Abs(path); err == nil {
		for _, folder := range folders {
			root, err := filepath.Abs(folder)
			if err != nil {
				continue
			}
			if name, err := filepath.Rel(root, absolute); err == nil && filepath.IsLocal(name) {
				list = append(list, candidate{folder, name})
			}
		}
	}
	if filepath.IsLocal(path) {
		for _, folder := range folders {
			list = append(list, candidate{folder, path})
		}
	}
	return list
}

// Sources reads the files that paths lead to, in the order of loading.
func Sources(paths []string) ([]engine.Source, engine.Diagnostics) {
	f := find(paths)
	sources, report := readSources(f.files, true)
	return sources, append(f.report, report...)
}
