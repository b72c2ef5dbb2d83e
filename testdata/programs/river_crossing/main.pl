% Missionaries and cannibals, and a farmer with a wolf, a goat and a cabbage: states are terms, moves a relation.
:- use_module(library(lists)).

:- discontiguous start/2, goal/2, move/4, safe/2.

start(missionaries, state(3, 3, left)).
goal(missionaries, state(0, 0, right)).
safe(missionaries, state(M, C, _)) :- M1 is 3-M, C1 is 3-C, ( M =:= 0 ; M >= C ), ( M1 =:= 0 ; M1 >= C1 ), !.
move(missionaries, state(M, C, left), carry(X, Y), state(M1, C1, right)) :-
    load(X, Y), M1 is M-X, M1 >= 0, C1 is C-Y, C1 >= 0.
move(missionaries, state(M, C, right), carry(X, Y), state(M1, C1, left)) :-
    load(X, Y), M1 is M+X, M1 =< 3, C1 is C+Y, C1 =< 3.

load(2, 0).
load(0, 2).
load(1, 1).
load(1, 0).
load(0, 1).

start(farmer, farm(w, w, w, w)).
goal(farmer, farm(e, e, e, e)).
safe(farmer, farm(F, W, G, C)) :- \+ ( W == G, F \== G ), \+ ( G == C, F \== G ).
move(farmer, farm(A, W, G, C), alone, farm(B, W, G, C)) :- across(A, B).
move(farmer, farm(A, A, G, C), wolf, farm(B, B, G, C)) :- across(A, B).
move(farmer, farm(A, W, A, C), goat, farm(B, W, B, C)) :- across(A, B).
move(farmer, farm(A, W, G, A), cabbage, farm(B, W, G, B)) :- across(A, B).

across(w, e).
across(e, w).

solve(Puzzle, Depth, Moves) :-
    start(Puzzle, S),
    between(1, Depth, N),
    length(Moves, N),
    path(Puzzle, S, [S], Moves), !.

path(Puzzle, S, _, []) :- goal(Puzzle, S).
path(Puzzle, S, Seen, [Move|Moves]) :-
    move(Puzzle, S, Move, T),
    safe(Puzzle, T),
    \+ memberchk(T, Seen),
    path(Puzzle, T, [T|Seen], Moves).

main :-
    forall(member(Puzzle, [farmer, missionaries]),
           ( solve(Puzzle, 12, Moves), length(Moves, N), format("~a in ~d:~n", [Puzzle, N]),
             forall(nth1(I, Moves, M), format("~|~t~d~3+. ~p~n", [I, M])) )),
    aggregate_all(count, ( length(L, 7), start(farmer, S), path(farmer, S, [S], L) ; fail ), 2) -> true ; writeln(other).
