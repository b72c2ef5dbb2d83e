% wrong: a cut first
f(_, _) :- !.
f(a, first).
% wrong: a cut first, with a body
f(_, _) :- !, fail.
f(a, first).
% wrong: the same head
f(X, a) :- !, atom(X).
f(X, a) :- number(X).
% wrong: a list
f([_|_], _) :- !.
f([a], x).
% wrong: the third clause
f(a, 1).
f(_, _) :- !.
f(b, 2).
% wrong: a repeated variable
f(X, X) :- !.
f(a, a).
% wrong: a compound
f(g(_), _) :- !.
f(g(1), one).
% wrong: no arguments
f :- !.
f :- writeln(x).
% wrong: behind a rule
f(X, big) :- X > 10.
f(_, _) :- !.
f(X, small) :- X < 5.
% wrong: two of them
f(_) :- !.
f(a).
f(b).
% wrong: nested compounds
f(g(h(_), _)) :- !.
f(g(h(1), 2)).
% wrong: a number
f(1, _) :- !.
f(1, one).
% wrong: a string
f("a", _) :- !.
f("a", b).
% wrong: three arguments
f(_, b, _) :- !.
f(a, b, c).
% wrong: another name of a variable
f(A, _) :- !, atom(A).
f(B, x) :- atom(B).
% wrong: a cut and goals
f(_, _) :- !, true.
f(a, yes) :- true.
% wrong: the empty list
f([], _) :- !.
f([], x).
% wrong: a catch-all before all others
:- mode(grade(+integer, -atom), zero_or_more).
grade(_, none) :- !.
grade(S, a) :- S >= 90.
grade(S, b) :- S >= 80.
% wrong: the tail
f([_|_]) :- !.
f([a, b|_]).
% wrong: a grammar as clauses
w([a|T], T) :- !.
w([a|T], T).
% wrong: a helper has a value of the caller's type misspelt
:- type(fault, oneof([screen, battery, liquid])).
:- mode(covered(+fault, -atom), zero_or_one).
:- info(covered/2, [comment is 'Cover.', arguments is [fault - 'What', cover - 'Cover']]).
tools([covered/2]).
covered(Fault, Cover) :- device(_), cover(Fault, Cover).
cover(liquid, none).
cover(batery, half).
cover(screen, full).
device(s1).
% wrong: a test that holds for each value, and a cut
:- mode(waste(+atom, -atom), one).
waste(Thing, residual) :- atom(Thing), !.
waste(paper, blue).
waste(glass, green).
% wrong: two such tests
:- mode(toll(+positive_integer, +number, -integer), one).
toll(Axles, Tons, 10) :- integer(Axles), number(Tons), !.
toll(2, _, 5).
% wrong: that there is a value
:- mode(greeting(+string, -string), one).
greeting(Name, "hello") :- nonvar(Name), string(Name), !.
greeting("Ann", "hi").
% right: a helper has more values than the caller's type
:- mode(price(+oneof([small, large]), -integer), one).
price(S, P) :- size(S, P).
size(small, 1).
size(large, 2).
size(medium, 3).
% right: a value is near to one that has a clause of its own
:- mode(price(+oneof([small, large]), -integer), one).
price(S, P) :- size(S, P).
size(small, 1).
size(large, 2).
size(larger, 3).
% right: another call has any value
:- mode(price(+oneof([small, large]), -integer), zero_or_one).
price(S, P) :- size(S, P).
all(L) :- findall(S, size(S, _), L).
size(smal, 1).
size(large, 2).
% right: a guard before the cut
f(X, big) :- X > 10, !.
f(_, small).
% right: the general one last
f(a, first) :- !.
f(_, other).
% right: another constant
f(a, 1) :- !.
f(b, 2).
% right: less general
f(a, _) :- !.
f(_, x).
% right: no cut
f(_, other).
f(a, first).
% right: repeated variables
f(X, X) :- !.
f(a, b).
% right: the cut comes later
f(X) :- atom(X), !.
f(a).
% right: a longer list
f([_]) :- !.
f([_, _]).
% right: another functor
f(g(_)) :- !.
f(h(_)).
% right: another arity
f(g(_)) :- !.
f(g(_, _)).
% right: facts may be added
:- dynamic(f/1).
f(_) :- !.
f(a).
% right: the empty list
f([]) :- !.
f([_|T]) :- f(T).
% right: a number and an atom
f(1) :- !.
f('1').
% right: a string and an atom
f("a") :- !.
f(a).
% right: an integer and a float
f(1) :- !.
f(1.0).
% right: one clause
f(_) :- !.
% right: other predicates
f(_) :- !.
g(a).
% right: a cut in a condition
f(X) :- ( X = a -> true ; fail ).
f(b).
% right: a cut in a negation
f(X) :- \+ ( X = a, ! ).
f(b).
% right: a variable in its place
f(_, a) :- !.
f(x, _).
% right: grammar
w --> [a], !.
w --> [b].
% wrong: a narrower bound behind a wider one
:- mode(size(+integer, -atom), zero_or_one).
size(X, big) :- X > 100, !.
size(X, small) :- X > 10, !.
size(X, medium) :- X > 50, !.
% wrong: the same in branches
:- mode(size(+integer, -atom), one).
size(X, S) :- ( X > 10 -> S = small ; X > 50 -> S = medium ; S = tiny ).
% wrong: a condition that always holds
g(X, R) :- ( true -> R = a ; X > 1 -> R = b ; R = c ).
% wrong: bounds that exclude each other
:- mode(mid(+integer, -atom), zero_or_one).
mid(X, low) :- X < 10.
mid(X, never) :- X > 20, X < 15.
% right: bounds from the narrowest on
:- mode(size(+integer, -atom), zero_or_one).
size(X, big) :- X > 100, !.
size(X, medium) :- X > 50, !.
size(X, small) :- X > 10, !.
% right: another goal before the cut
:- mode(size(+integer, -atom), zero_or_one).
size(X, small) :- X > 10, known(X), !.
size(X, medium) :- X > 50, !.
known(11).
% right: the last branch begins with true
g(X, R) :- ( X > 1 -> R = b ; true -> R = c ).
% wrong: a table of cuts is asked for all
all(L) :- findall(T-D, tier(T, D), L).
tier(gold, 20) :- !.
tier(silver, 10) :- !.
tier(_, 0).
% wrong: a table of cuts generates
offers(P) :- tier(T, D), atom(T), P is 100 - D.
tier(gold, 20) :- !.
tier(silver, 10) :- !.
% wrong: the answer stands in the call
needs_help(S) :- grade(S, fail_mark).
grade(S, pass) :- S >= 50, !.
grade(_, fail_mark).
top(S) :- grade(S, G), G == pass.
% wrong: the default is asked for
:- mode(size(+integer, -atom), one).
size(N, large) :- N > 100, !.
size(N, medium) :- N > 10, !.
size(_, small).
little(N) :- size(N, small).
% wrong: no value is called other
points(C, P) :- level(C, L), tier(L, P).
tier(gold, 3).
tier(silver, 2).
tier(other, 1).
level(ann, gold).
level(bob, bronze).
% wrong: a default by name
fee(C, F) :- country(C, Z), rate(Z, F).
rate(eu, 5).
rate(us, 9).
rate(default, 15).
country(ann, eu).
country(bob, jp).
% right: the table is asked for one
p(T, D) :- level(T), tier(T, D).
tier(gold, 20) :- !.
tier(silver, 10) :- !.
tier(_, 0).
level(gold).
level(tin).
% right: the grade is compared behind the call
needs_help(S) :- grade(S, G), G == fail_mark.
grade(S, pass) :- S >= 50, !.
grade(_, fail_mark).
% right: the first answer stands in the call
passes(S) :- grade(S, pass).
grade(S, pass) :- S >= 50, !.
grade(_, fail_mark).
% right: the second argument is an input
ok(U) :- can(U, view).
can(U, edit) :- admin(U), !.
can(_, view).
admin(ann).
% right: other is a value
points(C, P) :- level(C, L), tier(L, P).
tier(gold, 3).
tier(other, 1).
level(ann, gold).
level(bob, other).
% wrong: a cut behind facts, where all are asked for
:- mode(poor(-atom), zero_or_more).
poor(Person) :- score(Person, S), S < 400.
score(Person, S) :- scored(Person, S), !.
score(_, 500).
scored(ann, 300).
scored(bob, 200).
% wrong: a cut behind facts, within findall
total(T) :- findall(P, price(_, P), L), sum_list(L, T).
price(Item, P) :- listed(Item, P), !.
price(_, 1).
listed(tea, 3).
listed(milk, 2).
% right: a cut behind facts, for one value
:- mode(poor(-atom), zero_or_more).
poor(Person) :- person(Person), score(Person, S), S < 400.
person(ann).
person(bob).
person(cid).
score(Person, S) :- scored(Person, S), !.
score(_, 500).
scored(ann, 300).
scored(bob, 200).
% right: the first will do
:- mode(some(-atom), zero_or_one).
some(Person) :- score(Person, S), S < 400.
score(Person, S) :- scored(Person, S), !.
score(_, 500).
scored(ann, 300).
scored(bob, 200).
% right: one fact
:- mode(poor(-atom), zero_or_more).
poor(Person) :- score(Person, S), S < 400.
score(Person, S) :- scored(Person, S), !.
score(none, 0).
scored(ann, 300).
% right: fractions and floats as bounds of integers
:- mode(a(+integer, -atom), zero_or_one).
a(X, one) :- X =:= 1.0.
a(X, two) :- X =:= 2.
a(X, more) :- X > 5r2, X =< 9r2.
a(X, below) :- X < -5r3.
% right: fractions as bounds of numbers
:- mode(rate(+decimal, -atom), zero_or_one).
rate(W, letter) :- W < 3r2.
rate(W, parcel) :- W >= 3r2, W < 30.
% right: integers between floats
:- mode(a(+integer, -atom), zero_or_one).
a(X, three) :- X > 2.0, X < 4.0.
% right: infinite bounds
:- mode(a(+integer, -atom), one).
a(X, any) :- X < inf, X > -inf.
% right: a bound at the edge of 64 bits
:- mode(a(+integer, -atom), zero_or_one).
a(X, large) :- X >= 9223372036854775807.
a(X, larger) :- X > 2 ** 70.
% wrong: no integer is a fraction
:- mode(a(+integer, -atom), zero_or_one).
a(X, half) :- X =:= 5 rdiv 2.
a(X, none) :- X < 2.
% wrong: no integer is between
:- mode(a(+integer, -atom), zero_or_one).
a(X, between) :- X > 2.2, X < 2.8.
a(X, other) :- X >= 3.
% right: a test that tells numbers from integers
:- mode(round_up(+number, -integer), one).
round_up(N, N) :- integer(N), !.
round_up(N, M) :- M is ceiling(N).
% right: a test of any value
:- mode(kind(+any, -atom), one).
kind(X, name) :- atom(X), !.
kind(_, other).
% right: a test of what may be left out
:- mode(price(?atom, -integer), one).
price(Card, 5) :- nonvar(Card), !.
price(_, 9).
% right: a test of an output
:- mode(first(+list(integer), -integer), zero_or_one).
first([X|_], Y) :- integer(X), !, Y = X.
first([_|Xs], Y) :- first(Xs, Y).
