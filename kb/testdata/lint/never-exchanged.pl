%% never succeeds for values that
% wrong: a department and a person
boss(P, B) :- employee(D, P), manager(D, B).
employee(ann, sales).
employee(bob, it).
manager(sales, eva).
manager(it, fred).
% wrong: the second goal
boss(P, B) :- employee(P, D), manager(B, D).
employee(ann, sales).
employee(bob, it).
manager(sales, eva).
manager(it, fred).
% wrong: a currency and a country
rate(C, R) :- country(Cur, C), rate_of(Cur, R).
country(germany, eur).
country(sweden, sek).
rate_of(eur, 1).
rate_of(sek, 11).
% wrong: a part and its supplier
from(P, C) :- supplies(P, S), based(S, C).
supplies(acme, bolt).
supplies(bulk, nut).
based(acme, leeds).
based(bulk, york).
% wrong: three goals
pays(P, R) :- person(P), works(D, P), grade(D, G), salary(G, R).
person(ann).
person(bob).
works(ann, sales).
works(bob, it).
grade(sales, low).
grade(it, high).
salary(low, 1).
salary(high, 2).
% wrong: strings
t(X, Y) :- name(N, X), code(N, Y).
name("a1", "Ann").
name("b2", "Bob").
code("Ann", x).
code("Bob", y).
% wrong: the argument of the call
city(P, C) :- lives(P, A), address(C, A).
lives(ann, a1).
lives(bob, a2).
address(a1, leeds).
address(a2, york).
% wrong: both are looked up
flight(F, A, B) :- leg(F, X, Y), airport(A, X), airport(B, Y).
leg(f1, lhr, jfk).
leg(f2, cdg, lhr).
airport(lhr, london).
airport(cdg, paris).
airport(jfk, new_york).
% wrong: within findall
staff(L) :- boss(B), findall(P, employee(D, P), L), manager(D, B).
boss(eva).
employee(ann, sales).
employee(bob, it).
manager(sales, eva).
manager(it, fred).
% wrong: the last argument
tax(I, T) :- item(I, K, _), vat(T, K).
item(tea, food, 3).
item(pen, goods, 1).
vat(food, low).
vat(goods, high).
% wrong: the middle argument
tax(I, T) :- item(K, I, _), vat(K, T).
item(tea, food, 3).
item(pen, goods, 1).
vat(food, low).
vat(goods, high).
% wrong: a rule stands between
boss(P, B) :- in_dept(D, P), manager(D, B).
in_dept(P, D) :- employee(P, D).
employee(ann, sales).
employee(bob, it).
manager(sales, eva).
manager(it, fred).
% wrong: the rule has it right
boss(P, B) :- employee(D, P), head(D, B).
head(D, B) :- manager(D, B).
employee(ann, sales).
employee(bob, it).
manager(sales, eva).
manager(it, fred).
% wrong: with a comparison behind
old_boss(P, B) :- employee(D, P), manager(D, B), B \== eva.
employee(ann, sales).
employee(bob, it).
manager(sales, eva).
manager(it, fred).
% wrong: the facts stand first
stock(w1, leeds).
stock(w2, york).
region(leeds, north).
region(york, east).
area(W, R) :- stock(C, W), region(C, R).
% wrong: more values on one side
course(C, T) :- teaches(T, C), enrolled(C, _), room(T, _).
teaches(ml, ann).
teaches(db, bob).
enrolled(ml, s1).
enrolled(db, s2).
enrolled(ai, s3).
room(ann, r1).
room(bob, r2).
room(cid, r3).
% wrong: the sides of a relation of two kinds
needs(P, L) :- task(P, T), skill(L, T).
task(p1, weld).
task(p2, paint).
skill(weld, l3).
skill(paint, l1).
% wrong: the keys of two tables
ship(O, C) :- order(O, U), user(C, U).
order(o1, u1).
order(o2, u2).
user(u1, leeds).
user(u2, york).
% wrong: a symptom and a disease
hint(P, D) :- has(P, S), sign(D, S).
has(ann, cough).
has(bob, fever).
sign(cough, flu).
sign(fever, cold).
% wrong: with a number besides
fee(P, F) :- zone(P, Z), fare(F, Z, 2).
zone(ann, a).
zone(bob, b).
fare(a, low, 2).
fare(b, high, 2).
% wrong: what is negated is asked for the other value
unserved(O) :- order(O, _C), \+ city(O, bern).
order(o1, ann).
order(o2, bob).
city(ann, bern).
city(bob, basel).
% wrong: a negation with a variable without a name
idle(X) :- city(X, _), \+ order(X, _).
order(o1, ann).
order(o2, bob).
city(ann, bern).
city(bob, basel).
% wrong: the negation stands first
lost(P, C) :- \+ dept(P, C), paid(P, _, _).
paid(ann, it, 100).
paid(bob, hr, 200).
dept(it, zurich).
dept(hr, bern).
% wrong: both goals are within findall
cities(L) :- findall(O-T, ( order(C, O), city(C, T) ), L).
order(o1, ann).
order(o2, bob).
city(ann, bern).
city(bob, basel).
% wrong: the number of what never is
count(N) :- findall(O, ( order(O, C), city(O, C) ), L), length(L, N).
order(o1, ann).
order(o2, bob).
city(ann, bern).
city(bob, basel).
% wrong: the second part of forall/2
served :- forall(order(O, _), city(O, _)).
order(o1, ann).
order(o2, bob).
city(ann, bern).
city(bob, basel).
% wrong: the condition of a sum
paid(S) :- aggregate_all(count, ( order(O, _), city(O, _) ), S).
order(o1, ann).
order(o2, bob).
city(ann, bern).
city(bob, basel).
% right: two negations ask nothing of each other
neither(X) :- \+ city(X, _), \+ order(X, _).
order(o1, ann).
order(o2, bob).
city(ann, bern).
city(bob, basel).
% right: each findall has its own
both(X, L, M) :- findall(Y, city(X, Y), L), findall(Y, order(X, Y), M).
order(o1, ann).
order(o2, bob).
city(ann, bern).
city(bob, basel).
% right: the other column has numbers
free(C) :- order(_, C), \+ ship(C, _).
order(o1, ann).
order(o2, bob).
ship(bern, 5).
ship(basel, 7).
% right: in their places
boss(P, B) :- employee(P, D), manager(D, B).
employee(ann, sales).
employee(bob, it).
manager(sales, eva).
manager(it, fred).
% right: a relation of one kind with one generation
grand(X, Z) :- parent(X, Y), parent(Y, Z).
parent(ann, bob).
parent(cid, dan).
% right: two relations of one kind
uncle(X, Z) :- brother(X, Y), parent(Y, Z).
brother(al, ann).
brother(bo, cid).
parent(ann, bob).
parent(cid, dan).
person(ann).
person(bob).
person(cid).
person(dan).
% right: one fact alone
boss(P, B) :- employee(D, P), manager(D, B).
employee(ann, sales).
manager(sales, eva).
% right: the other value comes with a rule
boss(P, B) :- employee(D, P), manager(D, B).
employee(ann, sales).
employee(bob, it).
employee(X, Y) :- swapped(Y, X).
swapped(ann, sales).
manager(sales, eva).
manager(it, fred).
% right: a dynamic predicate
:- dynamic(employee/2).
boss(P, B) :- employee(D, P), manager(D, B).
employee(ann, sales).
employee(bob, it).
manager(sales, eva).
manager(it, fred).
% right: the columns have values in common
link(X, Y) :- edge(Y, Z), node(Z, X).
edge(a, b).
edge(b, c).
node(b, n1).
node(c, n2).
% right: another goal needs the order
x(P, B) :- employee(D, P), chief(D, B), team(P, _).
employee(ann, sales).
employee(bob, it).
chief(ann, eva).
chief(bob, fred).
team(sales, t1).
team(it, t2).
% right: a recursion
above(A, B) :- over(A, B).
above(A, C) :- over(A, B), above(B, C).
over(ann, bob).
over(cid, dan).
% right: the values do not meet either way
x(P, B) :- p(P, D), q(D, B).
p(a, b).
p(c, d).
q(e, f).
q(g, h).
% right: branches of their own
x(P, R) :- p(P, D), ( q(D, R) ; r(R, D) ).
p(a, b).
p(c, d).
q(b, k).
q(d, l).
r(m, b).
r(n, d).
% right: a negation
alone(P) :- p(P, D), \+ q(P, D).
p(a, b).
p(c, d).
q(b, a).
q(d, c).
% right: numbers
cheap(I, S) :- price(I, P), limit(S, P).
price(a, 1).
price(b, 2).
limit(low, 1).
limit(high, 2).
% right: facts in both orders
pair(X, Y) :- m(X, Z), n(Y, Z).
m(a, b).
m(c, d).
n(e, b).
n(f, d).
% right: a variable that stands in one goal alone
all(P, D) :- p(P, D), q(_, _).
p(a, b).
p(c, d).
q(b, a).
q(d, c).
% right: a term holds the value
x(P, B) :- p(P, f(D)), q(D, B).
p(a, f(b)).
p(c, f(d)).
q(b, k).
q(d, l).
% right: some of the values meet
x(P, B) :- p(D, P), q(D, B).
p(a, b).
p(c, d).
q(a, k).
q(d, l).
% right: another fact has both
near(X, Y) :- road(X, Z), rail(Z, Y).
road(leeds, york).
road(hull, bath).
rail(leeds, oslo).
rail(hull, rome).
city(leeds).
city(york).
city(hull).
city(bath).
% right: the same goal twice
twin(X, Y) :- p(X, Z), p(Y, Z), X \== Y.
p(a, b).
p(c, b).
p(d, e).
% right: known to a rule of both
x(P, B) :- p(D, P), q(D, B).
p(a, b).
p(c, d).
q(b, k).
q(d, l).
thing(X) :- p(X, _).
thing(X) :- p(_, X).
