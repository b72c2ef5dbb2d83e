% Paths and order in a graph: library(ugraphs), library(assoc), library(pairs) and a search of the program.
:- use_module(library(ugraphs)).
:- use_module(search).
:- use_module(roads).
main :-
    findall(A-B, road(A, B, _), Es), vertices_edges_to_ugraph([], Es, G),
    ( top_sort(G, Order) -> print(Order) ; print(cyclic) ), nl,
    reachable(a, G, R), print(R), nl,
    transpose_ugraph(G, T), neighbours(e, T, Ns), print(Ns), nl,
    shortest(a, e, D, Path), print(D-Path), nl,
    ( shortest(e, a, _, _) -> true ; print(no_way), nl ),
    all_distances(a, Ds), print(Ds), nl,
    compose(G, G, G2), edges(G2, E2), length(E2, N), print(N), nl.
