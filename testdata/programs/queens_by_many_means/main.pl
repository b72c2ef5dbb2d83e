% The queens by generate and test, by backtracking, with bits, by constraints and as permutations without symmetric twins.
:- use_module(library(lists)).
:- use_module(library(clpfd)).

queens(test, N, Qs) :- numlist(1, N, Ns), permutation(Ns, Qs), safe(Qs).
queens(early, N, Qs) :- numlist(1, N, Ns), place(Ns, [], Qs).
queens(constraints, N, Qs) :- length(Qs, N), Qs ins 1..N, apart(Qs), labeling([ff], Qs).

safe([]).
safe([Q|Qs]) :- no_attack(Q, Qs, 1), safe(Qs).
no_attack(_, [], _).
no_attack(Q, [P|Ps], D) :- Q =\= P+D, Q =\= P-D, D1 is D+1, no_attack(Q, Ps, D1).

place([], Qs, Qs).
place(Left, Placed, Qs) :- select(Q, Left, Rest), no_attack(Q, Placed, 1), place(Rest, [Q|Placed], Qs).

apart([]).
apart([Q|Qs]) :- apart(Q, Qs, 1), apart(Qs).
apart(_, [], _).
apart(Q, [P|Ps], D) :- Q #\= P, Q #\= P+D, Q #\= P-D, D1 is D+1, apart(Q, Ps, D1).

% Bits: columns and diagonals that are attacked, and the number of solutions only.
count_bits(N, Count) :- All is (1<<N)-1, bits(All, 0, 0, 0, Count).
bits(All, All, _, _, 1) :- !.
bits(All, Cols, Left, Right, Count) :- Free is All /\ \(Cols \/ Left \/ Right), each(Free, All, Cols, Left, Right, 0, Count).
each(0, _, _, _, _, N, N) :- !.
each(Free, All, Cols, Left, Right, N0, N) :-
    Bit is Free /\ -Free, Rest is Free xor Bit, C is Cols \/ Bit, L is (Left \/ Bit) << 1, R is (Right \/ Bit) >> 1,
    bits(All, C, L, R, K), N1 is N0+K, each(Rest, All, Cols, Left, Right, N1, N).

symmetric(Qs, Ms) :- findall(M, image(Qs, M), Ms).
image(Qs, M) :- member(A, [Qs, R]), ( A == R -> reverse(Qs, R) ; true ), turn(A, M).
turn(A, A).
turn(A, M) :- inverse(A, M).
turn(A, M) :- flip(A, M).
turn(A, M) :- inverse(A, B), flip(B, M).
inverse(A, M) :- findall(P-I, nth1(I, A, P), Ps), keysort(Ps, S), findall(I, member(_-I, S), M).
flip(A, M) :- length(A, N), maplist(mirror(N), A, M).

mirror(N, X, Y) :- Y is N+1-X.

distinct_boards(N, Boards) :- findall(Qs, queens(early, N, Qs), All), keep(All, [], Boards).
keep([], Bs, Bs).
keep([Q|Qs], Bs, Out) :- ( all_images(Q, Ms), member(M, Ms), memberchk(M, Bs) -> keep(Qs, Bs, Out) ; keep(Qs, [Q|Bs], Out) ).
all_images(Q, Ms) :- reverse(Q, R), findall(M, ( member(A, [Q, R]), turn(A, M) ), Ms).

show(Qs) :- length(Qs, N), forall(member(Q, Qs), ( forall(between(1, N, I), ( I =:= Q -> write('Q ') ; write('. ') )), nl )).

main :-
    forall(member(How, [test, early, constraints]), ( aggregate_all(count, queens(How, 6, _), C), once(queens(How, 6, Q)), print(How-C-Q), nl )),
    forall(between(1, 8, N), ( count_bits(N, C), format("~d:~d ", [N, C]) )), nl,
    forall(member(N, [4, 5, 6, 7]), ( distinct_boards(N, Bs), length(Bs, L), format("~d:~d ", [N, L]) )), nl,
    once(queens(constraints, 8, Qs)), show(Qs), !.
