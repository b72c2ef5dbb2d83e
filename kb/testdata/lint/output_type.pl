% wrong: an atom where a number is promised
:- mode(fee(+integer, -integer), one).
fee(Age, free) :- Age < 6.
fee(Age, 12) :- Age >= 6.
% wrong: a float where a whole number is promised
:- mode(charge(+integer, -integer), one).
charge(Net, C) :- C is Net * 0.12.
% wrong: a string where a number is promised
:- mode(price(+atom, -number), zero_or_one).
price(tea, "3.20").
price(rice, 2).
% wrong: a text that was made
:- mode(total(+integer, -number), one).
total(N, T) :- atom_number(A, N), atom_concat(A, ' EUR', T0), upcase_atom(T0, T).
% wrong: a list
:- mode(days(+atom, -integer), one).
days(P, D) :- findall(X, absent(P, X), D).
absent(ann, 3).
% wrong: a pair
:- mode(limit(+atom, -integer), zero_or_one).
limit(gold, 10-20).
% wrong: less than is promised
:- mode(points(+atom, -positive_integer), zero_or_one).
points(gold, 0).
points(silver, 5).
% wrong: more than the range
:- mode(rate(+atom, -between(integer, 0, 100)), zero_or_one).
rate(gold, 120).
rate(silver, 20).
% wrong: none
:- mode(age(+atom, -integer), one).
age(X, Y) :- ( born(X, B) -> Y is 2026 - B ; Y = unknown ).
age(_, none).
born(ann, 1990).
% wrong: through another predicate
:- mode(cost(+atom, -number), zero_or_one).
cost(X, C) :- listed(X, C).
listed(tea, cheap).
listed(rice, dear).
% wrong: a negative float
:- mode(shift(+float, -integer), one).
shift(X, Y) :- Y is X - 0.5.
% wrong: a date
:- mode(due(+atom, -integer), zero_or_one).
due(a, date(2026, 1, 2)).
% wrong: yes
:- mode(score(+integer, -integer), one).
score(N, yes) :- N > 3.
score(N, 0) :- N =< 3.
% wrong: a string that was cut out
:- mode(year(+string, -integer), one).
year(Text, Y) :- string_lower(Text, Y).
% wrong: an integer where a float is promised
:- mode(share(+atom, -float), zero_or_one).
share(ann, 1).
share(bob, 0.5).
% wrong: a length where a negative number is promised
:- mode(loss(+atom, -negative_integer), one).
loss(P, L) :- aggregate_all(count, lost(P, _), L).
lost(ann, 1).
% wrong: the empty list
:- mode(next(+integer, -integer), one).
next(N, []) :- N > 9.
next(N, M) :- N =< 9, M is N + 1.
% wrong: a sign and a number
:- mode(change(+integer, -integer), one).
change(N, up(N)) :- N > 0.
change(N, N) :- N =< 0.
% wrong: null
:- mode(weight(+atom, -number), zero_or_one).
weight(a, null).
weight(b, 3).
% wrong: a byte that is too large
:- mode(code(+atom, -byte), zero_or_one).
code(a, 300).
code(b, 3).
% wrong: a term with a reason where an atom is promised
:- mode(admit(+atom, -atom), one).
admit(G, yes) :- invited(G), !.
admit(G, refused(R)) :- banned(G, R), !.
admit(_, no).
invited(ann).
banned(bob, fight).
% wrong: a number where a text is promised
:- mode(room(+atom, -string), zero_or_one).
room(ann, 12).
room(bob, 14).
% wrong: a list where a text is promised
:- mode(guests(+atom, -atom), one).
guests(Day, Gs) :- findall(G, comes(G, Day), Gs).
comes(ann, monday).
% right: numbers
:- mode(fee(+integer, -integer), one).
fee(Age, 0) :- Age < 6.
fee(Age, 12) :- Age >= 6.
% right: rounded
:- mode(charge(+integer, -integer), one).
charge(Net, C) :- C is round(Net * 0.12).
% right: any number
:- mode(charge(+integer, -number), one).
charge(Net, C) :- C is Net * 0.12.
% right: an atom is promised
:- mode(fee(+integer, -atom), one).
fee(Age, free) :- Age < 6.
fee(Age, full) :- Age >= 6.
% right: any term
:- mode(fee(+integer, -any), one).
fee(Age, free) :- Age < 6.
fee(Age, 12) :- Age >= 6.
% right: a number perhaps
:- mode(weight(+atom, -maybe(number)), zero_or_one).
weight(a, null).
weight(b, 3).
% right: a list is promised
:- mode(days(+atom, -list), one).
days(P, D) :- findall(X, absent(P, X), D).
absent(ann, 3).
% right: the length of a list
:- mode(days(+atom, -integer), one).
days(P, N) :- findall(X, absent(P, X), D), length(D, N).
absent(ann, 3).
% right: within the range
:- mode(rate(+atom, -between(integer, 0, 100)), zero_or_one).
rate(gold, 100).
rate(silver, 0).
% right: some value of the input is
:- mode(half(+integer, -integer), zero_or_one).
half(N, H) :- 0 =:= N mod 2, H is N / 2.
% right: nothing is known of the value
:- mode(read_age(+atom, -integer), zero_or_one).
read_age(A, N) :- atom_number(A, N).
% right: the value of a setting
:- dynamic(setting_of/2).
:- mode(get(+atom, -integer), zero_or_one).
get(K, V) :- setting_of(K, V).
% right: an input that is an atom
:- mode(age(+atom, -integer), zero_or_one).
age(ann, 30).
age(bob, 40).
% right: a decimal
:- mode(price(+atom, -decimal), zero_or_one).
price(tea, 3r2).
% right: the sum of a list
:- mode(sum(+list(integer), -integer), one).
sum(L, S) :- sum_list(L, S).
% right: one of two kinds of facts
:- mode(cost(+atom, -number), zero_or_one).
cost(X, C) :- listed(X, C), number(C).
listed(tea, cheap).
listed(rice, 3).
% right: the greatest
:- mode(best(+atom, -integer), zero_or_one).
best(P, M) :- aggregate_all(max(S), score(P, S), M).
score(ann, 3).
% right: exact division
:- mode(mean(+integer, +positive_integer, -number), one).
mean(S, N, M) :- M is S / N.
% right: an integer is a float when it is calculated
:- mode(share(+integer, -float), one).
share(N, S) :- S is N * 0.5.
% right: a character code
:- mode(code(+atom, -integer), one).
code(A, C) :- char_code(A, C).
% wrong: a third is no number of JSON
:- mode(third(+number, -number), one).
third(X, Y) :- integer(X), Y is X rdiv 3.
% wrong: a share of a total
:- mode(share(+integer, +integer, -number), one).
share(A, B, S) :- S is A rdiv B * 100.
% wrong: a rational literal
:- mode(rate(+atom, -number), zero_or_one).
rate(std, R) :- R is 19 rdiv 100.
% wrong: a sum of rationals
:- mode(sum(+integer, -number), one).
sum(N, S) :- S is N + 1r3.
% right: a decimal
:- mode(third(+decimal, -decimal(2)), one).
third(X, Y) :- Y is X rdiv 3.
% right: rounded
:- mode(third(+integer, -number), one).
third(X, Y) :- Y is round(X rdiv 3).
% right: a float
:- mode(third(+integer, -number), one).
third(X, Y) :- Y is float(X rdiv 3).
% right: a rational
:- mode(third(+integer, -rational), one).
third(X, Y) :- Y is X rdiv 3.
% right: /
:- mode(third(+integer, -number), one).
third(X, Y) :- Y is X / 3.
% right: times a float
:- mode(third(+integer, -number), one).
third(X, Y) :- Y is X rdiv 3 * 1.5.
% wrong: a fact with a value that its type does not have
:- type(state, oneof([active, closed])).
:- mode(st(+atom, -state), zero_or_one).
st(a, active).
st(c, clsed).
% wrong: days where a duration is said
:- mode(age_of(+atom, -duration), zero_or_one).
age_of(N, R) :- born(N, D), days_between(D, date(2026, 1, 1), R).
born(a, date(2025, 1, 1)).
% wrong: days where a date is said
:- mode(due(+integer, -date), one).
due(N, D) :- D is N + 30.
% right: facts with the values of their type
:- type(state, oneof([active, closed])).
:- mode(st(+atom, -state), zero_or_one).
st(a, active).
st(c, closed).
% right: a fact without a value
:- type(state, oneof([active, closed])).
:- mode(st(+atom, -maybe(state)), zero_or_one).
st(a, active).
st(c, null).
% right: a duration where one is said
:- mode(stay(+atom, -duration), zero_or_one).
stay(a, duration(0, 3600)).
% right: a term as a text
:- mode(admit(+atom, -term), one).
admit(G, refused(R)) :- banned(G, R), !.
admit(_, yes).
banned(bob, fight).
% right: a text or a missing value
:- mode(room(+atom, -maybe(atom)), one).
room(P, R) :- ( lives(P, R0) -> R = R0 ; R = null ).
lives(ann, west).
% right: an atom that was made
:- mode(label(+atom, -atom), zero_or_one).
label(P, L) :- room(P, N), format(atom(L), "Room ~d", [N]).
room(ann, 12).
% right: values of a predicate that changes
:- mode(noted(+atom, -atom), zero_or_one).
:- dynamic(note/2).
noted(P, N) :- note(P, N).
