:- module(beta, [beta/1]).
beta(more).
