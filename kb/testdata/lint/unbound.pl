% wrong: before the goal that gives the value
rich(X) :- Income > 1000, income(X, Income).
income(ann, 2000).
% wrong: an output
:- mode(age(+atom, -integer), one).
age(P, A) :- A > 17, known(P, A).
known(ann, 20).
% wrong: in an expression
next(X, Y) :- Y is X + Z, step(Z).
step(1).
% wrong: in a branch
p(X) :- ( q(X), Y =< 3 ; true ), r(Y).
q(1).
r(2).
% wrong: a sum not yet made
total(L, T) :- T is Sum * 2, sum_list(L, Sum).
% wrong: never bound at all
p(X) :- q(X), Limit > X.
q(1).
% wrong: a slip in the name
area(Width, Height, A) :- A is Width * Heigth, Height > 0.
% wrong: an output that nothing makes
:- mode(double(+integer, -integer), one).
double(X, Y) :- X =:= Y * 2.
% wrong: less than
p(X) :- Y < 3, q(X, Y).
q(1, 2).
% wrong: at most
p(X) :- Y =< 3, q(X, Y).
q(1, 2).
% wrong: at least
p(X) :- Y >= 3, q(X, Y).
q(1, 2).
% wrong: equal
p(X) :- Y =:= 3, q(X, Y).
q(1, 2).
% wrong: not equal
p(X) :- Y =\= 3, q(X, Y).
q(1, 2).
% wrong: on the right
p(X) :- 3 < Y, q(X, Y).
q(1, 2).
% wrong: two of them
p(X) :- Y < Z, q(X, Y), q(X, Z).
q(1, 2).
% wrong: one of two
p(X) :- q(X, Y), Y < Z, q(X, Z).
q(1, 2).
% wrong: within an expression
p(X) :- 2 * Y + 1 < 9, q(X, Y).
q(1, 2).
% wrong: in a function
p(X) :- abs(Y) < 9, q(X, Y).
q(1, 2).
% wrong: in a condition
p(X) :- ( Y > 3 -> true ; fail ), q(X, Y).
q(1, 2).
% wrong: behind a condition
p(X) :- ( X > 3 -> Y > 1 ; fail ), q(X, Y).
q(1, 2).
% wrong: bound in another branch only
p(X) :- ( q(X, _) ; Y > 1, q(X, Y) ).
q(1, 2).
% wrong: a soft cut
p(X) :- ( Y > 3 *-> true ; true ), q(X, Y).
q(1, 2).
% wrong: is/2 twice in the wrong order
p(X, Z) :- Z is Y * 2, Y is X + 1.
% wrong: a counter that is not passed
count([], N) :- N = 0.
count([_|T], N) :- N is M + 1, count(T, M).
% wrong: an accumulator of another name
sum([], S, S).
sum([X|Xs], S0, S) :- S1 is S2 + X, sum(Xs, S1, S).
% wrong: in a tabled predicate
:- table d/3.
d(X, Y, D) :- e(X, Y, D).
d(X, Y, D) :- D is A + B, d(X, Z, A), e(Z, Y, B).
e(a, b, 1).
% wrong: in a module
:- module(m, [p/1]).
p(X) :- Y > 3, q(X, Y).
q(1, 2).
% wrong: behind a cut
p(X) :- !, Y > 3, q(X, Y).
q(1, 2).
% wrong: in a grammar
number(N) --> { D > 3 }, [D], { N is D - 1 }.
% wrong: in a grammar, no argument
small --> { D < 5 }, [D].
% wrong: within findall
all(L) :- findall(X, ( Y > 3, q(X, Y) ), L).
q(1, 2).
% wrong: within forall
fine :- forall(( Y > 3, q(_, Y) ), r(Y)).
q(1, 2).
r(4).
% wrong: within once
p(X) :- once(( Y > 3, q(X, Y) )).
q(1, 2).
% wrong: within a negation
p(X) :- r(X), \+ ( Y > 3, q(X, Y) ).
q(1, 2).
r(1).
% wrong: within a goal that catches
p(X) :- catch(( Y > 3, q(X, Y) ), _, fail).
q(1, 2).
% wrong: the second output
:- mode(split(+integer, -integer, -integer), one).
split(N, A, B) :- A is N - B, B is N // 2.
% wrong: three goals before
p(X) :- r(X), Z is Y + X, r(Z), q(X, Y).
q(1, 2).
r(1).
% wrong: a shared name of two clauses
p(X, Y) :- X > 0, Y is X + 1.
q(X) :- p(X, _), Y > 3.
% wrong: a power
p(X, Z) :- Z is X ** Y, q(Y).
q(1).
% wrong: max of two
p(X, Z) :- Z is max(X, Y), q(Y).
q(1).
% wrong: what a call of a tool may leave out, in a branch
tools([tool(ticket, ticket, 3)]).
:- mode(ticket(+atom, ?atom, -number), zero_or_one).
ticket(Zone, Card, P) :- fare(Zone, F), ( nonvar(Card), card(Card, C) -> P is F * C ; P = F ).
fare(a, 2.5).
fare(b, 4).
card(student, 0.5).
% wrong: what a call of a tool may leave out, in a clause
tools([tool(refund, refund, 3)]).
:- mode(refund(+atom, ?atom, -integer), one).
refund(Trip, Cause, 0) :- nonvar(Cause), Cause == strike, price(Trip, _), !.
refund(Trip, _, P) :- price(Trip, P).
price(t1, 100).
% right: behind the goal that gives the value
rich(X) :- income(X, Income), Income > 1000.
income(ann, 2000).
% right: of the head
adult(A) :- A > 17.
% right: an input
:- mode(age(+atom, +integer), zero_or_one).
age(P, A) :- A > 17, known(P, A).
known(ann, 20).
% right: both directions
:- mode(age(+atom, -integer), one).
:- mode(age(+atom, +integer), one).
age(P, A) :- ( var(A) -> true ; A > 17 ), known(P, A).
known(ann, 20).
% right: a sum that is made
total(L, T) :- sum_list(L, Sum), T is Sum * 2.
% right: delayed
p(X) :- freeze(Y, Y > X), q(Y).
q(1).
% right: the output is made
:- mode(next(+integer, -integer), one).
next(X, Y) :- Y is X + 1.
% right: a list of the head
first([X|_]) :- X > 0.
% right: a structure of the head
area(rect(W, H), A) :- A is W * H.
% right: bound by unification
p(X) :- X = f(Y), Y > 1.
% right: bound by is/2
p(X) :- Y is X + 1, Y > 3.
% right: bound in both branches
p(X) :- ( q(X, Y) ; r(X, Y) ), Y > 1.
q(1, 2).
r(1, 3).
% right: bound in one branch, tested there
p(X) :- ( q(X, Y), Y > 1 ; r(X) ).
q(1, 2).
r(1).
% right: bound in a condition
p(X) :- ( q(X, Y) -> Y > 1 ; true ).
q(1, 2).
% right: bound by a soft cut
p(X) :- ( q(X, Y) *-> Y > 1 ; true ).
q(1, 2).
% right: bound by member
p(L) :- member(X, L), X > 1.
% right: bound by between
p :- between(1, 9, X), X > 5.
% right: bound by length
p(L) :- length(L, N), N > 2.
% right: bound by findall
p :- findall(X, q(X), L), length(L, N), N > 0.
q(1).
% right: bound by aggregate_all
p :- aggregate_all(count, q(_), N), N > 0.
q(1).
% right: bound by an aggregate of a maximum
p :- aggregate_all(max(X), q(X), M), M > 0.
q(1).
% right: bound by nb_getval
p :- nb_getval(k, V), V > 0.
% right: bound by a text
p(A) :- atom_number(A, N), N > 0.
% right: bound by a global of the b kind
p :- b_getval(k, V), V > 0.
% right: a variable of a lambda
p(L, M) :- maplist([X, Y]>>( Y is X + 1 ), L, M).
% right: a parameter of a lambda that is shared
p(N, L, M) :- maplist({N}/[X, Y]>>( Y is X + N ), L, M).
% right: foldl
p(L, S) :- foldl([X, A, B]>>( B is A + X ), L, 0, S).
% right: include
p(L, M) :- include([X]>>( X > 3 ), L, M).
% right: constraints
:- use_module(library(clpfd)).
p(X) :- Y #> 3, q(X, Y).
q(1, 4).
% right: when/2
p(X) :- when(ground(Y), Y > X), q(Y).
q(1).
% right: a constant expression
p :- X is 2 + 3, X =:= 5.
% right: the random number
p(X) :- X is random(10), X > 5.
% right: a mode that may be both, and a clause asks which
:- mode(age(+atom, ?integer), zero_or_more).
age(P, A) :- known(P, A), ( nonvar(A) -> A > 17 ; true ).
known(ann, 20).
% right: an input that may be left out, with a default
:- mode(cheap(-atom, ?integer), zero_or_more).
:- info(cheap/2, [comment is 'What is cheap.', argnames is ['I', 'Max'], defaults is ['Max' - 5]]).
cheap(I, Max) :- price(I, P), P < Max.
price(a, 3).
% right: each branch gives the output a value
:- mode(fee(+integer, -integer), one).
fee(A, F) :- ( A > 100 -> F = 0 ; A > 50 -> small(F) ; F = 5 ).
small(1).
% right: a branch that throws
:- mode(fee(+integer, -integer), one).
fee(A, F) :- ( A > 100 -> F = 0 ; throw(error(no_fee(A), _)) ).
% right: a branch that fails by a predicate
:- mode(fee(+integer, -integer), one).
fee(A, F) :- ( A > 100 -> F = 0 ; refuse(A) ).
refuse(A) :- A > 3, fail.
% right: any term may stay unbound
:- mode(first(+list, -any), zero_or_one).
first([X|_], X).
first([], _).
% right: bound after a branch
:- mode(fee(+integer, -integer), one).
fee(A, F) :- ( A > 100 -> B = 0 ; B = 2 ), F is A * B.
% right: the last argument of findall/3
:- mode(count(+atom, -integer), one).
count(C, N) :- findall(X, item(C, X), L), length(L, N).
item(a, 1).
% right: the name again, bound behind findall/3
total(T) :- findall(P, item(_, P), L), member(P, L), T is P + 1.
item(a, 1).
% right: sorted when the list is known
:- mode(ranked(+list, -list), one).
ranked(L, S) :- sort(0, @>=, L, S).
% right: a goal that is given
each(G, L) :- findall(X, call(G, X), L).
% wrong: a mode that may be both
:- mode(age(+atom, ?integer), zero_or_more).
age(P, A) :- A > 17, known(P, A).
known(ann, 20).
% wrong: a branch that gives the output no value
:- mode(fee(+integer, -integer), one).
fee(A, F) :- ( A > 100 -> F = 0 ; A > 50 -> true ; F = 5 ).
% wrong: a clause that gives the output no value
:- mode(status(+atom, -atom), one).
status(a, active).
status(b, _).
% wrong: a slip in the name of the output
:- mode(net(+integer, -integer), one).
net(G, Net) :- T is G // 5, Nett is G - T.
% wrong: forall/2 binds nothing
:- mode(all_ok(+list, -integer), one).
all_ok(L, R) :- forall(member(X, L), check(X, R)).
check(a, 1).
% wrong: findall/3 keeps its values
total(T) :- findall(P, item(_, P), _), T is P * 2.
item(a, 1).
% wrong: forall/2 keeps its values
small(X) :- forall(item(Y), Y > 0), item(X), X < Y.
item(1).
% wrong: aggregate_all/3 keeps its values
late(N) :- aggregate_all(count, due(D), N), D > 3.
due(4).
% wrong: an output that a negation alone has
:- mode(other(+atom, -atom), zero_or_one).
other(X, Y) :- person(X), \+ friend(X, Y).
person(a).
friend(a, b).
% wrong: input and output of sort/2 exchanged
:- mode(ranked(+list, -list), one).
ranked(L, S) :- sort(S, L).
% wrong: a template for the goal
items(L) :- findall(item(X), X, L).
item(1).
% wrong: the length of a text not yet made
long(N) :- atom_length(T, L), L > 3, title(N, T).
title(a, abcd).
% right: bound by a call of a variable goal
p(G, X) :- call(G, X), X > 1.
% right: bound by catch
p(X) :- catch(q(X, Y), _, fail), Y > 1.
q(1, 2).
% right: bound by once
p(X) :- once(q(X, Y)), Y > 1.
q(1, 2).
% right: bound by ignore
p(X) :- ignore(q(X, Y)), Y > 1.
q(1, 2).
% right: in a grammar, behind what reads
number(N) --> [D], { N is D - 1, N > 3 }.
% right: bound by read_term
p :- read(X), X > 1.
% right: an operator of its own
:- op(700, xfx, over).
p(X) :- Y over 3, q(X, Y).
q(1, 2).
_ over _.
% wrong: in the goal of call_with_time_limit/2
p(Y) :- call_with_time_limit(1, Y is X + 1), q(X).
q(1).
% right: a predicate may bind its arguments before it calls the goal
:- meta_predicate each(?, +, 0).
p(Y) :- each(X, [1], Y is X + 1).
each(X, [X | _], G) :- call(G).
% right: the goal runs when the variable has a value
p(X, Y) :- freeze(X, Y is X + 1).
% right: the first goal of foreach/2 binds the variable
p :- foreach(q(X), X > 0).
q(1).
% wrong: the goal does not have the variable of the template
names(X) :- findall(N, person(P), L), P = N, member(X, L).
person(ann).
% wrong: a template of two, of which the goal has one
pairs(L, A) :- findall(N-A, person(N), L), age(A).
:- mode(pairs(-list(any), -integer), one).
person(ann).
age(3).
% wrong: a negation gives no value
free(L) :- findall(R, \+ taken(R), L), R = a.
taken(a).
% wrong: aggregate_all of a variable that no goal has
most(M) :- aggregate_all(max(X), item(Y), M), X = Y.
item(3).
% wrong: all calls leave the argument free
totals(C, L) :- setof(T, total(C, T), L).
total(_, T) :- T > 0.
% wrong: no call gives a limit
over(X) :- limit(L), above(X, L, M), M > 0.
above(X, L, M) :- X > L * M.
limit(10).
% wrong: the comparison stands before the value
p :- X == a, q(X).
q(a).
% wrong: an output is compared and then bound
:- mode(kind(+integer, -atom), zero_or_one).
kind(N, K) :- K == pos, N > 0.
% right: all calls leave it free, and it is bound first
show(W, H) :- area(W, H, A), format("~w~n", [A]).
area(W, H, A) :- A is W * H.
% right: a clause asks whether it has a value
both(X) :- size(Y), part(X, Y, _).
part(X, Y, Z) :- nonvar(Z), Z > 0, X = Y.
part(X, Y, Z) :- var(Z), X = Y.
size(1).
% right: a call in the same term binds it
call_all(G, L) :- call(G), member(_, L).
top :- call_all(list_of(L), L).
list_of([1]).
% right: a goal that is built before has the template
g(L) :- G = p(X), findall(X, G, L).
p(1).
% right: only the length is asked
count(N) :- findall(X, p(_), L), length(L, N), X = 1.
p(1).
% right: a call that wants one name gives it, though no clause calls the predicate
young(X) :- X == u, age(X, A), A < 30.
age(u, 7).
age(v, 40).
% right: == behind the goal
same(X, Y) :- p(X), p(Y), X == Y.
p(1).
% wrong: an input that one branch leaves free, within setof
:- mode(may(+atom, +atom), zero_or_one).
may(User, Action) :- ( owner(User) -> true ; granted(User, Action) ).
all(User, Actions) :- setof(Action, may(User, Action), Actions).
owner(eve).
granted(ann, read).
% wrong: an input that a clause leaves free
:- mode(allowed(+atom, +atom), zero_or_one).
:- mode(first(-atom, -atom), zero_or_more).
allowed(admin, _).
allowed(Role, Action) :- grant(Role, Action).
first(Role, Action) :- role(Role), allowed(Role, Action).
role(admin).
grant(clerk, read).
% right: an input that each clause binds
:- mode(may(+atom, +atom), zero_or_one).
may(User, Action) :- ( owner(User) -> action(Action) ; granted(User, Action) ).
all(User, Actions) :- findall(Action, may(User, Action), Actions).
owner(eve).
action(read).
granted(ann, read).
% right: an input with a value
:- mode(may(+atom, +atom), zero_or_one).
may(User, Action) :- ( owner(User) -> true ; granted(User, Action) ).
all(User, Actions) :- findall(Action, (action(Action), may(User, Action)), Actions).
owner(eve).
action(read).
granted(ann, read).
% right: any value will do
:- mode(may(+atom, +atom), zero_or_one).
may(User, Action) :- ( owner(User) -> true ; granted(User, Action) ).
some(User) :- user(User), may(User, _).
user(eve).
owner(eve).
granted(ann, read).
% right: what a call of a tool may leave out is asked for, or has a value
tools([tool(ticket, ticket, 3)]).
:- mode(ticket(+atom, ?atom, -number), zero_or_more).
ticket(Zone, Card, P) :- fare(Zone, F), card(Card, C), P is F * C.
fare(a, 2.5).
fare(b, 4).
card(student, 0.5).
card(none, 1).
% right: what a call of a tool may leave out and may be missing
tools([tool(ticket, ticket, 3)]).
:- mode(ticket(+atom, +maybe(atom), -number), zero_or_one).
ticket(Zone, Card, P) :- fare(Zone, F), ( card(Card, C) -> P is F * C ; P = F ).
fare(a, 2.5).
card(student, 0.5).
% right: a clause that asks for what a call may leave out
tools([tool(name, name, 2)]).
:- mode(name(?atom, -atom), zero_or_more).
name(Card, N) :- nonvar(Card), holder(N), N \== Card.
holder(ann).
