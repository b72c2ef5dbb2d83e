% unbound: the net price is used before it is known
gross(Item, G) :- G is Net * 1.19, net(Item, Net).
net(tea, 3).
% negation: nobody is excluded before anybody is named
may_apply(P) :- \+ excluded(P2), person(P), P2 = P.
person(ann).
person(bob).
excluded(bob).
% negation: a variable is compared before it has a value
colleagues(A, B) :- A \= B, works(A, D), works(B, D).
works(ann, it).
works(bob, it).
% unbound: what findall has inside is used behind it
average(C, Avg) :- findall(G, grade(C, G), L), length(L, N), Avg is G / N.
grade(ml, 3).
grade(ml, 5).
% unbound: what forall has inside is used behind it
discharged(P, T) :- forall(test(P, V), V < 10), T is V + 1.
test(ann, 3).
% unbound: a branch leaves the fee without a value
:- mode(fee(+atom, -integer), one).
fee(Kind, Fee) :- ( Kind == express -> Fee = 20 ; Kind == standard -> true ; Fee = 0 ).
% unbound: the total of nothing is anything
:- mode(total(+list, -integer), one).
total([], _).
total([X|Xs], T) :- total(Xs, T0), T is T0 + X.
% singleton: the goal does not have what is summed
revenue(S) :- aggregate_all(sum(A), invoice(_, _Amount), S).
invoice(i1, 300).
invoice(i2, 120).
% singleton: the goal does not have what is collected
names(L) :- findall(Name, employee(_, _), L).
employee(1, ann).
employee(2, bob).
% unbound: the limit is asked for behind the comparison
over_limit(C) :- balance(C, B), B > L, limit(C, L).
balance(ann, 900).
limit(ann, 500).
% unbound: a list that nobody has made is sorted
ranking(R) :- sort(0, @>=, Scores, R), findall(S, score(_, S), Scores).
score(ann, 3).
% unbound: a call may leave out the minimum
:- mode(rooms(?integer, -atom), zero_or_more).
rooms(Min, R) :- room(R, Seats), Seats >= Min.
room(a1, 20).
room(b2, 80).
% unbound: the name of a variable is misspelt
:- mode(premium(+integer, +integer, -number), one).
premium(Age, Base, Premium) :- Factor is 1 + Age / 100, Premum is Base * Factor, Premum > 0.
