:- module(trees, [tree//1, value/3]).
tree(Tree) --> product(P), sum(P, Tree).
sum(Left, Tree) --> symbol(Op, [+, -]), product(Right), { Next =.. [Op, Left, Right] }, sum(Next, Tree).
sum(Tree, Tree) --> [].
product(Tree) --> unit(U), factors(U, Tree).
factors(Left, Tree) --> symbol(*, [*]), unit(Right), factors(Left * Right, Tree).
factors(Tree, Tree) --> [].
unit(N) --> [t(_, N)], { number(N) }.
unit(Name) --> [t(_, Name)], { atom(Name), \+ memberchk(Name, ['(', ')', +, -, *, <=]) }.
unit(-Tree) --> symbol(-, [-]), unit(Tree).
unit(Tree) --> symbol('(', ['(']), tree(Tree), symbol(')', [')']).
symbol(Op, Ops) --> [t(_, Op)], { memberchk(Op, Ops) }.
value(N, _, N) :- number(N), !.
value(Name, Env, N) :- atom(Name), !, memberchk(Name-N, Env).
value(Tree, Env, N) :- Tree =.. [Op|Parts], maplist([P, V]>>value(P, Env, V), Parts, Values), Goal =.. [Op|Values], N is Goal.
