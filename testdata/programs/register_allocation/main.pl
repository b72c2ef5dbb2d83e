% Liveness of variables, the graph of conflicts, and colours for it with spilling: the end of a small compiler.
:- use_module(library(lists)).
:- use_module(library(ordsets)).
:- use_module(library(ugraphs)).
:- use_module(library(apply)).

code(1, [op(a, [in]), op(b, [a]), op(c, [a, b]), op(d, [c]), op(e, [b, d]), op(f, [e, c]), op(out, [f, e])]).
code(2, [op(p, []), op(q, []), op(r, []), op(s, []), op(t, [p, q]), op(u, [r, s]), op(v, [t, u, p]), op(out, [v, q])]).
code(3, [op(x, []), op(x, [x]), op(x, [x]), op(out, [x])]).

live([], Out, [Out]).
live([op(D, Us)|Code], Out, [In, After|Rest]) :-
    live(Code, Out, [After|Rest]),
    ord_del_element(After, D, Kept), list_to_ord_set(Us, Used), ord_union(Kept, Used, In).

conflicts(Code, Sets, Graph) :-
    findall(X, ( member(op(D, Us), Code), member(X, [D|Us]) ), Xs0), sort(Xs0, Xs),
    Sets = [_|Afters],
    findall(A-B, ( nth1(I, Code, op(D, _)), nth1(I, Afters, S), member(Y, S), Y \== D, member(A-B, [D-Y, Y-D]) ), Es),
    vertices_edges_to_ugraph(Xs, Es, Graph).

colour(Graph, K, Colours, Spilled) :- simplify(Graph, K, [], Stack, Spilled), foldl(give(Graph, K), Stack, [], Colours).

simplify([], _, Stack, Stack, []) :- !.
simplify(Graph, K, Stack0, Stack, Spilled) :-
    (   member(V-Ns, Graph), length(Ns, L), L < K
    ->  del_vertices(Graph, [V], Rest), simplify(Rest, K, [V|Stack0], Stack, Spilled)
    ;   findall(L-V, ( member(V-Ns, Graph), length(Ns, L) ), Ds), msort(Ds, Sorted), last(Sorted, _-V),
        del_vertices(Graph, [V], Rest), Spilled = [V|More], simplify(Rest, K, Stack0, Stack, More)
    ).

give(Graph, K, V, Cs, [V-R|Cs]) :- neighbours(V, Graph, Ns), between(1, K, R), \+ ( member(N, Ns), memberchk(N-R, Cs) ), !.

main :-
    forall(code(I, Code),
           ( live(Code, [], Sets), conflicts(Code, Sets, Graph), format("code ~d~n", [I]),
             forall(nth1(J, Code, Op), ( nth1(J, Sets, S), format("  ~p~t~20|~w~n", [Op, S]) )),
             edges(Graph, Es), length(Es, N2), N is N2//2, format("  ~d conflicts~n", [N]),
             forall(between(2, 4, K), ( colour(Graph, K, Cs, Sp), msort(Cs, Sorted), format("  ~d registers: ~w spilled ~w~n", [K, Sorted, Sp]) )) )).
