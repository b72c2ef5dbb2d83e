% Copies, variants and variables of terms, large and small; large terms in the database.

:- dynamic kept/1.

bench :-
    tree(11, Tree),
    large(150, Tree, 0, A),
    small(400000, 0, B),
    Sum is A + B,
    write(checksum(Sum)), nl.

tree(0, _) :- !.
tree(N, t(L, N, R)) :- M is N - 1, tree(M, L), tree(M, R).

large(0, _, Sum, Sum) :- !.
large(N, Tree, Sum0, Sum) :-
    copy_term(Tree, Copy),
    ( Copy =@= Tree -> D1 = 1 ; D1 = 0 ),
    term_variables(Copy, Vars),
    length(Vars, D2),
    assertz(kept(Copy)),
    retract(kept(Again)),
    findall(Again, true, [Last]),
    arg(2, Last, D3),
    Sum1 is Sum0 + D1 + D2 + D3,
    M is N - 1,
    large(M, Tree, Sum1, Sum).

small(0, Sum, Sum) :- !.
small(N, Sum0, Sum) :-
    Rule = rule(head(X, Y), [goal(X, Z), goal(Z, Y), goal(a, N)]),
    copy_term(Rule, Copy),
    ( Copy =@= Rule -> D = 1 ; D = 0 ),
    term_variables(Copy, Vars),
    length(Vars, L),
    Sum1 is Sum0 + D + L,
    M is N - 1,
    small(M, Sum1, Sum).
