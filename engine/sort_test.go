package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
)

// sortRules make lists of all kinds of terms, including terms with the same functor and terms that differ only late.
// They also check whether a sorted list is in the order of compare/3.
const sortRules = `
:- use_module(library(random)).
:- use_module(library(lists)).

term(any, T) :- random_member(K, [int, big, float, atom, string, var, pair, deep, list]), term(K, T).
term(int, T) :- random_between(-20, 20, T).
term(big, T) :- random_member(T, [1152921504606846975, -1152921504606846976, 1152921504606846976,
	10000000000000000000000, -10000000000000000000000]).
term(float, T) :- random_member(T, [1.0, 0.0, -0.0, 2.5, -3.0, 1.0e30, inf, 20.0]).
term(atom, T) :- random_member(T, [a, b, '', [], 'ä', ab, abcdefg, abcdefgh, abcdefghi, 'a\0\', 'z', '[]']).
term(string, T) :- term(atom, A), atom_string(A, T).
term(var, _).
term(pair, A-B) :- term(any, A), term(any, B).
term(deep, f(A)) :- term(any, A).
term(deep, f(A, g(B), C)) :- term(any, A), term(any, B), term(any, C).
term(deep, abcdefgh(A)) :- term(any, A).
term(deep, abcdefgi(A)) :- term(any, A).
term(list, L) :- length(L, 3), maplist(term(int), L).
term(few, T) :- random_member(T, [0, 1, -1]).
term(row, r(A, B, C, D)) :- term(few, A), term(few, B), term(few, C), term(few, D).
term(text_row, r(A, B)) :- random_member(A, [abcdefg, abcdefgh, 'abcdefg\0\', ab, 'ab\0\']), term(atom, B).
term(any_row, r(A, B)) :- term(few, A), term(any, B).
term(var_row, r(A, B)) :- random_member(A, [_, 1]), term(few, B).
term(nested, v(A)-p(B, s(C))) :- term(few, A), term(few, B), term(any, C).
term(nested_row, v(A, w(B))-C) :- term(few, A), term(few, B), term(few, C).
term(nested_kinds, v(A)-B) :- random_member(A, [0, 1, u(0), u(1), u(_)]), term(few, B).
term(towers, T) :- term(few, A), term(few, B), T = t(t(t(t(t(t(t(t(A, 0), 0), 0), 0), 0), 0), 0), B).

kinds([any, any, any, int, big, float, atom, string, var, pair, deep, list, row, text_row, any_row, var_row,
	nested, nested_row, nested_kinds, towers]).

right(N) :-
	kinds(Ks),
	forall(between(1, N, _), (random_member(K, Ks), random_between(16, 60, Length), sorted(K, Length))).

sorted(K, Length) :-
	length(L, Length), maplist(term(K), L),
	msort(L, M), permuted(L, M), ordered(M, [<, =]),
	sort(L, S), ordered(S, [<]), length(S, SL), SL =< Length, forall(member(X, L), (member(Y, S), X == Y)),
	sort(0, @>=, L, D), permuted(L, D), ordered(D, [>, =]),
	sort(0, @>, L, U), ordered(U, [>]), same_length(U, S),
	numbered(L, 1, P), keysort(P, Q), permuted(P, Q), stable(Q).

ordered([A, B|L], Os) :- !, compare(O, A, B), ( memberchk(O, Os) -> ordered([B|L], Os) ; throw(out_of_order(A, B)) ).
ordered(_, _).

permuted([], []).
permuted([X|Xs], L) :- taken(L, X, R), permuted(Xs, R).

taken([Y|L], X, L) :- X == Y, !.
taken([Y|L], X, [Y|R]) :- taken(L, X, R).

numbered([], _, []).
numbered([X|L], I, [X-I|P]) :- J is I + 1, numbered(L, J, P).

stable([A-I, B-J|L]) :- !, compare(O, A, B), ( O = (<) ; O = (=), I < J ), !, stable([B-J|L]).
stable(_).
`

func TestSortAgreesWithCompare(t *testing.T) {
	t.Parallel()
	p := engine.New(nil)
	require.NoError(t, p.Load(t.Context(), source.File{Name: "sort.pl", Text: sortRules}))
	_, err := p.Once(t.Context(), "set_random(seed(7)), right(600)", nil)
	require.NoError(t, err)
}
