% Sets as sorted lists without duplicates.
:- module(ordsets, [
    is_ordset/1,
    ord_empty/1,
    ord_memberchk/2,
    ord_add_element/3,
    ord_del_element/3,
    ord_selectchk/3,
    ord_intersect/2,
    ord_intersect/3,
    ord_intersection/2,
    ord_intersection/3,
    ord_intersection/4,
    ord_disjoint/2,
    ord_subtract/3,
    ord_union/2,
    ord_union/3,
    ord_union/4,
    ord_seteq/2,
    ord_subset/2,
    ord_symdiff/3,
    list_to_ord_set/2
]).

% is_ordset(?Term): Term is a list in standard order without duplicates.
is_ordset(Set) :-
    is_list(Set),
    ordered(Set).

ordered([]).
ordered([X|Xs]) :-
    ordered_from(Xs, X).

ordered_from([], _).
ordered_from([X|Xs], Last) :-
    Last @< X,
    ordered_from(Xs, X).

% ord_empty(?Set): Set is empty.
ord_empty([]).

% list_to_ord_set(+List, -Set): Set are the elements of List, in order.
list_to_ord_set(List, Set) :-
    sort(List, Set).

% ord_memberchk(+X, +Set): X is an element of Set.
ord_memberchk(X, [Y|Ys]) :-
    compare(Order, X, Y),
    member_side(Order, X, Ys).

member_side(=, _, _).
member_side(>, X, Ys) :-
    ord_memberchk(X, Ys).

% ord_add_element(+Set0, +X, -Set): adds an element.
ord_add_element([], X, [X]).
ord_add_element([Y|Ys], X, Set) :-
    compare(Order, X, Y),
    add_side(Order, X, Y, Ys, Set).

add_side(<, X, Y, Ys, [X,Y|Ys]).
add_side(=, _, Y, Ys, [Y|Ys]).
add_side(>, X, Y, Ys, [Y|Set]) :-
    ord_add_element(Ys, X, Set).

% ord_del_element(+Set0, +X, -Set): takes an element out.
ord_del_element([], _, []).
ord_del_element([Y|Ys], X, Set) :-
    compare(Order, X, Y),
    del_side(Order, X, Y, Ys, Set).

del_side(<, _, Y, Ys, [Y|Ys]).
del_side(=, _, _, Ys, Ys).
del_side(>, X, Y, Ys, [Y|Set]) :-
    ord_del_element(Ys, X, Set).

% ord_selectchk(+X, +Set, -Rest): fails when X is not in Set.
ord_selectchk(X, [Y|Ys], Rest) :-
    compare(Order, X, Y),
    select_side(Order, X, Y, Ys, Rest).

select_side(=, _, _, Ys, Ys).
select_side(>, X, Y, Ys, [Y|Rest]) :-
    ord_selectchk(X, Ys, Rest).

% ord_intersect(+Set1, +Set2): the sets have a common element.
ord_intersect(Set1, Set2) :-
    \+ ord_disjoint(Set1, Set2).

% ord_intersect(+Set1, +Set2, -Set): ord_intersection/3.
ord_intersect(Set1, Set2, Set) :-
    ord_intersection(Set1, Set2, Set).

% ord_disjoint(+Set1, +Set2): the sets have no common element.
ord_disjoint([], _).
ord_disjoint([X|Xs], Set2) :-
    disjoint_from(Set2, X, Xs).

disjoint_from([], _, _).
disjoint_from([Y|Ys], X, Xs) :-
    compare(Order, X, Y),
    disjoint_step(Order, X, Xs, Y, Ys).

disjoint_step(<, _, Xs, Y, Ys) :-
    disjoint_from(Xs, Y, Ys).
disjoint_step(>, X, Xs, _, Ys) :-
    disjoint_from(Ys, X, Xs).

% ord_intersection(+Set1, +Set2, -Set): Set are the elements of both.
ord_intersection([], _, []).
ord_intersection([X|Xs], Set2, Set) :-
    common_from(Set2, X, Xs, Set).

common_from([], _, _, []).
common_from([Y|Ys], X, Xs, Set) :-
    compare(Order, X, Y),
    common_step(Order, X, Xs, Y, Ys, Set).

common_step(<, _, Xs, Y, Ys, Set) :-
    common_from(Xs, Y, Ys, Set).
common_step(=, X, Xs, _, Ys, [X|Set]) :-
    ord_intersection(Xs, Ys, Set).
common_step(>, X, Xs, _, Ys, Set) :-
    common_from(Ys, X, Xs, Set).

% ord_intersection(+Sets, -Set): Set are the elements that all sets have.
ord_intersection([], Set) :-
    !,
    Set = [].
ord_intersection([Set1|Sets], Set) :-
    intersect_all(Sets, Set1, Set).

intersect_all([], Set, Set).
intersect_all([Set1|Sets], Set0, Set) :-
    ord_intersection(Set0, Set1, Set2),
    intersect_all(Sets, Set2, Set).

% ord_intersection(+Set1, +Set2, -Common, -Difference): Difference are the elements of Set2 that are not in Set1.
ord_intersection(Set1, Set2, Common, Difference) :-
    ord_intersection(Set1, Set2, Common),
    ord_subtract(Set2, Set1, Difference).

% ord_subtract(+Set1, +Set2, -Set): Set are the elements of Set1 that are not in Set2.
ord_subtract([], _, []).
ord_subtract([X|Xs], Set2, Set) :-
    subtract_from(Set2, X, Xs, Set).

subtract_from([], X, Xs, [X|Xs]).
subtract_from([Y|Ys], X, Xs, Set) :-
    compare(Order, X, Y),
    subtract_step(Order, X, Xs, Y, Ys, Set).

subtract_step(<, X, Xs, Y, Ys, [X|Set]) :-
    subtract_rest(Xs, Y, Ys, Set).
subtract_step(=, _, Xs, _, Ys, Set) :-
    ord_subtract(Xs, Ys, Set).
subtract_step(>, X, Xs, _, Ys, Set) :-
    subtract_from(Ys, X, Xs, Set).

subtract_rest([], _, _, []).
subtract_rest([X|Xs], Y, Ys, Set) :-
    compare(Order, X, Y),
    subtract_step(Order, X, Xs, Y, Ys, Set).

% ord_union(+Set1, +Set2, -Set): Set are the elements of either.
ord_union([], Set, Set).
ord_union([X|Xs], Set2, Set) :-
    union_from(Set2, X, Xs, Set).

union_from([], X, Xs, [X|Xs]).
union_from([Y|Ys], X, Xs, Set) :-
    compare(Order, X, Y),
    union_step(Order, X, Xs, Y, Ys, Set).

union_step(<, X, Xs, Y, Ys, [X|Set]) :-
    union_from(Xs, Y, Ys, Set).
union_step(=, X, Xs, _, Ys, [X|Set]) :-
    ord_union(Xs, Ys, Set).
union_step(>, X, Xs, Y, Ys, [Y|Set]) :-
    union_from(Ys, X, Xs, Set).

% ord_union(+Sets, -Set): Set are the elements of all sets.
ord_union(Sets, Set) :-
    append(Sets, Elements),
    sort(Elements, Set).

% ord_union(+Set1, +Set2, -Union, -New): New are the elements of Set2 that are not in Set1.
ord_union(Set1, Set2, Union, New) :-
    ord_union(Set1, Set2, Union),
    ord_subtract(Set2, Set1, New).

% ord_seteq(+Set1, +Set2): the sets are equal.
ord_seteq(Set1, Set2) :-
    Set1 == Set2.

% ord_subset(+Subset, +Set): all elements of Subset are in Set.
ord_subset([], _).
ord_subset([X|Xs], [Y|Ys]) :-
    compare(Order, X, Y),
    subset_step(Order, X, Xs, Ys).

subset_step(=, _, Xs, Ys) :-
    ord_subset(Xs, Ys).
subset_step(>, X, Xs, Ys) :-
    ord_subset([X|Xs], Ys).

% ord_symdiff(+Set1, +Set2, -Set): Set are the elements that are in exactly one of the sets.
ord_symdiff([], Set, Set).
ord_symdiff([X|Xs], Set2, Set) :-
    symdiff_from(Set2, X, Xs, Set).

symdiff_from([], X, Xs, [X|Xs]).
symdiff_from([Y|Ys], X, Xs, Set) :-
    compare(Order, X, Y),
    symdiff_step(Order, X, Xs, Y, Ys, Set).

symdiff_step(<, X, Xs, Y, Ys, [X|Set]) :-
    symdiff_from(Xs, Y, Ys, Set).
symdiff_step(=, _, Xs, _, Ys, Set) :-
    ord_symdiff(Xs, Ys, Set).
symdiff_step(>, X, Xs, Y, Ys, [Y|Set]) :-
    symdiff_from(Ys, X, Xs, Set).
