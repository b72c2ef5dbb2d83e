%% fits no clause
% wrong: no else for a looked-up group
:- mode(discount(+atom, -number), one).
group(ann, gold).
group(ben, silver).
discount(C, D) :- group(C, G), ( G == gold -> D = 10 ).
% wrong: no else for a weight
:- mode(fee(+oneof([a, b]), -integer), one).
fee(K, F) :- weight(K, W), ( W > 10 -> F = 5 ).
weight(a, 20).
weight(b, 3).
% wrong: two branches of three
:- mode(fee(+atom, -integer), one).
fee(K, F) :- class(K, C), ( C == first -> F = 9 ; C == second -> F = 5 ).
class(x, first).
class(y, second).
class(z, third).
% wrong: a guard behind the fact
:- mode(limit(+atom, -integer), one).
limit(K, L) :- income(K, I), I > 1000, L is I * 3.
income(ann, 3000).
income(bob, 800).
% wrong: a bound that one value meets exactly
:- mode(band(+atom, -atom), one).
band(K, B) :- age(K, A), ( A < 18 -> B = child ; A > 18 -> B = adult ).
age(ann, 18).
age(bob, 40).
% wrong: an equation
:- mode(tax(+atom, -integer), one).
tax(K, T) :- state(K, S), ( S = resident -> T = 20 ).
state(ann, resident).
state(bob, visitor).
% wrong: unequal
:- mode(fee(+atom, -integer), one).
fee(K, T) :- state(K, S), S \== closed, T = 4.
state(ann, open).
state(bob, closed).
% wrong: a calculated value
:- mode(bonus(+atom, -integer), one).
bonus(K, B) :- sold(K, N), ( N * 2 >= 100 -> B = 10 ).
sold(ann, 50).
sold(bob, 49).
% wrong: calculated in a goal before
:- mode(bonus(+atom, -integer), one).
bonus(K, B) :- sold(K, N), M is N - 10, ( M > 0 -> B = M ).
sold(ann, 50).
sold(bob, 10).
% wrong: membership in a list
:- mode(fee(+atom, -integer), one).
fee(K, F) :- zone(K, Z), ( memberchk(Z, [a, b]) -> F = 3 ).
zone(x, a).
zone(y, c).
% wrong: two lists
:- mode(fee(+atom, -integer), one).
fee(K, F) :- zone(K, Z), ( memberchk(Z, [a, b]) -> F = 3 ; memberchk(Z, [c]) -> F = 4 ).
zone(x, a).
zone(y, d).
% wrong: equal numbers
:- mode(rank(+atom, -atom), one).
rank(K, R) :- points(K, P), ( P =:= 3 -> R = winner ).
points(x, 3).
points(y, 1).
% wrong: unequal numbers
:- mode(rank(+atom, -atom), one).
rank(K, R) :- points(K, P), P =\= 0, R = player.
points(x, 3).
points(y, 0).
% wrong: a condition in front
:- mode(fee(+atom, -integer), one).
fee(K, F) :- weight(K, W), 10 < W, F is W * 2.
weight(a, 20).
weight(b, 3).
% wrong: strings of facts
:- mode(fee(+atom, -integer), one).
fee(K, F) :- plan(K, P), ( P == "pro" -> F = 9 ).
plan(a, "pro").
plan(b, "free").
% wrong: a second lookup
:- mode(fee(+atom, -integer), one).
fee(K, F) :- plan(K, P), price(P, V), ( V > 0 -> F = V ).
plan(a, pro).
plan(b, free).
price(pro, 9).
price(free, 0).
% wrong: an enumeration with a hole
:- mode(days(+oneof([de, fr, se]), -integer), one).
days(C, D) :- rule(C, R), ( R == long -> D = 30 ; R == short -> D = 14 ).
rule(de, long).
rule(fr, short).
rule(se, none).
% wrong: an integer key
:- mode(name(+integer, -atom), one).
name(N, A) :- entry(N, A, S), S == valid.
entry(1, x, valid).
entry(2, y, void).
% wrong: two clauses leave out one
:- mode(fee(+atom, -integer), one).
fee(K, 1) :- size(K, S), S < 10.
fee(K, 2) :- size(K, S), S > 10.
size(a, 5).
size(b, 10).
% wrong: a negated condition
:- mode(fee(+atom, -integer), one).
fee(K, F) :- size(K, S), \+ S > 10, F = 1.
size(a, 5).
size(b, 20).
% right: an else
:- mode(fee(+oneof([a, b]), -integer), one).
fee(K, F) :- weight(K, W), ( W > 10 -> F = 5 ; F = 2 ).
weight(a, 20).
weight(b, 3).
% right: at most one answer
:- mode(fee(+atom, -integer), zero_or_one).
fee(K, F) :- weight(K, W), ( W > 10 -> F = 5 ).
weight(a, 20).
weight(b, 3).
% right: all values meet the condition
:- mode(fee(+atom, -integer), one).
fee(K, F) :- weight(K, W), ( W > 2 -> F = 5 ).
weight(a, 20).
weight(b, 3).
% right: two clauses for all values
:- mode(fee(+atom, -integer), one).
fee(K, 1) :- weight(K, W), W > 10.
fee(K, 2) :- weight(K, W), W =< 10.
weight(a, 20).
weight(b, 3).
% right: branches for all groups
:- mode(discount(+atom, -number), one).
group(ann, gold).
group(ben, silver).
discount(C, D) :- group(C, G), ( G == gold -> D = 10 ; G == silver -> D = 5 ).
% right: the facts may change
:- mode(fee(+atom, -integer), one).
:- dynamic(weight/2).
fee(K, F) :- weight(K, W), ( W > 10 -> F = 5 ).
weight(a, 20).
weight(b, 3).
% right: a condition on a rule's result
:- mode(fee(+atom, -integer), one).
fee(K, F) :- weight(K, W), ( W > 10 -> F = 5 ; F = 0 ).
weight(K, W) :- mass(K, M), W is M * 2.
mass(a, 20).
mass(b, 3).
% right: lists that have all values
:- mode(fee(+atom, -integer), one).
fee(K, F) :- zone(K, Z), ( memberchk(Z, [a, b]) -> F = 3 ; memberchk(Z, [c]) -> F = 4 ).
zone(x, a).
zone(y, c).
% right: a default clause behind
:- mode(fee(+atom, -integer), one).
fee(K, 5) :- weight(K, W), W > 10, !.
fee(_, 2).
weight(a, 20).
weight(b, 3).
% right: no mode
fee(K, F) :- weight(K, W), ( W > 10 -> F = 5 ).
weight(a, 20).
weight(b, 3).
% right: another fact of the same key fits
:- mode(grade(+atom, -atom), zero_or_more).
grade(K, G) :- mark(K, M), ( M > 3 -> G = good ).
mark(ann, 5).
mark(ann, 1).
% right: equal numbers of two kinds
:- mode(rank(+atom, -atom), one).
rank(K, R) :- points(K, P), ( P =:= 3 -> R = winner ; R = player ).
points(x, 3.0).
points(y, 1).
% right: a calculated value within the bound
:- mode(bonus(+atom, -integer), one).
bonus(K, B) :- sold(K, N), ( N * 2 >= 98 -> B = 10 ).
sold(ann, 50).
sold(bob, 49).
% right: unequal to none of the facts
:- mode(fee(+atom, -integer), one).
fee(K, T) :- state(K, S), S \== closed, T = 4.
state(ann, open).
state(bob, new).
% right: a string that all facts have
:- mode(fee(+atom, -integer), one).
fee(K, F) :- plan(K, P), ( P == "pro" -> F = 9 ).
plan(a, "pro").
plan(b, "pro").
% right: a second lookup
:- mode(fee(+atom, -integer), one).
fee(K, F) :- plan(K, P), price(P, V), ( V > 0 -> F = V ; F = 1 ).
plan(a, pro).
plan(b, free).
price(pro, 9).
price(free, 0).
% right: enumerated, each with a rule
:- mode(days(+oneof([de, fr]), -integer), one).
days(C, D) :- rule(C, R), ( R == long -> D = 30 ; R == short -> D = 14 ).
rule(de, long).
rule(fr, short).
% right: an age at the bound
:- mode(band(+atom, -atom), one).
band(K, B) :- age(K, A), ( A < 18 -> B = child ; A >= 18 -> B = adult ).
age(ann, 18).
age(bob, 40).
% right: a negated condition and its opposite
:- mode(fee(+atom, -integer), one).
fee(K, 1) :- size(K, S), \+ S > 10.
fee(K, 2) :- size(K, S), S > 10.
size(a, 5).
size(b, 20).
% right: all points
:- mode(rank(+atom, -atom), one).
rank(K, R) :- points(K, P), P =\= 0, R = player.
points(x, 3).
points(y, 1).
% right: an else that no fact takes
:- mode(band(+atom, -atom), one).
band(K, B) :- age(K, A), ( A >= 18 -> B = adult ; B = child ).
age(ann, 18).
age(bob, 40).
% right: a later clause that no fact takes
:- mode(band(+atom, -atom), one).
band(K, B) :- age(K, A), A >= 18, !, B = adult.
band(K, child) :- age(K, _).
age(ann, 18).
age(bob, 40).
% right: three branches of which the facts take the second
:- mode(band(+atom, -atom), one).
band(K, B) :- age(K, A), ( A < 18 -> B = child ; A < 65 -> B = adult ; B = senior ).
age(ann, 18).
age(bob, 40).
% right: an enumeration
:- mode(band(+oneof([ann, bob]), -atom), one).
band(K, B) :- age(K, A), ( A < 18 -> B = child ; A < 65 -> B = adult ; B = senior ).
age(ann, 18).
age(bob, 40).
