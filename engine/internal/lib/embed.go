// Package lib holds the part of the library that is written in Prolog.
//
// Each file is a module. Those under system/ belong to the module system and are loaded when the engine starts. The
// others are loaded when a program imports them, or when it calls one of their predicates without an import
// (autoloading). A folder with the name of a file, such as clpfd/ beside clpfd.pl, holds the parts of that library. A
// part named hooks has clauses of predicates of other modules. Package packs holds the texts of libraries that rules
// seldom need. Everything here is read-only, and goroutines may share it.
//
// [Source] returns the texts. go generate ./engine reads them and writes index.go: their exports, which arguments are
// goals, and the descriptions of the predicates. So finding the library of a predicate reads no text.
package lib

import (
	"embed"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/mcplogic/mcplogic/packs"
)

//go:embed *.pl */*.pl
var files embed.FS

// Indicator names a predicate: name/arity.
type Indicator struct {
	Name  string
	Arity int
}

// aliases maps other names of libraries in SWI-Prolog to ours.
var aliases = map[string]string{
	"http/json":              "json",
	"term_to_json":           "json",
	"backward_compatibility": "backcomp",
	"read_util":              "readutil",
	"pio":                    "pure_input",
	"clp/clpfd":              "clpfd",
	"clp/clpb":               "clpb",
	"clp/clpq":               "clpq",
	"clp/clpr":               "clpr",
	"clp/simplex":            "simplex",
}

// builtinOnly holds libraries whose predicates are all built in or part of the module system. Loading them does
// nothing.
var builtinOnly = []string{
	"apply_macros", "dif", "fastrw", "help", "listing", "make", "mallocinfo", "modules", "obfuscate", "sched", "system",
	"tabling", "wfs", "when",
}

// systemFirst holds the system files that are loaded first. Directives of the others use them.
var systemFirst = []string{"system/bags", "system/dcg"}

// Source returns the text of the library of that name, such as "lists" or "dcg/basics", and whether there is one. The
// text of a library whose predicates are all built in is a module that exports nothing.
func Source(name string) (string, bool) {
	if target, ok := aliases[name]; ok {
		name = target
	}
	if slices.Contains(builtinOnly, name) {
		return ":- module('" + name + "', [\n]).\n", true
	}
	if !fs.ValidPath(name) {
		return "", false
	}
	text, err := files.ReadFile(name + ".pl") // a copy, so that it may become the string
	if err != nil {
		text, err = packs.Files.ReadFile(name + ".pl")
	}
	return unsafe.String(unsafe.SliceData(text), len(text)), err == nil
}

// Hooks returns the text of the hooks of a library, which has no module header, and whether there is one.
func Hooks(name string) (string, bool) { return Source(name + "/hooks") }

// WriteSources writes the texts of libraries to w, which must not fail, one after the other.
func WriteSources(w io.Writer, libraries []string) {
	part := make([]byte, 4<<10)
	for _, name := range libraries {
		file, err := files.Open(name + ".pl")
		if err != nil {
			continue // a library without a text
		}
		_, _ = io.CopyBuffer(w, file, part)
		_ = file.Close()
	}
}

// Canonical returns the name under which a library is stored. It resolves aliases and returns any other name unchanged.
func Canonical(name string) string {
	if target, ok := aliases[name]; ok {
		return target
	}
	return name
}

// System returns the names of the files of the module system, in the order in which to load them.
func System() []string {
	list := slices.Clone(systemFirst)
	entries, err := fs.ReadDir(files, "system")
	if err != nil {
		panic("lib: embedded folder is missing: " + err.Error())
	}
	for _, entry := range entries {
		name := path.Join("system", strings.TrimSuffix(entry.Name(), ".pl"))
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// Names returns the names of all libraries a program can load, sorted, without those of the module system.
func Names() []string { return slices.Clone(names()) }

var names = sync.OnceValue(func() []string {
	found := append(Core(), namesIn(packs.Files)...)
	slices.Sort(found)
	return found
})

// Core returns the names of the libraries that are not packs, sorted. They need no packs.
func Core() []string { return namesIn(files) }

// namesIn returns the names of the libraries in a folder.
func namesIn(folder fs.FS) (found []string) {
	paths, err := fs.Glob(folder, "*/*.pl")
	top, topErr := fs.Glob(folder, "*.pl")
	if err = errors.Join(err, topErr); err != nil {
		panic("lib: " + err.Error())
	}
	for _, file := range append(top, paths...) {
		if sub := path.Dir(file); sub != "system" && !slices.Contains(top, sub+".pl") {
			found = append(found, strings.TrimSuffix(file, ".pl"))
		}
	}
	slices.Sort(found)
	return found
}

// library is the entry of the index for a text.
type library struct {
	name      string
	operators []string
	exports   []export // in the order of its header
}

// export is a predicate that a library exports.
type export struct {
	Indicator
	line        int    // of the header
	meta        string // the result of Meta
	nonterminal bool
	modes, doc  string // as in Doc; empty when nothing describes it
}

// libraryNamed returns the index entry of a library, or nil.
func libraryNamed(name string) *library {
	name = Canonical(name)
	for i := range index {
		if index[i].name == name {
			return &index[i]
		}
	}
	return nil
}

// askedFor holds libraries, and folders of them, that are not autoloaded. The names of their predicates are too
// common, or mean something only in files that import them.
var askedFor = []string{"chr", "clpb", "clpq", "clpr", "dcg", "dialect", "http", "law", "record", "simplex", "system"}

// autoloaded reports whether the exports of a library may be used without loading it. The grammar libraries under
// dcg/ are not, because their names (string//1, integer//1) are too common.
func (l *library) autoloaded() bool {
	folder, _, _ := strings.Cut(l.name, "/")
	return !slices.Contains(askedFor, folder)
}

// Autoload maps each predicate that may be used without loading its library to the name of that library. The map is
// shared: do not change it.
func Autoload() map[Indicator]string { return autoload() }

var autoload = sync.OnceValue(func() map[Indicator]string {
	found := make(map[Indicator]string, 1<<10)
	for i := range index {
		if l := &index[i]; l.autoloaded() {
			for j := range l.exports {
				if e := &l.exports[j]; found[e.Indicator] == "" {
					found[e.Indicator] = l.name
				}
			}
		}
	}
	return found
})

// builtIn holds the libraries whose predicates are built into SWI-Prolog.
var builtIn = []string{"at_halt", "cleanup", "recorded", "seldom"}

// BuiltIn reports whether a predicate that may be used without loading its library is built into SWI-Prolog.
func BuiltIn(i Indicator) bool { return slices.Contains(builtIn, Autoload()[i]) }

// Meta returns the meta_predicate specification of a predicate that can be autoloaded, one character for each
// argument ("//" is '/'). It returns "" for a predicate that takes no goals. The compiler needs the specification
// before the library is loaded.
func Meta(name string, arity int) string { return metas()[Indicator{name, arity}] }

var metas = sync.OnceValue(func() map[Indicator]string {
	found := make(map[Indicator]string)
	for i := range index {
		if l := &index[i]; l.autoloaded() {
			for j := range l.exports {
				if e := &l.exports[j]; e.meta != "" && found[e.Indicator] == "" {
					found[e.Indicator] = e.meta
				}
			}
		}
	}
	return found
})

// Exports returns the predicates that the library of that name exports, in the order of its header.
func Exports(name string) []Indicator {
	l := libraryNamed(name)
	if l == nil {
		return nil
	}
	list := make([]Indicator, len(l.exports))
	for i := range l.exports {
		list[i] = l.exports[i].Indicator
	}
	return list
}

// Where returns the place, file:line, at which a library exports a predicate, "" if it does not.
func Where(name string, exported Indicator) string {
	if l := libraryNamed(name); l != nil {
		for i := range l.exports {
			if e := &l.exports[i]; e.Indicator == exported {
				return fileOf(l.name) + ":" + strconv.Itoa(e.line)
			}
		}
	}
	return ""
}

// OperatorLibrary returns the name of the library that exports an operator, "" if none does. It ignores operators of
// a single character, such as ? and # of library(chr), since other programs use them too.
func OperatorLibrary(operator string) string {
	if len(operator) == 1 {
		return ""
	}
	for i := range index {
		if slices.Contains(index[i].operators, operator) {
			return index[i].name
		}
	}
	return ""
}
