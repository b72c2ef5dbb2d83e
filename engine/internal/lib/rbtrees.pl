% Balanced trees under the interface of red-black trees.
%
% A tree is rb(Assoc), where Assoc is a tree of library(assoc), which keeps the same bounds. library(nb_rbtrees)
% changes the compound around it in place. Only the predicates that find a neighbour of a key access the structure of
% Assoc.
%
% A call with a term that is not a tree throws existence_error(matching_rule, Goal), because no clause matches.
:- module(rbtrees, [
    rb_new/1,
    rb_empty/1,
    rb_lookup/3,
    rb_update/4,
    rb_update/5,
    rb_apply/4,
    rb_insert/4,
    rb_insert_new/4,
    rb_delete/3,
    rb_delete/4,
    rb_visit/2,
    rb_keys/2,
    rb_map/2,
    rb_map/3,
    rb_partial_map/4,
    rb_fold/4,
    rb_clone/3,
    rb_min/3,
    rb_max/3,
    rb_del_min/4,
    rb_del_max/4,
    rb_next/4,
    rb_previous/4,
    list_to_rbtree/2,
    ord_list_to_rbtree/2,
    is_rbtree/1,
    rb_size/2,
    rb_in/3
]).

:- meta_predicate
    rb_apply(+, +, 2, -),
    rb_map(+, 1),
    rb_map(+, 2, -),
    rb_partial_map(+, +, 2, -),
    rb_fold(3, +, +, -).

% rb_new(-Tree): Tree is empty.
rb_new(Tree) :-
    rb_empty(Tree).

% rb_empty(?Tree): Tree is empty.
rb_empty(rb(Assoc)) :-
    empty_assoc(Assoc).

% rb_lookup(+Key, ?Value, +Tree): the value of a key.
rb_lookup(Key, Value, rb(Assoc)) =>
    get_assoc(Key, Assoc, Value).

% rb_update(+Tree0, +Key, +Value, -Tree): fails when Key is not in the tree.
rb_update(rb(Assoc0), Key, Value, Tree) =>
    get_assoc(Key, Assoc0, _, Assoc, Value),
    Tree = rb(Assoc).

% rb_update(+Tree0, +Key, ?Old, ?New, -Tree): replaces the value of a key.
rb_update(rb(Assoc0), Key, OldValue, Value, Tree) =>
    get_assoc(Key, Assoc0, OldValue, Assoc, Value),
    Tree = rb(Assoc).

% rb_apply(+Tree0, +Key, :Goal, -Tree): call(Goal, OldValue, NewValue).
rb_apply(rb(Assoc0), Key, Goal, Tree) =>
    get_assoc(Key, Assoc0, Value0, Assoc, Value),
    call(Goal, Value0, Value),
    !,
    Tree = rb(Assoc).

% rb_insert(+Tree0, +Key, ?Value, -Tree): adds a key or replaces its value.
rb_insert(rb(Assoc0), Key, Value, Tree) =>
    put_assoc(Key, Assoc0, Value, Assoc),
    Tree = rb(Assoc).

% rb_insert_new(+Tree0, +Key, ?Value, -Tree): adds a key; fails if it is there.
rb_insert_new(rb(Assoc0), Key, Value, Tree) =>
    \+ get_assoc(Key, Assoc0, _),
    put_assoc(Key, Assoc0, Value, Assoc),
    Tree = rb(Assoc).

% rb_delete(+Tree0, +Key, -Tree): takes a key out.
rb_delete(rb(Assoc0), Key, Tree) =>
    del_assoc(Key, Assoc0, _, Assoc),
    Tree = rb(Assoc).

% rb_delete(+Tree0, +Key, ?Value, -Tree): takes a key out and returns its value.
rb_delete(rb(Assoc0), Key, Value, Tree) =>
    del_assoc(Key, Assoc0, Value, Assoc),
    Tree = rb(Assoc).

% rb_visit(+Tree, -Pairs): Pairs are the keys and values in order.
rb_visit(rb(Assoc), Pairs) =>
    assoc_to_list(Assoc, Pairs).

% rb_keys(+Tree, -Keys): Keys are the keys in order.
rb_keys(rb(Assoc), Keys) =>
    assoc_to_keys(Assoc, Keys).

% rb_map(+Tree, :Goal): Goal is true of all values.
rb_map(rb(Assoc), Goal) =>
    map_assoc(Goal, Assoc).

% rb_map(+Tree0, :Goal, -Tree): Tree has the keys of Tree0 with the values that Goal gives for its values.
rb_map(rb(Assoc0), Goal, Tree) =>
    map_assoc(Goal, Assoc0, Assoc),
    Tree = rb(Assoc).

% rb_partial_map(+Tree0, +Keys, :Goal, -Tree): maps the values of the given keys, which are in the tree and in order.
rb_partial_map(rb(Assoc0), Keys, Goal, Tree) =>
    ascending(Keys),
    partial_map(Keys, Goal, rb(Assoc0), Tree).

ascending([]).
ascending([Key|Keys]) :-
    ascending(Keys, Key).

ascending([], _).
ascending([Key|Keys], Before) :-
    Before @< Key,
    ascending(Keys, Key).

partial_map([], _, Tree, Tree).
partial_map([Key|Keys], Goal, Tree0, Tree) :-
    rb_apply(Tree0, Key, Goal, Tree1),
    !,
    partial_map(Keys, Goal, Tree1, Tree).

% rb_fold(:Goal, +Tree, +State0, -State): call(Goal, Key-Value, S0, S) in order of keys.
rb_fold(Goal, rb(Assoc), State0, State) =>
    assoc_to_list(Assoc, Pairs),
    foldl(Goal, Pairs, State0, State).

% rb_clone(+Tree0, -Tree, -Pairs): Tree has the keys of Tree0 and new variables as values, listed in Pairs.
rb_clone(rb(Assoc0), Tree, Pairs) =>
    map_assoc(fresh_value, Assoc0, Assoc),
    assoc_to_list(Assoc, Pairs),
    Tree = rb(Assoc).

fresh_value(_, _).

% rb_min(+Tree, -Key, -Value): the first key.
rb_min(rb(Assoc), Key, Value) =>
    min_assoc(Assoc, Key, Value).

% rb_max(+Tree, -Key, -Value): the last key.
rb_max(rb(Assoc), Key, Value) =>
    max_assoc(Assoc, Key, Value).

% rb_del_min(+Tree0, -Key, -Value, -Tree): takes the first key out.
rb_del_min(rb(Assoc0), Key, Value, Tree) =>
    del_min_assoc(Assoc0, Key, Value, Assoc),
    Tree = rb(Assoc).

% rb_del_max(+Tree0, -Key, -Value, -Tree): takes the last key out.
rb_del_max(rb(Assoc0), Key, Value, Tree) =>
    del_max_assoc(Assoc0, Key, Value, Assoc),
    Tree = rb(Assoc).

% rb_next(+Tree, +Key, -NextKey, -Value): the key after Key, which is in the tree.
rb_next(rb(Assoc), Key, NextKey, Value) =>
    get_assoc(Key, Assoc, _),
    next_from(Assoc, Key, none, NextKey, Value).

next_from(t, _, found(K, V), K, V).
next_from(t(K, V, _, L, R), Key, Best, NextKey, Value) :-
    (   K @> Key
    ->  next_from(L, Key, found(K, V), NextKey, Value)
    ;   next_from(R, Key, Best, NextKey, Value)
    ).

% rb_previous(+Tree, +Key, -Previous, -Value): the key before Key, which is in the tree.
rb_previous(rb(Assoc), Key, PreviousKey, Value) =>
    get_assoc(Key, Assoc, _),
    previous_from(Assoc, Key, none, PreviousKey, Value).

previous_from(t, _, found(K, V), K, V).
previous_from(t(K, V, _, L, R), Key, Best, PreviousKey, Value) :-
    (   K @< Key
    ->  previous_from(R, Key, found(K, V), PreviousKey, Value)
    ;   previous_from(L, Key, Best, PreviousKey, Value)
    ).

% list_to_rbtree(+Pairs, -Tree): Tree has the keys and values of a list.
list_to_rbtree(Pairs, rb(Assoc)) :-
    must_be(list, Pairs),
    empty_assoc(Assoc0),
    insert_pairs(Pairs, Assoc0, Assoc).

insert_pairs([], Assoc, Assoc).
insert_pairs([Key-Value|Pairs], Assoc0, Assoc) :-
    put_assoc(Key, Assoc0, Value, Assoc1),
    insert_pairs(Pairs, Assoc1, Assoc).

% ord_list_to_rbtree(+Pairs, -Tree): the same for a list ordered by keys.
ord_list_to_rbtree(Pairs, rb(Assoc)) :-
    ord_list_to_assoc(Pairs, Assoc).

% is_rbtree(?Term): Term is a red-black tree.
is_rbtree(Tree) :-
    nonvar(Tree),
    Tree = rb(Assoc),
    is_assoc(Assoc).

% rb_size(+Tree, -Size): Size is the number of keys.
rb_size(rb(Assoc), Size) =>
    assoc_to_keys(Assoc, Keys),
    length(Keys, Size).

% rb_in(?Key, ?Value, +Tree): a key and its value.
rb_in(Key, Value, rb(Assoc)) =>
    gen_assoc(Key, Assoc, Value).
