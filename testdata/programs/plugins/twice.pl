:- module(twice, []).
:- use_module(core).
double(X, X-X).
:- initialization(register(twice, double)).
:- register(broken, [_, _]>>throw(broken_plugin)).
