% Balanced trees under the interface of red-black trees.
%
% The trees are those of library(assoc), which keep the same bounds; nothing here looks into them but what walks
% to a neighbour of a key.
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
    empty_assoc(Tree).

% rb_empty(?Tree): Tree is empty.
rb_empty(Tree) :-
    empty_assoc(Tree).

% A call with what is no tree has no clause: existence_error(matching_rule, Goal).
tree(Tree) :-
    nonvar(Tree),
    is_node(Tree).

is_node(t).
is_node(t(_, _, _, _, _)).

% rb_lookup(+Key, ?Value, +Tree): the value of a key.
rb_lookup(Key, Value, Tree), tree(Tree) =>
    get_assoc(Key, Tree, Value).

% rb_update(+Tree0, +Key, +Value, -Tree): fails when Key is not in the tree.
rb_update(Tree0, Key, Value, Tree), tree(Tree0) =>
    get_assoc(Key, Tree0, _, Tree, Value).

% rb_update(+Tree0, +Key, ?Old, ?New, -Tree): replaces the value of a key.
rb_update(Tree0, Key, OldValue, Value, Tree), tree(Tree0) =>
    get_assoc(Key, Tree0, OldValue, Tree, Value).

% rb_apply(+Tree0, +Key, :Goal, -Tree): call(Goal, OldValue, NewValue).
rb_apply(Tree0, Key, Goal, Tree), tree(Tree0) =>
    get_assoc(Key, Tree0, Value0, Tree, Value),
    call(Goal, Value0, Value),
    !.

% rb_insert(+Tree0, +Key, ?Value, -Tree): adds a key or replaces its value.
rb_insert(Tree0, Key, Value, Tree), tree(Tree0) =>
    put_assoc(Key, Tree0, Value, Tree).

% rb_insert_new(+Tree0, +Key, ?Value, -Tree): adds a key; fails if it is there.
rb_insert_new(Tree0, Key, Value, Tree), tree(Tree0) =>
    \+ get_assoc(Key, Tree0, _),
    put_assoc(Key, Tree0, Value, Tree).

% rb_delete(+Tree0, +Key, -Tree): takes a key out.
rb_delete(Tree0, Key, Tree), tree(Tree0) =>
    del_assoc(Key, Tree0, _, Tree).

% rb_delete(+Tree0, +Key, ?Value, -Tree): takes a key out and returns its value.
rb_delete(Tree0, Key, Value, Tree), tree(Tree0) =>
    del_assoc(Key, Tree0, Value, Tree).

% rb_visit(+Tree, -Pairs): Pairs are the keys and values in order.
rb_visit(Tree, Pairs), tree(Tree) =>
    assoc_to_list(Tree, Pairs).

% rb_keys(+Tree, -Keys): Keys are the keys in order.
rb_keys(Tree, Keys), tree(Tree) =>
    assoc_to_keys(Tree, Keys).

% rb_map(+Tree, :Goal): Goal is true of all values.
rb_map(Tree, Goal), tree(Tree) =>
    map_assoc(Goal, Tree).

% rb_map(+Tree0, :Goal, -Tree): Tree has the values that Goal gives for those of Tree0.
rb_map(Tree0, Goal, Tree), tree(Tree0) =>
    map_assoc(Goal, Tree0, Tree).

% rb_partial_map(+Tree0, +Keys, :Goal, -Tree): maps the values of the given keys, which are in the tree and in order.
rb_partial_map(Tree0, Keys, Goal, Tree), tree(Tree0) =>
    ascending(Keys),
    partial_map(Keys, Goal, Tree0, Tree).

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
rb_fold(Goal, Tree, State0, State), tree(Tree) =>
    assoc_to_list(Tree, Pairs),
    foldl(Goal, Pairs, State0, State).

% rb_clone(+Tree0, -Tree, -Pairs): Tree has the keys of Tree0 and new variables as values, listed in Pairs.
rb_clone(Tree0, Tree, Pairs), tree(Tree0) =>
    map_assoc(fresh_value, Tree0, Tree),
    assoc_to_list(Tree, Pairs).

fresh_value(_, _).

% rb_min(+Tree, -Key, -Value): the first key.
rb_min(Tree, Key, Value), tree(Tree) =>
    min_assoc(Tree, Key, Value).

% rb_max(+Tree, -Key, -Value): the last key.
rb_max(Tree, Key, Value), tree(Tree) =>
    max_assoc(Tree, Key, Value).

% rb_del_min(+Tree0, -Key, -Value, -Tree): takes the first key out.
rb_del_min(Tree0, Key, Value, Tree), tree(Tree0) =>
    del_min_assoc(Tree0, Key, Value, Tree).

% rb_del_max(+Tree0, -Key, -Value, -Tree): takes the last key out.
rb_del_max(Tree0, Key, Value, Tree), tree(Tree0) =>
    del_max_assoc(Tree0, Key, Value, Tree).

% rb_next(+Tree, +Key, -NextKey, -Value): the key after Key, which is in the tree.
rb_next(Tree, Key, NextKey, Value), tree(Tree) =>
    get_assoc(Key, Tree, _),
    next_from(Tree, Key, none, NextKey, Value).

next_from(t, _, found(K, V), K, V).
next_from(t(K, V, _, L, R), Key, Best, NextKey, Value) :-
    (   K @> Key
    ->  next_from(L, Key, found(K, V), NextKey, Value)
    ;   next_from(R, Key, Best, NextKey, Value)
    ).

% rb_previous(+Tree, +Key, -Previous, -Value): the key before Key, which is in the tree.
rb_previous(Tree, Key, PreviousKey, Value), tree(Tree) =>
    get_assoc(Key, Tree, _),
    previous_from(Tree, Key, none, PreviousKey, Value).

previous_from(t, _, found(K, V), K, V).
previous_from(t(K, V, _, L, R), Key, Best, PreviousKey, Value) :-
    (   K @< Key
    ->  previous_from(R, Key, found(K, V), PreviousKey, Value)
    ;   previous_from(L, Key, Best, PreviousKey, Value)
    ).

% list_to_rbtree(+Pairs, -Tree): Tree has the keys and values of a list.
list_to_rbtree(Pairs, Tree) :-
    must_be(list, Pairs),
    empty_assoc(Tree0),
    insert_pairs(Pairs, Tree0, Tree).

insert_pairs([], Tree, Tree).
insert_pairs([Key-Value|Pairs], Tree0, Tree) :-
    put_assoc(Key, Tree0, Value, Tree1),
    insert_pairs(Pairs, Tree1, Tree).

% ord_list_to_rbtree(+Pairs, -Tree): the same for a list ordered by keys.
ord_list_to_rbtree(Pairs, Tree) :-
    ord_list_to_assoc(Pairs, Tree).

% is_rbtree(?Term): Term is a red-black tree.
is_rbtree(Tree) :-
    is_assoc(Tree).

% rb_size(+Tree, -Size): Size is the number of keys.
rb_size(Tree, Size), tree(Tree) =>
    assoc_to_keys(Tree, Keys),
    length(Keys, Size).

% rb_in(?Key, ?Value, +Tree): a key and its value.
rb_in(Key, Value, Tree), tree(Tree) =>
    gen_assoc(Key, Tree, Value).
