% wrong: an average by /
:- mode(average(+atom, -number), zero_or_one).
average(X, A) :- findall(G, grade(X, G), L), sum_list(L, S), length(L, N), A is S / N.
grade(ann, 70).
grade(ann, 60).
% wrong: a count by /
:- mode(share(+atom, -number), one).
share(X, A) :- aggregate_all(sum(G), grade(X, G), S), aggregate_all(count, grade(X, _), N), A is S / N.
grade(ann, 70).
% right: guarded, by /
:- mode(average(+atom, -number), zero_or_one).
average(X, A) :- findall(G, grade(X, G), L), length(L, N), N > 0, sum_list(L, S), A is S / N.
grade(ann, 70).
grade(ann, 60).
% right: a list of some, by /
:- mode(average(+atom, -number), zero_or_one).
average(X, A) :- findall(G, grade(X, G), L), L \== [], length(L, N), sum_list(L, S), A is S / N.
grade(ann, 70).
% wrong: an average by //
:- mode(average(+atom, -number), zero_or_one).
average(X, A) :- findall(G, grade(X, G), L), sum_list(L, S), length(L, N), A is S // N.
grade(ann, 70).
grade(ann, 60).
% wrong: a count by //
:- mode(share(+atom, -number), one).
share(X, A) :- aggregate_all(sum(G), grade(X, G), S), aggregate_all(count, grade(X, _), N), A is S // N.
grade(ann, 70).
% right: guarded, by //
:- mode(average(+atom, -number), zero_or_one).
average(X, A) :- findall(G, grade(X, G), L), length(L, N), N > 0, sum_list(L, S), A is S // N.
grade(ann, 70).
grade(ann, 60).
% right: a list of some, by //
:- mode(average(+atom, -number), zero_or_one).
average(X, A) :- findall(G, grade(X, G), L), L \== [], length(L, N), sum_list(L, S), A is S // N.
grade(ann, 70).
% wrong: an average by rdiv
:- mode(average(+atom, -number), zero_or_one).
average(X, A) :- findall(G, grade(X, G), L), sum_list(L, S), length(L, N), A is S rdiv N.
grade(ann, 70).
grade(ann, 60).
% wrong: a count by rdiv
:- mode(share(+atom, -number), one).
share(X, A) :- aggregate_all(sum(G), grade(X, G), S), aggregate_all(count, grade(X, _), N), A is S rdiv N.
grade(ann, 70).
% right: guarded, by rdiv
:- mode(average(+atom, -number), zero_or_one).
average(X, A) :- findall(G, grade(X, G), L), length(L, N), N > 0, sum_list(L, S), A is S rdiv N.
grade(ann, 70).
grade(ann, 60).
% right: a list of some, by rdiv
:- mode(average(+atom, -number), zero_or_one).
average(X, A) :- findall(G, grade(X, G), L), L \== [], length(L, N), sum_list(L, S), A is S rdiv N.
grade(ann, 70).
% wrong: an average by div
:- mode(average(+atom, -number), zero_or_one).
average(X, A) :- findall(G, grade(X, G), L), sum_list(L, S), length(L, N), A is S div N.
grade(ann, 70).
grade(ann, 60).
% wrong: a count by div
:- mode(share(+atom, -number), one).
share(X, A) :- aggregate_all(sum(G), grade(X, G), S), aggregate_all(count, grade(X, _), N), A is S div N.
grade(ann, 70).
% right: guarded, by div
:- mode(average(+atom, -number), zero_or_one).
average(X, A) :- findall(G, grade(X, G), L), length(L, N), N > 0, sum_list(L, S), A is S div N.
grade(ann, 70).
grade(ann, 60).
% right: a list of some, by div
:- mode(average(+atom, -number), zero_or_one).
average(X, A) :- findall(G, grade(X, G), L), L \== [], length(L, N), sum_list(L, S), A is S div N.
grade(ann, 70).
% wrong: an average by mod
:- mode(average(+atom, -number), zero_or_one).
average(X, A) :- findall(G, grade(X, G), L), sum_list(L, S), length(L, N), A is S mod N.
grade(ann, 70).
grade(ann, 60).
% wrong: a count by mod
:- mode(share(+atom, -number), one).
share(X, A) :- aggregate_all(sum(G), grade(X, G), S), aggregate_all(count, grade(X, _), N), A is S mod N.
grade(ann, 70).
% right: guarded, by mod
:- mode(average(+atom, -number), zero_or_one).
average(X, A) :- findall(G, grade(X, G), L), length(L, N), N > 0, sum_list(L, S), A is S mod N.
grade(ann, 70).
grade(ann, 60).
% right: a list of some, by mod
:- mode(average(+atom, -number), zero_or_one).
average(X, A) :- findall(G, grade(X, G), L), L \== [], length(L, N), sum_list(L, S), A is S mod N.
grade(ann, 70).
% wrong: through a rule
:- mode(average(+atom, -number), zero_or_one).
average(X, A) :- findall(G, best(X, G), L), sum_list(L, S), length(L, N), A is S / N.
best(X, G) :- grade(X, _, G), G > 50.
grade(ann, maths, 70).
% wrong: the greatest of none
:- mode(average(+atom, -number), zero_or_one).
average(X, A) :- findall(G, best(X, G), L), sum_list(L, S), length(L, N), A is S / N.
best(X, G) :- aggregate_all(max(H), grade(X, H), G).
grade(ann, 70).
% wrong: a value of the type without facts
:- mode(average(+oneof([ann, bob]), -number), one).
average(X, A) :- findall(G, grade(X, G), L), sum_list(L, S), length(L, N), A is S / N.
grade(ann, 70).
% wrong: a comparison
:- mode(good(+atom), zero_or_one).
good(X) :- findall(G, grade(X, G), L), sum_list(L, S), length(L, N), S / N > 50.
grade(ann, 70).
% wrong: a percentage
:- mode(percent(+atom, -number), one).
percent(X, A) :- aggregate_all(count, test(X, passed), P), aggregate_all(count, test(X, _), N), A is 100 * P / N.
test(ann, passed).
test(ann, failed).
% wrong: a function around
:- mode(average(+atom, -integer), one).
average(X, A) :- findall(G, grade(X, G), L), sum_list(L, S), length(L, N), A is round(S / N).
grade(ann, 70).
% wrong: two inputs
:- mode(average(+atom, +atom, -number), one).
average(X, Y, A) :- findall(G, grade(X, Y, G), L), sum_list(L, S), length(L, N), A is S / N.
grade(ann, maths, 70).
% wrong: the second input
:- mode(average(+integer, +atom, -number), one).
average(Least, X, A) :- findall(G, ( grade(X, G), G >= Least ), L), sum_list(L, S), length(L, N), A is S / N.
grade(ann, 70).
% wrong: the sum by sumlist/2
:- mode(average(+atom, -number), one).
average(X, A) :- findall(G, grade(X, G), L), sumlist(L, S), length(L, N), A is S / N.
grade(ann, 70).
% wrong: a module before the count
:- mode(average(+atom, -number), one).
average(X, A) :- findall(G, grade(X, G), L), length(L, N), sum_list(L, S), B is S + 1, A is B / N.
grade(ann, 70).
% right: all of them
:- mode(average(-number), one).
average(A) :- findall(G, grade(_, G), L), sum_list(L, S), length(L, N), A is S / N.
grade(ann, 70).
% right: each value has facts
:- mode(average(+oneof([ann, bob]), -number), one).
average(X, A) :- findall(G, grade(X, G), L), sum_list(L, S), length(L, N), A is S / N.
grade(ann, 70).
grade(bob, 70).
% right: a list that is given
:- mode(average(+list(number), -number), zero_or_one).
average(L, A) :- sum_list(L, S), length(L, N), N =\= 0, A is S / N.
% right: a first one
:- mode(average(+atom, -number), zero_or_one).
average(X, A) :- findall(G, grade(X, G), L), L = [_|_], sum_list(L, S), length(L, N), A is S / N.
grade(ann, 70).
% right: a condition
:- mode(average(+atom, -number), one).
average(X, A) :- findall(G, grade(X, G), L), sum_list(L, S), length(L, N), ( N =:= 0 -> A = 0 ; A is S / N ).
grade(ann, 70).
% right: one more
:- mode(average(+atom, -number), one).
average(X, A) :- findall(G, grade(X, G), L), sum_list(L, S), length(L, N), M is N + 1, A is S / M.
grade(ann, 70).
% right: a number of the facts
:- mode(share(+atom, -number), zero_or_one).
share(X, A) :- cost(X, C), heads(X, N), A is C / N.
cost(ann, 70).
heads(ann, 2).
% right: divided by another
:- mode(average(+atom, -number), one).
average(X, A) :- findall(G, grade(X, G), L), length(L, N), A is N / 10.
grade(ann, 70).
% right: any value has some
:- mode(average(+atom, -number), one).
average(X, A) :- findall(G, price(X, G), L), sum_list(L, S), length(L, N), A is S / N.
price(_, 70).
% right: bagof
:- mode(average(+atom, -number), zero_or_one).
average(X, A) :- bagof(G, grade(X, G), L), sum_list(L, S), length(L, N), A is S / N.
grade(ann, 70).
