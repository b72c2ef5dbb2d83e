% wrong: a float factor
:- mode(p(+decimal, -decimal(2)), one).
p(X, Y) :- Y is X * 1.19.
% wrong: a float on the left
:- mode(p(+decimal, -decimal(2)), one).
p(X, Y) :- Y is 1.19 * X.
% wrong: a float is added
:- mode(p(+decimal, -decimal(2)), one).
p(X, Y) :- Y is X + 0.5.
% wrong: a float deep within
:- mode(p(+decimal, -decimal(2)), one).
p(X, Y) :- Y is max(0, (X - 1) * (2 + 0.5)).
% wrong: compared with a float
:- mode(p(+decimal), zero_or_one).
p(X) :- X > 0.1.
% wrong: equal to a float
:- mode(p(+decimal), zero_or_one).
p(X) :- X =:= 0.1.
% wrong: divided by an integer
:- mode(p(+decimal, -decimal(2)), one).
p(X, Y) :- Y is X / 3.
% wrong: divided by a decimal
:- mode(p(+decimal, +decimal, -decimal(2)), one).
p(X, Z, Y) :- Y is X / Z.
% wrong: an integer divided by a decimal
:- mode(p(+decimal, -decimal(2)), one).
p(X, Y) :- Y is 1 / X.
% wrong: an output of another predicate
:- mode(price(+atom, -decimal(2)), zero_or_one).
price(a, 5).
q(X, Y) :- price(X, P), Y is P * 0.5.
% wrong: with places
:- mode(p(+decimal(2), -decimal(2)), one).
p(X, Y) :- Y is X * 1.19.
% wrong: with a mode of rounding
:- mode(p(+decimal(2, half_even), -decimal(2)), one).
p(X, Y) :- Y is X * 1.19.
% wrong: between bounds
:- mode(p(+between(decimal, 0, 100), -decimal(2)), one).
p(X, Y) :- Y is X * 1.19.
% wrong: a named type
:- type(money, decimal(2)).
:- mode(p(+money, -money), one).
p(X, Y) :- Y is X * 1.19.
% wrong: a decimal that was computed
:- mode(p(+decimal, -decimal(2)), one).
p(X, Y) :- Z is X * 2, Y is Z * 1.5.
% wrong: a float that was computed
:- mode(p(+decimal, -decimal(2)), one).
p(X, Y) :- Z is sqrt(2.0) , float(Z), Y is X * Z.
% wrong: in a condition
:- mode(p(+decimal, -decimal(2)), one).
p(X, Y) :- ( X > 1.5 -> Y = 1 ; Y = 2 ).
% wrong: a float as a fact
:- mode(price(+atom, -decimal(2)), zero_or_one).
price(a, 2.5).
% wrong: a date that does not exist
:- mode(since(+atom, -date), zero_or_one).
since(a, date(2023, 2, 29)).
% wrong: a text for a date
:- mode(since(+atom, -date), zero_or_one).
since(a, '2023-02-28').
% wrong: an hour that does not exist
:- mode(opens(+atom, -time), zero_or_one).
opens(a, time(25, 0, 0)).
% wrong: a month that does not exist
:- mode(at(+atom, -maybe(datetime)), zero_or_one).
at(a, datetime(2024, 13, 1, 0, 0, 0)).
% right: a rational factor
:- mode(p(+decimal, -decimal(2)), one).
p(X, Y) :- Y is X * 119r100.
% right: an integer factor
:- mode(p(+decimal, -decimal(2)), one).
p(X, Y) :- Y is X * 2.
% right: divided by rdiv
:- mode(p(+decimal, -decimal(2)), one).
p(X, Y) :- Y is X rdiv 3.
% right: divided by a rational number
:- mode(p(+decimal, -decimal(2)), one).
p(X, Y) :- Y is X / 3r2.
% right: whole division
:- mode(p(+decimal, -integer), one).
p(X, Y) :- Y is floor(X) // 3.
% right: a float of a float
:- mode(p(+float, -float), one).
p(X, Y) :- Y is X * 1.19.
% right: a float of a number
:- mode(p(+number, -number), one).
p(X, Y) :- Y is X * 1.19.
% right: a float of a rational number
:- mode(p(+rational, -float), one).
p(X, Y) :- Y is X * 0.5.
% right: an integer by another
:- mode(p(+integer, -number), one).
p(X, Y) :- Y is X / 2.
% right: nothing is declared
p(X, Y) :- Y is X * 1.19.
% right: compared with an integer
:- mode(p(+decimal), zero_or_one).
p(X) :- X > 10.
% right: the other directive says number
:- mode(p(+decimal, -number), one).
:- mode(p(+number, -number), one).
p(X, Y) :- Y is X * 1.5.
% right: a float beside a decimal
:- mode(p(+decimal, +float, -decimal(2), -float), one).
p(X, F, Y, G) :- Y is X * 2, G is F * 1.5.
% right: a sum
:- mode(p(+list(decimal), -decimal(2)), one).
p(L, S) :- sum_list(L, S).
% right: a fact in digits
:- mode(price(+atom, -decimal(2)), zero_or_one).
price(a, 5r2).
price(b, 3).
% right: a fact that repeats for ever
:- mode(price(+atom, -decimal(2)), zero_or_one).
price(a, 1r3).
% right: dates
:- mode(since(+atom, -date), zero_or_one).
since(a, date(2024, 2, 29)).
since(b, date(1, 1, 1)).
% right: a date may be missing
:- mode(since(+atom, -maybe(date)), zero_or_one).
since(a, null).
since(b, date(2024, 2, 29)).
% right: a date in parts
:- mode(year(+date, -integer), one).
year(date(Y, _, _), Y).
% right: times and durations
:- mode(opens(+atom, -time, -duration), zero_or_one).
opens(a, time(8, 30, 1r2), duration(3600, 0)).
% right: rounded
:- mode(p(+decimal, -decimal(2)), one).
p(X, Y) :- round_decimal(X * 19r100, 2, Y).
% wrong: facts with floats give a decimal
:- mode(total(+atom, -decimal(2)), zero_or_one).
total(I, E) :- price(I, P), E is P * 3.
price(tea, 1.115).
price(milk, 2).
% wrong: the dearest of floats as a decimal
:- mode(fee(+atom, -decimal), zero_or_one).
fee(I, E) :- weight(I, W), E is max(W - 0.5, 1).
weight(tea, 2.5).
% right: facts with fractions give a decimal
:- mode(total(+atom, -decimal(2)), zero_or_one).
total(I, E) :- price(I, P), E is P * 3.
price(tea, 223r200).
price(milk, 2).
% right: facts with floats give a float
:- mode(total(+atom, -float), zero_or_one).
total(I, E) :- price(I, P), E is P * 3.
price(tea, 1.115).
% right: a number that a call gives may be exact
:- mode(total(+number, -decimal(2)), one).
total(P, E) :- E is P * 3.
% right: lists of decimals in facts
:- mode(prices(+atom, -list(decimal)), zero_or_one).
prices(tea, [1, 5r2]).
prices(milk, []).
% right: a list of dates ends
:- mode(last(+list(date), -maybe(date)), one).
last([], null).
last([D], D).
last([_, D | L], X) :- last([D | L], X).
% right: a list may be missing
:- mode(closed(+atom, -maybe(list(date))), zero_or_one).
closed(shop, [date(2026, 1, 1)]).
closed(bar, []).
closed(inn, null).
% right: a list that is not empty
:- mode(steps(+atom, -non_empty_list(decimal(2))), zero_or_one).
steps(a, [1]).
% right: a list of a given length
:- mode(span(+atom, -list(date, 2)), zero_or_one).
span(a, [date(2026, 1, 1), date(2026, 2, 1)]).
% right: a list written in brackets
:- mode(days(+atom, -[date]), zero_or_one).
days(a, [date(2026, 1, 1)]).
% right: a pair of a decimal and a date
:- mode(paid(+atom, -pair(decimal, date)), zero_or_one).
paid(a, 5r2-date(2026, 1, 1)).
% right: a list of pairs
:- mode(rates(+atom, -list(pair(date, decimal))), zero_or_one).
rates(a, [date(2026, 1, 1)-1r2]).
% right: lists of lists
:- mode(rows(-list(list(decimal))), one).
rows([[1], []]).
