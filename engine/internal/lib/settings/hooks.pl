% The hooks of library(settings): clauses of predicates of other modules.

:- multifile
    system:term_expansion/2.

:- dynamic
    system:term_expansion/2.

system:term_expansion((:- setting(Name, Type, Default, Comment)), Clause) :-
    settings:expanded(Name, Type, Default, Comment, Clause).

system:term_expansion((:- setting(Name, Type, Options)), Clauses) :-
    prolog_load_context(module, Module0),
    '$strip_module'(Module0:Name, Module, Plain),
    settings:outside(Plain, Type, Options, Module, Clauses).
