:- module(m, [z/1]).
:- use_module(q, [moves/1 as qm]).
z(X) :- qm(X).
