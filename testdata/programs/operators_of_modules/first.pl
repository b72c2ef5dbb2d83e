:- module(first, [shown/1]).
:- use_module(arrows).
shown(X) :- X = (a ===> b && c).
