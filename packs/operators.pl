% Operators that hold for a while.
:- module(operators, [
    push_operators/1,
    push_operators/2,
    pop_operators/0,
    pop_operators/1,
    push_op/3
]).

:- meta_predicate
    push_operators(:),
    push_operators(:, -),
    push_op(+, +, :).

% push_operators(:Operators): defines the operators of a list of op(Priority, Type, Name) until pop_operators/0.
push_operators(Operators) :-
    push_operators(Operators, Undo),
    pushed(Stack),
    nb_setval('$pushed operators', [Undo|Stack]).

% push_operators(:Operators, -Undo): defines operators; Undo is for pop_operators/1.
push_operators(Operators, Undo) :-
    strip_module(Operators, Module, List),
    must_be(list, List),
    define(List, Module, [], Undo).

define([], _, Undo, Undo).
define([op(Priority, Type, Name)|Operators], Module, Undo0, Undo) :-
    before(Type, Module, Name, Undo0, Undo1),
    op(Priority, Type, Module:Name),
    define(Operators, Module, Undo1, Undo).

% The goals that restore an operator, or the operators of a list of names, are put in front.
before(Type, Module, Names, Undo0, Undo) :-
    is_list(Names),
    !,
    foldl(before(Type, Module), Names, Undo0, Undo).
before(Type, Module, Name, Undo, [op(Priority, Type0, Module:Name)|Undo]) :-
    place(Type, Place),
    (   current_op(Priority0, Known, Module:Name),
        place(Known, Place)
    ->  Priority = Priority0,
        Type0 = Known
    ;   Priority = 0,
        Type0 = Type
    ).

place(Type, Place) :-
    must_be(oneof([fx, fy, xf, yf, xfx, xfy, yfx]), Type),
    place_of(Type, Place).

place_of(fx, prefix).
place_of(fy, prefix).
place_of(xf, postfix).
place_of(yf, postfix).
place_of(xfx, infix).
place_of(xfy, infix).
place_of(yfx, infix).

% pop_operators: takes back what the last push_operators/1 has defined.
pop_operators :-
    pushed(Stack),
    (   Stack = [Undo|Rest]
    ->  nb_setval('$pushed operators', Rest),
        pop_operators(Undo)
    ;   existence_error(operators, pushed)
    ).

% pop_operators(+Undo): takes back what a push_operators/2 has defined.
pop_operators(Undo) :-
    must_be(list, Undo),
    forall(member(op(Priority, Type, Name), Undo), op(Priority, Type, Name)).

% push_op(+Priority, +Type, :Name): defines an operator until the next pop_operators/0.
push_op(Priority, Type, Spec) :-
    strip_module(Spec, Module, Name),
    push_operators(Module:[op(Priority, Type, Name)], Undo0),
    pushed(Stack0),
    (   Stack0 = [Top|Stack]
    ->  append(Undo0, Top, Undo)
    ;   Stack = [],
        Undo = Undo0
    ),
    nb_setval('$pushed operators', [Undo|Stack]).

pushed(Stack) :-
    (   nb_current('$pushed operators', Stack0)
    ->  Stack = Stack0
    ;   Stack = []
    ).
