% Reversi on six by six: flips in eight directions, legal moves, and greedy players; the board is a term of arguments.
:- use_module(library(lists)).

size(6).
cell(X, Y, I) :- size(N), X >= 1, X =< N, Y >= 1, Y =< N, I is (Y-1)*N+X.

new(Board) :-
    size(N), Len is N*N, functor(Board, board, Len),
    forall(fail, true), fill(Len, Board),
    set(Board, 3, 3, o, B1), set(B1, 4, 4, o, B2), set(B2, 3, 4, x, B3), set(B3, 4, 3, x, Board1), Board = Board1, !.
new(Board) :-
    size(N), Len is N*N, length(L, Len), maplist(=(e), L), B0 =.. [board|L],
    foldl([X/Y/P, A, B]>>set(A, X, Y, P, B), [3/3/o, 4/4/o, 3/4/x, 4/3/x], B0, Board).

fill(0, _) :- !.
fill(I, B) :- arg(I, B, e), J is I-1, fill(J, B).

get(Board, X, Y, P) :- cell(X, Y, I), arg(I, Board, P).
set(Board, X, Y, P, New) :- cell(X, Y, I), duplicate_term(Board, New), nb_setarg(I, New, P).

other(x, o).
other(o, x).

flips(Board, P, X, Y, Flips) :-
    get(Board, X, Y, e),
    findall(F, ( member(DX, [-1, 0, 1]), member(DY, [-1, 0, 1]), DX/DY \== 0/0, ray(Board, P, X, Y, DX, DY, Fs), member(F, Fs) ), Flips),
    Flips \== [].

ray(Board, P, X0, Y0, DX, DY, Fs) :-
    X is X0+DX, Y is Y0+DY, get(Board, X, Y, Q),
    (   Q == P -> Fs = []
    ;   other(P, Q), Fs = [X/Y|Gs], ray(Board, P, X, Y, DX, DY, Gs)
    ).

moves(Board, P, Moves) :-
    size(N),
    findall(C-(X/Y), ( between(1, N, Y), between(1, N, X), flips(Board, P, X, Y, Fs), length(Fs, C) ), Moves).

play(Board, P, X/Y, Next) :-
    flips(Board, P, X, Y, Fs),
    foldl([U/V, A, B]>>set(A, U, V, P, B), [X/Y|Fs], Board, Next).

choose(Moves, Move) :- sort(1, @>=, Moves, [_-Move|_]).

game(Board, P, Passed, N, End) :-
    moves(Board, P, Moves), other(P, O),
    (   Moves \== [] -> choose(Moves, M), play(Board, P, M, Next), N1 is N+1, game(Next, O, no, N1, End)
    ;   Passed == yes -> format("over after ~d moves~n", [N]), End = Board
    ;   format("~w passes at ~d~n", [P, N]), game(Board, O, yes, N, End)
    ).

show(Board) :- size(N), forall(between(1, N, Y), ( forall(between(1, N, X), ( get(Board, X, Y, P), ( P == e -> write(.) ; write(P) ) )), nl )).

main :-
    new(B), show(B), moves(B, x, Ms), print(Ms), nl,
    game(B, x, no, 0, End), show(End),
    forall(member(P, [x, o]), ( aggregate_all(count, arg(_, End, P), C), format("~w ~d~n", [P, C]) )).
