package load

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines how the files and libraries named by directives are found and loaded.

// NotFound is the error of a goal that loads a file or library that cannot be found.
type NotFound struct {
	Spec    term.Term
	Message string
}

// Error is the message, without the specification.
func (n *NotFound) Error() string { return n.Message }

// Refused is the error of a goal whose load or import would change the calls of other runs from which it is isolated.
type Refused struct {
	Action, Into string // of a permission error: an atom, or module:atom
	Type         string
	Culprit      term.Term
	Message      string
}

// Error is the message; the parts of the permission error are in the fields.
func (r *Refused) Error() string { return r.Message }

// missing reports a file or library that cannot be found, to the loading goal if there is one. A missing library is a
// warning, as its predicates become unknown procedures when they are called.
func (l *Loader) missing(sev source.Severity, code, format string, args ...any) {
	if l.forGoal {
		l.notFound = &NotFound{l.spec, fmt.Sprintf(format, args...)}
		return
	}
	l.report(sev, code, format, args...)
}

// loadSpec loads the file of a specification and returns its module. It returns nil after an error. Libraries are
// searched in the system, and then in the folders of the alias library.
func (l *Loader) loadSpec(spec term.Term) *database.Module {
	for {
		args, ok := term.Is(spec, ":", 2)
		if !ok {
			break
		}
		spec = args[1]
	}
	if args, ok := term.Is(spec, "library", 1); ok {
		name := pathText(args[0])
		if module := l.p.LoadLibrary(name); module != nil {
			return module
		}
		if module, ok := l.loadAlias(spec); ok {
			return module
		}
		l.missing(source.SeverityWarning, "library", "%s", missingLibrary(name))
		return nil
	}
	if c, ok := spec.(*term.Compound); ok && len(c.Args) == 1 {
		module, ok := l.loadAlias(spec)
		if !ok {
			l.missing(source.SeverityError, "file", "%s: no such file in the folders of user:file_search_path/2",
				syntax.ShowTerm(spec))
		}
		return module
	}
	name, ok := fileName(spec)
	if !ok {
		l.missing(source.SeverityError, "file", "%s is not a file name", syntax.ShowTerm(spec))
		return nil
	}
	return l.loadFile(name)
}

// missingLibrary reports that there is no library of a name. It gives the reason if the omission is deliberate.
func missingLibrary(name string) string {
	if reason := lib.Absent(name); reason != "" {
		return "there is no library(" + name + "): " + reason
	}
	return "there is no library(" + name + ")" + spell.Hint(name, lib.Names())
}

// pathText returns the text of a path such as a, 'a/b' or a/b.
func pathText(t term.Term) string {
	var parts []string
	for {
		args, ok := term.Is(t, "/", 2)
		if !ok {
			break
		}
		last, _ := term.Text(args[1])
		parts = append([]string{last}, parts...)
		t = args[0]
	}
	first, _ := term.Text(t)
	return strings.Join(append([]string{first}, parts...), "/")
}

// fileName returns the path of a file specification such as 'a.pl' or dir/a.
func fileName(t term.Term) (string, bool) {
	if _, ok := term.Is(t, "/", 2); ok {
		return pathText(t), true
	}
	return term.Text(t)
}

// loadAlias loads the file of Alias(Path), which it searches in the folders of the alias. ok is false if there is none.
// A relative path is first resolved against the folder of the loading file and then used unchanged.
func (l *Loader) loadAlias(spec term.Term) (module *database.Module, ok bool) {
	for _, name := range l.aliasPaths(spec, 0) {
		for _, at := range []string{l.resolveFile(name), name} {
			if known, ok := l.loadedAs(at); ok {
				return known, true
			}
			if found, text, err := l.openFile(at); err == nil {
				return l.loadText(found, text), true
			}
		}
	}
	return nil, false
}

// The limits of the search for the folders of an alias: the nesting of aliases, and the number of paths that are tried.
const (
	maxAliasDepth = 16
	maxAliasPaths = 256
)

// searchPaths lists the predicates that define the folders of an alias, with the arguments before the folder.
var searchPaths = []struct {
	functor code.Cell
	alias   term.Atom // the folders of user only
}{
	{functor: code.Functor("file_search_path", 2)},
	{functor: code.Functor("library_directory", 1), alias: "library"},
}

// aliasPaths returns the paths that Alias(Path) may stand for, in the order of the clauses of user:file_search_path/2.
func (l *Loader) aliasPaths(spec term.Term, depth int) []string {
	c, ok := spec.(*term.Compound)
	if !ok || len(c.Args) != 1 {
		if name, ok := fileName(spec); ok {
			return []string{name}
		}
		return nil
	}
	if depth == maxAliasDepth {
		l.report(source.SeverityError, "file", "user:file_search_path/2 does not come to an end for %s",
			syntax.ShowTerm(spec))
		return nil
	}
	var list []string
	for _, folder := range l.aliasFolders(c.Functor) {
		for _, path := range l.aliasPaths(folder, depth+1) {
			if len(list) < maxAliasPaths {
				list = append(list, path+"/"+pathText(c.Args[0]))
			}
		}
	}
	return list
}

// aliasFolders returns what the program says that an alias stands for. An exception of such a predicate is reported,
// and it then defines no folder.
func (l *Loader) aliasFolders(alias term.Atom) []term.Term {
	var folders []term.Term
	for _, s := range searchPaths {
		pred := l.p.db.User().Find(s.functor)
		if pred == nil || !pred.Defined() || s.alias != "" && s.alias != alias {
			continue
		}
		x, list := term.NewVar("X"), term.NewVar("List")
		goal := term.New(term.Atom(pred.Name()), x)
		if s.alias == "" {
			goal = term.New(term.Atom(pred.Name()), alias, x)
		}
		found, err := l.solve(term.New("findall", x, goal, list), []*term.Var{list}, l.p.db.User())
		if err != nil {
			l.exception("file_search_path", err)
			continue
		}
		items, _ := term.Slice(found[0])
		folders = append(folders, items...)
	}
	return folders
}

// resolveFile resolves a path against the folder of the file being loaded.
func (l *Loader) resolveFile(name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(path.Dir(l.name), name)
}

// suffixes lists the suffixes that the name of a file may omit.
var suffixes = []string{"", ".pl", ".prolog"}

// openFile reads a file. Its name may omit .pl or .prolog. The error is that of the unchanged name, unless only a
// longer name exists.
func (l *Loader) openFile(name string) (found, text string, err error) {
	if l.files() == nil {
		return "", "", errNoFiles
	}
	err = fs.ErrNotExist
	for _, suffix := range suffixes {
		text, openErr := l.readWhole(name + suffix)
		if openErr == nil {
			return name + suffix, text, nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = openErr
		}
	}
	return "", "", err
}

// errNoFiles is the error of a program that may read no files.
var errNoFiles = errors.New("this program may not read files")

// readFile reads a file named in a directive. It resolves the name against the folder of the file being loaded, and
// then against the working folder.
func (l *Loader) readFile(given string) (found, text string, ok bool) {
	name := l.resolveFile(given)
	found, text, err := l.openFile(name)
	if errors.Is(err, fs.ErrNotExist) && name != given {
		if found, text, err := l.openFile(given); err == nil {
			return found, text, true
		}
	}
	switch {
	case err == nil:
		return found, text, true
	case err == errNoFiles:
		l.missing(source.SeverityError, "file", "%s: %s", name, err)
	case errors.Is(err, fs.ErrNotExist):
		l.missing(source.SeverityError, "file", "there is no file %s", withSuffix(name))
	default:
		l.missing(source.SeverityError, "file", "%s cannot be read: %s", name, rootCause(err))
	}
	return "", "", false
}

// readWhole reads a file to its end.
func (l *Loader) readWhole(name string) (string, error) {
	open := l.files().OpenRead
	if files, ok := l.files().(sourceFS); ok {
		open = func(name string) (io.ReadCloser, error) { return files.OpenSource(name, l.name) }
	}
	f, err := open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	return string(data), err
}

// files returns the file system for the files that the current term names.
func (l *Loader) files() builtin.FS {
	if l.Restricted() {
		return l.p.opts.RestrictedFiles
	}
	return l.p.opts.Files
}

// sourceFS is implemented by file systems that show more files to loads than to goals.
type sourceFS interface {
	OpenSource(name, from string) (io.ReadCloser, error)
}

// withSuffix returns the name of a file, with .pl if it has no suffix.
func withSuffix(name string) string {
	if path.Ext(name) != "" {
		return name
	}
	return name + ".pl"
}

// rootCause returns an error without the operation and the path, which the report gives itself.
func rootCause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// maxIncludeDepth bounds the nesting of files that load or include each other. The limit also stops a file that
// includes itself.
const maxIncludeDepth = 64

// loadedAs returns the module of a file that is loaded, or being loaded.
func (l *Loader) loadedAs(name string) (*database.Module, bool) {
	for _, suffix := range suffixes {
		key := l.p.canonical(name + suffix)
		if m, ok := l.p.loaded[key]; ok && !l.reloads(key) {
			return m, true
		}
	}
	return nil, false
}

// loadFile loads a file unless it is loaded. It returns the module that the file defines, or the loading module.
func (l *Loader) loadFile(name string) *database.Module {
	if m, ok := l.loadedAs(l.resolveFile(name)); ok {
		return m
	}
	found, text, ok := l.readFile(name)
	if !ok {
		return nil
	}
	if m, ok := l.loadedAs(found); ok {
		return m
	}
	return l.loadText(found, text)
}

// loadText loads the text of a file that this one names. It returns the same as loadSpec.
func (l *Loader) loadText(name, text string) *database.Module {
	if l.isolated {
		l.refused = &Refused{"load", "", "source", l.spec, "the call is isolated, and the file would be loaded for all"}
		return nil
	}
	if l.depth >= maxIncludeDepth {
		l.report(source.SeverityError, "file", "files load each other more than %d deep", maxIncludeDepth)
		return nil
	}
	key := l.p.canonical(name)
	if known, ok := l.p.loaded[key]; ok && l.reloads(key) {
		defer l.importAgain(known, l.p.importers(known))
		l.p.unload(name)
		if known.File == name {
			l.p.definer.Unexport(known)
		}
	}
	l.p.open[key] = true
	defer delete(l.p.open, key)
	l.p.noteText(key, text)
	// Files that this one loads may load it in turn, and then find it loaded.
	l.p.loaded[key] = l.module
	sub, before := l.p.newLoader(name, l.module), len(l.p.Sources())
	sub.depth, sub.nested, sub.needsHeader, sub.moduleName = l.depth+1, true, l.needsHeader, l.moduleName
	sub.run(text)
	if sub.noHeader != nil {
		l.noHeader = sub.noHeader
		delete(l.p.loaded, key)
		return nil
	}
	sub.runOwnInitGoals()
	l.p.loaded[key] = sub.module
	l.p.addSource(database.SourceFile{Name: name, Module: sub.module.Name, From: l.name, Line: l.at().Line}, before)
	return sub.module
}

// include runs include(File), which loads the text of the file as a part of this one.
func (l *Loader) include(args []term.Term) {
	l.each(args[0], func(_ *database.Module, t term.Term) {
		name, ok := fileName(t)
		if !ok {
			if paths := l.aliasPaths(t, 0); len(paths) > 0 {
				name, ok = paths[0], true
			}
		}
		if !ok {
			l.report(source.SeverityError, "file", "%s is not a file name", syntax.ShowTerm(t))
			return
		}
		if l.depth >= maxIncludeDepth {
			l.report(source.SeverityError, "file", "files include each other more than %d deep", maxIncludeDepth)
			return
		}
		found, text, ok := l.readFile(name)
		if !ok {
			return
		}
		part := l.included(found)
		l.p.notePart(part.includedBy, found)
		part.run(text)
		l.initGoals = append(l.initGoals, part.initGoals...)
		l.last = part.last
	})
}

// sourceExists reports whether a specification names a file or library that can be loaded.
func (l *Loader) sourceExists(spec term.Term) bool {
	if args, ok := term.Is(spec, "library", 1); ok {
		if _, ok := lib.Source(lib.Canonical(pathText(args[0]))); ok {
			return true
		}
	}
	for _, name := range l.aliasPaths(spec, 0) {
		for _, at := range []string{l.resolveFile(name), name} {
			if _, _, err := l.openFile(at); err == nil {
				return true
			}
		}
	}
	return false
}
