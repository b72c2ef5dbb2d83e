% wrong: the result of a recursion
len([], 0).
len([_|T], N) :- len(T, M), N = M + 1.
% wrong: a counter and a product
fact(0, 1).
fact(N, F) :- N > 0, M = N - 1, fact(M, G), F = N * G.
% wrong: an output declared as a number
:- mode(total(+integer, +integer, -integer), one).
total(A, B, T) :- T = A + B.
% wrong: compared later
grade(P, G) :- points(P, N), G = N // 10, G > 4.
points(ann, 70).
% wrong: a fact has a number there
price(tea, 3).
with_tax(P, T) :- price(P, N), T = N * 1.2.
% wrong: in a branch
half(X, Y) :- ( X >= 2 -> Y = X / 2 ; Y = 0 ).
% wrong: in the other branch
double(X, Y) :- ( X < 0 -> Y = 0 ; Y = X * 2 ).
% wrong: in a disjunction
step(X, Y) :- X > 0, ( Y = X + 1 ; Y = X - 1 ).
% wrong: under a soft cut
next(X, Y) :- ( big(X) *-> Y = X + 10 ; Y = X + 1 ).
big(100).
% wrong: the sum of two results
tree(leaf, 0).
tree(node(L, R), N) :- tree(L, A), tree(R, B), N = A + B + 1.
% wrong: the same written nested
tree(leaf, 0).
tree(node(L, R), N) :- tree(L, A), tree(R, B), N = 1 + (A + B).
% wrong: a power
square(X, Y) :- X > 0, Y = X ^ 2.
% wrong: a power written otherwise
square(X, Y) :- X > 0, Y = X ** 2.
% wrong: a remainder
parity(N, P) :- N >= 0, P = N mod 2.
% wrong: an integer quotient
groups(N, G) :- N >= 0, G = N div 7.
% wrong: a shift
bits(N, B) :- N > 0, B = 1 << N.
% wrong: of a number that another goal calculates
area(W, H, A) :- B is W * 2, A = B * H.
% wrong: of what another predicate declares as a number
:- mode(age(+atom, -integer), one).
age(ann, X) :- X = 30.
next_age(P, N) :- age(P, A), N = A + 1.
% wrong: of an argument declared as one
:- mode(next(+integer, -any), one).
next(N, M) :- M = N + 1.
% wrong: of an argument with bounds
:- mode(next(+between(integer, 1, 9), -any), one).
next(N, M) :- M = N + 1.
% wrong: a float
:- mode(tax(+float, -any), one).
tax(N, T) :- T = N * 0.2.
% wrong: a goal that only holds for numbers comes later
left(A, B, C) :- C = A - B, C >= 0, A > B.
% wrong: an accumulator
sum([], S, S).
sum([X|Xs], A, S) :- X > 0, B = A + X, sum(Xs, B, S).
% wrong: two steps
discount(P, D) :- price(P, N), A = N * 10, D = A // 100.
price(tea, 30).
% wrong: two variables and a fact of numbers
gap(A, B, G) :- at(A, X), at(B, Y), G = X - Y, G > 1.
at(a, 1). at(b, 5).
% wrong: turned round
len([], 0).
len([_|T], N) :- len(T, M), M + 1 = N.
% wrong: turned round, with a declared number
:- mode(next(+integer, -integer), one).
next(N, M) :- N + 1 = M.
% wrong: within a collection of solutions
doubles(L) :- findall(Y, ( n(X), Y = X * 2 ), L).
n(1). n(2).
% wrong: within forall
fine :- forall(n(X), ( Y = X * 2, n(Y) )).
n(1). n(2).
% wrong: within an aggregate
total(T) :- aggregate_all(sum(Y), ( n(X), Y = X * 2 ), T).
n(1). n(2).
% wrong: under a negation
small(P) :- price(P, N), \+ ( M = N * 2, price(_, M) ).
price(tea, 3).
% wrong: within once
first(P, M) :- once(( price(P, N), M = N + 1 )).
price(tea, 3).
% wrong: within a goal that catches
safe(P, M) :- catch(( price(P, N), M = N + 1 ), _, fail).
price(tea, 3).
% wrong: behind a cut
max(X, Y, X) :- X >= Y, !.
next(X, Y) :- X >= 0, !, Y = X + 1.
% wrong: the negative of a number, compared later
minus(X, Y) :- point(X), Y = - X, Y < 3, point(Y).
point(1).
% wrong: the negative of a declared number
:- mode(minus(+integer, -integer), one).
minus(X, Y) :- Y = -X.
% wrong: a function of numbers
:- mode(dist(+integer, +integer, -integer), one).
dist(X, Y, D) :- D = abs(X - Y).
% wrong: the greater of two numbers
:- mode(best(+integer, +integer, -integer), one).
best(X, Y, M) :- M = max(X, Y).
% wrong: a root
:- mode(side(+number, -float), one).
side(A, S) :- S = sqrt(A).
% wrong: a grammar
digits(N) --> [D], { D >= 0x30, N = D - 0x30 }.
% right: a pair of numbers
split(A, B, P) :- A > B, P = A - B.
% right: expressions as data
d(X, X, 1).
d(U + V, X, D) :- d(U, X, A), d(V, X, B), D = A + B.
% right: an indicator
spec(Name, Arity, S) :- Arity >= 0, atom(Name), S = Name/Arity.
% right: is/2
sum(A, B, T) :- T is A + B.
% right: a list of pairs
pairs([], []).
pairs([K|Ks], [P|Ps]) :- P = K - 1, pairs(Ks, Ps).
% right: nothing says that numbers are meant
sum(A, B, E) :- E = A + B.
% right: an expression that is evaluated elsewhere
calc(X, Y) :- E = X * 2, call(eval, E, Y).
eval(E, V) :- V is E.
% right: an expression taken apart
parts(E, A, B) :- E = A + B.
% right: comparison of what stands for itself
same(X, Y) :- X = Y.
% right: a constant
limit(X) :- X = 10.
% right: a negative number
limit(X) :- X = -10.
% right: a pair with a name
entry(N, E) :- N > 0, E = N-name.
% right: a key and a value
keyed(P, K) :- price(P, N), K = N-P.
price(tea, 3).
% right: a key for sorting, both numbers
keyed(A, B, K) :- A > 0, B > 0, K = A-B.
% right: a rational written with a slash is a term
ratio(A, B, R) :- A > 0, R = A/B.
% right: a time of a schedule
slot(H, M, S) :- H >= 8, S = H:M.
% right: a list
two(A, B, L) :- A > B, L = [A, B].
% right: a structure
point(X, Y, P) :- X > 0, P = p(X, Y).
% right: the variable is taken apart, not made
sum_of(E, X, Y) :- compound(E), E = X + Y, atom(X), atom(Y).
% right: a symbolic derivative of a product
diff(x, 1).
diff(A * B, D) :- diff(A, DA), diff(B, DB), D = A * DB + DA * B.
% right: simplification of expressions
simple(X + 0, X).
simple(X * Y, E) :- simple(X, A), simple(Y, B), E = A * B.
% right: constraints
:- use_module(library(clpfd)).
next(X, Y) :- Y #= X + 1.
% right: a comparison of values
even(N) :- 0 =:= N mod 2.
% right: a term for another to read
ask(X, Q) :- atom(X), Q = X + why.
% right: a pattern with an atom
flag(N, F) :- N > 0, F = n + N.
% right: an option
opt(N, O) :- N > 0, O = depth(N).
% right: a goal that is made
goal(N, G) :- N > 0, G = foo(N).
% right: a difference list
dl(Xs, N, D) :- N > 0, D = Xs-[].
% right: an expression for format
show(A, B) :- atom(A), E = A + B, print(E).
% right: unification with a sum that was read
known(E) :- read_term(E, []), E = _ + _.
% right: is/2 in a branch
half(X, Y) :- ( X >= 2 -> Y is X / 2 ; Y = 0 ).
% right: a word that is an operator elsewhere
where(P, W) :- atom(P), W = P/home.
% right: an interval of two numbers
within(A, B, I) :- A < B, I = A-B.
% right: a date of numbers
day(Y, M, D, T) :- Y > 0, M > 0, D > 0, T = Y-M-D.
% right: a tree whose nodes are operators
node(L, R, T) :- tree(L), tree(R), T = L * R.
tree(leaf).
% right: a version
version(A, B, V) :- A >= 0, B >= 0, V = A/B.
% right: text
greet(N, T) :- N > 0, T = "a + b".
% right: a variable of another name
p(X, Y) :- X > 0, Z = Y, q(Z).
q(_).
% right: the expression is evaluated by is/2
twice(X, Y) :- E = X + X, Y is E.
% right: the expression is compared as it is
fits(A, B) :- E = A + B, E =< 10.
% right: a term is taken apart in a condition
next(H, N) :- ( H = _ + M -> N is M + 1 ; N = 0 ).
% right: a term is taken apart and its number is used
shift(E, N) :- E = _ - M, N is M * 2.
% wrong: an expression of numbers where the mode says integer
:- mode(limit(-integer), one).
limit(X) :- X = 1 + 2, X > 2.
% wrong: on the left, of a declared number
:- mode(share(+atom, -number), zero_or_one).
share(half, X) :- 1 / 2 = X.
% right: no mode says what it is, and goals calculate with it
limit(X) :- X = 1 + 2, X > 2.
% right: one mode has a number, another has terms
:- mode(term(-integer), one).
:- mode(term(-term), one).
term(X) :- X = 1 + 2.
% right: a pair where the mode says term
:- mode(indicator(-term), one).
indicator(X) :- X = 1 / 2.
% wrong: in a goal of setup_call_cleanup/3
p(X, Y) :- setup_call_cleanup(true, Y = X + 1, true), Y > 3.
% wrong: an expression in the head
:- mode(next(+integer, -integer), one).
next(X, X + 1).
% wrong: an expression of numbers in the head
:- mode(day(-integer), one).
day(24 * 60).
% wrong: expressions in a list
:- mode(succs(+integer, -list(integer)), one).
succs(N, [N + 1, N + 2]).
% right: an expression as a term
:- mode(sum(+integer, -term), one).
sum(X, X + 1).
% right: pairs in a list
:- mode(pairs(+integer, -list(pair(integer, integer))), one).
pairs(N, [N - 1, N - 2]).
% right: an input
:- mode(eval(+number, -number), one).
eval(X, Y) :- Y is X.
