% Inserting into and looking up in a red-black tree of library(rbtrees).
% scale: 62

bench :- run(100000).
small :- run(1500).

run(N) :-
    rb_new(Empty),
    filled(N, Empty, Tree),
    summed(N, Tree, 0, Sum),
    write(checksum(Sum)), nl.

filled(0, Tree, Tree) :- !.
filled(N, Tree0, Tree) :-
    Key is N * 7919 mod 200003,
    rb_insert(Tree0, Key, N, Tree1),
    M is N - 1,
    filled(M, Tree1, Tree).

summed(0, _, Sum, Sum) :- !.
summed(N, Tree, Sum0, Sum) :-
    Key is N * 7919 mod 200003,
    rb_lookup(Key, Value, Tree),
    Sum1 is Sum0 + Value,
    M is N - 1,
    summed(M, Tree, Sum1, Sum).
