% Satisfiability by Davis, Putnam, Logemann and Loveland: formulas become clauses, units are propagated, pure literals are
% chosen, and the answers are counted and checked. Pigeons and a graph that cannot be coloured have none.
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(ordsets)).
:- op(700, xfy, <=>), op(690, xfy, =>), op(680, xfy, \/), op(670, xfy, /\), op(200, fy, ~).

nnf(~ ~A, B) :- !, nnf(A, B).
nnf(~(A /\ B), C) :- !, nnf(~A \/ ~B, C).
nnf(~(A \/ B), C) :- !, nnf(~A /\ ~B, C).
nnf(~(A => B), C) :- !, nnf(A /\ ~B, C).
nnf(~(A <=> B), C) :- !, nnf((A /\ ~B) \/ (~A /\ B), C).
nnf(A => B, C) :- !, nnf(~A \/ B, C).
nnf(A <=> B, C) :- !, nnf((~A \/ B) /\ (A \/ ~B), C).
nnf(A /\ B, C /\ D) :- !, nnf(A, C), nnf(B, D).
nnf(A \/ B, C \/ D) :- !, nnf(A, C), nnf(B, D).
nnf(A, A).

cnf(A /\ B, Cs) :- !, cnf(A, X), cnf(B, Y), ord_union(X, Y, Cs).
cnf(A \/ B, Cs) :- !, cnf(A, X), cnf(B, Y), findall(C, ( member(P, X), member(Q, Y), ord_union(P, Q, C), \+ tautology(C) ), L), sort(L, Cs).
cnf(L, [[L]]).

tautology(C) :- member(~A, C), memberchk(A, C).

not(~A, A) :- !.
not(A, ~A).

solve(Clauses, Model) :- solve(Clauses, [], Model).
solve([], Model, Model) :- !.
solve(Clauses, _, _) :- memberchk([], Clauses), !, fail.
solve(Clauses, M0, M) :- member([L], Clauses), !, assign(L, Clauses, Rest), solve(Rest, [L|M0], M).
solve(Clauses, M0, M) :- pure(Clauses, L), !, assign(L, Clauses, Rest), solve(Rest, [L|M0], M).
solve(Clauses, M0, M) :- Clauses = [[L|_]|_], not(L, N), ( Choice = L ; Choice = N ), assign(Choice, Clauses, Rest), solve(Rest, [Choice|M0], M).

assign(L, Clauses, Rest) :- not(L, N), exclude(memberchk(L), Clauses, Kept), maplist([C, D]>>ord_subtract(C, [N], D), Kept, Rest).

pure(Clauses, L) :- member(C, Clauses), member(L, C), not(L, N), \+ ( member(D, Clauses), memberchk(N, D) ).

report(Name, Formula) :-
    nnf(Formula, N), cnf(N, Cs), length(Cs, K),
    (   solve(Cs, M) -> sort(M, S), ( checks(Cs, S) -> format("~w: ~d clauses, ~w~n", [Name, K, S]) ; writeln(wrong) )
    ;   format("~w: ~d clauses, no model~n", [Name, K])
    ).
checks(Cs, M) :- forall(member(C, Cs), ( member(L, C), memberchk(L, M) )).

pigeons(P, H, Clauses) :-
    findall(C, ( between(1, P, I), findall(in(I, J), between(1, H, J), C) ), Some),
    findall([~in(I, J), ~in(K, J)], ( between(1, H, J), between(1, P, I), I1 is I+1, between(I1, P, K) ), No),
    append(Some, No, Cs0), maplist(sort, Cs0, Clauses).

colours(Edges, N, Clauses) :-
    findall(V, ( member(A-B, Edges), member(V, [A, B]) ), Vs0), sort(Vs0, Vs), numlist(1, N, Ks),
    findall(C, ( member(V, Vs), findall(V:K, member(K, Ks), C) ), Some),
    findall([~(A:K), ~(B:K)], ( member(A-B, Edges), member(K, Ks) ), No),
    append(Some, No, Cs0), maplist(sort, Cs0, Clauses).

main :-
    report(modus, (p => q) /\ p /\ ~q),
    report(equal, (p <=> q) /\ (q <=> r)),
    report(excluded, p \/ ~p),
    report(knights, (a <=> ~b) /\ (b <=> (~a /\ ~c)) /\ (c <=> (a \/ b))),
    forall(member(P/H, [2/2, 3/2, 4/3, 4/4]),
           ( pigeons(P, H, Cs), ( solve(Cs, M) -> include([in(_, _)]>>true, M, In), sort(In, S), format("~w: ~w~n", [P/H, S]) ; format("~w: none~n", [P/H]) ) )),
    K4 = [a-b, a-c, a-d, b-c, b-d, c-d],
    forall(member(N, [2, 3, 4]), ( colours(K4, N, Cs), ( solve(Cs, _) -> A = yes ; A = no ), format("K4 with ~d colours: ~w~n", [N, A]) )).
