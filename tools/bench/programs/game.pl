% Positions that win in a game where who cannot move loses, by negation of a table.
% scale: 384

:- table(wins/1).

bench :- run(20000).
small :- run(50).

:- dynamic(move/2).

run(Positions) :-
    moves(1, Positions),
    findall(X, wins(X), Winners),
    length(Winners, Count),
    write(checksum(Count)), nl.

moves(N, N) :- !.
moves(I, N) :-
    add(I, 7919),
    add(I, 104729),
    J is I + 1,
    moves(J, N).

add(I, Factor) :-
    To is (I * Factor + I // 3) mod I,
    assertz(move(I, To)).

wins(X) :- move(X, Y), tnot(wins(Y)).
