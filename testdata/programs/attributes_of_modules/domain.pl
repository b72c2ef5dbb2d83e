:- module(domain, [domain/2]).
:- use_module(library(ordsets)).
domain(X, Values) :-
    must_be(list, Values),
    list_to_ord_set(Values, Set),
    (   var(X)
    ->  (   get_attr(X, domain, Old) -> ord_intersection(Old, Set, New) ; New = Set ),
        narrowed(New, X)
    ;   ord_memberchk(X, Set)
    ).
narrowed([], _) :- fail.
narrowed([X], X) :- !.
narrowed(Set, X) :- put_attr(X, domain, Set).
attr_unify_hook(Set, Other) :-
    (   get_attr(Other, domain, Set2) -> ord_intersection(Set, Set2, New), narrowed(New, Other)
    ;   var(Other) -> put_attr(Other, domain, Set)
    ;   ord_memberchk(Other, Set)
    ).
attribute_goals(X) --> { get_attr(X, domain, Set) }, [domain(X, Set)].
