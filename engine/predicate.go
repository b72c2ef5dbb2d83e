package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/convert"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines predicates written in Go. Func0 to Func3 make them of plain functions with one result, Each0 to
// Each3 of functions that return a sequence of results; the digit is the number of inputs. The types say how
// arguments are converted.

// Predicate is a predicate written in Go. Exactly one of Call, Solve and Waits is set. It cannot have the name and
// arity of a built-in predicate or of another one written in Go: that is an error of the load. One of a library it may
// have, which it then hides. Rules cannot take its place: a text that defines, declares or imports another is an error
// of the load, and a goal that asserts clauses of it throws. [Func1], [Each1] and those like them make predicates of
// plain functions. The functions are called by whatever goroutine runs the goal; goals that run at the same time call
// them at the same time.
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
	// Solve returns the answers: for each the terms that the arguments are to be unified with, as [Call.Unify] does,
	// where nil leaves an argument as it is. Answers are asked for one by one as the goal wants them; the
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
	ctx  *machine.Patience

	given []givenTerm             // that Arg and Args have returned, those that may have variables
	vars  map[*term.Var]code.Cell // of the variables of the first paired terms of given, and of those that came back
	// paired is how many terms of given have their variables in vars.
	paired int
}

// givenTerm is a term that argument i was returned as.
type givenTerm struct {
	i int
	t Term
}

// Context ends with the context that the caller of [Run.Next] or [Program.Query] has given, when the run is cancelled,
// and when its time is over or that of a goal within it. What the predicate returns after that is not looked at. It has
// the values of the caller's context, which a Go program wants its predicates to have for one run. It is of use during
// the call, and for a sequence of answers to its end.
func (c *Call) Context() context.Context { return c.ctx }

// Arg returns argument i, from 0 and below the arity. Equal variables in several arguments are equal only within
// one Arg; use Args for all of them at once.
func (c *Call) Arg(i int) Term {
	t := c.m.Export(c.args[i])
	c.give(i, t)
	return t
}

// Args returns all arguments.
func (c *Call) Args() []Term {
	terms := machine.ExportAll(c.m, c.args)
	for i, t := range terms {
		c.give(i, t)
	}
	return terms
}

// give remembers a term that is returned.
func (c *Call) give(i int, t Term) {
	if mayHaveVariables(t) {
		c.given = append(c.given, givenTerm{i, t})
	}
}

func mayHaveVariables(t Term) bool {
	switch t.(type) {
	case *term.Var, *term.Compound:
		return true
	}
	return false
}

// Unify unifies argument i, from 0, with a term. A variable that Arg or Args has returned in this call is that variable
// of the goal. Any other is a new one, the same in all terms that are given for this answer.
func (c *Call) Unify(i int, t Term) bool {
	if !mayHaveVariables(t) {
		return c.m.Unify(c.args[i], c.m.Import(t))
	}
	if c.vars == nil {
		c.vars = map[*term.Var]code.Cell{}
	}
	for ; c.paired < len(c.given); c.paired++ {
		g := c.given[c.paired]
		machine.PairVariables(c.m, c.args[g.i], g.t, c.vars)
	}
	return c.m.Unify(c.args[i], c.m.ImportWith(t, c.vars))
}

// Restricted reports whether a restricted rule is active.
func (c *Call) Restricted() bool { return c.m.Restricted() }

// mistake says what keeps the predicate from being defined in a program, or "".
func (p *Predicate) mistake(db *database.Program) string {
	if p.Name == "" || p.Arity < 0 || p.Arity > load.MaxArity {
		return fmt.Sprintf("needs a name, and an arity from 0 to %d", load.MaxArity)
	}
	ways := 0
	for _, set := range []bool{p.Call != nil, p.Solve != nil, p.Waits} {
		if set {
			ways++
		}
	}
	if ways != 1 {
		return "needs exactly one of Call, Solve and Waits"
	}
	module := db.System()
	if p.Module != "" {
		module = db.FindModule(p.Module)
	}
	if module != nil {
		if pred := module.Find(code.Functor(p.Name, p.Arity)); pred != nil && pred.Has(database.Defined) {
			return "has the name of a predicate that is there already"
		}
	}
	return ""
}

// builtin returns the entry for the machine.
func (p *Predicate) builtin() machine.Builtin {
	b := machine.Builtin{Name: p.Name, Arity: p.Arity, Module: p.Module, Modes: p.Modes, Doc: p.Doc, Foreign: true}
	switch {
	case p.Waits:
		b.Func = func(*machine.Machine, []code.Cell) (bool, error) { return false, machine.ErrSuspend }
	case p.Solve != nil:
		b.Nondet = true
		b.Func = p.solve
	default:
		b.Func = func(m *machine.Machine, a []code.Cell) (bool, error) {
			ctx := machine.NewPatience(m)
			defer ctx.End()
			var ok bool
			err := machine.During(m, ctx, func() (err error) {
				ok, err = p.Call(&Call{m: m, args: a, ctx: ctx})
				return throwable(m, err)
			})
			return ok, err
		}
	}
	return b
}

// solve runs a predicate of several answers.
func (p *Predicate) solve(m *machine.Machine, a []code.Cell) (bool, error) {
	ctx := machine.NewPatience(m)
	c := &Call{m: m, args: a, ctx: ctx}
	next, end := iter.Pull2(func(yield func([]Term, error) bool) { p.Solve(c)(yield) })
	stop := func() {
		ctx.End()
		end()
	}
	return m.Sequence(func(m *machine.Machine, a []code.Cell) (ok, more bool, err error) {
		c.args, c.vars, c.paired = a, nil, 0
		var answer []Term
		err = machine.During(m, ctx, func() (err error) {
			answer, err, more = next()
			return throwable(m, err)
		})
		if !more || err != nil {
			return false, false, err
		}
		ok = true
		for i := 0; ok && i < len(a) && i < len(answer); i++ {
			if answer[i] != nil {
				ok = c.Unify(i, answer[i])
			}
		}
		return ok, true, nil
	}, stop, nil)
}

// Func0 returns the predicate name(-R) of a function.
//
// Func0, [Func1], [Func2] and [Func3] make deterministic predicates. The inputs are the first arguments, and the result
// is unified with the last. A result of type bool makes a test without an argument for the result: it succeeds when the
// function returns true. A result of type struct{} makes a predicate that succeeds whenever there is no error.
//
// Arguments are converted by [Convert] and results by [TermOf]. An unbound input is an instantiation error, an input
// of another type is a type error, and a value that the Go type does not have is a domain error. Errors of the
// function are thrown as errors of [Predicate] are. [ErrNoSolution] makes the predicate fail. The context is that of
// the run. Module and Doc of the returned predicate may be set.
func Func0[R any](name string, f func(ctx context.Context) (R, error)) Predicate {
	return function(name, nil, func(*inputs) func(context.Context) (R, error) { return f })
}

// Func1 returns the predicate name(+A, -R) of a function. See [Func0].
func Func1[A, R any](name string, f func(ctx context.Context, a A) (R, error)) Predicate {
	return function(name, goTypes[A](), func(in *inputs) func(context.Context) (R, error) {
		a := input[A](in)
		return func(ctx context.Context) (R, error) { return f(ctx, a) }
	})
}

// Func2 returns the predicate name(+A, +B, -R) of a function. See [Func0].
func Func2[A, B, R any](name string, f func(ctx context.Context, a A, b B) (R, error)) Predicate {
	return function(name, append(goTypes[A](), goTypes[B]()...), func(in *inputs) func(context.Context) (R, error) {
		a, b := input[A](in), input[B](in)
		return func(ctx context.Context) (R, error) { return f(ctx, a, b) }
	})
}

// Func3 returns the predicate name(+A, +B, +C, -R) of a function. See [Func0].
func Func3[A, B, C, R any](name string, f func(ctx context.Context, a A, b B, c C) (R, error)) Predicate {
	types := append(append(goTypes[A](), goTypes[B]()...), goTypes[C]()...)
	return function(name, types, func(in *inputs) func(context.Context) (R, error) {
		a, b, c := input[A](in), input[B](in), input[C](in)
		return func(ctx context.Context) (R, error) { return f(ctx, a, b, c) }
	})
}

// Each0 returns the predicate name(-R) of a function that returns a sequence.
//
// Each0, [Each1], [Each2] and [Each3] make nondeterministic predicates. Each element of the sequence is an answer.
// Elements are asked for one by one. The sequence is stopped when the goal wants no more. So it may be endless, or
// read from a database that it closes at its end. An error with an element ends the answers and is thrown. All else
// is as with [Func0].
func Each0[R any](name string, f func(ctx context.Context) iter.Seq2[R, error]) Predicate {
	return manyAnswers(name, nil, func(*inputs) func(context.Context) iter.Seq2[R, error] { return f })
}

// Each1 returns the predicate name(+A, -R) of a function that returns a sequence. See [Each0].
func Each1[A, R any](name string, f func(ctx context.Context, a A) iter.Seq2[R, error]) Predicate {
	return manyAnswers(name, goTypes[A](), func(in *inputs) func(context.Context) iter.Seq2[R, error] {
		a := input[A](in)
		return func(ctx context.Context) iter.Seq2[R, error] { return f(ctx, a) }
	})
}

// Each2 returns the predicate name(+A, +B, -R) of a function that returns a sequence. See [Each0].
func Each2[A, B, R any](name string, f func(ctx context.Context, a A, b B) iter.Seq2[R, error]) Predicate {
	types := append(goTypes[A](), goTypes[B]()...)
	return manyAnswers(name, types, func(in *inputs) func(context.Context) iter.Seq2[R, error] {
		a, b := input[A](in), input[B](in)
		return func(ctx context.Context) iter.Seq2[R, error] { return f(ctx, a, b) }
	})
}

// Each3 returns the predicate name(+A, +B, +C, -R) of a function that returns a sequence. See [Each0].
func Each3[A, B, C, R any](name string, f func(ctx context.Context, a A, b B, c C) iter.Seq2[R, error]) Predicate {
	types := append(append(goTypes[A](), goTypes[B]()...), goTypes[C]()...)
	return manyAnswers(name, types, func(in *inputs) func(context.Context) iter.Seq2[R, error] {
		a, b, c := input[A](in), input[B](in), input[C](in)
		return func(ctx context.Context) iter.Seq2[R, error] { return f(ctx, a, b, c) }
	})
}

// inputs holds the arguments of a call that are not converted yet, and the first error.
type inputs struct {
	args []Term
	err  error
}

// input converts the next argument.
func input[A any](in *inputs) (a A) {
	if in.err == nil {
		in.err = argumentError(in.args[0], convert.Value(in.args[0], &a))
		in.args = in.args[1:]
	}
	return a
}

// argumentError returns the Prolog error for an argument that could not be converted.
func argumentError(arg Term, err error) error {
	var e *ConvertError
	if !errors.As(err, &e) {
		return err
	}
	culprit := e.Term
	if culprit == nil {
		culprit = arg
	}
	if _, unbound := culprit.(*term.Var); unbound {
		return throwFormal(term.Atom("instantiation_error"))
	}
	thrown := DomainError(e.Type.String(), culprit)
	if e.Want != "" {
		thrown = TypeError(e.Want, culprit)
	}
	return errors.Join(thrown, err)
}

// goTypes is the type parameter as a list.
func goTypes[A any]() []reflect.Type { return []reflect.Type{reflect.TypeFor[A]()} }

// described is a predicate without its function.
func described[R any](name string, types []reflect.Type) Predicate {
	var modes []string
	for _, typ := range types {
		modes = append(modes, "+"+convert.TypeName(typ))
	}
	if !isSilent[R]() {
		modes = append(modes, "-"+convert.TypeName(reflect.TypeFor[R]()))
	}
	return Predicate{Name: name, Arity: len(modes), Modes: strings.Join(modes, ", ")}
}

// isSilent reports whether results of a type have no argument.
func isSilent[R any]() bool {
	typ := reflect.TypeFor[R]()
	return typ == reflect.TypeFor[bool]() || typ == reflect.TypeFor[struct{}]()
}

// function returns the predicate of a function with one result. prepare converts the inputs.
func function[R any](
	name string, types []reflect.Type, prepare func(*inputs) func(context.Context) (R, error),
) Predicate {
	p := described[R](name, types)
	p.Call = func(c *Call) (bool, error) {
		in := &inputs{args: c.Args()}
		run := prepare(in)
		if in.err != nil {
			return false, in.err
		}
		result, err := run(c.Context())
		if errors.Is(err, ErrNoSolution) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		last, ok, err := output(result)
		if last == nil || err != nil {
			return ok, err
		}
		return c.Unify(len(types), last), nil
	}
	return p
}

// output returns the term for the last argument. It is nil if there is none; ok then tells whether the call succeeds.
func output(result any) (last Term, ok bool, err error) {
	switch r := result.(type) {
	case bool:
		return nil, r, nil
	case struct{}:
		return nil, true, nil
	}
	last, err = TermOf(result)
	return last, err == nil, err
}

// manyAnswers is the predicate of a function with many results.
func manyAnswers[R any](
	name string, types []reflect.Type, prepare func(*inputs) func(context.Context) iter.Seq2[R, error],
) Predicate {
	p := described[R](name, types)
	p.Solve = func(c *Call) iter.Seq2[[]Term, error] {
		in := &inputs{args: c.Args()}
		run := prepare(in)
		return func(yield func([]Term, error) bool) {
			if in.err != nil {
				yield(nil, in.err)
				return
			}
			for result, err := range run(c.Context()) {
				if errors.Is(err, ErrNoSolution) {
					return
				}
				answer, ok, err := answerOf(result, err, len(types))
				if (ok || err != nil) && !yield(answer, err) || err != nil {
					return
				}
			}
		}
	}
	return p
}

// answerOf returns the answer for one result of a sequence. Argument n takes the result. ok is false when the result
// is no answer.
func answerOf(result any, err error, n int) (answer []Term, ok bool, _ error) {
	if err != nil {
		return nil, false, err
	}
	last, ok, err := output(result)
	if last == nil || err != nil {
		return nil, ok, err
	}
	answer = make([]Term, n+1)
	answer[n] = last
	return answer, true, nil
}
