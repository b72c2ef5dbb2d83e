package engine_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

// TestCut drops further answers: pending cleanup goals then run, and an exception that they throw is an error. A case
// is a goal, its output up to then, and the exception.
func TestCut(t *testing.T) {
	t.Parallel()
	p := engine.New(nil)
	for _, c := range []struct{ goal, output, thrown string }{
		{"call_cleanup(member(_, [1, 2]), write(a))", "a", ""},
		{"call_cleanup(member(_, [1, 2]), (write(a), fail))", "a", ""},
		{"call_cleanup(member(_, [1, 2]), throw(x))", "", "x"},
		{"call_cleanup(call_cleanup(member(_, [1, 2]), write(a)), write(b))", "ab", ""},
		{"call_cleanup(call_cleanup(member(_, [1, 2]), throw(x)), write(b))", "b", "x"},
		{"call_cleanup(true, write(a))", "a", ""},
		{"member(_, [1, 2])", "", ""},
	} {
		var output bytes.Buffer
		r, err := p.Start(c.goal, &engine.RunOptions{Output: &output})
		require.NoError(t, err)
		state, err := r.Next(context.Background())
		require.NoError(t, err)
		require.Equal(t, engine.Answer, state)
		err = r.Cut(context.Background())
		if c.thrown == "" {
			require.NoError(t, err, c.goal)
			require.True(t, r.Done(), c.goal)
		} else {
			var ex *engine.Exception
			require.ErrorAs(t, err, &ex, c.goal)
			require.Equal(t, c.thrown, engine.FormatTerm(ex.Term))
		}
		require.Equal(t, c.output, output.String(), c.goal)
		state, err = r.Next(context.Background())
		require.NoError(t, err)
		require.Equal(t, engine.NoMore, state)
		require.NoError(t, r.Cut(context.Background()), "after the end")
		r.Close()
	}
	for range p.Query(context.Background(), "call_cleanup(member(X, [1, 2]), assertz(cut(query)))", nil) {
		break
	}
	_, err := p.Once(context.Background(), "call_cleanup(member(X, [1, 2]), assertz(cut(once)))",
		&engine.RunOptions{Transaction: true})
	require.NoError(t, err)
	s, err := p.Once(context.Background(), "findall(X, cut(X), L)", nil)
	require.NoError(t, err)
	require.Equal(t, "[query,once]", engine.FormatTerm(s.Get("L")))
}
