% All shortest paths of a graph of 40 nodes.
:- use_module(library(chr)).
:- chr_constraint path(+int,+int,+int), edge(+int,+int,+int).
path(X,Y,D1) \ path(X,Y,D2) <=> D1 =< D2 | true.
edge(X,Y,D) ==> path(X,Y,D).
edge(X,Y,D), path(Y,Z,E) ==> X =\= Z | F is D+E, path(X,Z,F).
graph(N) :- forall_edges(1, N).
forall_edges(I, N) :- I > N, !.
forall_edges(I, N) :-
    A is (I*5) mod N + 1, B is (I*11) mod N + 1, C is I mod 5 + 1, D is I mod 3 + 2,
    edge(I,A,C), edge(I,B,D), I1 is I+1, forall_edges(I1, N).

bench :-
    graph(40), aggregate_all(sum(D), find_chr_constraint(path(_, _, D)), Sum),
    write(checksum(Sum)), nl.
