:- module(domain, [in_domain/2, domain_of/2]).
in_domain(X, L0) :-
    sort(L0, L),
    (   var(X), get_attr(X, domain, Old)
    ->  ord_intersection(L, Old, New), settle(New, X)
    ;   var(X)
    ->  settle(L, X)
    ;   memberchk(X, L)
    ).
settle([V], X) :- !, del_attr(X, domain), X = V.
settle([V|Vs], X) :- put_attr(X, domain, [V|Vs]).
domain_of(X, L) :- get_attr(X, domain, L).
attr_unify_hook(L, Y) :-
    (   attvar(Y), get_attr(Y, domain, L2)
    ->  ord_intersection(L, L2, New), settle(New, Y)
    ;   var(Y)
    ->  put_attr(Y, domain, L)
    ;   memberchk(Y, L)
    ).
attribute_goals(X) --> { get_attr(X, domain, L) }, [in_domain(X, L)].
