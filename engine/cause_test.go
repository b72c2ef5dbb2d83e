package engine_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"testing"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/stretchr/testify/require"
)

// This file tests that errors of predicates in Go are found again outside of the run.

// storeError is an error with data.
type storeError struct{ table string }

func (e *storeError) Error() string { return "no table " + e.table }

// failing are predicates that return errors.
var failing = []engine.Predicate{
	{Name: "plain", Arity: 0, Call: func(*engine.Call) (bool, error) { return false, errBroken }},
	{Name: "wrapped", Arity: 1, Call: func(c *engine.Call) (bool, error) {
		return false, fmt.Errorf("looking up: %w", &storeError{inspect.FormatText(c.Arg(0))})
	}},
	{Name: "joined", Arity: 1, Call: func(c *engine.Call) (bool, error) {
		return false, errors.Join(engine.TermError("existence_error", "file", c.Arg(0)), fs.ErrNotExist)
	}},
	{Name: "answers", Arity: 1, Solve: func(*engine.Call) iter.Seq2[[]engine.Term, error] {
		return func(yield func([]engine.Term, error) bool) { yield(nil, errBroken) }
	}},
	{Name: "thrown", Arity: 0, Call: func(*engine.Call) (bool, error) {
		return false, engine.Throw(term.Atom("ball"))
	}},
	{Name: "ask", Arity: 1, Waits: true},
}

func TestCauses(t *testing.T) {
	t.Parallel()
	prog := engine.New(&engine.Options{Predicates: failing})
	for _, test := range []struct {
		goal, formal string
		is           error
	}{
		{"plain", "system_error", errBroken},
		{"answers(_)", "system_error", errBroken},
		{"findall(X, answers(X), _)", "system_error", errBroken},
		{"catch(plain, E, throw(E))", "system_error", errBroken},
		{"catch(plain, error(F, _), throw(error(F, _)))", "system_error", nil}, // the message is lost
		{"catch(plain, E, true), catch(wrapped(a), _, true), throw(E)", "system_error", errBroken},
		{"setup_call_cleanup(true, plain, true)", "system_error", errBroken},
		{"setup_call_cleanup(true, plain, catch(wrapped(x), _, true))", "system_error", errBroken},
		{"joined(a)", "existence_error(file,a)", fs.ErrNotExist},
		{"joined(f(X, _, X))", "existence_error(file,f(_,_,_))", fs.ErrNotExist},
		{"thrown", "", nil},
		{"catch(plain, _, atom_length(_, _))", "instantiation_error", nil},
		{"catch(plain, _, throw(error(system_error, context(_, other))))", "system_error", nil},
		{"forall(between(1, 100, N), catch(wrapped(N), _, true)), plain", "system_error", errBroken},
	} {
		_, err := prog.Once(t.Context(), test.goal, nil)
		var ex *engine.Exception
		require.ErrorAs(t, err, &ex, test.goal)
		if test.formal != "" && test.goal != "joined(f(X, _, X))" {
			require.Equal(t, test.formal, engine.FormatTerm(ex.Formal()), test.goal)
		}
		if test.is == nil {
			require.NoError(t, errors.Unwrap(err), test.goal)
			continue
		}
		require.ErrorIs(t, err, test.is, test.goal)
	}
	_, err := prog.Once(t.Context(), "wrapped(users)", nil)
	var store *storeError
	require.ErrorAs(t, err, &store)
	require.Equal(t, "users", store.table)
}

// TestCauseOfNestedQuery leads through two programs.
func TestCauseOfNestedQuery(t *testing.T) {
	t.Parallel()
	inner := engine.New(&engine.Options{Predicates: failing})
	outer := engine.New(&engine.Options{Predicates: []engine.Predicate{{Name: "inner", Arity: 0,
		Call: func(c *engine.Call) (bool, error) {
			_, err := inner.Once(c.Context(), "plain", nil)
			return err == nil, err
		}}}})
	_, err := outer.Once(t.Context(), "inner", nil)
	require.ErrorIs(t, err, errBroken)
}

// TestCauseOfResumeError checks that the cause is the error that the predicate was resumed with.
func TestCauseOfResumeError(t *testing.T) {
	t.Parallel()
	prog := engine.New(&engine.Options{Predicates: failing})
	run, err := prog.Start("catch(ask(_), error(type_error(_, _), _), true)", nil)
	require.NoError(t, err)
	defer run.Close()
	_, err = run.Next(t.Context())
	require.NoError(t, err)
	err = run.ResumeError(errBroken)
	require.ErrorIs(t, err, errBroken)
	var ex *engine.Exception
	require.ErrorAs(t, err, &ex)
}

// TestDeadlineError checks that the error names the deadline.
func TestDeadlineError(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	_, err := engine.New(nil).Once(ctx, "repeat, fail", nil)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.EqualError(t, err, "aborted: the deadline has passed")
}

func TestStateString(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Answer NoMore Waiting State(0)", fmt.Sprint(engine.Answer, " ", engine.NoMore, " ", engine.Waiting,
		" ", engine.State(0)))
}

func TestDiagnosticsError(t *testing.T) {
	t.Parallel()
	fault := func(severity source.Severity, message string) source.Diagnostic {
		at := source.Position{File: "a.pl", Place: source.Place{Line: 1}}
		return source.Diagnostic{Position: at, Severity: severity, Message: message}
	}
	e, w := source.SeverityError, source.SeverityWarning
	for _, test := range []struct {
		want string
		list source.Diagnostics
	}{
		{"no errors and no warnings", nil},
		{"a.pl:1: warning: x", source.Diagnostics{fault(w, "x")}},
		{"a.pl:1: warning: x\n(and 2 warnings more)", source.Diagnostics{fault(w, "x"), fault(w, "y"), fault(w, "z")}},
		{"a.pl:1: error: y\n(and 1 warning more)", source.Diagnostics{fault(w, "x"), fault(e, "y")}},
		{"a.pl:1: error: y\n(and 1 error and 1 warning more)", source.Diagnostics{fault(w, "x"), fault(e, "y"),
			fault(e, "z")}},
		{"a.pl:1: error: y\n(and 1 error more)", source.Diagnostics{fault(e, "y"), fault(e, "z")}},
	} {
		require.EqualError(t, test.list, test.want)
	}
}

// TestDiagnosticLine shows a source line with control sequences for a terminal.
func TestDiagnosticLine(t *testing.T) {
	t.Parallel()
	err := engine.New(nil).Load(t.Context(), source.File{Name: "a.pl", Text: "a(1).\nb :-\t\x1b[31mred\x07\u009b.\n"})
	require.EqualError(t, err, "a.pl:2:6: error: illegal character U+001B [syntax]\n    b :- ␛[31mred␇\ufffd.\n         ^")
}
