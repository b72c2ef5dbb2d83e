:- module(even, [even/1, zero/1]).
:- use_module(odd, [odd/1]).
even(N) :- zero(N), !.
even(N) :- N > 0, M is N - 1, odd(M).
zero(0).
