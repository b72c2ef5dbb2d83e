:- module(search, [shortest/4, all_distances/2]).
:- use_module(roads).
:- use_module(library(assoc)).
shortest(A, B, D, Path) :- empty_assoc(Done), go([0-[A]], B, Done, D, Rev), reverse(Rev, Path).
go([D-[X|P]|Q], B, Done, Dist, Path) :-
    (   X == B
    ->  Dist = D, Path = [X|P]
    ;   get_assoc(X, Done, _)
    ->  go(Q, B, Done, Dist, Path)
    ;   put_assoc(X, Done, D, Done1),
        findall(D1-[Y,X|P], ( road(X, Y, W), D1 is D + W ), New),
        append(Q, New, Q1), keysort(Q1, Q2),
        go(Q2, B, Done1, Dist, Path)
    ).
all_distances(A, Ds) :-
    setof(X, A1^B^W^( road(A1, B, W), member(X, [A1, B]) ), Xs),
    findall(X-D, ( member(X, Xs), shortest(A, X, D, _) ), Ds).
