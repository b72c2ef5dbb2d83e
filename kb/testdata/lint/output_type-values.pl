%% mode/2 says that argument
% wrong: a text for a number
:- mode(age(+atom, -integer), zero_or_one).
age(ann, unknown).
age(bob, 30).
% wrong: a string
:- mode(price(+atom, -number), zero_or_one).
price(tea, "3").
% wrong: a float
:- mode(count_of(+atom, -integer), one).
count_of(_, 1.5).
% wrong: a division
:- mode(half(+integer, -integer), one).
half(_, H) :- H is 3 / 2.0.
% wrong: none in a branch
:- mode(fee(+integer, -number), one).
fee(D, F) :- ( D > 30 -> F is D * 2 ; F = none ).
% wrong: an error text
:- mode(rate(+atom, -integer), one).
rate(K, R) :- ( table(K, R) -> true ; R = 'not found' ).
table(books, 7).
% wrong: null for no value
:- mode(dose(+atom, -integer), one).
dose(ibu, 400).
dose(_, null).
% wrong: a list
:- mode(total(+atom, -number), one).
total(C, L) :- findall(A, order(C, A), L).
order(ann, 3).
% wrong: a pair
:- mode(best(+atom, -integer), zero_or_one).
best(S, M) :- aggregate_all(max(X, P), mark(P, S, X), M).
mark(ann, ai, 3).
% wrong: a text with a unit
:- mode(weight(+atom, -number), one).
weight(I, W) :- grams(I, G), format(string(W), "~w g", [G]).
grams(tea, 100).
% wrong: a formatted number
:- mode(cost(+integer, -number), one).
cost(N, C) :- X is N * 3, format(atom(C), "~2f", [X]).
% wrong: yes
:- mode(points(+atom, -integer), one).
points(_, yes).
% wrong: the name in place of the number
:- mode(number_of(+integer, -integer), zero_or_one).
number_of(P, N) :- phone(N, P).
phone(ann, 12).
% wrong: a string of a number
:- mode(len(+atom, -integer), one).
len(A, L) :- atom_length(A, N), with_output_to(string(L), write(N)).
% wrong: a date
:- mode(year(+atom, -integer), zero_or_one).
year(P, D) :- born(P, D).
born(ann, date(1990, 1, 2)).
% wrong: a compound
:- mode(size(+atom, -number), zero_or_one).
size(a, cm(3)).
% wrong: a message of a default clause
:- mode(tax(+integer, -integer), one).
tax(N, T) :- N > 0, T is N // 5.
tax(N, invalid) :- N =< 0.
% wrong: infinite as a name
:- mode(limit(+atom, -integer), one).
limit(std, 100).
limit(gold, unlimited).
% wrong: an upper case text
:- mode(code(+atom, -integer), one).
code(C, U) :- upcase_atom(C, U).
% wrong: an empty list for none
:- mode(first(+list(integer), -integer), one).
first([X|_], X).
first([], []).
% right: a number
:- mode(age(+atom, -integer), zero_or_one).
age(ann, 30).
% right: maybe
:- mode(dose(+atom, -maybe(integer)), one).
dose(ibu, 400) :- !.
dose(_, null).
% right: any
:- mode(v(+atom, -any), one).
v(a, none) :- !.
v(_, 3).
% right: a float for a number
:- mode(half(+integer, -number), one).
half(N, H) :- H is N / 2.
% right: rounded
:- mode(half(+integer, -integer), one).
half(N, H) :- H is round(N / 2).
% right: a count
:- mode(n(+atom, -integer), one).
n(C, N) :- aggregate_all(count, order(C, _), N).
order(ann, 3).
% right: a number of a text
:- mode(n(+atom, -integer), zero_or_one).
n(A, N) :- atom_number(A, N).
% right: a throw
:- mode(fee(+integer, -number), one).
fee(D, F) :- ( D > 30 -> F is D * 2 ; throw(too_few(D)) ).
% right: atoms
:- mode(level(+integer, -atom), one).
level(X, L) :- ( X > 3 -> L = high ; L = low ).
% right: a string type
:- mode(cost(+integer, -string), one).
cost(N, C) :- format(string(C), "~2f", [N]).
% right: a list type
:- mode(all(+atom, -list(integer)), one).
all(C, L) :- findall(A, order(C, A), L).
order(ann, 3).
% right: a date type
:- mode(born_on(+atom, -date), zero_or_one).
born_on(ann, date(1990, 1, 2)).
% right: a length
:- mode(len(+atom, -integer), one).
len(A, L) :- atom_length(A, L).
% right: two modes
:- mode(conv(+atom, -integer), zero_or_one).
:- mode(conv(-atom, +integer), zero_or_one).
conv(a, 1).
% right: failure
:- mode(fee(+integer, -number), zero_or_one).
fee(D, F) :- ( D > 30 -> F is D * 2 ; fail ).
% right: pi
:- mode(area(+number, -number), one).
area(R, A) :- A is pi * R ** 2.
% right: a number between
:- mode(p(+integer, -between(integer, 0, 100)), one).
p(N, P) :- P is max(0, min(N, 100)).
% right: a sum
:- mode(t(+list(number), -number), one).
t(L, T) :- sum_list(L, T).
% right: an output passed on
:- mode(t(+atom, -number), zero_or_one).
t(K, T) :- base(K, T).
base(a, 3).
% right: a digit
:- mode(d(+atom, -integer), zero_or_one).
d(A, D) :- atom_chars(A, [C|_]), atom_number(C, D).
