:- module(tell, [told/2]).
:- meta_predicate told(?, 1).
told(X, G) :- writeln(G), call(G, X).
