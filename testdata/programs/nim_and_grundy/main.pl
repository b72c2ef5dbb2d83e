% Nim, Kayles and a game of stones by Sprague and Grundy, with tables in place of loops.
:- use_module(library(lists)).
:- table grundy/3.

option(nim, N, [M]) :- between(1, N, K), M is N-K.
option(take_three, N, [M]) :- between(1, 3, K), N >= K, M is N-K.
option(kayles, N, Heaps) :- between(1, 2, K), Rest is N-K, Rest >= 0, between(0, Rest, A), B is Rest-A, A =< B, exclude(==(0), [A, B], Heaps).
option(dawson, N, [A, B]) :- N >= 2, Rest is N-2, between(0, Rest, A), B is Rest-A, A =< B.

grundy(Game, N, G) :-
    findall(V, ( option(Game, N, Heaps), value(Game, Heaps, V) ), Vs0),
    sort(Vs0, Vs), mex(Vs, 0, G).

value(Game, Heaps, V) :- foldl([H, A, B]>>( grundy(Game, H, G), B is A xor G ), Heaps, 0, V).

mex([N|Ns], N, G) :- !, N1 is N+1, mex(Ns, N1, G).
mex(_, N, N).

winning(Game, Heaps, Heap-Next) :-
    select(Heap, Heaps, Others), option(Game, Heap, New),
    append(New, Others, Next), value(Game, Next, 0).

main :-
    forall(member(Game, [nim, take_three, kayles, dawson]),
           ( findall(G, ( between(0, 20, N), grundy(Game, N, G) ), Gs), format("~w~t~12|~w~n", [Game, Gs]) )),
    forall(member(Game-Heaps, [nim-[1, 2, 3], nim-[3, 4, 5], take_three-[4, 8], take_three-[5, 8], kayles-[7]]),
           ( value(Game, Heaps, V), findall(M, winning(Game, Heaps, M), Ms0), sort(Ms0, Ms), format("~w ~w: ~d ~w~n", [Game, Heaps, V, Ms]) )).
