% The longest Collatz chain, remembering the lengths found in dynamic facts.
% scale: 106

:- dynamic(known/2).

bench :- run(200000).
small :- run(2000).

run(Max) :-
    longest(1, Max, 0, 0, Best),
    write(checksum(Best)), nl.

longest(N, Max, _, Best, Best) :- N > Max, !.
longest(N, Max, Length0, Best0, Best) :-
    chain(N, Length),
    M is N + 1,
    (   Length > Length0
    ->  longest(M, Max, Length, N, Best)
    ;   longest(M, Max, Length0, Best0, Best)
    ).

chain(1, 1) :- !.
chain(N, Length) :-
    known(N, Length), !.
chain(N, Length) :-
    (   N mod 2 =:= 0 -> M is N // 2 ; M is 3 * N + 1 ),
    chain(M, Less),
    Length is Less + 1,
    (   N < 200000 -> assertz(known(N, Length)) ; true ).
