% The hooks of library(record): clauses of predicates of other modules.

:- multifile
    system:term_expansion/2.

:- dynamic
    system:term_expansion/2.

system:term_expansion((:- record(Specs)), Clauses) :- record:expanded(Specs, Clauses).
