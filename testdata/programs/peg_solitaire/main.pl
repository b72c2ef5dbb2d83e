% Peg solitaire on a triangle of fifteen holes: bits of an integer, tabled dead ends, and the whole solution drawn.
:- use_module(library(lists)).
:- dynamic dead/1.

line(A, B, C) :- line_(A, B, C).
line(A, B, C) :- line_(C, B, A).
line_(A, B, C) :- at(A, R, K), R =< 3, R1 is R+1, R2 is R+2, at(B, R1, K), at(C, R2, K).
line_(A, B, C) :- at(A, R, K), R =< 3, R1 is R+1, R2 is R+2, K1 is K+1, K2 is K+2, at(B, R1, K1), at(C, R2, K2).
line_(A, B, C) :- at(A, R, K), K1 is K+1, K2 is K+2, at(B, R, K1), at(C, R, K2).

at(I, R, K) :- between(1, 5, R), between(1, R, K), I is R*(R-1)//2+K-1.

has(Set, I) :- Set /\ (1 << I) =\= 0.

jump(Set, A-C, Next) :-
    line(A, B, C), has(Set, A), has(Set, B), \+ has(Set, C),
    Next is Set xor (1 << A) xor (1 << B) xor (1 << C).

solve(Set, _, []) :- 1 is popcount(Set), !.
solve(Set, Depth, [Move|Moves]) :-
    \+ dead(Set),
    (   jump(Set, Move, Next), D is Depth+1, solve(Next, D, Moves)
    ->  true
    ;   assertz(dead(Set)), fail
    ).

draw(Set) :-
    forall(between(1, 5, R),
           ( Tab is 5-R, tab(Tab), forall(between(1, R, K), ( at(I, R, K), ( has(Set, I) -> write('o ') ; write('. ') ) )), nl )).

main :-
    aggregate_all(count, line(_, _, _), Lines), format("~d jumps~n", [Lines]),
    forall(member(Hole, [0, 4]),
           ( retractall(dead(_)), Start is 0x7fff xor (1 << Hole),
             ( solve(Start, 0, Moves) -> length(Moves, N), format("hole ~d: ~d moves ~w~n", [Hole, N, Moves]) ; format("hole ~d: none~n", [Hole]) ),
             aggregate_all(count, dead(_), Dead), format("~d dead ends~n", [Dead]) )),
    Start is 0x7ffe, draw(Start), once(jump(Start, M, Next)), print(M), nl, draw(Next).
