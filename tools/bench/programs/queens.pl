% All solutions of the eight queens, three hundred times.
% scale: 5993

bench :- repeated(300, [1, 2, 3, 4, 5, 6, 7, 8]).
small :- repeated(1, [1, 2, 3, 4, 5, 6]).

repeated(N, Rows) :-
    findall(Board, queens(Rows, Board), Boards),
    (   N =:= 1
    ->  length(Boards, Count),
        write(checksum(Count)), nl
    ;   M is N - 1,
        repeated(M, Rows)
    ).

queens(Rows, Board) :-
    place(Rows, [], Board).

place([], Board, Board).
place(Rows, Placed, Board) :-
    take(Row, Rows, Rest),
    safe(Placed, Row, 1),
    place(Rest, [Row|Placed], Board).

take(X, [X|Xs], Xs).
take(X, [Y|Ys], [Y|Zs]) :-
    take(X, Ys, Zs).

safe([], _, _).
safe([Other|Others], Row, Distance) :-
    Row =\= Other + Distance,
    Row =\= Other - Distance,
    Further is Distance + 1,
    safe(Others, Row, Further).
