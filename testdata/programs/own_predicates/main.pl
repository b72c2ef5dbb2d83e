% A program may define predicates that the system has, where these are not control or ISO's.
is_list([]).
is_list([_|T]) :- writeln(my_is_list), is_list(T).
print(X, Y) :- writeln(print(X, Y)).
last([X], X) :- !.
last([_|T], X) :- last(T, X).
succ_or_zero(_) :- fail.
main :- is_list([a, b]), print(1, 2), last([1, 2, 3], L), writeln(L), mine([1]), ( succ_or_zero(1) -> true ; writeln(no) ).
:- use_module(mine).
