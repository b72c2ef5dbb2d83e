package engine

import (
	"context"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines predicates written in Go.

// Predicate is a predicate written in Go. Exactly one of Call, Solve and Waits is set.
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
	// Solve returns all answers: for each the terms that the arguments are to be unified
	// with, where nil leaves an argument as it is.
	Solve func(c *Call) ([][]Term, error)
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
func (c *Call) Host() any { return c.m.Host }

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
	answers, err := p.Solve(&Call{m, a})
	if err != nil {
		return false, throwable(m, err)
	}
	return m.Alternatives(func(m *machine.Machine, a []code.Cell) (ok, more bool, err error) {
		if len(answers) == 0 {
			return false, false, nil
		}
		answer := answers[0]
		answers = answers[1:]
		vars := map[*term.Var]code.Cell{}
		ok = true
		for i := 0; ok && i < len(a) && i < len(answer); i++ {
			if answer[i] != nil {
				ok = m.Unify(a[i], m.ImportWith(answer[i], vars))
			}
		}
		return ok, len(answers) > 0, nil
	})
}
