% The transitive closure of a graph with cycles, by a tabled left-recursive rule.
% scale: 688

:- table(reachable/2).

bench :- run(800).
small :- run(30).

:- dynamic(edge/2).

run(Nodes) :-
    edges(0, Nodes),
    findall(X-Y, reachable(X, Y), Pairs),
    length(Pairs, Count),
    write(checksum(Count)), nl.

edges(N, N) :- !.
edges(I, N) :-
    A is (I + 1) mod N,
    B is (I * 7 + 3) mod N,
    assertz(edge(I, A)),
    assertz(edge(I, B)),
    J is I + 1,
    edges(J, N).

reachable(X, Y) :- edge(X, Y).
reachable(X, Y) :- reachable(X, Z), edge(Z, Y).
