% wrong: the recursive call comes first
path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).
edge(a, b).
% wrong: the clauses the other way round
anc(X, Y) :- anc(Z, Y), parent(X, Z).
anc(X, Y) :- parent(X, Y).
parent(a, b).
% wrong: symmetry
near(X, Y) :- near(Y, X).
near(a, b).
% wrong: another argument passed on
part(X, Y, N) :- part(X, Z, N), in(Z, Y).
part(a, b, 1).
in(b, c).
% wrong: twice
knows(X, Y) :- friend(X, Y).
knows(X, Y) :- knows(X, Z), knows(Z, Y).
friend(a, b).
% wrong: of one argument
good(X) :- good(X), fine(X).
good(a).
fine(a).
% wrong: nothing else in the body
loop(X) :- loop(X).
loop(a).
% wrong: three arguments in another order
r(X, Y, Z) :- r(Y, Z, X).
r(a, b, c).
% wrong: one of three changes
flow(P, X, Y) :- flow(P, X, Z), pipe(P, Z, Y).
flow(P, X, Y) :- pipe(P, X, Y).
pipe(p, a, b).
% wrong: the last changes
at(T, P) :- at(T, Q), next(Q, P).
at(1, a).
next(a, b).
% wrong: a constant is passed on
route(bus, X, Y) :- route(bus, X, Z), stop(Z, Y).
route(bus, X, Y) :- stop(X, Y).
stop(a, b).
% wrong: with a cut behind it
reach(X, Y) :- reach(X, Z), !, edge(Z, Y).
reach(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: with a test behind it
older(X, Y) :- older(X, Z), older_by_one(Z, Y), X \== Y.
older(X, Y) :- older_by_one(X, Y).
older_by_one(a, b).
% wrong: three clauses, the second is it
rel(X, Y) :- a(X, Y).
rel(X, Y) :- rel(X, Z), a(Z, Y).
rel(X, Y) :- b(X, Y).
a(1, 2).
b(2, 3).
% wrong: two clauses are it
rel(X, Y) :- rel(X, Z), a(Z, Y).
rel(X, Y) :- rel(X, Z), b(Z, Y).
rel(X, Y) :- a(X, Y).
a(1, 2).
b(2, 3).
% wrong: with facts of its own
boss(ann, bob).
boss(bob, cid).
boss(X, Y) :- boss(X, Z), boss(Z, Y).
% wrong: equality as rules
eq(X, Y) :- eq(Y, X).
eq(X, Y) :- eq(X, Z), eq(Z, Y).
eq(a, b).
% wrong: a declared mode does not help
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: it is called with its module
:- module(m, [path/2]).
path(X, Y) :- m:path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: in a module
:- module(m, [path/2]).
path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: four arguments
t(A, B, C, D) :- t(A, B, C, E), s(E, D).
t(a, b, c, d).
s(d, e).
% wrong: a calculation behind it
dist(X, Y, D) :- dist(X, Z, A), edge(Z, Y, B), D is A + B.
dist(X, Y, D) :- edge(X, Y, D).
edge(a, b, 1).
% wrong: a negation behind it
safe(X, Y) :- safe(X, Z), step(Z, Y), \+ bad(Y).
safe(X, Y) :- step(X, Y).
step(a, b).
bad(c).
% wrong: a branch behind it
go(X, Y) :- go(X, Z), ( a(Z, Y) -> true ; b(Z, Y) ).
go(X, Y) :- a(X, Y).
a(1, 2).
b(2, 3).
% wrong: a table of another predicate
:- table other/2.
path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
other(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: a table of the same name and another arity
:- table path/3.
path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
path(X, Y, 1) :- edge(X, Y).
edge(a, b).
% wrong: a grammar
sum(S) --> sum(A), "+", num(B), { S is A + B }.
sum(S) --> num(S).
num(1) --> "1".
% wrong: a grammar without arguments
list --> list, item.
list --> [].
item --> "a".
% wrong: in parentheses
path(X, Y) :- ( path(X, Z), edge(Z, Y) ).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: in the first of two branches
path(X, Y) :- ( path(X, Z), edge(Z, Y) ; edge(X, Y) ).
edge(a, b).
% wrong: in the second of two branches
path(X, Y) :- ( edge(X, Y) ; path(X, Z), edge(Z, Y) ).
edge(a, b).
% wrong: behind true
path(X, Y) :- true, path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: through another predicate
path(X, Y) :- way(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
way(X, Y) :- path(X, Y).
edge(a, b).
% wrong: in a condition
open(X, Y) :- ( open(X, Z) -> door(Z, Y) ; door(X, Y) ).
door(a, b).
% wrong: within once
path(X, Y) :- once(path(X, Z)), edge(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: a dynamic predicate
:- dynamic path/2.
path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: an unused variable is passed
path(X, Y) :- path(X, _), edge(X, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: one of one argument that nothing bounds
nat(N) :- nat(N), small(N).
nat(0).
small(0).
% wrong: the same variable twice
twin(X, X) :- twin(X, X), p(X).
twin(a, a).
p(a).
% wrong: order of size
less(X, Y) :- less(X, Z), less(Z, Y).
less(1, 2).
less(2, 3).
% right: tabled
:- table path/2.
path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).
edge(a, b).
% right: right recursion
path(X, Y) :- edge(X, Y).
path(X, Y) :- edge(X, Z), path(Z, Y).
edge(a, b).
% right: a list becomes less
len([], 0).
len([_|T], N) :- len(T, M), N is M + 1.
% right: a number as a term becomes less
add(0, Y, Y).
add(s(X), Y, s(Z)) :- add(X, Y, Z).
% right: an endless generator
nat(0).
nat(N) :- nat(M), N is M + 1.
% right: no arguments
again.
again :- again.
% right: another arity
path(X, Y) :- path(X, Y, []).
path(X, Y, _) :- edge(X, Y).
edge(a, b).
% right: tabled with others
:- table a/1, path/2.
a(1).
path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% right: tabled by modes
:- table dist(_, _, min).
dist(X, Y, D) :- dist(X, Z, A), edge(Z, Y, B), D is A + B.
dist(X, Y, D) :- edge(X, Y, D).
edge(a, b, 1).
% right: tabled with options
:- table path/2 as subsumptive.
path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% right: tabled by a directive behind the clauses
path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
:- table path/2.
% right: an argument becomes less
count(N) :- N > 0, M is N - 1, count(M).
count(0).
% right: a guard before it
depth(X, N) :- N > 0, M is N - 1, depth(X, M).
depth(a, 0).
% right: an accumulator grows
rev([], A, A).
rev([X|Xs], A, R) :- rev(Xs, [X|A], R).
% right: a list grows from nothing
list([]).
list([_|T]) :- list(T).
% right: a structure is taken apart
size(leaf, 0).
size(node(L, R), N) :- size(L, A), size(R, B), N is A + B + 1.
% right: a structure is made
num(z).
num(s(X)) :- num(X).
% right: another module's predicate of the name
:- module(m, [member/2]).
member(X, Y) :- lists:member(X, Y).
% right: another constant
mode(on, X) :- mode(off, X).
mode(off, a).
% right: a constant where there was a variable
state(X, Y) :- state(start, Z), move(Z, X, Y).
state(start, a).
move(a, b, c).
% right: a known symmetry of two predicates
near(X, Y) :- by(X, Y).
near(X, Y) :- by(Y, X).
by(a, b).
% right: a call within findall of another
all(L) :- findall(X, p(X), L).
p(a).
% right: behind a cut that ends it
go(X, _) :- done(X), !.
go(X, Y) :- step(X, Z), go(Z, Y).
done(a).
step(b, a).
% right: a compound in its place
eval(lit(X), V) :- eval(num(X), V).
eval(num(1), one).
% right: a fact that is named like it
path(path(X), X).
path(X, Y) :- edge(X, Y).
path(X, Y) :- edge(X, Z), path(Z, Y).
edge(a, b).
% right: a grammar on the right
digits([D|T]) --> digit(D), digits(T).
digits([D]) --> digit(D).
digit(D) --> [D].
% right: a grammar that reads first
list --> "a", list.
list --> [].
% right: the call is an argument
p(X) :- call(q, p(X)).
p(a).
q(_).
% right: a negated call comes first, tabled
:- table win/1.
win(X) :- \+ win(X), move(X, _).
move(a, b).
% right: a quoted goal
help(X) :- help_text(X, help(X)).
help_text(_, _).
% right: with a counter that a caller gives
walk(X, Y, N) :- N > 0, M is N - 1, walk(X, Z, M), edge(Z, Y).
walk(X, X, 0).
edge(a, b).
% right: it calls itself with what a fact gives
p(X, Y) :- q(Y, Z), p(X, Z).
p(a, a).
q(b, a).
% right: the goal before it makes less
sub(X, Y) :- inside(X, Z), sub(Z, Y).
sub(X, X).
inside(a, b).
% right: the goal before it is empty of the variables and fails in time
run(S, T) :- queue(S, S1), run(S1, T).
run(e, e).
queue(a, e).
% right: mutual recursion that takes a list apart
even([]).
even([_|T]) :- odd(T).
odd([_|T]) :- even(T).
% right: a dictionary of defaults
conf(K, V) :- own(K, V).
conf(K, V) :- base(K, V).
own(a, 1).
base(b, 2).
% right: a difference list
app(X-Y, Y-Z, X-Z).
app(X, Y) :- app(X, Y-[], _-[]).
% right: a term is taken apart
up(s(X), Y) :- up(X, Y).
up(z, z).
% right: tabled in its module
:- module(m, [path/2]).
:- table path/2.
path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% right: the module of a call is another
:- module(m, [path/2]).
path(X, Y) :- n:path(X, Z), edge(Z, Y).
edge(a, b).
% right: a hook of another module calls a predicate of this one
:- module(m, []).
:- multifile user:portray/1.
user:portray(X) :- portray(X).
portray(_) :- fail.
% wrong: in the goal of limit/2
:- use_module(library(solution_sequences)).
path(X, Y) :- limit(3, path(X, Z)), edge(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
