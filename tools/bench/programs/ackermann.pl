% Ackermann's function: deep recursion that is not a last call.
% scale: 1087

bench :- ackermann(3, 9, A), write(checksum(A)), nl.
small :- ackermann(3, 4, A), write(checksum(A)), nl.

ackermann(0, N, A) :- !,
    A is N + 1.
ackermann(M, 0, A) :- !,
    L is M - 1,
    ackermann(L, 1, A).
ackermann(M, N, A) :-
    K is N - 1,
    ackermann(M, K, B),
    L is M - 1,
    ackermann(L, B, A).
