package engine_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

// Names that goals come up with leave nothing behind: neither predicates nor modules.
func TestUnknownNamesAreNotKept(t *testing.T) {
	p, err := engine.LoadText("t.pl", "ask(G) :- catch(G, error(existence_error(procedure, _), _), true).\n", nil)
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

// What is asserted counts as memory of the run that asserts it, until it retracts it.
func TestAssertedClausesCount(t *testing.T) {
	p, err := engine.LoadText("t.pl", ":- dynamic(d/2).\n", nil)
	require.NoError(t, err)
	for _, tx := range []bool{false, true} {
		o := &engine.RunOptions{Memory: 4 << 20, Transaction: tx}
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
	p, err := engine.LoadText("t.pl", "", nil)
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
