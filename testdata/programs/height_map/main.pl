% A map of heights: low points, basins by flood, and the shortest climb by breadth first from the end.
:- use_module(library(lists)).
:- use_module(library(aggregate)).
:- use_module(library(assoc)).
:- dynamic height/3.

floor_map(["2199943210", "3987894921", "9856789892", "8767896789", "9899965678"]).
hill_map(["Sabqponm", "abcryxxl", "accszExk", "acctuvwj", "abdefghi"]).

load(Rows) :-
    retractall(height(_, _, _)),
    forall(( nth1(Y, Rows, R), string_chars(R, Cs), nth1(X, Cs, C) ), assertz(height(X, Y, C))).

side(X, Y, U, V) :- member(DX/DY, [0/(-1), 1/0, 0/1, -1/0]), U is X+DX, V is Y+DY.

digit(X, Y, N) :- height(X, Y, C), char_type(C, digit(N)).

low(X, Y, N) :- digit(X, Y, N), forall(( side(X, Y, U, V), digit(U, V, M) ), M > N).

basin([], Seen, Seen).
basin([X/Y|Queue], Seen0, Seen) :-
    findall(U/V, ( side(X, Y, U, V), digit(U, V, N), N < 9, \+ memberchk(U/V, Seen0) ), New),
    append(New, Seen0, Seen1), append(Queue, New, Queue1), basin(Queue1, Seen1, Seen).

elevation('S', 0'a) :- !.
elevation('E', 0'z) :- !.
elevation(C, N) :- char_code(C, N).

% Distances from the top to all places from which it can be reached.
distances(Dist) :-
    height(X, Y, 'E'), list_to_assoc([X/Y-0], D0), spread([X/Y], D0, Dist).

spread([], D, D).
spread([X/Y|Queue], D0, D) :-
    get_assoc(X/Y, D0, K), K1 is K+1, height(X, Y, C), elevation(C, H),
    findall(U/V, ( side(X, Y, U, V), height(U, V, B), elevation(B, L), H =< L+1, \+ get_assoc(U/V, D0, _) ), New),
    foldl([P, A, A1]>>put_assoc(P, A, K1, A1), New, D0, D1),
    append(Queue, New, Queue1), spread(Queue1, D1, D).

main :-
    floor_map(F), load(F), findall(N, low(_, _, N), Ns), print(Ns), nl,
    aggregate_all(sum(N+1), low(_, _, N), Risk), print(Risk), nl,
    findall(S, ( low(X, Y, _), basin([X/Y], [X/Y], B), length(B, S) ), Sizes), msort(Sizes, Sorted), print(Sorted), nl,
    hill_map(H), load(H), distances(D),
    height(X0, Y0, 'S'), get_assoc(X0/Y0, D, Steps), print(Steps), nl,
    aggregate_all(min(K), ( height(X, Y, C), elevation(C, 0'a), get_assoc(X/Y, D, K) ), Min), print(Min), nl,
    forall(between(1, 5, Y), ( forall(between(1, 8, X), ( get_assoc(X/Y, D, K) -> format("~t~d~4|~w", [K, '']) ; write(' ---') )), nl )), !.
