%% write a variable in the head
% wrong: a product
:- mode(gross(+number, -number), one).
gross(N, N * 1.19).
% wrong: a sum
:- mode(next(+integer, -integer), one).
next(N, N + 1).
% wrong: a length
:- mode(size(+list(any), -integer), one).
size([], 0).
size([_|T], N + 1) :- size(T, N).
% wrong: a list of numbers
:- mode(range(+integer, -list(integer)), one).
range(N, [N - 1, N, N + 1]).
% wrong: a difference
:- mode(rest(+number, +number, -number), one).
rest(A, B, A - B).
% wrong: a division
:- mode(half(+number, -number), one).
half(X, X / 2).
% wrong: a quotient of integers
:- mode(half(+integer, -integer), one).
half(X, X // 2).
% wrong: a remainder
:- mode(last_digit(+integer, -integer), one).
last_digit(N, N mod 10).
% wrong: the greater
:- mode(larger(+number, +number, -number), one).
larger(A, B, max(A, B)).
% wrong: behind a condition
:- mode(fee(+integer, -number), zero_or_one).
fee(D, D * 2) :- D > 10.
fee(D, 0) :- D =< 10.
% wrong: with facts
:- mode(bonus(+atom, -number), zero_or_one).
bonus(P, S * 0.1) :- salary(P, S).
salary(ann, 3000).
% wrong: a rounded number
:- mode(cents(+number, -integer), one).
cents(E, round(E * 100)).
% wrong: a power
:- mode(square(+number, -number), one).
square(X, X ** 2).
% wrong: an absolute value
:- mode(gap_of(+number, +number, -number), one).
gap_of(A, B, abs(A - B)).
% wrong: two outputs
:- mode(both(+number, -number, -number), one).
both(X, X + 1, X - 1).
% wrong: recursion
:- mode(total(+list(number), -number), one).
total([], 0).
total([X|Xs], X + S) :- total(Xs, S).
% wrong: a cost by weight
:- mode(shipping(+number, -number), one).
shipping(W, 5 + W * 2).
% wrong: minus
:- mode(neg(+integer, -integer), one).
neg(X, -X).
% wrong: the middle
:- mode(mean(+number, +number, -number), one).
mean(A, B, (A + B) / 2).
% wrong: a square root
:- mode(root(+number, -number), one).
root(X, sqrt(X)).
% wrong: a between
:- mode(year(+integer, -between(integer, 1900, 2100)), one).
year(A, 2026 - A).
% right: is
:- mode(gross(+number, -number), one).
gross(N, G) :- G is N * 1.19.
% right: a term is meant
:- mode(expr(+number, -term), one).
expr(N, N * 2).
% right: a pair
:- mode(both(+integer, -any), one).
both(A, A - 1).
% right: symbolic derivation
d(X, X, 1).
d(U + V, X, DU + DV) :- d(U, X, DU), d(V, X, DV).
% right: an input
:- mode(eval(+any, -number), one).
eval(A + B, C) :- eval(A, X), eval(B, Y), C is X + Y.
eval(N, N) :- number(N).
% right: no mode
pair(K, V, K - V).
% right: list of pairs
:- mode(pairs(+integer, -list(any)), one).
pairs(N, [N - a]).
% right: a number
:- mode(zero(-integer), one).
zero(0).
% right: a negative number
:- mode(minus_one(-integer), one).
minus_one(-1).
% right: atoms
:- mode(unit(+integer, -atom), one).
unit(_, 'km/h').
% right: a list of numbers
:- mode(primes(-list(integer)), one).
primes([2, 3, 5]).
% right: constraints
:- use_module(library(clpfd)).
:- mode(next(+integer, -integer), one).
next(N, M) :- M #= N + 1.
% right: dates
:- mode(day(+integer, -date), one).
day(D, date(2026, 1, D)).
% right: a compound output
:- mode(point(+number, +number, -any), one).
point(X, Y, X / Y).
% right: a maybe
:- mode(m(+atom, -maybe(integer)), one).
m(a, 1).
m(b, null).
% right: a text
:- mode(label(+atom, -string), one).
label(_, "a + b").
% right: an expression calculated later
:- mode(area(+number, -number), one).
area(R, A) :- form(R, E), A is E.
form(R, R * R).
% right: a fraction as a term
:- mode(ratio(+integer, +integer, -compound), one).
ratio(A, B, A / B).
% right: an object
:- mode(o(+integer, -object([n-integer])), one).
o(N, {n-N}).
% right: a key and a value
:- mode(kv(+atom, +integer, -any), one).
kv(K, V, K - V).
