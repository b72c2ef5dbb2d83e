% Seats that fill and empty by their neighbours until nothing changes, in two readings of neighbour; rows are strings of characters.
:- use_module(library(lists)).
:- use_module(library(aggregate)).

room(["L.LL.LL.LL", "LLLLLLL.LL", "L.L.L..L..", "LLLL.LL.LL", "L.LL.LL.LL", "L.LLLLL.LL", "..L.L.....", "LLLLLLLLLL", "L.LLLLLL.L", "L.LLLLL.LL"]).

grid(Grid) :- room(Rows), maplist([R, T]>>( string_chars(R, Cs), T =.. [row|Cs] ), Rows, Ts), Grid =.. [grid|Ts].

seat(Grid, X, Y, S) :- functor(Grid, _, H), between(1, H, Y), arg(Y, Grid, Row), functor(Row, _, W), between(1, W, X), arg(X, Row, S).
look(Grid, X, Y, S) :- functor(Grid, _, H), Y >= 1, Y =< H, arg(Y, Grid, Row), functor(Row, _, W), X >= 1, X =< W, arg(X, Row, S).

near(adjacent, Grid, X, Y, DX, DY, S) :- U is X+DX, V is Y+DY, look(Grid, U, V, S).
near(visible, Grid, X, Y, DX, DY, S) :-
    U is X+DX, V is Y+DY, look(Grid, U, V, S0),
    ( S0 == '.' -> near(visible, Grid, U, V, DX, DY, S) ; S = S0 ).

occupied(Kind, Grid, X, Y, N) :-
    aggregate_all(count, ( member(DX, [-1, 0, 1]), member(DY, [-1, 0, 1]), DX/DY \== 0/0, near(Kind, Grid, X, Y, DX, DY, #) ), N).

next(Kind, Max, Grid, New) :-
    functor(Grid, grid, H), numlist(1, H, Ys),
    maplist([Y, Row]>>( arg(Y, Grid, Old), functor(Old, row, W), numlist(1, W, Xs),
                        maplist({Kind, Max, Grid, Y}/[X, S]>>rule(Kind, Max, Grid, X, Y, S), Xs, Ss), Row =.. [row|Ss] ), Ys, Rows),
    New =.. [grid|Rows].

rule(Kind, Max, Grid, X, Y, S) :-
    look(Grid, X, Y, S0),
    (   S0 == '.' -> S = S0
    ;   occupied(Kind, Grid, X, Y, N),
        ( S0 == 'L', N =:= 0 -> S = # ; S0 == #, N >= Max -> S = 'L' ; S = S0 ) ).

settle(Kind, Max, Grid, N0, N, End) :-
    next(Kind, Max, Grid, New),
    ( New == Grid -> N = N0, End = Grid ; N1 is N0+1, settle(Kind, Max, New, N1, N, End) ).

show(Grid) :- forall(arg(_, Grid, Row), ( Row =.. [_|Cs], atomic_list_concat(Cs, T), writeln(T) )).

main :-
    grid(G),
    forall(member(Kind-Max, [adjacent-4, visible-5]),
           ( settle(Kind, Max, G, 0, N, End), aggregate_all(count, seat(End, _, _, #), C),
             format("~w: ~d taken after ~d rounds~n", [Kind, C, N]), show(End) )).
