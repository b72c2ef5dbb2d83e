package engine_test

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/stretchr/testify/require"
)

// This file tests goals that wait for input.

// inputGoals read a character or a line of x.
var inputGoals = []string{
	"read(X)", "read_term(X, [])", "read_term(user_input, X, [double_quotes(atom)])", "get_char(X)", "peek_char(X)",
	"get_code(X)", "peek_string(user_input, 1, X)", "read_line_to_string(user_input, X)",
	"read_line_to_codes(user_input, X)", "at_end_of_stream, X = end", "read_string(user_input, 1, X)",
	"copy_stream_data(user_input, user_output, 1), X = copied", "read_pending_codes(user_input, X, [])",
	"json_read(user_input, X)",
}

// TestInputHeedsLimits runs goals that wait for missing input, until their own time or the time of the run is over, or
// the run is cancelled. Input that comes later is read by the next goal of the run.
func TestInputHeedsLimits(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "input.pl", "", nil)
	require.NoError(t, err)
	for _, goal := range inputGoals {
		t.Run(goal, func(t *testing.T) {
			t.Parallel()
			in, out := io.Pipe()
			limited := fmt.Sprintf("catch(call_with_time_limit(0.02, (%s)), E, true), E == time_limit_exceeded, "+
				"inform, get_char(C), C == x", goal)
			told, err := engine.LoadText(t.Context(), "input.pl", "", &engine.Options{Predicates: []engine.Predicate{{
				Name: "inform", Call: func(*engine.Call) (bool, error) {
					go func() { _, _ = io.WriteString(out, "x.\n") }()
					return true, nil
				}}}})
			require.NoError(t, err)
			_, err = told.Once(t.Context(), limited, &engine.RunOptions{Input: in, Limits: engine.Limits{Time: time.Minute}})
			require.NoError(t, err)

			silent, _ := io.Pipe()
			_, err = p.Once(t.Context(), goal, &engine.RunOptions{Input: silent,
				Limits: engine.Limits{Time: 20 * time.Millisecond}})
			var ex *engine.Exception
			require.ErrorAs(t, err, &ex)
			require.Equal(t, "time", ex.Limit())

			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			_, err = p.Once(ctx, "catch(("+goal+"), _, true)", &engine.RunOptions{Input: silent})
			require.ErrorIs(t, err, context.DeadlineExceeded)
		})
	}
}

// TestInputCountsAsMemory reads an endless atom.
func TestInputCountsAsMemory(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "input.pl", "", nil)
	require.NoError(t, err)
	for _, c := range []byte("x'%") {
		_, err := p.Once(t.Context(), "read(_)", &engine.RunOptions{Input: endless(c),
			Limits: engine.Limits{Memory: 4 << 20}})
		var ex *engine.Exception
		require.ErrorAs(t, err, &ex)
		require.Equal(t, "memory", ex.Limit())
	}
}

// endless is an endless input that repeats one character.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}
