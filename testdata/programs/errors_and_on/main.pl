% Errors are printed and the rest is loaded: clauses, directives, files and libraries that are not there.
a(1).
:- foo_undefined(1).
a(2).
a(3) :- .
:- fail.
:- X is foo + 1, writeln(X).
:- use_module(library(no_such_library_here)).
:- use_module(library(no_such_library_either), [thing/1]).
:- use_module(nofile).
:- ensure_loaded(broken).
b(1).
5 :- a(1).
c(X) :- thing(X).
:- set_prolog_flag(no_such_flag_here, 1).
:- initialization(fail).
main :- findall(X, a(X), L), writeln(L), forall(b(X), writeln(X)), forall(in_broken(X), writeln(X)),
    catch(c(_), error(existence_error(K, _), _), (writeln(K))).
