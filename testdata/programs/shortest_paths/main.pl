% Shortest paths with ordered sets and association lists, and operations on graphs.
:- use_module(library(ordsets)).
:- use_module(library(ugraphs)).
:- use_module(library(assoc)).
:- use_module(library(pairs)).
edge(a, b, 4). edge(a, c, 1). edge(c, b, 2). edge(b, d, 5). edge(c, d, 8). edge(d, e, 3). edge(f, a, 1).
dijkstra(S, Dist) :- empty_assoc(D0), go([0-S], D0, Dist).
go([], D, D).
go([C-N|Q], D0, D) :-
    (   get_assoc(N, D0, _) -> go(Q, D0, D)
    ;   put_assoc(N, D0, C, D1),
        findall(C1-M, ( edge(N, M, W), C1 is C+W ), New),
        list_to_ord_set(New, NewSet), ord_union(Q, NewSet, Q1),
        go(Q1, D1, D)
    ).
main :-
    dijkstra(a, D), assoc_to_list(D, L), print(L), nl,
    findall(X-Y, edge(X, Y, _), Es), vertices_edges_to_ugraph([z], Es, G), print(G), nl,
    top_sort(G, T), print(T), nl,
    transitive_closure(G, TC), print(TC), nl,
    reachable(b, G, R), print(R), nl,
    transpose_ugraph(G, TG), print(TG), nl,
    del_vertices(G, [a, d], G2), print(G2), nl,
    ( top_sort([a-[b], b-[a]], X1) -> print(X1) ; print(cyclic) ), nl,
    pairs_keys_values(Ps, [k1, k2], [1, 2]), list_to_assoc(Ps, A), print(A), nl,
    catch(list_to_assoc([a-1, a-2], _), error(E, _), ( print(E), nl )),
    ord_subtract([a, b, c], [b], S1), ord_symdiff([a, b], [b, c], S2), print(S1-S2), nl,
    transpose_pairs([1-b, 2-a, 3-b], TP), print(TP), nl,
    map_assoc([V, W]>>( W is V*10 ), D, D10), assoc_to_values(D10, Vs), print(Vs), nl,
    max_assoc(D, K, V2), min_assoc(D, K3, V3), print(K-V2-K3-V3), nl,
    forall(gen_assoc(Key, D, Val), format("~w:~w ", [Key, Val])), nl,
    ( del_min_assoc(D, K4, V4, D4) -> assoc_to_keys(D4, Ks), print(K4-V4-Ks) ; true ), nl.
