% Sorting by a comparison of the caller's.
:- module(sort, [
    predsort/3,
    predicate_sort/3,
    locale_sort/2
]).

:- meta_predicate
    predsort(3, +, -),
    predicate_sort(3, +, -).

% predsort(:Compare, +List, -Sorted): call(Compare, Order, A, B) gives <, > or =; of elements that
% compare equal the first is kept.
predsort(Compare, List, Sorted) :-
    must_be(list, List),
    length(List, N),
    merge_sort(N, Compare, List, [], Sorted0),
    !,
    Sorted = Sorted0.

% predicate_sort(:Compare, +List, -Sorted): predsort/3.
predicate_sort(Compare, List, Sorted) :-
    predsort(Compare, List, Sorted).

% merge_sort(+N, :Compare, +List, -Rest, -Sorted): sorts the first N elements of List.
merge_sort(0, _, Rest, Rest, []) :- !.
merge_sort(1, _, [X|Rest], Rest, [X]) :- !.
merge_sort(N, Compare, List, Rest, Sorted) :-
    Half is N // 2,
    Other is N - Half,
    merge_sort(Half, Compare, List, List1, Left),
    merge_sort(Other, Compare, List1, Rest, Right),
    merge_by(Left, Right, Compare, Sorted).

merge_by([], Ys, _, Ys) :- !.
merge_by(Xs, [], _, Xs) :- !.
merge_by([X|Xs], [Y|Ys], Compare, Merged) :-
    call(Compare, Order, X, Y),
    !,
    merge_step(Order, X, Xs, Y, Ys, Compare, Merged).

merge_step(<, X, Xs, Y, Ys, Compare, [X|Merged]) :-
    merge_by(Xs, [Y|Ys], Compare, Merged).
merge_step(>, X, Xs, Y, Ys, Compare, [Y|Merged]) :-
    merge_by([X|Xs], Ys, Compare, Merged).
merge_step(=, X, Xs, _, Ys, Compare, Merged) :-
    merge_by([X|Xs], Ys, Compare, Merged).

% locale_sort(+Atoms, -Sorted): sorted by their collation keys, duplicates kept.
locale_sort(Atoms, Sorted) :-
    map_list_to_pairs(collation_key, Atoms, Pairs),
    keysort(Pairs, SortedPairs),
    pairs_values(SortedPairs, Sorted).
