:- module(keeper, []).
:- nb_setval(kept, by_module).
