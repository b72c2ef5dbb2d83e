%% fits several answers
% wrong: a phone of a person
:- mode(phone_of(+atom, -integer), one).
phone_of(P, N) :- phone(P, N).
phone(ann, 1).
phone(bob, 2).
phone(ann, 3).
% wrong: turned around
:- mode(owner(+atom, -atom), zero_or_one).
owner(Car, P) :- owns(P, Car).
owns(ann, vw).
owns(bob, vw).
% wrong: with a constant
:- mode(boss(+atom, -atom), zero_or_one).
boss(T, P) :- role(P, T, lead).
role(ann, red, lead).
role(bob, red, lead).
role(cid, blue, lead).
% wrong: a member of a list
:- mode(tag(+atom, -atom), one).
tag(P, T) :- tags(P, L), member(T, L).
tags(a, [x, y]).
tags(b, [z]).
% wrong: a range
:- mode(seat(+atom, -integer), zero_or_one).
seat(R, N) :- row(R, L, H), between(L, H, N).
row(a, 1, 10).
row(b, 11, 12).
% wrong: two inputs
:- mode(dose(+atom, +atom, -integer), one).
dose(D, G, N) :- table(D, G, _, N).
table(ibu, adult, day, 3).
table(ibu, adult, night, 1).
% wrong: a version
:- mode(version(+atom, -integer), one).
version(F, V) :- saved(F, V, _).
saved(r, 1, mon).
saved(r, 2, tue).
% wrong: a supplier
:- mode(supplier(+atom, -atom), zero_or_one).
supplier(I, S) :- delivers(S, I).
delivers(s1, tea).
delivers(s2, tea).
delivers(s2, milk).
% wrong: an address
:- mode(address(+atom, -string), one).
address(P, A) :- lives(P, A, _).
lives(ann, "A St 1", 2020).
lives(ann, "B St 2", 2024).
% wrong: a teacher of a course
:- mode(teacher(+atom, -atom), zero_or_one).
teacher(C, T) :- teaches(T, C).
teaches(eva, ai).
teaches(tom, ai).
teaches(tom, ml).
% wrong: next stop
:- mode(next_stop(+atom, -atom), zero_or_one).
next_stop(A, B) :- link(A, B, _).
link(a, b, 1).
link(a, c, 2).
% wrong: a text of a code
:- mode(reason(+integer, -atom), one).
reason(C, R) :- code(R, C).
code(late, 1).
code(lost, 1).
code(broken, 2).
% wrong: a number of a member
:- mode(grade(+atom, -integer), one).
grade(S, G) :- marks(S, Gs), member(G, Gs).
marks(ann, [1, 2, 3]).
% wrong: the doctor
:- mode(doctor(+atom, -atom), zero_or_one).
doctor(P, D) :- treats(D, P).
treats(d1, p1).
treats(d2, p1).
% wrong: a rate with a year left out
:- mode(rate(+atom, -number), zero_or_one).
rate(C, R) :- rates(C, _, R).
rates(de, 2020, 16).
rates(de, 2021, 19).
% wrong: the key is the second column
:- mode(name_of(+integer, -atom), zero_or_one).
name_of(Id, N) :- person(N, Id).
person(ann, 1).
person(bob, 1).
% wrong: hours
:- mode(opens(+atom, -integer), zero_or_one).
opens(D, H) :- hours(D, H, _).
hours(mon, 8, 12).
hours(mon, 14, 18).
% wrong: three outputs
:- mode(line(+atom, -atom, -integer), zero_or_one).
line(O, I, N) :- order_line(O, I, N).
order_line(o1, tea, 2).
order_line(o1, milk, 1).
% wrong: room of a day
:- mode(room(+atom, -atom), one).
room(Course, R) :- booked(R, Course, _).
booked(r1, ai, mon).
booked(r2, ai, tue).
% wrong: a parent
:- mode(parent_of(+atom, -atom), zero_or_one).
parent_of(C, P) :- parent(P, C).
parent(ann, cid).
parent(bob, cid).
% right: one answer each
:- mode(phone_of(+atom, -integer), zero_or_one).
phone_of(P, N) :- phone(P, N).
phone(ann, 1).
phone(bob, 2).
% right: several are promised
:- mode(phone_of(+atom, -integer), zero_or_more).
phone_of(P, N) :- phone(P, N).
phone(ann, 1).
phone(ann, 3).
% right: once
:- mode(phone_of(+atom, -integer), zero_or_one).
phone_of(P, N) :- once(phone(P, N)).
phone(ann, 1).
phone(ann, 3).
% right: a cut
:- mode(phone_of(+atom, -integer), zero_or_one).
phone_of(P, N) :- phone(P, N), !.
phone(ann, 1).
phone(ann, 3).
% right: the list
:- mode(phones(+atom, -list(integer)), one).
phones(P, L) :- findall(N, phone(P, N), L).
phone(ann, 1).
phone(ann, 3).
% right: a goal chooses
:- mode(version(+atom, -integer), zero_or_one).
version(F, V) :- saved(F, V), \+ ( saved(F, W), W > V ).
saved(r, 1).
saved(r, 2).
% right: memberchk
:- mode(tag(+atom, +atom), zero_or_one).
tag(P, T) :- tags(P, L), memberchk(T, L).
tags(a, [x, y]).
% right: lists of one
:- mode(tag(+atom, -atom), zero_or_one).
tag(P, T) :- tags(P, L), member(T, L).
tags(a, [x]).
tags(b, [z]).
% right: all inputs
:- mode(ok(+atom, +atom), zero_or_one).
ok(P, I) :- likes(P, I).
likes(ann, tea).
likes(ann, milk).
% right: a constant makes it one
:- mode(boss(+atom, -atom), zero_or_one).
boss(T, P) :- role(P, T, lead).
role(ann, red, lead).
role(bob, red, dev).
% right: the same answer
:- mode(kind(+atom, -atom), zero_or_one).
kind(P, K) :- item(P, K, _).
item(a, x, 1).
item(b, y, 2).
% right: an aggregate
:- mode(latest(+atom, -integer), zero_or_one).
latest(F, V) :- aggregate_all(max(N), saved(F, N), V).
saved(r, 1).
saved(r, 2).
% right: order_by
:- use_module(library(solution_sequences)).
:- mode(latest(+atom, -integer), zero_or_one).
latest(F, V) :- limit(1, order_by([desc(V)], saved(F, V))).
saved(r, 1).
saved(r, 2).
% right: a range of one
:- mode(seat(+atom, -integer), zero_or_one).
seat(R, N) :- row(R, L, H), between(L, H, N).
row(a, 1, 1).
% right: last
:- mode(last_mark(+atom, -integer), zero_or_one).
last_mark(S, G) :- marks(S, L), last(L, G).
marks(ann, [1, 2]).
% right: a year is given
:- mode(rate(+atom, +integer, -number), zero_or_one).
rate(C, Y, R) :- rates(C, Y, R).
rates(de, 2020, 16).
rates(de, 2021, 19).
% right: dynamic facts
:- dynamic(phone/2).
:- mode(phone_of(+atom, -integer), zero_or_one).
phone_of(P, N) :- phone(P, N).
phone(ann, 1).
% right: an if-then-else
:- mode(phone_of(+atom, -integer), one).
phone_of(P, N) :- ( phone(P, M) -> N = M ; N = 0 ).
phone(ann, 1).
phone(ann, 3).
% right: sumlist
:- mode(total(+atom, -integer), one).
total(P, N) :- aggregate_all(sum(X), phone(P, X), N).
phone(ann, 1).
phone(ann, 3).
% right: a test of two
:- mode(shares(+atom, +atom), zero_or_one).
shares(P, Q) :- phone(P, N), phone(Q, N).
phone(ann, 1).
phone(bob, 1).
