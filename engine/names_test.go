package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

// Names that goals invent leave nothing behind: neither predicates nor modules.
func TestUnknownNamesAreNotKept(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "t.pl", "ask(G) :- catch(G, error(existence_error(procedure, _), _), true).\n",
		nil)
	require.NoError(t, err)
	run := func(n int) {
		for i := range n {
			goal := fmt.Sprintf("ask(name%[1]d(x)), ask(mod%[1]d:other%[1]d), ask(call(third%[1]d, 1, 2)), "+
				"ask(user:maplist(fourth%[1]d, [1]))", i)
			_, err := p.Once(context.Background(), goal, nil)
			require.NoError(t, err)
		}
	}
	run(1)
	before, modules := engine.PredCount(p), engine.ModuleCount(p)
	run(300)
	require.Equal(t, before, engine.PredCount(p))
	require.Equal(t, modules, engine.ModuleCount(p))
}

// TestUnknownNamesOfOverlappingRuns checks the same while at every moment some goal runs.
func TestUnknownNamesOfOverlappingRuns(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "t.pl", "ask(G) :- catch(G, error(existence_error(procedure, _), _), true).\n",
		nil)
	require.NoError(t, err)
	start := func(i int) *engine.Run {
		goal := fmt.Sprintf("ask(name%[1]d(x)), ask(mod%[1]d:other%[1]d), ask(call(third%[1]d, 1, 2))", i)
		r, err := p.Start(goal, &engine.RunOptions{Transaction: i%2 == 0})
		require.NoError(t, err)
		state, err := r.Next(t.Context())
		require.NoError(t, err)
		require.Equal(t, engine.Answer, state)
		return r
	}
	first := start(0)
	before, modules := engine.PredCount(p), engine.ModuleCount(p)
	for i := range 5000 {
		next := start(i + 1)
		first.Close()
		if first = next; i%100 == 0 {
			require.Less(t, engine.PredCount(p), before+2000)
			require.Less(t, engine.ModuleCount(p), modules+1000)
		}
	}
	first.Close()
}

// TestNamesAtRandom runs goals on several machines that define the same few predicates among many unused names. Each
// goal sees the clauses that it has asserted.
func TestNamesAtRandom(t *testing.T) {
	t.Parallel()
	const text = `
ask(G) :- catch(G, error(existence_error(procedure, _), _), true).
vain(I) :- atom_concat(vain, I, A), G =.. [A, x], ask(G), ask(A:G).
own(I) :- atom_concat(own, I, A), G =.. [A, x], ignore(ask(G)), ignore(ask(m:G)), assertz(G), assertz(m:G),
	call(G), m:call(G), retract(G), retract(m:G), \+ catch(G, _, fail).
`
	p, err := engine.LoadText(t.Context(), "t.pl", text, nil)
	require.NoError(t, err)
	before := engine.PredCount(p)
	var all sync.WaitGroup
	for c := range 4 {
		all.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(c)))
			for i := range 1500 {
				goal := fmt.Sprintf("vain(%d), own(%d), vain(%d)", c*10_000+i, random.IntN(3), c*10_000+5_000+i)
				if _, err := p.Once(context.Background(), goal, &engine.RunOptions{Transaction: true}); err != nil {
					t.Errorf("%s: %v", goal, err)
					return
				}
			}
		})
	}
	all.Wait()
	require.Less(t, engine.PredCount(p), before+5000)
}

// Clauses count as memory of the run that asserts them, until it retracts them.
func TestAssertedClausesCount(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "t.pl", ":- dynamic(d/2).\n", nil)
	require.NoError(t, err)
	for _, tx := range []bool{false, true} {
		o := &engine.RunOptions{Limits: engine.Limits{Memory: 4 << 20}, Transaction: tx}
		for _, goal := range []string{
			"repeat, assertz(d(1, 2)), fail", "repeat, assertz((d(X, Y) :- p(X, Y))), fail",
			"between(1, inf, N), atom_concat(d, N, A), T =.. [A, x], assertz(T), fail",
		} {
			_, err := p.Once(t.Context(), goal, o)
			require.ErrorContains(t, err, "memory", goal)
		}
		_, err = p.Once(t.Context(), "retractall(d(_, _)), forall(between(1, 200000, I), (assertz(d(I, x)), retract(d(I, "+
			"_))))", o)
		require.NoError(t, err)
	}
}

// A predicate first asserted in a transaction is unknown to others until the commit, and to all
// after a rollback.
func TestPredicatesOfTransactions(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "t.pl", "", nil)
	require.NoError(t, err)
	begin := func(goal string) *engine.Run {
		r, err := p.Start(goal, &engine.RunOptions{Transaction: true})
		require.NoError(t, err)
		state, err := r.Next(t.Context())
		require.NoError(t, err)
		require.Equal(t, engine.Answer, state)
		return r
	}
	unknown := func() {
		t.Helper()
		_, err := p.Once(t.Context(), "fresh(_)", nil)
		require.ErrorContains(t, err, "fresh/1")
	}
	one := begin("assertz(fresh(1)), fresh(1)")
	unknown()
	two := begin("assertz(fresh(2)), fresh(X), X == 2")
	one.Close()
	unknown()
	require.NoError(t, two.Commit())
	two.Close()
	s, err := p.Once(t.Context(), "findall(X, fresh(X), L)", nil)
	require.NoError(t, err)
	require.Equal(t, "[2]", engine.FormatTerm(s.Get("L")))

	begin("assertz(other(1))").Close()
	_, err = p.Once(t.Context(), "other(_)", nil)
	require.ErrorContains(t, err, "other/1")
	three := begin("assertz(other(3))")
	_, err = p.Once(t.Context(), "assertz(other(4))", nil)
	require.NoError(t, err)
	three.Close()
	s, err = p.Once(t.Context(), "other(X)", nil)
	require.NoError(t, err)
	require.Equal(t, "4", engine.FormatTerm(s.Get("X")))
}
