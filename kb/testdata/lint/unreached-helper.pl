%% no call comes here
% wrong: nobody is so old
:- mode(fee(+between(integer, 0, 120), -integer), one).
fee(Age, F) :- band(Age, F).
band(A, 5) :- A < 18.
band(A, 10) :- A >= 18, A =< 120.
band(A, 7) :- A > 200.
% wrong: no number is below zero
:- mode(level(+non_negative_integer, -atom), zero_or_one).
level(N, L) :- lev(N, L).
lev(N, none) :- N < 0.
lev(N, some) :- N >= 0.
% wrong: a cut takes them all
:- mode(tax(+positive_integer, -integer), one).
tax(Income, T) :- rate(Income, R), T is Income * R / 100.
rate(I, 0) :- I =< 9000, !.
rate(I, 20) :- I > 9000, !.
rate(I, 30) :- I > 50000, !.
% wrong: a branch that an earlier one takes
:- mode(grade(+between(integer, 0, 100), -atom), one).
grade(P, G) :- letter(P, G).
letter(P, G) :- ( P >= 50 -> G = c ; P >= 80 -> G = a ; G = f ).
% wrong: a constant is the only value
tools([price/1]).
price(P) :- cost(3, P).
cost(N, P) :- N > 10, P is N * 2.
cost(N, P) :- N =< 10, P is N * 3.
% wrong: two constants
tools([small/1, large/1]).
small(P) :- cost(3, P).
large(P) :- cost(30, P).
cost(N, P) :- N > 50, P is N * 2.
cost(N, P) :- N =< 50, P is N * 3.
% wrong: the caller has looked at it before
tools([ticket/2]).
ticket(Age, P) :- integer(Age), Age >= 18, price(Age, P).
price(A, 5) :- A < 12.
price(A, 10) :- A >= 12.
% wrong: the numbers of a list
tools([rows/1]).
rows(L) :- findall(X, ( between(1, 10, N), row(N, X) ), L).
row(N, low) :- N < 5.
row(N, high) :- N >= 5.
row(N, top) :- N > 10.
% wrong: two helpers
:- mode(fee(+between(integer, 0, 120), -integer), one).
fee(Age, F) :- by_age(Age, F).
by_age(Age, F) :- band(Age, F).
band(A, 5) :- A < 18.
band(A, 10) :- A >= 18.
band(A, 7) :- A > 150.
% wrong: another argument is not known
:- mode(fare(+atom, +between(integer, 1, 9), -integer), one).
fare(K, Zones, F) :- base(K, Zones, F).
base(_, Z, 2) :- Z =< 3.
base(_, Z, 4) :- Z > 3.
base(student, Z, 9) :- Z > 9.
% wrong: a byte
:- mode(shade(+byte, -atom), one).
shade(B, S) :- tone(B, S).
tone(B, dark) :- B < 128.
tone(B, light) :- B >= 128.
tone(B, white) :- B >= 256.
% wrong: a number with a fraction
:- mode(band(+between(number, 0, 1), -atom), one).
band(X, B) :- half(X, B).
half(X, low) :- X < 0.5.
half(X, high) :- X >= 0.5.
half(X, over) :- X > 1.5.
% wrong: it is calculated first
:- mode(bmi(+between(integer, 1, 100), -atom), one).
bmi(W, C) :- D is W * 2, class(D, C).
class(D, low) :- D < 100.
class(D, high) :- D >= 100.
class(D, huge) :- D > 500.
% wrong: a cut in the first clause takes all
:- mode(size(+positive_integer, -atom), one).
size(N, S) :- sized(N, S).
sized(N, small) :- N > 0, !.
sized(N, large) :- N > 100.
% wrong: the call is a condition
:- mode(ok(+between(integer, 0, 10)), zero_or_one).
ok(N) :- ( fits(N) -> true ; fail ).
fits(N) :- N =< 10.
fits(N) :- N > 20.
% wrong: the call is negated
:- mode(ok(+between(integer, 0, 10)), zero_or_one).
ok(N) :- \+ bad(N).
bad(N) :- N =< 3.
bad(N) :- N > 20, N < 30.
% wrong: the values of two callers
:- mode(a(+between(integer, 0, 10), -atom), one).
:- mode(b(+between(integer, 5, 30), -atom), one).
a(N, X) :- kind(N, X).
b(N, X) :- kind(N, X).
kind(N, low) :- N < 8.
kind(N, high) :- N >= 8.
kind(N, top) :- N > 30.
% wrong: between has other values
:- mode(hour(+between(integer, 0, 23), -atom), one).
hour(H, P) :- part(H, P).
part(H, night) :- between(0, 5, H).
part(H, day) :- between(6, 23, H).
part(H, late) :- between(24, 30, H).
% wrong: a test of the caller leaves out the low ones
:- mode(discount(+integer, -integer), one).
discount(N, D) :- ( N >= 100 -> rebate(N, D) ; D = 0 ).
rebate(N, 5) :- N < 50.
rebate(N, 10) :- N >= 100.
% wrong: the length of a list
tools([short/2]).
short(L, S) :- length(L, N), sized(N, S).
sized(N, empty) :- N =< 0.
sized(N, some) :- N > 0.
sized(N, wrong) :- N < -1.
% wrong: how many there are
tools([crowd/2]).
crowd(P, C) :- aggregate_all(count, visits(P, _), N), class(N, C).
class(N, none) :- N =< 0.
class(N, few) :- N > 0.
class(N, odd) :- N < -5.
visits(ann, 1).
visits(bob, 2).
% wrong: the second condition
tools([both/3]).
both(C, A, B) :- discount(C, A), ship(C, 3, B).
ship(C, W, Cost) :- ( vip(C) -> Cost = 0 ; W > 20 -> Cost = 15 ; Cost = 5 ).
vip(dee).
discount(dee, 5).
% right: without tools anything may be asked, though a constant is the only value
price(P) :- cost(3, P).
cost(N, P) :- N > 10, P is N * 2.
cost(N, P) :- N =< 10, P is N * 3.
% right: without tools anything may be asked, though two constants
small(P) :- cost(3, P).
large(P) :- cost(30, P).
cost(N, P) :- N > 50, P is N * 2.
cost(N, P) :- N =< 50, P is N * 3.
% right: without tools anything may be asked, though the caller has looked at it before
ticket(Age, P) :- integer(Age), Age >= 18, price(Age, P).
price(A, 5) :- A < 12.
price(A, 10) :- A >= 12.
% right: without tools anything may be asked, though the numbers of a list
rows(L) :- findall(X, ( between(1, 10, N), row(N, X) ), L).
row(N, low) :- N < 5.
row(N, high) :- N >= 5.
row(N, top) :- N > 10.
% right: without tools anything may be asked, though the length of a list
short(L, S) :- length(L, N), sized(N, S).
sized(N, empty) :- N =< 0.
sized(N, some) :- N > 0.
sized(N, wrong) :- N < -1.
% right: without tools anything may be asked, though how many there are
crowd(P, C) :- aggregate_all(count, visits(P, _), N), class(N, C).
class(N, none) :- N =< 0.
class(N, few) :- N > 0.
class(N, odd) :- N < -5.
visits(ann, 1).
visits(bob, 2).
% right: the second condition, where nothing is a tool
both(C, A, B) :- discount(C, A), ship(C, 3, B).
ship(C, W, Cost) :- ( vip(C) -> Cost = 0 ; W > 20 -> Cost = 15 ; Cost = 5 ).
vip(dee).
discount(dee, 5).
% right: all come
:- mode(fee(+between(integer, 0, 120), -integer), one).
fee(Age, F) :- band(Age, F).
band(A, 5) :- A < 18.
band(A, 10) :- A >= 18, A < 65.
band(A, 7) :- A >= 65.
% right: nothing is known of the numbers
level(P, L) :- age(P, A), lev(A, L).
lev(A, child) :- A < 18.
lev(A, adult) :- A >= 18.
lev(A, odd) :- A > 200.
age(ann, 30).
age(bob, 12).
% right: a clause that throws
:- mode(fee(+between(integer, 0, 120), -integer), one).
fee(Age, F) :- band(Age, F).
band(A, _) :- A > 120, throw(too_old(A)).
band(A, 5) :- A < 18.
band(A, 10) :- A >= 18.
% right: the last clause is for anything else
:- mode(fee(+between(integer, 0, 120), -integer), one).
fee(Age, F) :- band(Age, F).
band(A, 5) :- A < 18, !.
band(A, 10) :- A >= 18, !.
band(_, 0).
% right: another call has other values
:- mode(fee(+between(integer, 0, 120), -integer), one).
fee(Age, F) :- band(Age, F).
all(L) :- findall(A-F, ( member(A, [1, 300]), band(A, F) ), L).
band(A, 5) :- A < 18.
band(A, 10) :- A >= 18.
band(A, 7) :- A > 200.
% right: a call by name
:- mode(fees(+list(between(integer, 0, 120)), -list), one).
fees(L, M) :- maplist(band, L, M).
band(A, 5) :- A < 18.
band(A, 10) :- A >= 18, A < 200.
band(A, 7) :- A >= 200.
% right: a tool
tools([tool(fee, fee, 2, []), tool(band, band, 2, [])]).
:- mode(fee(+between(integer, 0, 120), -integer), one).
:- mode(band(+integer, -integer), zero_or_more).
fee(Age, F) :- band(Age, F).
band(A, 5) :- A < 18.
band(A, 10) :- A >= 18, A < 200.
band(A, 7) :- A >= 200.
% right: nothing calls it
band(A, 5) :- A < 18.
band(A, 10) :- A >= 18, A < 200.
band(A, 7) :- A >= 200.
% right: facts for more than is asked
:- mode(price(+oneof([tea, rice]), -integer), one).
price(K, P) :- cost(K, P).
cost(tea, 3).
cost(rice, 2).
cost(salt, 1).
% right: it is calculated first
:- mode(bmi(+between(integer, 1, 100), -atom), one).
bmi(W, C) :- D is W * 6, class(D, C).
class(D, low) :- D < 100.
class(D, high) :- D >= 100, D =< 500.
class(D, huge) :- D > 500.
% right: it calls itself
down(N, L) :- N > 0, M is N - 1, down(M, L).
down(N, done) :- N =< 0.
go(L) :- down(5, L).
% right: a cut under a condition
:- mode(size(+positive_integer, -atom), one).
size(N, S) :- sized(N, S).
sized(N, special) :- N > 5, lucky(N), !.
sized(N, large) :- N > 100, !.
sized(N, small) :- N =< 100.
lucky(7).
lucky(77).
% right: the first clause needs a constant that is not always given
:- mode(fare(+atom, +between(integer, 1, 9), -integer), one).
fare(K, Zones, F) :- base(K, Zones, F).
base(child, Z, 1) :- Z > 0, !.
base(_, Z, 2) :- Z =< 3, !.
base(_, Z, 4) :- Z > 3.
% right: two values that must be the same
:- mode(same(+between(integer, 1, 9), +between(integer, 1, 9), -atom), one).
same(A, B, R) :- cmp(A, B, R).
cmp(A, A, same) :- A > 0, !.
cmp(A, B, other) :- A > 0, B > 0.
% right: bounds at the ends
:- mode(shade(+byte, -atom), one).
shade(B, S) :- tone(B, S).
tone(B, black) :- B =< 0.
tone(B, grey) :- B > 0, B < 255.
tone(B, white) :- B >= 255.
% right: the list of a range
rows(L) :- findall(X, ( between(1, 10, N), row(N, X) ), L).
row(N, low) :- N < 5.
row(N, high) :- N >= 5, N < 10.
row(N, top) :- N >= 10.
% right: both callers together
:- mode(a(+between(integer, 0, 10), -atom), one).
:- mode(b(+between(integer, 5, 30), -atom), one).
a(N, X) :- kind(N, X).
b(N, X) :- kind(N, X).
kind(N, low) :- N < 8.
kind(N, high) :- N >= 8, N =< 20.
kind(N, top) :- N > 20.
% right: a branch for each
:- mode(grade(+between(integer, 0, 100), -atom), one).
grade(P, G) :- letter(P, G).
letter(P, G) :- ( P >= 80 -> G = a ; P >= 50 -> G = c ; G = f ).
% right: what a failing call would take
:- mode(ok(+between(integer, 0, 10)), zero_or_one).
ok(N) :- \+ bad(N).
bad(N) :- N > 20, fail.
bad(N) :- N =< 3.
% right: the type of the caller is any number
:- mode(level(+number, -atom), one).
level(N, L) :- lev(N, L).
lev(N, minus) :- N < 0.
lev(N, plus) :- N >= 0.
% right: a dynamic predicate
:- dynamic(lev/2).
:- mode(level(+non_negative_integer, -atom), zero_or_one).
level(N, L) :- lev(N, L).
lev(N, none) :- N < 0.
lev(N, some) :- N >= 0.
