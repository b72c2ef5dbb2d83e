% Points of the Mandelbrot set: floating-point arithmetic in a loop.
% scale: 651

bench :- run(250).
small :- run(10).

run(Size) :-
    rows(0, Size, 0, Inside),
    write(checksum(Inside)), nl.

rows(Size, Size, Inside, Inside) :- !.
rows(Y, Size, Inside0, Inside) :-
    columns(0, Y, Size, Inside0, Inside1),
    Y1 is Y + 1,
    rows(Y1, Size, Inside1, Inside).

columns(Size, _, Size, Inside, Inside) :- !.
columns(X, Y, Size, Inside0, Inside) :-
    Re is 3.0 * X / Size - 2.25,
    Im is 3.0 * Y / Size - 1.5,
    iterations(100, 0.0, 0.0, Re, Im, Left),
    (   Left =:= 0 -> Inside1 is Inside0 + 1 ; Inside1 = Inside0 ),
    X1 is X + 1,
    columns(X1, Y, Size, Inside1, Inside).

iterations(0, _, _, _, _, 0) :- !.
iterations(N, X, Y, Re, Im, Left) :-
    X2 is X * X,
    Y2 is Y * Y,
    (   X2 + Y2 > 4.0
    ->  Left = N
    ;   Y1 is 2.0 * X * Y + Im,
        X1 is X2 - Y2 + Re,
        M is N - 1,
        iterations(M, X1, Y1, Re, Im, Left)
    ).
