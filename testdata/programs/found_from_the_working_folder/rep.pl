:- module(rep, [rep/1]).
rep(7).
