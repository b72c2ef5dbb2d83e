:- module(alpha, [alpha/1]).
alpha(source).
