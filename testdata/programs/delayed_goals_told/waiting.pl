:- module(waiting, [waiting/1]).

waiting(X) :- freeze(X, local(X)).

local(X) :- print(got(X)), nl.
