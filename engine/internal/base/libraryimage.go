package base

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/packed"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the images of libraries. An image is the result of reading, compiling and linking the text of a
// library. A program takes the images of the libraries that it uses. It reads the text of a library without an image,
// or whose image was made from another text. The hooks of a library are always read from their text. A test compares
// the images with the texts.

// librariesImage holds the images. It begins with the fingerprint of the built-ins and the compiler that made them,
// and with the checksum of the list of libraries that follows.
//
//go:embed libraries.image
var librariesImage string

// libraryImage is a library with an image.
type libraryImage struct {
	key, module string
	source      uint64      // the checksum of its text
	ops         []syntax.Op // the operators that it defines in user
	needs       []string    // keys of the libraries that its code refers to, directly or through others, and its own
	sum         uint64      // the checksum of body
	body        string      // a module of package database
}

// libraryImages returns the images of libraries by their keys. It is empty if another compiler or base made them.
var libraryImages = sync.OnceValue(func() map[string]*libraryImage { return readLibraries(librariesImage) })

// LibraryImages makes the images of all libraries of the core that can have one. The command behind go generate writes
// them to the file that is embedded here. The error is that of a library that does not load.
func LibraryImages() ([]byte, error) {
	base := build()
	p, err := withAllLibraries(base)
	if err != nil {
		return nil, err
	}
	added, list := p.OwnOps(), map[string]*libraryImage{}
	refers := map[string]map[string]bool{}
	for _, key := range slices.Sorted(maps.Keys(added)) {
		l, others, ok := packLibrary(p, key, added[key].All())
		if ok {
			list[key], refers[key] = l, others
		}
	}
	known := maps.Clone(list)
	for key := range base.Loaded() {
		known[key] = nil
	}
	for _, others := range refers {
		for other := range others {
			if base.DB().FindModule(other) != nil { // hooks in a module that every program has, such as prolog
				known[other] = nil
			}
		}
	}
	for len(list) > 0 && dropIncomplete(list, known, refers) {
	}
	for key, l := range list {
		for _, other := range closure(key, refers) {
			if list[other] != nil {
				l.needs = append(l.needs, other)
			}
		}
	}
	return writeLibraries(base, list), nil
}

// withAllLibraries returns a program with all libraries of the core that may have an image. The error lists what is
// wrong in their texts.
func withAllLibraries(base *load.Program) (*load.Program, error) {
	trial := base
	for _, name := range lib.Core() {
		if trial.Loaded()[load.LibraryKey+name] != nil {
			continue
		}
		next, err := withLibrary(trial, name)
		if err != nil {
			return nil, fmt.Errorf("library(%s) does not load: %w", name, err)
		}
		trial = cmp.Or(next, trial)
	}
	p, hooked := base.Clone(), trial.Clone() // hooked has the parts that have no images
	p.Configure(load.Options{Solve: solver(p)})
	p.KeepOpsApart()
	hooked.Configure(load.Options{Solve: solver(hooked)})
	for _, key := range slices.Sorted(maps.Keys(trial.Loaded())) {
		if base.Loaded()[key] == nil {
			p.LoadLibrary(strings.TrimPrefix(key, load.LibraryKey))
			hooked.LoadHooks(key)
		}
	}
	p.Seal() // a clone would not have all that the packer needs
	return p, hooked.Diagnostics().Err()
}

// withLibrary returns a program that also has a library and the libraries that it loads. It returns nil if one of them
// cannot have an image.
func withLibrary(old *load.Program, name string) (*load.Program, error) {
	p := old.Clone()
	p.Configure(load.Options{Solve: solver(p)})
	p.KeepOpsApart()
	known, clauses := len(p.DB().Preds()), countClauses(p.DB().Preds())
	p.LoadLibrary(name)
	p.Seal()
	if !isSelfContained(p, p.OwnOps(), known) || countClauses(p.DB().Preds()[:known]) != clauses {
		return nil, p.Diagnostics().Err()
	}
	return p, nil
}

func countClauses(preds []*database.Pred) int {
	n := 0
	for _, pred := range preds {
		n += len(pred.Clauses())
	}
	return n
}

// isSelfContained reports whether the added libraries define predicates in modules of libraries only, and the same
// ones for every program. Their predicates are those after the first known ones.
func isSelfContained(p *load.Program, added map[string]*syntax.Ops, known int) bool {
	if !p.HasOnlyClauses() {
		return false
	}
	for key := range added {
		if m := p.Loaded()[key]; !m.Library || m == p.DB().System() {
			return false
		}
	}
	for _, pred := range p.DB().Preds()[known:] {
		foreign := pred.Defined() && !pred.Module.Library
		if foreign || pred.Has(database.Dynamic) && len(pred.Clauses()) > 0 {
			return false
		}
	}
	return true
}

// packLibrary makes the image of a library, without its needs, and returns the keys of the libraries that it refers
// to. A module of no library has its name as its key. ok is false if there can be no image.
func packLibrary(p *load.Program, key string, ops []syntax.Op) (l *libraryImage, refers map[string]bool, ok bool) {
	m := p.Loaded()[key]
	var w packed.Writer
	others, err := p.DB().PackModule(&w, m)
	if err != nil {
		return nil, nil, false
	}
	refers = map[string]bool{}
	for _, other := range others {
		refers[keyOf(p, other)] = true
	}
	body := string(w.Bytes)
	return &libraryImage{key: key, module: m.Name, source: sourceSum(key), ops: ops, sum: packed.NewReader(body).Sum(),
		body: body}, refers, true
}

// keyOf returns the key of the library that defines a module. It returns "" for the modules system and user, and the
// name of any other module.
func keyOf(p *load.Program, m *database.Module) string {
	if m == p.DB().System() || m == p.DB().User() {
		return ""
	}
	for key, of := range p.Loaded() {
		if of == m {
			return key
		}
	}
	return m.Name
}

// dropIncomplete removes the libraries that refer to one which is not known. It reports whether there were any.
func dropIncomplete(list, known map[string]*libraryImage, refers map[string]map[string]bool) bool {
	n := len(list)
	for key := range list {
		for other := range refers[key] {
			if _, ok := known[other]; !ok && other != "" {
				delete(list, key)
				delete(known, key)
			}
		}
	}
	return len(list) < n
}

// sourceSum returns the checksum of the text of a library.
func sourceSum(key string) uint64 {
	h := packed.NewHash()
	lib.WriteSources(&h, []string{strings.TrimPrefix(key, load.LibraryKey)})
	return uint64(h)
}

// writeLibraries writes the images of libraries.
func writeLibraries(base *load.Program, list map[string]*libraryImage) []byte {
	var w packed.Writer
	keys := slices.Sorted(maps.Keys(list))
	w.Int(len(keys))
	for _, key := range keys {
		l := list[key]
		w.Text(key)
		w.Text(l.module)
		w.Word(l.source)
		w.Int(len(l.ops))
		for _, op := range l.ops {
			w.Int(op.Priority)
			w.Int(int(op.Type))
			w.Text(string(op.Name))
		}
		w.Int(len(l.needs))
		for _, need := range l.needs {
			n, _ := slices.BinarySearch(keys, need)
			w.Int(n)
		}
		w.Word(l.sum)
		w.Int(len(l.body))
	}
	var file packed.Writer
	file.Word(fingerprint(base.Builtins(), slices.Sorted(maps.Keys(base.Loaded()))))
	file.Word(packed.NewReader(string(w.Bytes)).Sum())
	file.Text(string(w.Bytes))
	for _, key := range keys {
		file.Bytes = append(file.Bytes, list[key].body...)
	}
	return file.Bytes
}

// readLibraries returns the libraries of a file of images by their keys. It returns none if the file is damaged or has
// another fingerprint than this process.
func readLibraries(file string) map[string]*libraryImage {
	r, base := packed.NewReader(file), shared()
	made, sum := r.Word(), r.Word()
	index := packed.NewReader(r.Text())
	if r.Bad() || index.Sum() != sum || made != fingerprint(base.Builtins(), slices.Sorted(maps.Keys(base.Loaded()))) {
		return nil
	}
	list := make([]libraryImage, index.Count())
	byKey := make(map[string]*libraryImage, len(list))
	needs := make([][]int, len(list))
	for i := range list {
		l := &list[i]
		l.key, l.module, l.source = index.Text(), index.Text(), index.Word()
		l.ops = make([]syntax.Op, index.Count())
		for j := range l.ops {
			l.ops[j] = syntax.Op{Priority: index.Below(1201), Type: syntax.OpType(index.Below(int(syntax.YF) + 1)),
				Name: term.Atom(index.Text())}
		}
		needs[i] = make([]int, index.Count())
		for j := range needs[i] {
			needs[i][j] = index.Below(len(list))
		}
		l.sum = index.Word()
		l.body = r.Bytes(int(index.Uint()))
		byKey[l.key] = l
	}
	if r.Err() != nil || index.Err() != nil {
		return nil
	}
	for i := range list {
		for _, n := range needs[i] {
			list[i].needs = append(list[i].needs, list[n].key)
		}
	}
	return byKey
}

// fresh reports whether the image was made from the present text of the library, and is not damaged.
func (l *libraryImage) fresh() bool {
	return l.source == sourceSum(l.key) && l.sum == packed.NewReader(l.body).Sum()
}

// New returns a program without clauses of its own.
func New() *load.Program {
	p := shared().Clone()
	p.UseLibraries(func(key string) *database.Module { return takeLibrary(p, key) })
	return p
}

// takeLibrary adds a library and those that it needs to a program from their images, and returns its module. It returns
// nil if one has no image of its text, or if the program has a module of its own with the name of one of them. The
// program then reads the library.
func takeLibrary(p *load.Program, key string) *database.Module {
	l := libraryImages()[key]
	if l == nil {
		return nil
	}
	var missing []*libraryImage
	var bodies []*packed.Reader
	for _, need := range l.needs {
		switch m, ok := p.Loaded()[need]; {
		case ok && m == p.DB().System():
			return nil // the program is reading it
		case !ok:
			other := libraryImages()[need]
			if !other.fresh() {
				return nil
			}
			missing = append(missing, other)
			bodies = append(bodies, packed.NewReader(other.body))
		}
	}
	if !p.DB().AddModules(bodies) {
		return nil
	}
	for _, other := range missing {
		p.Loaded()[other.key] = p.DB().FindModule(other.module)
		p.AddLibraryOps(other.ops)
	}
	for _, other := range missing {
		p.LoadHooks(other.key)
	}
	return p.Loaded()[key]
}

// closure returns key and all keys that can be reached from it.
func closure(key string, direct map[string]map[string]bool) []string {
	seen := map[string]bool{key: true}
	list := []string{key}
	for i := 0; i < len(list); i++ {
		for _, other := range slices.Sorted(maps.Keys(direct[list[i]])) {
			if !seen[other] {
				seen[other] = true
				list = append(list, other)
			}
		}
	}
	return list
}
