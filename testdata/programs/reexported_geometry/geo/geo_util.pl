:- module(geo_util, [half/2, double/2, secret/1]).
half(X, Y) :- Y is X/2.
double(X, Y) :- Y is X*2.
secret(42).
