% All solutions of ten queens as a problem of library(clpfd).
% scale: 697

:- use_module(library(clpfd)).

bench :- run(10).
small :- run(5).

run(N) :-
    findall(Queens, solution(N, Queens), All),
    length(All, Count),
    write(checksum(Count)), nl.

solution(N, Queens) :-
    length(Queens, N),
    Queens ins 1..N,
    apart(Queens),
    labeling([], Queens).

apart([]).
apart([Q|Qs]) :-
    no_attack(Qs, Q, 1),
    apart(Qs).

no_attack([], _, _).
no_attack([Other|Others], Q, D) :-
    Q #\= Other,
    Q #\= Other + D,
    Q #\= Other - D,
    E is D + 1,
    no_attack(Others, Q, E).
