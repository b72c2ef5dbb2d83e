% The hooks of library(http/json_convert): clauses of predicates of other modules.

:- multifile
    system:term_expansion/2.

:- dynamic
    system:term_expansion/2.

system:term_expansion((:- json_object(Specs)), Clauses) :- json_convert:expanded(Specs, Clauses).
