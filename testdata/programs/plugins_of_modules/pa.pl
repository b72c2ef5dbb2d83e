:- module(pa, []).
:- use_module(core).
:- initialization(register(pa, check(3))).
check(N, X) :- X > N.
core:core_hook(pa, V) :- value(V).
value(10).
