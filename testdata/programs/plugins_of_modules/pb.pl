:- module(pb, []).
:- use_module(core).
:- register(pb, [X]>>( X < 5 )).
:- multifile core:core_hook/2.
core:core_hook(pb, M) :- context_module(M).
user:portray(secret(_)) :- write('<hidden>').
