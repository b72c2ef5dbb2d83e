% wrong: a value is subtracted
:- table cost(_, min).
cost(a, 1).
cost(X, C) :- edge(Y, X, _), cost(Y, D), C is 10 - D.
edge(a, b, 1).
% wrong: a better value is refused
:- table best(_, max).
best(a, 1).
best(X, C) :- edge(Y, X, _), best(Y, D), D < 5, C is D + 1.
edge(a, b, 1).
% wrong: a smaller value is refused
:- table dist(_, _, min).
dist(X, Y, D) :- edge(X, Y, D).
dist(X, Y, D) :- dist(X, Z, A), A > 3, edge(Z, Y, B), D is A + B.
edge(a, b, 1).
% wrong: negated
:- table win(_, max).
win(X, 1) :- edge(X, Y, _), \+ win(Y, 1).
edge(a, b, 1).
% wrong: collected
:- table size(_, max).
size(X, N) :- findall(M, ( edge(X, Y, _), size(Y, M) ), L), sum_list(L, N).
edge(a, b, 1).
% wrong: a value compared by >=, min
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), D >= 3, C is D + 1.
edge(a, b, 1).
% wrong: a value compared by >, min
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), D > 3, C is D + 1.
edge(a, b, 1).
% wrong: a value compared by <, max
:- table d(_, max).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), D < 3, C is D + 1.
edge(a, b, 1).
% wrong: a value compared by =<, max
:- table d(_, max).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), D =< 3, C is D + 1.
edge(a, b, 1).
% wrong: the limit on the left, =<, min
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), 3 =< D, C is D + 1.
edge(a, b, 1).
% wrong: the limit on the left, <, min
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), 3 < D, C is D + 1.
edge(a, b, 1).
% wrong: the limit on the left, >, max
:- table d(_, max).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), 3 > D, C is D + 1.
edge(a, b, 1).
% wrong: the limit on the left, >=, max
:- table d(_, max).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), 3 >= D, C is D + 1.
edge(a, b, 1).
% wrong: divided by
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is 100 / D.
edge(a, b, 1).
% wrong: divided by, of a greatest value
:- table d(_, max).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is 100 / D.
edge(a, b, 1).
% wrong: divided by, whole
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is 100 // D.
edge(a, b, 1).
% wrong: divided by, whole, of a greatest value
:- table d(_, max).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is 100 // D.
edge(a, b, 1).
% wrong: the negative
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is -D.
edge(a, b, 1).
% wrong: subtracted within
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is 5 + (10 - D).
edge(a, b, 1).
% wrong: subtracted within, of a greatest value
:- table d(_, max).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is 5 + (10 - D).
edge(a, b, 1).
% wrong: subtracted twice the value
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is 100 - 2 * D.
edge(a, b, 1).
% wrong: subtracted twice the value, of a greatest value
:- table d(_, max).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is 100 - 2 * D.
edge(a, b, 1).
% wrong: subtracted last
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is W - D.
edge(a, b, 1).
% wrong: subtracted last, of a greatest value
:- table d(_, max).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is W - D.
edge(a, b, 1).
% wrong: within aggregate_all
:- table d(_, max).
d(b, 1).
d(X, N) :- aggregate_all(max(M), ( edge(X, Y, _), d(Y, M) ), N).
edge(a, b, 1).
% wrong: within aggregate_all
:- table d(_, max).
d(b, 1).
d(X, N) :- aggregate_all(sum(M), ( edge(X, Y, _), d(Y, M) ), N).
edge(a, b, 1).
% wrong: within bagof
:- table d(_, max).
d(b, 1).
d(X, N) :- ( bagof(M, Y^W^( edge(X, Y, W), d(Y, M) ), L), max_list(L, N) ).
edge(a, b, 1).
% wrong: within setof
:- table d(_, max).
d(b, 1).
d(X, N) :- ( setof(M, Y^W^( edge(X, Y, W), d(Y, M) ), L), last(L, N) ).
edge(a, b, 1).
% wrong: within forall
:- table d(_, max).
d(b, 1).
d(X, N) :- ( forall(edge(X, Y, _), d(Y, _)), N = 1 ).
edge(a, b, 1).
% wrong: within edge
:- table d(_, max).
d(b, 1).
d(X, N) :- ( edge(X, Y, _), not(d(Y, 3)), N = 1 ).
edge(a, b, 1).
% wrong: in a module
:- module(m, [d/2]).
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), C is 10 - D.
edge(a, b, 1).
% wrong: three arguments
:- table d(_, _, min).
d(X, Y, D) :- edge(X, Y, D).
d(X, Y, D) :- d(X, Z, A), edge(Z, Y, B), D is B - A.
edge(a, b, 1).
% wrong: in a branch
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), ( W > 2 -> C is 10 - D ; C is D + 1 ).
edge(a, b, 1).
% wrong: compared in a condition
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), ( D > 2 -> C is D + W ; C is D + 1 ).
edge(a, b, 1).
% wrong: negated within a conjunction
:- table d(_, min).
d(a, 1).
d(X, 1) :- edge(X, Y, _), \+ ( d(Y, D), D < 3 ).
edge(a, b, 1).
% wrong: equality with a value
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), D =:= 3, C is D + 1.
edge(a, b, 1).
% wrong: inequality with a value
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), D =\= 3, C is D + 1.
edge(a, b, 1).
% wrong: a constant value is wanted
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, 3), C is 4.
edge(a, b, 1).
% right: a sum
:- table d(_, _, min).
d(X, Y, D) :- edge(X, Y, D).
d(X, Y, D) :- d(X, Z, A), edge(Z, Y, B), D is A + B.
edge(a, b, 1).
% right: worse values are refused by <, min
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), D < 9, C is D + 1.
edge(a, b, 1).
% right: worse values are refused by =<, min
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), D =< 9, C is D + 1.
edge(a, b, 1).
% right: worse values are refused by >, max
:- table d(_, max).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), D > 9, C is D + 1.
edge(a, b, 1).
% right: worse values are refused by >=, max
:- table d(_, max).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), D >= 9, C is D + 1.
edge(a, b, 1).
% right: worse values are refused, the limit on the left, >, min
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), 9 > D, C is D + 1.
edge(a, b, 1).
% right: worse values are refused, the limit on the left, >=, min
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), 9 >= D, C is D + 1.
edge(a, b, 1).
% right: worse values are refused, the limit on the left, <, max
:- table d(_, max).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), 9 < D, C is D + 1.
edge(a, b, 1).
% right: worse values are refused, the limit on the left, =<, max
:- table d(_, max).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), 9 =< D, C is D + 1.
edge(a, b, 1).
% right: a constant is subtracted
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is D - 1.
edge(a, b, 1).
% right: the other is subtracted
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is D - W.
edge(a, b, 1).
% right: divided
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is D / 2.
edge(a, b, 1).
% right: divided, whole
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is D // 2.
edge(a, b, 1).
% right: multiplied
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is D * 2.
edge(a, b, 1).
% right: a sum with the value last
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is W + D.
edge(a, b, 1).
% right: a maximum
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is max(D, W).
edge(a, b, 1).
% right: a minimum
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is min(D, W).
edge(a, b, 1).
% right: subtracted twice
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is 10 - (5 - D).
edge(a, b, 1).
% right: a negative of a negative
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is -(-D).
edge(a, b, 1).
% right: the value itself
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is D.
edge(a, b, 1).
% right: a constant
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is 7.
edge(a, b, 1).
% right: the other alone
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), W > 0, C is W + 1.
edge(a, b, 1).
% right: no moded table
:- table d/2.
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), C is 10 - D.
edge(a, b, 1).
% right: no table
d(a, 1).
d(X, C) :- edge(X, Y, _), d(Y, D), C is 10 - D.
edge(a, b, 1).
% right: a negation of another
:- table d(_, min).
d(a, 0).
d(X, D) :- d(Y, A), edge(Y, X, _), \+ closed(X), D is A + 1.
closed(c).
edge(a, b, 1).
% right: a collection of another
:- table d(_, min).
d(a, 0).
d(X, D) :- d(Y, A), findall(W, edge(Y, X, W), [W1|_]), D is A + W1.
edge(a, b, 1).
% right: a comparison of another
:- table d(_, min).
d(a, 0).
d(X, D) :- d(Y, A), edge(Y, X, W), W > 0, D is A + W.
edge(a, b, 1).
% right: another mode: the first
:- table d(_, first).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), C is 10 - D.
edge(a, b, 1).
% right: another mode: a sum
:- table d(_, sum).
d(a, 1).
d(X, C) :- edge(Y, X, _), e(Y, D), C is 10 - D.
e(a, 1).
edge(a, b, 1).
% right: another mode: a lattice
:- table d(_, lattice(worse/3)).
d(a, 1).
d(X, C) :- edge(Y, X, _), d(Y, D), C is 10 - D.
worse(A, B, C) :- C is max(A, B).
edge(a, b, 1).
% right: the value of another table
:- table d(_, min), e(_, max).
d(X, C) :- e(X, D), C is 10 - D.
e(a, 1).
% right: used by others
:- table d(_, min).
d(a, 1).
far(X) :- d(X, D), D > 3.
% right: collected by others
:- table d(_, min).
d(a, 1).
all(L) :- findall(D, d(_, D), L).
% right: negated by others
:- table d(_, min).
d(a, 1).
out(X) :- \+ d(X, _).
% right: another argument is compared
:- table d(_, _, min).
d(a, 1, 1).
d(X, N, C) :- edge(Y, X, _), d(Y, M, D), M > 0, N is M - 1, C is D + 1.
edge(a, b, 1).
% right: a branch on another value
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), ( W > 3 -> C is D + 2 ; C is D + 1 ).
edge(a, b, 1).
% right: in a module
:- module(m, [d/2]).
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), C is D + W.
edge(a, b, 1).
% right: a comparison with an upper limit in a condition that fails otherwise
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), ( D < 9 -> C is D + W ; fail ).
edge(a, b, 1).
% right: two values of the table are added
:- table d(_, _, min).
d(X, Y, C) :- edge(X, Y, C).
d(X, Y, C) :- d(X, Z, A), d(Z, Y, B), C is A + B.
edge(a, b, 1).
% right: two values, the limit is on their sum
:- table d(_, _, min).
d(X, Y, C) :- edge(X, Y, C).
d(X, Y, C) :- d(X, Z, A), d(Z, Y, B), A + B < 100, C is A + B.
edge(a, b, 1).
% wrong: two values, one is subtracted
:- table d(_, _, min).
d(X, Y, C) :- edge(X, Y, C).
d(X, Y, C) :- d(X, Z, A), d(Z, Y, B), C is A - B.
edge(a, b, 1).
% wrong: the value makes another one that is subtracted
:- table d(_, min).
d(a, 1).
d(X, C) :- edge(Y, X, W), d(Y, D), B is D * 2, C is W - B.
edge(a, b, 1).
