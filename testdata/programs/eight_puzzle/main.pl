% The puzzle of eight tiles by A*, with the sum of the distances as estimate and a heap as agenda.
:- use_module(library(heaps)).
:- use_module(library(lists)).
:- use_module(library(assoc)).

goal([1, 2, 3, 8, 0, 4, 7, 6, 5]).

start(easy, [1, 3, 4, 8, 6, 2, 7, 0, 5]).
start(medium, [2, 8, 1, 0, 4, 3, 7, 6, 5]).
start(hard, [2, 8, 1, 4, 6, 3, 0, 7, 5]).

moves(0, [1-right, 3-down]).
moves(1, [0-left, 2-right, 4-down]).
moves(2, [1-left, 5-down]).
moves(3, [0-up, 4-right, 6-down]).
moves(4, [1-up, 3-left, 5-right, 7-down]).
moves(5, [2-up, 4-left, 8-down]).
moves(6, [3-up, 7-right]).
moves(7, [4-up, 6-left, 8-right]).
moves(8, [5-up, 7-left]).

slide(State, Name, Next) :-
    nth0(Hole, State, 0), !,
    moves(Hole, Moves), member(At-Name, Moves),
    nth0(At, State, Tile),
    swap(State, Tile, Next).

swap([], _, []).
swap([X|Xs], Tile, [Y|Ys]) :-
    ( X =:= 0 -> Y = Tile ; X =:= Tile -> Y = 0 ; Y = X ),
    swap(Xs, Tile, Ys).

estimate(State, H) :-
    goal(Goal),
    findall(D, ( nth0(I, State, T), T > 0, nth0(J, Goal, T), D is abs(I//3-J//3)+abs(I mod 3-J mod 3) ), Ds),
    sum_list(Ds, H).

solve(Start, Moves, Seen) :-
    estimate(Start, H), singleton_heap(Heap, H, Start-[]), empty_assoc(Empty),
    loop(Heap, Empty, 0, Moves, Seen).

loop(Heap0, Done0, N0, Moves, N) :-
    get_from_heap(Heap0, _, State-Path, Heap1),
    (   goal(State)
    ->  reverse(Path, Moves), N = N0
    ;   get_assoc(State, Done0, _)
    ->  loop(Heap1, Done0, N0, Moves, N)
    ;   put_assoc(State, Done0, true, Done), N1 is N0+1,
        length(Path, G0), G is G0+1,
        findall(F-(Next-[M|Path]), ( slide(State, M, Next), \+ get_assoc(Next, Done, _), estimate(Next, H), F is G+H ), All),
        add_all(All, Heap1, Heap),
        loop(Heap, Done, N1, Moves, N)
    ).

add_all([], H, H).
add_all([P-X|Xs], H0, H) :- add_to_heap(H0, P, X, H1), add_all(Xs, H1, H).

main :-
    forall(start(Name, S), ( solve(S, Moves, _), length(Moves, N), format("~w: ~d ~w~n", [Name, N, Moves]) )),
    start(easy, E), forall(( nth0(I, E, T), memberchk(I, [0, 3, 6]) ), ( nth0(I, E, T), print_row(E, I) )).

print_row(E, I) :- forall(between(0, 2, D), ( J is I+D, nth0(J, E, T), ( T =:= 0 -> write('  ') ; format("~w ", [T]) ) )), nl.
