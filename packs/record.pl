% Compounds whose arguments have names, types and defaults. The directive record/1 defines predicates that make, read and change them.
:- module(record, [
    record/1,
    current_record/2,
    current_record_predicate/2,
    op(1150, fx, record)
]).

:- meta_predicate
    record(:),
    current_record(:, -),
    current_record_predicate(:, -).

:- multifile
    declared/3.

:- dynamic
    declared/3.

% record(:Specifications): a directive: terms Name(Field, ...), each Field being Name, Name:Type, Name=Default or Name:Type=Default.
record(Spec) :-
    throw(error(context_error(nodirective, record(Spec)), _)).

% current_record(:Name, -Specification): Name is a record that was declared as Specification in the module.
current_record(Name0, Spec) :-
    '$strip_module'(Name0, Module, Name),
    declared(Module, Name, Spec).

% current_record_predicate(:Name, -Indicator): Indicator is a predicate that the declaration of a record has defined.
current_record_predicate(Name0, Indicator) :-
    '$strip_module'(Name0, Module, Name),
    declared(Module, Name, Spec),
    fields(Module, Spec, Fields),
    record_clauses(Name, Fields, Clauses),
    findall(N/A, ( member(Clause, Clauses), clause_indicator(Clause, N, A) ), Indicators0),
    list_to_set(Indicators0, Indicators),
    member(Indicator, Indicators).

clause_indicator(Clause, Name, Arity) :-
    ( Clause = (Head :- _) -> true ; Head = Clause ),
    functor(Head, Name, Arity).

expanded(Specs, Clauses) :-
    prolog_load_context(module, Module),
    must_be(nonvar, Specs),
    comma_list(Specs, List),
    maplist(declaration(Module), List, Lists),
    append(Lists, Clauses).

declaration(Module, Spec, [record:declared(Module, Name, Spec)|Clauses]) :-
    must_be(callable, Spec),
    functor(Spec, Name, _),
    fields(Module, Spec, Fields),
    record_clauses(Name, Fields, Clauses).

% fields(+Module, +Specification, -Fields): terms field(Name, Type, Default).
fields(Module, Spec, Fields) :-
    Spec =.. [_|Args],
    maplist(field(Module), Args, Fields).

field(Module, Spec, field(Name, Type, Default)) :-
    must_be(nonvar, Spec),
    (   Spec = (Typed = Default)
    ->  true
    ;   Typed = Spec,
        Free = true
    ),
    (   Typed = Name:Type0
    ->  field_type(Module, Type0, Type)
    ;   Name = Typed,
        Type = any
    ),
    must_be(atom, Name),
    (   Free == true
    ->  true
    ;   must_be(Type, Default)
    ).

% A name that is no type is that of a record of the module.
field_type(Module, Type0, Type) :-
    (   atom(Type0),
        \+ current_type(Type0, _, _)
    ->  Type = record(Module:Type0)
    ;   Type = Type0
    ).

record_clauses(Name, Fields, Clauses) :-
    length(Fields, Arity),
    findall(Clause, general_clause(Name, Arity, Fields, Clause), General),
    findall(Clause, ( nth1(N, Fields, Field), field_clause(Name, Arity, N, Field, Clause) ), Each),
    append(General, Each, Clauses).

general_clause(Name, Arity, Fields, (Head :- Body)) :-
    functor(Record, Name, Arity),
    Record =.. [_|Args],
    atom_concat(is_, Name, Is),
    Head =.. [Is, Var],
    foldl(type_goal, Fields, Args, Goals, []),
    foldl([Goal, Rest, (Goal, Rest)]>>true, [subsumes_term(Record, Var), Var = Record], Types, Body),
    mkconj_list(Goals, Types).
general_clause(Name, _, Fields, Head) :-
    findall(Default, member(field(_, _, Default), Fields), Defaults),
    Record =.. [Name|Defaults],
    atom_concat(default_, Name, Functor),
    Head =.. [Functor, Record].
general_clause(Name, _, _, Clause) :-
    atomic_list_concat([make_, Name], Make),
    atomic_list_concat([default_, Name], Default),
    atomic_list_concat([set_, Name, '_fields'], Set),
    (   Head =.. [Make, Fields, Record],
        Call =.. [Make, Fields, Record, []],
        Clause = (Head :- Call)
    ;   Head =.. [Make, Fields, Record, Rest],
        Call1 =.. [Default, Record0],
        Call2 =.. [Set, Fields, Record0, Record, Rest],
        Clause = (Head :- Call1, Call2)
    ).
general_clause(Name, Arity, Fields, Head) :-
    atomic_list_concat([Name, '_data'], Data),
    nth1(N, Fields, field(Field, _, _)),
    functor(Record, Name, Arity),
    arg(N, Record, Value),
    Head =.. [Data, Field, Record, Value].
general_clause(Name, _, _, Clause) :-
    atomic_list_concat([set_, Name, '_fields'], Set),
    atomic_list_concat([set_, Name, '_field'], SetOne),
    (   Head =.. [Set, Fields, Record0, Record],
        Call =.. [Set, Fields, Record0, Record, []],
        Clause = (Head :- Call)
    ;   Clause =.. [Set, [], Record, Record, []]
    ;   Head =.. [Set, [Field|Fields], Record0, Record, Rest],
        One =.. [SetOne, Field, Record0, Record1],
        More =.. [Set, Fields, Record1, Record, Rest],
        Skip =.. [Set, Fields, Record0, Record, Rest1],
        Clause = (Head :- ( One -> More ; Rest = [Field|Rest1], Skip ))
    ).
general_clause(Name, Arity, Fields, (Head :- Check)) :-
    atomic_list_concat([set_, Name, '_field'], SetOne),
    nth1(N, Fields, field(Field, Type, _)),
    changed(Name, Arity, N, Record0, Value, Record),
    Setting =.. [Field, Value],
    Head =.. [SetOne, Setting, Record0, Record],
    check(Type, Value, Check).

field_clause(Name, Arity, N, field(Field, _, _), Head) :-
    atomic_list_concat([Name, '_', Field], Get),
    functor(Record, Name, Arity),
    arg(N, Record, Value),
    Head =.. [Get, Record, Value].
field_clause(Name, Arity, N, field(Field, Type, _), (Head :- Body)) :-
    atomic_list_concat([set_, Field, '_of_', Name], Set),
    check(Type, Value, Check),
    functor(Shape, Name, Arity),
    (   Head =.. [Set, Value, Record1],
        Body = ( Record1 = Shape, Check, setarg(N, Record1, Value) )
    ;   changed(Name, Arity, N, Record0, Value, Record),
        Head =.. [Set, Value, Record0, Record],
        Body = Check
    ;   atom_concat(nb_, Set, NbSet),
        Head =.. [NbSet, Value, Record1],
        Body = ( Record1 = Shape, Check, nb_setarg(N, Record1, Value) )
    ).

% changed(+Name, +Arity, +N, -Record0, -Value, -Record): Record is Record0 with Value as argument N.
changed(Name, Arity, N, Record0, Value, Record) :-
    functor(Record0, Name, Arity),
    Record0 =.. [_|Args0],
    nth1(N, Args0, _, Others),
    nth1(N, Args, Value, Others),
    Record =.. [Name|Args].

check(any, _, true) :-
    !.
check(Type, Value, error:must_be(Type, Value)).

type_goal(field(_, any, _), _, Goals, Goals) :-
    !.
type_goal(field(_, Type, _), Arg, [error:is_of_type(Type, Arg)|Goals], Goals).

mkconj_list([], true).
mkconj_list([Goal|Goals], Body) :-
    (   Goals == []
    ->  Body = Goal
    ;   Body = (Goal, Rest),
        mkconj_list(Goals, Rest)
    ).
