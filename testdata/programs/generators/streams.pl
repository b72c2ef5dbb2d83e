:- module(streams, [naturals/1, taken/3, all/2, summer/1, merged/3]).

naturals(E) :- engine_create(N, between(0, inf, N), E).

taken(0, _, []) :- !.
taken(N, E, [X|Xs]) :-
    engine_next(E, X),
    M is N - 1,
    taken(M, E, Xs).

all(E, List) :-
    (   engine_next(E, X)
    ->  List = [X|Rest],
        all(E, Rest)
    ;   List = []
    ).

summer(E) :- engine_create(S, sum(0, S), E).

sum(S0, S) :-
    engine_fetch(X),
    S1 is S0 + X,
    (   S = S1
    ;   sum(S1, S)
    ).

merged(As, Bs, List) :-
    engine_create(A, member(A, As), EA),
    engine_create(B, member(B, Bs), EB),
    engine_next_reified(EA, A1),
    engine_next_reified(EB, B1),
    merge(A1, B1, EA, EB, List).

merge(no, no, _, _, []) :- !.
merge(the(A), B, EA, EB, [A|List]) :-
    ( B == no ; B = the(B0), A =< B0 ), !,
    engine_next_reified(EA, A1),
    merge(A1, B, EA, EB, List).
merge(A, the(B), EA, EB, [B|List]) :-
    engine_next_reified(EB, B1),
    merge(A, B1, EA, EB, List).
