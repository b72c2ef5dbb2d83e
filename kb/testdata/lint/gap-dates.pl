%% (
% wrong: the day itself
:- mode(law(+date, -atom), one).
law(D, old) :- D @< date(2024, 1, 1).
law(D, new) :- D @> date(2024, 1, 1).
% wrong: a month between
:- mode(rate(+date, -integer), one).
rate(D, 16) :- D @< date(2020, 7, 1).
rate(D, 19) :- D @>= date(2020, 8, 1).
% wrong: nothing before
:- mode(rate(+date, -integer), one).
rate(D, 19) :- D @>= date(2007, 1, 1), D @< date(2020, 7, 1).
rate(D, 16) :- D @>= date(2020, 7, 1).
% wrong: nothing behind
:- mode(rate(+date, -integer), one).
rate(D, 19) :- D @< date(2020, 7, 1).
rate(D, 16) :- D @>= date(2020, 7, 1), D @=< date(2020, 12, 31).
% wrong: with cuts
:- mode(law(+date, -atom), one).
law(D, old) :- D @< date(2024, 1, 1), !.
law(D, new) :- D @> date(2024, 1, 1), !.
% wrong: no else
:- mode(law(+date, -atom), one).
law(D, L) :- ( D @< date(2024, 1, 1) -> L = old ; D @> date(2024, 6, 30) -> L = new ).
% wrong: the sides are exchanged
:- mode(law(+date, -atom), one).
law(D, old) :- date(2024, 1, 1) @> D.
law(D, new) :- date(2024, 1, 2) @=< D.
% wrong: another input
:- mode(law(+date, +boolean, -atom), one).
law(D, _, old) :- D @< date(2024, 1, 1).
law(D, true, new) :- D @>= date(2024, 1, 1).
% wrong: a number besides
:- mode(fee(+date, +positive_integer, -integer), one).
fee(D, N, 5) :- D @< date(2024, 1, 1), N < 10.
fee(D, N, 7) :- D @< date(2024, 1, 1), N >= 10.
fee(D, N, 9) :- D @>= date(2024, 1, 1), N > 10.
fee(D, N, 8) :- D @>= date(2024, 1, 1), N < 10.
% wrong: one day alone
:- mode(open(+date, -atom), one).
open(date(2024, 12, 25), no).
open(D, yes) :- D @< date(2024, 12, 25).
open(D, yes) :- D @> date(2024, 12, 26).
% wrong: equal days
:- mode(open(+date, -atom), one).
open(D, no) :- D == date(2024, 12, 25).
open(D, yes) :- D @< date(2024, 12, 25).
% wrong: a time of day
:- mode(shift(+time, -atom), one).
shift(T, early) :- T @>= time(0, 0, 0), T @< time(14, 0, 0).
shift(T, late) :- T @> time(14, 0, 0).
% wrong: a time before
:- mode(shift(+time, -atom), one).
shift(T, early) :- T @>= time(6, 0, 0), T @< time(14, 0, 0).
shift(T, late) :- T @>= time(14, 0, 0).
% wrong: a date and time
:- mode(on(+datetime, -atom), one).
on(T, before) :- T @< datetime(2024, 1, 1, 12, 0, 0).
on(T, after) :- T @> datetime(2024, 1, 1, 12, 0, 0).
% wrong: a year too late
:- mode(age_group(+date, -atom), one).
age_group(B, senior) :- B @=< date(1959, 12, 31).
age_group(B, adult) :- B @>= date(1960, 1, 2), B @=< date(2006, 12, 31).
age_group(B, minor) :- B @>= date(2007, 1, 1).
% wrong: through a helper
:- mode(rate(+date, -integer), one).
rate(D, R) :- by_day(D, R).
by_day(D, 16) :- D @< date(2020, 7, 1).
by_day(D, 19) :- D @> date(2020, 7, 1).
% wrong: three bands
:- mode(tariff(+date, -integer), one).
tariff(D, 10) :- D @< date(2022, 1, 1).
tariff(D, 12) :- D @>= date(2022, 1, 1), D @< date(2023, 1, 1).
tariff(D, 14) :- D @>= date(2023, 1, 2).
% wrong: a branch
:- mode(tariff(+date, -integer), one).
tariff(D, T) :- ( D @>= date(2023, 1, 1) -> T = 14 ; D @>= date(2022, 1, 1) -> T = 12 ).
% wrong: the end of the year
:- mode(half(+date, -integer), one).
half(D, 1) :- D @< date(2024, 7, 1).
half(D, 2) :- D @>= date(2024, 7, 1), D @< date(2024, 12, 31).
% wrong: a text is an output
:- mode(note(+date, -string), one).
note(D, "old") :- D @< date(2000, 1, 1).
note(D, "new") :- D @> date(2000, 2, 28).
% right: no day is left out
:- mode(law(+date, -atom), one).
law(D, old) :- D @< date(2024, 1, 1).
law(D, new) :- D @>= date(2024, 1, 1).
% right: the day before ends it
:- mode(law(+date, -atom), one).
law(D, old) :- D @=< date(2023, 12, 31).
law(D, new) :- D @>= date(2024, 1, 1).
% right: mode/2 promises none
:- mode(rate(+date, -integer), zero_or_one).
rate(D, 16) :- D @>= date(2020, 7, 1), D @< date(2021, 1, 1).
% right: an else
:- mode(law(+date, -atom), one).
law(D, L) :- ( D @< date(2024, 1, 1) -> L = old ; L = new ).
% right: a leap day
:- mode(law(+date, -atom), one).
law(D, old) :- D @=< date(2024, 2, 29).
law(D, new) :- D @>= date(2024, 3, 1).
% right: the end of a month
:- mode(law(+date, -atom), one).
law(D, old) :- D @=< date(2023, 4, 30).
law(D, new) :- D @> date(2023, 4, 30).
% right: the last clause is for anything else
:- mode(law(+date, -atom), one).
law(D, old) :- D @< date(2024, 1, 1), !.
law(_, new).
% right: another goal may hold
:- mode(law(+date, -atom), one).
law(D, old) :- D @< date(2024, 1, 1).
law(D, new) :- later(D).
later(D) :- D @>= date(2024, 1, 1).
% right: the sides are exchanged
:- mode(law(+date, -atom), one).
law(D, old) :- date(2024, 1, 1) @> D.
law(D, new) :- date(2024, 1, 1) @=< D.
% right: a year of the date
:- mode(law(+date, -atom), one).
law(date(Y, _, _), old) :- Y < 2024.
law(date(Y, _, _), new) :- Y >= 2024.
% right: the first of several days
:- mode(tariff(+date, -integer), one).
tariff(D, 10) :- D @< date(2022, 1, 1), !.
tariff(D, 12) :- D @< date(2023, 1, 1), !.
tariff(D, 14) :- D @< date(2024, 1, 1), !.
tariff(_, 15).
% right: a time of day
:- mode(shift(+time, -atom), one).
shift(T, early) :- T @< time(14, 0, 0).
shift(T, late) :- T @>= time(14, 0, 0).
% right: a date and time
:- mode(on(+datetime, -atom), one).
on(T, before) :- T @< datetime(2024, 1, 1, 12, 0, 0).
on(T, after) :- T @>= datetime(2024, 1, 1, 12, 0, 0).
% right: two inputs
:- mode(law(+date, +boolean, -atom), one).
law(D, _, old) :- D @< date(2024, 1, 1).
law(D, true, new) :- D @>= date(2024, 1, 1).
law(D, false, none) :- D @>= date(2024, 1, 1).
% right: limits are facts
:- mode(law(+date, -atom), one).
law(D, old) :- starts(S), D @< S.
law(D, new) :- starts(S), D @>= S.
starts(date(2024, 1, 1)).
% right: one day alone
:- mode(open(+date, -atom), one).
open(date(2024, 12, 25), no).
open(D, yes) :- D @< date(2024, 12, 25).
open(D, yes) :- D @> date(2024, 12, 25).
% right: the type is not known
:- mode(law(+any, -atom), one).
law(D, old) :- D @< date(2024, 1, 1).
law(D, new) :- D @> date(2024, 1, 1).
% right: days of another predicate
:- mode(status(+oneof([a, b]), -atom), one).
status(C, expired) :- ends(C, D), D @< date(2024, 1, 1).
status(C, valid) :- ends(C, D), D @>= date(2024, 1, 1).
ends(a, date(2023, 5, 5)).
ends(b, date(2025, 5, 5)).
% right: a calculation with days
:- mode(late(+date, -integer), one).
late(D, N) :- days_between(date(2024, 1, 1), D, M), ( M > 0 -> N = M ; N = 0 ).
% right: a rest that throws
:- mode(law(+date, -atom), one).
law(D, old) :- D @< date(2024, 1, 1).
law(D, new) :- D @> date(2024, 1, 1).
law(date(2024, 1, 1), _) :- throw(unclear).
