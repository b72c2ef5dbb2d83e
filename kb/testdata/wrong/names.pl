% never: the name of a plan is misspelt
covers(Plan, dental) :- plan(Plan, premum).
plan(p1, premium).
plan(p2, basic).
% never: the constant is a capital in the facts
gold_customer(C) :- customer(C, gold).
customer(ann, 'Gold').
customer(bob, 'Silver').
% singleton: a variable stands where a constant is meant
active_policy(P) :- policy(P, Active), end_date(P, 2030).
policy(p1, active).
policy(p2, lapsed).
end_date(p1, 2030).
end_date(p2, 2030).
% never: an address has another number of parts
lives_in(P, City) :- person(P, address(_, City)).
person(ann, address('High St 1', leeds, 'LS1')).
person(bob, address('Low Rd 2', york, 'YO1')).
% unasked: what is counted is stored under another name
:- dynamic(visit/2).
record(P, D) :- assertz(vist(P, D)).
visits(P, N) :- aggregate_all(count, visit(P, _), N).
% never: a hyphen makes a pair
on_the_way(P) :- shipment(P, in-transit).
shipment(p1, in_transit).
shipment(p2, delivered).
% never: the name of an argument is written small
surcharge(age, 50) :- age < 25.
surcharge(age, 0) :- age >= 25.
% never: the singular and the plural
needs_permit(V) :- vehicle(V, truck), weight(V, W), W > 7500.
vehicle(v1, trucks).
vehicle(v2, vans).
weight(v1, 9000).
% never: a drug is spelt in two ways
interacts(A, B) :- interaction(A, B).
warned(P) :- takes(P, warfarine), takes(P, ibuprofen).
takes(ann, warfarin).
takes(ann, ibuprofen).
interaction(warfarin, ibuprofen).
% missed: a helper has the name of the library
last([X], X).
last([_|T], X) :- last(T, X).
newest(C, O) :- findall(D, order(C, D), L), last(L, O).
order(ann, 3).
order(ann, 5).
% never: the day of the rules is not the day of the facts
open(Shop, sunday) :- hours(Shop, sun, _, _).
closed(Shop) :- shop(Shop), \+ hours(Shop, monday, _, _).
shop(s1).
hours(s1, mon, 9, 17).
hours(s1, sun, 10, 14).
% never: a currency is written small
in_euro(Item, P) :- price(Item, P, eur).
price(tea, 3, 'EUR').
price(rice, 2, 'EUR').
price(milk, 1, 'USD').
