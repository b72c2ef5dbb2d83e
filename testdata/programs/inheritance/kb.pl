:- module(kb, [is_a/2, prop/3, inherit/3, add/1]).
:- dynamic is_a/2, prop/3.
is_a(canary, bird). is_a(bird, animal). is_a(penguin, bird).
prop(bird, moves, fly). prop(animal, alive, yes). prop(penguin, moves, walk).
inherit(X, P, V) :- prop(X, P, V), !.
inherit(X, P, V) :- is_a(X, Y), inherit(Y, P, V).
add(Fact) :- assertz(Fact).
