:- module(t, [p/1, q/1]).
p(1). q(2).
