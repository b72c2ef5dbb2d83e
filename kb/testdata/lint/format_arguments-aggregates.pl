%% calculates
% wrong: a pair with a name
best(M) :- aggregate_all(max(S-P), score(P, S), M).
score(ann, 3).
score(bob, 5).
% wrong: a sum of names
total(S) :- aggregate_all(sum(P), score(P, _), S).
score(ann, 3).
score(bob, 5).
% wrong: the least pair
worst(P) :- aggregate_all(min(S-Q), score(Q, S), _-P).
score(ann, 3).
% wrong: the greatest name
last(N) :- aggregate_all(max(P), score(P, _), N).
score(ann, 3).
% wrong: a date
newest(D) :- aggregate_all(max(X), saved(_, X), D).
saved(a, date(2026, 1, 2)).
saved(b, date(2026, 1, 3)).
% wrong: a structure
top(M) :- aggregate_all(max(p(S, P)), score(P, S), M).
score(ann, 3).
% wrong: a sum of strings
total(S) :- aggregate_all(sum(A), item(_, A), S).
item(tea, "three").
item(milk, "two").
% wrong: a witness before the number
cheapest(P) :- aggregate_all(min(I-C), offer(I, C), P).
offer(tea, 3).
% wrong: with a condition
best(M) :- aggregate_all(max(S-P), ( score(P, S), S > 2 ), M).
score(ann, 3).
% wrong: through a rule
best(M) :- aggregate_all(max(S-P), good(P, S), M).
good(P, S) :- score(P, S), S > 2.
score(ann, 3).
% wrong: the level of a risk
highest(L) :- aggregate_all(max(X), risk(_, X), L).
risk(a, high).
risk(b, low).
% wrong: in findall
all(L) :- findall(D-M, ( dept(D), aggregate_all(max(S-P), pay(P, D, S), M) ), L).
dept(a).
pay(ann, a, 3).
% wrong: times as texts
latest(T) :- aggregate_all(max(X), log(X), T).
log("10:30").
log("11:00").
% wrong: a product with a name
value(V) :- aggregate_all(sum(N * P), stock(N, P, _), V).
stock(tea, 3, 2).
% wrong: three parts
best(M) :- aggregate_all(max(S-P-C), score(P, S, C), M).
score(ann, 3, red).
% wrong: a grade in letters
best(G) :- aggregate_all(min(X), grade(_, X), G).
grade(ann, a1).
grade(bob, b2).
% wrong: within an if
best(M) :- ( score(_, _) -> aggregate_all(max(S-P), score(P, S), M) ; M = none ).
score(ann, 3).
% wrong: a weekday
first(D) :- aggregate_all(min(X), open(X), D).
open(monday).
open(tuesday).
% wrong: a member of a list
best(M) :- aggregate_all(max(S-P), member(P-S, [ann-3, bob-5]), M).
% wrong: in a tool
:- mode(richest(-atom), zero_or_one).
richest(P) :- aggregate_all(max(W-Q), owns(Q, W), _-P).
owns(ann, 300).
owns(bob, 100).
% right: a witness
best(M) :- aggregate_all(max(S, P), score(P, S), M).
score(ann, 3).
score(bob, 5).
% right: a sum
total(S) :- aggregate_all(sum(X), score(_, X), S).
score(ann, 3).
% right: a product
value(V) :- aggregate_all(sum(N * P), stock(_, N, P), V).
stock(tea, 3, 2).
% right: a difference
most(M) :- aggregate_all(max(H - L), range(L, H), M).
range(1, 5).
% right: a count
n(N) :- aggregate_all(count, score(_, _), N).
score(ann, 3).
% right: a bag of pairs
all(L) :- aggregate_all(bag(S-P), score(P, S), L).
score(ann, 3).
% right: max_member of pairs
best(P) :- findall(S-Q, score(Q, S), L), max_member(_-P, L).
score(ann, 3).
% right: no facts yet
:- dynamic(score/2).
best(M) :- aggregate_all(max(S-P), score(P, S), M).
% right: unknown values
best(L, M) :- aggregate_all(max(S-P), member(P-S, L), M).
% right: an expression of functions
far(M) :- aggregate_all(max(abs(X - 5)), num(X), M).
num(3).
% right: pi
m(M) :- aggregate_all(max(X), k(X), M).
k(pi).
k(e).
% right: a letter
m(M) :- aggregate_all(max(X), k(X), M).
k("a").
k("b").
% right: texts that are made numbers
m(M) :- aggregate_all(max(N), ( k(X), atom_number(X, N) ), M).
k('3').
% right: two witnesses
best(M) :- aggregate_all(max(S, P-C), score(P, S, C), M).
score(ann, 3, red).
% right: a constant
n(S) :- aggregate_all(sum(1), score(_, _), S).
score(ann, 3).
% right: a set of names
s(L) :- aggregate_all(set(P), score(P, _), L).
score(ann, 3).
% right: order_by in place of max
:- use_module(library(solution_sequences)).
best(P) :- limit(1, order_by([desc(S)], score(P, S))).
score(ann, 3).
% right: some values are numbers
m(M) :- aggregate_all(max(X), v(X), M).
v(3).
v(4.5).
% right: a mixed column behind a test
m(M) :- aggregate_all(max(X), ( v(X), number(X) ), M).
v(3).
v(none).
% right: nothing fits
m(M) :- aggregate_all(sum(X), ( p(P), v(P, X) ), M).
p(a).
v(a, 3).
