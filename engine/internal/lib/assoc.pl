% Association lists as AVL trees.
%
% A tree is t, or t(Key, Value, Balance, Left, Right), where Balance is < when the left side is one level
% deeper, > when the right side is, and - when both are alike. Keys are in standard order.
:- module(assoc, [
    empty_assoc/1,
    get_assoc/3,
    get_assoc/5,
    put_assoc/4,
    del_assoc/4,
    del_min_assoc/4,
    del_max_assoc/4,
    min_assoc/3,
    max_assoc/3,
    gen_assoc/3,
    is_assoc/1,
    list_to_assoc/2,
    ord_list_to_assoc/2,
    assoc_to_list/2,
    assoc_to_keys/2,
    assoc_to_values/2,
    map_assoc/2,
    map_assoc/3
]).

:- meta_predicate
    map_assoc(1, ?),
    map_assoc(2, ?, ?).

% empty_assoc(?Assoc): Assoc has no keys.
empty_assoc(t).

% get_assoc(+Key, +Assoc, -Value): the value of a key.
get_assoc(Key, Tree, Value) :-
    must_be_tree(Tree),
    Tree = t(K, V, _, L, R),
    compare(Order, Key, K),
    get_side(Order, Key, V, L, R, Value).

get_side(=, _, Value, _, _, Value).
get_side(<, Key, _, L, _, Value) :-
    get_assoc(Key, L, Value).
get_side(>, Key, _, _, R, Value) :-
    get_assoc(Key, R, Value).

must_be_tree(Tree) :-
    (   var(Tree)
    ->  instantiation_error(Tree)
    ;   is_tree(Tree)
    ->  true
    ;   type_error(btree, Tree)
    ).

is_tree(t).
is_tree(t(_, _, _, _, _)).

% get_assoc(+Key, +Tree, ?Value, ?NewTree, ?NewValue): NewTree has NewValue in the place of Value.
get_assoc(Key, t(K, V, B, L, R), Value, t(K, NV, B, NL, NR), NewValue) :-
    compare(Order, Key, K),
    exchange(Order, Key, V, L, R, Value, NV, NL, NR, NewValue).

exchange(=, _, V, L, R, V, NV, L, R, NV).
exchange(<, Key, V, L, R, Value, V, NL, R, NewValue) :-
    get_assoc(Key, L, Value, NL, NewValue).
exchange(>, Key, V, L, R, Value, V, L, NR, NewValue) :-
    get_assoc(Key, R, Value, NR, NewValue).

% put_assoc(+Key, +Assoc0, +Value, -Assoc): adds a key or replaces its value.
put_assoc(Key, Tree0, Value, Tree) :-
    insert(Tree0, Key, Value, Tree, _).

% insert(+Tree0, +Key, +Value, -Tree, -Grown): Grown tells whether Tree is deeper than Tree0.
insert(Tree0, Key, Value, Tree, Grown) :-
    must_be_tree(Tree0),
    insert_at(Tree0, Key, Value, Tree, Grown).

insert_at(t, Key, Value, t(Key, Value, -, t, t), true).
insert_at(t(K, V, B, L, R), Key, Value, Tree, Grown) :-
    compare(Order, Key, K),
    insert_side(Order, K, V, B, L, R, Key, Value, Tree, Grown).

insert_side(=, _, _, B, L, R, Key, Value, t(Key, Value, B, L, R), false).
insert_side(<, K, V, B, L, R, Key, Value, Tree, Grown) :-
    insert(L, Key, Value, L1, LeftGrown),
    grown_left(LeftGrown, B, K, V, L1, R, Tree, Grown).
insert_side(>, K, V, B, L, R, Key, Value, Tree, Grown) :-
    insert(R, Key, Value, R1, RightGrown),
    grown_right(RightGrown, B, K, V, L, R1, Tree, Grown).

grown_left(false, B, K, V, L, R, t(K, V, B, L, R), false).
grown_left(true, B, K, V, L, R, Tree, Grown) :-
    left_deeper(B, K, V, L, R, Tree, Grown).

grown_right(false, B, K, V, L, R, t(K, V, B, L, R), false).
grown_right(true, B, K, V, L, R, Tree, Grown) :-
    right_deeper(B, K, V, L, R, Tree, Grown).

% left_deeper(+Balance, +K, +V, +L, +R, -Tree, -Deeper): the left side has become one level deeper relative to the
% right. Balance is the balance before that. Deeper says whether Tree is deeper than the tree before.
left_deeper(-, K, V, L, R, t(K, V, <, L, R), true).
left_deeper(>, K, V, L, R, t(K, V, -, L, R), false).
left_deeper(<, K, V, t(LK, LV, B, LL, LR), R, Tree, Deeper) :-
    rotate_right(B, LK, LV, LL, LR, K, V, R, Tree, Deeper).

right_deeper(-, K, V, L, R, t(K, V, >, L, R), true).
right_deeper(<, K, V, L, R, t(K, V, -, L, R), false).
right_deeper(>, K, V, L, t(RK, RV, B, RL, RR), Tree, Deeper) :-
    rotate_left(B, RK, RV, RL, RR, K, V, L, Tree, Deeper).

% rotate_right(+B, +LK, +LV, +LL, +LR, +K, +V, +R, -Tree, -Deeper): the left tree t(LK, LV, B, LL, LR) is two levels
% deeper than R. The left tree is balanced only after a deletion; the rotation then keeps the depth. Its balance B is
% the first argument, so that B alone selects the clause.
rotate_right(<, LK, LV, LL, LR, K, V, R, t(LK, LV, -, LL, t(K, V, -, LR, R)), false).
rotate_right(-, LK, LV, LL, LR, K, V, R, t(LK, LV, >, LL, t(K, V, <, LR, R)), true).
rotate_right(>, LK, LV, LL, t(MK, MV, MB, ML, MR), K, V, R,
             t(MK, MV, -, t(LK, LV, BL, LL, ML), t(K, V, BR, MR, R)), false) :-
    split_balance(MB, BL, BR).

rotate_left(>, RK, RV, RL, RR, K, V, L, t(RK, RV, -, t(K, V, -, L, RL), RR), false).
rotate_left(-, RK, RV, RL, RR, K, V, L, t(RK, RV, <, t(K, V, >, L, RL), RR), true).
rotate_left(<, RK, RV, t(MK, MV, MB, ML, MR), RR, K, V, L,
            t(MK, MV, -, t(K, V, BL, L, ML), t(RK, RV, BR, MR, RR)), false) :-
    split_balance(MB, BL, BR).

% split_balance(+Middle, -Left, -Right): the balances of both halves when the middle node is lifted between them.
split_balance(-, -, -).
split_balance(<, -, >).
split_balance(>, <, -).

% del_assoc(+Key, +Assoc0, -Value, -Assoc): takes a key out.
del_assoc(Key, Tree0, Value, Tree) :-
    delete_key(Tree0, Key, Value, Tree, _).

% delete_key(+Tree0, +Key, ?Value, -Tree, -Shrunk)
delete_key(t(K, V, B, L, R), Key, Value, Tree, Shrunk) :-
    compare(Order, Key, K),
    delete_side(Order, K, V, B, L, R, Key, Value, Tree, Shrunk).

delete_side(=, _, V, B, L, R, _, V, Tree, Shrunk) :-
    delete_root(L, R, B, Tree, Shrunk).
delete_side(<, K, V, B, L, R, Key, Value, Tree, Shrunk) :-
    delete_key(L, Key, Value, L1, LeftShrunk),
    shrunk_left(LeftShrunk, B, K, V, L1, R, Tree, Shrunk).
delete_side(>, K, V, B, L, R, Key, Value, Tree, Shrunk) :-
    delete_key(R, Key, Value, R1, RightShrunk),
    shrunk_right(RightShrunk, B, K, V, L, R1, Tree, Shrunk).

% The greatest key of the left side replaces the root.
delete_root(t, R, _, R, true) :- !.
delete_root(L, t, _, L, true) :- !.
delete_root(L, R, B, Tree, Shrunk) :-
    take_max(L, K, V, L1, LeftShrunk),
    shrunk_left(LeftShrunk, B, K, V, L1, R, Tree, Shrunk).

shrunk_left(false, B, K, V, L, R, t(K, V, B, L, R), false).
shrunk_left(true, B, K, V, L, R, Tree, Shrunk) :-
    right_deeper(B, K, V, L, R, Tree, Deeper),
    depth_kept(B, Deeper, Shrunk).

shrunk_right(false, B, K, V, L, R, t(K, V, B, L, R), false).
shrunk_right(true, B, K, V, L, R, Tree, Shrunk) :-
    left_deeper(B, K, V, L, R, Tree, Deeper),
    depth_kept(B, Deeper, Shrunk).

% A balanced node keeps its depth because of the other side. Otherwise the tree shrank, unless the rotation kept the
% depth.
depth_kept(-, _, false) :- !.
depth_kept(_, true, false).
depth_kept(_, false, true).

% del_min_assoc(+Assoc0, -Key, -Value, -Assoc): takes the first key out.
del_min_assoc(Tree0, Key, Value, Tree) :-
    take_min(Tree0, Key, Value, Tree, _).

take_min(t(K, V, B, L, R), Key, Value, Tree, Shrunk) :-
    (   L == t
    ->  Key = K,
        Value = V,
        Tree = R,
        Shrunk = true
    ;   take_min(L, Key, Value, L1, LeftShrunk),
        shrunk_left(LeftShrunk, B, K, V, L1, R, Tree, Shrunk)
    ).

% del_max_assoc(+Assoc0, -Key, -Value, -Assoc): takes the last key out.
del_max_assoc(Tree0, Key, Value, Tree) :-
    take_max(Tree0, Key, Value, Tree, _).

take_max(t(K, V, B, L, R), Key, Value, Tree, Shrunk) :-
    (   R == t
    ->  Key = K,
        Value = V,
        Tree = L,
        Shrunk = true
    ;   take_max(R, Key, Value, R1, RightShrunk),
        shrunk_right(RightShrunk, B, K, V, L, R1, Tree, Shrunk)
    ).

% min_assoc(+Assoc, -Key, -Value): the first key.
min_assoc(t(K, V, _, L, _), Key, Value) :-
    (   L == t
    ->  Key = K,
        Value = V
    ;   min_assoc(L, Key, Value)
    ).

% max_assoc(+Assoc, -Key, -Value): the last key.
max_assoc(t(K, V, _, _, R), Key, Value) :-
    (   R == t
    ->  Key = K,
        Value = V
    ;   max_assoc(R, Key, Value)
    ).

% gen_assoc(?Key, +Tree, ?Value): all pairs in order of keys; a ground key is looked up.
gen_assoc(Key, Tree, Value) :-
    must_be_tree(Tree),
    (   ground(Key)
    ->  get_assoc(Key, Tree, Value)
    ;   walk(Tree, Key, Value)
    ).

walk(t(K, V, _, L, R), Key, Value) :-
    walk_node(L, K, V, R, Key, Value).

walk_node(L, _, _, _, Key, Value) :-
    walk(L, Key, Value).
walk_node(_, K, V, R, Key, Value) :-
    (   R == t
    ->  Key = K,
        Value = V
    ;   walk_right(K, V, R, Key, Value)
    ).

walk_right(K, V, _, K, V).
walk_right(_, _, R, Key, Value) :-
    walk(R, Key, Value).

% is_assoc(@Tree): a tree in order whose balances are true.
is_assoc(Tree) :-
    nonvar(Tree),
    checked_depth(Tree, none, none, _).

checked_depth(Tree, _, _, _) :-
    var(Tree),
    !,
    fail.
checked_depth(t, _, _, 0).
checked_depth(t(K, _, B, L, R), Low, High, Depth) :-
    above(Low, K),
    below(High, K),
    checked_depth(L, Low, key(K), DL),
    checked_depth(R, key(K), High, DR),
    Lean is DR - DL,
    lean(Lean, B0),
    B == B0,
    Depth is max(DL, DR) + 1.

lean(-1, <).
lean(0, -).
lean(1, >).

above(none, _).
above(key(Low), K) :- Low @< K.

below(none, _).
below(key(High), K) :- K @< High.

% list_to_assoc(+Pairs, -Tree): each key once.
list_to_assoc(Pairs, Tree) :-
    must_be_pairs(Pairs),
    msort(Pairs, Sorted),
    (   ascending(Sorted)
    ->  build(Sorted, Tree)
    ;   domain_error(unique_key_pairs, Pairs)
    ).

% ord_list_to_assoc(+Pairs, -Assoc): Assoc has the pairs of a list that is ordered by keys.
ord_list_to_assoc(Pairs, Tree) :-
    must_be_pairs(Pairs),
    (   ascending(Pairs)
    ->  build(Pairs, Tree)
    ;   domain_error(key_ordered_pairs, Pairs)
    ).

must_be_pairs(Pairs) :-
    must_be(list, Pairs),
    each_pair(Pairs).

each_pair([]).
each_pair([Pair|Pairs]) :-
    must_be(pair, Pair),
    each_pair(Pairs).

ascending([]).
ascending([K-_|Pairs]) :-
    ascending_from(Pairs, K).

ascending_from([], _).
ascending_from([K-_|Pairs], Last) :-
    Last @< K,
    ascending_from(Pairs, K).

build(Pairs, Tree) :-
    length(Pairs, N),
    build(N, Pairs, [], Tree, _).

% build(+N, +Pairs, -Rest, -Tree, -Depth): a tree of the first N pairs; the left half is never the smaller.
build(0, Pairs, Pairs, t, 0) :-
    !.
build(N, Pairs, Rest, t(K, V, B, L, R), Depth) :-
    NL is N // 2,
    NR is N - NL - 1,
    build(NL, Pairs, [K-V|Pairs1], L, DL),
    build(NR, Pairs1, Rest, R, DR),
    Lean is DR - DL,
    lean(Lean, B),
    Depth is DL + 1.

% assoc_to_list(+Assoc, -Pairs): the keys and values in order.
assoc_to_list(Tree, List) :-
    must_be_tree(Tree),
    pairs_onto(Tree, [], List).

pairs_onto(t, List, List).
pairs_onto(t(K, V, _, L, R), Tail, List) :-
    pairs_onto(R, Tail, List1),
    pairs_onto(L, [K-V|List1], List).

% assoc_to_keys(+Assoc, -Keys): the keys in order.
assoc_to_keys(Tree, Keys) :-
    must_be_tree(Tree),
    keys_onto(Tree, [], Keys).

keys_onto(t, Keys, Keys).
keys_onto(t(K, _, _, L, R), Tail, Keys) :-
    keys_onto(R, Tail, Keys1),
    keys_onto(L, [K|Keys1], Keys).

% assoc_to_values(+Assoc, -Values): the values in the order of their keys.
assoc_to_values(Tree, Values) :-
    must_be_tree(Tree),
    values_onto(Tree, [], Values).

values_onto(t, Values, Values).
values_onto(t(_, V, _, L, R), Tail, Values) :-
    values_onto(R, Tail, Values1),
    values_onto(L, [V|Values1], Values).

% map_assoc(:Goal, +Assoc): Goal is true of all values.
map_assoc(Goal, Tree) :-
    must_be_tree(Tree),
    map_tree(Tree, Goal).

map_tree(t, _).
map_tree(t(_, V, _, L, R), Goal) :-
    map_tree(L, Goal),
    call(Goal, V),
    map_tree(R, Goal).

% map_assoc(:Goal, +Assoc0, ?Assoc): Assoc has the keys of Assoc0 with the values that Goal gives for its values.
map_assoc(Goal, Tree0, Tree) :-
    must_be_tree(Tree0),
    map_tree(Tree0, Goal, Tree).

map_tree(t, _, t).
map_tree(t(K, V, B, L0, R0), Goal, t(K, W, B, L1, R1)) :-
    map_tree(L0, Goal, L1),
    call(Goal, V, W),
    map_tree(R0, Goal, R1).
