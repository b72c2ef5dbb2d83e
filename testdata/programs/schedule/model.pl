:- module(model, [timetable/1, impossible/0, puzzle/1, queens/2]).
:- use_module(library(clpfd)).
lesson(math, 1). lesson(art, 2). lesson(music, 1). lesson(sport, 3).
conflict(math, art). conflict(art, music). conflict(math, music).
timetable(Slots) :-
    findall(L, lesson(L, _), Ls), length(Ls, N), length(Vs, N), Vs ins 1..3,
    pairs_keys_values(Slots, Ls, Vs),
    forall_pairs(Slots), memberchk(sport-S, Slots), S #= 3, memberchk(math-M, Slots), memberchk(art-A, Slots), M #< A,
    label(Vs).
forall_pairs(Slots) :- findall(A-B, conflict(A, B), Cs), maplist(apart(Slots), Cs).
apart(Slots, A-B) :- memberchk(A-X, Slots), memberchk(B-Y, Slots), X #\= Y.
impossible :- [A, B, C] ins 1..2, all_different([A, B, C]), label([A, B, C]).
puzzle([S,E,N,D]+[M,O,R,E]=[M,O,N,E,Y]) :-
    Vs = [S,E,N,D,M,O,R,Y], Vs ins 0..9, all_different(Vs), S #\= 0, M #\= 0,
    S*1000 + E*100 + N*10 + D + M*1000 + O*100 + R*10 + E #= M*10000 + O*1000 + N*100 + E*10 + Y,
    label(Vs).
queens(N, Qs) :- length(Qs, N), Qs ins 1..N, safe(Qs), labeling([ff], Qs).
safe([]).
safe([Q|Qs]) :- away(Qs, Q, 1), safe(Qs).
away([], _, _).
away([Q|Qs], Q0, D) :- Q #\= Q0, abs(Q - Q0) #\= D, D1 is D + 1, away(Qs, Q0, D1).
