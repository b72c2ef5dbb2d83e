%% is not dynamic
% wrong: an order is added
order(1, tea).
add(N, I) :- assertz(order(N, I)).
% wrong: assert
seen(a).
mark(X) :- assert(seen(X)).
% wrong: asserta
visit(rome).
go(C) :- asserta(visit(C)).
% wrong: retract
stock(tea, 3).
take(I) :- retract(stock(I, _)).
% wrong: retract and assertz
balance(ann, 100).
pay(P, X) :- retract(balance(P, B)), C is B - X, assertz(balance(P, C)).
% wrong: retractall
session(1).
clear :- retractall(session(_)).
% wrong: in a branch
vote(ann, yes).
cast(P, V) :- ( vote(P, _) -> true ; assertz(vote(P, V)) ).
% wrong: within forall
done(a).
finish(L) :- forall(member(X, L), assertz(done(X))).
% wrong: within findall
copy(a).
all(L) :- findall(X, ( member(X, [b, c]), assertz(copy(X)) ), L).
% wrong: a rule is stored
allowed(X) :- X == ann.
grant(P) :- assertz((allowed(P) :- true)).
% wrong: another predicate is dynamic
:- dynamic(item/2).
item(a, 1).
price(a, 10).
set(I, P) :- retractall(price(I, _)), assertz(price(I, P)).
% wrong: behind a negation
member_of(club, ann).
join(P) :- \+ member_of(club, P), assertz(member_of(club, P)).
% wrong: once
counter(0).
next(N) :- once(retract(counter(N0))), N is N0 + 1, assertz(counter(N)).
% wrong: the wrong arity is dynamic
:- dynamic(log/1).
log(start, 0).
note(X, T) :- assertz(log(X, T)).
% wrong: maplist
flag(a).
flags(L) :- maplist([X]>>assertz(flag(X)), L).
% wrong: with ignore
lock(door).
open(X) :- ignore(retract(lock(X))).
% wrong: in the recovery of a catch
failed(none).
try(G) :- catch(G, _, assertz(failed(G))).
% wrong: an update of a status
status(t1, open).
finish(T) :- retract(status(T, open)), assertz(status(T, closed)).
% wrong: retract of a rule
rule(X) :- X > 3.
drop :- retract((rule(_) :- _)).
% wrong: a booking
booked(r1, 9).
book(R, H) :- \+ booked(R, H), assertz(booked(R, H)).
% wrong: with arguments of a tool
:- mode(enrol(+atom, +atom), zero_or_one).
enrolled(ann, ai).
enrol(P, C) :- assertz(enrolled(P, C)).
% right: dynamic
:- dynamic(order/2).
order(1, tea).
add(N, I) :- assertz(order(N, I)).
% right: dynamic, written as a list
:- dynamic([stock/2, sold/2]).
stock(tea, 3).
sold(tea, 0).
take(I) :- retract(stock(I, N)), M is N - 1, assertz(stock(I, M)).
% right: dynamic without brackets
:- dynamic seen/1, todo/1.
seen(a).
mark(X) :- assertz(seen(X)).
% right: without facts
remember(X) :- assertz(known(X)).
known_one(X) :- known(X).
% right: declared below
mark(X) :- assertz(done(X)).
:- dynamic(done/1).
done(a).
% right: in a module
:- dynamic(user:flag/1).
flag(a).
set(X) :- assertz(flag(X)).
% right: persistent
:- persistent(visit/1).
go(C) :- assertz(visit(C)).
% right: a table of clauses is read only
rate(a, 1).
rates(L) :- findall(X-Y, rate(X, Y), L).
% right: clause/2
:- dynamic(r/1).
r(X) :- X > 1.
body(B) :- clause(r(_), B).
% right: the store of another name
:- dynamic(mem/2).
fact(a, 1).
cache(X, V) :- mem(X, V), !.
cache(X, V) :- fact(X, V), assertz(mem(X, V)).
% right: a dynamic rule
:- dynamic(allowed/1).
allowed(X) :- X == ann.
grant(P) :- assertz((allowed(P) :- true)).
% right: retractall makes it dynamic
clear :- retractall(temp(_)).
look(X) :- temp(X).
% right: an unknown predicate
save(F) :- assertz(F).
save(F) :- writeln(F).
% right: dynamic as(incremental)
:- dynamic([d/1], [incremental(true)]).
d(1).
more(X) :- assertz(d(X)).
% right: dynamic as
:- dynamic(d/1 as incremental).
d(1).
more(X) :- assertz(d(X)).
% right: assoc instead of facts
put(K, V, A0, A) :- put_assoc(K, A0, V, A).
% right: setval
set(K, V) :- nb_setval(K, V).
% right: a term that is built
:- dynamic(p/1).
p(a).
store(N, X) :- T =.. [N, X], assertz(T).
% right: thread_local
:- thread_local(t/1).
t(a).
put(X) :- assertz(t(X)).
% right: dynamic by a directive of initialization
:- initialization(dynamic(q/1)).
add(X) :- assertz(q(X)).
all(L) :- findall(X, q(X), L).
% right: two arities
:- dynamic(m/2).
m(a).
m(a, 1).
set(X, N) :- assertz(m(X, N)), m(X).
