% First week of a course: numbers as successors, relations in all directions, and the limits of such programs.
:- use_module(library(lists)).

nat(0).
nat(s(X)) :- nat(X).

add(0, Y, Y).
add(s(X), Y, s(Z)) :- add(X, Y, Z).

times(0, _, 0).
times(s(X), Y, Z) :- times(X, Y, W), add(Y, W, Z).

power(_, 0, s(0)).
power(X, s(N), Z) :- power(X, N, Y), times(X, Y, Z).

less(0, s(_)).
less(s(X), s(Y)) :- less(X, Y).

even(0).
even(s(s(X))) :- even(X).

number(0, 0) :- !.
number(N, s(X)) :- integer(N), !, M is N-1, number(M, X).
number(N, s(X)) :- number(M, X), N is M+1.

divide(X, Y, Q, R) :- less(R, Y), times(Q, Y, P), add(P, R, X).

ackermann(0, N, s(N)).
ackermann(s(M), 0, R) :- ackermann(M, s(0), R).
ackermann(s(M), s(N), R) :- ackermann(s(M), N, R0), ackermann(M, R0, R).

as_number(T, N) :- as_number(T, 0, N).
as_number(0, N, N).
as_number(s(X), N0, N) :- N1 is N0+1, as_number(X, N1, N).

main :-
    findall(X, limit(4, nat(X)), Xs), print(Xs), nl,
    findall(A+B, ( add(X, Y, s(s(s(0)))), as_number(X, A), as_number(Y, B) ), Sums), print(Sums), nl,
    add(X1, s(0), s(s(s(0)))), print(X1), nl,
    number(4, Four), number(3, Three), times(Four, Three, P), as_number(P, PN), print(PN), nl,
    power(Three, Three, Q), as_number(Q, QN), print(QN), nl,
    number(14, N14), once(divide_(N14, Four, D, R)), as_number(D, DN), as_number(R, RN), print(DN/RN), nl,
    ackermann(s(s(0)), Three, Ack), as_number(Ack, AN), print(AN), nl,
    findall(E, ( member(K, [0, 1, 2, 3, 4]), number(K, T), ( even(T) -> E = K-even ; E = K-odd ) ), Es), print(Es), nl,
    once(add(V, W, s(V))), print(V/W), nl,
    ( \+ less(Three, Three) -> writeln('not less than itself') ; true ), !.

divide_(X, Y, Q, R) :- between(0, 20, K), number(K, Q), times(Q, Y, P), add(P, R, X), less(R, Y).
