%% has no value in the answers
% wrong: another name in the goal
names(L) :- findall(Name, person(_), L), Name \= bob.
person(ann).
% wrong: a misspelt variable
adults(L) :- findall(Nmae, ( person(Name, A), A >= 18 ), L), writeln(Nmae-Name).
person(ann, 30).
% wrong: the output of the clause
:- mode(total(+atom, -number), one).
total(C, T) :- findall(T, order(C, _), L), sum_list(L, T).
order(ann, 3).
% wrong: a pair with one half
pairs(L) :- findall(N-P, item(N), L), P = none.
item(tea).
% wrong: the sum of what is not there
:- mode(sales(-number, -number), one).
sales(S, Amount) :- aggregate_all(sum(Amount), sale(_), S).
sale(tea).
% wrong: the greatest
best(P, M) :- aggregate_all(max(Score), player(P), M), Score = M.
player(ann).
% wrong: a bag
:- mode(bag(-list(atom), -atom), one).
bag(L, X) :- bagof(X, item(_), L).
item(tea).
% wrong: a set
:- mode(kinds(-list(atom)), zero_or_one).
kinds(L) :- setof(K, I^item(I), L), K = L.
item(tea).
% wrong: a structure
:- mode(rows(-list(any), -atom), one).
rows(L, D) :- findall(row(N, D), item(N), L).
item(tea).
% wrong: a value is made outside
doubled(L) :- findall(Y, num(X), L), Y is X * 2.
num(3).
% wrong: the variable of the other table
:- mode(lonely(-list(atom), -atom), one).
lonely(L, P) :- findall(P, person(_), L).
person(ann).
% wrong: within forall
all_ok :- forall(group(G), ( findall(M, member_of(G, _), L), msort(L, [M|_]) )).
group(a).
member_of(a, b).
% wrong: a dict-like term
:- mode(list(-list(any), -atom), one).
list(L, V) :- findall(k(K)-v(V), key(K), L).
key(a).
% wrong: the name of the head
:- mode(report(-atom, -list(any)), one).
report(Who, L) :- findall(Who-N, count(N), L).
count(3).
% wrong: an if in the goal
:- mode(graded(-list(any), -atom), one).
graded(L, G) :- findall(S-G, ( student(S, M), M > 50 ), L).
student(ann, 60).
% wrong: nested
deep(L) :- findall(X-M, ( p(X), findall(Z-Z, q(X), M) ), L).
p(1).
q(1).
% wrong: min
cheapest(P, M) :- aggregate_all(min(Price-I), offer(I), M), P = Price.
offer(a).
% wrong: a bag of aggregate_all
:- mode(bag_of(-list(any), -atom), one).
bag_of(L, X) :- aggregate_all(bag(X), p(_), L).
p(1).
% wrong: comparison is no value
:- mode(over(-list(any), -atom), one).
over(L, V) :- findall(V, ( p(X), X > 3 ), L).
p(5).
% wrong: the wrong case
:- mode(upper(-list(any), -list(any)), one).
upper(L, Xs) :- findall(Xs, p(_), L).
p(5).
% right: the variable is in the goal
names(L) :- findall(N, person(N, _), L).
person(ann, 30).
% right: the value is made in the goal
doubled(L) :- findall(Y, ( num(X), Y is X * 2 ), L).
num(3).
% right: fresh variables are meant
fresh(N, L) :- findall(_, between(1, N, _), L).
% right: a list of n variables
vars(N, L) :- length(L, N).
% right: counted only
many(N, X) :- findall(X, p(_), L), length(L, N).
p(1).
% right: bound before
tagged(T, L) :- findall(T-N, item(N), L).
item(tea).
go(L) :- tagged(a, L).
% right: a constant
marks(L) :- findall(yes, item(_), L).
item(tea).
% right: a template with an anonymous variable
skeletons(L) :- findall(row(N, _), item(N), L).
item(tea).
% right: a count
n(N) :- aggregate_all(count, item(_), N).
item(tea).
% right: the sum of an expression
s(S) :- aggregate_all(sum(P * Q), line(P, Q), S).
line(2, 3).
% right: max with a witness
best(P, M) :- aggregate_all(max(S, Q), score(Q, S), max(M, P)).
score(ann, 3).
% right: bagof with carets
b(L) :- bagof(X, Y^p(X, Y), L).
p(1, 2).
% right: a disjunction binds it
d(L) :- findall(X, ( X = a ; X = b ), L).
% right: an if-then-else
g(L) :- findall(S-G, ( student(S, M), ( M > 50 -> G = pass ; G = fail ) ), L).
student(ann, 60).
% right: a call binds it
c(G, L) :- findall(X, call(G, X), L).
% right: member of a list
m(L0, L) :- findall(X, member(X-_, L0), L).
% right: findall/4
f(L) :- findall(X, p(X), L, []).
p(1).
% right: catch
k(L) :- findall(X, catch(p(X), _, X = none), L).
p(1).
% right: nested
deep(L) :- findall(X-M, ( p(X), findall(Z, q(X, Z), M) ), L).
p(1).
q(1, 2).
% right: a lambda
l(L) :- findall(Y, ( member(X, [1, 2]), call([A, B]>>(B is A + 1), X, Y) ), L).
% right: forall
a :- forall(findall(X, p(X), L), length(L, 1)).
p(1).
