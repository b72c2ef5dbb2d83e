% Sets as ordered lists, under old names; library(ordsets) is the newer one.
:- module(oset, [
    oset_is/1,
    oset_union/3,
    oset_int/3,
    oset_diff/3,
    oset_dint/2,
    oset_dunion/2,
    oset_addel/3,
    oset_delel/3,
    oset_power/2
]).

% oset_is(@Set): Set is an ordered set.
oset_is(Set) :-
    is_ordset(Set).

% oset_union(+Set1, +Set2, -Union): what is in one of two sets.
oset_union(Set1, Set2, Union) :-
    ord_union(Set1, Set2, Union).

% oset_int(+Set1, +Set2, -Common): what is in both sets.
oset_int(Set1, Set2, Common) :-
    ord_intersection(Set1, Set2, Common).

% oset_diff(+Set1, +Set2, -Rest): what is in Set1 and not in Set2.
oset_diff(Set1, Set2, Rest) :-
    ord_subtract(Set1, Set2, Rest).

% oset_dunion(+Sets, -Union): what is in one of the sets of a set.
oset_dunion(Sets, Union) :-
    ord_union(Sets, Union).

% oset_dint(+Sets, -Common): what is in all sets of a set.
oset_dint(Sets, Common) :-
    (   Sets == []
    ->  Common = []
    ;   ord_intersection(Sets, Common)
    ).

% oset_addel(+Set0, +Element, -Set): Set is Set0 with an element more.
oset_addel(Set0, Element, Set) :-
    ord_add_element(Set0, Element, Set).

% oset_delel(+Set0, +Element, -Set): Set is Set0 with an element less.
oset_delel(Set0, Element, Set) :-
    ord_del_element(Set0, Element, Set).

% oset_power(+Set, -Subsets): Subsets is the set of all subsets of Set.
oset_power(Set, Subsets) :-
    foldl([Element, Sets0, Sets]>>( maplist([S, [Element|S]]>>true, Sets0, More), append(Sets0, More, Sets) ),
          Set, [[]], Subsets0),
    maplist(sort, Subsets0, Subsets1),
    sort(Subsets1, Subsets).
