package kb

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
	if ext := filepath.Ext(path); !info.IsDir() && (ext == ".md" || slices.Contains(dataEndings, ext)) {
		f.fail(path, "this is no file of rules, whose name ends in .pl")
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
		source, err := readSource(file, hold)
		if err != nil {
			at := engine.Position{File: file}
			report = append(report, engine.Diagnostic{Position: at, Severity: engine.SeverityError, Code: "path",
				Message: explain(file, err)})
			continue
		}
		sources = append(sources, source)
	}
	return sources, report
}

// largeFile is the size in bytes from which a text is not held in memory.
const largeFile = 1 << 20

// readSource makes the source of a file.
func readSource(file string, hold bool) (s engine.Source, err error) {
	s.Name = filepath.ToSlash(file)
	if info, err := os.Stat(file); err == nil && info.Size() >= largeFile && !hold {
		s.Open = func() (io.ReadCloser, error) { return os.Open(file) }
		r, err := s.Open()
		if err == nil {
			err = r.Close()
		}
		return s, err
	}
	data, err := os.ReadFile(file)
	s.Text = textOf(data)
	return s, err
}

// textOf returns bytes as a string without copying them, because files of facts are large. Nobody may change the
// bytes afterwards.
func textOf(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

// bytesOf returns a string as bytes without copying it. Nobody may change them.
func bytesOf(text string) []byte { return unsafe.Slice(unsafe.StringData(text), len(text)) }

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
