% Hash tables whose changes are undone by backtracking.
%
% A table is ht(Count, Size, Buckets). A bucket is a list of kv(Key, Value), in which keys are told apart by ==/2.
:- module(hashtable, [
    ht_new/1,
    ht_is_hashtable/1,
    ht_size/2,
    ht_put/3,
    ht_put_new/3,
    ht_put/5,
    ht_update/4,
    ht_del/3,
    ht_get/3,
    ht_gen/3,
    ht_pairs/2,
    ht_keys/2
]).

% ht_new(-Table): Table is a new table without keys.
ht_new(ht(0, 4, buckets([], [], [], []))).

% ht_is_hashtable(@Term): Term is a hash table.
ht_is_hashtable(Term) :-
    nonvar(Term),
    Term = ht(Count, Size, Buckets),
    integer(Count),
    integer(Size),
    compound(Buckets),
    compound_name_arity(Buckets, buckets, Size).

% ht_size(+Table, -Count): Count is the number of keys.
ht_size(Table, Count) :-
    checked(Table),
    arg(1, Table, Count).

% ht_put(!Table, +Key, +Value): gives Key a value.
ht_put(Table, Key, Value) :-
    checked(Table),
    (   entry(Table, Key, Entry)
    ->  setarg(2, Entry, Value)
    ;   insert(Table, Key, Value)
    ).

% ht_put_new(!Table, +Key, +Value): gives Key a value; fails if it has one.
ht_put_new(Table, Key, Value) :-
    checked(Table),
    \+ entry(Table, Key, _),
    insert(Table, Key, Value).

% ht_put(!Table, +Key, +Value, +Absent, -Old): gives Key a value; Old is that of before, Absent if there was none.
ht_put(Table, Key, Value, Absent, Old) :-
    checked(Table),
    (   entry(Table, Key, Entry)
    ->  arg(2, Entry, Old),
        setarg(2, Entry, Value)
    ;   Old = Absent,
        insert(Table, Key, Value)
    ).

% ht_update(!Table, +Key, ?Old, +New): replaces the value Old of Key by New.
ht_update(Table, Key, Old, New) :-
    checked(Table),
    entry(Table, Key, Entry),
    arg(2, Entry, Old),
    setarg(2, Entry, New).

% ht_del(!Table, +Key, ?Value): takes away Key, whose value is Value.
ht_del(Table, Key, Value) :-
    checked(Table),
    bucket(Table, Key, Buckets, At, Bucket),
    without(Bucket, Key, Value, Rest),
    setarg(At, Buckets, Rest),
    arg(1, Table, Count),
    Fewer is Count - 1,
    setarg(1, Table, Fewer).

without([Entry|Entries], Key, Value, Rest) :-
    (   Entry = kv(Known, Value0),
        Known == Key
    ->  Value = Value0,
        Rest = Entries
    ;   Rest = [Entry|Rest1],
        without(Entries, Key, Value, Rest1)
    ).

% ht_get(+Table, +Key, -Value): Value is that of Key.
ht_get(Table, Key, Value) :-
    checked(Table),
    entry(Table, Key, kv(_, Value)).

% ht_gen(+Table, ?Key, ?Value): Value is that of a key; keys come in no particular order.
ht_gen(Table, Key, Value) :-
    checked(Table),
    arg(3, Table, Buckets),
    arg(_, Buckets, Bucket),
    member(kv(Key, Value), Bucket).

% ht_pairs(?Table, ?Pairs): Pairs are Key-Value of a table, sorted by key; or Table is a new one of such pairs.
ht_pairs(Table, Pairs) :-
    nonvar(Table),
    !,
    checked(Table),
    entries(Table, Found, []),
    keysort(Found, Pairs).
ht_pairs(Table, Pairs) :-
    must_be(list(pair), Pairs),
    ht_new(Table),
    put_all(Pairs, Table).

put_all([], _).
put_all([Key-Value|Pairs], Table) :-
    ht_put(Table, Key, Value),
    put_all(Pairs, Table).

% ht_keys(+Table, -Keys): Keys are the keys, sorted.
ht_keys(Table, Keys) :-
    ht_pairs(Table, Pairs),
    pairs_keys(Pairs, Keys).

checked(Table) :-
    (   ht_is_hashtable(Table)
    ->  true
    ;   must_be(nonvar, Table),
        type_error(hashtable, Table)
    ).

entry(Table, Key, Entry) :-
    bucket(Table, Key, _, _, Bucket),
    entry_in(Bucket, Key, Entry).

entry_in([First|Rest], Key, Entry) :-
    (   First = kv(Known, _),
        Known == Key
    ->  Entry = First
    ;   entry_in(Rest, Key, Entry)
    ).

bucket(ht(_, Size, Buckets), Key, Buckets, At, Bucket) :-
    must_be(nonvar, Key),
    term_hash(Key, Hash),
    (   integer(Hash)
    ->  At is Hash mod Size + 1
    ;   At = 1
    ),
    arg(At, Buckets, Bucket).

insert(Table, Key, Value) :-
    Table = ht(Count, Size, _),
    (   Count >= Size
    ->  grow(Table)
    ;   true
    ),
    bucket(Table, Key, Buckets, At, Bucket),
    setarg(At, Buckets, [kv(Key, Value)|Bucket]),
    More is Count + 1,
    setarg(1, Table, More).

grow(Table) :-
    entries(Table, Pairs, []),
    arg(2, Table, Size0),
    Size is Size0 * 4,
    length(Empty, Size),
    maplist(=([]), Empty),
    Buckets =.. [buckets|Empty],
    setarg(2, Table, Size),
    setarg(3, Table, Buckets),
    place_all(Pairs, Table).

place_all([], _).
place_all([Key-Value|Pairs], Table) :-
    bucket(Table, Key, Buckets, At, Bucket),
    setarg(At, Buckets, [kv(Key, Value)|Bucket]),
    place_all(Pairs, Table).

% The pairs of a table, as a difference list.
entries(ht(_, _, Buckets), Pairs, Rest) :-
    Buckets =.. [_|Lists],
    lists_pairs(Lists, Pairs, Rest).

lists_pairs([], Pairs, Pairs).
lists_pairs([Bucket|Buckets], Pairs, Rest) :-
    bucket_pairs(Bucket, Pairs, More),
    lists_pairs(Buckets, More, Rest).

bucket_pairs([], Pairs, Pairs).
bucket_pairs([kv(Key, Value)|Entries], [Key-Value|Pairs], Rest) :-
    bucket_pairs(Entries, Pairs, Rest).
