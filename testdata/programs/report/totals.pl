:- module(totals, [total/2]).
:- meta_predicate total(1, -).
total(Goal, Sum) :- aggregate_all(sum(V), call(Goal, V), Sum).
