package engine_test

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

// patient are predicates written in Go that wait for the end of their context, and others that ignore it.
func patient() []engine.Predicate {
	wait := func(ctx context.Context) (int, error) {
		<-ctx.Done()
		return 1, ctx.Err()
	}
	within := func(ctx context.Context) (int, error) { // as a predicate does that asks a server
		inner, cancel := context.WithCancel(ctx)
		defer cancel()
		<-inner.Done()
		return 1, inner.Err()
	}
	return []engine.Predicate{
		engine.Func("waits", wait),
		engine.Func("waits_within", within),
		engine.Func("waits_and_answers", func(ctx context.Context) (int, error) {
			<-ctx.Done()
			return 1, nil
		}),
		engine.Func("waits_for_rows", func(ctx context.Context) iter.Seq2[int, error] {
			return func(yield func(int, error) bool) {
				if yield(1, nil) {
					yield(wait(ctx))
				}
			}
		}),
		{Name: "waits_before_rows", Arity: 1, Solve: func(c *engine.Call) iter.Seq2[[]engine.Term, error] {
			<-c.Context().Done()
			return func(yield func([]engine.Term, error) bool) { yield(nil, nil) }
		}},
		engine.Func("is_deaf", func(context.Context) (int, error) {
			time.Sleep(60 * time.Millisecond)
			return 1, nil
		}),
	}
}

var waiting = []string{"waits(X)", "waits_within(X)", "waits_and_answers(X)", "waits_for_rows(X), X > 1",
	"waits_before_rows(X)", "findall(X, waits_for_rows(X), _)", "is_deaf(X)"}

func loadPatient(t *testing.T) *engine.Program {
	prog, err := engine.LoadText(t.Context(), "patient.pl", "", &engine.Options{Predicates: patient()})
	require.NoError(t, err)
	return prog
}

// TestGoPredicatesHeedLimits ends predicates written in Go by each kind of time limit. Their later answers are ignored.
func TestGoPredicatesHeedLimits(t *testing.T) {
	t.Parallel()
	prog := loadPatient(t)
	for _, goal := range waiting {
		t.Run(goal, func(t *testing.T) {
			t.Parallel()
			var ex *engine.Exception
			_, err := prog.Once(t.Context(), goal, &engine.RunOptions{Limits: engine.Limits{Time: 20 * time.Millisecond}})
			require.ErrorAs(t, err, &ex)
			require.Equal(t, "time", ex.Limit())

			_, err = prog.Once(t.Context(), "call_with_time_limit(0.02, ("+goal+"))", nil)
			require.ErrorAs(t, err, &ex)
			require.Equal(t, "time_limit_exceeded", engine.FormatTerm(ex.Term))

			s, err := prog.Once(t.Context(), "catch(call_with_time_limit(0.02, ("+goal+")), E, true)", nil)
			require.NoError(t, err)
			require.Equal(t, "time_limit_exceeded", s.Text("E"))

			if goal == "is_deaf(X)" {
				return
			}
			tired := errors.New("tired")
			ctx, cancel := context.WithTimeoutCause(t.Context(), 20*time.Millisecond, tired)
			defer cancel()
			_, err = prog.Once(ctx, goal, nil)
			require.ErrorAs(t, err, new(*engine.Aborted))
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.ErrorIs(t, err, tired)

			run, err := prog.Start(goal, nil)
			require.NoError(t, err)
			defer run.Close()
			time.AfterFunc(20*time.Millisecond, func() { run.Cancel("enough") })
			_, err = run.Next(t.Context())
			var aborted *engine.Aborted
			require.ErrorAs(t, err, &aborted)
			require.Equal(t, "enough", aborted.Reason)
		})
	}
}

// TestLateAnswers ends runs during a predicate that ignores its context.
func TestLateAnswers(t *testing.T) {
	t.Parallel()
	var end func()
	ends := engine.Func("ends", func(context.Context) (int, error) {
		end()
		return 1, nil
	})
	prog, err := engine.LoadText(t.Context(), "late.pl", "", &engine.Options{Predicates: []engine.Predicate{ends}})
	require.NoError(t, err)
	for _, goal := range []string{"ends(X)", "\\+ ends(2)", "findall(X, ends(X), L)"} {
		run, err := prog.Start(goal, nil)
		require.NoError(t, err)
		end = func() { run.Cancel("enough") }
		_, err = run.Next(t.Context())
		var aborted *engine.Aborted
		require.ErrorAs(t, err, &aborted)
		require.Equal(t, "enough", aborted.Reason)
		run.Close()
		run.Cancel("too late")

		ctx, cancel := context.WithCancel(t.Context())
		end = cancel
		_, err = prog.Once(ctx, goal, nil)
		require.ErrorAs(t, err, &aborted)
		require.ErrorIs(t, err, context.Canceled)
	}
}

// TestContextOfSequence asks for each answer of a sequence with another context.
func TestContextOfSequence(t *testing.T) {
	t.Parallel()
	type key struct{}
	var seen []any
	var errs []error
	var deadlines []bool
	rows := engine.Func("row", func(ctx context.Context) iter.Seq2[int, error] {
		return func(yield func(int, error) bool) {
			for i := range 3 {
				_, limited := ctx.Deadline()
				seen, errs, deadlines = append(seen, ctx.Value(key{})), append(errs, ctx.Err()), append(deadlines, limited)
				select {
				case <-ctx.Done():
					return
				default:
				}
				if !yield(i, nil) {
					break
				}
			}
			<-ctx.Done() // the sequence ends with the run
		}
	})
	prog, err := engine.LoadText(t.Context(), "rows.pl", "", &engine.Options{Predicates: []engine.Predicate{rows}})
	require.NoError(t, err)
	run, err := prog.Start("row(X)", nil)
	require.NoError(t, err)
	values := context.WithValue(t.Context(), key{}, "value")
	for range 2 {
		ctx, cancel := context.WithTimeout(values, time.Hour)
		state, err := run.Next(ctx)
		require.NoError(t, err)
		require.Equal(t, engine.Answer, state)
		cancel()
	}
	state, err := run.Next(values)
	require.NoError(t, err)
	require.Equal(t, engine.Answer, state)
	run.Close()
	require.Equal(t, []any{"value", "value", "value"}, seen)
	require.Equal(t, []error{nil, nil, nil}, errs)
	require.Equal(t, []bool{true, true, false}, deadlines)
}

// TestCauseWithinPredicate checks that a predicate can find out why the run is over, also from a derived context.
func TestCauseWithinPredicate(t *testing.T) {
	t.Parallel()
	tired := errors.New("tired")
	var causes []error
	look := engine.Func("look", func(ctx context.Context) (bool, error) {
		inner, cancel := context.WithTimeout(ctx, time.Hour)
		defer cancel()
		<-inner.Done()
		causes = append(causes, context.Cause(ctx), ctx.Err(), context.Cause(inner), inner.Err())
		return false, sql.ErrNoRows
	})
	prog, err := engine.LoadText(t.Context(), "look.pl", "", &engine.Options{Predicates: []engine.Predicate{look}})
	require.NoError(t, err)
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(10*time.Millisecond, func() { cancel(tired) })
	_, err = prog.Once(ctx, "look", nil)
	require.ErrorIs(t, err, tired)
	require.Equal(t, []error{tired, context.Canceled, tired, context.Canceled}, causes)
}
