% Settings of an application: names with a type, a default and a comment, whose values can be changed, saved and loaded.
:- module(settings, [
    setting/3,
    setting/4,
    setting/2,
    set_setting/2,
    set_setting_default/2,
    restore_setting/1,
    load_settings/1,
    load_settings/2,
    save_settings/0,
    save_settings/1,
    current_setting/1,
    setting_property/2,
    list_settings/0,
    list_settings/1,
    convert_setting_text/3
]).

:- meta_predicate
    setting(:, +, +),
    setting(:, +, +, +),
    setting(:, ?),
    set_setting(:, +),
    set_setting_default(:, +),
    restore_setting(:),
    current_setting(:),
    setting_property(:, ?).

:- multifile
    declared/5,
    from_outside/4,
    eval_default/4,
    convert_text/4.

:- dynamic
    declared/5,
    from_outside/4,
    eval_default/4,
    convert_text/4,
    value/3,
    default_value/3,
    settings_file/1.

% setting(:Name, +Type, +Default, +Comment): a directive that declares a setting. Default may be an expression, env(Variable), env(Variable, Default) or setting(Name).
setting(Name0, Type, Default, Comment) :-
    '$strip_module'(Name0, Module, Name),
    checked(Name, Type, Default, Comment, Module),
    retractall(declared(Name, Module, _, _, _)),
    assertz(declared(Name, Module, Type, Default, Comment)).

expanded(Name0, Type, Default, Comment, settings:declared(Name, Module, Type, Default, Comment)) :-
    prolog_load_context(module, Module0),
    '$strip_module'(Module0:Name0, Module, Name),
    checked(Name, Type, Default, Comment, Module).

% setting(:Name, +Type, +Options): a directive that declares a setting whose value is given when the program starts, by --set or the environment. Options: default(Value), title(Text), description(Text), secret(Bool).
setting(Name0, Type, Options) :-
    '$strip_module'(Name0, Module, Name),
    outside(Name, Type, Options, Module, Clauses),
    retractall(declared(Name, Module, _, _, _)),
    retractall(from_outside(Name, Module, _, _)),
    maplist(assertz, Clauses).

% outside(+Name, +Type, +Options, +Module, -Clauses): Clauses are the clauses of a setting whose value is given when
% the program starts. Without a default, a value has to be given.
outside(Name, Type, Options, Module, [settings:declared(Name, Module, Type, Default, Comment),
        settings:from_outside(Name, Module, Title, Secret)]) :-
    must_be(atom, Name),
    must_be(nonvar, Type),
    must_be(list, Options),
    forall(member(Option, Options), outside_option(Option)),
    option(description(Comment), Options, ''),
    option(title(Title), Options, Name),
    option(secret(Secret), Options, false),
    maplist(must_be(text), [Comment, Title]),
    must_be(boolean, Secret),
    (   option(default(Default), Options)
    ->  (   memberchk(Type, [file, directory])
        ->  must_be(atom, Default)
        ;   checked(Name, Type, Default, Comment, Module)
        )
    ;   Default = '$given'
    ),
    (   catch(given_text(Name, Text), error(permission_error(_, _, _), _), fail),
        \+ catch(text_value(Type, Module, Text, _), _, fail)
    ->  type_error(Type, given(Name))    % without the value, which may be secret
    ;   true
    ).

outside_option(Option) :-
    (   nonvar(Option),
        memberchk(Option, [default(_), title(_), description(_), secret(_)])
    ->  true
    ;   domain_error(setting_option, Option)
    ).

given_text(Name, Text) :-
    catch('$setting_given'(Name, Text), error(existence_error(procedure, _), _), fail).

% given_settings(-Settings): the settings that are given from outside, setting(Name, Type, Default, Title, Comment,
% Secret, Given).
given_settings(Settings) :-
    findall(setting(Name, Type, Default, Title, Comment, Secret, Given),
            ( from_outside(Name, Module, Title, Secret),
              declared(Name, Module, Type, Default0, Comment),
              ( Default0 == '$given' -> Default = none ; evaluated(Default0, Module, Type, V), Default = some(V) ),
              ( given_text(Name, _) -> Given = true ; Given = false ) ),
            Settings).

checked(Name, Type, Default, Comment, Module) :-
    must_be(atom, Name),
    must_be(nonvar, Type),
    must_be(text, Comment),
    (   refers(Default)
    ->  true
    ;   evaluated(Default, Module, Type, Value),
        must_be(Type, Value)
    ).

% The value of a default that is an expression is not known before the program runs.
refers(Default) :-
    must_be(nonvar, Default),
    sub_term(Part, Default),
    nonvar(Part),
    ( Part = setting(_) ; Part = env(_) ; Part = env(_, _) ),
    !.

% setting(:Name, ?Value): Value is the value of a setting, or its default.
setting(Name0, Value) :-
    '$strip_module'(Name0, Module, Name),
    (   atom(Name)
    ->  current_value(Name, Module, Value0),
        Value = Value0
    ;   declared(Name, Module, _, _, _),
        current_value(Name, Module, Value)
    ).

current_value(Name, Module, Value) :-
    (   value(Name, Module, Value0)
    ->  Value = Value0
    ;   from_outside(Name, Module, _, _),
        given_text(Name, Text),
        declared(Name, Module, Type, _, _)
    ->  text_value(Type, Module, Text, Value)
    ;   the_default(Name, Module, Value)
    ).

the_default(Name, Module, Value) :-
    setting_type(Name, Module, Type, Declared),
    (   default_value(Name, Module, Default)
    ->  true
    ;   Default = Declared
    ),
    (   Default == '$given'
    ->  existence_error(value_of_setting, Name)
    ;   true
    ),
    evaluated(Default, Module, Type, Value).

setting_type(Name, Module, Type, Default) :-
    (   declared(Name, Module, Type0, Default0, _)
    ->  Type = Type0,
        Default = Default0
    ;   existence_error(setting, Module:Name)
    ).

% evaluated(+Expression, +Module, +Type, -Value): the value of a default.
evaluated(Expression, Module, Type, Value) :-
    (   eval_default(Expression, Module, Type, Value0)
    ->  Value = Value0
    ;   term_value(Expression, Module, Type, Value)
    ).

term_value(Var, _, _, _) :-
    var(Var),
    !,
    instantiation_error(Var).
term_value(setting(Name0), Module0, _, Value) :-
    !,
    '$strip_module'(Module0:Name0, Module, Name),
    current_value(Name, Module, Value).
term_value(env(Variable), Module, Type, Value) :-
    !,
    (   getenv(Variable, Text)
    ->  text_value(Type, Module, Text, Value)
    ;   existence_error(environment_variable, Variable)
    ).
term_value(env(Variable, Default), Module, Type, Value) :-
    !,
    (   getenv(Variable, Text)
    ->  text_value(Type, Module, Text, Value)
    ;   evaluated(Default, Module, Type, Value)
    ).
term_value(A + B, Module, Type, Value) :-
    \+ numeric(Type),
    !,
    evaluated(A, Module, Type, ValueA),
    evaluated(B, Module, Type, ValueB),
    atomic_list_concat([ValueA, ValueB], Value).
term_value(Expression, Module, Type, Value) :-
    numeric(Type),
    callable(Expression),
    !,
    Expression =.. [Functor|Args0],
    maplist([A, V]>>evaluated(A, Module, Type, V), Args0, Args),
    Plain =.. [Functor|Args],
    Value is Plain.
term_value(Value, _, _, Value).

numeric(Type) :-
    nonvar(Type),
    memberchk(Type, [integer, float, number, rational, nonneg, positive_integer, between(_, _)]).

% set_setting(:Name, +Value): changes the value of a setting and broadcasts settings(changed(Name, Old, New)).
set_setting(Name0, Value) :-
    '$strip_module'(Name0, Module, Name),
    setting_type(Name, Module, Type, _),
    must_be(Type, Value),
    catch(current_value(Name, Module, Old), error(existence_error(value_of_setting, _), _), Old = '$given'),
    (   Old == Value
    ->  true
    ;   retractall(value(Name, Module, _)),
        (   catch(the_default(Name, Module, Default), _, fail),
            Default == Value
        ->  true
        ;   assertz(value(Name, Module, Value))
        ),
        broadcast(settings(changed(Module:Name, Old, Value)))
    ).

% set_setting_default(:Name, +Default): changes the default of a setting, which becomes its value.
set_setting_default(Name0, Default) :-
    '$strip_module'(Name0, Module, Name),
    setting_type(Name, Module, Type, _),
    evaluated(Default, Module, Type, Value),
    must_be(Type, Value),
    current_value(Name, Module, Old),
    retractall(default_value(Name, Module, _)),
    assertz(default_value(Name, Module, Default)),
    retractall(value(Name, Module, _)),
    current_value(Name, Module, New),
    (   Old == New
    ->  true
    ;   broadcast(settings(changed(Module:Name, Old, New)))
    ).

% restore_setting(:Name): gives a setting its default value.
restore_setting(Name0) :-
    '$strip_module'(Name0, Module, Name),
    setting_type(Name, Module, _, _),
    current_value(Name, Module, Old),
    retractall(value(Name, Module, _)),
    the_default(Name, Module, New),
    (   Old == New
    ->  true
    ;   broadcast(settings(changed(Module:Name, Old, New)))
    ).

% current_setting(:Name): Name is a setting of the module.
current_setting(Name0) :-
    '$strip_module'(Name0, Module, Name),
    declared(Name, Module, _, _, _).

% setting_property(:Name, ?Property): comment(Text), type(Type), default(Value) or source(File) of a setting.
setting_property(Name0, Property) :-
    '$strip_module'(Name0, Module, Name),
    declared(Name, Module, Type, _, Comment),
    (   Property = comment(Comment)
    ;   Property = type(Type)
    ;   Property = default(Default),
        the_default(Name, Module, Default)
    ).

% load_settings(+File): takes the values from a file of save_settings/1; does nothing if there is no such file.
load_settings(File) :-
    load_settings(File, []).

% load_settings(+File, +Options): with undefined(error) settings that are not declared are reported;
% with undefined(load), the default, they are ignored.
load_settings(File, Options) :-
    must_be(list, Options),
    option(undefined(Undefined), Options, load),
    retractall(settings_file(_)),
    assertz(settings_file(File)),
    (   catch(exists_file(File), error(permission_error(_, _, _), _), fail)
    ->  read_file_to_terms(File, Terms, []),
        maplist(loaded(Undefined), Terms)
    ;   true
    ).

loaded(Undefined, Term) :-
    (   Term = setting(Module:Name, Value),
        atom(Name)
    ->  (   declared(Name, Module, _, _, _)
        ->  catch(set_setting(Module:Name, Value), Error, print_message(warning, Error))
        ;   Undefined == error
        ->  catch(existence_error(setting, Module:Name), Error, print_message(warning, Error))
        ;   true
        )
    ;   catch(type_error(setting, Term), Error, print_message(warning, Error))
    ).

% save_settings: writes the values that are not the defaults to the file of load_settings/1.
save_settings :-
    (   settings_file(File)
    ->  save_settings(File)
    ;   existence_error(settings_file, settings)
    ).

% save_settings(+File): writes the values that are not the defaults to a file.
save_settings(File) :-
    setup_call_cleanup(
        open(File, write, Stream),
        forall(value(Name, Module, Value), save(Stream, Name, Module, Value)),
        close(Stream)).

save(Stream, Name, Module, Value) :-
    (   declared(Name, Module, _, _, Comment)
    ->  split_string(Comment, "\n", "", Lines),
        forall(member(Line, Lines), format(Stream, '%\t~s~n', [Line]))
    ;   true
    ),
    format(Stream, '~q.~n~n', [setting(Module:Name, Value)]).

% list_settings: prints all settings.
list_settings :-
    list_settings(_).

% list_settings(?Module): prints the settings of a module.
list_settings(Module) :-
    rule,
    format('~w~t~26|~w ~w~n', ['Name', 'Value (*=modified)', 'Comment']),
    rule,
    forall(declared(Name, Module, _, _, Comment), list_one(Name, Module, Comment)).

rule :-
    format('~`=t~72|~n').

list_one(Name, Module, Comment) :-
    (   from_outside(Name, Module, _, true)
    ->  Value = '<secret>'
    ;   catch(current_value(Name, Module, Value), _, Value = '<unknown>')
    ),
    ( value(Name, Module, _) -> Mark = (*) ; Mark = '' ),
    format('~q~t~26|~q~w~t~41|~w~n', [Module:Name, Value, Mark, Comment]).

% convert_setting_text(+Type, +Text, -Value): Value is what Text stands for as a value of Type.
convert_setting_text(Type, Text, Value) :-
    text_value(Type, user, Text, Value).

text_value(Type, Module, Text, Value) :-
    convert_text(Type, Module, Text, Value),
    !.
text_value(Type, _, Text, Value) :-
    memberchk(Type, [atom, file, directory]),
    !,
    atom_string(Value, Text).
text_value(string, _, Text, Value) :-
    !,
    text_to_string(Text, Value).
text_value(oneof(Values), _, Text, Value) :-
    !,
    atom_string(Value, Text),
    must_be(oneof(Values), Value).
text_value(Type, Module, Text, Value) :-
    term_string(Term, Text),
    (   numeric(Type)
    ->  evaluated(Term, Module, Type, Value0),
        as_type(Type, Value0, Value)
    ;   switch(Type),
        boolean(Term, Value0)
    ->  Value = Value0
    ;   Value = Term
    ),
    must_be(Type, Value).

switch(boolean).
switch(bool).

boolean(true, true).
boolean(on, true).
boolean(yes, true).
boolean(false, false).
boolean(off, false).
boolean(no, false).

as_type(float, Value0, Value) :-
    !,
    Value is float(Value0).
as_type(_, Value, Value).
