:- module(events, [listen/2, fire/1, inside/0]).
:- meta_predicate listen(?, 1).
:- dynamic listener/3.

listen(E, M:G) :- assertz(listener(E, M, G)).
fire(E) :- forall(listener(E, M, G), call(M:G, E)).
shout(X) :- writeln(shout(X)).
inside :- listen(own, shout), user:show(mine), fire(own).
