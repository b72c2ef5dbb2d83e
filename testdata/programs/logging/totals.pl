:- module(totals, [total/2, average/2]).
:- meta_predicate total(2, -), average(2, -).
total(Goal, Total) :- aggregate_all(sum(N * P), call(Goal, N, P), Total).
average(Goal, Average) :-
    aggregate_all(count, call(Goal, _, _), Count),
    total(Goal, Total),
    Average is Total / Count.
