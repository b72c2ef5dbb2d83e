% wrong: setof with ^ and a sum
:- mode(total(+atom, -number), one).
total(O, T) :- setof(P, I^item(O, I, P), Ps), sum_list(Ps, T).
item(a, tea, 3).
item(a, milk, 3).
% wrong: sort of what findall has
:- mode(total(+atom, -number), one).
total(O, T) :- findall(P, item(O, _, P), Ps), sort(Ps, S), sum_list(S, T).
item(a, tea, 3).
item(a, milk, 3).
% wrong: list_to_set
:- mode(total(+atom, -number), one).
total(O, T) :- findall(P, item(O, _, P), Ps), list_to_set(Ps, S), sum_list(S, T).
item(a, tea, 3).
item(a, milk, 3).
% wrong: an ordered set
:- mode(total(+atom, -number), one).
total(O, T) :- findall(P, item(O, _, P), Ps), list_to_ord_set(Ps, S), sum_list(S, T).
item(a, tea, 3).
item(a, milk, 3).
% wrong: sort/4 without equal ones
:- mode(total(+atom, -number), one).
total(O, T) :- findall(P, item(O, _, P), Ps), sort(0, @>, Ps, S), sum_list(S, T).
item(a, tea, 3).
item(a, milk, 3).
% wrong: sumlist
:- mode(total(+atom, -number), one).
total(O, T) :- setof(P, I^item(O, I, P), Ps), sumlist(Ps, T).
item(a, tea, 3).
item(a, milk, 3).
% wrong: aggregate_all of a set
:- mode(total(+atom, -number), one).
total(O, T) :- aggregate_all(set(P), item(O, _, P), Ps), sum_list(Ps, T).
item(a, tea, 3).
item(a, milk, 3).
% wrong: a bag that is sorted
:- mode(total(+atom, -number), one).
total(O, T) :- aggregate_all(bag(P), item(O, _, P), Ps), sort(Ps, S), sum_list(S, T).
item(a, tea, 3).
item(a, milk, 3).
% wrong: bagof that is sorted
:- mode(total(+atom, -number), zero_or_one).
total(O, T) :- bagof(P, I^item(O, I, P), Ps), sort(Ps, S), sum_list(S, T).
item(a, tea, 3).
item(a, milk, 3).
% wrong: a goal between
:- mode(total(+atom, -number), one).
total(O, T) :- setof(P, I^item(O, I, P), Ps), Ps = [_|_], sum_list(Ps, T).
item(a, tea, 3).
item(a, milk, 3).
% wrong: two goals inside
:- mode(total(+atom, -number), one).
total(O, T) :- setof(P, I^(ordered(O, I), price(I, P)), Ps), sum_list(Ps, T).
ordered(a, tea).
price(tea, 3).
% wrong: member and a price
:- mode(total(+list(atom), -number), one).
total(L, T) :- findall(P, (member(I, L), price(I, P)), Ps), sort(Ps, S), sum_list(S, T).
price(tea, 3).
% wrong: a default behind it
:- mode(total(+atom, -number), one).
total(O, T) :- ( setof(P, I^item(O, I, P), Ps) -> sum_list(Ps, T) ; T = 0 ).
item(a, tea, 3).
item(a, milk, 3).
% wrong: an average
:- mode(mean(+atom, -number), zero_or_one).
mean(O, T) :- setof(P, I^item(O, I, P), Ps), sum_list(Ps, S), length(Ps, N), T is S / N.
item(a, tea, 3).
item(a, milk, 3).
% wrong: without mode/2
total(O, T) :- findall(P, item(O, _, P), Ps), sort(Ps, S), sum_list(S, T).
item(a, tea, 3).
item(a, milk, 3).
% wrong: two variables before ^
:- mode(total(-number), one).
total(T) :- setof(P, O^I^item(O, I, P), Ps), sum_list(Ps, T).
item(a, tea, 3).
item(a, milk, 3).
% wrong: one that is sorted twice
:- mode(total(+atom, -number), one).
total(O, T) :- findall(P, item(O, _, P), Ps), sort(Ps, A), sort(A, B), sum_list(B, T).
item(a, tea, 3).
item(a, milk, 3).
% wrong: a rule below
:- mode(total(+atom, -number), one).
total(O, T) :- setof(P, I^cost(O, I, P), Ps), sum_list(Ps, T).
cost(O, I, P) :- item(O, I, Q), P is Q * 2.
item(a, tea, 3).
item(a, milk, 3).
% wrong: a test inside
:- mode(total(+atom, -number), one).
total(O, T) :- setof(P, I^(item(O, I, P), P > 1), Ps), sum_list(Ps, T).
item(a, tea, 3).
item(a, milk, 3).
% wrong: within a forall
sums :- forall(order(O), ( setof(P, I^item(O, I, P), Ps), sum_list(Ps, T), print(T) )).
order(a).
item(a, tea, 3).
item(a, milk, 3).
% wrong: sort/4 that goes up
:- mode(total(+atom, -number), one).
total(O, T) :- findall(P, item(O, _, P), Ps), sort(0, @<, Ps, S), sum_list(S, T).
item(a, tea, 3).
item(a, milk, 3).
% wrong: sort of what a rule calculates
:- mode(cargo(+atom, -number), one).
cargo(Ship, Sum) :- findall(W, weight_on(Ship, W), Ws0), sort(Ws0, Ws), sum_list(Ws, Sum).
weight_on(Ship, W) :- loaded(Ship, Kind, N), unit(Kind, U), W is N * U.
loaded(s1, box, 3).
loaded(s1, crate, 1).
unit(box, 2).
unit(crate, 6).
% wrong: sort/4 in falling order, of a rule
:- mode(cargo(+atom, -number), one).
cargo(Ship, Sum) :- findall(W, weight_on(Ship, W), Ws0), sort(0, @>, Ws0, Ws), sum_list(Ws, Sum).
weight_on(Ship, W) :- loaded(Ship, _, W).
loaded(s1, box, 3).
loaded(s1, crate, 3).
% wrong: setof of a rule that calls a rule
:- mode(owed(+atom, -number), zero_or_one).
owed(P, Sum) :- setof(A, open_amount(P, A), As), sum_list(As, Sum).
open_amount(P, A) :- bill(P, A), A > 0.
bill(P, A) :- invoice(_, P, A).
invoice(1, ann, 10).
invoice(2, ann, 10).
% right: findall and a sum
:- mode(total(+atom, -number), one).
total(O, T) :- findall(P, item(O, _, P), Ps), sum_list(Ps, T).
item(a, tea, 3).
item(a, milk, 3).
% right: bagof and a sum
:- mode(total(+atom, -number), zero_or_one).
total(O, T) :- bagof(P, I^item(O, I, P), Ps), sum_list(Ps, T).
item(a, tea, 3).
item(a, milk, 3).
% right: aggregate_all
:- mode(total(+atom, -number), one).
total(O, T) :- aggregate_all(sum(P), item(O, _, P), T).
item(a, tea, 3).
item(a, milk, 3).
% right: msort keeps equal ones
:- mode(total(+atom, -number), one).
total(O, T) :- findall(P, item(O, _, P), Ps), msort(Ps, S), sum_list(S, T).
item(a, tea, 3).
item(a, milk, 3).
% right: sort/4 that keeps equal ones
:- mode(total(+atom, -number), one).
total(O, T) :- findall(P, item(O, _, P), Ps), sort(0, @>=, Ps, S), sum_list(S, T).
item(a, tea, 3).
item(a, milk, 3).
% right: multiples
:- mode(sum(-integer), one).
sum(T) :- findall(X, ( between(1, 999, X), ( 0 is X mod 3 ; 0 is X mod 5 ) ), L), sort(L, S), sum_list(S, T).
% right: multiples of some numbers
:- mode(sum(-integer), one).
sum(T) :- findall(X, ( between(1, 999, X), member(D, [3, 5]), 0 is X mod D ), L), sort(L, S), sum_list(S, T).
% right: the distinct elements of a list
:- mode(sum(+list(integer), -integer), one).
sum(L, T) :- sort(L, S), sum_list(S, T).
% right: the members of a list
:- mode(sum(+list(integer), -integer), zero_or_one).
sum(L, T) :- setof(X, member(X, L), S), sum_list(S, T).
% right: pairs of key and amount
:- mode(total(+atom, -number), zero_or_one).
total(O, T) :- setof(I-P, item(O, I, P), L), pairs_values(L, Ps), sum_list(Ps, T).
item(a, tea, 3).
item(a, milk, 3).
% right: a count of the distinct
:- mode(kinds(+atom, -integer), one).
kinds(O, N) :- findall(I, item(O, I, _), L), sort(L, S), length(S, N).
item(a, tea, 3).
item(a, milk, 3).
% right: a set that is shown and a list that is added
:- mode(total(+atom, -number), one).
total(O, T) :- findall(P, item(O, _, P), Ps), sort(Ps, S), print(S), sum_list(Ps, T).
item(a, tea, 3).
item(a, milk, 3).
% right: the greatest of a set
:- mode(total(+atom, -number), zero_or_one).
total(O, T) :- setof(P, I^item(O, I, P), Ps), last(Ps, T).
item(a, tea, 3).
item(a, milk, 3).
% right: the key is given
:- mode(total(+atom, +atom, -number), one).
total(O, I, T) :- findall(P, item(O, I, P), Ps), sort(Ps, S), sum_list(S, T).
item(a, tea, 3).
item(a, milk, 3).
% right: a set of texts
:- mode(names(+atom, -list(atom)), one).
names(O, L) :- findall(I, item(O, I, _), A), sort(A, L).
item(a, tea, 3).
item(a, milk, 3).
% right: sort by a key
:- mode(total(+atom, -number), one).
total(O, T) :- findall(I-P, item(O, I, P), L), sort(1, @>=, L, S), pairs_values(S, Ps), sum_list(Ps, T).
item(a, tea, 3).
item(a, milk, 3).
% right: own sum_list of sets
sum_set(O, T) :- findall(P, item(O, _, P), Ps), sort(Ps, S), add(S, T).
add(_, 1).
item(a, tea, 3).
item(a, milk, 3).
% right: findall, sum and set apart
:- mode(total(+atom, -number), one).
total(O, T) :- findall(P, item(O, _, P), Ps), sum_list(Ps, T), sort(Ps, S), S \== [].
item(a, tea, 3).
item(a, milk, 3).
% right: aggregate_all of a bag
:- mode(total(+atom, -number), one).
total(O, T) :- aggregate_all(bag(P), item(O, _, P), Ps), sum_list(Ps, T).
item(a, tea, 3).
item(a, milk, 3).
% right: another list
:- mode(total(+atom, +list(number), -number), one).
total(O, Qs, T) :- findall(P, item(O, _, P), Ps), sort(Ps, S), S \== [], sum_list(Qs, T).
item(a, tea, 3).
item(a, milk, 3).
% right: sort/4 that keeps what comes twice
:- mode(cargo(+atom, -number), one).
cargo(Ship, Sum) :- findall(W, weight_on(Ship, W), Ws0), sort(0, @>=, Ws0, Ws), sum_list(Ws, Sum).
weight_on(Ship, W) :- loaded(Ship, _, W).
loaded(s1, box, 3).
loaded(s1, crate, 3).
% right: different sizes, of which each counts once
:- mode(steps(+atom, -number), zero_or_one).
steps(P, Sum) :- findall(S, step(P, S), Ss0), sort(Ss0, Ss), sum_list(Ss, Sum).
step(P, S) :- size(P, S).
size(a, 1).
size(a, 2).
