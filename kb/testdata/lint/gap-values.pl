%% fits no clause
% wrong: a value whose clause always fails
:- mode(price(+one_of(atom, [gold, silver]), -integer), one).
price(gold, P) :- P is 3, P > 5.
price(silver, 2).
% wrong: a misspelt fact behind
:- mode(rate(+oneof([books, food]), -integer), one).
rate(K, R) :- table(K, R).
table(books, 7).
table(fod, 7).
% wrong: no row
:- mode(days(+oneof([annual, monthly, weekly]), -integer), one).
days(K, D) :- period(K, D).
period(annual, 365).
period(monthly, 30).
% wrong: a table of two
:- mode(vat(+oneof([de, fr, se]), -integer), one).
vat(C, V) :- country(C, N), percent(N, V).
country(de, germany).
country(fr, france).
country(se, sweden).
percent(germany, 19).
percent(france, 20).
% wrong: a boolean
:- mode(fee(+boolean, -integer), one).
fee(B, F) :- table(B, F).
table(true, 5).
% wrong: in a branch
:- mode(cost(+oneof([std, express]), +integer, -integer), one).
cost(K, W, C) :- base(K, B), C is B + W.
base(std, 4).
% wrong: a level below
:- mode(limit(+oneof([gold, silver, bronze]), -integer), one).
limit(T, L) :- tier(T, N), L is N * 1000.
tier(gold, 5).
tier(silver, 2).
% wrong: capital letters
:- mode(unit(+oneof([kg, g]), -integer), one).
unit(U, F) :- factor(U, F).
factor('KG', 1000).
factor(g, 1).
% wrong: strings for atoms
:- mode(code(+oneof([a, b]), -integer), one).
code(K, N) :- num(K, N).
num("a", 1).
num(b, 2).
% wrong: two goals
:- mode(dose(+oneof([adult, child]), -integer), one).
dose(G, D) :- group(G), table(G, D).
group(adult).
group(child).
table(adult, 400).
% wrong: a case that throws nothing and fails
:- mode(sign(+oneof([up, down]), -integer), one).
sign(up, 1).
sign(down, _) :- fail.
% wrong: a list of allowed
:- mode(role(+oneof([admin, editor, guest]), -atom), one).
role(R, A) :- member(R-A, [admin-all, editor-write]).
% wrong: the closed days are left out
:- mode(open(+oneof([mon, sat, sun]), -integer), one).
open(D, H) :- hours(D, H), \+ H = none.
hours(mon, 8).
hours(sat, 10).
% wrong: a season
:- mode(season(+oneof([jan, apr, jul]), -atom), one).
season(M, S) :- in(M, S).
in(jan, winter).
in(jul, summer).
% wrong: the weekday of a plan
:- mode(plan(+oneof([mo, tu]), -atom), one).
plan(D, P) :- day(D, N), task(N, P).
day(mo, 1).
day(tu, 2).
task(1, clean).
% wrong: the value is compared
:- mode(prio(+oneof([low, high]), -integer), one).
prio(P, N) :- ( P == high, N = 1 ).
% wrong: the second input
:- mode(ship(+integer, +oneof([air, sea]), -integer), one).
ship(W, K, C) :- per(K, P), C is W * P.
per(air, 9).
% wrong: renamed values
:- mode(state(+oneof([open, closed]), -atom), one).
state(S, T) :- text(S, T).
text(open, 'Open').
text(done, 'Done').
% wrong: with two clauses
:- mode(tax(+oneof([a, b, c]), -integer), one).
tax(a, 0).
tax(K, T) :- other(K, T).
other(b, 7).
% wrong: an empty class
:- mode(kind(+oneof([x, y]), -integer), one).
kind(K, N) :- val(K, N), integer(N).
val(x, 1).
val(y, none).
% right: all values have a row
:- mode(rate(+oneof([books, food]), -integer), one).
rate(K, R) :- table(K, R).
table(books, 7).
table(food, 7).
% right: none is promised
:- mode(days(+oneof([annual, monthly, weekly]), -integer), zero_or_one).
days(K, D) :- period(K, D).
period(annual, 365).
% right: a default
:- mode(fee(+boolean, -integer), one).
fee(B, F) :- ( table(B, G) -> F = G ; F = 0 ).
table(true, 5).
% right: a catch-all
:- mode(limit(+oneof([gold, silver, bronze]), -integer), one).
limit(gold, 5000) :- !.
limit(_, 500).
% right: dynamic facts
:- dynamic(tier/2).
:- mode(limit(+oneof([gold, silver]), -integer), one).
limit(T, L) :- tier(T, L).
tier(gold, 5).
% right: another error
:- mode(sign(+oneof([up, down]), -integer), one).
sign(up, 1).
sign(down, _) :- throw(error(down, _)).
% right: any atom
:- mode(rate(+atom, -integer), one).
rate(K, R) :- table(K, R), !.
rate(_, 19).
table(books, 7).
% right: a list of allowed
:- mode(role(+oneof([admin, editor]), -atom), one).
role(R, A) :- member(R-A, [admin-all, editor-write]).
% right: a boolean of two
:- mode(fee(+boolean, -integer), one).
fee(true, 5).
fee(false, 0).
% right: two clauses
:- mode(tax(+oneof([a, b, c]), -integer), one).
tax(a, 0).
tax(K, T) :- other(K, T).
other(b, 7).
other(c, 19).
% right: a negation for the rest
:- mode(tax(+oneof([a, b]), -integer), one).
tax(K, 7) :- special(K).
tax(K, 19) :- \+ special(K).
special(a).
% right: numbers of values
:- mode(prio(+oneof([low, high]), -integer), one).
prio(P, N) :- ( P == high -> N = 1 ; N = 2 ).
% right: multifile
:- multifile(per/2).
:- mode(ship(+oneof([air, sea]), -integer), one).
ship(K, P) :- per(K, P).
per(air, 9).
% right: one_of of integers
:- mode(lvl(+one_of(integer, [1, 2]), -atom), one).
lvl(1, low).
lvl(2, high).
% right: a string type
:- mode(code(+string, -integer), zero_or_one).
code("a", 1).
% right: more rows than values
:- mode(unit(+oneof([kg, g]), -integer), one).
unit(U, F) :- factor(U, F).
factor(kg, 1000).
factor(g, 1).
factor(lb, 454).
% right: a count of rows
:- mode(n(+oneof([a, b]), -integer), one).
n(K, N) :- aggregate_all(count, row(K), N).
row(a).
% right: a list of rows
:- mode(rows(+oneof([a, b]), -list(integer)), one).
rows(K, L) :- findall(X, row(K, X), L).
row(a, 1).
% right: a question
:- mode(ok(+oneof([a, b])), zero_or_one).
ok(K) :- row(K).
row(a).
% right: catch
:- mode(v(+oneof([a, b]), -integer), one).
v(K, V) :- catch(( row(K, V) -> true ; throw(none) ), none, V = 0).
row(a, 1).
