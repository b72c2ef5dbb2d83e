:- module(solver, [solved/2]).
:- meta_predicate solved(0, -).
solved(M:Goal, Proof) :- solve(Goal, M, Proof, _).
solve(true, _, true, _) :- !.
solve(!, _, true, cut(done)) :- !.
solve((A, B), M, (PA, PB), Cut) :- !, solve(A, M, PA, CutA), ( nonvar(CutA) -> Cut = CutA, ! ; true ), solve(B, M, PB, Cut).
solve((C -> A ; B), M, Proof, Cut) :- !, ( solve(C, M, PC, _) -> solve(A, M, PA, Cut), Proof = (PC, PA) ; solve(B, M, Proof, Cut) ).
solve((A ; B), M, Proof, Cut) :- !, ( solve(A, M, Proof, Cut) ; solve(B, M, Proof, Cut) ).
solve(\+ A, M, true, _) :- !, \+ solve(A, M, _, _).
solve(Goal, M, called(Goal), _) :- \+ mine(Goal, M), !, call(M:Goal).
solve(Goal, M, (Goal :- Proof), _) :-
    findall(Goal-Body, clause(M:Goal, Body), Clauses),
    tried(Clauses, Goal, M, Proof).
tried([Goal0-Body|Clauses], Goal, M, Proof) :-
    (   Goal0 = Goal, solve(Body, M, Proof, Cut), ( nonvar(Cut) -> ! ; true )
    ;   tried(Clauses, Goal, M, Proof)
    ).
mine(Goal, M) :- predicate_property(M:Goal, dynamic).
