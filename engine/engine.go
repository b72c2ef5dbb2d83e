// Package engine is an embeddable Prolog.
//
//	prog, err := engine.LoadText("family.pl", text, nil)     // a program
//	for s, err := range prog.Query(ctx, "parent(X, Y)", &engine.RunOptions{  // its answers
//		Bind: map[string]any{"Y": engine.NewAtom("ann")},
//	}) {
//		fmt.Println(s.Text("X"))
//	}
//
// A [Program] holds clauses. [LoadText] and [LoadFS] make a program from texts, as [New] and [Program.Load] do. Load a
// program first; then any number of goroutines may query it. Each query runs on a machine of its own, within limits,
// and sees the program as it was when the query began. [Program.Query] iterates over answers, and [Program.Once]
// returns the first. [Program.Start] returns a [Run], which can wait for something outside and be rolled back.
// [RunOptions] hold the limits, and in Bind the values of the goal's variables. Pass untrusted values in Bind, never as
// a part of the goal's text, where they could be a goal.
//
// [TermOf] converts Go values to terms. [Convert] and [Solution.Scan] convert terms to Go values. Package term defines
// the terms. [Program.Assert] and [Program.AssertAll] add clauses to a program that is being queried. [Options] hold
// predicates written in Go, as values of type [Predicate]; [Func1], [Each1] and similar functions make them from plain
// functions.
//
// The error of a run is an *[Exception], a *[Halt] or an *[Aborted]. An Exception wraps the Go error behind it, if
// there is one. The error of a load is a list of [Diagnostics].
//
// docs/embedding.md goes through all of this with examples. The language is ISO Prolog and the dialect of
// SWI-Prolog; docs/language.md describes it.
package engine

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/base"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/commit"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

//go:generate go run ./internal/lib/index internal/lib/index.go
//go:generate go run ./internal/generate manual ../docs/builtins.md
//go:generate go run ./internal/generate libraries ../docs/language.md
//go:generate go run ./internal/generate decisions ../docs/differences.md
//go:generate go run ./internal/generate diagnostics ../docs/diagnostics.md
//go:generate go run ./internal/generate version internal/compile/version.go
//go:generate go run ./internal/generate image internal/base/base.image
//go:generate go run ./internal/generate images internal/base/libraries.image

// New returns a program without clauses of its own.
func New(o *Options) *Program {
	p := &Program{loaded: base.New()}
	p.db = p.loaded.DB()
	p.machines.New = func() any { return p.loaded.NewMachine() }
	if o != nil {
		p.opts = *o
	}
	p.changes = commit.New(p.loaded, p.opts.Journal)
	p.loaded.Configure(p.loadOptions())
	for _, op := range p.opts.Operators {
		p.addOperator(op)
	}
	if p.opts.Coverage != nil {
		counter := p.opts.Coverage.predicate()
		p.loaded.Define(counter.builtin())
	}
	for i := range p.opts.Predicates {
		p.loaded.Define(p.opts.Predicates[i].builtin())
	}
	return p
}

// loadOptions are those of the options that are about loading.
func (p *Program) loadOptions() load.Options {
	o := load.Options{Solve: p.solve, Declarations: p.opts.Declarations, Canonical: p.opts.Canonical,
		Lenient: p.opts.Lenient, Lint: p.opts.Lint, Databases: p.opts.Databases,
		Limits: machine.Limits{Time: p.opts.DirectiveTime, Memory: p.opts.DirectiveMemory}}
	if p.opts.Files != nil {
		o.Files = p.opts.Files
	}
	if p.opts.LoadCache != nil {
		o.Incremental = p.opts.LoadCache.For(p.loaded)
	}
	if p.opts.Coverage != nil {
		o.Cover = p.opts.Coverage.add
	}
	for _, s := range p.opts.Scattered {
		o.Scattered = append(o.Scattered, functorNamed(s))
	}
	return o
}

func (p *Program) addOperator(op Operator) {
	if typ, ok := syntax.ParseOpType(op.Type); ok {
		p.db.User().Ops.Add(op.Priority, typ, term.Atom(op.Name))
	}
}

// functorNamed returns the functor of an indicator such as "tools/1", 0 for what is none.
func functorNamed(indicator string) code.Cell {
	slash := strings.LastIndexByte(indicator, '/')
	arity, err := strconv.Atoi(indicator[slash+1:])
	if slash < 1 || err != nil || arity < 0 || arity > load.MaxArity {
		return 0
	}
	return code.Functor(indicator[:slash], arity)
}

// LoadText returns the program of one text. The error is a Diagnostics list when the text has
// errors.
func LoadText(name, text string, o *Options) (*Program, error) {
	p := New(o)
	if err := p.Load(context.Background(), Source{Name: name, Text: text}); err != nil {
		return nil, err
	}
	return p, nil
}

// ErrQueried is returned by Load for a program that has been queried: its code may be running. Add
// clauses with Assert, or load another program.
var ErrQueried = errors.New("the program has been queried; it cannot load texts any more")

// Load adds the clauses of texts to a program that has not been queried yet and makes it ready
// for queries. It reads all of them and returns the errors together, as [Diagnostics]; for a program that
// has been queried it is [ErrQueried]. It may be called several times, from one goroutine.
// A context that is done, and a goal that runs into its limit, end the load with an error where it is; see
// [Program.Complete].
func (p *Program) Load(ctx context.Context, sources ...Source) error {
	if p.queried.Load() {
		return ErrQueried
	}
	return p.loaded.Load(ctx, sources...)
}
