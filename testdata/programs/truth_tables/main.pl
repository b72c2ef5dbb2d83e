% Propositional logic of a course: parser with operators, tables, normal forms, tautologies and equivalence.
:- use_module(library(lists)).
:- use_module(library(ordsets)).

:- op(660, xfy, =>).
:- op(670, xfx, <=>).
:- op(600, xfy, v).
:- op(500, xfy, &).
:- op(400, fy, ~).

variables(F, Vs) :- phrase(atoms(F), As), sort(As, Vs).
atoms(F) --> { F =.. [_|Args] }, ( { Args == [] } -> ( { memberchk(F, [true, false]) } -> [] ; [F] ) ; all_atoms(Args) ).
all_atoms([]) --> [].
all_atoms([F|Fs]) --> atoms(F), all_atoms(Fs).

value(true, _, 1) :- !.
value(false, _, 0) :- !.
value(P, V, X) :- atom(P), !, memberchk(P=X, V).
value(~A, V, X) :- value(A, V, Y), X is 1-Y.
value(A & B, V, X) :- value(A, V, Y), value(B, V, Z), X is Y*Z.
value(A v B, V, X) :- value(A, V, Y), value(B, V, Z), X is max(Y, Z).
value((A => B), V, X) :- value(~A v B, V, X).
value(A <=> B, V, X) :- value(A, V, Y), value(B, V, Z), ( Y =:= Z -> X = 1 ; X = 0 ).

assignment([], []).
assignment([P|Ps], [P=X|V]) :- member(X, [1, 0]), assignment(Ps, V).

table(F) :-
    variables(F, Vs), forall(member(V, Vs), format("~w ", [V])), format("| ~w~n", [F]),
    forall(assignment(Vs, A), ( value(F, A, X), forall(member(_=Y, A), format("~w ", [Y])), format("| ~w~n", [X]) )).

kind(F, K) :-
    variables(F, Vs), findall(X, ( assignment(Vs, A), value(F, A, X) ), Xs0), sort(Xs0, Xs),
    ( Xs == [1] -> K = tautology ; Xs == [0] -> K = contradiction ; K = contingent ).

nnf(~ ~A, N) :- !, nnf(A, N).
nnf(~(A & B), N) :- !, nnf(~A v ~B, N).
nnf(~(A v B), N) :- !, nnf(~A & ~B, N).
nnf(~(A => B), N) :- !, nnf(A & ~B, N).
nnf(~(A <=> B), N) :- !, nnf((A & ~B) v (~A & B), N).
nnf(A => B, N) :- !, nnf(~A v B, N).
nnf(A <=> B, N) :- !, nnf((~A v B) & (A v ~B), N).
nnf(A & B, C & D) :- !, nnf(A, C), nnf(B, D).
nnf(A v B, C v D) :- !, nnf(A, C), nnf(B, D).
nnf(L, L).

cnf(F, Clauses) :- nnf(F, N), clauses(N, Cs0), exclude(trivial, Cs0, Cs1), sort(Cs1, Cs), exclude(subsumed(Cs), Cs, Clauses).
clauses(A & B, Cs) :- !, clauses(A, As), clauses(B, Bs), append(As, Bs, Cs).
clauses(A v B, Cs) :- !, clauses(A, As), clauses(B, Bs), findall(C, ( member(X, As), member(Y, Bs), ord_union(X, Y, C) ), Cs).
clauses(L, [[L]]).
trivial(C) :- member(~P, C), memberchk(P, C).
subsumed(Cs, C) :- member(D, Cs), D \== C, ord_subset(D, C).

main :-
    Fs = [p & q => p, (p => q) <=> (~q => ~p), p & ~p, (p v q) & r => ~s, ((p => q) => p) => p, p <=> (q <=> r)],
    table((p => q) & ~q),
    catch(( member(F, Fs), kind(F, K), cnf(F, Cs), format("~w: ~w ~w~n", [F, K, Cs]), fail ; true ), E, ( print(E), nl )).
