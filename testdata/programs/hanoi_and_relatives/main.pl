% The towers of Hanoi in three ways, Gray codes and the ruler sequence, which are the same thing seen otherwise.
:- use_module(library(lists)).
:- use_module(library(apply)).

moves(0, _, _, _) --> [].
moves(N, A, B, C) --> { N > 0, M is N-1 }, moves(M, A, C, B), [A-B], moves(M, C, B, A).

% The same without recursion on the pegs: the disk of the move K is the number of trailing zeros of K.
ruler(K, D) :- K /\ 1 =:= 1, !, D = 0.
ruler(K, D) :- K1 is K >> 1, ruler(K1, D1), D is D1+1.

gray(0, [[]]).
gray(N, Codes) :-
    N > 0, M is N-1, gray(M, Before), reverse(Before, Back),
    maplist([X, [0|X]]>>true, Before, Zeros),
    maplist([X, [1|X]]>>true, Back, Ones),
    append(Zeros, Ones, Codes).

flips([_], []).
flips([A, B|Codes], [I|Is]) :-
    length(A, N), nth1(J, A, X), nth1(J, B, Y), X \== Y, !, I is N-J,
    flips([B|Codes], Is).

play([], Pegs, Pegs).
play([From-To|Moves], Pegs0, Pegs) :-
    select(From-[D|Ds], Pegs0, Pegs1), select(To-Es, Pegs1, Pegs2),
    ( Es = [E|_] -> D < E ; true ),
    msort([From-Ds, To-[D|Es]|Pegs2], Pegs3),
    play(Moves, Pegs3, Pegs).

main :-
    phrase(moves(3, a, c, b), Three), print(Three), nl,
    forall(between(1, 8, N), ( phrase(moves(N, a, c, b), L), length(L, Len), format("~t~d~3|~t~d~5+~n", [N, Len]) )),
    findall(D, ( between(1, 15, K), ruler(K, D) ), Ruler), print(Ruler), nl,
    gray(4, Codes), flips(Codes, Flips), print(Flips), nl,
    ( Ruler == Flips -> writeln(same) ; writeln(other) ),
    numlist(1, 4, Disks), phrase(moves(4, a, c, b), Four),
    play(Four, [a-Disks, b-[], c-[]], End), print(End), nl,
    ( play([a-b, a-b], [a-Disks, b-[], c-[]], _) -> true ; writeln('not allowed') ),
    forall(( nth0(I, Codes, Code), I < 4 ), ( atomic_list_concat(Code, Text), writeln(Text) )), !.
