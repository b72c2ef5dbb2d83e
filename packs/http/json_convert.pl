% Terms of a program as JSON objects, as classic json([Name=Value, ...]). The directive json_object/1 names the arguments of terms and says their types.
:- module(json_convert, [
    prolog_to_json/2,
    json_to_prolog/2,
    json_object/1,
    op(1150, fx, json_object)
]).

:- meta_predicate
    prolog_to_json(:, -),
    json_to_prolog(:, -).

% declared(Module, Name, Arity, Fields, Extra): Fields are terms field(Name, Type, Default), Extra are pairs that the JSON has besides.
:- multifile
    declared/5.

:- dynamic
    declared/5.

% json_object(+Specifications): a directive: terms Name(Field, ...), perhaps + [Name=Value, ...], each Field being Name, Name:Type or Name:Type=Default.
json_object(Specs) :-
    throw(error(context_error(nodirective, json_object(Specs)), _)).

expanded(Specs, Clauses) :-
    prolog_load_context(module, Module),
    must_be(nonvar, Specs),
    comma_list(Specs, List),
    maplist(declaration(Module), List, Clauses).

declaration(Module, Spec0, json_convert:declared(Module, Name, Arity, Fields, Extra)) :-
    (   nonvar(Spec0), Spec0 = Spec + Extra
    ->  must_be(list, Extra)
    ;   Spec = Spec0, Extra = []
    ),
    must_be(compound, Spec),
    compound_name_arguments(Spec, Name, Args),
    length(Args, Arity),
    maplist(field, Args, Fields).

% field(+Argument, -Field): the default is default(Value) or none.
field(Arg, field(Name, Type, Default)) :-
    must_be(nonvar, Arg),
    (   Arg = (Typed = Value)
    ->  Default = default(Value)
    ;   Typed = Arg, Default = none
    ),
    (   nonvar(Typed), Typed = Name:Type
    ->  must_be(nonvar, Type)
    ;   Name = Typed, Type = any
    ),
    must_be(atom, Name).

% prolog_to_json(:Term, -JSON): Term with its declared terms as JSON objects, also those in lists and in arguments.
prolog_to_json(Term0, JSON) :-
    '$strip_module'(Term0, Module, Term),
    to_json(Term, Module, JSON).

to_json(Term, _, _) :-
    var(Term),
    !,
    throw(error(instantiation_error, _)).
to_json(Term, _, JSON) :-
    atomic(Term),
    !,
    JSON = Term.
to_json(Term, Module, JSON) :-
    is_list(Term),
    !,
    maplist([Element, One]>>to_json(Element, Module, One), Term, JSON).
to_json(Term, Module, json(Pairs)) :-
    compound_name_arguments(Term, Name, Args),
    length(Args, Arity),
    declared(Module, Name, Arity, Fields, Extra),
    foldl(field_to_json(Module), Fields, Args, Pairs, Extra),
    !.
to_json(Term, _, _) :-
    throw(error(type_error(json_term, Term), _)).

% A field that may be null has no pair where it has no value.
field_to_json(Module, field(Name, Types, _), Value, Pairs, Rest) :-
    alternative(Types, Type),
    (   Type == null
    ->  ( var(Value) -> true ; Value == null ),
        Pairs = Rest
    ;   nonvar(Value),
        value_to_json(Type, Module, Value, JSON),
        Pairs = [Name=JSON|Rest]
    ),
    !.

alternative(Types, Type) :-
    (   Types = (First | Others)
    ->  ( alternative(First, Type) ; alternative(Others, Type) )
    ;   Type = Types
    ).

value_to_json(any, Module, Value, JSON) :-
    !,
    to_json(Value, Module, JSON).
value_to_json(boolean, _, Value, @(Truth)) :-
    !,
    truth(Value, Truth).
value_to_json(list, Module, Value, JSON) :-
    !,
    value_to_json(list(any), Module, Value, JSON).
value_to_json(list(Type), Module, Value, JSON) :-
    !,
    is_list(Value),
    maplist([Element, One]>>value_to_json(Type, Module, Element, One), Value, JSON).
value_to_json(Type, Module, Value, JSON) :-
    object_type(Type, Module, Name, Arity),
    !,
    compound_name_arity(Value, Name, Arity),
    to_json(Value, Module, JSON).
value_to_json(Type, _, Value, Value) :-
    is_of_type(Type, Value).

% object_type(+Type, +Module, -Name, -Arity): Type is the name of declared objects, or Name/Arity.
object_type(Name/Arity, _, Name, Arity) :- !.
object_type(Name, Module, Name, Arity) :-
    atom(Name),
    declared(Module, Name, Arity, _, _).

truth(true, true).
truth(on, true).
truth(1, true).
truth(false, false).
truth(fail, false).
truth(off, false).
truth(0, false).

% json_to_prolog(:JSON, -Term): JSON with those objects as terms that have the fields of a declared one; of several it is the one with most arguments.
json_to_prolog(JSON0, Term) :-
    '$strip_module'(JSON0, Module, JSON),
    from_json(JSON, Module, Term).

from_json(JSON, _, _) :-
    var(JSON),
    !,
    throw(error(instantiation_error, _)).
from_json(json(Pairs0), Module, Term) :-
    !,
    must_be(list, Pairs0),
    maplist(pair, Pairs0, Names, Values),
    maplist([Name, Value, Name-Value]>>true, Names, Values, Pairs),
    (   object(Pairs, Module, Term)
    ->  true
    ;   maplist({Module}/[Value, Converted]>>from_json(Value, Module, Converted), Values, Terms),
        maplist([Name, Converted, Name=Converted]>>true, Names, Terms, Others),
        Term = json(Others)
    ).
from_json(JSON, Module, Term) :-
    is_list(JSON),
    !,
    maplist({Module}/[Element, One]>>from_json(Element, Module, One), JSON, Term).
from_json(JSON, _, JSON).

pair(Pair, Name, Value) :-
    (   nonvar(Pair), ( Pair = (Name = Value) ; Pair = Name-Value )
    ->  true
    ;   throw(error(type_error(json_pair, Pair), _))
    ).

object(Pairs, Module, Term) :-
    findall(Arity-(Name-Fields), declared(Module, Name, Arity, Fields, _), Declared),
    sort(1, @>=, Declared, Sorted),
    member(_-(Name-Fields), Sorted),
    maplist(field_from_json(Pairs, Module), Fields, Args),
    !,
    compound_name_arguments(Term, Name, Args).

field_from_json(Pairs, Module, field(Name, Types, Default), Value) :-
    (   memberchk(Name-JSON, Pairs)
    ->  alternative(Types, Type),
        value_from_json(Type, Module, JSON, Value)
    ;   Default = default(Value)
    ->  true
    ;   alternative(Types, null)
    ),
    !.

value_from_json(any, Module, JSON, Value) :-
    !,
    from_json(JSON, Module, Value).
value_from_json(boolean, _, JSON, Truth) :-
    !,
    ( JSON = @(Value) -> true ; Value = JSON ),
    truth(Value, Truth).
value_from_json(list, Module, JSON, Value) :-
    !,
    value_from_json(list(any), Module, JSON, Value).
value_from_json(list(Type), Module, JSON, Value) :-
    !,
    is_list(JSON),
    maplist({Type, Module}/[Element, One]>>value_from_json(Type, Module, Element, One), JSON, Value).
value_from_json(Type, Module, JSON, Value) :-
    object_type(Type, Module, Name, Arity),
    !,
    from_json(JSON, Module, Value),
    compound(Value),
    compound_name_arity(Value, Name, Arity).
value_from_json(Type, _, JSON, JSON) :-
    is_of_type(Type, JSON).
