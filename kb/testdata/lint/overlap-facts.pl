%% this fact and the one in line
% wrong: a price twice
:- mode(price(+atom, -number), one).
price(tea, 3).
price(milk, 2).
price(tea, 4).
% wrong: a country twice
:- mode(vat(+atom, -integer), zero_or_one).
vat(de, 19).
vat(fr, 20).
vat(de, 7).
% wrong: two inputs
:- mode(rate(+atom, +atom, -number), one).
rate(de, books, 7).
rate(de, food, 7).
rate(de, books, 19).
% wrong: next to each other
:- mode(head(+atom, -atom), one).
head(sales, ann).
head(sales, bob).
% wrong: numbers as keys
:- mode(level(+integer, -atom), one).
level(1, low).
level(2, mid).
level(2, high).
% wrong: strings
:- mode(code(+string, -integer), zero_or_one).
code("A", 1).
code("B", 2).
code("A", 3).
% wrong: dates
:- mode(holiday(+date, -atom), zero_or_one).
holiday(date(2026, 1, 1), new_year).
holiday(date(2026, 12, 25), christmas).
holiday(date(2026, 1, 1), first).
% wrong: two outputs
:- mode(city(+atom, -atom, -integer), one).
city(rome, it, 2800).
city(paris, fr, 2100).
city(paris, us, 25).
% wrong: capitals
:- mode(capital(+atom, -atom), one).
capital(bolivia, la_paz).
capital(bolivia, sucre).
capital(peru, lima).
% wrong: the input is second
:- mode(owner(-atom, +atom), one).
owner(ann, p1).
owner(bob, p2).
owner(cid, p1).
% wrong: far apart
:- mode(weekday_no(+atom, -integer), one).
weekday_no(mon, 1).
weekday_no(tue, 2).
weekday_no(wed, 3).
weekday_no(thu, 4).
weekday_no(mon, 5).
% wrong: a default and a value
:- mode(limit(+atom, -integer), one).
limit(gold, 5000).
limit(silver, 2000).
limit(silver, 2500).
% wrong: booleans
:- mode(active(+atom, -boolean), one).
active(ann, true).
active(bob, false).
active(ann, false).
% wrong: a list
:- mode(tags(+atom, -list(atom)), one).
tags(a, [x, y]).
tags(a, [z]).
% wrong: a decimal
:- mode(fee(+atom, -decimal(2)), one).
fee(std, 4r5).
fee(std, 9r10).
% wrong: a text of two lines
:- mode(title(+atom, -string), one).
title(b1, "Emma").
title(b1, "Persuasion").
title(b2, "Ulysses").
% wrong: three times
:- mode(unit(+atom, -atom), zero_or_one).
unit(flour, kg).
unit(flour, g).
unit(flour, lb).
% wrong: a module qualified by nothing
:- mode(status(+integer, -atom), zero_or_one).
status(1, open).
status(2, open).
status(1, closed).
% wrong: a compound key
:- mode(cell(+any, -integer), zero_or_one).
cell(p(1, 2), 0).
cell(p(1, 2), 1).
% wrong: one of
:- mode(size(+oneof([s, m, l]), -integer), one).
size(s, 1).
size(m, 2).
size(l, 3).
size(m, 4).
% right: one each
:- mode(price(+atom, -number), zero_or_one).
price(tea, 3).
price(milk, 2).
% right: several are promised
:- mode(price(+atom, -number), zero_or_more).
price(tea, 3).
price(tea, 4).
% right: the same fact twice
:- mode(price(+atom, -number), zero_or_one).
price(tea, 3).
price(tea, 3).
% right: no mode
price(tea, 3).
price(tea, 4).
% right: two inputs make the key
:- mode(rate(+atom, +atom, -number), zero_or_one).
rate(de, books, 7).
rate(de, food, 19).
% right: another predicate asks
:- mode(first_price(+atom, -number), zero_or_one).
first_price(I, P) :- once(price(I, P)).
price(tea, 3).
price(tea, 4).
% right: the answers are collected
:- mode(prices(+atom, -list(number)), one).
prices(I, L) :- findall(P, price(I, P), L).
price(tea, 3).
price(tea, 4).
% right: another mode
:- mode(owner(-atom, +atom), zero_or_one).
owner(ann, p1).
owner(ann, p2).
% right: one_or_more
:- mode(price(+atom, -number), one_or_more).
price(tea, 3).
price(tea, 4).
% right: numbers that differ
:- mode(level(+integer, -atom), zero_or_one).
level(1, low).
level(2, low).
% right: an integer and a float
:- mode(level(+number, -atom), zero_or_one).
level(1, low).
level(2.0, low).
level(2, mid).
% right: dynamic facts of one key
:- dynamic(state/2).
:- mode(state(+atom, -atom), zero_or_one).
state(a, on).
state(b, off).
% right: atoms in other letters
:- mode(code(+atom, -integer), zero_or_one).
code(a, 1).
code('A', 2).
% right: strings that differ
:- mode(code(+string, -integer), zero_or_one).
code("A", 1).
code("a", 2).
% right: arity
:- mode(p(+atom, -integer), zero_or_one).
p(a, 1).
p(a, 1, 2).
% right: no inputs
:- mode(pair(-atom, -integer), zero_or_more).
pair(a, 1).
pair(a, 2).
% right: only an input
:- mode(member_of(+atom), zero_or_one).
member_of(ann).
member_of(bob).
% right: a maximum of them
:- mode(best(+atom, -number), zero_or_one).
best(I, M) :- aggregate_all(max(P), price(I, P), M).
price(tea, 3).
price(tea, 4).
% right: a table of ranges
:- mode(band(+integer, -atom), zero_or_one).
band(X, B) :- range(L, H, B), X >= L, X < H.
range(0, 10, low).
range(10, 20, high).
% right: two modes
:- mode(m(+atom, -integer), zero_or_more).
:- mode(m(-atom, +integer), zero_or_one).
m(a, 1).
m(a, 2).
