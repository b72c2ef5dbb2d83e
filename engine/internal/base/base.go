// Package base makes the base: the program that every program starts from. It holds the built-in predicates, written
// in Go and in Prolog, and the libraries that the process has loaded before.
//
// [New] returns a clone of the base, which all programs share. The base comes from an image in the binary. The package
// also defines the predicates that inspect or change the program as a whole, and the manual of all predicates.
package base

import (
	"context"
	"slices"
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
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
		streams := builtin.NewIO(builtin.IOOptions{Flags: p.Flags()})
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
		values, exported := []term.Term{}, map[int]*term.Var{}
		for _, c := range m.Answer() {
			values = append(values, m.ExportWith(c, exported))
		}
		return values, false, m.Tx().Commit()
	}
}
