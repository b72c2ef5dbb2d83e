% Files without module that load each other, and a file that loads itself.
:- ensure_loaded(first).
:- ensure_loaded(main).
main :- a(X), writeln(X), b(Y), writeln(Y).
