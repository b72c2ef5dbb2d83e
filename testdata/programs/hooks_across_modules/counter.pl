:- module(counter, [count/1, total/1]).
:- multifile event/2.
:- dynamic seen/1.

count(N) :- assertz(seen(N)).
total(T) :- findall(N, seen(N), Ns), sum_list(Ns, T).
event(start, 0).
