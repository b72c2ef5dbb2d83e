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
	for _, goal := range []string{"engine_create(Y, get_time(Y), E), engine_next(E, A), get_time(B), A =:= B",
		"statistics(walltime, _), sleep(0.01), statistics(walltime, [_, W]), W > 0"} {
		require.Equal(t, "true", ask(goal+", X = true", ""), goal)
	}
	free, err := p.Once(t.Context(), "get_time(X)", nil)
	require.NoError(t, err)
	require.NotEqual(t, "1709209800.5", free.Text("X"))
}

func TestAssumedFacts(t *testing.T) {
	p, err := LoadText(t.Context(), "a.pl", `
		:- dynamic income/2, vip/1.
		:- table reach/2.
		:- dynamic edge/2.
		income(ann, 100).
		income(bob, 200).
		edge(a, b).
		reach(X, Y) :- edge(X, Y).
		reach(X, Y) :- reach(X, Z), edge(Z, Y).
		rich(X) :- income(X, N), N > 150.
		rich(X) :- vip(X).
		total(T) :- findall(N, income(_, N), L), sum_list(L, T).
		fixed(1).
		rule(X) :- rich(X).
		spend(X) :- retract(income(X, _)), assertz(income(X, 0)).
	`, nil)
	require.NoError(t, err)
	ask := func(goal string, g Given) string {
		s, err := p.Once(t.Context(), goal, &RunOptions{Given: g})
		if err != nil {
			return err.Error()
		}
		return s.Text("X")
	}
	fact := func(text string) any {
		f, err := p.ParseTerm("", text)
		require.NoError(t, err)
		return f
	}
	facts := func(texts ...string) (list []any) {
		for _, text := range texts {
			list = append(list, fact(text))
		}
		return list
	}
	require.Equal(t, "310", ask("total(X)", Given{Assume: facts("income(cid, 10)")}))
	require.Equal(t, "200", ask("total(X)", Given{Without: facts("income(ann, 100)")}))
	require.Equal(t, "7", ask("total(X)", Given{Assume: facts("income(dan, 7)"), Without: facts("income(_, _)")}))
	require.Equal(t, "300", ask("total(X)", Given{}))
	require.Equal(t, "a", ask("spend(ann), rich(ann), X = a", Given{Assume: facts("vip(ann)")}))
	require.Equal(t, "300", ask("total(X)", Given{}))
	require.Contains(t, ask("total(X)", Given{Without: facts("income(ann, 101)")}), "there is no fact income(ann,101)")
	require.Contains(t, ask("fixed(X)", Given{Assume: facts("fixed(2)")}), "fixed/1")
	require.Contains(t, ask("fixed(X)", Given{Without: facts("fixed(1)")}), "fixed/1")
	require.Contains(t, ask("fixed(X)", Given{Assume: facts("atom_length(a, 2)")}), "atom_length/2")
	require.Contains(t, ask("fixed(X)", Given{Assume: []any{3}}), "callable")
	require.Contains(t, ask("fixed(X)", Given{Without: facts("V")}), "fact 1")
	require.Equal(t, "n", ask("new(X)", Given{Assume: facts("new(n)")}))
	require.Contains(t, ask("new(X)", Given{}), "new/1")

	reached := func(g Given) string { return ask("findall(Y, reach(a, Y), L), sort(L, X)", g) }
	require.Equal(t, "[b]", reached(Given{}))
	require.Equal(t, "[b,c]", reached(Given{Assume: facts("edge(b, c)")}))
	require.Equal(t, "[b]", reached(Given{}))
	require.Equal(t, "[]", reached(Given{Without: facts("edge(a, b)")}))
	require.Equal(t, "[b]", reached(Given{}))

	proof, err := p.Why(t.Context(), "rule(cid)", &WhyOptions{Run: RunOptions{Given: Given{
		Assume: facts("vip(cid)"), Without: facts("income(bob, _)")}}})
	require.NoError(t, err)
	require.Contains(t, proof.Text, "assumed in this call")
	require.NotContains(t, proof.Text, "asserted")
	misses, err := p.WhyNot(t.Context(), "rule(bob)", &WhyOptions{Run: RunOptions{Given: Given{
		Without: facts("income(bob, _)")}}})
	require.NoError(t, err)
	require.Contains(t, misses.Text, "income(bob")
}
