package kb

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/folder"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines which files a knowledge base consists of, and which files its goals may open.

// foundFiles lists the files and folders that paths stand for.
type foundFiles struct {
	files   []string        // in the order of loading
	folders []string        // that hold them, for the watch
	real    map[string]bool // where the files are when links are followed
	report  engine.Diagnostics
}

// find lists the files that paths stand for.
func find(paths []string) foundFiles {
	f := foundFiles{real: map[string]bool{}}
	for _, path := range paths {
		f.path(filepath.Clean(path))
	}
	return f
}

func (f *foundFiles) fail(path, format string, args ...any) {
	at := engine.Position{File: path}
	f.report = append(f.report, engine.Diagnostic{Position: at, Severity: engine.SeverityError, Code: "path",
		Message: fmt.Sprintf(format, args...)})
}

// path adds one path that a user gave.
func (f *foundFiles) path(path string) {
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
func (f *foundFiles) add(file string) {
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

// readSources makes sources of files. Unless hold is true, the texts of large files are not read yet.
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

// largeFile is the size in bytes from which a text is not held in memory.
const largeFile = 1 << 20

// readSource makes the source of a file. It also returns the number of the first line that is not valid UTF-8, or 0.
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

// textOf returns bytes as a string without copying them, because files of facts are large. Nobody may change the
// bytes afterwards.
func textOf(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

// bytesOf returns a string as bytes without copying it. Nobody may change them.
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

// validPrefix returns the number of bytes before the first one that does not begin a whole character.
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

// canonicalPath returns the absolute path of a file without links, or the path if there is no such file.
func canonicalPath(path string) string {
	name, err := filepath.Abs(filepath.FromSlash(path))
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	return filepath.ToSlash(name)
}

// Sources reads the files that paths lead to, in the order of loading.
func Sources(paths []string) ([]engine.Source, engine.Diagnostics) {
	f := find(paths)
	sources, report := readSources(f.files, true)
	return sources, append(f.report, report...)
}

// Files lists the files that paths lead to, in the order of loading.
func Files(paths []string) ([]string, engine.Diagnostics) {
	f := find(paths)
	return f.files, f.report
}
