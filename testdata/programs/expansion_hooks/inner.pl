:- module(inner, [inner_main/0]).
term_expansion(twice(X), [one(X), one(X)]).
term_expansion(to_user(X), point(X, X)).
goal_expansion(local(X), sysgoal(X)).
twice(a).
to_user(5).
record(in_module).
inner_main :- findall(X, one(X), L), writeln(L), local(3), forall(point(X, Y), writeln(X-Y)), forall(rec(R), writeln(R)).
