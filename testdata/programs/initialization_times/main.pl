% initialization/1 runs after its own file, wherever that is loaded.
:- writeln(main_begins).
:- initialization(writeln(main_done)).
:- initialization(writeln(main_done_too)).
:- consult(part).
:- use_module(mod).
:- initialization(writeln(now), now).
:- writeln(main_ends).
main :- writeln(running), consult(late), late(X), writeln(X).
