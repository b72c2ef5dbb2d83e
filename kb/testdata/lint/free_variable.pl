% wrong: a blank in setof
:- mode(items(+atom, -list(atom)), one).
items(C, L) :- setof(I, order(C, I, _), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% wrong: a blank in bagof
:- mode(items(+atom, -list(atom)), one).
items(C, L) :- bagof(I, order(C, I, _), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% wrong: a name
:- mode(items(+atom, -list(atom)), one).
items(C, L) :- setof(I, order(C, I, P), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% wrong: one of two before ^
:- mode(items(-list(atom)), one).
items(L) :- setof(I, C^order(C, I, _), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% wrong: the customer is free
:- mode(items(-list(atom)), one).
items(L) :- setof(I, P^order(_, I, P), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% wrong: an output of the head
:- mode(items(-atom, -list(atom)), one).
items(C, L) :- setof(I, P^order(C, I, P), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% wrong: zero_or_one
:- mode(items(+atom, -list(atom)), zero_or_one).
items(C, L) :- setof(I, order(C, I, _), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% wrong: two goals
:- mode(items(+atom, -list(atom)), one).
items(C, L) :- setof(I, ( order(C, I, P), P > 1 ), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% wrong: behind another goal
:- mode(items(+atom, -list(atom)), one).
items(C, L) :- atom(C), setof(I, order(C, I, _), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% wrong: in a branch
:- mode(items(+atom, -list(atom)), one).
items(C, L) :- ( C == ann -> setof(I, order(C, I, _), L) ; L = [] ).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% wrong: in a condition
:- mode(items(+atom, -list(atom)), one).
items(C, L) :- setof(I, order(C, I, _), K), sort(K, L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% wrong: a rule below
:- mode(items(+atom, -list(atom)), one).
items(C, L) :- setof(I, dear(C, I, _), L).
dear(C, I, P) :- order(C, I, P), P > 1.
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% wrong: a pair as the template
:- mode(items(+atom, -list), one).
items(C, L) :- bagof(I-1, order(C, I, _), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% wrong: member of a list
:- mode(firsts(+list, -list), one).
firsts(P, L) :- setof(A, member(A-_, P), L).
% wrong: a second clause
:- mode(items(+atom, -list(atom)), one).
items(none, []).
items(C, L) :- C \== none, setof(I, order(C, I, _), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% wrong: two blanks
:- mode(items(-list(atom)), one).
items(L) :- setof(I, order(_, I, _), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% wrong: setof in setof
:- mode(items(+atom, -list), one).
items(C, L) :- setof(I-P, order(C, I, P), M), length(M, _), setof(I2, order(C, I2, _), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% wrong: a default before
:- mode(items(+atom, -list(atom)), one).
items(C, L) :- order(C, _, _), !, setof(I, order(C, I, _), L).
items(_, []).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% wrong: a tool
tools([tool(items, items, 2)]).
:- mode(items(+atom, -list(atom)), one).
items(C, L) :- setof(I, order(C, I, _), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% wrong: three arguments
:- mode(cheap(+atom, +number, -list(atom)), one).
cheap(C, M, L) :- bagof(I, ( order(C, I, P), P < M ), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% right: all before ^
:- mode(items(+atom, -list(atom)), zero_or_one).
items(C, L) :- setof(I, P^order(C, I, P), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% right: findall
:- mode(items(+atom, -list(atom)), one).
items(C, L) :- findall(I, order(C, I, _), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% right: several answers are promised
:- mode(items(+atom, -list(atom)), zero_or_more).
items(C, L) :- setof(I, order(C, I, _), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% right: one_or_more
:- mode(items(-atom, -list(atom)), one_or_more).
items(C, L) :- setof(I, P^order(C, I, P), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% right: no mode
items(C, L) :- setof(I, order(C, I, _), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% right: two before ^
:- mode(items(-list(atom)), zero_or_one).
items(L) :- setof(I, C^P^order(C, I, P), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% right: a term before ^
:- mode(items(-list(atom)), zero_or_one).
items(L) :- setof(I, [C, P]^order(C, I, P), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% right: all in the template
:- mode(items(+atom, -list), zero_or_one).
items(C, L) :- setof(I-P, order(C, I, P), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% right: bound before
:- mode(items(+atom, -list(atom)), zero_or_one).
items(C, L) :- dearest(C, P), setof(I, order(C, I, P), L).
dearest(ann, 3).
dearest(bob, 1).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% right: bound afterwards
:- mode(items(+atom, -list(atom)), zero_or_one).
items(C, L) :- setof(I, order(C, I, P), L), P =:= 3.
order(ann, tea, 3).
% right: only in a negation
:- mode(items(+list(atom), -list(atom)), zero_or_one).
items(A, L) :- setof(I, ( member(I, A), \+ order(_, I, _) ), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% right: only in a findall inside
:- mode(items(+list(atom), -list), zero_or_one).
items(A, L) :- setof(I-Ps, ( member(I, A), findall(P, order(_, I, P), Ps) ), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% right: within a forall
:- mode(items(+atom, -list(atom)), zero_or_one).
items(C, L) :- findall(I, order(C, I, _), L).
show :- forall(setof(I, order(C, I, _), L), ( print(C), print(L) )).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% right: given by the caller
:- mode(items(+atom, +number, -list(atom)), zero_or_one).
items(C, P, L) :- setof(I, order(C, I, P), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% right: no other variable
:- mode(items(+list(atom), -list(atom)), zero_or_one).
items(A, L) :- setof(I, member(I, A), L).
% right: an own bagof
:- mode(items(+atom, -list(atom)), zero_or_one).
items(C, L) :- own_bagof(I, order(C, I, _), L).
own_bagof(_, _, []).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% right: aggregate_all of a set
:- mode(items(+atom, -list(atom)), one).
items(C, L) :- aggregate_all(set(I), order(C, I, _), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% right: two modes
:- mode(items(+atom, -list(atom)), zero_or_one).
:- mode(items(-atom, -list(atom)), zero_or_more).
items(C, L) :- setof(I, P^order(C, I, P), L).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% right: once
:- mode(items(+atom, -list(atom)), zero_or_one).
items(C, L) :- findall(I, order(C, I, _), L), L = [_|_].
first(L) :- once(setof(I, order(_, I, _), L)).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% right: tested
:- mode(items(+atom, -list(atom)), zero_or_one).
items(C, L) :- ( setof(I, P^order(C, I, P), L) -> true ; L = [] ).
order(ann, tea, 3).
order(ann, milk, 2).
order(bob, tea, 1).
% right: only the first answer is taken
:- mode(items(-list(atom)), zero_or_one).
items(L) :- once(setof(I, order(_, I, _), L)).
order(ann, tea, 3).
% right: a cut behind it
:- mode(items(-list(atom)), zero_or_one).
items(L) :- setof(I, order(_, I, _), L), !.
order(ann, tea, 3).
% right: a condition
:- mode(any(-atom), zero_or_one).
any(yes) :- ( setof(I, order(_, I, _), _) -> true ; fail ).
any(no) :- \+ order(_, _, _).
order(ann, tea, 3).
% wrong: aggregate_all makes no groups
:- mode(average(+atom, -number), zero_or_one).
average(Student, A) :- findall(B, best(Student, _, B), L), sum_list(L, S), length(L, N), N > 0, A is S / N.
best(Student, Course, B) :- aggregate_all(max(G), grade(Student, Course, G), B).
grade(ann, maths, 50).
grade(ann, maths, 70).
grade(ann, art, 60).
% wrong: sums that are calculated with, in pairs
:- mode(totals(-list), one).
totals(L) :- findall(T, total(_, T), L).
total(Customer, T) :- aggregate_all(sum(P), order(Customer, P), S), T is S * 119 rdiv 100.
order(ann, 3).
order(bob, 4).
% wrong: all of them within forall
fits :- forall(used(_, Hours), Hours =< 40).
used(Person, Hours) :- aggregate_all(sum(H), shift(Person, H), Hours).
shift(ann, 20).
shift(bob, 30).
% right: a goal before it has the groups
:- mode(totals(-list), one).
totals(L) :- findall(T, (customer(C), total(C, T)), L).
total(Customer, T) :- aggregate_all(sum(P), order(Customer, P), T).
customer(ann).
customer(bob).
order(ann, 3).
order(bob, 4).
% right: one sum of all
:- mode(sum(-number), one).
sum(S) :- total(_, S).
total(Customer, T) :- aggregate_all(sum(P), order(Customer, P), T).
order(ann, 3).
order(bob, 4).
% right: the clause has the groups
:- mode(totals(-list), one).
totals(L) :- findall(T, total(_, T), L).
total(Customer, T) :- customer(Customer), aggregate_all(sum(P), order(Customer, P), T).
customer(ann).
order(ann, 3).
