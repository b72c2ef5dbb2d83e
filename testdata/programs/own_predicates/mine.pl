:- module(mine, [mine/1]).
mine(X) :- is_list(X), writeln(system_is_list).
