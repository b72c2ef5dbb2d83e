%% is an input, as mode/2 says
% wrong: the input of a helper
:- mode(tax(+number, -number), one).
tax(Net, T) :- T is Net * 0.19.
gross(P, G) :- tax(N, T), price(P, N), G is N + T.
price(tea, 3).
% wrong: the table is asked too late
:- mode(grade(+integer, -atom), one).
grade(S, pass) :- S >= 50.
grade(S, fail) :- S < 50.
result(P, G) :- grade(S, G), score(P, S).
score(ann, 60).
% wrong: a test
:- mode(adult(+integer), zero_or_one).
adult(A) :- A >= 18.
adults(P) :- adult(A), person(P, A).
person(ann, 30).
% wrong: in findall
:- mode(big(+integer), zero_or_one).
big(N) :- N > 100.
all(L) :- findall(P-N, ( big(N), pop(P, N) ), L).
pop(rome, 2800).
% wrong: two inputs
:- mode(area(+number, +number, -number), one).
area(W, H, A) :- A is W * H.
room_area(R, A) :- area(W, H, A), room(R, W, H).
room(r1, 3, 4).
% wrong: the call of a call
:- mode(bmi(+number, +number, -number), one).
bmi(W, H, B) :- B is W / (H * H).
obese(P) :- bmi(W, H, B), B > 30, patient(P, W, H).
patient(ann, 60, 1.7).
% wrong: a fee by days
:- mode(fee(+integer, -number), one).
fee(D, F) :- ( D > 30 -> F = 10 ; F = 0 ).
owes(P, F) :- fee(D, F), overdue(P, D).
overdue(ann, 40).
% wrong: a condition
:- mode(eligible(+integer), zero_or_one).
eligible(Income) :- Income < 2000.
aid(P, yes) :- ( eligible(I) -> true ; fail ), income(P, I).
income(ann, 1500).
% wrong: arithmetic in a branch
:- mode(step(+integer, -integer), one).
step(X, Y) :- ( X mod 2 =:= 0 -> Y is X // 2 ; Y is 3 * X + 1 ).
run(S, Y) :- step(X, Y), start(S, X).
start(a, 7).
% wrong: in a conjunction with a test
:- mode(limit(+integer, -integer), one).
limit(A, L) :- A >= 18, L is A * 10.
limit(A, 0) :- A < 18.
credit(P, L) :- limit(A, L), L > 0, age(P, A).
age(ann, 30).
% wrong: forall
:- mode(ok(+number), zero_or_one).
ok(V) :- V >= 0.
check :- forall(ok(V), value(V)).
value(3).
% wrong: behind a test of another value
:- mode(late(+integer), zero_or_one).
late(D) :- D > 5.
punctual(P) :- trip(P, _), late(D), delay(P, D).
trip(a, 3).
delay(a, 7).
% wrong: a chain
:- mode(net(+number, -number), one).
net(G, N) :- N is G / 1.19.
:- mode(margin(+number, +number, -number), one).
margin(N, C, M) :- M is N - C.
profit(P, M) :- net(G, N), cost(P, C), margin(N, C, M), sells(P, G).
cost(tea, 1).
sells(tea, 3).
% wrong: the last goal
:- mode(score(+integer, +integer, -integer), one).
score(A, B, S) :- S is A + B.
best(S) :- score(X, Y, S), X = 1, Y = 2.
% wrong: a comparison of two
:- mode(cheaper(+number, +number), zero_or_one).
cheaper(A, B) :- A < B.
better(P, Q) :- cheaper(A, B), price(P, A), price(Q, B).
price(tea, 3).
price(milk, 2).
% wrong: in aggregate_all
:- mode(counts(+integer), zero_or_one).
counts(N) :- N > 0.
n(C) :- aggregate_all(count, ( counts(N), vote(_, N) ), C).
vote(a, 1).
% wrong: an output of nothing
:- mode(half(+integer, -integer), one).
half(X, Y) :- Y is X // 2.
tell(Z) :- half(X, Y), Z = X-Y.
% wrong: once
:- mode(small(+integer), zero_or_one).
small(N) :- N < 10.
first(P) :- once(small(N)), item(P, N).
item(a, 3).
% wrong: two clauses
:- mode(kind(+integer, -atom), one).
kind(N, even) :- N mod 2 =:= 0.
kind(N, odd) :- N mod 2 =\= 0.
kinds(I, K) :- kind(N, K), item(I, N).
item(a, 3).
% wrong: an interest
:- mode(interest(+number, +number, -number), one).
interest(P, R, I) :- I is P * R / 100.
yearly(A, I) :- interest(Amount, 5, I), account(A, Amount).
account(a1, 100).
% right: the table comes first
:- mode(tax(+number, -number), one).
tax(Net, T) :- T is Net * 0.19.
gross(P, G) :- price(P, N), tax(N, T), G is N + T.
price(tea, 3).
% right: the helper gives values itself
:- mode(rate(+atom, -number), zero_or_more).
rate(a, 1).
rate(b, 2).
all(K, R) :- rate(K, R).
% right: the input is in the head
:- mode(grade(+integer, -atom), one).
grade(S, pass) :- S >= 50.
grade(S, fail) :- S < 50.
result(S, G) :- grade(S, G).
% right: a constant
:- mode(half(+integer, -integer), one).
half(X, Y) :- Y is X // 2.
tell(Z) :- half(10, Y), Z = Y.
% right: an output
:- mode(pick(-integer), one).
pick(3).
use(X) :- pick(X).
% right: between
:- mode(big(+integer), zero_or_one).
big(N) :- N > 5.
bigs(L) :- findall(N, ( between(1, 9, N), big(N) ), L).
% right: two modes
:- mode(conv(+integer, -atom), one).
:- mode(conv(-integer, +atom), one).
conv(N, A) :- ( var(N) -> atom_number(A, N) ; atom_number(A, N) ).
back(A, N) :- conv(N, A).
% right: the clause asks
:- mode(show(+any, -atom), one).
show(X, T) :- ( var(X) -> T = none ; T = some ).
probe(T) :- show(_, T).
% right: facts
:- mode(colour(+atom, -atom), zero_or_more).
colour(leaf, green).
find(X) :- colour(X, green).
% right: not used elsewhere
:- mode(free(+any), one).
free(_).
go :- free(_).
% right: member binds
:- mode(in(+integer), zero_or_more).
in(X) :- member(X, [1, 2, 3]).
every(X) :- in(X).
% right: an optional argument
:- mode(search(?atom, -atom), zero_or_more).
search(K, V) :- entry(K, V).
entry(a, b).
any(V) :- search(_, V).
% right: a mode ?
:- mode(look(?integer, ?atom), zero_or_more).
look(1, a).
look(2, b).
which(N) :- look(N, b).
% right: the first goal of the helper asks facts
:- mode(cost(+atom, -number), zero_or_one).
cost(I, C) :- price(I, P), C is P * 2.
price(tea, 3).
list(I, C) :- cost(I, C).
% right: clpfd
:- use_module(library(clpfd)).
:- mode(twice(+integer, -integer), one).
twice(X, Y) :- Y #= 2 * X.
from(X) :- twice(X, 8).
% right: a default
:- mode(level(+integer, -atom), one).
level(_, low).
lev(L) :- level(_, L).
% right: bound in the condition
:- mode(ok(+number), zero_or_one).
ok(V) :- V >= 0.
t(P) :- ( value(P, V) -> ok(V) ; true ).
value(a, 3).
% right: bound by =
:- mode(ok(+number), zero_or_one).
ok(V) :- V >= 0.
t :- V = 3, ok(V).
% right: a closure
:- mode(ok(+number), zero_or_one).
ok(V) :- V >= 0.
t(L) :- include(ok, L, _).
% right: a lambda
:- mode(ok(+number), zero_or_one).
ok(V) :- V >= 0.
t(L) :- maplist([V]>>ok(V), L).
% right: forall with a generator
:- mode(ok(+number), zero_or_one).
ok(V) :- V >= 0.
check :- forall(value(V), ok(V)).
value(3).
