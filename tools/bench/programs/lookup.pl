% A hundred thousand facts, looked up by each argument in turn.
% scale: 169

:- dynamic(fact/3).

bench :- run(100000, 20).
small :- run(500, 20).

run(Size, Rounds) :-
    fill(0, Size),
    total(Rounds, Size, 0, Sum),
    write(checksum(Sum)), nl.

fill(N, N) :- !.
fill(I, N) :-
    A is I * 7919 mod N,
    B is I mod 1000,
    assertz(fact(I, key(A), B)),
    J is I + 1,
    fill(J, N).

total(0, _, Sum, Sum) :- !.
total(Rounds, Size, Sum0, Sum) :-
    Half is Size // 2,
    first_argument(Half, Size, Sum0, Sum1),
    third_argument(10, Sum1, Sum2),
    Less is Rounds - 1,
    total(Less, Size, Sum2, Sum).

first_argument(0, _, Sum, Sum) :- !.
first_argument(I, Size, Sum0, Sum) :-
    fact(I, key(_), B),
    Sum1 is (Sum0 + B) mod 1000003,
    J is I - 1,
    first_argument(J, Size, Sum1, Sum).

third_argument(0, Sum, Sum) :- !.
third_argument(B, Sum0, Sum) :-
    findall(I, fact(I, _, B), Is),
    length(Is, Count),
    Sum1 is (Sum0 + Count) mod 1000003,
    C is B - 1,
    third_argument(C, Sum1, Sum).
