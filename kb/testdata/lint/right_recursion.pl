% wrong: the last goal
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- edge(X, Y).
path(X, Y) :- edge(X, Z), path(Z, Y).
edge(a, b).
% wrong: the mode stands first
:- mode(path(+atom, -atom), zero_or_more).
:- table path/2.
path(X, Y) :- edge(X, Z), path(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: a third argument is passed on
:- table r/3.
:- mode(r(+atom, +atom, -atom), zero_or_more).
r(L, X, Y) :- e(L, X, Z), r(L, Z, Y).
r(L, X, Y) :- e(L, X, Y).
e(l, a, b).
% wrong: subsumptive tables
:- table (needs/2) as subsumptive.
:- mode(needs(+atom, -atom), zero_or_more).
needs(X, Y) :- uses(X, Y).
needs(X, Y) :- uses(X, Z), good(Z), needs(Z, Y).
uses(a, b).
good(b).
% wrong: the second argument is the input
:- table q/2.
:- mode(q(-atom, +atom), zero_or_more).
q(X, Y) :- e(Z, Y), q(X, Z).
q(X, Y) :- e(X, Y).
e(a, b).
% wrong: the table among others
:- table a/1, path/2.
:- mode(path(+atom, -atom), zero_or_more).
a(1).
path(X, Y) :- edge(X, Z), path(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: a goal between
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- edge(X, Z), open(Z), path(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
open(b).
% wrong: a negation between
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- edge(X, Z), \+ closed(Z), path(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
closed(c).
% wrong: a comparison between
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- edge(X, Z), Z \== X, path(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: a goal before
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- open(X), edge(X, Z), path(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
open(a).
% wrong: a rule steps
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- step(X, Z), path(Z, Y).
path(X, Y) :- step(X, Y).
step(X, Y) :- edge(X, Y).
step(X, Y) :- edge(Y, X).
edge(a, b).
% wrong: three clauses
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- edge(X, Y).
path(X, Y) :- rail(X, Y).
path(X, Y) :- edge(X, Z), path(Z, Y).
edge(a, b).
rail(b, c).
% wrong: two such clauses
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- edge(X, Y).
path(X, Y) :- rail(X, Z), path(Z, Y).
path(X, Y) :- edge(X, Z), path(Z, Y).
edge(a, b).
rail(b, c).
% wrong: the step has more arguments
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- edge(X, Z, _), path(Z, Y).
path(X, Y) :- edge(X, Y, _).
edge(a, b, 3).
% wrong: the step has the arguments turned round
:- table up/2.
:- mode(up(+atom, -atom), zero_or_more).
up(X, Y) :- parent(Z, X), up(Z, Y).
up(X, Y) :- parent(Y, X).
parent(a, b).
% wrong: in a module
:- module(m, [path/2]).
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- edge(X, Z), path(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: called with its module
:- module(m, [path/2]).
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- edge(X, Z), m:path(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: strings
:- table path/2.
:- mode(path(+string, -string), zero_or_more).
path(X, Y) :- edge(X, Z), path(Z, Y).
path(X, Y) :- edge(X, Y).
edge("a", "b").
% wrong: numbers that are names
:- table path/2.
:- mode(path(+integer, -integer), zero_or_more).
path(X, Y) :- edge(X, Z), path(Z, Y).
path(X, Y) :- edge(X, Y).
edge(1, 2).
% wrong: four arguments
:- table f/4.
:- mode(f(+atom, +atom, +atom, -atom), zero_or_more).
f(A, B, X, Y) :- e(A, B, X, Z), f(A, B, Z, Y).
f(A, B, X, Y) :- e(A, B, X, Y).
e(a, b, c, d).
% wrong: the passed argument is an input too
:- table to/2.
:- mode(to(+atom, +atom), zero_or_one).
to(X, Y) :- edge(X, Z), to(Z, Y).
to(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: an input given twice as much
:- table path/2.
:- mode(path(++atom, -atom), zero_or_more).
path(X, Y) :- edge(X, Z), path(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: a cut before it
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, X) :- final(X), !.
path(X, Y) :- edge(X, Z), path(Z, Y).
edge(a, b).
final(b).
% wrong: dynamic edges
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
:- dynamic edge/2.
path(X, Y) :- edge(X, Z), path(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: incremental tables
:- table path/2 as incremental.
:- mode(path(+atom, -atom), zero_or_more).
:- dynamic([edge/2], [incremental(true)]).
path(X, Y) :- edge(X, Z), path(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: a private table
:- table path/2 as private.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- edge(X, Z), path(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: in parentheses
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- ( edge(X, Z), path(Z, Y) ).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: in parentheses behind a goal
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- open(X), ( edge(X, Z), path(Z, Y) ).
path(X, Y) :- edge(X, Y).
edge(a, b).
open(a).
% wrong: in a branch
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- ( edge(X, Y) ; edge(X, Z), path(Z, Y) ).
edge(a, b).
% wrong: in the first branch
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- ( edge(X, Z), path(Z, Y) ; edge(X, Y) ).
edge(a, b).
% wrong: in what a condition leads to
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- ( final(X) -> Y = X ; edge(X, Z), path(Z, Y) ).
edge(a, b).
final(b).
% wrong: two steps
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- edge(X, V), edge(V, Z), path(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: a step of another module
:- module(m, [path/2]).
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- m:edge(X, Z), path(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: a disjunction steps
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- ( edge(X, Z) ; rail(X, Z) ), path(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
rail(b, c).
% wrong: a step by once
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- once(edge(X, Z)), path(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: two modes that agree
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
:- mode(path(+atom, +atom), zero_or_one).
path(X, Y) :- edge(X, Z), path(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% wrong: the step is behind the other goal
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- kind(K), edge(K, X, Z), path(Z, Y).
path(X, Y) :- edge(_, X, Y).
kind(road).
edge(road, a, b).
% wrong: the answer is a pair
:- table path/2.
:- mode(path(+atom, -any), zero_or_more).
path(X, Y) :- edge(X, Z), path(Z, Y).
path(X, to-Y) :- edge(X, Y).
edge(a, b).
% wrong: facts of its own
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(a, b).
path(X, Y) :- edge(X, Z), path(Z, Y).
edge(b, c).
% wrong: a table of a list of predicates
:- table([path/2, other/1]).
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- edge(X, Z), path(Z, Y).
path(X, Y) :- edge(X, Y).
other(1).
edge(a, b).
% right: left recursion
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).
edge(a, b).
% right: no modes
:- table path/2.
path(X, Y) :- edge(X, Y).
path(X, Y) :- edge(X, Z), path(Z, Y).
edge(a, b).
% right: no table
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- edge(X, Y).
path(X, Y) :- edge(X, Z), path(Z, Y).
edge(a, b).
% right: two calls
:- table fib/2.
:- mode(fib(+integer, -integer), one).
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N - 1, B is N - 2, fib(A, G), fib(B, H), F is G + H.
% right: a number that becomes less
:- table down/2.
:- mode(down(+integer, -integer), one).
down(0, 0).
down(N, F) :- N > 0, M is N - 1, down(M, F).
% right: outputs only
:- table path/2.
:- mode(path(-atom, -atom), zero_or_more).
path(X, Y) :- edge(X, Y).
path(X, Y) :- edge(X, Z), path(Z, Y).
edge(a, b).
% right: modes that disagree
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
:- mode(path(-atom, +atom), zero_or_more).
path(X, Y) :- edge(X, Z), path(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% right: either direction
:- table path/2.
:- mode(path(?atom, ?atom), zero_or_more).
path(X, Y) :- edge(X, Z), path(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% right: a list becomes less
:- table len/2.
:- mode(len(+list, -integer), one).
len([], 0).
len([_|T], N) :- len(T, M), N is M + 1.
% right: a list becomes less, last
:- table all/2.
:- mode(all(+list, -atom), zero_or_one).
all([], yes).
all([X|T], R) :- ok(X), all(T, R).
ok(1).
% right: a moded table
:- table dist(_, _, min).
:- mode(dist(+atom, -atom, -integer), zero_or_more).
dist(X, Y, D) :- edge(X, Y, D).
dist(X, Y, D) :- edge(X, Z, A), dist(Z, Y, B), D is A + B.
edge(a, b, 1).
% right: a goal behind it
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- edge(X, Z), path(Z, V), edge(V, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
% right: a calculation behind it
:- table size/2.
:- mode(size(+atom, -integer), one).
size(X, N) :- in(X, Y), size(Y, M), N is M + 1.
size(b, 0).
in(a, b).
% right: nothing is passed on
:- table depth/2.
:- mode(depth(+atom, -any), zero_or_more).
depth(X, s(N)) :- in(X, Y), depth(Y, N).
depth(b, z).
in(a, b).
% right: the answer is built
:- table trail/2.
:- mode(trail(+atom, -list), zero_or_more).
trail(X, [X|T]) :- edge(X, Y), trail(Y, T).
trail(b, [b]).
edge(a, b).
% right: another predicate is called last
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- edge(X, Z), other(Z, Y).
other(X, Y) :- edge(X, Y).
edge(a, b).
% right: another arity is called last
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- edge(X, Z), path(Z, Y, 1).
path(X, Y, _) :- edge(X, Y).
edge(a, b).
% right: both ends move
:- table same/2.
:- mode(same(+atom, -atom), zero_or_more).
same(X, X) :- node(X).
same(X, Y) :- up(X, A), same(A, B), up(Y, B).
node(a).
up(a, b).
% right: the step is arithmetic with two arguments
:- table gcd/3.
:- mode(gcd(+integer, +integer, -integer), one).
gcd(X, 0, X).
gcd(X, Y, G) :- Y > 0, Z is X mod Y, gcd(Y, Z, G).
% right: a counter
:- table walk/3.
:- mode(walk(+atom, +integer, -atom), zero_or_more).
walk(X, 0, X).
walk(X, N, Y) :- N > 0, M is N - 1, walk(X, M, Y).
% right: the step is a structure of the head
:- table eval/2.
:- mode(eval(+any, -integer), one).
eval(num(N), N).
eval(neg(E), V) :- eval(E, V).
% right: the step is unification
:- table f/2.
:- mode(f(+any, -atom), zero_or_more).
f(X, Y) :- X = s(Z), f(Z, Y).
f(z, a).
% right: the step is arg/3
:- table f/2.
:- mode(f(+any, -atom), zero_or_more).
f(X, Y) :- arg(1, X, Z), f(Z, Y).
f(z, a).
% right: the call is negated
:- table win/1.
:- mode(win(+atom), zero_or_one).
win(X) :- move(X, Y), \+ win(Y).
move(a, b).
% right: one argument
:- table reach/1.
:- mode(reach(+atom), zero_or_one).
reach(X) :- edge(X, Y), reach(Y).
reach(b).
edge(a, b).
% right: the call is collected
:- table all/2.
:- mode(all(+atom, -list), one).
all(X, L) :- edge(X, Z), findall(Y, all(Z, Y), L).
edge(a, b).
% right: a constant instead
:- table p/2.
:- mode(p(+atom, -atom), zero_or_more).
p(X, Y) :- edge(X, _), p(start, Y).
p(start, a).
edge(a, b).
% right: the table of another
:- table other/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- edge(X, Z), path(Z, Y).
path(X, Y) :- edge(X, Y).
other(X, Y) :- path(X, Y).
edge(a, b).
% right: the same value again
:- table p/2.
:- mode(p(+atom, -atom), zero_or_more).
p(X, Y) :- open(X), q(X, Y).
q(X, Y) :- edge(X, Y).
open(a).
edge(a, b).
% right: an arithmetic step by a goal of the library
:- table up/2.
:- mode(up(+integer, -integer), zero_or_more).
up(X, Y) :- X < 9, succ(X, Z), up(Z, Y).
up(X, X).
% right: a text becomes less
:- table f/2.
:- mode(f(+atom, -integer), one).
f('', 0).
f(A, N) :- sub_atom(A, 1, _, 0, B), f(B, N).
% right: left recursion with a goal between
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- path(X, Z), open(Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
open(b).
edge(a, b).
% right: a moded list
:- table route(_, _, lattice(shorter/3)).
:- mode(route(+atom, +atom, -list), zero_or_one).
route(X, Y, [X, Y]) :- edge(X, Y).
route(X, Y, [X|R]) :- edge(X, Z), route(Z, Y, R).
shorter(A, _, A).
edge(a, b).
% right: twice in two branches
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- edge(X, Z), ( path(Z, Y) ; path(Y, Z) ).
path(X, Y) :- edge(X, Y).
edge(a, b).
% right: both arguments step
:- table same/2.
:- mode(same(+atom, +atom), zero_or_one).
same(X, X).
same(X, Y) :- up(X, A), up(Y, B), same(A, B).
up(a, b).
% right: an argument becomes less by a rule of arithmetic
:- table steps/2.
:- mode(steps(+integer, -integer), zero_or_more).
steps(X, Y) :- X > 1, Z is X // 2, steps(Z, Y).
steps(1, 0).
% right: a grammar
:- table g//1.
g(X) --> [X].
g(X) --> [_], g(X).
% right: no rules
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(a, b).
path(b, c).
% right: called by others alone
:- table path/2.
:- mode(path(+atom, -atom), zero_or_more).
path(X, Y) :- edge(X, Y).
two(X, Y) :- edge(X, Z), path(Z, Y).
edge(a, b).
% right: dynamic, not tabled
:- mode(path(+atom, -atom), zero_or_more).
:- dynamic path/2.
path(X, Y) :- edge(X, Z), path(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
