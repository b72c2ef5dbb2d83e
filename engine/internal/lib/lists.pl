% The list library: membership, selection, order and arithmetic on lists.
:- module(lists, [
    append/3,
    append/2,
    prefix/2,
    select/3,
    selectchk/3,
    select/4,
    selectchk/4,
    subseq/3,
    subtract/3,
    permutation/2,
    member/2,
    memberchk/2,
    delete/3,
    nth0/3,
    nth1/3,
    nth0/4,
    nth1/4,
    last/2,
    proper_length/2,
    same_length/2,
    reverse/2,
    nextto/3,
    flatten/2,
    clumped/2,
    max_member/2,
    max_member/3,
    min_member/2,
    min_member/3,
    list_to_set/2,
    sum_list/2,
    sumlist/2,
    max_list/2,
    min_list/2,
    numlist/3,
    is_set/1,
    subset/2,
    intersection/3,
    union/3
]).

:- meta_predicate
    max_member(2, ?, ?),
    min_member(2, ?, ?).

% append(?Front, ?Back, ?List): List is Front with Back behind it.
append([], L, L).
append([X|Xs], L, [X|Ys]) :-
    append(Xs, L, Ys).

% append(+Lists, ?List): List is the concatenation of Lists.
append(Lists, List) :-
    must_be(list, Lists),
    append_all(Lists, List).

append_all([], []).
append_all([L|Ls], List) :-
    append(L, Rest, List),
    append_all(Ls, Rest).

% prefix(?Prefix, ?List): List begins with Prefix.
prefix([], _).
prefix([X|Xs], [X|Ys]) :-
    prefix(Xs, Ys).

% The list goes first and is split into head and tail before X is looked at, so that the last element is
% found without a choice point.
% member(?X, ?List): X is an element of List.
member(X, [Y|Ys]) :-
    member_of(Ys, X, Y).

member_of(_, X, X).
member_of([Y|Ys], X, _) :-
    member_of(Ys, X, Y).

% memberchk(?X, +List): member/2, once.
memberchk(X, L) :-
    system:memberchk(X, L).

% select(?X, ?List, ?Rest): X is an element of List, Rest the others.
select(X, [Y|Ys], Rest) :-
    select_from(Ys, X, Y, Rest).

select_from(Ys, X, X, Ys).
select_from([Y|Ys], X, Z, [Z|Rest]) :-
    select_from(Ys, X, Y, Rest).

% selectchk(?X, +List, -Rest): select/3 for the first X.
selectchk(X, List, Rest) :-
    select(X, List, Rest0),
    !,
    Rest = Rest0.

% select(?X, ?Xs, ?Y, ?Ys): Ys is Xs with one X replaced by Y.
select(X, Xs, Y, Ys) :-
    replace_one(Xs, X, Y, Ys).

replace_one([X|Es], X, Y, [Y|Es]).
replace_one([E|Xs], X, Y, [E|Ys]) :-
    replace_one(Xs, X, Y, Ys).

% selectchk(?X, +Xs, ?Y, -Ys): select/4, once.
selectchk(X, Xs, Y, Ys) :-
    select(X, Xs, Y, Ys),
    !.

% subseq(?List, ?Part, ?Rest): each element of List is in either Part or Rest, and both keep the order of List.
subseq([], [], []).
subseq([X|Xs], Part, [X|Rest]) :-
    subseq(Xs, Part, Rest).
subseq([X|Xs], [X|Part], Rest) :-
    subseq(Xs, Part, Rest).

% subtract(+List, +Delete, -Rest): Rest are the elements of List that are not in Delete.
subtract([], _, []) :- !.
subtract([X|Xs], L, Rest) :-
    memberchk(X, L),
    !,
    subtract(Xs, L, Rest).
subtract([X|Xs], L, [X|Rest]) :-
    subtract(Xs, L, Rest).

% When only the second list is proper its length bounds the search.
% permutation(?List, ?Permutation): the lists have the same elements, in any order.
permutation(Xs, Ys) :-
    '$skip_list'(N, Xs, TailX),
    '$skip_list'(M, Ys, TailY),
    permutation_lengths(TailX, N, Xs, TailY, M, Ys),
    permute(Xs, Ys).

permutation_lengths(TailX, N, _, TailY, _, Ys) :-
    TailX == [],
    TailY == [],
    !,
    length(Ys, N).
permutation_lengths(TailX, N, _, TailY, _, Ys) :-
    TailX == [],
    var(TailY),
    !,
    length(Ys, N).
permutation_lengths(TailX, _, Xs, TailY, M, _) :-
    TailY == [],
    var(TailX),
    !,
    length(Xs, M).
permutation_lengths(TailX, _, Xs, TailY, _, Ys) :-
    var(TailX),
    var(TailY),
    !,
    length(Xs, N),
    length(Ys, N).
permutation_lengths(_, _, Xs, _, _, Ys) :-
    must_be(list, Xs),
    must_be(list, Ys).

permute([], []).
permute(Xs, [Y|Ys]) :-
    select(Y, Xs, Rest),
    permute(Rest, Ys).

% delete(+List, @X, -Rest): Rest holds the elements that do not unify with X.
delete([], _, []).
delete([Y|Ys], X, Rest) :-
    Y \= X,
    !,
    Rest = [Y|Rest1],
    delete(Ys, X, Rest1).
delete([_|Ys], X, Rest) :-
    delete(Ys, X, Rest).

% nth0(?Index, ?List, ?X): X is the element at Index, from 0.
nth0(Index, List, Elem) :-
    nth_from(0, Index, List, Elem).

% nth1(?Index, ?List, ?X): X is the element at Index, from 1.
nth1(Index, List, Elem) :-
    nth_from(1, Index, List, Elem).

nth_from(Base, Index, List, Elem) :-
    integer(Index),
    !,
    Skip is Index - Base,
    Skip >= 0,
    nth_skip(Skip, List, Elem).
nth_from(Base, Index, List, Elem) :-
    var(Index),
    !,
    List = [X|Xs],
    nth_search(Xs, X, Elem, Base, Index).
nth_from(_, Index, _, _) :-
    must_be(integer, Index).

nth_skip(0, List, Elem) :-
    !,
    List = [Elem|_].
nth_skip(N, [_|Xs], Elem) :-
    N1 is N - 1,
    nth_skip(N1, Xs, Elem).

nth_search(_, Elem, Elem, Base, Base).
nth_search([X|Xs], _, Elem, Base, Index) :-
    Base1 is Base + 1,
    nth_search(Xs, X, Elem, Base1, Index).

% nth0(?Index, ?List, ?Elem, ?Rest): List without its element at Index is Rest.
nth0(Index, List, Elem, Rest) :-
    nth_rest(0, Index, List, Elem, Rest).

% nth1(?Index, ?List, ?X, ?Rest): the same; Rest are the other elements.
nth1(Index, List, Elem, Rest) :-
    nth_rest(1, Index, List, Elem, Rest).

nth_rest(Base, Index, List, Elem, Rest) :-
    integer(Index),
    !,
    Skip is Index - Base,
    Skip >= 0,
    nth_remove(Skip, List, Elem, Rest).
nth_rest(Base, Index, List, Elem, Rest) :-
    var(Index),
    !,
    nth_take(List, Elem, Rest, Base, Index).
nth_rest(_, Index, _, _, _) :-
    must_be(integer, Index).

nth_remove(0, List, Elem, Rest) :-
    !,
    List = [Elem|Rest].
nth_remove(N, [X|Xs], Elem, [X|Rest]) :-
    N1 is N - 1,
    nth_remove(N1, Xs, Elem, Rest).

nth_take([X|Xs], Elem, Rest, Base, Index) :-
    nth_take(Xs, X, Elem, Rest, Base, Index).

nth_take(Xs, Elem, Elem, Xs, Base, Base).
nth_take([Y|Ys], X, Elem, [X|Rest], Base, Index) :-
    Base1 is Base + 1,
    nth_take(Ys, Y, Elem, Rest, Base1, Index).

% last(?List, ?X): X is the last element.
last([X|Xs], Last) :-
    last_of(Xs, X, Last).

last_of([], Last, Last).
last_of([X|Xs], _, Last) :-
    last_of(Xs, X, Last).

% proper_length(@List, ?Length): the length of a proper list; fails for any other term.
proper_length(List, Length) :-
    '$skip_list'(N, List, Tail),
    Tail == [],
    Length = N.

% same_length(?List1, ?List2): the lists have the same length.
same_length([], []).
same_length([_|Xs], [_|Ys]) :-
    same_length(Xs, Ys).

% reverse(?List, ?Reversed): Reversed has the elements in reverse.
reverse(Xs, Ys) :-
    (   is_list(Xs)
    ->  reverse_onto(Xs, [], Ys)
    ;   reverse_within(Ys, Xs, [], Ys)
    ).

% The first argument is a list as long as the second, so that the search ends with it.
reverse_within([], [], Ys, Ys).
reverse_within([_|Bound], [X|Xs], Acc, Ys) :-
    reverse_within(Bound, Xs, [X|Acc], Ys).

reverse_onto([], Ys, Ys).
reverse_onto([X|Xs], Acc, Ys) :-
    reverse_onto(Xs, [X|Acc], Ys).

% nextto(?X, ?Y, ?List): Y follows X in List.
nextto(X, Y, [X,Y|_]).
nextto(X, Y, [_|Zs]) :-
    nextto(X, Y, Zs).

% flatten(+Tree, -List): List has the leaves of nested lists; variables are leaves, and a term that is not a list
% becomes a list of itself.
flatten(Tree, List) :-
    flatten_onto(Tree, [], Flat),
    !,
    List = Flat.

flatten_onto(Var, Tail, [Var|Tail]) :-
    var(Var),
    !.
flatten_onto([], Tail, Tail) :-
    !.
flatten_onto([X|Xs], Tail, List) :-
    !,
    flatten_onto(X, List1, List),
    flatten_onto(Xs, Tail, List1).
flatten_onto(Leaf, Tail, [Leaf|Tail]).

% clumped(+Items, -Runs): Runs pairs each run of identical items with its length.
clumped([], []).
clumped([X|Xs], [X-N|Runs]) :-
    clump(Xs, X, 1, N, Rest),
    clumped(Rest, Runs).

clump([Y|Ys], X, N0, N, Rest) :-
    X == Y,
    !,
    N1 is N0 + 1,
    clump(Ys, X, N1, N, Rest).
clump(Rest, _, N, N, Rest).

% max_member(-Max, +List): the greatest element in the standard order.
max_member(Max, [X|Xs]) :-
    max_term(Xs, X, Max).

max_term([], Max, Max).
max_term([X|Xs], Max0, Max) :-
    (   X @=< Max0
    ->  max_term(Xs, Max0, Max)
    ;   max_term(Xs, X, Max)
    ).

% min_member(-Min, +List): the least element in the standard order.
min_member(Min, [X|Xs]) :-
    min_term(Xs, X, Min).

min_term([], Min, Min).
min_term([X|Xs], Min0, Min) :-
    (   X @>= Min0
    ->  min_term(Xs, Min0, Min)
    ;   min_term(Xs, X, Min)
    ).

% max_member(:Order, -Max, +List): call(Order, A, B) is true when A comes before B or is equal.
max_member(Order, Max, [X|Xs]) :-
    max_by(Xs, Order, X, Max).

max_by([], _, Max, Max).
max_by([X|Xs], Order, Max0, Max) :-
    (   call(Order, X, Max0)
    ->  max_by(Xs, Order, Max0, Max)
    ;   max_by(Xs, Order, X, Max)
    ).

% min_member(:Compare, -Min, +List): the least element by call(Compare, A, B).
min_member(Order, Min, [X|Xs]) :-
    min_by(Xs, Order, X, Min).

min_by([], _, Min, Min).
min_by([X|Xs], Order, Min0, Min) :-
    (   call(Order, Min0, X)
    ->  min_by(Xs, Order, Min0, Min)
    ;   min_by(Xs, Order, X, Min)
    ).

% list_to_set(+List, -Set): the first of identical elements is kept, in order. Sorting on the element and
% then on its place makes it N log N.
list_to_set(List, Set) :-
    must_be(list, List),
    number_items(List, 1, Numbered),
    sort(1, @=<, Numbered, Sorted),
    first_of_runs(Sorted, Firsts),
    sort(2, @=<, Firsts, Ordered),
    item_keys(Ordered, Set).

number_items([], _, []).
number_items([X|Xs], N, [X-N|Pairs]) :-
    N1 is N + 1,
    number_items(Xs, N1, Pairs).

first_of_runs([], []).
first_of_runs([X-N|Pairs], [X-N|Firsts]) :-
    skip_run(Pairs, X, Rest),
    first_of_runs(Rest, Firsts).

skip_run([Y-_|Pairs], X, Rest) :-
    X == Y,
    !,
    skip_run(Pairs, X, Rest).
skip_run(Rest, _, Rest).

item_keys([], []).
item_keys([X-_|Pairs], [X|Xs]) :-
    item_keys(Pairs, Xs).

% sum_list(+Numbers, -Sum): the sum of a list.
sum_list(Xs, Sum) :-
    must_be(list, Xs),
    sum_onto(Xs, 0, Sum).

sum_onto([], Sum, Sum).
sum_onto([X|Xs], Sum0, Sum) :-
    Sum1 is Sum0 + X,
    sum_onto(Xs, Sum1, Sum).

% sumlist(+Numbers, -Sum): sum_list/2.
sumlist(Xs, Sum) :-
    sum_list(Xs, Sum).

% max_list(+Numbers, -Max): the greatest number.
max_list(Xs, Max) :-
    must_be(list, Xs),
    Xs = [X|Rest],
    max_number(Rest, X, Max).

max_number([], Max, Max).
max_number([X|Xs], Max0, Max) :-
    Max1 is max(Max0, X),
    max_number(Xs, Max1, Max).

% min_list(+Numbers, -Min): the least number.
min_list(Xs, Min) :-
    must_be(list, Xs),
    Xs = [X|Rest],
    min_number(Rest, X, Min).

min_number([], Min, Min).
min_number([X|Xs], Min0, Min) :-
    Min1 is min(Min0, X),
    min_number(Xs, Min1, Min).

% numlist(+Low, +High, -Numbers): fails when High is less than Low.
numlist(Low, High, Numbers) :-
    must_be(integer, Low),
    must_be(integer, High),
    Low =< High,
    numbers_to(Low, High, Numbers).

numbers_to(N, N, Numbers) :-
    !,
    Numbers = [N].
numbers_to(N, High, [N|Numbers]) :-
    N1 is N + 1,
    numbers_to(N1, High, Numbers).

% is_set(?Set): Set is a list without duplicates.
is_set(Set) :-
    '$skip_list'(Length, Set, Tail),
    Tail == [],
    sort(Set, Sorted),
    length(Sorted, Length).

% subset(+Subset, +Set): all elements of Subset are in Set.
subset([], _) :- !.
subset([X|Xs], Set) :-
    memberchk(X, Set),
    subset(Xs, Set).

% intersection(+Set1, +Set2, -Set): Set are the elements of both.
intersection([], _, []) :- !.
intersection([X|Xs], L, Common) :-
    memberchk(X, L),
    !,
    Common = [X|Common1],
    intersection(Xs, L, Common1).
intersection([_|Xs], L, Common) :-
    intersection(Xs, L, Common).

% union(+Set1, +Set2, -Set): Set are the elements of either.
union([], L, L) :- !.
union([X|Xs], L, Union) :-
    memberchk(X, L),
    !,
    union(Xs, L, Union).
union([X|Xs], L, [X|Union]) :-
    union(Xs, L, Union).
