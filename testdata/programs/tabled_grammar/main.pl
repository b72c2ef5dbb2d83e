% A left-recursive grammar by tabling, words from another module.
:- use_module(words).
:- table expr/3, fib/2.
expr(X + Y) --> expr(X), [plus], factor(Y).
expr(X) --> factor(X).
factor(X * Y) --> factor0(X), [times], factor(Y).
factor(X) --> factor0(X).
factor0(N) --> [W], { word(W, N) }.
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, FA), fib(B, FB), F is FA+FB.
main :-
    forall(member(Text, ["one plus two times three", "two plus two plus two", "plus one"]),
           (   split_string(Text, " ", "", Ss), maplist([S,A]>>atom_string(A, S), Ss, Ws),
               findall(E, phrase(expr(E), Ws), Es), print(Es), nl
           )),
    fib(100, F), print(F), nl,
    findall(X, path(a, X), L0), sort(L0, L), print(L), nl,
    ( path(d, _) -> print(yes) ; print(no) ), nl.
