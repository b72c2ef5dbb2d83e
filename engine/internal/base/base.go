// Package base makes the base: the program that every program starts from. It holds the built-in predicates, written
// in Go and in Prolog.
//
// [New] returns a clone of the base, which all programs share. The base comes from an image in the binary. The package
// also defines the predicates that inspect or change the program as a whole, and the manual of all predicates.
package base

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/arith"
	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/compile"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/packed"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/term"
)

// shared is the program with the built-in predicates alone. It is made once, and other programs are clones of it. An
// image that does not fit the process is ignored.
var shared = sync.OnceValue(func() *load.Program {
	if p := fromImage(baseImage); p != nil {
		return p
	}
	return build()
})

// build makes the program of the built-in predicates from its texts.
func build() *load.Program {
	p := load.New(database.New(), nil, map[string]*database.Module{})
	p.Configure(load.Options{Solve: solver(p)})
	machine.Prepare(p.DB())
	for _, b := range builtins() {
		p.Define(b)
	}
	p.LoadSystem()
	p.SealBase()
	return p
}

// builtins returns the predicates in Go that every program has. The number of a predicate is its index.
func builtins() []machine.Builtin {
	return slices.Concat(machine.Controls(), builtin.Table(), programTable())
}

// solver returns the function that runs the goals of the base's texts. It needs no limits.
func solver(p *load.Program) load.Solve {
	return func(
		ctx context.Context, goal term.Term, vars []*term.Var, module *database.Module, _ bool,
	) ([]term.Term, bool, error) {
		m := p.NewMachine()
		streams := builtin.NewIO(&builtin.IOOptions{Flags: p.Flags()})
		defer func() {
			streams.Close()
			p.SetFlags(streams.FlagSet())
		}()
		m.IO, m.Loading = streams, true
		m.Start(machine.Query{Goal: goal, Vars: vars, Module: module, Direct: true})
		defer m.Reset()
		status, err := m.Run(ctx)
		if err != nil || status != machine.True {
			return nil, false, err
		}
		values := append([]term.Term{}, stacks.ExportAll(&m.Terms, m.Answer())...)
		return values, false, m.Tx().Commit()
	}
}

// This part defines the image of the built-in program: the result of reading, compiling and linking the part of the
// system that is written in Prolog. With the image a process starts without that work. A test compares the image with
// its sources.

// baseImage is the image. It begins with the fingerprint of its sources and the checksum of the rest.
//
//go:embed base.image
var baseImage string

// Image makes the image of the built-in program from its texts. The command behind go generate writes it to the file
// that is embedded here.
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

// fromImage returns the program of an image. It returns nil if the image is damaged or has another fingerprint than
// this process.
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

// Version names the built-in program: its library, its compiler and its predicates in Go. It is the fingerprint and the
// checksums in the heads of both images.
func Version() string { return fmt.Sprintf("%x", baseImage[:16]+librariesImage[8:16]) }

// unpack returns the program of the body of an image. accept decides by the built-in predicates in Go and the keys of
// the libraries in the image. unpack returns nil if the image is damaged or not accepted.
func unpack(r *packed.Reader, accept func(table []machine.Builtin, libraries []string) bool) *load.Program {
	keys := make([]string, r.Count())
	names := make([]string, len(keys))
	for i := range keys {
		keys[i], names[i] = r.Text(), r.Text()
	}
	table := builtins()
	if r.Bad() || !accept(table, keys) {
		return nil
	}
	db := database.Unpack(r)
	if db == nil {
		return nil
	}
	loaded := make(map[string]*database.Module, len(keys))
	for i, key := range keys {
		if loaded[key] = db.FindModule(names[i]); loaded[key] == nil {
			return nil
		}
	}
	p := load.New(db, table, loaded)
	p.MarkBase()
	return p
}

// fingerprint returns a hash of the sources of the built-in program: the instructions, the compiler, the predicates and
// functions in Go in their order, and the texts.
func fingerprint(table []machine.Builtin, libraries []string) uint64 {
	b := make([]byte, 0, 32*len(table)) // one allocation on the heap; the stack does not grow
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
