% Unification of large structures, with and without a difference at the end.
% scale: 546

bench :- run(6000, 10).
small :- run(10, 10).

run(Times, Depth) :-
    tree(Depth, A, x),
    tree(Depth, B, _),
    tree(Depth, C, y),
    (   between(1, Times, _),
        rounds(A, B, C),
        fail
    ;   A = B,
        count(B, Count),
        write(checksum(Count)), nl
    ).

rounds(A, B, C) :-
    \+ A = C,
    \+ \+ A = B,
    \+ \+ B = C,
    A == A.

tree(0, Leaf, Leaf) :- !.
tree(N, node(N, [L, f(R)], _), Leaf) :-
    M is N - 1,
    tree(M, L, 1),
    tree(M, R, Leaf).

count(T, 1) :- atomic(T), !.
count(node(_, [L, f(R)], _), Count) :-
    count(L, CL),
    count(R, CR),
    Count is CL + CR.
