:- module(_, [anon/1]).
anon(1).
