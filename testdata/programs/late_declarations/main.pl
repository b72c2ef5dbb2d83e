% A meta_predicate declaration, or an import, that stands behind the clauses that call the predicate counts for them.
:- use_module(shapes).
:- meta_predicate user:reveal(:).
user:reveal(M:X) :- writeln(revealed(M, X)).
main :- run, twice(true).
