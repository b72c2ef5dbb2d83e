% wrong: a bound in both
:- mode(grade(+integer, -atom), one).
grade(S, a) :- S >= 90.
grade(S, b) :- S =< 90.
% wrong: ranges that share values
:- mode(fee(+number, -number), zero_or_one).
fee(A, F) :- A > 10, F is A * 2.
fee(A, F) :- A < 20, F is A * 3.
% wrong: a fact twice
:- mode(price(+atom, -integer), one).
price(apple, 3).
price(pear, 4).
price(apple, 5).
% wrong: two keys
:- mode(price(+atom, +atom, -integer), zero_or_one).
price(apple, small, 3).
price(apple, large, 4).
price(apple, small, 5).
% wrong: a catch-all without a cut
:- mode(level(+integer, -atom), one).
level(0, zero).
level(_, some).
% wrong: a catch-all behind ranges
:- mode(level(+integer, -atom), one).
level(N, high) :- N > 10.
level(N, low) :- N =< 10.
level(_, any).
% wrong: numbers on the left
:- mode(level(+integer, -atom), one).
level(N, high) :- 10 =< N.
level(N, low) :- 10 >= N.
% wrong: between
:- mode(level(+integer, -atom), zero_or_one).
level(N, low) :- between(1, 10, N).
level(N, high) :- between(10, 20, N).
% wrong: a member
:- mode(rate(+atom, -integer), zero_or_one).
rate(C, 19) :- memberchk(C, [de, fr]).
rate(C, 20) :- memberchk(C, [fr, se]).
% wrong: equal constants
:- mode(rate(+atom, -integer), zero_or_one).
rate(C, 19) :- C == de.
rate(C, 20) :- C = de.
% wrong: two inputs
:- mode(p(+integer, +integer, -atom), zero_or_one).
p(X, Y, a) :- X > 5, Y > 5.
p(X, Y, b) :- X > 3, Y < 10.
% wrong: one input is enough
:- mode(p(+integer, +integer, -atom), zero_or_one).
p(X, _, a) :- X > 5.
p(_, Y, b) :- Y > 5.
% wrong: a constant and a range
:- mode(p(+integer, -atom), zero_or_one).
p(7, seven).
p(N, more) :- N > 5.
% wrong: floats
:- mode(p(+float, -atom), zero_or_one).
p(X, a) :- X < 1.5.
p(X, b) :- X > 1.25.
% wrong: booleans
:- mode(p(+boolean, -integer), one).
p(true, 1).
p(false, 0).
p(true, 2).
% wrong: one of some values
:- mode(p(+oneof([a, b]), -integer), one).
p(a, 1).
p(b, 2).
p(b, 3).
% wrong: a cut in the last
:- mode(p(+integer, -atom), zero_or_one).
p(N, a) :- N > 1.
p(N, b) :- N > 2, !.
% wrong: the output is calculated
:- mode(tax(+number, -number), one).
tax(I, T) :- I =< 1000, T is 0.
tax(I, T) :- I >= 1000, T is I * 0.2.
% wrong: true among the guards
:- mode(p(+integer, -atom), zero_or_one).
p(N, a) :- true, N > 1.
p(N, b) :- N > 2, true.
% wrong: =:=
:- mode(p(+integer, -atom), zero_or_one).
p(N, a) :- N =:= 3.
p(N, b) :- N < 4.
% right: ranges that meet
:- mode(grade(+integer, -atom), one).
grade(S, a) :- S >= 90.
grade(S, b) :- S < 90.
% right: a cut
:- mode(grade(+integer, -atom), one).
grade(S, a) :- S >= 90, !.
grade(_, b).
% right: several answers are meant
:- mode(grade(+integer, -atom), zero_or_more).
grade(S, a) :- S >= 90.
grade(S, b) :- S =< 90.
% right: other constants
:- mode(price(+atom, -integer), zero_or_one).
price(apple, 3).
price(pear, 4).
% right: a goal that is not known
:- mode(p(+integer, -atom), zero_or_one).
p(N, a) :- N > 5, good(N).
p(N, b) :- N > 3, bad(N).
good(6).
bad(4).
% right: a negation
:- mode(p(+integer, -atom), zero_or_one).
p(N, a) :- good(N).
p(N, b) :- \+ good(N).
good(6).
% right: no mode
p(N, a) :- N > 5.
p(N, b) :- N > 3.
% right: a condition
:- mode(p(+integer, -atom), one).
p(N, L) :- ( N > 10 -> L = a ; L = b ).
% right: conditions in a chain
:- mode(p(+integer, -atom), one).
p(N, L) :- ( N > 10 -> L = a ; N > 5 -> L = b ; L = c ).
% right: two inputs
:- mode(p(+integer, +boolean, -atom), one).
p(N, true, a) :- N > 5.
p(N, true, b) :- N =< 5.
p(_, false, c).
% right: the same output
:- mode(p(+integer, -atom), zero_or_one).
p(N, a) :- N > 5.
p(N, a) :- N > 3.
% right: a fact for each of some values
:- mode(p(+oneof([a, b]), -integer), one).
p(a, 1).
p(b, 2).
% right: between without a shared value
:- mode(level(+integer, -atom), zero_or_one).
level(N, low) :- between(1, 10, N).
level(N, high) :- between(11, 20, N).
% right: members without a shared one
:- mode(rate(+atom, -integer), zero_or_one).
rate(C, 19) :- memberchk(C, [de, fr]).
rate(C, 20) :- memberchk(C, [se]).
% right: integers next to each other
:- mode(p(+integer, -atom), zero_or_one).
p(N, a) :- N > 5.
p(N, b) :- N < 6.
% right: an input that is taken apart
:- mode(p(+list, -integer), zero_or_one).
p([], 0).
p([_|T], N) :- p(T, M), N is M + 1.
% right: facts may be added
:- dynamic(p/2).
:- mode(p(+atom, -integer), zero_or_one).
p(a, 1).
p(a, 2).
% right: inputs that are compared with each other
:- mode(p(+integer, +integer, -atom), one).
p(X, Y, less) :- X < Y.
p(X, Y, more) :- X >= Y.
% right: a test of the output
:- mode(p(+integer, -integer), zero_or_one).
p(N, M) :- M is N mod 2, M = 0.
p(N, M) :- M is N mod 2, M = 1.
% right: an optional input
:- mode(p(?integer, -atom), zero_or_one).
p(N, a) :- integer(N), N > 5.
p(N, b) :- integer(N), N > 3.
% right: two directives
:- mode(p(+integer, -atom), zero_or_more).
:- mode(p(+integer, +atom), zero_or_one).
p(N, a) :- N > 5.
p(N, b) :- N > 3.
% wrong: several facts fit through a rule
:- mode(manager(+atom, -atom), one).
manager(P, M) :- assigned(P, M).
assigned(ann, eva).
assigned(ann, fred).
% wrong: each member of a list is an answer
:- mode(approver(+atom, -atom), one).
approver(D, W) :- approvers(D, L), member(W, L).
approvers(sales, [ann, bob]).
% wrong: each hour is an answer
:- mode(slot(+atom, -integer), zero_or_one).
slot(D, H) :- works(D, From, To), between(From, To, H).
works(ann, 9, 12).
% right: one fact for each
:- mode(manager(+atom, -atom), zero_or_one).
manager(P, M) :- assigned(P, M).
assigned(ann, eva).
assigned(bob, eva).
% right: the first member
:- mode(approver(+atom, -atom), zero_or_one).
approver(D, W) :- approvers(D, L), memberchk(W, L).
approvers(sales, [ann, bob]).
% right: many are promised
:- mode(approver(+atom, -atom), zero_or_more).
approver(D, W) :- approvers(D, L), member(W, L).
approvers(sales, [ann, bob]).
% right: the same fact twice has one answer
:- mode(manager(+atom, -atom), zero_or_one).
manager(P, M) :- assigned(P, M, _).
assigned(ann, eva, monday).
assigned(ann, eva, friday).
% wrong: a computed limit is in both bands
:- mode(ship(+integer, -integer), one).
ship(W, 5) :- W =< 2 * 10.
ship(W, 9) :- W >= 20.
% wrong: the limit of a fact is in both bands
:- mode(ship(+integer, -integer), one).
ship(W, 5) :- limit(L), W =< L.
ship(W, 9) :- limit(L), W >= L.
limit(20).
% right: the fact has another key
:- mode(ship(+integer, -integer), zero_or_one).
ship(W, 5) :- limit(small, L), W =< L.
ship(W, 9) :- limit(large, L), W >= L.
limit(small, 20).
limit(large, 30).
% wrong: a default without a mode, calculated with
price(C, P, N) :- discount(C, D), N is P * (100 - D) / 100.
discount(gold, 20).
discount(silver, 10).
discount(_, 0).
% wrong: a default behind a rule
:- mode(rate(+atom, -integer), one).
rate(C, 5) :- vip(C).
rate(_, 9).
vip(ann).
% wrong: a default behind two rules
:- mode(lane(+atom, -atom), zero_or_one).
lane(P, fast) :- express(P).
lane(P, cool) :- frozen(P, _).
lane(_, slow).
express(p1).
frozen(p2, 3).
% right: a bonus for all, and one more
total(C, T) :- aggregate_all(sum(B), bonus(C, B), T0), T is T0 * 2.
bonus(manager, 100).
bonus(_, 50).
% right: a default with a cut
price(C, P, N) :- discount(C, D), N is P * (100 - D) / 100.
discount(gold, 20) :- !.
discount(_, 0).
% right: the rules have the same answer
:- mode(open(+atom, -atom), one).
open(C, yes) :- vip(C).
open(_, yes).
vip(ann).
% wrong: a last fact for all values, and a condition
:- mode(shipping(+atom, +integer, -integer), zero_or_one).
shipping(Country, Total, Cost) :- zone(Country, Zone), ( Zone =:= 1, Total > 50 -> Cost = 0 ; Cost is Zone * 5 ).
zone(de, 1).
zone(fr, 2).
zone(_, 3).
% right: a last fact for all values, and the first answer alone
:- mode(shipping(+atom, +integer, -integer), zero_or_one).
shipping(Country, Total, Cost) :- ( zone(Country, Zone), Zone =:= 1, Total > 50 -> Cost = 0 ; Cost = 5 ).
zone(de, 1).
zone(fr, 2).
zone(_, 3).
% wrong: a limit behind a negation
:- mode(fee(+integer, -atom), one).
fee(A, free) :- \+ A > 18.
fee(A, full) :- A >= 18.
% wrong: a day behind a negation
:- mode(price(+date, -integer), one).
price(D, 3) :- \+ D @> date(2026, 1, 1).
price(D, 4) :- D @>= date(2026, 1, 1).
% right: a limit behind a negation
:- mode(fee(+integer, -atom), one).
fee(A, free) :- \+ A > 18.
fee(A, full) :- A > 18.
% right: a negation of a number that a fact gives
:- mode(fee(+integer, -atom), one).
fee(A, free) :- limit(L), \+ A > L.
fee(A, full) :- limit(L), A > L.
limit(18).
% wrong: a limit behind not/1
:- mode(fee(+integer, -atom), one).
fee(A, free) :- not(A > 18).
fee(A, full) :- A >= 18.
% wrong: a limit behind three negations
:- mode(fee(+integer, -atom), one).
fee(A, free) :- \+ \+ \+ A > 18.
fee(A, full) :- once(A >= 18).
% right: a cut within call/1 cuts nothing else
:- mode(fee(+integer, -atom), zero_or_one).
fee(A, full) :- A > 18, call(!).
fee(A, free) :- A =< 18.
