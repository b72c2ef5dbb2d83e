% Lists of Key-Value pairs.
:- module(pairs, [
    pairs_keys_values/3,
    pairs_values/2,
    pairs_keys/2,
    transpose_pairs/2,
    map_list_to_pairs/3,
    group_pairs_by_key/2
]).

:- meta_predicate
    map_list_to_pairs(2, +, -).

% The pairs are the first argument of the helpers. If they are unbound, their number is fixed before, so that no
% choice point is left.

% pairs_keys_values(?Pairs, ?Keys, ?Values): Pairs are Key-Value for the elements of two lists.
pairs_keys_values(Pairs, Keys, Values) :-
    shape(Pairs, Keys),
    shape(Pairs, Values),
    keys_values(Pairs, Keys, Values).

keys_values([], [], []).
keys_values([K-V|Pairs], [K|Ks], [V|Vs]) :-
    keys_values(Pairs, Ks, Vs).

shape(Pairs, List) :-
    (   var(Pairs),
        is_list(List)
    ->  length(List, N),
        length(Pairs, N)
    ;   true
    ).

% pairs_values(+Pairs, -Values): the values of pairs.
pairs_values(Pairs, Values) :-
    shape(Pairs, Values),
    values(Pairs, Values).

values([], []).
values([_-V|Pairs], [V|Vs]) :-
    values(Pairs, Vs).

% pairs_keys(+Pairs, -Keys): the keys of pairs.
pairs_keys(Pairs, Keys) :-
    shape(Pairs, Keys),
    keys(Pairs, Keys).

keys([], []).
keys([K-_|Pairs], [K|Ks]) :-
    keys(Pairs, Ks).

% transpose_pairs(+Pairs, -Transposed): keys and values change places; sorted on the new keys.
transpose_pairs(Pairs, Transposed) :-
    flip_pairs(Pairs, Flipped),
    keysort(Flipped, Transposed).

flip_pairs([], []).
flip_pairs([K-V|Pairs], [V-K|Flipped]) :-
    flip_pairs(Pairs, Flipped).

% map_list_to_pairs(:Goal, +List, -Pairs): call(Goal, X, Key) gives the key of X.
map_list_to_pairs(Goal, List, Pairs) :-
    key_each(List, Goal, Pairs).

key_each([], _, []).
key_each([X|Xs], Goal, [Key-X|Pairs]) :-
    call(Goal, X, Key),
    key_each(Xs, Goal, Pairs).

% group_pairs_by_key(+Pairs, -Groups): neighbours with identical keys become one Key-Values.
group_pairs_by_key([], []).
group_pairs_by_key([K-V|Pairs], [K-[V|Vs]|Groups]) :-
    same_key(Pairs, K, Vs, Rest),
    group_pairs_by_key(Rest, Groups).

same_key([K1-V|Pairs], K, [V|Vs], Rest) :-
    K1 == K,
    !,
    same_key(Pairs, K, Vs, Rest).
same_key(Rest, _, [], Rest).
