package engine_test

import (
	"context"
	"errors"
	"iter"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/term"
)

// numbered yields f(Round, I) for I from 1 to n.
func numbered(name string, round, n int) iter.Seq2[engine.Term, error] {
	return func(yield func(engine.Term, error) bool) {
		for i := range n {
			if !yield(term.New(term.Atom(name), term.Int(round), term.Int(i+1)), nil) {
				return
			}
		}
	}
}

// TestSetFacts replaces the facts of a predicate while other runs read them: they see all facts of exactly one round.
func TestSetFacts(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "f.pl",
		":- dynamic(f/2).\nrounds(L, N) :- findall(R, f(R, _), Rs), length(Rs, N), "+
			"sort(Rs, L).\n", nil)
	require.NoError(t, err)
	n, err := p.SetFacts("f", 2, numbered("f", 0, 100))
	require.NoError(t, err)
	require.Equal(t, 100, n)
	ctx, stop := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for ctx.Err() == nil {
				s, err := p.Once(t.Context(), "rounds([_], 100)", nil)
				if err != nil {
					t.Error("a gap", s, err)
					return
				}
			}
		})
	}
	for round := range 50 {
		_, err := p.SetFacts("f", 2, numbered("f", round+1, 100))
		require.NoError(t, err)
	}
	stop()
	readers.Wait()
	s, err := p.Once(t.Context(), "rounds(L, N)", nil)
	require.NoError(t, err)
	require.Equal(t, "[50] 100", s.Text("L")+" "+s.Text("N"))
}

// TestSetFactsMistaken checks that nothing changes when a sequence has a fault.
func TestSetFactsMistaken(t *testing.T) {
	t.Parallel()
	l := &ledger{}
	p, err := engine.LoadText(t.Context(), "f.pl", ":- persistent(f/2).\nstatic(1).\n", &engine.Options{Journal: l})
	require.NoError(t, err)
	_, err = p.SetFacts("f", 2, numbered("f", 1, 2))
	require.NoError(t, err)
	require.Equal(t, []string{"+f(1,1) +f(1,2)"}, l.lines)
	_, err = p.SetFacts("f", 2, numbered("g", 1, 2))
	require.EqualError(t, err, "clause 1: g(1,1) is no clause of f/2")
	broken := errors.New("broken")
	_, err = p.SetFacts("f", 2, func(yield func(engine.Term, error) bool) { yield(nil, broken) })
	require.ErrorIs(t, err, broken)
	_, err = p.SetFacts("static", 1, numbered("f", 1, 0))
	require.ErrorContains(t, err, "No permission to modify static procedure `static/1'")
	_, err = p.SetFacts("is", 2, numbered("is", 1, 1))
	require.ErrorContains(t, err, "permission")
	for _, arity := range []int{-1, 1 << 30} {
		_, err = p.SetFacts("f", arity, numbered("f", 1, 0))
		require.ErrorContains(t, err, "max_procedure_arity")
	}
	l.full = true
	_, err = p.SetFacts("f", 2, numbered("f", 2, 2))
	require.ErrorIs(t, err, host.ErrNotStored)
	s, err := p.Once(t.Context(), "findall(X-Y, f(X, Y), L)", nil)
	require.NoError(t, err)
	require.Equal(t, "[1-1,1-2]", s.Text("L"))
	l.full = false
	_, err = p.SetFacts("f", 2, numbered("f", 2, 0))
	require.NoError(t, err)
	require.Equal(t, []string{"+f(1,1) +f(1,2)", "-f(1,1) -f(1,2)"}, l.lines)
}
