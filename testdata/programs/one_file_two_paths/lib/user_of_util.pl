:- module(user_of_util, [used/1]).
:- use_module('../lib/util').
used(X) :- util(X).
