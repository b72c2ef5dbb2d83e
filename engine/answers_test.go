package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

// This file tests terms that are kept outside of the heap: bags of answers, sorting, balls.

const outsideText = `
keys(N, K, L) :- length(L, N), numbered(L, 1, K).
numbered([], _, _).
numbered([Key-I|L], I, K) :- Key is I * 7919 mod K, J is I + 1, numbered(L, J, K).

% Sorted by key, and equal keys in the order of their numbers.
stable([_]).
stable([A-I, B-J|L]) :- ( A < B -> true ; A =:= B, I < J ), stable([B-J|L]).

sorted(N, K) :-
    keys(N, K, L), keysort(L, S), length(S, N), stable(S),
    sort(0, @>=, L, Down), reverse(Down, Up), msort(L, Up),
    sort(1, @<, L, Firsts), length(Firsts, Distinct), Distinct is min(N, K),
    \+ ( member(Key-I, Firsts), member(Key-J, L), J < I ).

kind(1). kind(a). kind("text"). kind(2.5). kind(123456789012345678901234567890). kind(f(a, 1)).
kind(f(g(b), _)). kind([]). kind([1]). kind([1, f(x)|_]). kind(f("t", X, X)). kind('$VAR'(1)). kind(1-2).
kind(f(_)).

% Each kind alone, and all of them together.
collected :-
    forall(kind(K), ( findall(K, member(_, [1, 2]), L), L = [A, B], A =@= K, B =@= K )),
    findall(K, ( member(_, [1, 2, 3]), kind(K) ), All),
    findall(Ks, ( member(_, [1, 2, 3]), findall(K, kind(K), Ks) ), Three), append(Three, All3), All =@= All3,
    X = f(X), findall(X, member(_, [1, 2]), [Y, Z]), Y == X, Z == X,
    findall(I-L, ( member(I, [1, 2]), findall(J-I, member(J, [a, b]), L) ), Nested),
    Nested == [1-[a-1, b-1], 2-[a-2, b-2]].

% A ball is another one's part, and thrown again; what was caught stays what it is.
thrown(0, []) :- !.
thrown(N, [Ball|Balls]) :-
    catch(throw(ball(N, X, X, "text")), Ball, true),
    catch(catch(throw(first(Ball)), first(B), throw(second(B, N))), second(_, _), true),
    catch(atom_length(f(N), _), error(E, _), true), E = type_error(_, Culprit), Culprit == f(N),
    M is N - 1, thrown(M, Balls).
balls :- thrown(100, Balls), forall(nth1(I, Balls, B), ( J is 101 - I, B =@= ball(J, X, X, "text") )).

first :- catch(inner, _, true), X is foo + 1, atom(X).
inner :-
    deeper(5).
deeper(0) :- throw(oops).
deeper(N) :- M is N - 1, deeper(M), true.
`

func TestAnswersOutsideTheHeap(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "answers.pl", outsideText, nil)
	require.NoError(t, err)
	for _, goal := range []string{
		"collected", "balls",
		"sorted(1, 1)", "sorted(7, 3)", "sorted(8, 8)", "sorted(9, 2)", "sorted(17, 100)", "sorted(300, 1)",
		"sorted(3000, 57)", "sorted(3000, 5000)",
	} {
		_, err := p.Once(t.Context(), goal, nil)
		require.NoError(t, err, goal)
	}
	_, err = p.Once(t.Context(), "first", nil)
	ex := &engine.Exception{}
	require.ErrorAs(t, err, &ex)
	require.NotContains(t, ex.Backtrace(), "deeper", "the place of an exception that was caught")
	require.Contains(t, ex.Backtrace(), "first")
}
