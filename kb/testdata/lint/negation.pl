% wrong: before the goal that binds it
:- mode(single(-atom), zero_or_more).
single(X) :- \+ married(X), person(X).
married(a).
person(b).
% wrong: a variable of its own, bound later
free(R) :- room(R), \+ booked(R, D), day(D).
room(1).
day(m).
booked(1, m).
% wrong: in the middle
p(X) :- q(X), \+ r(X, Y), s(Y).
q(1).
r(1, 2).
s(2).
% wrong: an output that nothing binds
:- mode(other(+atom, -atom), zero_or_more).
other(X, Y) :- \+ same(X, Y).
same(a, a).
% wrong: in a branch
p(X) :- ( q(X), \+ r(Y), s(Y) ; s(X) ).
q(1).
r(1).
s(2).
% wrong: written with not
p(X) :- q(X), not(r(X, Y)), s(Y).
q(1).
r(1, 2).
s(2).
% wrong: the first goal of a rule without modes
pair(X, Y) :- \+ bad(Z), good(X, Z), good(Y, Z).
bad(1).
good(a, 2).
% wrong: two variables, one is bound
p(X) :- q(X), \+ r(X, Y, Z), s(Y, Z).
q(1).
r(1, 2, 3).
s(2, 3).
% wrong: bound in a later branch
p(X) :- q(X), \+ r(X, Y), ( s(Y) ; t(Y) ).
q(1).
r(1, 2).
s(2).
t(3).
% wrong: bound in a later condition
p(X) :- q(X), \+ r(X, Y), ( s(Y) -> true ; t(Y) ).
q(1).
r(1, 2).
s(2).
t(3).
% wrong: in a condition, used behind it
p(X, Y) :- q(X), ( \+ r(X, Z) -> s(Z, Y) ; t(Y) ).
q(1).
r(1, 2).
s(2, 3).
t(3).
% wrong: in what follows a condition
p(X) :- ( q(X) -> \+ r(X, Y), s(Y) ; true ).
q(1).
r(1, 2).
s(2).
% wrong: in what follows otherwise
p(X) :- ( q(X) -> true ; \+ r(X, Y), s(Y) ).
q(1).
r(1, 2).
s(2).
% wrong: a comparison under it
:- mode(cheap(-atom), zero_or_more).
cheap(X) :- \+ dear(X), item(X).
dear(a).
item(b).
% wrong: two outputs
:- mode(match(-atom, -atom), zero_or_more).
match(X, Y) :- man(X), \+ cousin(X, Y), woman(Y).
man(a).
woman(b).
cousin(a, c).
% wrong: in a structure
p(X) :- q(X), \+ r(f(X, Y)), s(Y).
q(1).
r(f(1, 2)).
s(2).
% wrong: in a list
p(X) :- q(X), \+ memberchk(Y, [a, X]), s(Y).
q(1).
s(2).
% wrong: two negations, both too early
p(X) :- \+ r(Y), \+ t(Y), s(Y), q(X).
q(1).
r(1).
s(2).
t(3).
% wrong: with the module of the goal
p(X) :- q(X), \+ user:r(X, Y), s(Y).
q(1).
r(1, 2).
s(2).
% wrong: used by a calculation
p(X, Z) :- q(X), \+ r(X, Y), Z is X + Y.
q(1).
r(1, 2).
% wrong: used by a comparison
p(X) :- q(X), \+ r(X, Y), Y > 3.
q(1).
r(1, 2).
% wrong: used by unification
p(X) :- q(X), \+ r(X, Y), Y = 3.
q(1).
r(1, 2).
% wrong: in a module
:- module(m, [p/1]).
p(X) :- q(X), \+ r(X, Y), s(Y).
q(1).
r(1, 2).
s(2).
% wrong: of a tabled predicate
:- table p/1.
p(X) :- q(X), \+ r(X, Y), s(Y).
q(1).
r(1, 2).
s(2).
% wrong: of a dynamic one
:- dynamic r/2.
p(X) :- q(X), \+ r(X, Y), s(Y).
q(1).
s(2).
% wrong: within findall
all(L) :- findall(X, ( \+ r(Y), s(Y), q(X) ), L).
q(1).
r(1).
s(2).
% wrong: within forall
fine :- forall(( \+ r(Y), s(Y) ), q(Y)).
q(1).
r(1).
s(2).
% wrong: within once
p(X) :- once(( \+ r(Y), s(Y) )), q(X).
q(1).
r(1).
s(2).
% wrong: within another negation
p(X) :- q(X), \+ ( \+ r(Y), s(X, Y) ).
q(1).
r(1).
s(1, 2).
% wrong: in a grammar
word --> { \+ stop(X) }, [X].
stop(the).
% wrong: behind a cut
p(X) :- q(X), !, \+ r(X, Y), s(Y).
q(1).
r(1, 2).
s(2).
% wrong: an answer of the rule
:- mode(next(+integer, -integer), zero_or_more).
next(X, Y) :- \+ used(Y), step(X, Y).
used(1).
step(1, 2).
% wrong: a third argument
:- mode(route(+atom, +atom, -atom), zero_or_more).
route(A, B, V) :- \+ closed(V), via(A, V, B).
closed(x).
via(a, v, b).
% wrong: the negation of a grammar body
p(X) :- \+ phrase(g(Y), X), s(Y).
g(1) --> [a].
s(1).
% wrong: tnot
:- table win/1.
win(X) :- tnot(win(Y)), move(X, Y).
move(a, b).
% wrong: a conjunction of which one variable is used later
p(X) :- \+ ( r(X), t(Y) ), s(X, Y).
r(1).
t(2).
s(1, 2).
% wrong: in the second of three branches
p(X) :- ( q(X) ; \+ r(Y), s(X, Y) ; t(X) ).
q(1).
r(1).
s(1, 2).
t(3).
% wrong: a soft cut
p(X) :- ( q(X) *-> \+ r(X, Y), s(Y) ; true ).
q(1).
r(1, 2).
s(2).
% wrong: three goals later
p(X) :- q(X), \+ r(X, Y), q(X), q(X), s(Y).
q(1).
r(1, 2).
s(2).
% wrong: the head has it in a structure that is an output
:- mode(pick(-atom), zero_or_more).
pick(X) :- \+ taken(X), seat(X), \+ broken(X).
taken(a).
seat(b).
broken(c).
% right: behind the goal that binds it
:- mode(single(-atom), zero_or_more).
single(X) :- person(X), \+ married(X).
married(a).
person(b).
% right: nobody knows how it is called, and a rule gives the values
single(X) :- \+ married(X), human(X).
married(a).
human(X) :- member(X, [a, b]).
% right: a clause calls it
single(X) :- \+ married(X), person(X).
bachelor(X) :- person(X), single(X).
married(a).
person(b).
% right: an optional input that a clause asks about
:- mode(allowed(+atom, ?atom), zero_or_one).
allowed(P, Cause) :- person(P), nonvar(Cause), \+ blocked(P, Cause).
allowed(P, Cause) :- person(P), var(Cause).
person(a).
blocked(a, x).
% right: an optional input with a default
:- mode(allowed(+atom, ?atom), zero_or_one).
:- info(allowed/2, [comment is 'Who may.', argnames is ['P', 'C'], defaults is ['C' - none]]).
allowed(P, Cause) :- person(P), \+ blocked(P, Cause).
person(a).
blocked(a, x).
% right: other values behind the goals that give them
other(X, Y) :- person(X), person(Y), X \= Y.
person(a).
person(b).
% right: two inputs
:- mode(other(+atom, +atom), zero_or_one).
other(X, Y) :- X \== Y, person(X), person(Y).
person(a).
person(b).
% wrong: a variable of the head, which facts give its values later
single(X) :- \+ married(X), person(X).
married(a).
person(b).
% wrong: other values before they are known
other(X, Y) :- X \= Y, person(X), person(Y).
person(a).
person(b).
% wrong: identity before the values are known
other(X, Y) :- X \== Y, person(X), person(Y).
person(a).
person(b).
% wrong: an output that differs from an input
:- mode(other(+atom, -atom), zero_or_more).
other(X, Y) :- X \= Y, person(Y).
person(a).
person(b).
% wrong: an input that may be left out
:- mode(allowed(+atom, ?atom), zero_or_one).
allowed(P, Cause) :- person(P), \+ blocked(P, Cause).
person(a).
blocked(a, x).
% right: an input
:- mode(single(+atom), zero_or_one).
single(X) :- \+ married(X), person(X).
married(a).
person(b).
% right: a variable without a name
childless(X) :- person(X), \+ parent(X, _).
person(a).
parent(b, c).
% right: a variable of the conjunction alone
childless(X) :- person(X), \+ ( parent(X, Y), alive(Y) ).
person(a).
parent(b, c).
alive(c).
% right: a test that binds nothing
p(X) :- \+ \+ X = 1, q(X).
q(1).
% right: the same name in two conjunctions
p :- \+ ( q(X), r(X) ), \+ ( s(X), r(X) ).
q(1).
r(1).
s(2).
% right: the name is used again on its own
p(X) :- \+ ( X = Y, q(Y) ), q(Y).
q(1).
% right: a variable of the negation alone
p(X) :- q(X), \+ r(X, _Y).
q(1).
r(1, 2).
% wrong: a mode that may be both
:- mode(single(?atom), zero_or_more).
single(X) :- \+ married(X), person(X).
married(a).
person(b).
% right: two modes that disagree
:- mode(single(+atom), zero_or_one).
:- mode(single(-atom), zero_or_more).
single(X) :- \+ married(X), person(X).
married(a).
person(b).
% right: bound in both branches
p(X) :- ( q(X, Y) ; r(X, Y) ), \+ s(Y).
q(1, 2).
r(1, 3).
s(3).
% right: bound in a condition
p(X) :- ( q(X, Y) -> \+ s(Y) ; true ).
q(1, 2).
s(3).
% right: bound by unification
p(X) :- X = f(Y), \+ s(Y).
s(3).
% right: bound by a calculation
p(X) :- Y is X + 1, \+ s(Y).
s(3).
% right: bound by findall
p :- findall(X, q(X), L), \+ memberchk(3, L).
q(1).
% right: bound by the head
p(f(X)) :- \+ s(X).
s(3).
% right: a list of the head
p([X|_]) :- \+ s(X).
s(3).
% right: a variable of findall under it
p(X) :- q(X), \+ findall(Y, r(X, Y), []).
q(1).
r(1, 2).
% right: a variable of forall under it
p(X) :- q(X), \+ forall(r(X, Y), s(Y)).
q(1).
r(1, 2).
s(2).
% right: the name stands in findall later
p(X, L) :- q(X), \+ r(X, Y), findall(Y, s(Y), L).
q(1).
r(1, 2).
s(2).
% right: the name stands in another negation later
p(X) :- q(X), \+ r(X, Y), \+ s(Y).
q(1).
r(1, 2).
s(2).
% right: the name stands in another branch
p(X) :- ( \+ r(X, Y) ; s(X, Y) ).
r(1, 2).
s(2, 3).
% right: ground
p(X) :- \+ r(1, a), q(X).
q(1).
r(1, a).
% right: no arguments
p(X) :- \+ stopped, q(X).
q(1).
stopped :- fail.
% right: var/1
p(X, Y) :- q(X), \+ var(Y), s(Y).
q(1).
s(2).
% right: two tests of the same input
:- mode(ok(+atom), zero_or_one).
ok(X) :- \+ bad(X), \+ worse(X).
bad(a).
worse(b).
% right: bound in a forall cannot be used later anyway
p(X) :- forall(q(Y), r(Y)), \+ s(X).
q(1).
r(1).
s(2).
% right: bound by a goal called otherwise
p(X) :- call(q, X), \+ s(X).
q(1).
s(2).
% right: bound by an option of a library
p(K) :- option(a(K), [a(1)]), \+ s(K).
s(2).
% right: bound by nth0
p(X) :- nth0(0, [a], X), \+ s(X).
s(a).
% right: in a grammar, behind what reads
word(X) --> [X], { \+ stop(X) }.
stop(the).
% right: bound by a lambda's argument
p(L) :- maplist([X]>>( \+ s(X) ), L).
s(2).
% right: no clause reads the output
:- mode(p(-atom), zero_or_more).
p(X) :- member(X, [a, b]), \+ s(X).
s(a).
% right: a global variable
p :- nb_getval(k, V), \+ s(V).
s(2).
% right: a dict of pairs
p(L) :- member(K-V, L), \+ s(K, V).
s(1, 2).
% right: a soft cut binds
p(X) :- ( q(X, Y) *-> \+ s(Y) ; true ).
q(1, 2).
s(3).
% right: dif does not need it
p(X, Y) :- dif(X, Y), q(X), q(Y).
q(1).
q(2).
% right: a double negation of a conjunction
p(X) :- \+ \+ ( X = Y, q(Y) ), q(X), r(Y).
q(1).
r(2).
% right: the absence of anything at all
:- mode(empty(+atom), zero_or_one).
empty(Box) :- box(Box), \+ inside(_, Box).
box(b).
inside(x, c).
