:- module(greeter, []).
:- multifile user:greeting/1, counter:event/2.

user:greeting(X) :- word(W), atom_concat(W, '!', X).
user:greeting(none).
counter:event(seen, N) :- word(W), atom_length(W, N).
counter:event(made, N) :- length(N).

word(hello).
word(hi).
length(7).
