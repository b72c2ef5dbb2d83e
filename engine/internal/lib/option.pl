% Option lists: Name(Value) and Name = Value terms, or dicts.
:- module(option, [
    option/2,
    option/3,
    select_option/3,
    select_option/4,
    merge_options/3,
    meta_options/3,
    dict_options/2
]).

:- meta_predicate
    meta_options(1, :, -).

% option(?Option, +Options): Option unifies with the first option of that name.
option(Option, Dict) :-
    is_dict(Dict),
    !,
    dict_option(Option, Name, Value),
    get_dict(Name, Dict, Value).
option(Option, Options) :-
    must_be(list, Options),
    option_parts(Option, Name, Arguments, Found),
    find_option(Options, Name, Found),
    !,
    Arguments = Found.

% option(?Option, +Options, +Default): the value of an option, or Default.
option(Option, Dict, Default) :-
    is_dict(Dict),
    !,
    dict_option(Option, Name, Value),
    (   get_dict(Name, Dict, Found)
    ->  Value = Found
    ;   Value = Default
    ).
option(Option, Options, Default) :-
    must_be(list, Options),
    option_parts(Option, Name, Arguments, Found),
    (   find_option(Options, Name, Found)
    ->  Arguments = Found
    ;   default_option(Option, Arguments, Default)
    ).

% dict_option(+Option, -Name, -Value): an option to look up in a dict. Name = Value counts as an option named `=`.
dict_option(Option, Name, Value) :-
    must_be(compound, Option),
    (   compound_name_arguments(Option, Name, [Value])
    ->  true
    ;   Option = (_ = _)
    ->  fail
    ;   domain_error(option, Option)
    ).

% option_parts(+Option, -Name, -Arguments, -Found): Found are as many variables as there are arguments. Name = Value is
% Name(Value); an option may have no argument, or several.
option_parts(Option, Name, Arguments, Found) :-
    (   nonvar(Option),
        Option = (Name0 = Value)
    ->  must_be(atom, Name0),
        Name = Name0,
        Arguments = [Value]
    ;   Option =.. [Name|Arguments]
    ),
    same_length(Arguments, Found).

% default_option(+Option, ?Arguments, +Default): the arguments of a missing option unify with Default.
default_option(Option, Arguments, Default) :-
    (   Arguments = [Value|_]
    ->  Value = Default
    ;   type_error(compound, Option)
    ).

% find_option(+Options, +Name, ?Found): the first option of that name with as many arguments.
find_option([Option|Options], Name, Found) :-
    (   is_option(Option, Name, Found)
    ->  true
    ;   find_option(Options, Name, Found)
    ).

is_option(Option, Name, Found) :-
    nonvar(Option),
    (   Option = (Name1 = Value)
    ->  Name1 == Name,
        Found = [Value]
    ;   Option =.. [Name|Found]
    ).

% select_option(?Option, +Options, -Rest): the value of an option, and the other options.
select_option(Option, Dict, Rest) :-
    is_dict(Dict),
    !,
    dict_option(Option, Name, Value),
    del_dict(Name, Dict, Value, Rest).
select_option(Option, Options, Rest) :-
    must_be(list, Options),
    option_parts(Option, Name, Arguments, Found),
    take_option(Options, Name, Found, Rest0),
    !,
    Arguments = Found,
    Rest = Rest0.

% select_option(?Option, +Options, -Rest, +Default): the same with a default.
select_option(Option, Dict, Rest, Default) :-
    is_dict(Dict),
    !,
    dict_option(Option, Name, Value),
    (   del_dict(Name, Dict, Found, Rest0)
    ->  Value = Found,
        Rest = Rest0
    ;   Value = Default,
        Rest = Dict
    ).
select_option(Option, Options, Rest, Default) :-
    must_be(list, Options),
    option_parts(Option, Name, Arguments, Found),
    (   take_option(Options, Name, Found, Rest0)
    ->  Arguments = Found,
        Rest = Rest0
    ;   default_option(Option, Arguments, Default),
        Rest = Options
    ).

take_option([Option|Options], Name, Found, Rest) :-
    (   is_option(Option, Name, Found)
    ->  Rest = Options
    ;   Rest = [Option|Rest1],
        take_option(Options, Name, Found, Rest1)
    ).

% merge_options(+New, +Old, -Merged): Merged is sorted, has every name once, and a new option hides the old. When one list is
% empty the other keeps its order.
merge_options(New0, Old0, Merged) :-
    option_list(New0, New),
    option_list(Old0, Old),
    keyed_options(New, NewKeyed),
    keyed_options(Old, OldKeyed),
    merge_keyed(NewKeyed, OldKeyed, Merged).

option_list(Options, List) :-
    (   is_dict(Options)
    ->  dict_options(Options, List)
    ;   must_be(list, Options),
        List = Options
    ).

merge_keyed([], Keyed, Merged) :-
    !,
    pairs_values(Keyed, Merged).
merge_keyed(Keyed, [], Merged) :-
    !,
    pairs_values(Keyed, Merged).
merge_keyed(NewKeyed, OldKeyed, Merged) :-
    append(NewKeyed, OldKeyed, Keyed),
    sort(1, @=<, Keyed, Sorted),
    first_options(Sorted, Merged).

keyed_options([], []).
keyed_options([Option|Options], [Key-Canonical|Keyed]) :-
    canonical_option(Option, Key, Canonical),
    keyed_options(Options, Keyed).

canonical_option(Name = Value, Name/1, Option) :-
    !,
    Option =.. [Name, Value].
canonical_option(Option, Name/Arity, Option) :-
    functor(Option, Name, Arity).

first_options([], []).
first_options([Key-Option|Keyed], [Option|Options]) :-
    skip_options(Keyed, Key, Rest),
    first_options(Rest, Options).

skip_options([Key1-_|Keyed], Key, Rest) :-
    Key1 == Key,
    !,
    skip_options(Keyed, Key, Rest).
skip_options(Rest, _, Rest).

% meta_options(:IsMeta, :Options0, -Options): values of options for whose name call(IsMeta, Name) is true
% are qualified with the module of the caller.
meta_options(IsMeta, Qualified, Options) :-
    strip_module(Qualified, Module, Options0),
    must_be(list, Options0),
    qualify_options(Options0, IsMeta, Module, Options).

qualify_options([], _, _, []).
qualify_options([Option0|Options0], IsMeta, Module, [Option|Options]) :-
    (   Option0 =.. [Name, Value],
        call(IsMeta, Name)
    ->  strip_module(Module:Value, To, Plain),
        Option =.. [Name, To:Plain]
    ;   Option = Option0
    ),
    qualify_options(Options0, IsMeta, Module, Options).

% dict_options(?Dict, ?Options): Options are the pairs of Dict as Key(Value). If several options have the same key,
% the first counts.
dict_options(Dict, Options) :-
    (   nonvar(Dict)
    ->  dict_pairs(Dict, _, Pairs),
        maplist(pair_option, Pairs, Options)
    ;   must_be(list, Options),
        option_pairs(Options, [], Pairs),
        dict_pairs(Dict, _, Pairs)
    ).

pair_option(Key-Value, Option) :-
    must_be(atom, Key),
    compound_name_arguments(Option, Key, [Value]).

option_pairs([], Pairs, Pairs).
option_pairs([Option|Options], Pairs0, Pairs) :-
    (   nonvar(Option),
        Option = (Key = Value)
    ->  must_be(atom, Key)
    ;   compound(Option),
        compound_name_arguments(Option, Key, [Value])
    ->  true
    ;   domain_error(option, Option)
    ),
    (   memberchk(Key-_, Pairs0)
    ->  option_pairs(Options, Pairs0, Pairs)
    ;   option_pairs(Options, [Key-Value|Pairs0], Pairs)
    ).
