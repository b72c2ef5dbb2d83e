:- module(control, [perform/1, perform_here/1, context/1, context_of_context/1, store/1, twice/1, say_both/0,
                    split_module/2, count_down/2, two_contexts/2, declared_late/1, map/3, answers/2]).

:- module_transparent perform/1, context/1, context_of_context/1, store/1, twice/1, say_both/0, split_module/2,
       count_down/2, map/3, answers/2.

perform(G) :- call(G).
perform_here(G) :- call(G).
context(M) :- context_module(M).
context_of_context(M) :- context(M).
store(C) :- assertz(C).
twice(G) :- G, G.
say_both :- context_module(M), writeln(first(M)).
say_both :- writeln(second).
split_module(T, M-P) :- strip_module(T, M, P).
count_down(0, M) :- !, context_module(M).
count_down(N, M) :- N1 is N-1, helper(N1, M).
:- module_transparent helper/2.
helper(N, M) :- count_down(N, M).
two_contexts(A, B) :- context(A), other:context_module(B).
declared_late(M) :- context_module(M).
:- module_transparent declared_late/1.
map(P, L1, L2) :- maplist(P, L1, L2).
answers(G, R) :- findall(x, G, L), length(L, R).
