% A file that is reached by several paths is loaded once.
:- use_module(lib/util).
:- use_module('../one_file_two_paths/lib/util').
:- ensure_loaded('./lib/../lib/plain').
:- ensure_loaded('lib/plain.pl').
:- use_module(lib/user_of_util).
main :- util(X), writeln(X), findall(P, plain(P), Ps), writeln(Ps), used(U), writeln(U).
