% Lists of dicts: same keys or tags, joins, slices, and maps over the values.
:- module(dicts, [
    mapdict/2,
    mapdict/3,
    mapdict/4,
    dict_keys/2,
    dict_same_keys/2,
    dict_fill/4,
    dicts_same_tag/2,
    dicts_same_keys/2,
    dicts_to_same_keys/3,
    dicts_slice/3,
    dicts_join/3,
    dicts_join/4,
    dicts_to_compounds/4,
    dict_no_fill/3
]).

:- meta_predicate
    dicts_to_compounds(?, +, 3, ?),
    mapdict(2, ?),
    mapdict(3, ?, ?),
    mapdict(4, ?, ?, ?),
    dicts_to_same_keys(+, 3, -).

% mapdict(:Goal, +Dict): Goal succeeds for each Key and Value of Dict.
mapdict(Goal, Dict) :-
    dict_pairs(Dict, _, Pairs),
    each_pair(Pairs, Goal).

each_pair([], _).
each_pair([K-V|Pairs], Goal) :-
    call(Goal, K, V),
    each_pair(Pairs, Goal).

% mapdict(:Goal, ?Dict, ?Dict2): Goal succeeds for each key with its values in the dicts, which have the same keys.
mapdict(Goal, Dict, Dict2) :-
    (   is_dict(Dict)
    ->  dict_same_keys(Dict, Dict2)
    ;   dict_same_keys(Dict2, Dict)
    ),
    dict_pairs(Dict, _, Pairs),
    dict_pairs(Dict2, _, Pairs2),
    each_pair(Pairs, Pairs2, Goal).

each_pair([], [], _).
each_pair([K-V|Pairs], [_-W|Others], Goal) :-
    call(Goal, K, V, W),
    each_pair(Pairs, Others, Goal).

% mapdict(:Goal, ?Dict, ?Dict2, ?Dict3): as mapdict/3 for three dicts.
mapdict(Goal, Dict, Dict2, Dict3) :-
    (   is_dict(Dict)
    ->  dict_same_keys(Dict, Dict2), dict_same_keys(Dict, Dict3)
    ;   is_dict(Dict2)
    ->  dict_same_keys(Dict2, Dict), dict_same_keys(Dict2, Dict3)
    ;   dict_same_keys(Dict3, Dict), dict_same_keys(Dict3, Dict2)
    ),
    dict_pairs(Dict, _, Pairs),
    dict_pairs(Dict2, _, Pairs2),
    dict_pairs(Dict3, _, Pairs3),
    each_pair(Pairs, Pairs2, Pairs3, Goal).

each_pair([], [], [], _).
each_pair([K-V|Pairs], [_-W|Pairs2], [_-X|Pairs3], Goal) :-
    call(Goal, K, V, W, X),
    each_pair(Pairs, Pairs2, Pairs3, Goal).

% dict_keys(+Dict, -Keys): Keys are those of Dict, in order.
dict_keys(Dict, Keys) :-
    dict_pairs(Dict, _, Pairs),
    keys(Pairs, Keys).

keys([], []).
keys([K-_|Pairs], [K|Keys]) :-
    keys(Pairs, Keys).

% dict_same_keys(+Dict, ?Other): Other is a dict with the keys of Dict, with any tag and values.
dict_same_keys(Dict, Other) :-
    dict_pairs(Dict, _, Pairs),
    fresh(Pairs, Fresh),
    dict_pairs(New, _, Fresh),
    Other = New.

fresh([], []).
fresh([K-_|Pairs], [K-_|Fresh]) :-
    fresh(Pairs, Fresh).

% dict_fill(+Value, +Key, +Dict, -Value): gives Value for any Key and Dict; for dicts_to_same_keys/3.
dict_fill(ValueIn, _, _, Value) :-
    copy_term(ValueIn, Value).

% dicts_same_tag(+Dicts, -Tag): all dicts have the tag Tag.
dicts_same_tag([], _).
dicts_same_tag([Dict|Dicts], Tag) :-
    is_dict(Dict, Tag),
    dicts_same_tag(Dicts, Tag).

% dicts_same_keys(+Dicts, -Keys): all dicts have the keys Keys, which are in order.
dicts_same_keys([], _).
dicts_same_keys([Dict|Dicts], Keys) :-
    dict_keys(Dict, Keys),
    dicts_same_keys(Dicts, Keys).

% dicts_to_same_keys(+Dicts, :OnEmpty, -New): New are the dicts with the keys of all of them. For a missing key,
% call(OnEmpty, Key, Dict, Value) gives the value.
dicts_to_same_keys(Dicts, OnEmpty, New) :-
    all_keys(Dicts, Keys),
    filled(Dicts, Keys, OnEmpty, New).

all_keys(Dicts, Keys) :-
    findall(Key, ( member(Dict, Dicts), get_dict(Key, Dict, _) ), All),
    sort(All, Keys).

filled([], _, _, []).
filled([Dict|Dicts], Keys, OnEmpty, [New|News]) :-
    values(Keys, Dict, OnEmpty, Pairs),
    is_dict(Dict, Tag),
    dict_pairs(New, Tag, Pairs),
    filled(Dicts, Keys, OnEmpty, News).

values([], _, _, []).
values([Key|Keys], Dict, OnEmpty, [Key-Value|Pairs]) :-
    (   get_dict(Key, Dict, Value0)
    ->  Value = Value0
    ;   call(OnEmpty, Key, Dict, Value)
    ),
    values(Keys, Dict, OnEmpty, Pairs).

% dicts_slice(+Keys, +Dicts, -Slices): Slices are the dicts with only the pairs of Keys.
dicts_slice(_, [], []).
dicts_slice(Keys, [Dict|Dicts], [Slice|Slices]) :-
    slice(Keys, Dict, Pairs),
    is_dict(Dict, Tag),
    dict_pairs(Slice, Tag, Pairs),
    dicts_slice(Keys, Dicts, Slices).

slice([], _, []).
slice([Key|Keys], Dict, Pairs) :-
    (   get_dict(Key, Dict, Value)
    ->  Pairs = [Key-Value|Rest]
    ;   Pairs = Rest
    ),
    slice(Keys, Dict, Rest).

% dicts_join(+Key, +Dicts, -Joined): Joined has one dict, with the pairs of all, for each value of Key in Dicts.
dicts_join(Key, Dicts, Joined) :-
    by_value(Dicts, Key, Pairs),
    keysort(Pairs, Sorted),
    joined(Sorted, Joined).

by_value([], _, []).
by_value([Dict|Dicts], Key, [Value-Dict|Pairs]) :-
    get_dict(Key, Dict, Value),
    by_value(Dicts, Key, Pairs).

joined([], []).
joined([Value-Dict|Pairs], [Joined|All]) :-
    same_value(Pairs, Value, Dict, Joined, Rest),
    joined(Rest, All).

same_value([V-Dict|Pairs], Value, Dict0, Joined, Rest) :-
    V == Value,
    !,
    put_dict(Dict, Dict0, Both),
    same_value(Pairs, Value, Both, Joined, Rest).
same_value(Pairs, _, Joined, Joined, Pairs).

% dicts_join(+Key, +Dicts, +Others, -Joined): as dicts_join/3 for the dicts of both lists.
dicts_join(Key, Dicts, Others, Joined) :-
    append(Dicts, Others, All),
    dicts_join(Key, All, Joined).

% dict_no_fill(+Key, +Dict, -Value): throws the error for a key that Dict does not have; for dicts_to_same_keys/3.
dict_no_fill(Key, Dict, Value) :-
    (   get_dict(Key, Dict, Value0)
    ->  Value = Value0
    ;   throw(error(existence_error(key, Key, Dict), _))
    ).

% dicts_to_compounds(?Dicts, +Keys, :OnEmpty, ?Compounds): compounds have the tag of a dict as name and its values of Keys as arguments; call(OnEmpty, Key, Dict, Value) gives those that are missing.
dicts_to_compounds(Dicts, Keys, OnEmpty, Compounds) :-
    must_be(list, Keys),
    maplist(dict_compound(Keys, OnEmpty), Dicts, Compounds).

dict_compound(Keys, OnEmpty, Dict, Compound) :-
    (   is_dict(Dict, Tag)
    ->  values(Keys, Dict, OnEmpty, Pairs),
        pairs_values(Pairs, Values),
        compound_name_arguments(Compound, Tag, Values)
    ;   must_be(compound, Compound),
        compound_name_arguments(Compound, Tag, Values),
        pairs_keys_values(Pairs, Keys, Values),
        dict_pairs(Dict, Tag, Pairs)
    ).
