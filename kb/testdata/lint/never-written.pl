%% is written
% wrong: capital letters
bonus(P, B) :- works(P, D), rate(D, B).
works(ann, 'Sales').
works(bob, 'Legal').
rate(sales, 10).
rate(legal, 5).
% wrong: underscores against blanks
area(C, A) :- city(C), size(C, A).
city('New York').
city('Los Angeles').
size(new_york, 783).
size(los_angeles, 503).
% wrong: hyphens
due(I, D) :- kind(I, K), days(K, D).
kind(i1, 'net-30').
days(net_30, 30).
% wrong: capital words
fee(C, F) :- customer(C, T), fee_of(T, F).
customer(ann, 'GOLD').
customer(bob, 'SILVER').
fee_of(gold, 0).
fee_of(silver, 5).
% wrong: camel case
next(S, T) :- state(S), follows(S, T).
state(inReview).
state(onHold).
follows(in_review, done).
follows(on_hold, in_review).
% wrong: three goals
risk(P, R) :- patient(P, D), drug(D), level(D, R).
patient(ann, 'Ibuprofen').
drug('Ibuprofen').
drug('Aspirin').
level(ibuprofen, 2).
level(aspirin, 1).
% wrong: a country
tax(O, T) :- order(O, C), vat(C, T).
order(o1, 'DE').
order(o2, 'FR').
vat(de, 19).
vat(fr, 20).
% wrong: the reverse
tax(O, T) :- vat(C, T), order(O, C).
order(o1, de).
vat('DE', 19).
vat('SE', 25).
% wrong: names of months
season(E, S) :- event(E, M), in(M, S).
event(fair, 'May').
event(race, 'July').
in(may, spring).
in(july, summer).
% wrong: two words
cost(R, C) :- room(R, T), night(T, C).
room(r1, 'double room').
room(r2, 'single room').
night(double_room, 120).
night(single_room, 80).
% wrong: roles
may(U, A) :- role(U, R), grants(R, A).
role(ann, 'Admin').
role(bob, 'Editor').
grants(admin, delete).
grants(editor, write).
% wrong: in a tool
:- mode(price(+atom, -number), zero_or_one).
price(I, P) :- item(I, G), group(G, P).
item(tea, 'Hot_Drinks').
group(hot_drinks, 3).
group(cold_drinks, 2).
% wrong: a currency
convert(A, R) :- account(A, C), exchange(C, R).
account(a1, usd).
account(a2, eur).
exchange('USD', 1.1).
exchange('EUR', 1.0).
% wrong: units
in_stock(I, N) :- unit(I, U), factor(U, N).
unit(flour, 'KG').
factor(kg, 1000).
factor(g, 1).
% wrong: colours
shade(X, S) :- colour(X, C), shade_of(C, S).
colour(a, 'Light Blue').
shade_of('light-blue', 1).
shade_of('dark-blue', 9).
% wrong: courses
credits(S, C) :- takes(S, K), course(K, C).
takes(ann, cs101).
takes(bob, ma200).
course('CS101', 5).
course('MA200', 7).
% wrong: airports
leg(F, K) :- flight(F, A), airport(A, K).
flight(f1, 'FRA').
flight(f2, 'JFK').
airport(fra, frankfurt).
airport(jfk, new_york).
% wrong: a column of a key
owner(P, O) :- plot(P), held_by(P, O).
plot('P-1').
plot('P-2').
held_by(p1, ann).
held_by(p2, bob).
% wrong: weekdays
opens(S, H) :- shift(S, D), hours(D, H).
shift(s1, mon).
shift(s2, tue).
hours('Mon', 8).
hours('Tue', 9).
% wrong: diseases
drug_for(P, D) :- diagnosis(P, I), treats(D, I).
diagnosis(ann, 'type 2').
treats(metformin, 'type-2').
treats(insulin, 'type-1').
% right: the same names
bonus(P, B) :- works(P, D), rate(D, B).
works(ann, sales).
works(bob, legal).
rate(sales, 10).
rate(legal, 5).
% right: one name in common
tax(O, T) :- order(O, C), vat(C, T).
order(o1, 'DE').
order(o2, fr).
vat(de, 19).
vat(fr, 20).
% right: a goal between makes them alike
tax(O, T) :- order(O, C), downcase_atom(C, D), vat(D, T).
order(o1, 'DE').
vat(de, 19).
% right: a table of both
tax(O, T) :- order(O, C), code(C, D), vat(D, T).
order(o1, 'DE').
code('DE', de).
vat(de, 19).
% right: dynamic facts
:- dynamic(order/2).
order(o1, 'DE').
tax(O, T) :- order(O, C), vat(C, T).
vat(de, 19).
% right: names that have nothing in common
free(R, H) :- room(R), hour(H), \+ taken(R, H).
room(a).
hour(b).
taken(c, d).
% right: in a negation
untaxed(O) :- order(O, C), \+ vat(C, _).
order(o1, 'DE').
vat(de, 19).
% right: numbers
age_of(P, A) :- born(P, Y), years(Y, A).
born(ann, 1990).
years(1990, 36).
% right: strings and strings
a(P, B) :- works(P, D), rate(D, B).
works(ann, "Sales").
rate("Sales", 10).
% right: two ways
tax(O, T) :- order(O, C), ( vat(C, T) -> true ; T = 0 ).
order(o1, fr).
vat(fr, 19).
% right: other variables
pair(C, D) :- order(_, C), vat(D, _).
order(o1, 'DE').
vat(de, 19).
% right: a rule in place of facts
tax(O, T) :- order(O, C), vat(C, T).
order(o1, 'DE').
vat(C, 19) :- downcase_atom(C, de).
% right: names that differ in a digit
credits(S, C) :- takes(S, K), course(K, C).
takes(ann, cs101).
course(cs101, 5).
course(cs102, 5).
% right: multifile
:- multifile(vat/2).
order(o1, 'DE').
vat(de, 19).
tax(O, T) :- order(O, C), vat(C, T).
% right: compounds
at(P, D) :- place(P, X), dist(X, D).
place(a, p(1)).
dist(p(1), 3).
% right: a table with a variable
rate_of(P, R) :- works(P, D), rate(D, R).
works(ann, 'Sales').
rate(_, 10).
% right: the names of another module
ids(L) :- findall(I, ( item(I), \+ gone(I) ), L).
item('A').
gone(a).
% right: abbreviations
m(E, S) :- event(E, M), in(M, S).
event(fair, may).
in(may, spring).
in(june, summer).
% right: one clause is no fact
tax(O, T) :- order(O, C), vat(C, T).
order(o1, 'DE').
vat(de, 19).
vat('DE', T) :- vat(de, T).
% right: the value comes from a call
tax(C, T) :- vat(C, T).
vat(de, 19).
known('DE').
