package base

import (
	_ "embed"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/arith"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/compile"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/packed"
)

// This file defines the image of the built-in program: what reading, compiling and linking the
// part of the system that is written in Prolog comes to, so that a start need not do it. A test
// compares the image with what it is made of.

// baseImage is the image. It begins with the fingerprint of what it was made of and the checksum
// of the rest.
//
//go:embed base.image
var baseImage string

// Image makes the image of the built-in program from its texts. It is for the command that
// writes the image to the file which programs are built with.
func Image() []byte {
	p := build()
	var w packed.Writer
	keys := slices.Sorted(maps.Keys(p.Loaded()))
	w.Int(len(keys))
	for _, key := range keys {
		w.Text(key)
		w.Text(p.Loaded()[key].Name)
	}
	if err := p.DB().Pack(&w); err != nil {
		panic("base: " + err.Error())
	}
	var file packed.Writer
	file.Word(fingerprint(p.Builtins(), keys))
	file.Word(packed.NewReader(string(w.Bytes)).Sum())
	return append(file.Bytes, w.Bytes...)
}

// fromImage returns the program of an image, nil if the image is damaged or was made of
// something else than this process has.
func fromImage(image string) *load.Program {
	r := packed.NewReader(image)
	made, sum := r.Word(), r.Word()
	if r.Bad() || r.Sum() != sum {
		return nil
	}
	return unpack(r, func(table []machine.Builtin, libraries []string) bool {
		return fingerprint(table, libraries) == made
	})
}

// unpack returns the program of the body of an image, nil if it is damaged or does not fit the
// built-in predicates in Go and the libraries, given by their keys, that it contains.
func unpack(r *packed.Reader, fits func(table []machine.Builtin, libraries []string) bool) *load.Program {
	keys := make([]string, r.Count())
	modules := make([]string, len(keys))
	for i := range keys {
		keys[i], modules[i] = r.Text(), r.Text()
	}
	table := builtins()
	if r.Bad() || !fits(table, keys) {
		return nil
	}
	db := database.Unpack(r)
	if db == nil {
		return nil
	}
	loaded := make(map[string]*database.Module, len(keys))
	for i, key := range keys {
		if loaded[key] = db.FindModule(modules[i]); loaded[key] == nil {
			return nil
		}
	}
	p := load.New(db, table, loaded)
	p.MarkBase()
	return p
}

// fingerprint is a hash of what the built-in program is made of: the instructions, the compiler, the
// predicates and functions in Go by their numbers, and the texts.
func fingerprint(table []machine.Builtin, libraries []string) uint64 {
	b := make([]byte, 0, 32*len(table)) // on the heap: the stack need not grow for it
	for op := range code.OpCount {
		b = append(append(b, op.String()...), ' ')
	}
	for i := range table {
		p := &table[i]
		b = append(append(append(b, p.Name...), '/', byte(p.Arity), ' '), p.Meta...)
		b = append(append(b, ' '), p.Module...)
		b = strconv.AppendBool(strconv.AppendBool(b, p.Nondet), p.IsControl())
	}
	b = append(append(arith.AppendFunctions(b), load.CoreNames...), compile.Version...)
	b = append(append(b, machine.ControlSource...), machine.CleanupSource...)
	h := packed.NewHash()
	_, _ = h.Write(b)
	names := lib.System()
	for _, key := range libraries {
		names = append(names, strings.TrimPrefix(key, load.LibraryKey))
	}
	lib.WriteSources(&h, names)
	return uint64(h)
}
