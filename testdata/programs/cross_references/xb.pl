:- module(xb, [bee/1, cee/2]).
bee(_).
cee(_,_).
