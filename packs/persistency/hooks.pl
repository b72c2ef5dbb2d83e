% The hooks of library(persistency): clauses of predicates of other modules.

:- multifile
    system:term_expansion/2.

:- dynamic
    system:term_expansion/2.

system:term_expansion((:- persistent(Specs)), Clauses) :- persistency:expanded(Specs, Clauses).
