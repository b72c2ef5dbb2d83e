package engine_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ichiban/prolog"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

// TestReference asks this engine and ichiban/prolog, an ISO interpreter that shares nothing with it, for all values of
// X in the same goals. The command tools/differ asks thousands of goals.
func TestReference(t *testing.T) {
	const program = `
app([], L, L).
app([X|Xs], L, [X|Ys]) :- app(Xs, L, Ys).
rev([], []).
rev([X|Xs], R) :- rev(Xs, Y), app(Y, [X], R).
sel(X, [X|T], T).
sel(X, [Y|T], [Y|R]) :- sel(X, T, R).
perm([], []).
perm(L, [X|P]) :- sel(X, L, R), perm(R, P).
safe([]).
safe([Q|Qs]) :- free(Q, Qs, 1), safe(Qs).
free(_, [], _).
free(Q, [P|Ps], D) :- Q =\= P + D, Q =\= P - D, D1 is D + 1, free(Q, Ps, D1).
queens(L, Qs) :- perm(L, Qs), safe(Qs).
first(X, L) :- sel(X, L, _), !.
`
	for _, goal := range []string{
		"app(A, B, [1, f(2), 'C d']), X = A-B", "rev([a, 3.5, -1, - 1, []], X)", "queens([1, 2, 3, 4, 5, 6], X)",
		"first(X, [one, two])", "\\+ first(3, [1, 2]), X = none", "X is 7 // -2 + -7 mod 3 + 2 * 3",
		"catch(X is foo + 1, error(E, _), X = E)", "catch(atom_length(_, 3), error(E, _), X = E)",
		"catch(( sel(Y, [1, 2], _), throw(ball(Y)) ), X, true)", "sub_atom(abcde, B, 2, A, S), X = S-B-A",
		"findall(K-V, sel(K-V, [b-1, a-2, b-0], _), L), keysort(L, X)", "setof(K, V^R^sel(K-V, [b-1, a-2, b-0], R), X)",
		"bagof(V, K^R^sel(K-V, [b-1, a-2, b-0], R), X)", "copy_term(f(A, A), C), C = f(a, B), X = C-B",
		"B = [c], X =.. [f, a|B]",
		"( fail ; X = 1 ), ( X > 0 -> true ; fail )", "atom_chars(X, [a, b, c])", "number_codes(X, [0'1, 0'2])",
		"compare(X, 1, 1.0)",
		"sel(Y, [1, 2, 3], _), ( Y =:= 2 -> X = two ; X = other )", "X = f('x y', [a|t], {b}, (d :- e, g), 1 - (2 - 3))",
	} {
		asked := goal + ", writeq(X), nl, fail ; true"
		var theirs bytes.Buffer
		other := prolog.New(strings.NewReader(""), &theirs)
		require.NoError(t, other.ExecContext(t.Context(), program))
		solutions, err := other.QueryContext(t.Context(), asked+".")
		require.NoError(t, err, goal)
		require.True(t, solutions.Next(), goal)
		require.NoError(t, solutions.Err(), goal)

		var ours engine.Buffer
		p, err := engine.LoadText(t.Context(), "shared.pl", program, nil)
		require.NoError(t, err)
		_, err = p.Once(t.Context(), asked, &engine.RunOptions{Output: &ours})
		require.NoError(t, err, goal)
		require.Equal(t, theirs.String(), ours.String(), goal)
	}
}
