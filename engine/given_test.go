package engine

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestGivenClockAndSeed(t *testing.T) {
	p, err := LoadText(t.Context(), "a.pl", `
		:- use_module(library(random)).
		throws(L) :- findall(X, (between(1, 5, _), X is random(1000)), L).
		again(L) :- set_random(seed(random)), throws(L).
		in_engine(X) :- engine_create(Y, Y is random(1000000), E), engine_next(E, X).
		stays :- get_time(A), sleep(0.02), get_time(B), A =:= B.
		state(S) :- X is random(10), nonvar(X), random_property(state(S)).
	`, nil)
	require.NoError(t, err)
	at := time.Date(2024, 2, 29, 12, 30, 0, 500_000_000, time.UTC)
	ask := func(goal, seed string) string {
		s, err := p.Once(t.Context(), goal, &RunOptions{Given: Given{Now: at, Seed: seed}})
		require.NoError(t, err, goal)
		return s.Text("X")
	}
	for _, goal := range []string{"throws(X)", "again(X)", "in_engine(X)", "random(X)", "random_between(1, 1000000, X)",
		"random_permutation([a, b, c, d, e, f, g, h, i], X)", "again(_), throws(X)", "state(X)"} {
		require.Equal(t, ask(goal, "7"), ask(goal, "7"), goal)
		require.NotEqual(t, ask(goal, "7"), ask(goal, "8"), goal)
	}
	require.Equal(t, "1709209800.5", ask("get_time(X)", ""))
	require.Equal(t, "1709209800", ask("X is realtime", ""))
	require.Equal(t, "1709209800", ask("statistics(real_time, [X|_])", ""))
	require.Equal(t, "1709209800.5", ask("statistics(epoch, X)", ""))
	require.Equal(t, "2024-02-29", ask("get_time(T), format_time(atom(X), '%F', T)", ""))
	require.Equal(t, "true", ask("stays, X = true", ""))
	require.Equal(t, "true", ask("engine_create(Y, get_time(Y), E), engine_next(E, A), get_time(B), A =:= B, X = true", ""))
	require.Equal(t, "true", ask("statistics(walltime, _), sleep(0.01), statistics(walltime, [_, W]), W > 0, X = true", ""))
	free, err := p.Once(t.Context(), "get_time(X)", nil)
	require.NoError(t, err)
	require.NotEqual(t, "1709209800.5", free.Text("X"))
}
