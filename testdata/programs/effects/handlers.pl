:- module(handlers, [run_state/3, get/1, put/1, collect/2, yield/1, with_log/3, log/1]).
:- meta_predicate run_state(0, +, -), collect(0, -), with_log(1, -, -).
get(X) :- shift(get(X)).
put(X) :- shift(put(X)).
yield(X) :- shift(yield(X)).
log(X) :- shift(log(X)).
run_state(Goal, S0, S) :- reset(Goal, Ball, C), state(C, Ball, S0, S).
state(0, _, S, S) :- !.
state(C, get(S0), S0, S) :- run_state(C, S0, S).
state(C, put(S1), _, S) :- run_state(C, S1, S).
collect(Goal, L) :- reset(Goal, Ball, C), collected(C, Ball, L).
collected(0, _, []) :- !.
collected(C, yield(X), L) :- !, L = [X|Xs], collect(C, Xs).
collected(C, Other, L) :- shift(Other), collect(C, L).
with_log(Goal, R, Log) :- logged(call(Goal, R), Log).
logged(Goal, Log) :- reset(Goal, Ball, C), ( C == 0 -> Log = [] ; Ball = log(X), Log = [X|Rest], logged(C, Rest) ).
