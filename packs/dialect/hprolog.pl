% Predicates of hProlog that programs with constraint handling rules call.
:- module(hprolog, [
    substitute_eq/4,
    memberchk_eq/2,
    intersect_eq/3,
    list_difference_eq/3,
    take/3,
    drop/3,
    split_at/4,
    max_go_list/2,
    or_list/2,
    sublist/2,
    bounded_sublist/3,
    chr_delete/3,
    init_store/2,
    get_store/2,
    update_store/2,
    make_get_store_goal/3,
    make_get_store_goal_no_error/3,
    make_update_store_goal/3,
    make_init_store_goal/3,
    empty_ds/1,
    ds_to_list/2,
    get_ds/3,
    put_ds/4
]).

% substitute_eq(@Old, +List0, ?New, -List): List is List0 with New in place of each element that is Old.
substitute_eq(_, [], _, []).
substitute_eq(Old, [X|Xs], New, [Y|Ys]) :-
    ( X == Old -> Y = New ; Y = X ),
    substitute_eq(Old, Xs, New, Ys).

% memberchk_eq(@X, +List): an element of List is X.
memberchk_eq(X, [Y|Ys]) :-
    (   X == Y
    ->  true
    ;   memberchk_eq(X, Ys)
    ).

% intersect_eq(+List1, +List2, -Common): Common are the elements of List1 that are in List2 too.
intersect_eq([], _, []).
intersect_eq([X|Xs], Ys, Zs) :-
    (   memberchk_eq(X, Ys)
    ->  Zs = [X|Rest]
    ;   Zs = Rest
    ),
    intersect_eq(Xs, Ys, Rest).

% list_difference_eq(+List1, +List2, -Left): Left are the elements of List1 that are not in List2.
list_difference_eq([], _, []).
list_difference_eq([X|Xs], Ys, Zs) :-
    (   memberchk_eq(X, Ys)
    ->  Zs = Rest
    ;   Zs = [X|Rest]
    ),
    list_difference_eq(Xs, Ys, Rest).

% take(+N, ?List, ?First): First are the first N elements of List.
take(0, _, []) :- !.
take(N, [X|Xs], [X|Ys]) :-
    N1 is N - 1,
    take(N1, Xs, Ys).

% drop(+N, ?List, ?Rest): Rest is what is behind the first N elements of List.
drop(0, Rest, Rest) :- !.
drop(N, [_|Xs], Rest) :-
    N1 is N - 1,
    drop(N1, Xs, Rest).

% split_at(+N, ?List, ?First, ?Rest): take/3 and drop/3 at once.
split_at(0, Rest, [], Rest) :- !.
split_at(N, [X|Xs], [X|Ys], Rest) :-
    N1 is N - 1,
    split_at(N1, Xs, Ys, Rest).

% max_go_list(+List, -Max): Max is the greatest element of List in the standard order.
max_go_list([X|Xs], Max) :-
    foldl(greater, Xs, X, Max).

greater(X, Y, Z) :- ( X @>= Y -> Z = X ; Z = Y ).

% or_list(+Integers, -Or): Or has the bits of all Integers.
or_list(Integers, Or) :-
    foldl([X, Or0, Or1]>>( Or1 is Or0 \/ X ), Integers, 0, Or).

% sublist(?Part, +List): the elements of Part stand in List in their order, perhaps with others between them; the whole list is the first answer.
sublist(List, List).
sublist(Part, [X|Xs]) :- shorter(Part, X, Xs).

shorter(Part, _, Xs) :- sublist(Part, Xs).
shorter([X|Part], X, [Y|Ys]) :- shorter(Part, Y, Ys).

% bounded_sublist(?Part, +List, +N): Part has at most N elements of List in their order; one may come more than once.
bounded_sublist([], _, _).
bounded_sublist(Part, [X|Xs], N) :-
    N > 0,
    (   Part = [X|Rest],
        N1 is N - 1,
        bounded_sublist(Rest, Xs, N1)
    ;   bounded_sublist(Part, Xs, N)
    ).

% chr_delete(+List, @X, -Rest): Rest is List without the elements that are X.
chr_delete([], _, []).
chr_delete([Y|Ys], X, Zs) :-
    (   X == Y
    ->  Zs = Rest
    ;   Zs = [Y|Rest]
    ),
    chr_delete(Ys, X, Rest).

% init_store(+Name, +Value): makes Value the value of a global variable, for good.
init_store(Name, Value) :- nb_setval(Name, Value).

% get_store(+Name, -Value): the value of a global variable.
get_store(Name, Value) :- nb_getval(Name, Value).

% update_store(+Name, +Value): makes Value the value of a global variable until backtracking.
update_store(Name, Value) :- b_setval(Name, Value).

% make_init_store_goal(+Name, +Value, -Goal): Goal is what init_store/2 does.
make_init_store_goal(Name, Value, nb_setval(Name, Value)).

% make_get_store_goal(+Name, -Value, -Goal): Goal is what get_store/2 does.
make_get_store_goal(Name, Value, nb_getval(Name, Value)).

% make_get_store_goal_no_error(+Name, -Value, -Goal): Goal fails where there is no value.
make_get_store_goal_no_error(Name, Value, nb_current(Name, Value)).

% make_update_store_goal(+Name, +Value, -Goal): Goal is what update_store/2 does.
make_update_store_goal(Name, Value, b_setval(Name, Value)).

% empty_ds(-Store): Store has no keys.
empty_ds(Store) :- empty_assoc(Store).

% ds_to_list(+Store, -Pairs): Pairs are the keys and values of Store, by key.
ds_to_list(Store, Pairs) :- assoc_to_list(Store, Pairs).

% get_ds(+Key, +Store, -Value): the value of a key.
get_ds(Key, Store, Value) :- get_assoc(Key, Store, Value).

% put_ds(+Key, +Store0, +Value, -Store): Store is Store0 with a value for a key.
put_ds(Key, Store0, Value, Store) :- put_assoc(Key, Store0, Value, Store).
