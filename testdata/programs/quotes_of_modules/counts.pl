:- module(counts, [codes/1, counted/1]).
:- set_prolog_flag(double_quotes, codes).
codes("to").
counted(N) :- length("four", N).
