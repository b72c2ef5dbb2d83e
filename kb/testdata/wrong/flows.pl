% never: the state of a parcel is misspelt
late(P) :- parcel(P, delivred, Days), Days > 5.
parcel(p1, delivered, 7).
parcel(p2, shipped, 2).
% never: names come as strings, and the facts have atoms
:- mode(salary(+string, -integer), zero_or_one).
salary(Name, S) :- employee(Name, S).
employee('Ann Berg', 4200).
employee('Bo Lind', 3900).
% never: prices are texts
:- mode(total(+atom, +integer, -number), zero_or_one).
total(Item, N, T) :- price(Item, P), T is P * N.
price(widget, '12.50').
price(gadget, '7.00').
% never: a date is compared as a number
expired(C) :- contract(C, End), End < '2026-01-01'.
contract(c1, '2025-06-30').
contract(c2, '2027-06-30').
% never: a tier is compared with a string
discount(C, D) :- tier(C, T), ( T == "gold" -> D = 20 ; D = 0 ).
tier(ann, gold).
tier(bob, silver).
% gap: a value of the enumeration that no fact has
:- mode(zone_fee(+oneof([domestic, europe, worldwide]), -integer), one).
zone_fee(Zone, Fee) :- fee(Zone, Fee).
fee(domestic, 5).
fee(europe, 12).
fee(world, 30).
% never: quantities are strings in the facts
:- mode(stock_value(+atom, -number), zero_or_one).
stock_value(Sku, V) :- stock(Sku, Q, Price), V is Q * Price.
stock(bolt, "300", 2).
stock(nut, "250", 1).
% never: a rate is a pair
tax(Category, Net, Tax) :- rate(Category, R), Tax is Net * R / 100.
rate(food, 7-percent).
rate(books, 7-percent).
rate(other, 19-percent).
% never: a date of birth is compared with an age
adult(P) :- person(P, Born), Born >= 18.
person(ann, date(1990, 4, 1)).
person(bob, date(2012, 9, 30)).
% never: a truth value is a string in the facts
can_login(U) :- account(U, Enabled), Enabled == true.
account(ann, "true").
account(bob, "false").
% never: the keys of two tables never meet
spends(Name, Amount) :- customer(Id, Name), order(_, Id, Amount).
customer('C1', ann).
customer('C2', bob).
order(o1, c1, 40).
order(o2, c2, 75).
% never: an action is compared with a list of actions
allowed(User, Action) :- role(User, Role), permits(Role, Action), Action == read.
role(ann, admin).
permits(admin, [read, write]).
permits(guest, [read]).
% never: no number is above the one and below the other
standard_dose(Weight, adult) :- Weight > 80, Weight < 40.
standard_dose(Weight, child) :- Weight =< 40.
