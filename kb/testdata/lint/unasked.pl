% wrong: a letter is missing
:- dynamic(visit/2).
record(P, D) :- assertz(vist(P, D)).
visits(P, N) :- aggregate_all(count, visit(P, _), N).
% wrong: a plural
:- dynamic(order/1).
add(X) :- assertz(orders(X)).
all(L) :- findall(X, order(X), L).
% wrong: two letters are exchanged
:- dynamic balance/2.
set(A, B) :- retractall(balance(A, _)), assertz(blaance(A, B)).
owes(A) :- balance(A, B), B < 0.
% wrong: asserta
:- dynamic(latest/1).
seen(X) :- asserta(lastest(X)).
last_seen(X) :- latest(X), !.
% wrong: assert/1
:- dynamic(member_of/2).
join(P, G) :- assert(memberof(P, G)).
in_group(P, G) :- member_of(P, G).
% wrong: a persistent predicate
:- persistent(booking/2).
book(P, D) :- assertz(bookings(P, D)).
booked(P, D) :- booking(P, D).
% wrong: a rule is stored
:- dynamic(allowed/1).
allow(X) :- assertz((alowed(Y) :- Y == X)).
may(X) :- allowed(X).
% wrong: in a branch
:- dynamic(score/2).
note(P, S) :- ( S > 0 -> assertz(scroe(P, S)) ; true ).
winner(P) :- score(P, S), S > 10.
% wrong: in forall
:- dynamic(ticket/1).
fill(L) :- forall(member(X, L), assertz(tickets(X))).
open_ticket(X) :- ticket(X).
% wrong: in maplist's helper
:- dynamic(colour/2).
keep(K-V) :- assertz(color(K, V)).
load(L) :- maplist(keep, L).
of(K, V) :- colour(K, V).
% wrong: a hyphen in the name
:- dynamic(due_date/2).
set_due(I, D) :- assertz(duedate(I, D)).
late(I, T) :- due_date(I, D), D @< T.
% wrong: two that are dynamic
:- dynamic((name/2, phone/2)).
add(P, N) :- assertz(phon(P, N)).
call_up(P, N) :- phone(P, N).
called(P, N) :- name(P, N).
% wrong: a list of dynamic ones
:- dynamic([stock/2, price/2]).
put(I, N) :- assertz(stok(I, N)).
has(I) :- stock(I, N), N > 0, price(I, _).
% wrong: stored twice
:- dynamic(event/2).
start(X) :- assertz(evnet(start, X)).
stop(X) :- assertz(evnet(stop, X)).
happened(K, X) :- event(K, X).
% wrong: behind a cut
:- dynamic(counter/1).
reset :- !, retractall(counter(_)), assertz(conter(0)).
now(N) :- counter(N).
% wrong: within once
:- dynamic(login/2).
in(U, T) :- once(assertz(logins(U, T))).
seen(U) :- login(U, _).
% wrong: within catch
:- dynamic(reading/2).
put(S, V) :- catch(assertz(readng(S, V)), _, true).
high(S) :- reading(S, V), V > 9.
% wrong: with three arguments
:- dynamic(lesson/3).
plan(A, B, C) :- assertz(leson(A, B, C)).
planned(A, B) :- lesson(A, B, _).
% wrong: with one argument
:- dynamic(blocked/1).
block(U) :- assertz(bloked(U)).
may_enter(U) :- \+ blocked(U).
% wrong: the singular
:- dynamic(limits/2).
set(K, V) :- assertz(limit(K, V)).
within(K, X) :- limits(K, V), X =< V.
% wrong: a letter twice
:- dynamic(payment/2).
pay(I, A) :- assertz(paymment(I, A)).
paid(I, T) :- aggregate_all(sum(A), payment(I, A), T).
% right: the name is right
:- dynamic(visit/2).
record(P, D) :- assertz(visit(P, D)).
visits(P, N) :- aggregate_all(count, visit(P, _), N).
% right: both are dynamic
:- dynamic(order/1).
:- dynamic(orders/1).
add(X) :- assertz(orders(X)), assertz(order(X)).
all(L) :- findall(X, order(X), L).
% right: another name
:- dynamic(balance/2).
set(A, B) :- assertz(balance(A, B)), assertz(history(A, B)).
owes(A) :- balance(A, B), B < 0.
% right: another number of arguments
:- dynamic(order/1).
add(X) :- assertz(orders(X, 1)), assertz(order(X)).
all(L) :- findall(X, order(X), L).
% right: it is asked
:- dynamic(visit/2).
record(P, D) :- assertz(visits(P, D)), assertz(visit(P, D)).
both(P) :- visit(P, _), visits(P, _).
% right: it is retracted
:- dynamic(visit/2).
record(P, D) :- assertz(visits(P, D)), assertz(visit(P, D)).
forget(P) :- retractall(visits(P, _)), visit(P, _).
% right: it is defined
:- dynamic(visit/2).
:- dynamic(visits/2).
visits(nobody, 0).
record(P, D) :- assertz(visits(P, D)).
all(P) :- visit(P, _).
% right: the goal is built
:- dynamic(visit/2).
record(G) :- assertz(G).
all(P) :- visit(P, _).
% right: the name is computed
:- dynamic(visit/2).
record(N, X) :- T =.. [N, X, 1], assertz(T).
all(P) :- visit(P, _).
% right: numbered names
:- dynamic(step1/1).
note(X) :- assertz(step2(X)), assertz(step1(X)).
first(X) :- step1(X).
% right: nothing is dynamic
note(X) :- assertz(noted(X)).
all(L) :- findall(X, noted(X), L).
% right: it is asked by name
:- dynamic(visit/2).
record(P, D) :- assertz(visits(P, D)).
all(L) :- findall(P, call(visits, P, _), L), visit(_, _).
% right: it is listed
:- dynamic(visit/2).
record(P, D) :- assertz(visits(P, D)), visit(P, D).
show :- listing(visits/2).
% right: a fact without arguments
:- dynamic(ready/0).
start :- assertz(read), assertz(ready).
on :- ready.
% right: a rule for a known name
:- dynamic(allowed/1).
allow(X) :- assertz((allowed(Y) :- Y == X)).
may(X) :- allowed(X).
% right: it is dynamic in the same list
:- dynamic([stock/2, stocks/2]).
put(I, N) :- assertz(stocks(I, N)).
has(I) :- stock(I, N), N > 0.
% right: it is persistent
:- persistent(booking/2).
:- persistent(bookings/2).
book(P, D) :- assertz(bookings(P, D)).
booked(P, D) :- booking(P, D).
% right: it is tabled elsewhere
:- dynamic(edge/2).
link(A, B) :- assertz(edge(A, B)).
:- table path/2.
path(A, B) :- edge(A, B).
path(A, B) :- path(A, C), edge(C, B).
% right: nothing is near
:- dynamic(invoice/2).
book(I, A) :- assertz(ledger(I, A)), assertz(invoice(I, A)).
total(T) :- aggregate_all(sum(A), invoice(_, A), T).
% right: it is counted
:- dynamic(visit/2).
record(P, D) :- assertz(visits(P, D)), assertz(visit(P, D)).
many(N) :- predicate_property(visits(_, _), number_of_clauses(N)), visit(_, _).
