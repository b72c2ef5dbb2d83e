% A prover for propositional sequents that shows its proof as a tree, and a resolution prover for clauses with variables.
:- use_module(library(lists)).
:- op(650, xfx, =>).
:- op(640, xfy, imp).
:- op(630, xfy, or).
:- op(620, xfy, and).
:- op(610, fy, non).

prove(G => D, axiom(G => D)) :- member(A, G), memberchk(A, D), !.
prove(G => D, rule(l_non, G => D, [P])) :- select(non A, G, G1), !, prove(G1 => [A|D], P).
prove(G => D, rule(r_non, G => D, [P])) :- select(non A, D, D1), !, prove([A|G] => D1, P).
prove(G => D, rule(l_and, G => D, [P])) :- select(A and B, G, G1), !, prove([A, B|G1] => D, P).
prove(G => D, rule(r_or, G => D, [P])) :- select(A or B, D, D1), !, prove(G => [A, B|D1], P).
prove(G => D, rule(r_imp, G => D, [P])) :- select(A imp B, D, D1), !, prove([A|G] => [B|D1], P).
prove(G => D, rule(r_and, G => D, [P, Q])) :- select(A and B, D, D1), !, prove(G => [A|D1], P), prove(G => [B|D1], Q).
prove(G => D, rule(l_or, G => D, [P, Q])) :- select(A or B, G, G1), !, prove([A|G1] => D, P), prove([B|G1] => D, Q).
prove(G => D, rule(l_imp, G => D, [P, Q])) :- select(A imp B, G, G1), !, prove(G1 => [A|D], P), prove([B|G1] => D, Q).

show(axiom(S), N) :- tab(N), format("~w~n", [S]).
show(rule(R, S, Ps), N) :- tab(N), format("~w  [~w]~n", [S, R]), M is N+2, forall(member(P, Ps), show(P, M)).

% Resolution: clauses are lists of literals; the set of support grows until the empty clause is there.
refute(Axioms, Goal, Steps) :- resolve([Goal], Axioms, 0, 40, Steps).
resolve([[]|_], _, N, _, N) :- !.
resolve([C|Cs], Used, N, Max, Steps) :-
    N < Max, N1 is N+1,
    findall(R, ( member(D, [C|Used]), resolvent(C, D, R) ), New0),
    exclude(known([C|Cs], Used), New0, New),
    append(Cs, New, Next0), map_sort(Next0, Next),
    resolve(Next, [C|Used], N1, Max, Steps).
known(A, B, R) :- ( member(C, A) ; member(C, B) ), C =@= R, !.
map_sort(Cs, Sorted) :- findall(L-C, ( member(C, Cs), length(C, L) ), Ps), keysort(Ps, Qs), findall(C, member(_-C, Qs), Sorted).

resolvent(C0, D0, R) :-
    copy_term(C0, C), copy_term(D0, D),
    select(L, C, C1), complement(L, M), select(K, D, D1), unify_with_occurs_check(M, K),
    append(C1, D1, R0), sort(R0, R).
complement(non A, A) :- !.
complement(A, non A).

main :-
    forall(member(S, [[] => [p or non p], [] => [((p imp q) imp p) imp p], [p imp q, q imp r] => [p imp r], [p or q] => [p and q], [non (p and q)] => [non p or non q]]),
           ( prove(S, P) -> show(P, 0) ; format("~w has no proof~n", [S]) )),
    forall(member(Name-Axioms-Goal,
                  [socrates-[[non man(X), mortal(X)], [man(socrates)]]-[non mortal(socrates)],
                   chain-[[non le(A, B), non le(B, C), le(A, C)], [le(a, b)], [le(b, c)], [le(c, d)]]-[non le(a, d)],
                   wrong-[[non man(Y), mortal(Y)]]-[non mortal(zeus)]]),
           ( refute(Axioms, Goal, N) -> format("~w: refuted in ~d steps~n", [Name, N]) ; format("~w: not refuted~n", [Name]) )).
