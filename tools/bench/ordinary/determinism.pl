% Loops that promise to leave no choice points: predicates declared det, $/0 and $/1.

:- det(count/3).
:- det(step/2).

bench :-
    count(2000000, 0, A),
    guarded(1000000, 0, B),
    watched(1000000, 0, C),
    Sum is A + B + C,
    write(checksum(Sum)), nl.

count(0, Sum, Sum) :- !.
count(N, Sum0, Sum) :- step(N, D), Sum1 is Sum0 + D, M is N - 1, count(M, Sum1, Sum).

step(N, D) :- D is N mod 7.

guarded(0, Sum, Sum) :- !.
guarded(N, Sum0, Sum) :- D is N mod 5, $, Sum1 is Sum0 + D, M is N - 1, guarded(M, Sum1, Sum).

watched(0, Sum, Sum) :- !.
watched(N, Sum0, Sum) :- $step(N, D), Sum1 is Sum0 + D, M is N - 1, watched(M, Sum1, Sum).
