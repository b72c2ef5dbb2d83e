:- module(util, [u/1]).
u(8).
