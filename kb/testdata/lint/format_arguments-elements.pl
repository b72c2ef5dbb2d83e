%% elements of
% wrong: names are added
p(S) :- findall(N, person(N, _), L), sum_list(L, S).
person(ann, 30).
person(bob, 40).
% wrong: pairs are added
p(S) :- findall(N-A, person(N, A), L), sum_list(L, S).
person(ann, 30).
person(bob, 40).
% wrong: the greatest of pairs
p(M) :- findall(A-N, person(N, A), L), max_list(L, M).
person(ann, 30).
% wrong: the least of names
p(M) :- findall(N, person(N, _), L), min_list(L, M).
person(ann, 30).
person(bob, 40).
% wrong: numbers are sorted as pairs
p(S) :- findall(A, person(_, A), L), keysort(L, S).
person(ann, 30).
% wrong: the values of what are no pairs
p(V) :- findall(A, person(_, A), L), pairs_values(L, V).
person(ann, 30).
% wrong: the keys of structures
p(K) :- findall(row(N, A), person(N, A), L), pairs_keys(L, K).
person(ann, 30).
% wrong: pairs are joined
p(T) :- findall(N-A, person(N, A), L), atomic_list_concat(L, ', ', T).
person(ann, 30).
% wrong: structures are joined
p(T) :- findall(f(N), person(N, _), L), atomic_list_concat(L, T).
person(ann, 30).
% wrong: the list in the text
p(S) :- sum_list([a, b], S).
% wrong: behind a sort
p(S) :- findall(N, person(N, _), L0), msort(L0, L), sum_list(L, S).
person(ann, 30).
person(bob, 40).
% wrong: behind include
p(S) :- findall(N, person(N, _), L0), include([X]>>(X \== ann), L0, L), sum_list(L, S).
person(ann, 30).
person(bob, 40).
% wrong: behind reverse
p(T) :- findall(N-A, person(N, A), L0), reverse(L0, L), atomic_list_concat(L, ' ', T).
person(ann, 30).
% wrong: strings are added
p(S) :- findall(A, age(A), L), sum_list(L, S).
age("thirty").
age("forty").
% wrong: what maplist has made
p(S) :- findall(N, person(N, _), L0), maplist([X, f(X)]>>true, L0, L), sum_list(L, S).
person(ann, 30).
% wrong: dates are added
p(S) :- findall(D, due(D), L), sum_list(L, S).
due(date(2026, 1, 2)).
% wrong: pairs_keys_values
p(K, V) :- findall(N, person(N, _), L), pairs_keys_values(L, K, V).
person(ann, 30).
% wrong: the result of setof
p(S) :- setof(N, A^person(N, A), L), sum_list(L, S).
person(ann, 30).
person(bob, 40).
% wrong: max of a list with a member behind
p(M) :- findall(s(A), person(_, A), L), max_list(L, M), M > 3.
person(ann, 30).
% wrong: in findall
p(Ls) :- findall(S, ( team(T), findall(M, in(M, T), L), sum_list(L, S) ), Ls).
team(a).
in(ann, a).
in(bob, a).
% right: numbers are added
p(S) :- findall(A, person(_, A), L), sum_list(L, S).
person(ann, 30).
% right: an expression is added
p(S) :- findall(X, ( person(_, A), X is A * 2 ), L), sum_list(L, S).
person(ann, 30).
% right: max_member of names
p(M) :- findall(N, person(N, _), L), max_member(M, L).
person(ann, 30).
% right: max_member of pairs
p(M) :- findall(A-N, person(N, A), L), max_member(M, L).
person(ann, 30).
% right: pairs are sorted
p(S) :- findall(A-N, person(N, A), L), keysort(L, S).
person(ann, 30).
% right: values of pairs
p(V) :- findall(N-A, person(N, A), L), pairs_values(L, V).
person(ann, 30).
% right: names are joined
p(T) :- findall(N, person(N, _), L), atomic_list_concat(L, ', ', T).
person(ann, 30).
% right: numbers are joined
p(T) :- findall(A, person(_, A), L), atomic_list_concat(L, ', ', T).
person(ann, 30).
% right: strings are joined
p(T) :- atomic_list_concat(["a", "b"], T).
% right: values of pairs are added
p(S) :- findall(N-A, person(N, A), L), pairs_values(L, V), sum_list(V, S).
person(ann, 30).
% right: maplist makes numbers
p(S) :- findall(N, person(N), L0), maplist(atom_length, L0, L), sum_list(L, S).
person(ann).
% right: maplist makes texts
p(T) :- findall(N-A, person(N, A), L0), maplist([X-_, X]>>true, L0, L), atomic_list_concat(L, T).
person(ann, 30).
% right: an unknown list
p(L, S) :- sum_list(L, S).
% right: an empty list
p(S) :- sum_list([], S).
% right: floats and integers
p(S) :- sum_list([1, 2.5], S).
% right: expressions are added
p(S) :- sum_list([1 + 2, 3], S).
% right: an own sum_list
sum_list(L, S, T) :- foldl([X, A, B]>>(B is A + X), L, S, T).
p(S) :- findall(A, person(_, A), L), sum_list(L, 0, S).
person(ann, 30).
% right: aggregate_all
p(S) :- aggregate_all(sum(A), person(_, A), S).
person(ann, 30).
% right: split
p(T, L) :- atomic_list_concat(L, ',', T).
% right: sort/4 on a key
p(S) :- findall(row(N, A), person(N, A), L), sort(2, @>=, L, S).
person(ann, 30).
% right: term_to_atom first
p(T) :- findall(X, ( person(N, A), term_to_atom(N-A, X) ), L), atomic_list_concat(L, T).
person(ann, 30).
