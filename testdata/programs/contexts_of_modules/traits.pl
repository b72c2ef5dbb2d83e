:- module(traits, [who/1, derive/2, exactly_one/1]).

who(M) :- context_module(M).

derive(Module, Trait) :- add_import_module(Module, Trait, start).

:- det(exactly_one/1).
exactly_one(one).
exactly_one(many) :- member(_, [a, b]).

shape:area(square, 4).
shape:area(disc, 3).
painted:colour(red).
