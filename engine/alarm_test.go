package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

// This file tests that limits are noticed in time when each call takes long. The fuel counts calls, so it would last
// for minutes.

const slowCall = 20 * time.Millisecond

// slowProgram defines slow/0, a slow predicate, and counts its calls.
func slowProgram(t *testing.T) (prog *engine.Program, calls *int) {
	t.Helper()
	calls = new(int)
	slow := engine.Predicate{Name: "slow", Call: func(*engine.Call) (bool, error) {
		*calls++
		time.Sleep(slowCall)
		return true, nil
	}}
	prog, err := engine.LoadText(t.Context(), "slow.pl", "run :- repeat, slow, fail.\n",
		&engine.Options{Predicates: []engine.Predicate{slow}})
	require.NoError(t, err)
	return prog, calls
}

// mostCalls is far more than fit into the limits below, and far less than the fuel.
const mostCalls = 500

func TestSlowCallsTime(t *testing.T) {
	t.Parallel()
	prog, calls := slowProgram(t)
	_, err := prog.Once(t.Context(), "run", &engine.RunOptions{Limits: engine.Limits{Time: 5 * slowCall}})
	var ex *engine.Exception
	require.ErrorAs(t, err, &ex)
	require.Equal(t, "time", ex.Limit())
	require.Less(t, *calls, mostCalls)
}

// TestSlowCallsStubborn catches the first error and goes on until the final one.
func TestSlowCallsStubborn(t *testing.T) {
	t.Parallel()
	prog, calls := slowProgram(t)
	_, err := prog.Once(t.Context(), "catch(run, _, run)", &engine.RunOptions{Limits: engine.Limits{Time: 5 * slowCall}})
	var ex *engine.Exception
	require.ErrorAs(t, err, &ex)
	require.Equal(t, "time", ex.Limit())
	require.Less(t, *calls, mostCalls)
}

func TestSlowCallsGoalLimit(t *testing.T) {
	t.Parallel()
	prog, calls := slowProgram(t)
	for _, goal := range []string{
		"catch(call_with_time_limit(0.1, run), time_limit_exceeded, true)",
		"catch(call_with_time_limit(0.2, catch(call_with_time_limit(0.1, run), _, run)), time_limit_exceeded, true)",
	} {
		*calls = 0
		_, err := prog.Once(t.Context(), goal, &engine.RunOptions{Limits: engine.Limits{Time: time.Hour}})
		require.NoError(t, err, goal)
		require.Less(t, *calls, mostCalls, goal)
	}
	*calls = 0
	_, err := prog.Once(t.Context(), "catch(call_with_time_limit(0.05, run), _, true), run",
		&engine.RunOptions{Limits: engine.Limits{Time: 10 * slowCall}})
	require.Error(t, err)
	require.Less(t, *calls, mostCalls, "the limit of the run after that of a goal")
}

func TestSlowCallsCancelled(t *testing.T) {
	t.Parallel()
	prog, calls := slowProgram(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*slowCall)
	defer cancel()
	_, err := prog.Once(ctx, "run", nil)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Less(t, *calls, mostCalls)

	*calls = 0
	r, err := prog.Start("run", nil)
	require.NoError(t, err)
	defer r.Close()
	time.AfterFunc(5*slowCall, func() { r.Cancel("enough") })
	_, err = r.Next(t.Context())
	var aborted *engine.Aborted
	require.ErrorAs(t, err, &aborted)
	require.Less(t, *calls, mostCalls)
}
