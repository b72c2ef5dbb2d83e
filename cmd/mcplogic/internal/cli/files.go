package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/format"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines how the commands find, read and replace files.

// PathError says in words why a path leads to no files. It returns nil if it leads to some. Commands ask it
// where the error of the system would say too little.
func PathError(path string) error {
	_, err := new(kb.Options).Sources([]string{path})
	var report source.Diagnostics
	if errors.As(err, &report) {
		return fmt.Errorf("%s: %s", path, report[0].Message)
	}
	return nil
}

// FileExists reports whether a path leads to a file. A folder is none.
func FileExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// ProgramFiles lists the rules and tests below a folder: rules first, because tests use their operators. Hidden files
// are left out.
func ProgramFiles(root string) ([]string, error) {
	tests, err := testFiles(root)
	if err != nil {
		return nil, err
	}
	sources, _ := new(kb.Options).Files([]string{root})
	return append(sources, tests...), nil
}

// testFiles lists the *.plt files below a folder. Hidden files and folders are left out, as they are when
// rules are loaded. The order is that of the paths.
func testFiles(root string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path != root && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
		case !d.IsDir() && filepath.Ext(path) == ".plt":
			files = append(files, path)
		}
		return nil
	})
	return files, err
}

// OpenSource returns the text of a file that a directive names, as include/1 does, or that is to be read as a program.
// ok is false for what is no regular file, too large or cannot be read.
func OpenSource(path string) (string, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > format.MaxBytes {
		return "", false
	}
	text, err := os.ReadFile(path)
	return string(text), err == nil
}

// ReplaceFile writes a text in place of a file, as WriteWhole does. The file keeps its permissions, but not its owner
// or other hard links.
func ReplaceFile(name, text string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	return WriteWhole(name, info.Mode().Perm(), func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// WriteWhole writes a file, all or nothing: under a temporary name in the same folder, since a rename does not cross
// file systems, and then under its own. A file that is there is replaced; a link stays a link, and its target is
// replaced; what is no file, such as a pipe, is written to. Nothing is forced to the disk: the promise holds when the
// process dies, and not when the machine does.
func WriteWhole(name string, mode fs.FileMode, write func(io.Writer) error) error {
	for range 40 { // links, as many as systems follow
		link, err := os.Readlink(name)
		if err != nil {
			break
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(name), link)
		}
		name = link
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Chmod(mode), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// TestPaths lists the files that paths stand for, and reports whether there are tests among them. Rules bring the
// tests beside them along, and tests the rules. All rules come before all tests, so that tests find them loaded.
func TestPaths(args []string) (all []string, tested bool, err error) {
	var paths, tests []string
	within := false // a file of rules has tests in it
	for _, path := range args {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, false, cmp.Or(PathError(path), err)
		case info.IsDir():
			found, err := testFiles(path)
			if err != nil {
				return nil, false, err
			}
			paths, tests = append(paths, path), append(tests, found...)
		case filepath.Ext(path) == ".plt":
			paths, tests = append(paths, existing(sibling(path, ".pl"))...), append(tests, path)
		default:
			paths, tests = append(paths, path), append(tests, existing(sibling(path, ".plt"))...)
			within = within || holdsTests(path)
		}
	}
	return append(paths, tests...), within || len(tests) > 0, nil
}

// holdsTests reports whether a file of rules seems to have tests in it. It searches the text: a comment with
// begin_tests( costs only a run without tests.
func holdsTests(path string) bool {
	text, err := os.ReadFile(path)
	return err == nil && bytes.Contains(text, []byte("begin_tests("))
}

// sibling returns the path with another extension: the tests of rules, or the rules of tests.
func sibling(path, ext string) string { return strings.TrimSuffix(path, filepath.Ext(path)) + ext }

// existing returns the path as a list, which is empty if there is no such file. Rules need not have tests
// beside them.
func existing(path string) []string {
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	return []string{path}
}

// UserFolder returns the folder of mcplogic below one that the XDG base directory specification names by a variable,
// or by its place in the home folder. It is "" if the user has none.
func UserFolder(variable string, place ...string) string {
	folder := os.Getenv(variable)
	if !filepath.IsAbs(folder) { // which the specification wants ignored
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		folder = filepath.Join(home, filepath.Join(place...))
	}
	return filepath.Join(folder, "mcplogic")
}
