%% stand in each other's place: mode/2
% wrong: a number and a name
:- mode(fee(+atom, +integer, -integer), one).
fee(_, A, F) :- F is A * 2.
age(ann, 30).
due(P, F) :- age(P, A), fee(A, P, F).
% wrong: constants
:- mode(price(+atom, +integer, -integer), one).
price(_, N, P) :- P is N * 3.
three(P) :- price(3, tea, P).
% wrong: a date and a name
:- mode(rate(+date, +atom, -integer), one).
rate(_, _, 7).
order(o1, food, date(2024, 5, 1)).
tax(O, R) :- order(O, C, D), rate(C, D, R).
% wrong: a list and a number
:- mode(first(+integer, +list, -list), one).
first(_, L, L).
three(L, R) :- findall(X, p(X), L), first(L, 3, R).
p(a).
p(b).
% wrong: a string and a number
:- mode(label(+string, +integer, -string), one).
label(S, _, S).
show(R) :- label(5, "tea", R).
% wrong: two lists of values
:- mode(cost(+oneof([food, books]), +oneof([de, fr]), -integer), one).
cost(_, _, 7).
country(a, de).
country(b, fr).
kind(a, food).
kind(b, books).
c(X, C) :- country(X, L), kind(X, K), cost(L, K, C).
% wrong: constants of two lists
:- mode(cost(+oneof([food, books]), +oneof([de, fr]), -integer), one).
cost(_, _, 7).
c(C) :- cost(de, food, C).
% wrong: a boolean and a number
:- mode(pay(+integer, +boolean, -integer), one).
pay(N, _, N).
p(X) :- pay(true, 5, X).
% wrong: behind a calculation
:- mode(pay(+integer, +atom, -integer), one).
pay(N, _, N).
hours(ann, 7).
p(P, X) :- hours(P, H), M is H * 60, pay(P, M, X).
% wrong: in a collection
:- mode(pay(+integer, +atom, -integer), one).
pay(N, _, N).
hours(ann, 7).
all(L) :- findall(X, ( hours(P, H), pay(P, H, X) ), L).
% wrong: in a condition
:- mode(late(+atom, +integer), zero_or_one).
late(_, N) :- N > 3.
days(b1, 7).
fine(B, F) :- days(B, D), ( late(D, B) -> F = 5 ; F = 0 ).
% wrong: in a negation
:- mode(late(+atom, +integer), zero_or_one).
late(_, N) :- N > 3.
days(b1, 7).
ok(B) :- days(B, D), \+ late(D, B).
% wrong: the first and the third
:- mode(ship(+atom, +oneof([air, sea]), +integer, -integer), one).
ship(_, _, W, W).
item(box, 5).
c(I, C) :- item(I, W), ship(W, air, I, C).
% wrong: mode/2 of the caller
:- mode(quote(+atom, +integer, -integer), one).
:- mode(price(+integer, +atom, -integer), one).
quote(I, N, P) :- price(I, N, P).
price(N, _, P) :- P is N * 3.
% wrong: a decimal and a name
:- mode(gross(+atom, +decimal, -decimal), one).
gross(_, N, N).
net(i1, 10).
g(I, G) :- net(I, N), gross(N, I, G).
% wrong: a term and a name
:- mode(at(+atom, +date), zero_or_one).
at(_, _).
ev(e1, date(2024, 1, 1)).
x(E) :- ev(E, D), at(D, E).
% wrong: a range of numbers and a name
:- mode(score(+atom, +between(integer, 0, 100), -atom), one).
score(_, S, R) :- ( S > 50 -> R = ok ; R = fail ).
r(R) :- score(70, ann, R).
% wrong: a string of the caller
:- mode(q(+string, +integer, -integer), one).
:- mode(p(+integer, +string, -integer), one).
q(S, N, R) :- p(S, N, R).
p(N, _, N).
% wrong: texts and numbers from format
:- mode(line(+integer, +atom), one).
line(N, T) :- format("~d ~a~n", [N, T]).
row(tea, 3).
rows :- forall(row(T, N), line(T, N)).
% wrong: numbers of aggregate_all
:- mode(share(+atom, +integer, -integer), one).
share(_, N, N).
p(ann).
s(P, S) :- p(P), aggregate_all(count, p(_), N), share(N, P, S).
% right: in their places
:- mode(fee(+atom, +integer, -integer), one).
fee(_, A, F) :- F is A * 2.
age(ann, 30).
due(P, F) :- age(P, A), fee(P, A, F).
% right: nothing is known
:- mode(fee(+atom, +integer, -integer), one).
fee(_, A, F) :- F is A * 2.
due(P, A, F) :- fee(A, P, F).
% right: one is not known
:- mode(fee(+atom, +integer, -integer), one).
fee(_, A, F) :- F is A * 2.
due(P, F) :- age(P, A), fee(P, A, F).
:- dynamic(age/2).
% right: both are numbers
:- mode(box(+integer, +integer, -integer), one).
box(A, B, C) :- C is A * B.
size(x, 3, 5).
c(X, C) :- size(X, A, B), box(B, A, C).
% right: both are names
:- mode(kin(+atom, +atom), zero_or_one).
kin(A, B) :- parent(A, B).
parent(ann, bob).
x(A, B) :- parent(A, B), kin(B, A).
% right: two modes
:- mode(pay(+integer, +atom, -integer), one).
:- mode(pay(+atom, +integer, -integer), one).
pay(N, _, N).
p(X) :- pay(a, 5, X).
% right: any term
:- mode(pair(+any, +any, -any), one).
pair(A, B, A-B).
p(X) :- pair(3, a, X).
% right: lists of values in their places
:- mode(cost(+oneof([food, books]), +oneof([de, fr]), -integer), one).
cost(_, _, 7).
c(C) :- cost(food, de, C).
% right: a value that is in both
:- mode(cost(+oneof([a, b]), +oneof([b, c]), -integer), one).
cost(_, _, 7).
c(C) :- cost(b, b, C).
% right: a number that may be a float
:- mode(gross(+decimal, +number, -number), one).
gross(A, B, C) :- C is A + B.
g(C) :- gross(1, 2, C).
% right: maybe a number
:- mode(pay(+maybe(integer), +atom, -integer), one).
pay(N, _, N).
p(X) :- pay(null, a, X).
% right: no mode/2
pay(N, _, N).
p(X) :- pay(a, 5, X).
% right: an output and an input
:- mode(pay(+atom, -integer), one).
pay(_, 3).
p(X) :- pay(a, X).
% right: a list of the caller
:- mode(q(+list, +integer, -list), one).
:- mode(first(+list, +integer, -list), one).
q(L, N, R) :- first(L, N, R).
first(L, _, L).
% right: a compound
:- mode(at(+atom, +date), zero_or_one).
at(_, _).
ev(e1, date(2024, 1, 1)).
x(E) :- ev(E, D), at(E, D).
% right: booleans
:- mode(pay(+integer, +boolean, -integer), one).
pay(N, _, N).
p(X) :- pay(5, true, X).
% right: texts
:- mode(label(+string, +atom, -string), one).
label(S, _, S).
show(R) :- label("tea", a, R).
% right: a named type
:- type(age, integer).
:- mode(fee(+atom, +age, -integer), one).
fee(_, A, F) :- F is A * 2.
f(F) :- fee(ann, 3, F).
% right: three arguments
:- mode(ship(+atom, +oneof([air, sea]), +integer, -integer), one).
ship(_, _, W, W).
item(box, 5).
c(I, C) :- item(I, W), ship(I, air, W, C).
% right: through another predicate
:- mode(fee(+atom, +integer, -integer), one).
fee(_, A, F) :- F is A * 2.
age(ann, 30).
due(P, F) :- both(P, A), fee(P, A, F).
both(P, A) :- age(P, A).
