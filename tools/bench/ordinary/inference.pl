% Types of lambda terms by unification with occurs check, beside a long list: half of the terms have no type.

bench :-
    numlist(1, 200000, Live),
    infer(300000, 0, Sum),
    length(Live, Length),
    Total is Sum + Length,
    write(checksum(Total)), nl.

infer(0, Sum, Sum) :- !.
infer(N, Sum0, Sum) :-
    Kind is N mod 6,
    term(Kind, Term),
    (   type(Term, [], Type), acyclic_term(Type)
    ->  depth(Type, Depth)
    ;   Depth = 1
    ),
    Sum1 is Sum0 + Depth,
    M is N - 1,
    infer(M, Sum1, Sum).

term(0, lam(x, lam(y, app(x, y)))).
term(1, lam(x, app(x, x))).
term(2, lam(f, lam(g, lam(x, app(f, app(g, x)))))).
term(3, app(lam(x, app(x, x)), lam(y, y))).
term(4, lam(x, lam(y, lam(z, app(app(x, z), app(y, z)))))).
term(5, lam(f, app(lam(x, app(f, app(x, x))), lam(x, app(f, app(x, x)))))).

type(lam(X, Body), Env, In -> Out) :- !, type(Body, [X-In|Env], Out).
type(app(F, A), Env, Out) :- !,
    type(F, Env, Function),
    type(A, Env, In),
    unify_with_occurs_check(Function, (In -> Out)).
type(X, Env, Type) :- lookup(Env, X, Type).

lookup([Y-T|Env], X, Type) :- ( X == Y -> Type = T ; lookup(Env, X, Type) ).

depth(Type, 1) :- var(Type), !.
depth(A -> B, Depth) :- depth(A, D1), depth(B, D2), Depth is 1 + max(D1, D2).
