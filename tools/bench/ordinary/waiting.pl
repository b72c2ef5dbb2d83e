% Goals that wait: all different by dif/2, chains of freeze/2, when/2 on terms that become ground bit by bit.

bench :-
    length(Xs, 450),
    different(Xs),
    numlist(1, 450, Xs),
    sum_list(Xs, S1),
    length(Ys, 200000),
    chain(Ys, 0, End),
    one_by_one(Ys),
    length(Zs, 6000),
    when(ground(Zs), S3 = 7),
    one_by_one(Zs),
    Sum is S1 + End + S3,
    write(checksum(Sum)), nl.

different([]).
different([X|Xs]) :- differs(Xs, X), different(Xs).

differs([], _).
differs([Y|Ys], X) :- dif(X, Y), differs(Ys, X).

chain([], End, End).
chain([Y|Ys], N, End) :- freeze(Y, M is N + Y), next(Ys, M, End).

next([], End, End).
next([Y|Ys], N, End) :- freeze(Y, M is N + Y), next(Ys, M, End).

one_by_one([]).
one_by_one([1|Xs]) :- one_by_one(Xs).
