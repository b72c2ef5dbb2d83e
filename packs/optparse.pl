% Options of a command by a list of specifications, and the help text for them.
%
% A specification is a list of opt(Key), type(Type), default(Value), shortflags(Letters), longflags(Names), meta(Name) and
% help(Text or list of lines). Types are boolean, integer, float, atom and term.
:- module(optparse, [
    opt_arguments/3,
    opt_parse/4,
    opt_parse/5,
    opt_help/2
]).

% opt_arguments(+Specs, -Options, -Positional): opt_parse/4 of the arguments of the program.
opt_arguments(Specs, Options, Positional) :-
    current_prolog_flag(argv, Argv),
    (   append(_, [--|Arguments], Argv)
    ->  true
    ;   Arguments = Argv
    ),
    opt_parse(Specs, Arguments, Options, Positional).

% opt_parse(+Specs, +Arguments, -Options, -Positional): Options are the defaults of what is not given and then Key(Value) for each flag; Positional are the other arguments.
opt_parse(Specs, Arguments, Options, Positional) :-
    opt_parse(Specs, Arguments, Options, Positional, []).

% opt_parse(+Specs, +Arguments, -Options, -Positional, +ParseOptions): the same with output_functor(Name) and duplicated_flags(keepfirst, keeplast or keepall).
opt_parse(Specs, Arguments, Options, Positional, ParseOptions) :-
    check_specs(Specs),
    parse(Arguments, Specs, Given, Positional),
    option(duplicated_flags(Keep), ParseOptions, keeplast),
    duplicates(Keep, Given, Kept),
    findall(Key-Default, default(Specs, Given, Key, Default), Defaults),
    append(Defaults, Kept, Pairs),
    option(output_functor(Functor), ParseOptions, 'OPTION'),
    maplist(output(Functor), Pairs, Options).

output('OPTION', Key-Value, Option) :- !, Option =.. [Key, Value].
output(Functor, Key-Value, Option) :- Option =.. [Functor, Key, Value].

default(Specs, Given, Key, Default) :-
    member(Spec, Specs),
    key(Spec, Key),
    \+ memberchk(Key-_, Given),
    ( memberchk(default(Default0), Spec) -> Default = Default0 ; true ).

key(Spec, Key) :- memberchk(opt(Key), Spec).

duplicates(keepall, Given, Given) :- !.
duplicates(keepfirst, Given, Kept) :- !, keep_first(Given, [], Kept).
duplicates(keeplast, Given, Kept) :- !,
    reverse(Given, Back),
    keep_first(Back, [], KeptBack),
    reverse(KeptBack, Kept).
duplicates(Keep, _, _) :- throw(error(domain_error(keep_flag, Keep), _)).

keep_first([], _, []).
keep_first([Key-Value|Pairs], Seen, Kept) :-
    (   memberchk(Key, Seen)
    ->  Kept = Rest
    ;   Kept = [Key-Value|Rest]
    ),
    keep_first(Pairs, [Key|Seen], Rest).

% check_specs(+Specs): keys and flags are there once, types are known, and defaults are of their type.
check_specs(Specs) :-
    must_be(list, Specs),
    maplist(must_be(list), Specs),
    forall(( member(Spec, Specs), \+ ( key(Spec, Key), atom(Key) ) ),
           throw(error(domain_error(unique_atom, Spec), context(_, 'opt(id) missing')))),
    findall(Key, ( member(Spec, Specs), key(Spec, Key) ), Keys),
    unique(Keys, 'ambiguous id'),
    findall(Flag, ( member(Spec, Specs), flag(Spec, Flag) ), Flags),
    unique(Flags, 'ambiguous flag'),
    forall(member(Spec, Specs), check_type(Spec)).

unique(List, Message) :-
    forall(( append(Before, [X|_], List), memberchk(X, Before) ),
           throw(error(domain_error(unique_atom, X), context(_, Message)))).

flag(Spec, Flag) :-
    (   memberchk(shortflags(Flags), Spec)
    ;   memberchk(longflags(Flags), Spec)
    ),
    member(Flag, Flags).

check_type(Spec) :-
    type(Spec, Type),
    (   memberchk(Type, [boolean, integer, float, atom, term])
    ->  true
    ;   throw(error(existence_error(type, Type), _))
    ),
    (   Type \== term,
        memberchk(default(Default), Spec),
        nonvar(Default)
    ->  must_be(Type, Default)
    ;   true
    ).

type(Spec, Type) :- ( memberchk(type(Type0), Spec) -> Type = Type0 ; Type = term ).

% parse(+Arguments, +Specs, -Pairs, -Positional)
parse([], _, [], []).
parse([Argument|Arguments], Specs, Pairs, Positional) :-
    (   flag_argument(Argument, Flag, Given)
    ->  flag_spec(Specs, Flag, Spec, Negated),
        key(Spec, Key),
        type(Spec, Type),
        flag_value(Negated, Given, Type, Flag, Value, Arguments, Rest),
        Pairs = [Key-Value|Pairs0],
        parse(Rest, Specs, Pairs0, Positional)
    ;   Positional = [Argument|Positional0],
        parse(Arguments, Specs, Pairs, Positional0)
    ).

% flag_argument(+Argument, -Flag, -Given): Given is value(Text) of --flag=Text and -fText, none of others.
flag_argument(Argument, Flag, Given) :-
    atom_concat(--, Long, Argument),
    Long \== '',
    !,
    (   sub_atom(Long, Before, _, After, =)
    ->  sub_atom(Long, 0, Before, _, Flag),
        sub_atom(Long, _, After, 0, Text),
        Given = value(Text)
    ;   Flag = Long,
        Given = none
    ).
flag_argument(Argument, Flag, Given) :-
    atom_concat(-, Short, Argument),
    Short \== '',
    Short \== (-),
    sub_atom(Short, 0, 1, After, Flag),
    (   After =:= 0
    ->  Given = none
    ;   sub_atom(Short, 1, _, 0, Text),
        Given = value(Text)
    ).

flag_spec(Specs, Flag, Spec, Negated) :-
    (   member(Spec0, Specs),
        flag(Spec0, Flag)
    ->  Spec = Spec0,
        Negated = false
    ;   atom_concat('no-', Plain, Flag),
        member(Spec0, Specs),
        flag(Spec0, Plain),
        type(Spec0, boolean)
    ->  Spec = Spec0,
        Negated = true
    ;   throw(error(existence_error(commandline_option, Flag), _))
    ).

flag_value(true, _, _, _, false, Rest, Rest) :- !.
flag_value(_, value(Text), Type, Flag, Value, Rest, Rest) :- !,
    (   text_value(Type, Text, Value0)
    ->  Value = Value0
    ;   wrong_value(Flag, Type, Text)
    ).
flag_value(_, none, boolean, _, Value, Arguments, Rest) :- !,
    (   Arguments = [Text|Rest0],
        text_value(boolean, Text, Value0)
    ->  Value = Value0,
        Rest = Rest0
    ;   Value = true,
        Rest = Arguments
    ).
flag_value(_, none, Type, Flag, Value, Arguments, Rest) :-
    (   Arguments = [Text|Rest0],
        \+ next_flag(Type, Text)
    ->  Rest = Rest0,
        flag_value(false, value(Text), Type, Flag, Value, Rest, Rest)
    ;   Rest = Arguments,
        flag_value(false, value(''), Type, Flag, Value, Rest, Rest)
    ).

% A negative number is the value of a flag that takes numbers.
next_flag(Type, Text) :-
    flag_argument(Text, _, _),
    \+ ( memberchk(Type, [integer, float]), text_value(Type, Text, _) ).

text_value(boolean, true, true).
text_value(boolean, false, false).
text_value(integer, Text, Value) :- number_text(Text, Value), integer(Value).
text_value(float, Text, Value) :- number_text(Text, Value), float(Value).
text_value(atom, Text, Text).
text_value(term, Text, Value) :- catch(term_to_value(Text, Value), _, fail).

term_to_value('', Value) :- !, Value = end_of_file.
term_to_value(Text, Value) :- atom_to_term(Text, Value, _).

number_text(Text, Value) :- catch(atom_number(Text, Value), _, fail).

wrong_value(Flag, Type, Text) :-
    print_message(error, format("flag '~w': expected atom parsable as ~w, found '~w' ", [Flag, Type, Text])),
    (   Type == term
    ->  atom_to_term(Text, _, _) % the error of the reader
    ;   memberchk(Type, [integer, float]),
        \+ number_text(Text, _)
    ->  syntax_error(illegal_number)
    ;   type_error(flag_value, Type)
    ).

% opt_help(+Specs, -Help): Help is an atom, a table of the flags.
opt_help(Specs, Help) :-
    check_specs(Specs),
    include(flagged, Specs, Shown),
    maplist(columns, Shown, Rows),
    width(1, Rows, Long),
    width(2, Rows, Short),
    width(3, Rows, Middle),
    with_output_to(atom(Help), maplist(help_row(Long, Short, Middle), Rows)).

flagged(Spec) :- flag(Spec, _), !.

columns(Spec, row(Longs, [Short], [Middle], Texts)) :-
    (   memberchk(longflags(Names), Spec), Names \== []
    ->  long_names(Names, Longs)
    ;   Longs = ['']
    ),
    (   memberchk(shortflags(Letters), Spec), Letters \== []
    ->  maplist(atom_concat(-), Letters, Dashed),
        atomic_list_concat(Dashed, ', ', Short)
    ;   Short = ''
    ),
    type(Spec, Type),
    ( memberchk(default(Default), Spec) -> true ; true ),
    ( var(Default) -> Shown = '_' ; Shown = Default ),
    (   memberchk(meta(Meta), Spec)
    ->  format(atom(Middle), "~w:~w=~w", [Meta, Type, Shown])
    ;   format(atom(Middle), "~w=~w", [Type, Shown])
    ),
    (   memberchk(help(Help), Spec)
    ->  ( is_list(Help) -> Texts = Help ; Texts = [Help] )
    ;   Texts = ['']
    ).

long_names([Name], [Long]) :- !, atom_concat(--, Name, Long).
long_names([Name|Names], [Long|Longs]) :-
    atomic_list_concat([--, Name, ','], Long),
    long_names(Names, Longs).

width(N, Rows, Width) :-
    findall(Length, ( member(Row, Rows), arg(N, Row, Texts), member(Text, Texts), atom_length(Text, Length) ), Lengths),
    max_list([0|Lengths], Width).

help_row(Long, Short, Middle, row(Longs, [S], [M], [Text|Texts])) :-
    append(Firsts, [Last], Longs),
    forall(member(First, Firsts), ( write(First), nl )),
    C1 is Long + 2,
    C2 is C1 + Short + 2,
    C3 is C2 + Middle + 2,
    format("~w~t~*|~w~t~*|~w~t~*|~w~n", [Last, C1, S, C2, M, C3, Text]),
    Indent is C3 + 2,
    forall(member(More, Texts), format("~t~*|~w~n", [Indent, More])).
