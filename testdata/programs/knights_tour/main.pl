% Knight's tours by Warnsdorff's rule and n queens by permutation, peg solitaire by breadth: search written in four styles.
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- use_module(library(ordsets)).

jump(N, X/Y, U/V) :-
    member(DX-DY, [1-2, 2-1, 2-(-1), 1-(-2), -1-(-2), -2-(-1), -2-1, -1-2]),
    U is X+DX, between(1, N, U),
    V is Y+DY, between(1, N, V).

tour(N, From, Tour) :- Total is N*N, tour(Total, N, [From], Tour).

tour(Total, _, Path, Tour) :- length(Path, Total), !, reverse(Path, Tour).
tour(Total, N, [At|Path], Tour) :-
    findall(Free-To, ( jump(N, At, To), \+ memberchk(To, [At|Path]), free(N, [At|Path], To, Free) ), Choices),
    keysort(Choices, Sorted),
    member(_-To, Sorted),
    tour(Total, N, [To, At|Path], Tour).

free(N, Path, To, Free) :- aggregate_all(count, ( jump(N, To, Next), \+ memberchk(Next, Path) ), Free).

grid(N, Tour) :-
    forall(between(1, N, Y),
           ( findall(I, ( between(1, N, X), nth1(I, Tour, X/Y) ), Row), format("~p~n", [Row]) )).

% Queens: the columns are a permutation that is checked as it grows.
queens(N, Qs) :- numlist(1, N, Free), place(Free, [], Qs).

place([], Qs, Qs).
place(Free, Qs, All) :- select(Q, Free, Rest), \+ attacked(Q, 1, Qs), place(Rest, [Q|Qs], All).

attacked(Q, D, [P|_]) :- ( P =:= Q+D ; P =:= Q-D ), !.
attacked(Q, D, [_|Ps]) :- D1 is D+1, attacked(Q, D1, Ps).

% Pegs in a row: breadth first on ordered sets of holes.
peg([1,1,0|T], [0,0,1|T]).
peg([0,1,1|T], [1,0,0|T]).
peg([H|T], [H|U]) :- peg(T, U).

levels([], _, []) :- !.
levels(Level, Seen, [Size|Sizes]) :-
    length(Level, Size),
    findall(B, ( member(A, Level), peg(A, B) ), Bs),
    sort(Bs, Next0), ord_subtract(Next0, Seen, Next), ord_union(Seen, Next, Seen1),
    levels(Next, Seen1, Sizes).

% Water jugs: iterative deepening with a path of moves.
pour(s(_, Y), s(4, Y), fill(a)).
pour(s(X, _), s(X, 3), fill(b)).
pour(s(X, Y), s(0, Y), empty(a)) :- X > 0.
pour(s(X, Y), s(X, 0), empty(b)) :- Y > 0.
pour(s(X, Y), s(U, V), move(a, b)) :- A is min(X, 3-Y), A > 0, U is X-A, V is Y+A.
pour(s(X, Y), s(U, V), move(b, a)) :- A is min(Y, 4-X), A > 0, U is X+A, V is Y-A.

path(S, S, []).
path(S, G, [M|Ms]) :- pour(S, T, M), path(T, G, Ms).

main :-
    once(tour(5, 1/1, Tour)), grid(5, Tour),
    once(tour(6, 3/4, Tour6)), grid(6, Tour6), length(Tour6, L6), writeln(L6),
    ( tour(3, 1/1, _) -> true ; writeln('no tour of 3 by 3') ),
    findall(Qs, queens(6, Qs), All), print(All), nl,
    aggregate_all(count, queens(7, _), Count), writeln(Count),
    levels([[1,1,0,1,1,0,1]], [], Sizes), print(Sizes), nl,
    length(Moves, N), path(s(0, 0), s(2, _), Moves), !, writeln(N), print(Moves), nl.
