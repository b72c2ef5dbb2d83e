:- module(mod, []).
:- initialization(hello).
hello :- writeln(mod_hello).
