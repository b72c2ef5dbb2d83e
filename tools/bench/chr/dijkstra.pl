% Shortest paths from one node of 1,500, the queue a constraint.
:- use_module(library(chr)).
:- chr_constraint edge(+int,+int,+int), distance(+int,+int), entry(+int,+int), relax(+int,+int), extract(?any,?any),
    least(+int,+int,?any,?any), swap(+int,+int,?any,?any), loop.
distance(V,_) \ entry(V,_) <=> true.
entry(V,D1) \ entry(V,D2) <=> D1 =< D2 | true.
relax(V,D), edge(V,W,C) ==> E is D+C, entry(W,E).
relax(_,_) <=> true.
extract(V,D), entry(W,E) <=> least(W,E,V,D).
extract(V,_) <=> V = none.
entry(W2,E2) \ least(W,E,V,D) <=> E2 < E | entry(W,E), swap(W2,E2,V,D).
least(W,E,V,D) <=> V = W, D = E.
swap(W,E,V,D), entry(W,E) <=> least(W,E,V,D).
loop <=> extract(V,D), step(V,D).
step(none,_) :- !.
step(V,D) :- distance(V,D), relax(V,D), loop.
graph(N) :- forall_edges(1, N).
forall_edges(I, N) :- I > N, !.
forall_edges(I, N) :-
    A is (I*17) mod N + 1, B is (I*31) mod N + 1, C is I mod 13 + 1, D is I mod 7 + 2, J is I mod N + 1,
    edge(I,A,C), edge(I,B,D), edge(I,J,20), I1 is I+1, forall_edges(I1, N).

bench :-
    graph(1500), entry(1, 0), loop,
    aggregate_all(sum(D), find_chr_constraint(distance(_, D)), Sum),
    write(checksum(Sum)), nl.
