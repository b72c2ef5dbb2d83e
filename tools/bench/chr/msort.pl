% Merge sort of 2,048 numbers by two rules.
:- use_module(library(chr)).
:- chr_constraint arc(+int,+int), merge(+int,+int).
arc(A,B) \ arc(A,C) <=> A < B, B =< C | B =\= C, arc(B,C).
merge(N,A), merge(N,B) <=> A < B | M is 2*N, arc(A,B), merge(M,A).
forall_merge([]).
forall_merge([X|Xs]) :- merge(1,X), forall_merge(Xs).
items(I, N, []) :- I > N, !.
items(I, N, [X|Xs]) :- X is (I*7919) mod 100003, I1 is I+1, items(I1, N, Xs).

bench :-
    items(1, 2048, Items), forall_merge(Items), aggregate_all(count, find_chr_constraint(arc(_, _)), N),
    aggregate_all(max(B), find_chr_constraint(arc(_, B)), Max),
    write(checksum(N-Max)), nl.
