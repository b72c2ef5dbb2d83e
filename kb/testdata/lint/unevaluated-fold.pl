%% does not calculate
% wrong: a helper adds
total(T) :- findall(P, line(_, P), L), foldl(add, L, 0, T).
add(X, A0, A) :- A = A0 + X.
line(a, 3).
line(b, 4).
% wrong: a lambda expression adds
total(T) :- findall(P, line(_, P), L), foldl([X, A0, A]>>(A = A0 + X), L, 0, T).
line(a, 3).
line(b, 4).
% wrong: it is compared as a term
same(7) :- findall(P, line(_, P), L), foldl(add, L, 0, T), T == 7.
add(X, A0, A) :- A = A0 + X.
line(a, 3).
% wrong: it is printed
show :- findall(P, line(_, P), L), foldl(add, L, 0, T), format("~d~n", [T]).
add(X, A0, A) :- A = A0 + X.
line(a, 3).
% wrong: a product
power(L, P) :- foldl(times, L, 1, P).
times(X, A0, A) :- A = A0 * X.
% wrong: pairs are taken apart
sum(L, S) :- foldl(price, L, 0, S).
price(item(_, P), A0, A) :- A = A0 + P.
% wrong: two values make one
sum(L, S) :- foldl(line, L, 0, S).
line(N-P, A0, A) :- A = A0 + N * P.
% wrong: a helper with an argument of its own
sum(L, F, S) :- foldl(scaled(F), L, 0, S).
scaled(F, X, A0, A) :- A = A0 + F * X.
% wrong: two lists
dot(L, M, S) :- foldl(step, L, M, 0, S).
step(X, Y, A0, A) :- A = A0 + X * Y.
% wrong: two lists and a lambda expression
dot(L, M, S) :- foldl([X, Y, A0, A]>>(A = A0 + X * Y), L, M, 0, S).
% wrong: the larger of two
most(L, M) :- foldl(larger, L, 0, M).
larger(X, A0, A) :- A = max(A0, X).
% wrong: it is counted
count(L, N) :- foldl(one, L, 0, N).
one(_, A0, A) :- A = A0 + 1.
% wrong: only some are counted
count(L, N) :- foldl(big, L, 0, N).
big(X, A0, A) :- ( X > 10 -> A = A0 + 1 ; A = A0 ).
% wrong: a lambda expression counts
count(L, N) :- foldl([_, A0, A]>>(A = A0 + 1), L, 0, N).
% wrong: a lambda expression with a free variable
sum(L, F, S) :- foldl({F}/[X, A0, A]>>(A = A0 + F * X), L, 0, S).
% wrong: the expression stands on the left
sum(L, S) :- foldl(add, L, 0, S).
add(X, A0, A) :- A0 + X = A.
% wrong: a number is subtracted
rest(L, R) :- foldl(take, L, 100, R).
take(X, A0, A) :- A = A0 - X.
% wrong: mode/2 says that it is a number
:- mode(total(+list, -number), one).
total(L, T) :- foldl(add, L, 0, T).
add(X, A0, A) :- A = A0 + X.
% wrong: a float
sum(L, S) :- foldl(add, L, 0.0, S).
add(X, A0, A) :- A = A0 + X.
% wrong: behind a lookup
sum(L, S) :- foldl(cost, L, 0, S).
cost(Item, A0, A) :- price(Item, P), A = A0 + P.
price(tea, 3).
price(rice, 2).
% wrong: several goals in a lambda expression
sum(L, S) :- foldl([Item, A0, A]>>(price(Item, P), A = A0 + P), L, 0, S).
price(tea, 3).
% right: a helper adds
total(T) :- findall(P, line(_, P), L), foldl(add, L, 0, T).
add(X, A0, A) :- A is A0 + X.
line(a, 3).
% right: a lambda expression adds
total(T) :- findall(P, line(_, P), L), foldl([X, A0, A]>>(A is A0 + X), L, 0, T).
line(a, 3).
% right: an expression is built
formula(L, E) :- foldl(plus, L, x, E).
plus(X, A0, A) :- A = A0 + X.
% right: an expression is built by a lambda expression
formula(L, E) :- foldl([X, A0, A]>>(A = A0 + X), L, x, E).
% right: a list is reversed
turned(L, R) :- foldl(put, L, [], R).
put(X, A0, A) :- A = [X|A0].
% right: a pair is carried on
both(L, S, N) :- foldl(step, L, 0-0, S-N).
step(X, S0-N0, S-N) :- S is S0 + X, N is N0 + 1.
% right: pairs are made
pairs(L, P) :- foldl([X, A0, A]>>(A = [X-1|A0]), L, [], P).
% right: the result is calculated
big(L) :- foldl(add, L, 0, T), T > 5.
add(X, A0, A) :- A = A0 + X.
% right: the result of a lambda expression is calculated
sum(L, S) :- foldl([X, A0, A]>>(A = A0 + X), L, 0, E), S is E.
% right: an average
mean(L, M) :- foldl(add, L, 0, T), length(L, N), M is T / N.
add(X, A0, A) :- A = A0 + X.
% right: expressions are taken apart elsewhere
value(A + B, V) :- value(A, X), value(B, Y), V is X + Y.
value(N, N) :- number(N).
sum(L, S) :- foldl(add, L, 0, E), value(E, S).
add(X, A0, A) :- A = A0 + X.
% right: a foldl of its own
foldl(_, [], A, A).
foldl(G, [X|T], A0, A) :- A1 = G + X + A0, foldl(G, T, A1, A).
run(L, R) :- foldl(g, L, 0, R).
% right: the larger of two
most([X|L], M) :- foldl(larger, L, X, M).
larger(X, A0, A) :- A is max(A0, X).
% right: some are counted
count(L, N) :- foldl(big, L, 0, N).
big(X, A0, A) :- ( X > 10 -> A is A0 + 1 ; A = A0 ).
% right: the last one
last_of(L, E) :- foldl([X, _, A]>>(A = X), L, 0, E).
% right: a name is built
path(L, P) :- foldl(join, L, root, P).
join(X, A0, A) :- A = A0 / X.
% right: differences are kept as terms
diffs(L, D) :- foldl([X, A0, A]>>(A = d(A0, X)), L, 0, D).
% right: two lists
dot(L, M, S) :- foldl(step, L, M, 0, S).
step(X, Y, A0, A) :- A is A0 + X * Y.
% right: a dictionary
words(L, D) :- empty_assoc(E), foldl(note, L, E, D).
note(W, D0, D) :- put_assoc(W, D0, 1, D).
% right: a text
line(L, T) :- foldl(append_to, L, '', T).
append_to(W, A0, A) :- atom_concat(A0, W, A).
% right: a key and a number
keyed(L, K) :- foldl([X, _, A]>>(A = X - 1), L, none, K).
