% SEND + MORE = MONEY by search column by column, no constraints.
% scale: 200

bench :- run(400).
small :- run(1).

run(Times) :-
    (   between(1, Times, _),
        puzzle(_),
        fail
    ;   findall(Ds, puzzle(Ds), All),
        write(checksum(All)), nl
    ).

puzzle([S, E, N, D, M, O, R, Y]) :-
    Digits0 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    take(D, Digits0, Digits1),
    take(E, Digits1, Digits2),
    column(D, E, 0, Y, C1),
    take(Y, Digits2, Digits3),
    take(N, Digits3, Digits4),
    take(R, Digits4, Digits5),
    column(N, R, C1, E, C2),
    take(O, Digits5, Digits6),
    column(E, O, C2, N, C3),
    take(S, Digits6, Digits7),
    S > 0,
    take(M, Digits7, _),
    M > 0,
    column(S, M, C3, O, M).

column(A, B, Carry0, Digit, Carry) :-
    Sum is A + B + Carry0,
    Digit is Sum mod 10,
    Carry is Sum // 10.

take(X, [X|Xs], Xs).
take(X, [Y|Ys], [Y|Zs]) :- take(X, Ys, Zs).
