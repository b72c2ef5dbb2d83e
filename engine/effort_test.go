package engine_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

// This file tests the messages about goals that a limit has stopped.

const endlessText = `edge(a, b). edge(b, c). edge(c, a).
path(X, Y) :- edge(X, Y).
path(X, Z) :- path(X, Y), edge(Y, Z).
way(X, Y) :- arc(X, Y).
way(X, Z) :- way(X, Y), arc(Y, Z).
arc(a, b). arc(b, c).
reach(X, Y) :- edge(X, Y).
reach(X, Z) :- edge(X, Y), reach(Y, Z).
count(N) :- M is N + 1, count(M).
fact(N, F) :- M is N - 1, fact(M, G), F is N * G.
fact(0, 1).
even(N) :- M is N - 1, odd(M), atom(a).
odd(N) :- M is N - 1, even(M), atom(a).
collect(L) :- collect([x|L]).
wrap(T) :- wrap(f(T)).
same :- same.
fib(0, 0). fib(1, 1).
fib(N, F) :- N > 1, A is N - 1, B is N - 2, fib(A, X), fib(B, Y), F is X + Y.
pythagoras(A, B, C) :- between(1, inf, A), between(1, A, B), between(1, A, C), A * A + B * B =:= -C.
digit(D) :- between(0, 9, D).
puzzle([A, B, C, D, E, F, G, H, I]) :-
    digit(A), digit(B), digit(C), digit(D), digit(E), digit(F), digit(G), digit(H), digit(I), sum(A, B, -1).
sum(A, B, C) :- C is A + B.
long([], 0).
long([_|T], N) :- long(T, M), N is M + 1.
nat(0).
nat(N) :- nat(M), N is M + 1.
caught(N) :- catch(caught(N), nothing, true), true.
:- table ever/1, deep/1, answers/1, texts/1, pair/2, least(_, min).
ever(N) :- M is N + 1, ever(M).
deep(N) :- M is N + 1, deep(M), atom(a).
answers(0).
answers(N) :- answers(M), N is M + 1.
texts([]).
texts([a|T]) :- texts(T).
pair(X, Y) :- between(1, 300, X), between(1, 300, Y).
least(N, C) :- M is N + 1, least(M, D), C is D + 1.
`

// effortCases are goals, the limits that run out, and the messages.
var effortCases = []struct{ goal, limit, want string }{
	{"way(a, nowhere)", "memory", `[0-9,]+ calls of way/2 \(graph\.pl:4\) waited for the end of another\. ` +
		`Likely cause: a clause of way/2 calls way/2 first, .* or declare :- table way/2\.$`},
	{"way(a, nowhere)", "inferences", `a clause of way/2 calls way/2 first`},
	{"path(a, nowhere)", "inferences", `It made [0-9,]+ calls, .*clause of path/2 calls path/2 first.*:- table path/2\.`},
	{"reach(a, nowhere)", "work", `reach/2 asks the same again and again, or goes round .* :- table reach/2`},
	{"count(1)", "work", `nearly all of count/1.*argument 1 of count/1 rises from call to call, to [0-9,]+, and no`},
	{"fact(5, F)", "memory", `calls of it waited .*argument 1 of fact/2 falls from call to call, to -[0-9,]+`},
	{"even(7)", "memory", `of (even|odd)/1.*waited.*argument 1 of (even|odd)/1 falls from call to call`},
	{"collect([])", "memory", `argument 1 of collect/1 grows from call to call, up to a size of [0-9,]+`},
	{"wrap(a)", "memory", `argument 1 of wrap/1 grows`},
	{"same", "time", `nearly all of same/0.*same/0 calls itself with the same arguments, which has no end\. Put a goal ` +
		`that makes progress before that call\.$`},
	{"fib(60, F)", "work", `nearly all of fib/2.*fib/2 asks the same again and again.*:- table fib/2`},
	{"pythagoras(_, _, _)", "work", `too much to try. The search asked between/3.* [0-9,]+ times for another answer`},
	{"between(1, inf, X), sum(X, X, -1)", "work", `of sum/3.*The search asked between/3`},
	{"repeat, fail", "work", `Likely cause: repeat/0 begins again until the goals after it succeed`},
	{"puzzle(_)", "work", `too much to try.*between/3`},
	{"long(L, -1)", "time", `of long/2.*Likely cause: .*long/2`},
	{"nat(-1)", "time", `Likely cause: .*nat/1`},
	{"caught(1)", "memory", `of caught/1.*Likely cause: caught/1`},
	{"numlist(1, 100000000, L), atom(L)", "memory", `^It made [0-9,]+ calls, `},
	{"numlist(1, 5000, L), repeat, msort(L, _), fail", "work", `^It took [0-9,]+ steps, nearly all of msort/2. ` +
		`Likely cause: msort/2 was given too much to do, or something that has no end\.$`},
	{"numlist(1, 100000, L), member(X, L), member(Y, L), X + Y =:= 0", "work", `It made .* Likely cause: there are too ` +
		`many combinations`},
	{"between(1, inf, X), X < 0", "work", `It made .* too much to try\. The search asked between/3`},
	{"length(L, 100000000)", "memory", `^It made 2 calls, the last of length/2\.$`},
	{"catch(way(a, nowhere), nothing, true)", "memory", `way/2 calls way/2 first`},
	{"ever(0)", "memory", `calls of (it|ever/1 .graph.pl:[0-9]+.) waited.*` +
		`Likely cause: ever/1 is called with ever new arguments`},
	{"ever(0)", "work", `Likely cause: ever/1 is called with ever new arguments`},
	{"deep(0)", "memory", `Likely cause: deep/1 is called with ever new arguments`},
	{"least(0, _)", "memory", `Likely cause: least/2 is called with ever new arguments`},
	{"answers(_)", "memory", `Likely cause: answers/1 has answers without end`},
	{"answers(_)", "work", `Likely cause: answers/1 has answers without end`},
	{"texts(_)", "memory", `Likely cause: texts/1 has answers without end`},
	{"pair(A, B), pair(C, D), A + B + C + D < 0", "work", `The search asked pair/2, and others like it`},
	{"findall(X, path(a, X), _), fail", "work", `path/2 calls`},
}

// The error of a limit says which predicate was called, how often, and what is likely to be wrong.
func TestEffort(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "graph.pl", endlessText, nil)
	require.NoError(t, err)
	for _, test := range effortCases {
		t.Run(test.goal+"/"+test.limit, func(t *testing.T) {
			t.Parallel()
			o := &engine.RunOptions{Limits: engine.Limits{Memory: 8 << 20, Time: 5 * time.Minute}}
			switch test.limit {
			case "time":
				o.Time, o.Memory = 400*time.Millisecond, 1<<30
			case "work": // as much as in some tenths of a second, on any machine
				o.Inferences, o.Memory = 1_000_000, 1<<30
				test.limit = "inferences"
			case "inferences":
				o.Inferences = 100_000
			}
			_, err := prog.Once(t.Context(), test.goal, o)
			var ex *engine.Exception
			require.ErrorAs(t, err, &ex)
			require.Equal(t, test.limit, ex.Limit())
			t.Log(ex.Effort)
			require.Regexp(t, regexp.MustCompile(test.want), ex.Effort)
			require.Contains(t, ex.Message, ex.Effort)
			require.NotRegexp(t, `\$tbl_| tabled'`, ex.Message+ex.Backtrace())
		})
	}
}

// TestFewCalls exceeds limits with few calls, before and after a program has called a built-in predicate.
func TestFewCalls(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "a.pl", "f(1).\nf(2).\n", nil)
	require.NoError(t, err)
	for range 2 {
		for limit, want := range []string{1: "It made 1 call.", 2: "It made 3 calls."} {
			if limit > 0 {
				_, err = p.Once(t.Context(), "f(_), f(_), f(_)",
					&engine.RunOptions{Limits: engine.Limits{Inferences: int64(limit)}})
				require.EqualError(t, err, "Inference limit exceeded. "+want)
			}
		}
		_, err = p.Once(t.Context(), "atom_length(abc, 3)", nil)
		require.NoError(t, err)
	}
}
