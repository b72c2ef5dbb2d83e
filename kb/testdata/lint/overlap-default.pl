%% so that there are two answers
% wrong: a rate for all others
rate(books, 7).
rate(food, 7).
rate(_, 19).
gross(I, N, G) :- kind(I, K), rate(K, R), G is N * (100 + R) / 100.
kind(b1, books).
% wrong: points
points(gold, 3).
points(silver, 2).
points(_, 1).
total(C, T) :- tier(C, L), points(L, P), amount(C, A), T is A * P.
tier(ann, gold).
amount(ann, 10).
% wrong: a fee
fee(express, 9).
fee(_, 4).
cost(O, C) :- ship(O, S), fee(S, F), weight(O, W), C is W + F.
ship(o1, express).
weight(o1, 3).
% wrong: days
days(annual, 365).
days(monthly, 30).
days(_, 1).
rent(K, R, T) :- plan(K, P), days(P, D), T is R * D.
plan(a, annual).
% wrong: a factor
factor(kg, 1000).
factor(_, 1).
grams(I, N, G) :- unit(I, U), factor(U, F), G is N * F.
unit(flour, kg).
% wrong: a discount
discount(student, 20).
discount(senior, 15).
discount(_, 0).
price(P, B, N) :- group(P, G), discount(G, D), N is B - B * D / 100.
group(ann, student).
% wrong: a compared number
limit(gold, 5000).
limit(_, 1000).
over(C, A) :- tier(C, T), limit(T, L), A > L.
tier(ann, gold).
% wrong: weights
weight(high, 3).
weight(low, 1).
weight(_, 2).
score(T, S) :- prio(T, P), weight(P, W), S is W * 10.
prio(t1, high).
% wrong: floats
risk(smoker, 1.5).
risk(_, 1.0).
premium(P, X) :- habit(P, H), risk(H, R), X is 100 * R.
habit(ann, smoker).
% wrong: seats
seats(bus, 50).
seats(van, 8).
seats(_, 4).
places(V, N) :- type(V, T), seats(T, S), N is S - 1.
type(v1, bus).
% wrong: strings as keys
rate("books", 7).
rate("food", 7).
rate(_, 19).
gross(I, N, G) :- kind(I, K), rate(K, R), G is N * (100 + R) / 100.
kind(b1, "books").
% wrong: two keys
rate(de, books, 7).
rate(fr, books, 5).
rate(_, _, 20).
gross(I, C, N, G) :- kind(I, K), rate(C, K, R), G is N * (100 + R) / 100.
kind(b1, books).
% wrong: the second argument is the key
fee(9, express).
fee(4, _).
cost(O, C) :- ship(O, S), fee(F, S), C is F + 1.
ship(o1, express).
% wrong: the default first
fee(_, 4).
fee(express, 9).
cost(O, C) :- ship(O, S), fee(S, F), C is F + 1.
ship(o1, express).
% wrong: a name for the others
fee(express, 9).
fee(_Other, 4).
cost(O, C) :- ship(O, S), fee(S, F), C is F + 1.
ship(o1, express).
% wrong: a default with true
fee(express, 9).
fee(_, 4) :- true.
cost(O, C) :- ship(O, S), fee(S, F), C is F + 1.
ship(o1, express).
% wrong: the key is an input of the caller
fee(express, 9).
fee(pickup, 0).
fee(_, 4).
:- mode(cost(+atom, +number, -number), one).
cost(S, W, C) :- fee(S, F), C is W + F.
% wrong: two callers
factor(kg, 1000).
factor(_, 1).
grams(I, N, G) :- unit(I, U), factor(U, F), G is N * F.
kilos(I, N, G) :- unit(I, U), factor(U, F), G is N / F.
unit(flour, kg).
% wrong: in a branch
fee(express, 9).
fee(_, 4).
cost(O, C) :- ( ship(O, S), fee(S, F), C is F + 1 ; \+ ship(O, _), C = 0 ).
ship(o1, express).
% wrong: the number is an output
:- mode(cost(+atom, -number), one).
fee(express, 9).
fee(_, 4).
cost(O, F) :- ship(O, S), fee(S, F).
ship(o1, express).
% right: cuts
rate(books, 7) :- !.
rate(food, 7) :- !.
rate(_, 19).
gross(I, N, G) :- kind(I, K), rate(K, R), G is N * (100 + R) / 100.
kind(b1, books).
% right: an if-then-else
rate(K, R) :- ( special(K, S) -> R = S ; R = 19 ).
special(books, 7).
gross(K, N, G) :- rate(K, R), G is N * (100 + R) / 100.
% right: no default
rate(books, 7).
rate(food, 19).
gross(K, N, G) :- rate(K, R), G is N * (100 + R) / 100.
kind(books).
all(L) :- findall(G, ( kind(K), gross(K, 1, G) ), L).
% right: all answers are wanted
path(a, 3).
path(b, 4).
path(_, 9).
best(K, M) :- aggregate_all(min(C), path(K, C), M).
% right: once
fee(express, 9).
fee(_, 4).
cost(O, C) :- ship(O, S), once(fee(S, F)), C is F + 1.
ship(o1, express).
% right: a cut behind the call
fee(express, 9).
fee(_, 4).
cost(O, C) :- ship(O, S), fee(S, F), !, C is F + 1.
ship(o1, express).
% right: atoms and no numbers
colour(leaf, green).
colour(_, blue).
show(X) :- colour(X, C), writeln(C).
% right: the default is the only clause
fee(_, 4).
cost(O, C) :- fee(O, F), C is F + 1.
% right: the default has the same number
fee(express, 4).
fee(_, 4).
cost(O, C) :- ship(O, S), fee(S, F), C is F + 1.
ship(o1, express).
% right: a guard
fee(express, 9).
fee(K, 4) :- K \== express.
cost(O, C) :- ship(O, S), fee(S, F), C is F + 1.
ship(o1, express).
% right: in a condition
fee(express, 9).
fee(_, 4).
cost(O, C) :- ship(O, S), ( fee(S, F) -> C is F + 1 ; C = 0 ).
ship(o1, express).
% right: once around more
fee(express, 9).
fee(_, 4).
cost(O, C) :- once(( ship(O, S), fee(S, F) )), C is F + 1.
ship(o1, express).
% right: the first of all answers
fee(express, 9).
fee(_, 4).
cost(O, C) :- ship(O, S), findall(F, fee(S, F), [F0|_]), C is F0 + 1.
ship(o1, express).
% right: all pairs
edge(a, 1).
edge(b, 2).
edge(_, 3).
pairs(L) :- findall(X-S, ( node(X), edge(X, W), S is W * 2 ), L).
node(a).
% right: several answers are promised
fee(express, 9).
fee(_, 4).
:- mode(fee(+atom, -number), zero_or_more).
cost(O, C) :- ship(O, S), fee(S, F), C is F + 1.
ship(o1, express).
% right: two keys without a default
rate(de, books, 7).
rate(fr, books, 5).
gross(I, C, N, G) :- kind(I, K), rate(C, K, R), G is N * (100 + R) / 100.
kind(b1, books).
% right: an index of options
option(small, 1).
option(_, 2).
options(K, L) :- findall(X, option(K, X), L), sum_list(L, S), S > 0.
% right: a generator of numbers
try(a, 1).
try(_, 2).
search(K, X) :- try(K, X), X > 1, !.
% right: a call that nobody makes
fee(express, 9).
fee(_, 4).
% right: a default that throws
fee(express, 9).
fee(K, _) :- throw(no_fee(K)).
cost(O, C) :- ship(O, S), fee(S, F), C is F + 1.
ship(o1, express).
