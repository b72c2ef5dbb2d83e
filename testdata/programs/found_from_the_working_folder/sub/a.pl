:- module(a, [a/1]).
:- use_module(rep).
a(X) :- rep(X).
