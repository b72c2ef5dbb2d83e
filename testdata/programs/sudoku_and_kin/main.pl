% Sudoku by constraints, a Latin square with cages, and a check that a puzzle has one solution.
:- use_module(library(clpfd)).

puzzle(small, 4, [[1, _, _, _], [_, _, 3, _], [_, 4, _, _], [_, _, _, 2]]).
puzzle(two, 4, [[1, _, _, _], [_, _, _, _], [_, _, _, _], [_, _, _, 2]]).
puzzle(none, 4, [[1, _, _, 1], [_, _, _, _], [_, _, _, _], [_, _, _, _]]).
puzzle(nine, 9, [[_, _, _, 2, 6, _, 7, _, 1],
                 [6, 8, _, _, 7, _, _, 9, _],
                 [1, 9, _, _, _, 4, 5, _, _],
                 [8, 2, _, 1, _, _, _, 4, _],
                 [_, _, 4, 6, _, 2, 9, _, _],
                 [_, 5, _, _, _, 3, _, 2, 8],
                 [_, _, 9, 3, _, _, _, 7, 4],
                 [_, 4, _, _, 5, _, _, 3, 6],
                 [7, _, 3, _, 1, 8, _, _, _]]).

sudoku(N, Rows) :-
    append(Rows, Vars), Vars ins 1..N,
    maplist(all_distinct, Rows),
    transpose(Rows, Columns), maplist(all_distinct, Columns),
    Side is round(sqrt(N)), bands(Side, Rows).

bands(_, []) :- !.
bands(Side, Rows) :- length(Band, Side), append(Band, Rest, Rows), transpose(Band, Columns), boxes(Side, Columns), bands(Side, Rest).
boxes(_, []) :- !.
boxes(Side, Columns) :- length(Box, Side), append(Box, Rest, Columns), append(Box, Cells), all_distinct(Cells), boxes(Side, Rest).

solutions(Name, N, Solutions) :-
    puzzle(Name, N, _),
    findall(Rows, limit(3, ( puzzle(Name, N, Rows), sudoku(N, Rows), maplist(labeling([ff]), Rows) )), Solutions).

cages([[A, B, C], [D, E, F], [G, H, I]]) :-
    Rows = [[A, B, C], [D, E, F], [G, H, I]],
    append(Rows, Vs), Vs ins 1..3, maplist(all_different, Rows), transpose(Rows, Cs), maplist(all_different, Cs),
    A+D #= 5, B*C #= 3, abs(E-F) #= 1, G #< H, H #> I.

main :-
    forall(member(Name, [small, two, none, nine]),
           ( solutions(Name, _, Ss), length(Ss, Count), format("~w: ~d~n", [Name, Count]), ( Ss = [S] -> forall(member(R, S), ( print(R), nl )) ; true ) )),
    puzzle(nine, 9, Rows), sudoku(9, Rows), append(Rows, Vs), include(var, Vs, Open), length(Open, N), format("open without search: ~d~n", [N]),
    forall(( cages(Rs), append(Rs, L), label(L) ), ( print(Rs), nl )).
