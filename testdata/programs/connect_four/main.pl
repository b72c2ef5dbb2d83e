% Connect four on a small board: wins by lines, alpha-beta with a bound on the depth, and a game of the program against itself.
:- use_module(library(lists)).
:- use_module(library(apply)).

columns(5).
rows(4).

empty(Board) :- columns(N), length(Board, N), maplist(=([]), Board).

drop(Board, I, Player, Next) :-
    rows(Max), nth1(I, Board, Column, Rest), length(Column, L), L < Max,
    nth1(I, Next, [Player|Column], Rest).

at(Board, X, Y, P) :- nth1(X, Board, Column), reverse(Column, Up), nth1(Y, Up, P).

won(Board, P) :-
    at(Board, X, Y, P), member(DX/DY, [1/0, 0/1, 1/1, 1/(-1)]),
    forall(between(1, 2, K), ( U is X+K*DX, V is Y+K*DY, at(Board, U, V, P) )), !.

other(x, o).
other(o, x).

value(Board, Player, _, _, _, -1, none) :- other(Player, O), won(Board, O), !.
value(_, _, 0, _, _, 0, none) :- !.
value(Board, Player, Depth, Alpha, Beta, Value, Move) :-
    findall(I-B, ( member(I, [3, 2, 4, 1, 5]), drop(Board, I, Player, B) ), Moves),
    (   Moves == []
    ->  Value = 0, Move = none
    ;   D is Depth-1, best(Moves, Player, D, Alpha, Beta, none, Value, Move)
    ).

best([], _, _, Alpha, _, Move, Alpha, Move).
best([I-B|Moves], Player, Depth, Alpha, Beta, Move0, Value, Move) :-
    other(Player, O), A1 is -Beta, B1 is -Alpha,
    value(B, O, Depth, A1, B1, V0, _), V is -V0,
    (   V >= Beta -> Value = V, Move = I
    ;   V > Alpha -> best(Moves, Player, Depth, V, Beta, I, Value, Move)
    ;   best(Moves, Player, Depth, Alpha, Beta, Move0, Value, Move)
    ).

show(Board) :-
    rows(R), forall(between(1, R, K), ( Y is R+1-K, forall(nth1(X, Board, _), ( at(Board, X, Y, P) -> write(P) ; write(.) )), nl )).

game(Board, P, _) :- other(P, O), won(Board, O), !, show(Board), format("~w wins~n", [O]).
game(Board, _, _) :- \+ drop(Board, _, x, _), !, show(Board), writeln(draw).
game(Board, P, N) :-
    value(Board, P, 4, -2, 2, V, I), format("~d: ~w in ~w (~w)~n", [N, P, I, V]),
    drop(Board, I, P, Next), other(P, O), N1 is N+1, game(Next, O, N1).

main :- empty(B), game(B, x, 1).
