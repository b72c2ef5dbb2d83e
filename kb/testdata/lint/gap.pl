% wrong: a range in the middle
:- mode(grade(+integer, -atom), one).
grade(S, a) :- S >= 90.
grade(S, b) :- S < 80.
% wrong: a bound
:- mode(band(+integer, -atom), one).
band(X, low) :- X < 100.
band(X, high) :- X > 100.
% wrong: a bound, with cuts
:- mode(band(+integer, -atom), one).
band(X, low) :- X < 100, !.
band(X, mid) :- X < 250, !.
band(X, high) :- X > 250.
% wrong: below
:- mode(band(+integer, -atom), one).
band(X, low) :- between(0, 10, X).
band(X, high) :- X > 10.
% wrong: above
:- mode(band(+non_negative_integer, -atom), one).
band(X, low) :- X =< 10.
band(X, mid) :- X > 10, X =< 20.
% wrong: one of some values
:- mode(rate(+oneof([de, fr, se]), -number), one).
rate(de, 19).
rate(fr, 20).
% wrong: a boolean
:- mode(p(+boolean, -atom), one).
p(true, yes).
% wrong: no else
:- mode(level(+integer, -atom), one).
level(N, L) :- ( N > 10 -> L = high ; N > 5 -> L = mid ).
% wrong: a condition alone
:- mode(level(+integer, -atom), one).
level(N, L) :- ( N > 10 -> L = high ).
% wrong: floats
:- mode(p(+number, -atom), one).
p(X, a) :- X < 1.5.
p(X, b) :- X > 1.5.
% wrong: negative numbers of a recursion
:- mode(fact(+integer, -integer), one).
fact(0, 1) :- !.
fact(N, F) :- N > 0, M is N - 1, fact(M, G), F is N * G.
% wrong: two inputs
:- mode(p(+integer, +boolean, -atom), one).
p(N, true, a) :- N > 5.
p(N, true, b) :- N =< 5.
p(N, false, c) :- N > 5.
% wrong: a corner
:- mode(p(+integer, +integer, -atom), one).
p(X, _, a) :- X > 5.
p(X, Y, b) :- X =< 5, Y > 5.
% wrong: within bounds
:- mode(p(+between(integer, 1, 12), -atom), one).
p(M, winter) :- M < 3.
p(M, summer) :- M > 3.
% wrong: a goal that is not known
:- mode(p(+integer, -atom), one).
p(N, a) :- N > 5, good(N).
p(N, b) :- N < 5.
good(6).
% wrong: equal numbers
:- mode(p(+between(integer, 1, 3), -atom), one).
p(1, a).
p(2, b).
% wrong: numbers on the left
:- mode(p(+integer, -atom), one).
p(N, a) :- 10 < N.
p(N, b) :- 10 > N.
% wrong: an atom beside a range
:- mode(p(+atom, +integer, -atom), one).
p(_, N, a) :- N > 0.
p(_, N, b) :- N < 0.
% wrong: a member
:- mode(p(+oneof([a, b, c]), -integer), one).
p(X, 1) :- memberchk(X, [a, b]).
% wrong: integers between bounds that are floats
:- mode(p(+integer, -atom), one).
p(X, a) :- X < 1.5.
p(X, b) :- X > 2.5.
% wrong: one value
:- mode(p(+positive_integer, -atom), one).
p(1, one).
p(N, many) :- N > 2.
% right: all values
:- mode(grade(+integer, -atom), one).
grade(S, a) :- S >= 90.
grade(S, b) :- S < 90.
% right: at most one answer
:- mode(grade(+integer, -atom), zero_or_one).
grade(S, a) :- S >= 90.
grade(S, b) :- S < 80.
% right: an else
:- mode(level(+integer, -atom), one).
level(N, L) :- ( N > 10 -> L = high ; N > 5 -> L = mid ; L = low ).
% right: a catch-all
:- mode(band(+integer, -atom), one).
band(X, low) :- X < 100, !.
band(_, high).
% right: bounds of the type
:- mode(p(+between(integer, 1, 12), -atom), one).
p(M, winter) :- M < 3.
p(M, summer) :- M >= 3.
% right: integers next to each other
:- mode(p(+integer, -atom), one).
p(M, a) :- M < 3.
p(M, b) :- M > 2.
% right: a type without bounds
:- mode(p(+non_negative_integer, -integer), one).
p(0, 1) :- !.
p(N, F) :- N > 0, M is N - 1, p(M, G), F is N * G.
% right: booleans
:- mode(p(+boolean, -atom), one).
p(true, yes).
p(false, no).
% right: one of some values
:- mode(rate(+oneof([de, fr]), -number), one).
rate(de, 19).
rate(fr, 20).
% right: atoms, of which there are many
:- mode(rate(+atom, -number), one).
rate(de, 19).
rate(fr, 20).
% right: a goal that is not known
:- mode(p(+integer, -atom), one).
p(N, a) :- good(N), !.
p(N, b) :- N < 5.
p(N, c) :- N >= 5.
good(6).
% right: lists
:- mode(len(+list, -integer), one).
len([], 0).
len([_|T], N) :- len(T, M), N is M + 1.
% right: facts may be added
:- dynamic(p/2).
:- mode(p(+boolean, -integer), one).
p(true, 1).
% right: two inputs
:- mode(p(+integer, +boolean, -atom), one).
p(N, true, a) :- N > 5.
p(N, true, b) :- N =< 5.
p(_, false, c).
% right: no integer between the bounds
:- mode(p(+integer, -atom), one).
p(X, a) :- X < 1.5.
p(X, b) :- X > 1.6.
% right: floats
:- mode(p(+number, -atom), one).
p(X, a) :- X < 1.5.
p(X, b) :- X >= 1.5.
% right: inputs that are compared with each other
:- mode(p(+integer, +integer, -atom), one).
p(X, Y, less) :- X < Y.
p(X, Y, more) :- X >= Y.
% right: no guard
:- mode(p(+integer, -integer), one).
p(N, M) :- M is N + 1.
% right: a disjunction
:- mode(p(+integer, -atom), one).
p(N, a) :- ( N < 3 ; N > 5 ), !.
p(_, b).
% right: a text
:- mode(p(+atom, -integer), one).
p(A, N) :- atom_length(A, N).
% right: negative and positive
:- mode(sign(+integer, -integer), one).
sign(N, -1) :- N < 0.
sign(0, 0).
sign(N, 1) :- N > 0.
% right: the output is an input of another
:- mode(p(+integer, -integer), one).
p(N, M) :- q(N, M).
q(N, M) :- N > 3, M = 1.
q(N, M) :- N =< 3, M = 2.
% wrong: setof/3 fails where there is none
:- mode(deps(+atom, -list), one).
deps(P, L) :- setof(D, dep(P, D), L).
dep(a, b).
dep(b, c).
% wrong: bagof/3 over further values
:- mode(deps(+atom, -list), one).
deps(P, L) :- bagof(D, V^dep(P, D, V), L).
dep(a, b, 1).
% wrong: the greatest of none
:- mode(best(+atom, -integer), one).
best(C, M) :- aggregate_all(max(S), score(C, S), M).
score(a, 1).
% wrong: the least of an empty list
:- mode(least(+atom, -integer), one).
least(C, M) :- findall(S, score(C, S), L), min_list(L, M).
score(a, 1).
% wrong: the last of an empty list
:- mode(latest(+atom, -atom), one).
latest(C, M) :- findall(S, visit(C, S), L), last(L, M).
visit(a, may).
% wrong: a declared value that no fact has
:- mode(rate(+oneof([gold, silvr]), -integer), one).
rate(L, R) :- r(L, R).
r(gold, 1).
r(silver, 2).
% wrong: a declared value that a later goal refuses
:- mode(rate(+oneof([a, b]), -integer), one).
rate(L, R) :- X = L, r(X, R).
r(a, 1).
% right: a count of none is 0
:- mode(deps(+atom, -integer), one).
deps(P, N) :- aggregate_all(count, dep(P, _), N).
dep(a, b).
% right: findall/3 gives an empty list
:- mode(deps(+atom, -list), one).
deps(P, L) :- findall(D, dep(P, D), L).
dep(a, b).
% right: perhaps none
:- mode(deps(+atom, -list), zero_or_one).
deps(P, L) :- setof(D, dep(P, D), L).
dep(a, b).
% right: a condition for none
:- mode(deps(+atom, -list), one).
deps(P, L) :- ( setof(D, dep(P, D), Found) -> L = Found ; L = [] ).
dep(a, b).
% right: all values have a fact
:- mode(rate(+oneof([gold, silver]), -integer), one).
rate(L, R) :- r(L, R).
r(gold, 1).
r(silver, 2).
% right: facts that change
:- dynamic(r/2).
:- mode(rate(+oneof([gold, silver]), -integer), one).
rate(L, R) :- r(L, R).
% wrong: a computed limit that no clause has
:- mode(ship(+integer, -integer), one).
ship(W, 5) :- W < 10 * 2.
ship(W, 9) :- W > 10 * 2.
% wrong: the limit is a fact
:- mode(ship(+integer, -integer), one).
ship(W, 5) :- limit(L), W < L.
ship(W, 9) :- limit(L), W > L.
limit(20).
% wrong: a limit is computed from a fact
:- mode(band(+integer, -atom), one).
band(I, low) :- minimum(full, M), I < M.
band(I, high) :- minimum(full, M), Limit is M + 100, I >= Limit.
minimum(full, 900).
% right: the limit is a fact, and both sides have it
:- mode(ship(+integer, -integer), one).
ship(W, 5) :- limit(L), W < L.
ship(W, 9) :- limit(L), W >= L.
limit(20).
% right: the fact changes
:- dynamic(limit/1).
:- mode(ship(+integer, -integer), one).
ship(W, 5) :- limit(L), W < L.
ship(W, 9) :- limit(L), W > L.
limit(20).
% right: two facts
:- mode(ship(+integer, -integer), zero_or_more).
ship(W, L) :- limit(L), W < L.
limit(20).
limit(30).
% right: computed limits that meet
:- mode(ship(+integer, -integer), one).
ship(W, 5) :- W < 10 * 2.
ship(W, 9) :- W >= 40 - 20.
% right: a quotient depends on flags
:- mode(ship(+integer, -integer), one).
ship(W, 5) :- W < 7 / 2.
ship(W, 9) :- W > 3.
% wrong: a bound that facts give
:- mode(band(+integer, +oneof([single, married]), -atom), one).
band(I, C, low) :- allowance(C, A), I < A.
band(I, C, high) :- allowance(C, A), I > A.
allowance(single, 10).
allowance(married, 20).
% wrong: a sum with one, and decimals
:- mode(band(+decimal(2), +oneof([single, married]), -atom), one).
band(I, C, low) :- allowance(C, A), I =< A + 100.
band(I, C, middle) :- allowance(C, A), I > A + 100, I < A + 350.
band(I, C, high) :- allowance(C, A), I > A + 350.
allowance(single, 10).
allowance(married, 20).
% wrong: no row for a value
:- mode(limit(+integer, +oneof([car, bike]), -atom), one).
limit(S, V, ok) :- most(V, M), S =< M.
limit(S, V, fast) :- most(V, M), S > M.
most(car, 50).
% wrong: a collection through a rule
:- mode(actions(+atom, +atom, -list(atom)), one).
actions(User, Document, L) :- setof(A, may(User, A, Document), L).
may(User, A, Document) :- document(Document, Folder), granted(User, A, Folder).
document(plan, finance).
granted(ann, read, finance).
% right: bounds that facts give
:- mode(band(+integer, +oneof([single, married]), -atom), one).
band(I, C, low) :- allowance(C, A), I < A.
band(I, C, high) :- allowance(C, A), I >= A.
allowance(single, 10).
allowance(married, 20).
% right: two facts of one value
:- mode(band(+integer, +oneof([single]), -atom), one).
band(I, C, low) :- allowance(C, A), I < A, !.
band(_, _, high).
allowance(single, 10).
allowance(single, 20).
% right: a collection that may be empty
:- mode(actions(+atom, +atom, -list(atom)), one).
actions(User, Document, L) :- findall(A, may(User, A, Document), L).
may(User, A, Document) :- document(Document, Folder), granted(User, A, Folder).
document(plan, finance).
granted(ann, read, finance).
% wrong: a limit behind a negation
:- mode(fee(+integer, -atom), one).
fee(A, free) :- \+ A >= 18.
fee(A, full) :- A > 18.
% wrong: two limits behind negations
:- mode(size(+number, -atom), one).
size(W, small) :- \+ W > 1.
size(W, large) :- \+ W =< 1.5.
% wrong: a day behind a negation
:- mode(price(+date, -integer), one).
price(D, 3) :- \+ D @>= date(2026, 1, 1).
price(D, 4) :- D @> date(2026, 1, 1).
% right: limits that meet behind a negation
:- mode(fee(+integer, -atom), one).
fee(A, free) :- \+ A >= 18.
fee(A, full) :- A >= 18.
% right: both limits behind negations
:- mode(size(+number, -atom), one).
size(W, small) :- \+ W > 1.5.
size(W, large) :- \+ W =< 1.5.
% right: the next integer behind a negation
:- mode(fee(+integer, -atom), one).
fee(A, free) :- \+ A > 17.
fee(A, full) :- A >= 18.
% right: a negation of two conditions is not understood
:- mode(fee(+integer, -atom), one).
fee(A, free) :- \+ ( A >= 18, A =< 30 ).
fee(A, full) :- A >= 18, A =< 30.
% right: days that meet behind a negation
:- mode(price(+date, -integer), one).
price(D, 3) :- \+ D @>= date(2026, 1, 1).
price(D, 4) :- D @>= date(2026, 1, 1).
% wrong: a limit behind not/1
:- mode(fee(+integer, -atom), one).
fee(A, free) :- not(A >= 18).
fee(A, full) :- A > 18.
% wrong: a limit behind two negations
:- mode(fee(+integer, -atom), one).
fee(A, free) :- A < 18.
fee(A, full) :- \+ \+ A > 18.
% wrong: a limit behind a negation of once/1
:- mode(fee(+integer, -atom), one).
fee(A, free) :- \+ once(A >= 18).
fee(A, full) :- call(A > 18).
% right: limits that meet behind not/1 and call/1
:- mode(fee(+integer, -atom), one).
fee(A, free) :- not(call(A >= 18)).
fee(A, full) :- once(not(not(A >= 18))).
% right: two negations of two conditions are not understood
:- mode(fee(+integer, -atom), one).
fee(A, free) :- A < 18.
fee(A, full) :- \+ \+ ( A > 17, A < 100 ).
fee(A, old) :- A >= 100.
