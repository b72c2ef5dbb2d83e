% Quicksort of pseudo-random numbers with difference lists.
% scale: 243

bench :- run(60, 10000).
small :- run(1, 1500).

run(Times, Length) :-
    randoms(Length, 4711, Numbers),
    (   between(1, Times, _),
        sorted(Numbers, _, []),
        fail
    ;   sorted(Numbers, Sorted, []),
        weigh(Sorted, 1, 0, Sum),
        write(checksum(Sum)), nl
    ).

randoms(0, _, []) :- !.
randoms(N, Seed, [X|Xs]) :-
    X is (Seed * 1309 + 13849) mod 65536,
    M is N - 1,
    randoms(M, X, Xs).

sorted([], Tail, Tail).
sorted([Pivot|Xs], Sorted, Tail) :-
    split(Xs, Pivot, Less, More),
    sorted(Less, Sorted, [Pivot|Rest]),
    sorted(More, Rest, Tail).

split([], _, [], []).
split([X|Xs], Pivot, [X|Less], More) :-
    X =< Pivot, !,
    split(Xs, Pivot, Less, More).
split([X|Xs], Pivot, Less, [X|More]) :-
    split(Xs, Pivot, Less, More).

weigh([], _, Sum, Sum).
weigh([X|Xs], I, Sum0, Sum) :-
    Sum1 is (Sum0 + X * I) mod 1000003,
    J is I + 1,
    weigh(Xs, J, Sum1, Sum).
