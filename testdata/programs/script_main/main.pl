% main/0 of library(main) calls main/1; here a goal of another name does.
:- use_module(library(main)).
:- consult(declarations).
main :- writeln(own_main), declared.
