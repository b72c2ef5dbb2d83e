:- consult(deep/part).
b(X) :- part(X).
