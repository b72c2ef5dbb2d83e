package engine

import (
	"context"
	"errors"
	"iter"
	"reflect"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/convert"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines predicates made of plain Go functions. Func0 to Func3 take functions of so many
// inputs and one result, Each0 to Each3 functions whose results are many. The types say how arguments are
// converted.

// Func0 returns the predicate name(-R) of a function.
//
// Func0, [Func1], [Func2] and [Func3] make deterministic predicates: the inputs are the first
// arguments, the result is unified with the last. A result of type bool makes a test instead, without
// an argument for it, that succeeds when the function returns true; a result of type struct{} makes a
// predicate that succeeds whenever there is no error.
//
// Arguments are converted by [Convert] and results by [TermOf]. An unbound input is an instantiation
// error, one of another type a type error, and one with a value that the Go type has not a domain error.
// The error of the function is thrown as that of [Predicate] is, but for [ErrNoSolution], which makes
// the predicate fail. The context is that of the run. Module and Doc of what is returned may be set.
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
// Each0, [Each1], [Each2] and [Each3] make nondeterministic predicates: each element of the sequence is
// an answer. Elements are asked for one by one, and the sequence is stopped when the goal wants no more,
// so it may be endless, or read from a database and close that when it is left. An error with an element
// ends the answers and is thrown. All else is as with [Func0].
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
	return manyAnswers(name, append(goTypes[A](), goTypes[B]()...), func(in *inputs) func(context.Context) iter.Seq2[R, error] {
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

// inputs are the arguments of a call that have yet to be converted, and the first error.
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

// argumentError makes of the error of a conversion the Prolog error about the argument.
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

// function is the predicate of a function with one result. prepare converts the inputs.
func function[R any](name string, types []reflect.Type, prepare func(*inputs) func(context.Context) (R, error)) Predicate {
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

// output is the term for the last argument, nil if there is none and ok tells whether the call succeeds.
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
func manyAnswers[R any](name string, types []reflect.Type, prepare func(*inputs) func(context.Context) iter.Seq2[R, error]) Predicate {
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

// answerOf is the answer for one result of a sequence, whose place is argument n; ok is false when it
// is none.
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
