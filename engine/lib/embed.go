// Package lib holds the part of the library that is written in Prolog.
//
// Each file is a module. Those under system/ belong to the module system and are loaded when the engine starts;
// the others are loaded when a program asks for them, or when it calls one of their predicates without
// saying so (autoloading). The files under clpfd/ are the parts of library(clpfd). Everything here is read-only and safe for use by many goroutines.
package lib

import (
	"bufio"
	"bytes"
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
)

//go:embed *.pl clpfd/*.pl dcg/*.pl system/*.pl
var files embed.FS

// Indicator names a predicate: name/arity.
type Indicator struct {
	Name  string
	Arity int
}

// aliases are the names SWI-Prolog knows some libraries by.
var aliases = map[string]string{
	"http/json":              "json",
	"http/json_convert":      "json",
	"term_to_json":           "json",
	"backward_compatibility": "backcomp",
	"read_util":              "readutil",
	"prolog_debug":           "debug",
}

// builtinOnly are libraries all of whose predicates are built in or loaded with the module system: loading them does nothing.
var builtinOnly = []string{
	"ansi_term", "apply_macros", "arithmetic", "dialect/hprolog", "dif", "listing", "main", "memfile",
	"operators", "prolog_source", "prolog_stack", "shell", "statistics", "streams", "system", "tabling", "thread",
	"threadutil", "when", "www_browser",
}

// systemFirst are the system files that the others need while they are loaded.
var systemFirst = []string{"system/bags", "system/dcg"}

// Source returns the text of the library of that name, such as "lists" or "dcg/basics", and whether there is one. A library
// whose predicates are all built in is a module that exports nothing.
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
	return unsafe.String(unsafe.SliceData(text), len(text)), err == nil
}

// WriteSources writes the texts of libraries to w, which must not fail, one after the other.
func WriteSources(w io.Writer, names []string) {
	part := make([]byte, 4<<10)
	for _, name := range names {
		file, err := files.Open(name + ".pl")
		if err != nil {
			continue // a library without a text
		}
		_, _ = io.CopyBuffer(w, file, part)
		_ = file.Close()
	}
}

// Canonical returns the name under which a library is stored: an alias is resolved, any other name comes back as it is.
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
func Names() []string {
	return slices.Clone(names())
}

var names = sync.OnceValue(func() []string {
	var found []string
	for _, dir := range []string{".", "dcg"} {
		entries, err := fs.ReadDir(files, dir)
		if err != nil {
			panic("lib: embedded folder is missing: " + err.Error())
		}
		for _, entry := range entries {
			if name, ok := strings.CutSuffix(entry.Name(), ".pl"); ok {
				found = append(found, path.Join(dir, name))
			}
		}
	}
	slices.Sort(found)
	return found
})

// Autoload returns, for each predicate that may be used without loading its library, the name of that library. The grammar
// libraries under dcg/ are not among them, as their names (string//1, integer//1) are too common. The map is shared:
// do not change it.
func Autoload() map[Indicator]string {
	return autoload()
}

var autoload = sync.OnceValue(func() map[Indicator]string {
	index := make(map[Indicator]string, 1<<10)
	for _, name := range names() {
		if strings.HasPrefix(name, "dcg/") {
			continue
		}
		for _, export := range Exports(name) {
			if _, taken := index[export]; !taken {
				index[export] = name
			}
		}
	}
	return index
})

// Meta returns the meta_predicate specification of a predicate that can be autoloaded, a character for each argument ("//" is
// '/'), or "" when it takes no goals. The compiler needs it before the library is loaded.
func Meta(name string, arity int) string {
	return metas()[Indicator{name, arity}]
}

var metas = sync.OnceValue(func() map[Indicator]string {
	found := make(map[Indicator]string)
	libraries := make(map[string]map[Indicator]string)
	for export, library := range autoload() {
		if libraries[library] == nil {
			libraries[library] = declared(library)
		}
		if spec, ok := libraries[library][export]; ok {
			found[export] = spec
		}
	}
	return found
})

// declared reads the meta_predicate declarations of a library, which stand one on a line.
func declared(library string) map[Indicator]string {
	specs := make(map[Indicator]string)
	inside := false
	eachLine(library, func(text []byte) bool {
		line := bytes.TrimSpace(text)
		if string(line) == ":- meta_predicate" {
			inside = true
			return true
		}
		if !inside {
			return true
		}
		inside = bytes.HasSuffix(line, []byte(","))
		name, args, found := strings.Cut(strings.TrimRight(string(line), ",."), "(")
		if !found {
			return true
		}
		var spec []byte
		for arg := range strings.SplitSeq(strings.TrimSuffix(args, ")"), ",") {
			spec = append(spec, strings.TrimSpace(arg)[0])
		}
		specs[Indicator{strings.Clone(strings.Trim(name, "'")), len(spec)}] = string(spec)
		return true
	})
	return specs
}

// Exports returns the predicates that the library of that name exports, read from its module header.
func Exports(name string) []Indicator {
	var exports []Indicator
	inside := false
	eachLine(Canonical(name), func(line []byte) bool {
		if !inside {
			inside = bytes.HasPrefix(line, []byte(":- module("))
			return true
		}
		line = bytes.TrimSpace(line)
		if export, ok := parseExport(string(bytes.TrimSuffix(line, []byte(",")))); ok {
			exports = append(exports, export)
		}
		return string(line) != "])."
	})
	return exports
}

// eachLine calls do with the lines of the text of a library until that returns false. It does not
// make a copy of the text.
func eachLine(name string, do func(line []byte) bool) {
	if !fs.ValidPath(name) {
		return
	}
	file, err := files.Open(name + ".pl")
	if err != nil {
		return
	}
	defer file.Close()
	r := lineReaders.Get().(*bufio.Reader)
	defer lineReaders.Put(r)
	r.Reset(file)
	for err == nil || errors.Is(err, bufio.ErrBufferFull) {
		var line []byte
		line, err = r.ReadSlice('\n') // of a line longer than the buffer, parts
		if len(line) > 0 && !do(line) {
			return
		}
	}
}

var lineReaders = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

// parseExport reads a line of a header, which holds one name/arity or name//arity; operators are passed over.
func parseExport(line string) (Indicator, bool) {
	slash := strings.LastIndexByte(line, '/')
	if slash <= 0 {
		return Indicator{}, false
	}
	arity, err := strconv.Atoi(line[slash+1:])
	if err != nil {
		return Indicator{}, false
	}
	name := line[:slash]
	if len(name) > 1 && strings.HasSuffix(name, "/") && name != "(/" {
		name, arity = name[:len(name)-1], arity+2
	}
	return Indicator{Name: strings.Clone(strings.Trim(name, "()'")), Arity: arity}, true
}
