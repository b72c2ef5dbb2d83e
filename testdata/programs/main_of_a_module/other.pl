:- module(other, [begin/0]).
:- use_module(library(main)).
main(_) :- context_module(Module), writeln(main_of(Module)).
begin :- main, writeln(done).
