% Arithmetic functions that a program defines: calls of predicates that the expressions of its clauses stand for.
:- module(arithmetic, [
    arithmetic_function/1,
    arithmetic_expression_value/2
]).

:- meta_predicate
    arithmetic_function(:),
    arithmetic_expression_value(:, -).

:- dynamic
    function/3.

:- multifile
    system:goal_expansion/2.

:- dynamic
    system:goal_expansion/2.

% arithmetic_function(:Indicator): the predicate Name/Arity+1 is a function of arithmetic in the clauses that follow in its module; its last argument is the value.
arithmetic_function(Spec0) :-
    '$strip_module'(Spec0, Module, Spec),
    must_be(nonvar, Spec),
    (   Spec = Name/Arity,
        atom(Name),
        integer(Arity)
    ->  (   function(Name, Arity, Module)
        ->  true
        ;   assertz(function(Name, Arity, Module))
        )
    ;   throw(error(type_error(predicate_indicator, Spec), _))
    ).

% arithmetic_expression_value(:Expression, -Value): Value is that of an expression, in which functions of the program may stand.
arithmetic_expression_value(Expression0, Value) :-
    '$strip_module'(Expression0, Module, Expression),
    expression(Expression, Module, Plain, Calls, true),
    Module:Calls,
    Value is Plain.

% A comparison or is/2 whose expressions call functions of the program becomes the calls and the rest.
system:goal_expansion(Goal, Expanded) :- arithmetic:expanded(Goal, Expanded).

expanded(Goal, Expanded) :-
    function(_, _, _),
    nonvar(Goal),
    evaluation(Goal, Plain, Pairs),
    prolog_load_context(module, Module),
    expressions(Pairs, Module, Calls, Plain),
    Calls \== Plain,
    Expanded = Calls.

evaluation(X is A, X is B, [A-B]).
evaluation(A =:= B, C =:= D, [A-C, B-D]).
evaluation(A =\= B, C =\= D, [A-C, B-D]).
evaluation(A < B, C < D, [A-C, B-D]).
evaluation(A > B, C > D, [A-C, B-D]).
evaluation(A =< B, C =< D, [A-C, B-D]).
evaluation(A >= B, C >= D, [A-C, B-D]).

expressions([], _, Goal, Goal).
expressions([A-B|Pairs], Module, Calls, Goal) :-
    expression(A, Module, B, Calls, Rest),
    expressions(Pairs, Module, Rest, Goal).

% expression(+Expression, +Module, -Plain, -Calls, ?Rest): Plain is Expression with variables for the calls of functions.
expression(E, _, E, Rest, Rest) :- \+ callable(E), !.
expression(E, Module, Plain, Calls, Rest) :-
    E =.. [Name|Args],
    functor(E, Name, Arity),
    expression_list(Args, Module, Plains, Calls, Rest0),
    (   function(Name, Arity, Home),
        ( Home == Module ; Home == user )
    ->  values(Plains, Values, Rest0, (Call, Rest)),
        append(Values, [Plain], CallArgs),
        Call0 =.. [Name|CallArgs],
        ( Home == Module -> Call = Call0 ; Call = Home:Call0 )
    ;   Rest0 = Rest,
        Plain =.. [Name|Plains]
    ).

expression_list([], _, [], Rest, Rest).
expression_list([A|As], Module, [B|Bs], Calls, Rest) :-
    expression(A, Module, B, Calls, Rest0),
    expression_list(As, Module, Bs, Rest0, Rest).

% A function gets values.
values([], [], Rest, Rest).
values([Plain|Plains], [Value|Values], Calls, Rest) :-
    (   compound(Plain)
    ->  Calls = (Value is Plain, Rest0)
    ;   Value = Plain,
        Calls = Rest0
    ),
    values(Plains, Values, Rest0, Rest).

% evaluable(@Expression): Expression is evaluated by is/2, once its variables are bound. Programs for SWI-Prolog call it as
% arithmetic:evaluable/1.
evaluable(Expression) :-
    var(Expression),
    !.
evaluable(Expression) :-
    (   number(Expression)
    ->  true
    ;   Expression = [_]
    ->  true
    ;   string(Expression)
    ->  string_length(Expression, 1)
    ;   callable(Expression),
        current_arithmetic_function(Expression),
        ( compound(Expression) -> compound_name_arguments(Expression, _, Args) ; Args = [] ),
        maplist(evaluable, Args)
    ).
