% Sets of integers as values of programs. A set is a domain of clpfd/domains.pl.
:- module(clpfd_sets, [
    is_fdset/1,
    empty_fdset/1,
    fdset_parts/4,
    empty_interval/2,
    fdset_interval/3,
    fdset_singleton/2,
    fdset_min/2,
    fdset_max/2,
    fdset_size/2,
    list_to_fdset/2,
    fdset_to_list/2,
    range_to_fdset/2,
    fdset_to_range/2,
    fdset_add_element/3,
    fdset_del_element/3,
    fdset_disjoint/2,
    fdset_intersect/2,
    fdset_intersection/3,
    fdset_member/2,
    fdset_eq/2,
    fdset_subset/2,
    fdset_subtract/3,
    fdset_union/3,
    fdset_union/2,
    fdset_complement/2,
    given_set/1
]).

:- use_module(library(error)).
:- use_module(library(clpfd/domains)).

is_fdset(Set) :- ground(Set), valid(Set).

valid([]).
valid([From-To|Set]) :-
    ( From == inf -> true ; integer(From) ),
    valid_from(Set, From, To).

valid_from(Set, From, To) :-
    (   To == sup
    ->  Set == []
    ;   integer(To),
        ext_le(From, To),
        (   Set = [From1-To1|Set1]
        ->  integer(From1),
            From1 > To+1,
            valid_from(Set1, From1, To1)
        ;   Set == []
        )
    ).

% given_set(+Set): fails if Set is not a set.
given_set(Set) :- ( ground(Set) -> valid(Set) ; instantiation_error(Set) ).

empty_fdset([]).

fdset_parts(Set, Min, Max, Rest) :-
    (   nonvar(Set)
    ->  given_set(Set),
        Set = [Min-Max|Rest]
    ;   given_interval(Min, Max),
        given_set(Rest),
        Set1 = [Min-Max|Rest],
        valid(Set1),
        Set = Set1
    ).

given_interval(Min, Max) :-
    ( ( var(Min) ; var(Max) ) -> instantiation_error(_) ; valid([Min-Max]) ).

empty_interval(Min, Max) :- bound(Min), bound(Max), \+ valid([Min-Max]).

bound(B) :- ( var(B) -> instantiation_error(B) ; integer(B) -> true ; B == inf -> true ; B == sup ).

fdset_interval(Set, Min, Max) :-
    (   nonvar(Set)
    ->  given_set(Set),
        Set = [Min-Max]
    ;   given_interval(Min, Max),
        Set = [Min-Max]
    ).

fdset_singleton(Set, Element) :- fdset_interval(Set, Element, Element).

fdset_min(Set, Min) :- given_set(Set), dom_bounds(Set, Min, _).

fdset_max(Set, Max) :- given_set(Set), dom_bounds(Set, _, Max).

fdset_size(Set, Size) :- given_set(Set), dom_size(Set, Size).

list_to_fdset(List, Set) :-
    must_be(list(integer), List),
    values_dom(List, Set).

fdset_to_list(Set, List) :-
    finite_set(Set),
    dom_values(Set, List).

finite_set(Set) :-
    given_set(Set),
    \+ dom_size(Set, sup).

range_to_fdset(Range, Set) :- expression_dom(Range, Set).

fdset_to_range(Set, Range) :- given_set(Set), dom_expression(Set, Range).

fdset_add_element(Set0, Element, Set) :-
    fdset_singleton(One, Element),
    fdset_union(Set0, One, Set).

fdset_del_element(Set0, Element, Set) :-
    given_set(Set0),
    must_be(integer, Element),
    dom_remove(Set0, Element, Set).

fdset_disjoint(Set1, Set2) :-
    fdset_intersection(Set1, Set2, Both),
    Both == [].

fdset_intersect(Set1, Set2) :-
    fdset_intersection(Set1, Set2, Both),
    Both \== [].

fdset_intersection(Set1, Set2, Set) :-
    given_set(Set1),
    given_set(Set2),
    dom_intersection(Set1, Set2, Set).

fdset_member(Element, Set) :-
    (   var(Element)
    ->  finite_set(Set),
        dom_member(Set, Element)
    ;   integer(Element),
        given_set(Set),
        dom_contains(Set, Element)
    ).

fdset_eq(Set1, Set2) :-
    given_set(Set1),
    given_set(Set2),
    Set1 == Set2.

fdset_subset(Set1, Set2) :-
    fdset_intersection(Set1, Set2, Both),
    Both == Set1.

fdset_subtract(Set1, Set2, Set) :-
    fdset_complement(Set2, Others),
    fdset_intersection(Set1, Others, Set).

fdset_union(Set1, Set2, Set) :-
    given_set(Set1),
    given_set(Set2),
    dom_union(Set1, Set2, Set).

fdset_union(Sets, Set) :-
    must_be(list, Sets),
    joined(Sets, [], Set).

joined([], Set, Set).
joined([Set1|Sets], Set0, Set) :-
    fdset_union(Set0, Set1, Set2),
    joined(Sets, Set2, Set).

fdset_complement(Set0, Set) :- given_set(Set0), dom_complement(Set0, Set).
