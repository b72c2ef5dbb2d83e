%% is no day of the calendar
% wrong: the thirtieth of February
holiday(date(2026, 1, 1)).
holiday(date(2026, 2, 30)).
% wrong: as a text
due(i1, "2026-02-30").
due(i2, "2026-03-01").
% wrong: as an atom
starts(a, '2026-04-31').
starts(b, '2026-05-01').
% wrong: no leap year
born(ann, date(2001, 2, 29)).
born(bob, date(2000, 2, 29)).
% wrong: month 13
paid(p1, '2026-13-01').
paid(p2, '2026-12-01').
% wrong: month 0
paid(p1, '2026-00-10').
paid(p2, '2026-12-01').
% wrong: day 0
row(1, date(2026, 1, 0)).
row(2, date(2026, 1, 1)).
% wrong: day 32
row(1, date(2026, 1, 32)).
row(2, date(2026, 1, 1)).
% wrong: day and month exchanged
visit(ann, date(2026, 24, 12)).
visit(bob, date(2026, 11, 12)).
% wrong: exchanged in a text
visit(ann, "2026-24-12").
visit(bob, "2026-11-12").
% wrong: the 31st of June
season(summer, date(2026, 6, 1), date(2026, 8, 31)).
season(spring, date(2026, 3, 1), date(2026, 6, 31)).
% wrong: the first of two
valid(c1, '2026-09-31', '2026-12-31').
valid(c2, '2026-10-01', '2026-12-31').
% wrong: a century
since(a, '1900-02-29').
since(b, '1904-02-29').
% wrong: year 100
since(a, "2100-02-29").
since(b, "2096-02-29").
% wrong: among rules
day(d1, "2026-11-31").
day(d2, "2026-11-30").
day(d3, D) :- day(d2, D).
% wrong: the last of many
h(1, '2026-01-01').
h(2, '2026-05-01').
h(3, '2026-10-03').
h(4, '2026-12-25').
h(5, '2026-12-32').
% wrong: the third column
trip(t1, rome, "2026-06-31").
trip(t2, oslo, "2026-06-30").
% wrong: both columns of one row
lease(l1, date(2026, 2, 29), date(2027, 2, 29)).
lease(l2, date(2026, 3, 1), date(2027, 2, 28)).
% wrong: under a key that is a day
rate('2026-01-00', 3).
rate('2026-01-01', 4).
% wrong: a typing error in the month
exam(ai, date(2026, 14, 2)).
exam(ml, date(2026, 12, 2)).
% wrong: year 2023
built(h1, '2023-02-29').
built(h2, '2024-02-29').
% right: days
holiday(date(2026, 1, 1)).
holiday(date(2026, 2, 28)).
% right: texts of days
due(i1, "2026-02-28").
due(i2, "2026-03-01").
% right: a leap year
born(ann, date(2004, 2, 29)).
born(bob, date(2000, 2, 29)).
% right: only examples of what is refused
bad("2026-02-30").
bad("2026-13-01").
% right: a variable
month(M, date(2026, M, 31)).
month(1, date(2026, 1, 31)).
% right: other texts
code(a, "2026-99-99-1").
code(b, "2026-01-01").
% right: a phone number
phone(ann, "2026-0131").
phone(bob, "2026-01-31").
% right: another functor
at(p1, day(2026, 2, 30)).
at(p2, day(2026, 2, 1)).
% right: a comparison with a month's end
upto(D) :- D @=< date(2026, 2, 31).
% right: a call of the program
check(D) :- ok(D).
ok(date(2026, 2, 1)).
test :- \+ check(date(2026, 2, 30)).
% right: date of four
d(a, date(2026, 2, 30, x)).
d(b, date(2026, 2, 1, x)).
% right: add_days of a day
next(X) :- add_days(date(2026, 2, 28), 1, X).
% right: days between variables
days(A, B, D) :- days_between(A, B, D).
% right: a date of another column
pair("2026-02-30", "2026-01-01").
% right: an own predicate of that name
own_age(date(2026, 2, 30), 3).
% right: the first century
since(a, '2000-02-29').
since(b, '1904-02-29').
% right: atoms of all kinds
k(a, none).
k(b, '2026-01-01').
% right: dates with variables in rules
k(X, D) :- D = date(X, 1, 1).
% right: the end of December
e(1, date(2026, 12, 31)).
e(2, date(2026, 1, 31)).
% right: weekday of a variable
w(D, W) :- weekday(D, W).
% wrong: a comparison with a day that there is not
:- mode(late(+date), zero_or_one).
late(D) :- D @> date(2025, 2, 29).
% wrong: a comparison with a thirteenth month in a branch
:- mode(fee(+date, -integer), one).
fee(D, F) :- ( D @< date(2016, 13, 1) -> F = 1 ; F = 2 ).
% right: a comparison with a leap day
:- mode(late(+date), zero_or_one).
late(D) :- D @> date(2024, 2, 29).
% right: no day, as facts have it
open(I) :- due(I, D), D \== date(0, 0, 0).
due(i1, date(0, 0, 0)).
due(i2, none).
% right: no day where a fact has it, in a branch
:- mode(state(+atom, -atom), zero_or_one).
state(I, S) :- due(I, D), ( D == date(9999, 99, 99) -> S = open ; S = closed ).
due(i1, date(9999, 99, 99)).
due(i2, unknown).
% wrong: a comparison with no day that no fact has
open(I) :- due(I, D), D \== date(0, 0, 0).
due(i1, date(2026, 1, 1)).
