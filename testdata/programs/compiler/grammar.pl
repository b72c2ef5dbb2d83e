:- module(grammar, [expression//1]).
expression(let(X, A, B)) --> [let, id(X), =], !, expression(A), [in], expression(B).
expression(E) --> term(T), sum(T, E).
sum(L, E) --> [Op], { memberchk(Op, [+, -]) }, !, term(T), { N =.. [Op, L, T] }, sum(N, E).
sum(E, E) --> [].
term(E) --> factor(F), product(F, E).
product(L, E) --> [*], !, factor(F), product(L*F, E).
product(E, E) --> [].
factor(N) --> [num(N)].
factor(id(X)) --> [id(X)].
factor(E) --> ['('], expression(E), [')'].
