:- module(macros, []).
:- use_module(library(lists)).
user:term_expansion((H ::= B), (H :- B2)) :- conv(B, B2).
conv((A + B), (X, Y)) :- !, conv(A, X), conv(B, Y).
conv((A \/ B), (X ; Y)) :- !, conv(A, X), conv(B, Y).
conv(A, A).
user:goal_expansion(unless(C, G), ( C -> true ; G )).
user:goal_expansion(repeat_n(N, G), forall(between(1, N, _), G)) :- integer(N).
user:term_expansion(enum(N, Vs), Cs) :- findall(C, ( nth0(I, Vs, V), C =.. [N, V, I] ), Cs).
user:term_expansion(end_of_file, [last_one, end_of_file]) :- prolog_load_context(module, user).
