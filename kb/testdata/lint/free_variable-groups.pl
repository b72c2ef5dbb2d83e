%% collects one answer
% wrong: a total of each customer
total(C, T) :- aggregate_all(sum(A), order(C, A), T).
order(ann, 3).
order(bob, 5).
all(L) :- findall(C-T, total(C, T), L).
% wrong: a count of each kind
count_of(K, N) :- aggregate_all(count, item(_, K), N).
item(tea, hot).
item(milk, cold).
report(L) :- findall(K-N, count_of(K, N), L).
% wrong: forall
total(C, T) :- aggregate_all(sum(A), order(C, A), T).
order(ann, 3).
order(bob, 5).
small :- forall(total(C, T), ( T < 10, C \== x )).
% wrong: the greatest of each
best(S, M) :- aggregate_all(max(X), mark(S, X), M).
mark(ai, 3).
mark(ml, 5).
all(L) :- findall(S-M, best(S, M), L).
% wrong: a condition behind
heavy(C, T) :- aggregate_all(sum(A), order(C, A), T), T > 4.
order(ann, 3).
order(bob, 5).
all(L) :- findall(C, heavy(C, _), L).
% wrong: a count of customers
total(C, T) :- aggregate_all(sum(A), order(C, A), T).
order(ann, 3).
order(bob, 5).
rich(N) :- aggregate_all(count, ( total(C, T), T > 4, C \== x ), N).
% wrong: a bag for each
list_of(C, L) :- aggregate_all(bag(A), order(C, A), L).
order(ann, 3).
order(bob, 5).
all(L) :- findall(C-B, list_of(C, B), L).
% wrong: with is behind
mean(C, M) :- aggregate_all(sum(A), order(C, A), S), M is S / 2.
order(ann, 3).
order(bob, 5).
all(L) :- findall(C-M, mean(C, M), L).
% wrong: the second argument is the key
total(T, C) :- aggregate_all(sum(A), order(C, A), T).
order(ann, 3).
order(bob, 5).
all(L) :- findall(C-T, total(T, C), L).
% wrong: in a conjunction
total(C, T) :- aggregate_all(sum(A), order(C, A), T).
order(ann, 3).
order(bob, 5).
all(L) :- findall(C-T, ( total(C, T), T > 1 ), L).
% wrong: a rule in place of facts
total(C, T) :- aggregate_all(sum(A), paid(C, A), T).
paid(C, A) :- order(C, A), A > 1.
order(ann, 3).
order(bob, 5).
all(L) :- findall(C-T, total(C, T), L).
% wrong: a product is added
value(K, V) :- aggregate_all(sum(N * P), stock(K, _, N, P), V).
stock(food, tea, 3, 2).
stock(drink, milk, 1, 2).
report(L) :- findall(row(K, V), value(K, V), L).
% wrong: the least
cheapest(K, P) :- aggregate_all(min(X), price(K, _, X), P).
price(food, tea, 3).
price(drink, milk, 1).
all(L) :- findall(K-P, cheapest(K, P), L).
% wrong: a count with a condition
open_of(U, N) :- aggregate_all(count, ( task(_, U, S), S == open ), N).
task(t1, ann, open).
task(t2, bob, done).
busy(L) :- findall(U, ( open_of(U, N), N > 0 ), L).
% wrong: a tool
:- mode(report(-list(any)), one).
report(L) :- findall(C-T, total(C, T), L).
total(C, T) :- aggregate_all(sum(A), order(C, A), T).
order(ann, 3).
order(bob, 5).
% wrong: a total of the groups
total(C, T) :- aggregate_all(sum(A), order(C, A), T).
order(ann, 3).
order(bob, 5).
most(M) :- aggregate_all(max(T, C), total(C, T), M).
% wrong: a set of each
tags_of(P, L) :- aggregate_all(set(T), tag(P, T), L).
tag(a, x).
tag(b, y).
all(L) :- findall(P-T, tags_of(P, T), L).
% wrong: days of each month
days_in(M, N) :- aggregate_all(count, day(M, _), N).
day(1, a).
day(2, b).
cal(L) :- findall(M-N, days_in(M, N), L).
% wrong: written with forall
votes(C, N) :- aggregate_all(count, vote(_, C), N).
vote(ann, red).
vote(bob, blue).
print_all :- forall(votes(C, N), format("~w: ~w~n", [C, N])).
% wrong: two keys, one is given
sum_of(Y, C, T) :- aggregate_all(sum(A), order(Y, C, A), T).
order(2025, ann, 3).
order(2026, bob, 5).
of(Y, L) :- findall(C-T, sum_of(Y, C, T), L).
% right: a generator first
total(C, T) :- aggregate_all(sum(A), order(C, A), T).
order(ann, 3).
order(bob, 5).
customer(ann).
all(L) :- findall(C-T, ( customer(C), total(C, T) ), L).
% right: a generator in the rule
total(C, T) :- customer(C), aggregate_all(sum(A), order(C, A), T).
order(ann, 3).
customer(ann).
all(L) :- findall(C-T, total(C, T), L).
% right: for one customer
total(C, T) :- aggregate_all(sum(A), order(C, A), T).
order(ann, 3).
of_ann(T) :- total(ann, T).
% right: aggregate/3 makes groups
:- use_module(library(aggregate)).
total(C, T) :- aggregate(sum(A), order(C, A), T).
order(ann, 3).
order(bob, 5).
all(L) :- findall(C-T, total(C, T), L).
% right: bagof makes groups
list_of(C, L) :- bagof(A, order(C, A), L).
order(ann, 3).
order(bob, 5).
all(L) :- findall(C-B, list_of(C, B), L).
% right: no key
total(T) :- aggregate_all(sum(A), order(_, A), T).
order(ann, 3).
all(L) :- findall(T, total(T), L).
% right: the key is in the template
pairs(C, L) :- aggregate_all(bag(C-A), order(C, A), L).
order(ann, 3).
all(L) :- findall(X, pairs(_, X), L).
% right: a test binds it behind
total(C, T) :- aggregate_all(sum(A), order(C, A), T).
order(ann, 3).
known(C, T) :- total(C, T), C = ann.
% right: two clauses
total(ann, 0).
total(C, T) :- aggregate_all(sum(A), order(C, A), T).
order(ann, 3).
of(T) :- findall(X, total(ann, X), T).
% right: distinct first
total(C, T) :- distinct(C, order(C, _)), aggregate_all(sum(A), order(C, A), T).
order(ann, 3).
all(L) :- findall(C-T, total(C, T), L).
% right: a count of all
n(N) :- aggregate_all(count, order(_, _), N).
order(ann, 3).
all(L) :- findall(N, n(N), L).
% right: setof gives the keys
total(C, T) :- aggregate_all(sum(A), order(C, A), T).
order(ann, 3).
order(bob, 5).
all(L) :- setof(C, A^order(C, A), Cs), findall(C-T, ( member(C, Cs), total(C, T) ), L).
% right: the key is an argument of the caller
total(C, T) :- aggregate_all(sum(A), order(C, A), T).
order(ann, 3).
one(C, L) :- findall(T, total(C, T), L).
% right: forall with a generator
votes(C, N) :- aggregate_all(count, vote(_, C), N).
vote(ann, red).
option(red).
print_all :- forall(option(C), ( votes(C, N), format("~w: ~w~n", [C, N]) )).
% right: in a lambda
votes(C, N) :- aggregate_all(count, vote(_, C), N).
vote(ann, red).
all(Cs, L) :- maplist([C, C-N]>>votes(C, N), Cs, L).
% right: a table of totals
:- table total(_, sum).
total(C, A) :- order(C, A).
order(ann, 3).
all(L) :- findall(C-T, total(C, T), L).
% right: findall and group_pairs_by_key
groups(G) :- findall(C-A, order(C, A), L), keysort(L, S), group_pairs_by_key(S, G).
order(ann, 3).
% right: all customers together are meant
total(T) :- aggregate_all(sum(A), C^order(C, A), T).
order(ann, 3).
all(L) :- findall(T, total(T), L).
% right: the caller does not use the key
total(C, T) :- customer(C), aggregate_all(sum(A), order(C, A), T).
customer(ann).
order(ann, 3).
sum(S) :- findall(T, total(_, T), L), sum_list(L, S).
% right: once
total(C, T) :- aggregate_all(sum(A), order(C, A), T).
order(ann, 3).
first(T) :- once(total(ann, T)).
