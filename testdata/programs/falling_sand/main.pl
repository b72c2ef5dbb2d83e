% Grains that fall between walls of rock until nothing moves, drawn; cells are facts, the fall is tail recursive.
:- use_module(library(lists)).
:- dynamic cell/2.

path("498,4 -> 498,6 -> 496,6").
path("503,4 -> 502,4 -> 502,9 -> 494,9").

read_path(Text, Points) :-
    split_string(Text, "", "", [T]), atomic_list_concat(Parts, ' -> ', T),
    maplist([P, X/Y]>>( split_string(P, ",", " ", [A, B]), number_string(X, A), number_string(Y, B) ), Parts, Points).

draw_lines([_]).
draw_lines([X1/Y1, X2/Y2|Ps]) :-
    X0 is min(X1, X2), X9 is max(X1, X2), Y0 is min(Y1, Y2), Y9 is max(Y1, Y2),
    forall(( between(X0, X9, X), between(Y0, Y9, Y), \+ cell(X, Y) ), assertz(cell(X, Y))),
    draw_lines([X2/Y2|Ps]).

setup :- retractall(cell(_, _)), forall(path(T), ( read_path(T, Ps), draw_lines(Ps) )).

floor_at(F) :- aggregate_all(max(Y), cell(_, Y), M), F is M+2.

free(X, Y, F) :- Y < F, \+ cell(X, Y).

fall(X, Y, F, End) :-
    Y1 is Y+1, L is X-1, R is X+1,
    (   Y1 > F+5 -> End = lost
    ;   free(X, Y1, F) -> fall(X, Y1, F, End)
    ;   free(L, Y1, F) -> fall(L, Y1, F, End)
    ;   free(R, Y1, F) -> fall(R, Y1, F, End)
    ;   End = X/Y ).

pour(F, N0, N) :-
    (   fall(500, 0, F, X/Y), \+ cell(X, Y), \+ stop(F, Y)
    ->  assertz(cell(X, Y)), N1 is N0+1, ( X/Y == 500/0 -> N = N1 ; pour(F, N1, N) )
    ;   N = N0 ).

stop(F, Y) :- nb_getval(mode, abyss), Y >= F-1.

show(X0, X9, Y9, Rocks) :-
    forall(between(0, Y9, Y), ( forall(between(X0, X9, X), ( memberchk(X/Y, Rocks) -> write(#) ; cell(X, Y) -> write(o) ; write(.) )), nl )).

main :-
    forall(member(Mode, [abyss, floor]),
           ( nb_setval(mode, Mode), setup, findall(X/Y, cell(X, Y), Rocks), floor_at(F),
             pour(F, 0, N), format("~w: ~d grains~n", [Mode, N]),
             ( Mode == abyss -> show(494, 503, 9, Rocks) ; show(488, 512, 10, Rocks) ) )).
