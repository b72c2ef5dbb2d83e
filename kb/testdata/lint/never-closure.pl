%% never succeeds
% wrong: a text is doubled
names([ann, bob]).
twice(Ys) :- names(_), maplist([X, Y]>>(Y is X * 2), [ann, bob], Ys).
% wrong: each element is compared with a constant that no fact has
urgent(L, U) :- include([T]>>priority(T, urgnet), L, U).
priority(t1, urgent).
priority(t2, low).
% wrong: the names of facts are added
sum(S) :- findall(N, item(N, _), L), foldl([X, A0, A]>>(A is A0 + X), L, 0, S).
item(tea, 3).
item(milk, 2).
% wrong: a lambda stores in a static predicate
flag(a).
flags(L) :- maplist([X]>>assertz(flag(X)), L).
% wrong: a misspelt status in exclude
open_tasks(L, R) :- exclude([T]>>state(T, closd), L, R).
state(t1, closed).
state(t2, open).
% wrong: the words are compared as numbers
big(Ls) :- findall(S, size(_, S), L), include([X]>>(X > 10), L, Ls).
size(box, large).
size(bag, small).
% wrong: a closure with its first argument misspelt
all_in(L) :- maplist(grade(maths), L).
grade(math, 1).
grade(art, 2).
% wrong: maplist over the strings of facts, looked for as atoms
:- mode(valid(-list(string)), one).
valid(L) :- findall(C, code(C), L), maplist([X]>>known(X), L).
code("A1").
code("B2").
known('A1').
known('B2').
% wrong: a fold over the keys
total(T) :- findall(K, price(K, _), Ks), foldl([K, S0, S]>>(S is S0 + K), Ks, 0, T).
price(tea, 3).
price(milk, 2).
% wrong: partition by a text
halves(Lo, Hi) :- findall(N, name(N), L), partition([X]>>(X < 50), L, Lo, Hi).
name(ann).
name(bob).
% wrong: a lambda with free variables
raise(F, R) :- findall(N, who(N), L), maplist({F}/[X, Y]>>(Y is X * F), L, R).
who(ann).
who(bob).
% wrong: \X^..
lower(R) :- maplist([X, Y]>>(number_codes(X, _), Y = X), [a, b], R).
% wrong: an unknown function within
rounded(L, R) :- maplist([X, Y]>>(Y is rounded(X, 2)), L, R).
% wrong: a closure over facts of another kind
checked(L) :- findall(I, id(I), L), maplist(member_no, L).
id(ann).
id(bob).
member_no(17).
member_no(18).
% wrong: what maplist gives is added
ranks(S) :- maplist([X, Y]>>rank(X, Y), [ann, bob], L), foldl([X, A, B]>>(B is A + X), L, 0, S).
rank(ann, senior).
rank(bob, junior).
% wrong: the pairs are taken as numbers
worth(T) :- findall(N-P, sold(N, P), L), include([X]>>(X > 5), L, T).
sold(tea, 3).
sold(milk, 9).
% wrong: convlist with a misspelt constant
paid(L, R) :- convlist([O, A]>>invoice(O, A, payed), L, R).
invoice(i1, 100, paid).
invoice(i2, 50, open).
% wrong: in a negation
fresh(L) :- \+ ( member(X, L), maplist([Y]>>stock(Y, X, soldout), [a]) ).
stock(a, b, sold_out).
% wrong: a string in foldl
join(S) :- foldl([W, A, B]>>(B is A + W), ["ab", "cd"], 0, S).
% wrong: a nested lambda
deep(L) :- maplist([Xs]>>maplist([X]>>colour(X, grene), Xs), L).
colour(leaf, green).
colour(sky, blue).
% wrong: within findall
marks(L) :- findall(S, ( pupil(P), maplist([M]>>mark(P, M, passsed), [m1, m2]), S = P ), L).
pupil(ann).
mark(ann, m1, passed).
mark(ann, m2, failed).
% right: numbers are doubled
twice(Xs, Ys) :- maplist([X, Y]>>(Y is X * 2), Xs, Ys).
% right: a status that facts have
urgent(L, U) :- include([T]>>priority(T, urgent), L, U).
priority(t1, urgent).
priority(t2, low).
% right: the amounts of facts are added
sum(S) :- findall(N, item(_, N), L), foldl([X, A0, A]>>(A is A0 + X), L, 0, S).
item(tea, 3).
item(milk, 2).
% right: a lambda stores in a dynamic predicate
:- dynamic(flag/1).
flag(a).
flags(L) :- maplist([X]>>assertz(flag(X)), L).
% right: a list with one element that does not pass
some(R) :- include([X]>>good(X), [a, z], R).
good(a).
% right: the second of the pairs
worth(T) :- findall(N-P, sold(N, P), L), include([_-P]>>(P > 5), L, T).
sold(tea, 3).
sold(milk, 9).
% right: a closure with an argument
all_in(L) :- maplist(grade(math), L).
grade(math, 1).
grade(art, 2).
% right: texts are made strings
valid(L) :- findall(S, ( code(C), atom_string(C, S) ), L), maplist([X]>>string(X), L).
code(a1).
% right: partition by numbers
halves(Lo, Hi) :- findall(N, age(_, N), L), partition([X]>>(X < 50), L, Lo, Hi).
age(ann, 40).
age(bob, 60).
% right: a free variable
raise(F, L, R) :- maplist({F}/[X, Y]>>(Y is X * F), L, R).
% right: an accumulator of pairs
stats(L, S, N) :- foldl([X, S0-N0, S1-N1]>>(S1 is S0 + X, N1 is N0 + 1), L, 0-0, S-N).
% right: each makes a string
texts(L, R) :- maplist([X, Y]>>atom_string(X, Y), L, R).
% right: what maplist gives is joined
names(T) :- maplist([X, Y]>>atom_string(X, Y), [a, b], L), atomic_list_concat(L, ' ', T).
% right: foldl with assoc
count(L, A) :- empty_assoc(E), foldl([X, A0, A1]>>put_assoc(X, A0, 1, A1), L, E, A).
% right: a lambda without parameters that fit elements of the text
known(R) :- include([X]>>(X = a ; X = b), [a, b], R).
% right: parameters that take a pair apart
keys(L, Ks) :- maplist([K-_, K]>>true, L, Ks).
% right: a lambda is an argument of the program
apply_all(G, L) :- maplist(G, L).
test(L) :- apply_all([X]>>(X > 1), L).
% right: dynamic facts
:- dynamic(seen/1).
news(L, N) :- exclude([X]>>seen(X), L, N).
% right: a default in an if-then-else
labels(L, R) :- maplist([X, Y]>>( name(X, N) -> Y = N ; Y = unknown ), L, R).
name(a, anna).
% right: nested lambdas
deep(L) :- maplist([Xs]>>maplist([X]>>colour(X, green), Xs), L).
colour(leaf, green).
colour(sky, blue).
% right: a constant that is no fact of today, of a file
:- multifile(kind/2).
kind(a, b).
those(L, R) :- include([X]>>kind(X, c), L, R).
