:- module(stages, [pipe/3, scale/3]).
:- use_module(library(yall)).
:- meta_predicate pipe(:, +, -).
pipe(M:Stages, L0, L) :- foldl(stage(M), Stages, L0, L).
stage(M, keep(G), L0, L) :- include(M:G, L0, L).
stage(M, map(G), L0, L) :- maplist(M:G, L0, L).
stage(_, take(N), L0, L) :- length(L, N), append(L, _, L0).
scale(F, L0, L) :- maplist({F}/[X,Y]>>( Y is X*F ), L0, L).
