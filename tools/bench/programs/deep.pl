% Recursion over lists of a million elements that is not a last call.
% scale: 122

bench :- run(1000000, 3).
small :- run(30000, 1).

run(Length, Times) :-
    numbers(Length, List),
    repeated(Times, List, Sum),
    write(checksum(Sum)), nl.

repeated(1, List, Sum) :- !,
    sum(List, Sum).
repeated(N, List, Sum) :-
    doubled(List, Twice),
    sum(Twice, _),
    M is N - 1,
    repeated(M, List, Sum).

numbers(0, []) :- !.
numbers(N, [N|Ns]) :-
    M is N - 1,
    numbers(M, Ns).

doubled([], []).
doubled([X|Xs], [Y|Ys]) :-
    doubled(Xs, Ys),
    Y is 2 * X.

sum([], 0).
sum([X|Xs], Sum) :-
    sum(Xs, Less),
    Sum is Less + X.
