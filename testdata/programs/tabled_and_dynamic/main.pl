% Tabling with dynamic predicates, and modes of the usual names.
:- table path/2.
:- dynamic edge/2.
edge(a, b). edge(b, c). edge(c, a).
path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).
:- table conn(_, _, min).
conn(X, Y, 1) :- edge(X, Y).
conn(X, Y, N) :- conn(X, Z, M), edge(Z, Y), N is M + 1.
:- table best(+, max).
best(K, V) :- score(K, V).
score(a, 1). score(a, 3). score(b, 2).
:- dynamic fib/2.
:- table fib/2.
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N - 1, B is N - 2, fib(A, FA), fib(B, FB), F is FA + FB.
main :- findall(Y, path(a, Y), L), msort(L, S), writeln(S), conn(a, c, N), writeln(N), best(a, V), writeln(V), fib(30, F), writeln(F).
