% right: declared text, tested for both kinds
:- mode(slug(+text, -atom), one).
slug(T, S) :- atom(T), !, S = T.
slug(T, S) :- string(T), atom_string(S, T).
% right: declared text, only one kind handled apart
:- mode(size(+text, -integer), one).
size(T, N) :- string(T), !, string_length(T, N).
size(T, N) :- atom_length(T, N).
% right: text compared after conversion
:- mode(known(+text), zero_or_one).
known(T) :- atom_string(A, T), name(A).
name(anna).
name(bo).
% right: string input converted before the facts
:- mode(age(+string, -integer), zero_or_one).
age(S, A) :- atom_string(N, S), born(N, Y), A is 2026 - Y.
born(anna, 1990).
born(bo, 2001).
% right: facts of strings with a string input
:- mode(price(+string, -number), zero_or_one).
price(S, P) :- item(S, P).
item("bolt", 3).
item("nut", 4).
% right: a fold that looks at both kinds
:- mode(kind(+any, -atom), one).
kind(X, atom) :- atom(X), !.
kind(X, string) :- string(X), !.
kind(X, number) :- number(X), !.
kind(_, other).
% right: an integer test before a cut for a number
:- mode(show(+number, -atom), one).
show(N, whole) :- integer(N), !.
show(_, broken).
% right: number input with float tests
:- mode(half(+number, -number), one).
half(N, H) :- float(N), !, H is N / 2.
half(N, H) :- H is N rdiv 2.
% right: maybe input asks for null
:- mode(city(+maybe(atom), -atom), one).
city(null, unknown) :- !.
city(C, C).
% right: an optional input that is unbound
:- mode(find(?atom, -integer), zero_or_more).
find(N, A) :- var(N), !, person(N, A).
find(N, A) :- person(N, A).
person(anna, 30).
person(bo, 20).
% right: default behind facts with a cut
:- mode(rate(+atom, -number), one).
rate(C, R) :- special(C, R), !.
rate(_, 19).
special(food, 7).
special(books, 7).
% right: default by if-then-else
:- mode(rate(+atom, -number), one).
rate(C, R) :- ( special(C, R0) -> R = R0 ; R = 19 ).
special(food, 7).
% right: distinct sum over a set of pairs
total(T) :- setof(Id-P, paid(Id, P), L), pairs_values(L, Ps), sum_list(Ps, T).
paid(a, 3).
paid(b, 3).
% right: a sum over a set of keys by rule of prices
total(T) :- setof(N, num(N), L), sum_list(L, T).
num(N) :- between(1, 10, N).
% right: a sum of distinct primes
total(T) :- findall(N, num(N), L0), sort(L0, L), sum_list(L, T).
num(2).
num(3).
num(5).
% right: the greatest of a set
top(M) :- setof(P, I^paid(I, P), L), last(L, M).
paid(a, 3).
paid(b, 4).
% right: sum of a list of numbers made with numlist
total(N, T) :- numlist(1, N, L), sort(0, @>=, L, S), sum_list(S, T).
% right: count of distinct buyers
buyers(N) :- setof(B, I^sold(I, B), L), length(L, N).
sold(a, bo).
sold(b, bo).
% right: a sum of distinct identifiers of weight two powers
mask(M) :- setof(B, F^flag(F, B), L), sum_list(L, M).
flag(read, 1).
flag(write, 2).
flag(run, 4).
% right: cut behind a guard that leaves out values
:- mode(band(+integer, -atom), one).
band(A, child) :- A < 18, !.
band(A, adult) :- A < 65, !.
band(_, senior).
% right: guards that meet at a limit of halves
:- mode(fee(+number, -integer), one).
fee(W, 5) :- W =< 1.5.
fee(W, 9) :- W > 1.5.
% right: a refusal first, cut and fail
:- mode(may(+atom), zero_or_one).
may(P) :- banned(P), !, fail.
may(_).
banned(bo).
% right: a mode of several for a table of steps
:- mode(step(+atom, -atom), zero_or_more).
step(a, b).
step(a, c).
step(b, c).
% right: several modes
:- mode(conv(+number, -number), one).
:- mode(conv(-number, +number), one).
conv(C, F) :- nonvar(C), !, F is C * 9 / 5 + 32.
conv(C, F) :- C is (F - 32) * 5 / 9.
% right: oneof with a clause for each value and one for none
:- mode(pay(+oneof([card, cash]), -integer), one).
pay(card, 1).
pay(cash, 0).
% right: a boolean with both values
:- mode(flag(+boolean, -atom), one).
flag(true, on).
flag(false, off).
% right: a list input taken apart
:- mode(total(+list(number), -number), one).
total([], 0).
total([X|Xs], T) :- total(Xs, T0), T is T0 + X.
% right: a pair input by its parts
:- mode(len(+list, -integer), one).
len(L, N) :- foldl([_, A, B]>>(B is A + 1), L, 0, N).
% right: text from a CSV is an atom or a number
:- mode(code(+any, -atom), one).
code(X, A) :- ( number(X) -> atom_number(A, X) ; A = X ).
% right: string against string of a conversion
:- mode(same(+atom, +string), zero_or_one).
same(A, S) :- atom_string(A, T), T == S.
% right: case folded before the facts
:- mode(colour(+string, -integer), zero_or_one).
colour(S, N) :- string_lower(S, L), atom_string(A, L), shade(A, N).
shade(red, 1).
shade(blue, 2).
% right: a first clause for an empty string
:- mode(greet(+string, -string), one).
greet("", "Hello") :- !.
greet(N, T) :- string_concat("Hello ", N, T).
% right: a first clause for an empty atom of text
:- mode(greet(+text, -text), one).
greet('', 'Hello') :- !.
greet("", "Hello") :- !.
greet(N, T) :- string_concat("Hello ", N, T).
% right: clauses for both kinds of text
:- mode(yes(+text, -boolean), one).
yes(yes, true) :- !.
yes("yes", true) :- !.
yes(_, false).
% right: catch as a default
:- mode(safe(+any, -any), one).
safe(X, N) :- catch(N is X + 1, _, fail), !.
safe(_, none).
% right: negation as the other case
:- mode(state(+atom, -atom), one).
state(P, late) :- late(P), !.
state(P, fine) :- \+ late(P).
late(bo).
% right: memberchk guards
:- mode(zone(+atom, -integer), zero_or_one).
zone(C, 1) :- memberchk(C, [de, fr]), !.
zone(C, 2) :- memberchk(C, [us, ca]).
% right: text made of a number for a lookup
:- mode(plan(+integer, -atom), zero_or_one).
plan(N, P) :- atom_number(A, N), named(A, P).
named('1', basic).
named('2', full).
% right: pairs of totals and payments
:- mode(top(-atom, -number), zero_or_one).
top(B, T) :- findall(S-P, sum(P, S), L), msort(L, M), last(M, T-B).
sum(anna, 3).
sum(bo, 5).
% right: a running total with pairs
add(X-P, T0, T) :- T = T0+P-X.
go(R) :- foldl([X, A, B]>>(B = A+X), [a, b], start, R).
