:- module(q, []).
:- use_module(m).
moves(1).
