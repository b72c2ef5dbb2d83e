%% never succeeds
% wrong: join with the separator first
join(L, T) :- atomic_list_concat(', ', L, T).
% wrong: join a list
all(T) :- findall(N, name(N), L), atomic_list_concat(' ', L, T).
name(ann).
% wrong: the element and the list
has(L) :- member(L, [a|_]), member([a, b], x).
% wrong: nth0 with the list first
second(L, X) :- findall(N, name(N), L), nth1(L, 2, X).
name(ann).
% wrong: length
n(N) :- findall(X, name(X), L), length(N, L).
name(ann).
% wrong: sum_list
s(S) :- findall(X, age(X), L), sum_list(S, L).
age(3).
% wrong: reverse of a number
r(L) :- reverse(3, L).
% wrong: between
b(X) :- between(X, 1, 10).
% wrong: memberchk
m(X) :- memberchk([a, b], X), X == a.
% wrong: the list of nth0
third(X) :- findall(N, name(N), L), nth0(L, 2, X).
name(ann).
% wrong: last
newest(X) :- findall(N, name(N), L), last(X, L), X = 3.
name(ann).
% wrong: msort
sorted(L) :- findall(N, name(N), L0), msort(3, L0), L = L0.
name(ann).
% wrong: numlist
nums(L) :- numlist(L, 1, 3).
% wrong: number of a text
n(N) :- atom_number(5, N), N = five.
% wrong: a key of an assoc
look(V) :- list_to_assoc([a-1], A), get_assoc(A, a, V).
% wrong: a value is put
put(A) :- list_to_assoc([a-1], A0), put_assoc(A0, b, 2, A).
% wrong: sort/4
by_key(L, S) :- sort(@>=, 1, L, S).
% wrong: succ of a name
next(X) :- succ(a, X).
% wrong: arg
first(T, X) :- arg(T, 1, X).
% wrong: a list into maplist
up(L) :- maplist([a, b], upcase_atom, L).
% wrong: exclude
few(L) :- findall(N, name(N), L0), exclude(L0, atom, L).
name(ann).
% right: the separator is second
join(L, T) :- atomic_list_concat(L, ', ', T).
% right: nth1
second(L, X) :- nth1(2, L, X).
% right: length
n(N) :- findall(X, name(X), L), length(L, N).
name(ann).
% right: a list of a length
blank(L) :- length(L, 3).
% right: between
b(X) :- between(1, 10, X).
% right: last
newest(X) :- findall(N, name(N), L), last(L, X).
name(ann).
% right: an element of a list of lists
m(X) :- memberchk(X, [[a, b], c]).
% right: arg
first(T, X) :- arg(1, T, X).
% right: all arguments
all(T, X) :- arg(_, T, X).
% right: get_assoc
look(K, V) :- list_to_assoc([a-1], A), get_assoc(K, A, V).
% right: put_assoc
put(A) :- list_to_assoc([a-1], A0), put_assoc(b, A0, 2, A).
% right: sort/4 on a key
by_key(L, S) :- sort(1, @>=, L, S).
% right: a term of parts
t(T) :- T =.. [f, a].
% right: parts of a term
ps(L) :- f(a) =.. L.
% right: succ backwards
prev(X) :- succ(X, 3).
% right: number of a text
n(N) :- atom_number('5', N).
% right: a text of a number
t(A) :- atom_number(A, 5).
% right: select
rest(X, L, R) :- select(X, L, R).
% right: numlist
nums(L) :- numlist(1, 3, L).
% right: include
some(L) :- findall(N, name(N), L0), include(atom, L0, L).
name(ann).
% right: sum_list compared
full(L) :- sum_list(L, S), S >= 10.
