%% no call comes here
% wrong: the last clause is too late
:- mode(law(+date, -atom), one).
law(D, old) :- D @< date(2024, 1, 1), !.
law(D, new) :- D @>= date(2024, 1, 1), !.
law(D, newer) :- D @>= date(2025, 1, 1).
% wrong: the order of branches
:- mode(law(+date, -atom), one).
law(D, L) :- ( D @>= date(2020, 1, 1) -> L = new ; D @>= date(2024, 1, 1) -> L = newer ; L = old ).
% wrong: the order of clauses with cuts
:- mode(rate(+date, -integer), one).
rate(D, 10) :- D @< date(2025, 1, 1), !.
rate(D, 8) :- D @< date(2020, 1, 1), !.
rate(_, 12).
% wrong: the beginning is behind the end
:- mode(rate(+date, -integer), zero_or_one).
rate(D, 10) :- D @>= date(2024, 1, 1).
rate(D, 8) :- D @>= date(2020, 12, 31), D @< date(2020, 1, 1).
% wrong: one day that is taken
:- mode(open(+date, -atom), one).
open(D, yes) :- D @=< date(2024, 12, 31), !.
open(date(2024, 12, 25), no) :- !.
open(_, no).
% wrong: the first of the month is taken
:- mode(open(+date, -atom), one).
open(D, yes) :- D @=< date(2024, 5, 1), !.
open(D, no) :- D == date(2024, 5, 1), !.
open(_, no).
% wrong: times of day
:- mode(shift(+time, -atom), one).
shift(T, early) :- T @< time(14, 0, 0), !.
shift(T, night) :- T @< time(6, 0, 0), !.
shift(_, late).
% wrong: dates and times
:- mode(on(+datetime, -atom), one).
on(T, before) :- T @< datetime(2024, 1, 1, 12, 0, 0), !.
on(T, far) :- T @< datetime(2023, 1, 1, 12, 0, 0), !.
on(_, after).
% wrong: the sides are exchanged
:- mode(law(+date, -atom), one).
law(D, new) :- date(2020, 1, 1) @=< D, !.
law(D, newer) :- date(2024, 1, 1) @=< D, !.
law(_, old).
% wrong: three branches
:- mode(tariff(+date, -integer), one).
tariff(D, T) :-
    (   D @< date(2024, 1, 1) -> T = 14
    ;   D @< date(2023, 1, 1) -> T = 12
    ;   D @< date(2022, 1, 1) -> T = 10
    ;   T = 15
    ).
% wrong: another input
:- mode(law(+date, +atom, -atom), one).
law(D, _, old) :- D @< date(2024, 1, 1), !.
law(D, _, older) :- D @< date(2014, 1, 1), !.
law(_, _, new).
% wrong: a number besides
:- mode(fee(+date, +positive_integer, -integer), one).
fee(D, _, 5) :- D @< date(2024, 1, 1), !.
fee(D, N, 7) :- D @< date(2023, 1, 1), N >= 10, !.
fee(_, _, 9).
% wrong: through a helper
:- mode(rate(+date, -integer), one).
rate(D, R) :- by_day(D, R).
by_day(D, 16) :- D @>= date(2020, 7, 1), !.
by_day(D, 19) :- D @>= date(2021, 1, 1), !.
by_day(_, 17).
% wrong: the same bounds twice
:- mode(law(+date, -atom), one).
law(D, a) :- D @>= date(2024, 1, 1), D @< date(2025, 1, 1), !.
law(D, b) :- D @>= date(2024, 3, 1), D @< date(2024, 4, 1), !.
law(_, c).
% wrong: all days are taken by two clauses
:- mode(law(+date, -atom), one).
law(D, a) :- D @< date(2024, 1, 1), !.
law(D, b) :- D @> date(2023, 6, 1), !.
law(_, c).
% wrong: a condition on the first clause alone
:- mode(law(+date, -atom), one).
law(D, a) :- D @< date(2024, 1, 1), !.
law(D, b) :- D @>= date(2024, 1, 1), !.
law(D, c) :- D == date(2024, 1, 1).
% wrong: a range within an earlier one
:- mode(season(+date, -atom), one).
season(D, S) :- ( D @>= date(2024, 1, 1), D @=< date(2024, 12, 31) -> S = year ; D @>= date(2024, 6, 1), D @=< date(2024, 8, 31) -> S = summer ; S = none ).
% wrong: before and behind
:- mode(law(+date, -atom), zero_or_one).
law(D, a) :- D @=< date(2024, 1, 1).
law(D, b) :- D @> date(2024, 1, 1), D @< date(2023, 1, 1).
% wrong: from its end to its beginning
:- mode(valid(+date, -atom), zero_or_one).
valid(D, yes) :- D @>= date(2024, 6, 30), D @=< date(2024, 1, 1).
valid(D, no) :- D @> date(2024, 7, 1).
% wrong: several answers
:- mode(law(+date, -atom), zero_or_more).
law(D, a) :- D @>= date(2020, 1, 1).
law(D, b) :- D @> date(2022, 1, 1), D @< date(2021, 1, 1).
% right: cuts in order
:- mode(law(+date, -atom), one).
law(D, old) :- D @< date(2024, 1, 1), !.
law(D, new) :- D @< date(2025, 1, 1), !.
law(_, newer).
% right: branches in order
:- mode(law(+date, -atom), one).
law(D, L) :- ( D @>= date(2024, 1, 1) -> L = newer ; D @>= date(2020, 1, 1) -> L = new ; L = old ).
% right: the first one has another condition
:- mode(rate(+date, +atom, -integer), one).
rate(D, K, 10) :- D @< date(2025, 1, 1), special(K), !.
rate(D, _, 8) :- D @< date(2020, 1, 1), !.
rate(_, _, 12).
special(a).
% right: no cut before
:- mode(law(+date, -atom), zero_or_more).
law(D, some) :- D @>= date(2020, 1, 1).
law(D, more) :- D @>= date(2024, 1, 1).
% right: one day first
:- mode(open(+date, -atom), one).
open(date(2024, 12, 25), no) :- !.
open(D, yes) :- D @=< date(2024, 12, 31), !.
open(_, no).
% right: times of day
:- mode(shift(+time, -atom), one).
shift(T, night) :- T @< time(6, 0, 0), !.
shift(T, early) :- T @< time(14, 0, 0), !.
shift(_, late).
% right: dates and times
:- mode(on(+datetime, -atom), one).
on(T, far) :- T @< datetime(2023, 1, 1, 12, 0, 0), !.
on(T, before) :- T @< datetime(2024, 1, 1, 12, 0, 0), !.
on(_, after).
% right: a number besides
:- mode(fee(+date, +positive_integer, -integer), one).
fee(D, N, 7) :- D @< date(2023, 1, 1), N >= 10, !.
fee(D, _, 5) :- D @< date(2024, 1, 1), !.
fee(_, _, 9).
% right: the type is not known
law(D, old) :- D @< date(2024, 1, 1), !.
law(D, older) :- D @< date(2014, 1, 1), !.
law(_, new).
% right: a day that is calculated
:- mode(law(+date, -atom), one).
law(D, old) :- add_days(date(2023, 12, 1), 31, E), D @< E, !.
law(D, older) :- D @< date(2014, 1, 1), !.
law(_, new).
% right: the last day of the range
:- mode(law(+date, -atom), one).
law(D, old) :- D @< date(2024, 1, 1), !.
law(D, new) :- D == date(2024, 1, 1), !.
law(_, newer).
% right: a range that is not taken whole
:- mode(law(+date, -atom), one).
law(D, a) :- D @>= date(2024, 3, 1), D @< date(2024, 4, 1), !.
law(D, b) :- D @>= date(2024, 1, 1), D @< date(2025, 1, 1), !.
law(_, c).
% right: through a helper
:- mode(rate(+date, -integer), one).
rate(D, R) :- by_day(D, R).
by_day(D, 19) :- D @>= date(2021, 1, 1), !.
by_day(D, 16) :- D @>= date(2020, 7, 1), !.
by_day(_, 19).
% right: a clause that throws
:- mode(law(+date, -atom), one).
law(D, old) :- D @< date(2024, 1, 1), !.
law(D, new) :- D @>= date(2024, 1, 1), !.
law(D, _) :- throw(no_law(D)).
% right: days of facts
:- mode(status(+oneof([a, b]), -atom), one).
status(C, S) :- ends(C, D), ( D @< date(2024, 1, 1) -> S = expired ; D @< date(2026, 1, 1) -> S = soon ; S = valid ).
ends(a, date(2023, 5, 5)).
ends(b, date(2025, 5, 5)).
% right: a year of the date
:- mode(law(+date, -atom), one).
law(date(Y, _, _), old) :- Y < 2024, !.
law(date(Y, M, _), new) :- Y < 2030, M > 1, !.
law(_, newer).
% right: two dates
:- mode(order(+date, +date, -atom), one).
order(A, B, before) :- A @< B, !.
order(A, B, after) :- A @> B, !.
order(_, _, same).
% right: within a range
:- mode(in_force(+date), zero_or_one).
in_force(D) :- D @>= date(2024, 1, 1), D @=< date(2024, 12, 31).
% right: a range of one day
:- mode(day(+date, -atom), one).
day(D, yes) :- D @>= date(2024, 1, 1), D @=< date(2024, 1, 1), !.
day(_, no).
% right: a leap day
:- mode(day(+date, -atom), one).
day(D, yes) :- D @> date(2024, 2, 28), D @< date(2024, 3, 1), !.
day(_, no).
