%% has one answer
% wrong: all rates are listed
rate(books, 7) :- !.
rate(food, 7) :- !.
rate(_, 19).
rates(L) :- findall(K-R, rate(K, R), L).
% wrong: the first band
grade(90, a) :- !.
grade(80, b) :- !.
grade(70, c).
all(L) :- findall(M-G, grade(M, G), L).
% wrong: forall
fee(express, 9) :- !.
fee(std, 4) :- !.
fee(pickup, 0).
cheap :- forall(fee(K, F), ( F < 10, K \== none )).
% wrong: a count
level(low, 1) :- !.
level(mid, 2) :- !.
level(high, 3).
n(N) :- aggregate_all(count, level(_, _), N).
levels(N) :- aggregate_all(max(X), level(K, X), N), writeln(K).
% wrong: a fact and a cut
active(P) :- person(P), !.
active(nobody).
person(ann).
person(bob).
all(L) :- findall(P, active(P), L).
% wrong: setof
kind(a, x) :- !.
kind(b, y) :- !.
kind(c, z).
kinds(L) :- setof(K, X^kind(X, K), L).
% wrong: bagof
shift(early, 6) :- !.
shift(late, 14) :- !.
shift(night, 22).
hours(L) :- bagof(S-H, shift(S, H), L).
% wrong: a sum over all
weight(tea, 3) :- !.
weight(milk, 2) :- !.
weight(sugar, 1).
total(T) :- aggregate_all(sum(W), weight(_I, W), T).
% wrong: a search by value
code(de, 49) :- !.
code(fr, 33) :- !.
code(se, 46).
country(C, N) :- code(C, N).
list(L) :- findall(C, country(C, _), L).
% wrong: in a nested findall
size(s, 1) :- !.
size(m, 2) :- !.
size(l, 3).
table(L) :- findall(X, ( member(X, [a]), findall(S, size(S, _), Ss), Ss \== [] ), L).
% wrong: a string key
vat("DE", 19) :- !.
vat("FR", 20) :- !.
vat("SE", 25).
all(L) :- findall(C-V, vat(C, V), L).
% wrong: a number key
name_of(1, mon) :- !.
name_of(2, tue) :- !.
name_of(3, wed).
days(L) :- findall(D, name_of(_N, D), L).
% wrong: three arguments
price(tea, s, 2) :- !.
price(tea, l, 3) :- !.
price(milk, s, 1).
menu(L) :- findall(p(I, S, P), price(I, S, P), L).
% wrong: a default behind
limit(gold, 5000) :- !.
limit(silver, 2000) :- !.
limit(_, 500).
tiers(L) :- setof(T, X^limit(T, X), L).
% wrong: the first clause has a body
rank(gold, X) :- !, X = 1.
rank(silver, X) :- !, X = 2.
rank(bronze, 3).
ranks(L) :- findall(R, rank(_T, R), L).
% wrong: the last of all
speed(city, 50) :- !.
speed(land, 100) :- !.
speed(motorway, 130).
fastest(S) :- aggregate_all(max(V), speed(_R, V), S).
% wrong: a list is made and sorted
dose(ibu, 400) :- !.
dose(para, 500) :- !.
dose(asp, 100).
by_dose(S) :- findall(D-N, dose(N, D), L), keysort(L, S).
% wrong: forall prints all
colour(leaf, green) :- !.
colour(sky, blue) :- !.
colour(sun, yellow).
show :- forall(colour(T, C), format("~w ~w~n", [T, C])).
% wrong: through two predicates
seat(a, 1) :- !.
seat(b, 2) :- !.
seat(c, 3).
free(S, N) :- seat(S, N), N > 1.
count(C) :- aggregate_all(count, free(_, _), C).
% wrong: a fact behind a cut is asked of all
owner(Car, P) :- owns(P, Car), !.
owner(none, nobody).
owns(ann, vw).
owns(bob, kia).
cars(L) :- findall(C, owner(C, _P), L).
% right: a constant is asked
rate(books, 7) :- !.
rate(food, 7) :- !.
rate(_, 19).
of(R) :- rate(books, R).
% right: the key is given
rate(books, 7) :- !.
rate(_, 19).
all(L) :- findall(K-R, ( kind(K), rate(K, R) ), L).
kind(books).
kind(food).
% right: facts without cuts
rate(books, 7).
rate(food, 7).
all(L) :- findall(K-R, rate(K, R), L).
% right: member gives the key
fee(express, 9) :- !.
fee(_, 4).
all(L) :- findall(K-F, ( member(K, [express, std]), fee(K, F) ), L).
% right: the first alone is asked
active(P) :- person(P), !.
person(ann).
person(bob).
one(P) :- active(P).
% right: a tool of one answer
:- mode(first(-atom), zero_or_one).
first(P) :- person(P), !.
person(ann).
person(bob).
% right: a cut behind a test of the input
grade(S, a) :- S >= 90, !.
grade(S, b) :- S >= 80, !.
grade(_, c).
all(L) :- findall(P-G, ( score(P, S), grade(S, G) ), L).
score(ann, 95).
% right: once
rate(books, 7) :- !.
rate(_, 19).
any(K, R) :- once(rate(K, R)).
% right: forall with a generator
fee(express, 9) :- !.
fee(_, 4).
ok :- forall(kind(K), fee(K, _)).
kind(express).
% right: in a negation
fee(express, 9) :- !.
fee(_, 4).
none :- \+ fee(_, 9).
% right: in a condition
fee(express, 9) :- !.
fee(_, 4).
c(X) :- ( fee(K, F) -> X = K-F ; X = none ).
% right: the key comes from facts
vat("DE", 19) :- !.
vat(_, 25).
all(L) :- findall(C-V, ( land(C), vat(C, V) ), L).
land("DE").
land("FR").
% right: between gives the key
name_of(1, mon) :- !.
name_of(_, other).
days(L) :- findall(D, ( between(1, 3, N), name_of(N, D) ), L).
% right: the caller passes the key on
seat(a, 1) :- !.
seat(_, 3).
free(S, N) :- seat(S, N).
go(N) :- free(a, N).
% right: a red cut in the only clause
first(X) :- item(X), !.
item(a).
item(b).
show(X) :- first(X).
% right: an accumulator
len([], N, N) :- !.
len([_|T], N0, N) :- N1 is N0 + 1, len(T, N1, N).
size(L, N) :- len(L, 0, N).
% right: a mode makes it an output
:- mode(status(+integer, -atom), one).
status(X, low) :- X < 10, !.
status(_, high).
all(L) :- findall(X-S, ( member(X, [1, 20]), status(X, S) ), L).
% right: a list of keys
rate(books, 7) :- !.
rate(_, 19).
rates(Ks, L) :- maplist(rate, Ks, L).
% right: a lambda with the key
rate(books, 7) :- !.
rate(_, 19).
rates(Ks, L) :- findall(R, ( member(K, Ks), rate(K, R) ), L).
% right: the cut is in a branch
kind(X, K) :- ( X == a -> K = first ; K = other ).
kinds(L) :- findall(X-K, ( member(X, [a, b]), kind(X, K) ), L).
