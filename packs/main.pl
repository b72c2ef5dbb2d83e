% The command line of a program: options and where it starts.
:- module(main, [
    main/0,
    argv_options/3,
    argv_options/4,
    argv_usage/1,
    cli_parse_debug_options/2,
    cli_enable_development_system/0
]).

:- meta_predicate
    argv_options(:, -, -),
    argv_options(:, -, -, +),
    argv_usage(:).

:- module_transparent
    main/0.

% main: calls main/1 of the module that calls it with the arguments of the program.
main :-
    context_module(Module),
    @(system:main, Module).

% argv_options(:Argv, -Positional, -Options): takes the options of a command line apart. opt_type(Flag, Name, Type) in the module
% says which options there are; without it --name=value is name(value), --name is name(true) and --no-name is name(false).
argv_options(Argv, Positional, Options) :-
    argv_options(Argv, Positional, Options, [on_error(halt(1))]).

% argv_options(:Argv, -Positional, -Options, +How): a wrong option is an exception; with on_error(halt(N)) a message and the end of
% the program with status N. options_after_arguments(false) ends options at the first argument, and unknown_option(pass) makes
% unknown options arguments.
argv_options(Spec, Positional, Options, How) :-
    split_module(Spec, Module, Argv),
    must_be(list, Argv),
    must_be(list, How),
    maplist(text_atom, Argv, Words),
    (   typed(Module)
    ->  on_error(How, OnError),
        catch(typed_options(Words, Module, How, Positional, Options), Ball, wrong_option(Ball, OnError, Module))
    ;   untyped_options(Words, Positional, Options)
    ).

split_module(Spec, Module, Rest) :-
    (   nonvar(Spec),
        Spec = Module0:Rest0
    ->  Module = Module0,
        Rest = Rest0
    ;   Module = user,
        Rest = Spec
    ).

text_atom(Text, Atom) :- atom_string(Atom, Text).

typed(Module) :-
    current_predicate(Module:opt_type/3).

on_error(How, OnError) :-
    option(on_error(OnError), How, error),
    must_be(nonvar, OnError),
    (   memberchk(OnError, [error, halt, halt(_)])
    ->  true
    ;   domain_error(on_error, OnError)
    ).

wrong_option(Ball, OnError, Module) :-
    (   Ball = '$help'
    ->  argv_usage(Module:[]),
        halt(0)
    ;   OnError == error
    ->  throw(Ball)
    ;   print_message(error, Ball),
        argv_usage(Module:[]),
        (   OnError = halt(Status)
        ->  halt(Status)
        ;   halt(1)
        )
    ).

% Options without types.
untyped_options([], [], []).
untyped_options([--|Words], Words, []) :- !.
untyped_options([Word|Words], Positional, [Option|Options]) :-
    atom_concat(--, Long, Word),
    !,
    untyped_option(Long, Option),
    untyped_options(Words, Positional, Options).
untyped_options([Word|Words], [Word|Positional], Options) :-
    untyped_options(Words, Positional, Options).

untyped_option(Long, Option) :-
    (   sub_atom(Long, Before, 1, After, =)
    ->  sub_atom(Long, 0, Before, _, Flag),
        sub_atom(Long, _, After, 0, Text),
        (   atom_number(Text, Value)
        ->  true
        ;   Value = Text
        )
    ;   atom_concat('no-', Flag, Long)
    ->  Value = false
    ;   Flag = Long,
        Value = true
    ),
    option_name(Flag, Name),
    Option =.. [Name, Value].

% option_name(+Flag, -Name): dashes become underscores.
option_name(Flag, Name) :-
    atomic_list_concat(Parts, -, Flag),
    atomic_list_concat(Parts, '_', Name).

% Options with types.
typed_options([], _, _, [], []).
typed_options([--|Words], _, _, Words, []) :- !.
typed_options([Word|Words], Module, How, Positional, Options) :-
    atom_concat(--, Long, Word),
    !,
    long_option(Long, Word, Words, Rest, Module, How, Positional, Positional1, Options, Options1),
    typed_options(Rest, Module, How, Positional1, Options1).
typed_options([Word|Words], Module, How, Positional, Options) :-
    atom_concat(-, Short, Word),
    Short \== '',
    !,
    atom_chars(Short, Flags),
    short_options(Flags, Word, Words, Rest, Module, How, Positional, Positional1, Options, Options1),
    typed_options(Rest, Module, How, Positional1, Options1).
typed_options([Word|Words], Module, How, [Word|Positional], Options) :-
    (   option(options_after_arguments(false), How)
    ->  Positional = Words,
        Options = []
    ;   typed_options(Words, Module, How, Positional, Options)
    ).

long_option(Long, Word, Words, Rest, Module, How, Positional0, Positional, Options0, Options) :-
    (   sub_atom(Long, Before, 1, After, =)
    ->  sub_atom(Long, 0, Before, _, Dashed),
        sub_atom(Long, _, After, 0, Text),
        Given = text(Text)
    ;   Dashed = Long,
        Given = none
    ),
    option_name(Dashed, Flag),
    (   opt_type_of(Module, Flag, Name, Type)
    ->  Positional = Positional0,
        flag_value(Given, Long, Flag, Type, Words, Rest, Value),
        add_option(Name, Value, Options0, Options)
    ;   Given == none,
        ( atom_concat(no_, Positive, Flag) ; atom_concat(no, Positive, Flag) ),
        opt_type_of(Module, Positive, Name, Type),
        default_of(Type, Default),
        negated(Default, Value)
    ->  Positional = Positional0,
        Rest = Words,
        add_option(Name, Value, Options0, Options)
    ;   Given == none,
        Flag == help
    ->  throw('$help')
    ;   option(unknown_option(pass), How)
    ->  Positional0 = [Word|Positional],
        Rest = Words,
        Options = Options0
    ;   unknown_option(Module, Flag)
    ).

unknown_option(Module, Flag) :-
    throw(error(opt_error(unknown_option(Module:Flag)), _)).

flag_value(text(Text), Long, _, Type, Rest, Rest, Value) :-
    typed_value(Type, Text, Long, Value).
flag_value(none, _, Flag, Type, Words, Rest, Value) :-
    (   default_of(Type, Value)
    ->  Rest = Words
    ;   Words = [Text|Rest]
    ->  typed_value(Type, Text, Flag, Value)
    ;   throw(error(opt_error(missing_value(Flag, Type)), _))
    ).

is_boolean(boolean).
is_boolean(boolean(_)).

default_of(Type, true) :- Type == boolean.
default_of(boolean(Default), Default).

negated(true, false).
negated(false, true).

short_options([], _, Rest, Rest, _, _, Positional, Positional, Options, Options).
short_options([Flag|Flags], Word, Words, Rest, Module, How, Positional0, Positional, Options0, Options) :-
    (   opt_type_of(Module, Flag, Name, Type)
    ->  (   default_of(Type, Value)
        ->  add_option(Name, Value, Options0, Options1),
            short_options(Flags, Word, Words, Rest, Module, How, Positional0, Positional, Options1, Options)
        ;   Flags == []
        ->  Positional = Positional0,
            flag_value(none, Flag, Flag, Type, Words, Rest, Value),
            add_option(Name, Value, Options0, Options)
        ;   atomic_list_concat(Flags, Text),
            typed_value(Type, Text, Flag, Value),
            Positional = Positional0,
            Rest = Words,
            add_option(Name, Value, Options0, Options)
        )
    ;   memberchk(Flag, [h, ?])
    ->  throw('$help')
    ;   option(unknown_option(pass), How)
    ->  Positional0 = [Word|Positional],
        Rest = Words,
        Options = Options0
    ;   unknown_option(Module, Flag)
    ).

opt_type_of(Module, Flag, Name, Type) :-
    call(Module:opt_type(Flag, Name, Type)),
    !.

add_option(Name, Value, [Option|Options], Options) :-
    Option =.. [Name, Value].

% typed_value(+Type, +Text, +Shown, -Value): Value is what a text means as one of a type.
typed_value(Type, Text, Shown, Value) :-
    (   value_of(Type, Text, Value0)
    ->  Value = Value0
    ;   throw(error(opt_error(value_type(Shown, Type, Text)), _))
    ).

value_of(Type, _, _) :-
    var(Type),
    !,
    instantiation_error(Type).
value_of((A | B), Text, Value) :- !, ( value_of(A, Text, Value) -> true ; value_of(B, Text, Value) ).
value_of((A ; B), Text, Value) :- !, ( value_of(A, Text, Value) -> true ; value_of(B, Text, Value) ).
value_of(boolean, Text, Value) :- !, truth(Text, Value).
value_of(boolean(_), Text, Value) :- !, truth(Text, Value).
value_of(integer, Text, Value) :- !, atom_number(Text, Value), integer(Value).
value_of(nonneg, Text, Value) :- !, atom_number(Text, Value), integer(Value), Value >= 0.
value_of(natural, Text, Value) :- !, atom_number(Text, Value), integer(Value), Value >= 1.
value_of(number, Text, Value) :- !, atom_number(Text, Value).
value_of(float, Text, Value) :- !, atom_number(Text, Number), Value is float(Number).
value_of(between(Low, High), Text, Value) :-
    !,
    atom_number(Text, Number),
    Number >= Low,
    Number =< High,
    (   integer(Low), integer(High)
    ->  integer(Number),
        Value = Number
    ;   Value is float(Number)
    ).
value_of(atom, Text, Text) :- !.
value_of(string, Text, Value) :- !, atom_string(Text, Value).
value_of(term, Text, Value) :- !, term_to_atom(Value, Text).
value_of(term(Options), Text, Value) :-
    !,
    term_string(Term, Text, Options),
    (   option(variable_names(Names), Options)
    ->  Value = Term-Names
    ;   Value = Term
    ).
value_of(oneof(Values), Text, Text) :- !, memberchk(Text, Values).
value_of(file, Text, Text) :- !.
value_of(directory, Text, Text) :- !.
value_of(file(Access), Text, Text) :-
    !,
    (   access_file(Text, Access)
    ->  true
    ;   throw(error(opt_error(access_file(Text, Access)), _))
    ).
value_of(directory(Access), Text, Text) :-
    !,
    (   exists_directory(Text),
        access_file(Text, Access)
    ->  true
    ;   throw(error(opt_error(access_directory(Text, Access)), _))
    ).
value_of(Type, Text, Value) :-
    atom_string(Text, String),
    (   catch(is_of_type(Type, Text), _, fail)
    ->  Value = Text
    ;   catch(term_to_atom(Value, Text), _, fail),
        catch(is_of_type(Type, Value), _, fail)
    ->  true
    ;   catch(is_of_type(Type, String), _, fail)
    ->  Value = String
    ).

truth(Text, Value) :-
    (   memberchk(Text, [true, on, '1'])
    ->  Value = true
    ;   memberchk(Text, [false, off, '0'])
    ->  Value = false
    ).

% argv_usage(:How): prints the options of a program, with what opt_help(Name, Text) and opt_meta(Name, Text) say of them.
argv_usage(Spec) :-
    split_module(Spec, Module, _),
    print_message(help, '$usage'(Module)).

usage(Module) -->
    usage_help(Module, help(header)),
    usage_line(Module),
    [ nl, nl, 'Options:' ],
    { usage_table(Module, Rows), widest(Rows, 0, Width) },
    usage_rows(Rows, Width),
    usage_footer(Module).

usage_table(Module, ['-h, -?, --help'-'Show this help message and exit'|Rows]) :-
    findall(Name-Type, ( call(Module:opt_type(_, Name, Type)) ), Pairs0),
    first_of_each(Pairs0, [], Pairs),
    findall(Left-Help,
            ( member(Name-Type, Pairs), usage_left(Module, Name, Type, Left), help_of(Module, Name, Help) ),
            Rows).

option_error(unknown_option(_:Flag)) -->
    { dashed(Flag, Dashed) },
    [ 'Unknown option: ~w (-h for help)'-[Dashed] ].
option_error(missing_value(Flag, Type)) -->
    { dashed(Flag, Dashed) },
    [ 'Option ~w requires an argument (of type ~p)'-[Dashed, Type] ].
option_error(value_type(Flag, Type, Text)) -->
    { dashed(Flag, Dashed) },
    [ 'Option ~w requires a value of type ~p (found ~w)'-[Dashed, Type, Text] ].
option_error(access_file(File, Access)) -->
    [ 'File ~w: cannot be used for ~w'-[File, Access] ].
option_error(access_directory(Directory, Access)) -->
    [ 'Directory ~w: cannot be used for ~w'-[Directory, Access] ].

dashed(Flag, Dashed) :-
    (   atom_length(Flag, 1)
    ->  atom_concat(-, Flag, Dashed)
    ;   atomic_list_concat(Parts, '_', Flag),
        atomic_list_concat(Parts, -, Long),
        atom_concat(--, Long, Dashed)
    ).

first_of_each([], _, []).
first_of_each([Name-Type|Pairs0], Seen, Pairs) :-
    (   memberchk(Name, Seen)
    ->  first_of_each(Pairs0, Seen, Pairs)
    ;   Pairs = [Name-Type|Pairs1],
        first_of_each(Pairs0, [Name|Seen], Pairs1)
    ).

usage_help(Module, What) -->
    (   { help_of(Module, What, Text), Text \== '' }
    ->  [ '~w'-[Text], nl ]
    ;   []
    ).

usage_footer(Module) -->
    (   { help_of(Module, help(footer), Text), Text \== '' }
    ->  [ nl, '~w'-[Text] ]
    ;   []
    ).

usage_line(Module) -->
    {   help_of(Module, help(usage), Text0),
        ( Text0 == '' -> Text = ' [options]' ; Text = Text0 )
    },
    [ 'Usage: program~w'-[Text] ].

help_of(Module, What, Text) :-
    (   current_predicate(Module:opt_help/2),
        call(Module:opt_help(What, Text0))
    ->  Text = Text0
    ;   Text = ''
    ).

% usage_left(+Module, +Name, +Type, -Left): the flags of an option, short ones first, with what stands for the value.
usage_left(Module, Name, Type, Left) :-
    findall(Flag, call(Module:opt_type(Flag, Name, _)), Flags),
    partition(one_letter, Flags, Short, Long),
    (   ( is_boolean(Type) )
    ->  Meta = ''
    ;   meta_of(Module, Name, Type, Meta)
    ),
    findall(Part, ( member(Flag, Short), flag_part(Flag, ' ', Meta, Part)
                  ; member(Flag, Long), flag_part(Flag, =, Meta, Part)
                  ), Parts),
    atomic_list_concat(Parts, ', ', Left).

one_letter(Flag) :- atom_length(Flag, 1).

flag_part(Flag, Between, Meta, Part) :-
    dashed(Flag, Dashed),
    (   Meta == ''
    ->  Part = Dashed
    ;   atomic_list_concat([Dashed, Between, Meta], Part)
    ).

meta_of(Module, Name, Type, Meta) :-
    (   current_predicate(Module:opt_meta/2),
        call(Module:opt_meta(Name, Meta0))
    ->  Meta = Meta0
    ;   functor(Type, TypeName, _),
        upcase_atom(TypeName, Meta)
    ).

widest([], Width, Width).
widest([Left-_|Rows], Width0, Width) :-
    atom_length(Left, Length),
    Width1 is max(Width0, Length),
    widest(Rows, Width1, Width).

usage_rows([], _) --> [].
usage_rows([Left-Help|Rows], Width) -->
    { Column is Width + 1 },
    [ nl, '~w~t~*|~w'-[Left, Column, Help] ],
    usage_rows(Rows, Width).

% cli_parse_debug_options(+Options0, -Options): takes --debug=Topic out of the options, and switches on those topics.
cli_parse_debug_options(Options0, Options) :-
    partition(debug_option, Options0, Debug, Options),
    forall(( member(Option, Debug), arg(1, Option, Topic) ), switch_on(Topic)).

debug_option(Option) :- compound(Option), functor(Option, debug, 1).

switch_on(Topic) :-
    catch(term_to_atom(Term, Topic), _, Term = Topic),
    debug(Term).

% cli_enable_development_system: does nothing: there are no tools that a script runs without.
cli_enable_development_system.
