%% each of its clauses calls it again
% wrong: the sum of a list
total([X|Xs], S) :- total(Xs, S0), S is S0 + X.
% wrong: the length of a list
size([_|T], N) :- size(T, M), N is M + 1.
% wrong: factorial
fact(N, F) :- N > 0, M is N - 1, fact(M, G), F is N * G.
% wrong: a chain of managers
boss(X, Y) :- manager(X, Z), boss(Z, Y).
manager(ann, bob).
manager(bob, cid).
% wrong: a way between places
:- mode(reach(+atom, -atom), zero_or_more).
reach(A, B) :- road(A, C), reach(C, B).
road(rome, bern).
road(bern, oslo).
% wrong: two clauses that both go on
steps([up|T], N) :- steps(T, M), N is M + 1.
steps([down|T], N) :- steps(T, M), N is M - 1.
% wrong: two predicates call each other
even(N) :- N > 0, M is N - 1, odd(M).
odd(N) :- N > 0, M is N - 1, even(M).
% wrong: the largest of a list
largest([X|Xs], M) :- largest(Xs, M0), M is max(X, M0).
% wrong: parts of parts
contains(Whole, Part) :- part(Whole, Mid), contains(Mid, Part).
part(car, engine).
part(engine, piston).
% wrong: a list of doubles
doubled([X|Xs], [Y|Ys]) :- Y is 2 * X, doubled(Xs, Ys).
% wrong: only those that pass
passed([S|T], [S|R]) :- S >= 50, passed(T, R).
passed([S|T], R) :- S < 50, passed(T, R).
% wrong: a depth of a tree
depth(node(L, _, R), D) :- depth(L, A), depth(R, B), D is max(A, B) + 1.
% wrong: payments until nothing is left
months(Debt, Rate, N) :- Debt > 0, Rest is Debt - Rate, months(Rest, Rate, M), N is M + 1.
% wrong: the greatest common divisor
gcd_of(A, B, G) :- B > 0, C is A mod B, gcd_of(B, C, G).
% wrong: a cost along a tree of parts
cost(P, C) :- sub(P, Q), cost(Q, D), C is D + 1.
sub(bike, wheel).
sub(wheel, spoke).
% wrong: three predicates in a ring
p(X, Y) :- q(X, Y).
q(X, Y) :- r(X, Y).
r(X, Y) :- p(X, Y).
% wrong: an ancestor by mothers and fathers
ancestor(X, Y) :- mother(Z, X), ancestor(Z, Y).
ancestor(X, Y) :- father(Z, X), ancestor(Z, Y).
mother(eva, ann).
father(tom, ann).
% wrong: all of a list hold
all_known([X|T]) :- known(X), all_known(T).
known(a).
% wrong: a word is spelt
spells([C|Cs], N) :- letter(C, V), spells(Cs, M), N is V + M.
letter(a, 1).
letter(b, 2).
% wrong: a countdown
countdown(N, [N|T]) :- N > 0, M is N - 1, countdown(M, T).
% wrong: reversed with an accumulator
turned([X|Xs], Acc, R) :- turned(Xs, [X|Acc], R).
% right: the sum of a list
total([], 0).
total([X|Xs], S) :- total(Xs, S0), S is S0 + X.
% right: a base of one
largest([X], X).
largest([X|Xs], M) :- largest(Xs, M0), M is max(X, M0).
% right: the base is a condition in the same clause
fact(N, F) :- ( N =:= 0 -> F = 1 ; M is N - 1, fact(M, G), F is N * G ).
% right: the base is behind
size([_|T], N) :- size(T, M), N is M + 1.
size([], 0).
% right: a dynamic base
:- dynamic(known/2).
known(X, Y) :- link(X, Z), known(Z, Y).
link(a, b).
% right: a base in another predicate
boss(X, Y) :- manager(X, Y).
boss(X, Y) :- manager(X, Z), boss(Z, Y).
manager(ann, bob).
% right: two predicates, one with a base
even(0).
even(N) :- N > 0, M is N - 1, odd(M).
odd(N) :- N > 0, M is N - 1, even(M).
% right: a loop that is meant
serve(Q) :- thread_get_message(Q, M), writeln(M), serve(Q).
% right: it ends by an error
run(N) :- ( N > 10 -> throw(done) ; M is N + 1, run(M) ).
% right: a failure-driven loop
show(X) :- item(X, Y), writeln(Y), fail.
show(_).
item(a, b).
% right: a disjunction with an end
reach(A, B) :- road(A, C), ( C = B ; reach(C, B) ).
road(rome, bern).
% right: depth of a tree
depth(leaf, 0).
depth(node(L, _, R), D) :- depth(L, A), depth(R, B), D is max(A, B) + 1.
% right: once a fact of another file is there
:- multifile(chain/2).
chain(X, Y) :- next(X, Z), chain(Z, Y).
next(a, b).
% right: a negation ends it
last_of(X, Y) :- next(X, Z), ( \+ next(Z, _) -> Y = Z ; last_of(Z, Y) ).
next(a, b).
next(b, c).
% right: a delayed call
nat(N, [N|T]) :- K is N + 1, freeze(T, nat(K, T)).
% right: a grammar
items([X|Xs]) --> [X], items(Xs).
items([]) --> [].
% right: maplist instead of a recursion
doubled(Xs, Ys) :- maplist([X, Y]>>(Y is 2 * X), Xs, Ys).
% right: a table
:- table path/2.
path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).
edge(a, b).
% right: the base is a cut
down(0, []) :- !.
down(N, [N|T]) :- M is N - 1, down(M, T).
% right: it calls itself through findall
tree(X, t(X, L)) :- findall(T, ( child(X, Y), tree(Y, T) ), L).
child(a, b).
% right: it goes on while there is more
months(Debt, _, 0) :- Debt =< 0, !.
months(Debt, Rate, N) :- Rest is Debt - Rate, months(Rest, Rate, M), N is M + 1.
