% Dicts: maps from keys to values, written Tag{Key: Value, ...}. The functions on them, as in X = Dict.Key, become calls
% of ./3 before the goal that they stand in.
:- module(system, [
    dict_pairs/3,
    dict_create/3,
    dict_size/2,
    get_dict/5,
    b_set_dict/3,
    nb_set_dict/3,
    select_dict/3,
    (:<)/2,
    (>:<)/2,
    '.'/3
]).

% dict_pairs(?Dict, ?Tag, ?Pairs): Dict has the tag Tag and the pairs Key-Value in Pairs, in the order of the keys.
dict_pairs(Dict, Tag, Pairs) :-
    (   var(Dict)
    ->  (   is_list(Pairs)
        ->  true
        ;   '$dict_data'(Pairs, _)
        ),
        '$dict'(Tag, Pairs, Dict)
    ;   '$dict_data'(Dict, Given),
        '$dict_pairs'(Given, Pairs0),
        is_dict(Given, Tag),
        Pairs = Pairs0
    ).

% dict_create(-Dict, ?Tag, +Pairs): Dict has the tag Tag and the pairs of a list or a dict.
dict_create(Dict, Tag, Pairs) :-
    (   is_dict(Pairs)
    ->  Dict = Pairs
    ;   '$dict_data'(Pairs, Given),
        '$dict_pairs'(Given, Sorted),
        '$dict'(Tag, Sorted, Dict)
    ).

% dict_size(+Dict, -Size): Dict has Size pairs.
dict_size(Dict, Size) :-
    '$dict_pairs'(Dict, Pairs),
    length(Pairs, Size).

% get_dict(?Key, +Dict, ?Value, -New, ?NewValue): Dict has Value for Key, and New is Dict with NewValue for it.
get_dict(Key, Data, Value, New, NewValue) :-
    (   var(Key)
    ->  throw(error(instantiation_error, _))
    ;   true
    ),
    '$dict_data'(Data, Dict),
    get_dict(Key, Dict, Value),
    put_dict(Key, Dict, NewValue, New).

% b_set_dict(+Key, !Dict, +Value): the value of Key in Dict becomes Value, until backtracking.
b_set_dict(Key, Dict, Value) :-
    '$dict_place'(Key, Dict, At),
    setarg(At, Dict, Value).

% nb_set_dict(+Key, !Dict, +Value): the value of Key in Dict becomes a copy of Value, for good.
nb_set_dict(Key, Dict, Value) :-
    '$dict_place'(Key, Dict, At),
    nb_setarg(At, Dict, Value).

'$dict_place'(Key, Dict, At) :-
    (   '$dict_at'(Key, Dict, At)
    ->  true
    ;   '$dict_no_key'(Key, Dict)
    ).

'$dict_no_key'(Key, Dict) :-
    throw(error(existence_error(key, Key, Dict), _)).

% :<(+Select, +From): the tags unify, and From has all keys of Select, with values that unify.
Select :< From :-
    select_dict(Select, From, _).

% select_dict(+Select, +From, -Rest): as Select :< From; Rest has the other pairs of From, and a tag of its own.
select_dict(Select0, From0, Rest) :-
    '$dict_data'(Select0, Select),
    '$dict_data'(From0, From),
    is_dict(Select, Tag),
    is_dict(From, Tag),
    '$dict_pairs'(Select, Wanted),
    '$dict_pairs'(From, All),
    '$dict_select'(Wanted, All, Left),
    '$dict'(_, Left, Rest).

'$dict_select'([], Left, Left).
'$dict_select'([Key-Value|Wanted], [K-V|All], Left) :-
    (   Key == K
    ->  Value = V,
        '$dict_select'(Wanted, All, Left)
    ;   Key @> K,
        Left = [K-V|Rest],
        '$dict_select'([Key-Value|Wanted], All, Rest)
    ).

% >:<(+Dict, +Other): the tags unify, and so do the values of common keys.
Dict0 >:< Other0 :-
    '$dict_data'(Dict0, Dict),
    '$dict_data'(Other0, Other),
    is_dict(Dict, Tag),
    is_dict(Other, Tag),
    '$dict_pairs'(Dict, Pairs),
    '$dict_pairs'(Other, Others),
    '$dict_common'(Pairs, Others).

'$dict_common'([], _) :- !.
'$dict_common'(_, []) :- !.
'$dict_common'([K-V|Pairs], [L-W|Others]) :-
    compare(Order, K, L),
    (   Order = (=)
    ->  V = W,
        '$dict_common'(Pairs, Others)
    ;   Order = (<)
    ->  '$dict_common'(Pairs, [L-W|Others])
    ;   '$dict_common'([K-V|Pairs], Others)
    ).

% .(+Dict, +Function, -Value): Value is the result of Function for Dict.
%
% Functions are keys, get(Key), get(Key, Default), put(New), put(Path, Value), and those that the module named by the
% tag defines. A list of pairs counts as a dict.
.(Dict, Function, Value) :-
    (   is_dict(Dict)
    ->  '$dict_function'(Function, Dict, Value)
    ;   var(Dict)
    ->  throw(error(instantiation_error, _))
    ;   is_list(Dict)
    ->  '$dict_data'(Dict, Data),
        '$dict_function'(Function, Data, Value)
    ;   throw(error(type_error(dict, Dict), _))
    ).

'$dict_function'(Key, Dict, Value) :-
    var(Key),
    !,
    get_dict(Key, Dict, Value).
'$dict_function'(get(Key), Dict, Value) :-
    !,
    get_dict(Key, Dict, Value).
'$dict_function'(get(Key, Default), Dict, Value) :-
    !,
    (   get_dict(Key, Dict, Value0)
    ->  Value = Value0
    ;   Value = Default
    ).
'$dict_function'(put(New), Dict, Value) :-
    !,
    put_dict(New, Dict, Value).
'$dict_function'(put(Path, New), Dict, Value) :-
    !,
    '$dict_put'(Path, Dict, New, Value).
'$dict_function'(Key, Dict, Value) :-
    atomic(Key),
    !,
    (   get_dict(Key, Dict, Value0)
    ->  Value = Value0
    ;   '$dict_no_key'(Key, Dict)
    ).
'$dict_function'(Function, Dict, Value) :-
    is_dict(Dict, Tag),
    '$add_arguments'(Function, [Dict, Value], Goal),
    (   atom(Tag)
    ->  call(Tag:Goal)
    ;   functor(Goal, Name, Arity),
        throw(error(existence_error(dict_function, Name/Arity), _))
    ).

% A path Dicts/Key leads to the dict within, which is made where there is none.
'$dict_put'(Path, Dict, New, Value) :-
    (   nonvar(Path),
        Path = Way/Key
    ->  (   '$dict_at_path'(Way, Dict, Within),
            is_dict(Within)
        ->  true
        ;   '$dict'(_, [], Within)
        ),
        put_dict(Key, Within, New, Changed),
        '$dict_put'(Way, Dict, Changed, Value)
    ;   put_dict(Path, Dict, New, Value)
    ).

'$dict_at_path'(Path, Dict, Value) :-
    (   Path = Way/Key
    ->  '$dict_at_path'(Way, Dict, Within),
        is_dict(Within),
        get_dict(Key, Within, Value)
    ;   get_dict(Path, Dict, Value)
    ).
