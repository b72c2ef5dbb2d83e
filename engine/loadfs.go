package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/mcplogic/mcplogic/internal/folder"
)

// This file defines loading from file systems.

// LoadFS returns the program of files in a file system, such as an embed.FS or os.DirFS(folder). Each
// pattern is the name of a file, the name of a folder, or a pattern as path.Match has them. A folder stands
// for all files below it that end in .pl, in lexical order, but for those whose name, or that of a folder
// on the way, begins with a dot; a pattern for the .pl files and folders that it matches, but for hidden
// ones. Tests in .plt files are loaded only by name. Without patterns all of the file system is loaded. A
// file is loaded once, in the order of the patterns.
//
// The program may read files of the file system too, unless the options say what it may read. The error
// is an *fs.PathError for what cannot be found or read, or that matches nothing, and [Diagnostics] when
// there are errors in the texts.
func LoadFS(fsys fs.FS, o *Options, patterns ...string) (*Program, error) {
	opts := Options{}
	if o != nil {
		opts = *o
	}
	if opts.Files == nil {
		opts.Files = fsFiles{fsys}
	}
	sources, err := sourcesFS(fsys, patterns)
	if err != nil {
		return nil, err
	}
	p := New(&opts)
	if err := p.Load(context.Background(), sources...); err != nil {
		return nil, err
	}
	return p, nil
}

// sourcesFS reads the files that patterns stand for.
func sourcesFS(fsys fs.FS, patterns []string) ([]Source, error) {
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	var sources []Source
	seen := map[string]bool{}
	for _, pattern := range patterns {
		names, err := filesFS(fsys, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if seen[name] {
				continue
			}
			seen[name] = true
			text, err := fs.ReadFile(fsys, name)
			if err != nil {
				return nil, err
			}
			sources = append(sources, Source{Name: name, Text: string(text)})
		}
	}
	return sources, nil
}

// filesFS lists the files that a name or pattern stands for.
func filesFS(fsys fs.FS, pattern string) (files []string, err error) {
	name := path.Clean(pattern)
	info, err := fs.Stat(fsys, name)
	if err == nil && !info.IsDir() {
		return []string{name}, nil
	}
	names := []string{name}
	if err != nil {
		if names, err = matchesFS(fsys, name, err); err != nil {
			return nil, err
		}
	}
	for _, name := range names {
		below, err := belowFS(fsys, name)
		if err != nil {
			return nil, err
		}
		files = append(files, below...)
	}
	if len(files) == 0 {
		return nil, &fs.PathError{Op: "load", Path: pattern, Err: errors.New("there are no .pl files in this folder")}
	}
	return files, nil
}

// matchesFS lists the files and folders that a pattern matches and that are not hidden. missing is the
// error of the pattern as a name.
func matchesFS(fsys fs.FS, pattern string, missing error) ([]string, error) {
	if !strings.ContainsAny(pattern, `*?[\`) {
		return nil, missing
	}
	names, err := fs.Glob(fsys, pattern)
	if err != nil {
		return nil, &fs.PathError{Op: "load", Path: pattern, Err: err}
	}
	var shown []string
	for _, name := range names {
		if !hiddenMatch(pattern, name) {
			shown = append(shown, name)
		}
	}
	if len(shown) == 0 {
		return nil, &fs.PathError{Op: "load", Path: pattern, Err: fmt.Errorf("no file matches: %w", fs.ErrNotExist)}
	}
	return shown, nil
}

// hiddenMatch reports whether a name, or that of a folder on the way, begins with a dot and the part of
// the pattern that it matches does not.
func hiddenMatch(pattern, name string) bool {
	parts := strings.Split(pattern, "/")
	for i, part := range strings.Split(name, "/") {
		if folder.Hidden(part) && !folder.Hidden(parts[i]) {
			return true
		}
	}
	return false
}

// belowFS lists the files of a program in a folder, or the file itself if it is one of a program.
func belowFS(fsys fs.FS, name string) ([]string, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		if folder.IsProgram(name) {
			return []string{name}, nil
		}
		return nil, nil
	}
	var failed error
	files, _ := folder.In(fsys).Files(name, func(_ string, err error) { failed = errors.Join(failed, err) })
	return files, failed
}

// fsFiles opens the files of a file system.
type fsFiles struct{ fsys fs.FS }

func (f fsFiles) OpenRead(name string) (io.ReadCloser, error) {
	return f.fsys.Open(f.name(name))
}

// name is the name in the file system for a path of the program.
func (f fsFiles) name(name string) string {
	if name = path.Clean(strings.TrimPrefix(name, "/")); name == "" {
		return "."
	}
	return name
}

// Stat describes a file or folder.
func (f fsFiles) Stat(name string) (fs.FileInfo, error) { return fs.Stat(f.fsys, f.name(name)) }

// ReadDir lists a folder.
func (f fsFiles) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(f.fsys, f.name(name)) }

// ReadLink returns where a link leads.
func (f fsFiles) ReadLink(name string) (string, error) { return fs.ReadLink(f.fsys, f.name(name)) }

// Folder is the root of the file system.
func (f fsFiles) Folder() string { return "/" }
