:- module(upper, []).
:- use_module(core).
up(X, Y) :- atom(X), !, upcase_atom(X, Y).
up(X, up(X)).
:- register(upper, up).
