% A timetable by constraints, facts and rules apart.
:- use_module(library(clpfd)).
:- use_module(model).
main :-
    timetable(Slots), print(Slots), nl,
    ( impossible -> print(possible) ; print(impossible) ), nl,
    puzzle(P), print(P), nl,
    X #> 3, X #< 6, fd_dom(X, D), print(D), nl,
    findall(X, label([X]), Xs), print(Xs), nl,
    queens(6, Qs), print(Qs), nl.
