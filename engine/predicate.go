package engine

import (
	"context"
	"iter"

	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines predicates written in Go.

// Predicate is a predicate written in Go. Exactly one of Call, Solve and Waits is set. [Func1], [Each1]
// and those like them make predicates of plain functions. The functions are called by whatever goroutine
// runs the goal; goals that run at the same time call them at the same time.
type Predicate struct {
	// Name and Arity; Module is where it is defined, "" stands for system, seen everywhere.
	Name   string
	Arity  int
	Module string
	// Modes and Doc describe it as in "+atom, -integer" and one sentence.
	Modes, Doc string
	// Call runs a predicate with at most one answer. It returns false to fail, an error to
	// throw: one that is or wraps an *Exception, see [Throw], throws the term of that, any other
	// throws error(system_error, context(_, Message)). [Exception.Unwrap] leads back to the error.
	Call func(c *Call) (bool, error)
	// Solve returns the answers: for each the terms that the arguments are to be unified with, where
	// nil leaves an argument as it is. Answers are asked for one by one as the goal wants them; the
	// sequence is stopped when it wants no more, after a cut, an exception or the end of the run at the
	// latest. An error ends the answers and is thrown as one of Call is.
	Solve func(c *Call) iter.Seq2[[]Term, error]
	// Waits makes the predicate wait for [Run.Resume]; the answer is its last argument.
	Waits bool
}

// Call is a call of a predicate written in Go. It is valid during the call only.
type Call struct {
	m    *machine.Machine
	args []code.Cell
}

// Context is the context of the run.
func (c *Call) Context() context.Context { return c.m.Context() }

// Host is what [RunOptions.Host] holds.
func (c *Call) Host() any { return builtin.Of(c.m).Host }

// Arg returns argument i, from 0. Equal variables in several arguments are equal only within
// one Arg; use Args for all of them at once.
func (c *Call) Arg(i int) Term { return c.m.Export(c.args[i]) }

// Args returns all arguments.
func (c *Call) Args() []Term {
	vars := map[int]*term.Var{}
	list := make([]Term, len(c.args))
	for i, a := range c.args {
		list[i] = c.m.ExportWith(a, vars)
	}
	return list
}

// Unify unifies argument i, from 0, with a term. Variables of the term are fresh.
func (c *Call) Unify(i int, t Term) bool { return c.m.Unify(c.args[i], c.m.Import(t)) }

// builtin returns the entry for the machine.
func (p *Predicate) builtin() machine.Builtin {
	b := machine.Builtin{Name: p.Name, Arity: p.Arity, Module: p.Module, Modes: p.Modes, Doc: p.Doc}
	switch {
	case p.Waits:
		b.Func = func(*machine.Machine, []code.Cell) (bool, error) { return false, machine.ErrSuspend }
	case p.Solve != nil:
		b.Nondet = true
		b.Func = p.solve
	default:
		b.Func = func(m *machine.Machine, a []code.Cell) (bool, error) {
			ok, err := p.Call(&Call{m, a})
			return ok, throwable(m, err)
		}
	}
	return b
}

// solve runs a predicate of several answers.
func (p *Predicate) solve(m *machine.Machine, a []code.Cell) (bool, error) {
	c := &Call{m, a}
	next, stop := iter.Pull2(p.Solve(c))
	return m.Sequence(func(m *machine.Machine, a []code.Cell) (ok, more bool, err error) {
		c.args = a
		answer, err, more := next()
		if !more || err != nil {
			return false, false, throwable(m, err)
		}
		vars := map[*term.Var]code.Cell{}
		ok = true
		for i := 0; ok && i < len(a) && i < len(answer); i++ {
			if answer[i] != nil {
				ok = m.Unify(a[i], m.ImportWith(answer[i], vars))
			}
		}
		return ok, true, nil
	}, stop)
}
