:- module(odd, [odd/1]).
:- use_module(even).
odd(N) :- \+ zero(N), M is N - 1, even(M).
