:- module(tool, []).
:- use_module(library(main)).
main(Arguments) :- length(Arguments, N), N >= 0, writeln(tool).
start :- main.
