%% and mode/2 of
% wrong: 18 is in no clause
:- mode(fee(+between(integer, 0, 120), -integer), one).
fee(Age, F) :- band(Age, F).
band(A, 5) :- A < 18.
band(A, 10) :- A > 18.
% wrong: a calculation follows
:- mode(tax(+positive_integer, -number), one).
tax(Income, T) :- rate(Income, R), T is Income * R / 100.
rate(I, 0) :- I < 9000.
rate(I, 20) :- I > 9000.
% wrong: no else
:- mode(grade(+between(integer, 0, 100), -atom), one).
grade(P, G) :- letter(P, G).
letter(P, G) :- ( P >= 80 -> G = a ; P >= 50 -> G = c ).
% wrong: the last band ends
:- mode(level(+non_negative_integer, -atom), one).
level(N, L) :- lev(N, L).
lev(N, low) :- N =< 10.
lev(N, high) :- N > 10, N =< 100.
% wrong: two helpers
:- mode(fee(+between(integer, 0, 120), -integer), one).
fee(Age, F) :- by_age(Age, F).
by_age(Age, F) :- band(Age, F).
band(A, 5) :- A < 18.
band(A, 10) :- A > 18.
% wrong: with cuts
:- mode(size(+positive_integer, -atom), one).
size(N, S) :- sized(N, S).
sized(N, small) :- N < 10, !.
sized(N, large) :- N > 10, !.
% wrong: between
:- mode(hour(+between(integer, 0, 23), -atom), one).
hour(H, P) :- part(H, P).
part(H, night) :- between(0, 5, H).
part(H, day) :- between(7, 23, H).
% wrong: a number with a fraction
:- mode(band(+between(number, 0, 1), -atom), one).
band(X, B) :- half(X, B).
half(X, low) :- X < 0.5.
half(X, high) :- X > 0.5.
% wrong: any number
:- mode(sign(+number, -atom), one).
sign(N, S) :- kind(N, S).
kind(N, plus) :- N > 0.
kind(N, minus) :- N < 0.
% wrong: a byte
:- mode(shade(+byte, -atom), one).
shade(B, S) :- tone(B, S).
tone(B, dark) :- B < 128.
tone(B, light) :- B >= 128, B < 255.
% wrong: one of some values
:- mode(zone(+oneof([a, b, c]), -integer), one).
zone(Z, F) :- fare(Z, F).
fare(Z, 1) :- Z == a.
fare(Z, 2) :- Z == b.
% wrong: another argument comes first
:- mode(fare(+atom, +between(integer, 1, 9), -integer), one).
fare(_, Zones, F) :- base(Zones, F).
base(Z, 2) :- Z < 3.
base(Z, 4) :- Z > 3.
% wrong: two inputs
:- mode(cover(+between(integer, 0, 99), +boolean, -integer), one).
cover(Age, Smokes, P) :- premium(Age, Smokes, P).
premium(A, true, 9) :- A >= 40.
premium(A, false, 5) :- A >= 40.
premium(A, true, 4) :- A < 40.
% wrong: a goal comes before
:- mode(fee(+between(integer, 0, 120), -integer), one).
fee(Age, F) :- base(B), band(Age, G), F is B + G.
base(3).
band(A, 5) :- A < 18.
band(A, 10) :- A > 18.
% wrong: a text comes after
:- mode(fee(+between(integer, 0, 120), -integer), one).
fee(Age, F) :- band(Age, F), format("~w~n", [F]).
band(A, 5) :- A < 18.
band(A, 10) :- A > 18.
% wrong: the bounds of three bands
:- mode(ship(+positive_integer, -integer), one).
ship(W, C) :- cost(W, C).
cost(W, 5) :- W =< 100.
cost(W, 9) :- W > 100, W < 500.
cost(W, 20) :- W > 500.
% wrong: the middle is left out
:- mode(risk(+between(integer, 0, 10), -atom), one).
risk(S, R) :- class(S, R).
class(S, low) :- S < 3.
class(S, high) :- S > 6.
% wrong: zero
:- mode(stock(+non_negative_integer, -atom), one).
stock(N, S) :- state(N, S).
state(N, few) :- N > 0, N < 5.
state(N, many) :- N >= 5.
% wrong: a limit is a fact
:- mode(pays(+between(integer, 0, 120), -atom), one).
pays(A, P) :- half(A, P).
half(A, yes) :- limit(L), A < L.
half(A, no) :- limit(L), A > L.
limit(12).
% wrong: a negative number
:- mode(temp(+between(integer, -50, 50), -atom), one).
temp(T, C) :- class(T, C).
class(T, cold) :- T < 0.
class(T, warm) :- T > 0.
% wrong: the caller names its inputs otherwise
:- mode(points(+between(integer, 0, 60), +atom, -integer), one).
points(Days, _Who, P) :- late(Days, P).
late(D, 0) :- D < 7.
late(D, 5) :- D > 7.
% right: all are in a clause
:- mode(fee(+between(integer, 0, 120), -integer), one).
fee(Age, F) :- band(Age, F).
band(A, 5) :- A < 18.
band(A, 10) :- A >= 18.
% right: mode/2 promises no answer
:- mode(fee(+between(integer, 0, 120), -integer), zero_or_one).
fee(Age, F) :- band(Age, F).
band(A, 5) :- A < 18.
band(A, 10) :- A > 18.
% right: the caller has another clause
:- mode(fee(+between(integer, 0, 120), -integer), one).
fee(Age, F) :- band(Age, F), !.
fee(_, 0).
band(A, 5) :- A < 18.
band(A, 10) :- A > 18.
% right: the call is a condition
:- mode(fee(+between(integer, 0, 120), -integer), one).
fee(Age, F) :- ( band(Age, F) -> true ; F = 0 ).
band(A, 5) :- A < 18.
band(A, 10) :- A > 18.
% right: all answers are collected
:- mode(fees(+between(integer, 0, 120), -list), one).
fees(Age, L) :- findall(F, band(Age, F), L).
band(A, 5) :- A < 18.
band(A, 10) :- A > 18.
% right: nothing is promised
level(P, L) :- age(P, A), lev(A, L).
lev(A, young) :- A < 30.
lev(A, old) :- A > 30.
age(ann, 31).
age(bob, 29).
% right: it is calculated first, and the value does not come
:- mode(even(+between(integer, 0, 9), -atom), one).
even(N, C) :- D is N * 2, class(D, C).
class(D, low) :- D < 5.
class(D, high) :- D > 5.
% right: the value of another predicate
:- mode(rate(+oneof([ann, bob]), -integer), one).
rate(P, R) :- age(P, A), band(A, R).
age(ann, 30).
age(bob, 40).
band(A, 5) :- A < 35.
band(A, 10) :- A > 35.
% right: between
:- mode(hour(+between(integer, 0, 23), -atom), one).
hour(H, P) :- part(H, P).
part(H, night) :- between(0, 5, H).
part(H, day) :- between(6, 23, H).
% right: the last clause is for anything else
:- mode(size(+positive_integer, -atom), one).
size(N, S) :- sized(N, S).
sized(N, small) :- N < 10, !.
sized(N, large) :- N > 10, !.
sized(_, ten).
% right: an else
:- mode(grade(+between(integer, 0, 100), -atom), one).
grade(P, G) :- letter(P, G).
letter(P, G) :- ( P >= 80 -> G = a ; P >= 50 -> G = c ; G = f ).
% right: another goal may hold
:- mode(size(+positive_integer, -atom), one).
size(N, S) :- sized(N, S).
sized(N, small) :- N < 10.
sized(N, large) :- large(N).
large(N) :- N >= 10.
% right: ignored
:- mode(note(+between(integer, 0, 9)), one).
note(N) :- ignore(warn(N)).
warn(N) :- N < 3, format("low~n").
warn(N) :- N > 5, format("high~n").
% right: a negation
:- mode(ok(+between(integer, 0, 9), -atom), one).
ok(N, R) :- ( \+ bad(N, _) -> R = yes ; R = no ).
bad(N, low) :- N < 3.
bad(N, high) :- N > 5.
% right: the type ends where the clauses end
:- mode(level(+between(integer, 0, 100), -atom), one).
level(N, L) :- lev(N, L).
lev(N, low) :- N =< 10.
lev(N, high) :- N > 10, N =< 100.
% right: one of some values
:- mode(zone(+oneof([a, b]), -integer), one).
zone(Z, F) :- fare(Z, F).
fare(Z, 1) :- Z == a.
fare(Z, 2) :- Z == b.
% right: two inputs
:- mode(cover(+between(integer, 0, 99), +boolean, -integer), one).
cover(Age, Smokes, P) :- premium(Age, Smokes, P).
premium(A, true, 9) :- A >= 40.
premium(A, false, 5) :- A >= 40.
premium(A, _, 4) :- A < 40.
% right: a limit is a fact
:- mode(pays(+between(integer, 0, 120), -atom), one).
pays(A, P) :- half(A, P).
half(A, yes) :- limit(L), A < L.
half(A, no) :- limit(L), A >= L.
limit(12).
% right: zero
:- mode(stock(+non_negative_integer, -atom), one).
stock(N, S) :- state(N, S).
state(0, none).
state(N, few) :- N > 0, N < 5.
state(N, many) :- N >= 5.
% right: an error for the rest
:- mode(risk(+between(integer, 0, 10), -atom), one).
risk(S, R) :- class(S, R).
class(S, low) :- S < 3.
class(S, high) :- S > 6.
class(S, _) :- S >= 3, S =< 6, throw(unclear(S)).
