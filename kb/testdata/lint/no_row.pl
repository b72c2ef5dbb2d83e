% wrong: a benefit without a row
:- mode(benefit(+atom, -number), zero_or_one).
benefit(X, Y) :- rent(X, R), children(X, N), Y is R + 20 * N.
rent(a, 10).
rent(b, 20).
children(a, 1).
% right: a benefit with all rows
:- mode(benefit(+atom, -number), zero_or_one).
benefit(X, Y) :- rent(X, R), children(X, N), Y is R + 20 * N.
rent(a, 10).
rent(b, 20).
children(a, 1).
children(b, 0).
% right: a benefit with a default
:- mode(benefit(+atom, -number), zero_or_one).
benefit(X, Y) :- rent(X, R), ( children(X, N) -> true ; N = 0 ), Y is R + 20 * N.
rent(a, 10).
rent(b, 20).
children(a, 1).
% wrong: a salary without a row
:- mode(salary(+atom, -number), zero_or_one).
salary(X, Y) :- base(X, R), bonus(X, N), Y is R + N.
base(a, 10).
base(b, 20).
bonus(a, 1).
% right: a salary with all rows
:- mode(salary(+atom, -number), zero_or_one).
salary(X, Y) :- base(X, R), bonus(X, N), Y is R + N.
base(a, 10).
base(b, 20).
bonus(a, 1).
bonus(b, 0).
% right: a salary with a default
:- mode(salary(+atom, -number), zero_or_one).
salary(X, Y) :- base(X, R), ( bonus(X, N) -> true ; N = 0 ), Y is R + N.
base(a, 10).
base(b, 20).
bonus(a, 1).
% wrong: a bill without a row
:- mode(bill(+atom, -number), zero_or_one).
bill(X, Y) :- fee(X, R), usage(X, N), Y is R * 2 + N.
fee(a, 10).
fee(b, 20).
usage(a, 1).
% right: a bill with all rows
:- mode(bill(+atom, -number), zero_or_one).
bill(X, Y) :- fee(X, R), usage(X, N), Y is R * 2 + N.
fee(a, 10).
fee(b, 20).
usage(a, 1).
usage(b, 0).
% right: a bill with a default
:- mode(bill(+atom, -number), zero_or_one).
bill(X, Y) :- fee(X, R), ( usage(X, N) -> true ; N = 0 ), Y is R * 2 + N.
fee(a, 10).
fee(b, 20).
usage(a, 1).
% wrong: a risk without a row
:- mode(risk(+atom, -number), zero_or_one).
risk(X, Y) :- age(X, R), score(X, N), Y is max(R, N).
age(a, 10).
age(b, 20).
score(a, 1).
% right: a risk with all rows
:- mode(risk(+atom, -number), zero_or_one).
risk(X, Y) :- age(X, R), score(X, N), Y is max(R, N).
age(a, 10).
age(b, 20).
score(a, 1).
score(b, 0).
% right: a risk with a default
:- mode(risk(+atom, -number), zero_or_one).
risk(X, Y) :- age(X, R), ( score(X, N) -> true ; N = 0 ), Y is max(R, N).
age(a, 10).
age(b, 20).
score(a, 1).
% wrong: a price without a row
:- mode(price(+atom, -number), zero_or_one).
price(X, Y) :- list(X, R), rebate(X, N), Y is R - N.
list(a, 10).
list(b, 20).
rebate(a, 1).
% right: a price with all rows
:- mode(price(+atom, -number), zero_or_one).
price(X, Y) :- list(X, R), rebate(X, N), Y is R - N.
list(a, 10).
list(b, 20).
rebate(a, 1).
rebate(b, 0).
% right: a price with a default
:- mode(price(+atom, -number), zero_or_one).
price(X, Y) :- list(X, R), ( rebate(X, N) -> true ; N = 0 ), Y is R - N.
list(a, 10).
list(b, 20).
rebate(a, 1).
% wrong: a comparison
:- mode(may(+atom), zero_or_one).
may(P) :- person(P), limit(P, L), L >= 30.
person(a).
person(b).
limit(a, 40).
% wrong: values of the type
:- mode(fee(+oneof([car, bike, bus]), -integer), zero_or_one).
fee(V, F) :- rate(V, R), F is R * 2.
rate(car, 3).
rate(bike, 1).
% wrong: a named type
:- type(kind, oneof([car, bike, bus])).
:- mode(fee(+kind, -integer), zero_or_one).
fee(V, F) :- rate(V, R), F is R * 2.
rate(car, 3).
rate(bike, 1).
% wrong: two keys of types
:- mode(move(+oneof([nut, bolt]), +oneof([north, south]), -integer), zero_or_one).
move(P, W, N) :- stock(P, W, Q), N is Q + 1.
stock(nut, north, 3).
stock(bolt, north, 3).
stock(bolt, south, 3).
% wrong: an update
:- dynamic(stock/2).
:- mode(receive(+oneof([nut, bolt]), +integer), one).
receive(P, Q) :- retract(stock(P, Old)), New is Old + Q, assertz(stock(P, New)).
stock(nut, 3).
% wrong: through a rule without a mode
:- mode(reorder(-atom), zero_or_more).
reorder(P) :- part(P, Min), available(P, A), A < Min.
available(P, A) :- stock(P, S), ordered(P, O), A is S + O.
part(nut, 3).
part(bolt, 3).
stock(nut, 1).
stock(bolt, 1).
ordered(nut, 2).
% wrong: through two rules
:- mode(dose(+atom, -integer), zero_or_one).
dose(P, D) :- patient(P, W), ok(P), D is W * 10.
ok(P) :- cleared(P).
cleared(P) :- egfr(P, V), V >= 30.
patient(eva, 70).
patient(tom, 25).
egfr(eva, 95).
% wrong: a number that is passed on
:- mode(bill(+atom, -integer), zero_or_one).
bill(C, A) :- customer(C, T), usage(C, M), cost(T, M, A).
cost(T, M, A) :- tariff(T, F), A is F + M.
customer(ann, basic).
customer(cid, basic).
usage(ann, 60).
tariff(basic, 5).
% wrong: a constant and a key
:- mode(cost(+oneof([a, b]), -integer), zero_or_one).
cost(X, C) :- price(X, summer, P), C is P * 2.
price(a, summer, 3).
price(b, winter, 3).
% wrong: a key that facts give second
:- mode(cost(-atom, -integer), zero_or_more).
cost(O, C) :- order(O, Item), price(Item, P), C is P * 2.
order(1, tea).
order(2, milk).
price(tea, 3).
% wrong: a float
:- mode(cost(-atom, -number), zero_or_more).
cost(O, C) :- order(O, Item), weight(Item, P), C is P * 2.
order(o1, tea).
order(o2, milk).
weight(tea, 0.3).
% wrong: numbers as keys
:- mode(cost(-atom, -integer), zero_or_more).
cost(O, C) :- order(O, Zone), rate(Zone, P), C is P * 2.
order(o1, 1).
order(o2, 3).
rate(1, 5).
rate(2, 9).
% wrong: a number within a function
:- mode(pay(+atom, -integer), zero_or_one).
pay(P, C) :- worker(P), hours(P, H), C is min(H, 40) * 20.
worker(ann).
worker(bob).
hours(ann, 30).
% wrong: the other side of a comparison
:- mode(late(-atom), zero_or_more).
late(P) :- loan(P, D), allowed(P, A), A < D.
loan(ann, 30).
loan(bob, 9).
allowed(ann, 14).
% wrong: two lookups
:- mode(total(+atom, -integer), zero_or_one).
total(P, T) :- worker(P), day(P, D), night(P, N), T is D + N.
worker(ann).
worker(bob).
day(ann, 3).
day(bob, 3).
night(ann, 3).
% right: no number
:- mode(may(-atom), zero_or_more).
may(P) :- person(P), grant(P, A), A == read.
person(a).
person(b).
grant(a, read).
% right: a negation
:- mode(free(-atom, -integer), zero_or_more).
free(P, N) :- person(P, M), \+ limit(P, _), N is M + 1.
person(a, 1).
person(b, 2).
limit(a, 3).
% right: another clause
:- mode(total(+atom, -integer), zero_or_one).
total(P, T) :- worker(P, B), bonus(P, N), !, T is B + N.
total(P, T) :- worker(P, T).
worker(ann, 1).
worker(bob, 2).
bonus(ann, 3).
% right: a rule with a default
:- mode(total(+atom, -integer), zero_or_one).
total(P, T) :- worker(P, B), bonus_of(P, N), T is B + N.
bonus_of(P, N) :- bonus(P, N), !.
bonus_of(_, 0).
worker(ann, 1).
worker(bob, 2).
bonus(ann, 3).
% right: a sum of none
:- mode(total(+atom, -integer), zero_or_one).
total(P, T) :- worker(P, B), aggregate_all(sum(N), bonus(P, N), S), T is B + S.
worker(ann, 1).
worker(bob, 2).
bonus(ann, 3).
% right: any name may come
:- mode(total(+atom, -integer), zero_or_one).
total(P, T) :- worker(P, B), T is B + 1.
worker(ann, 1).
worker(bob, 2).
% wrong: facts that change
:- dynamic(bonus/2).
:- mode(total(+atom, -integer), zero_or_one).
total(P, T) :- worker(P, B), bonus(P, N), T is B + N.
worker(ann, 1).
worker(bob, 2).
bonus(ann, 3).
% right: a condition
:- mode(kind(+atom, -atom), zero_or_one).
kind(P, K) :- worker(P), ( hours(P, H), H > 30 -> K = full ; K = part ).
worker(ann).
worker(bob).
hours(ann, 40).
% right: nothing in common
:- mode(total(+atom, -integer), zero_or_one).
total(P, T) :- worker(P, B), rate(B, N), T is N + 1.
worker(ann, 1).
worker(bob, 1).
rate(1, 5).
rate(2, 7).
% right: a search among those that fit
:- mode(old(-list), one).
old(L) :- findall(P, aged(P), L).
aged(P) :- person(P), age(P, A), A > 60.
person(ann).
person(bob).
age(ann, 70).
% wrong: a total that leaves something out
:- mode(calories(+atom, -number), one).
calories(R, K) :- findall(C, ( needs(R, I, N), kcal(I, P), C is N * P ), L), sum_list(L, K).
needs(pancake, flour, 250).
needs(pancake, milk, 500).
kcal(flour, 3.6).
% wrong: a sum that leaves something out
:- mode(total(-number), one).
total(K) :- aggregate_all(sum(N * P), ( part(I, N), price(I, P), P > 1 ), K).
part(nut, 250).
part(bolt, 500).
price(nut, 3.6).
% right: a total of what has a price, all of it
:- mode(total(-number), one).
total(K) :- aggregate_all(sum(N * P), ( part(I, N), price(I, P), P > 1 ), K).
part(nut, 250).
part(bolt, 500).
price(nut, 3.6).
price(bolt, 1.5).
% right: none of them
:- mode(total(-number), one).
total(K) :- aggregate_all(sum(N), ( part(I, N), \+ used(I, N) ), K).
part(nut, 250).
part(bolt, 500).
used(nut, 250).
