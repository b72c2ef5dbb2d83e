% Properties of rules, tried with values made at random. What does not hold is made smaller before it is reported.
:- module(quickcheck, [
    quickcheck/1,
    quickcheck/2,
    given/1,
    arbitrary/2,
    arbitrary/3,
    shrink/3
]).

:- use_module(library(option)).
:- use_module(library(random)).

:- meta_predicate
    quickcheck(:),
    quickcheck(:, +),
    given(0).

:- multifile
    arbitrary/3,
    shrink/3.

% quickcheck(:Property): quickcheck/2 without options.
quickcheck(Property) :-
    quickcheck(Property, []).

% quickcheck(:Property, +Options): Property, a predicate Name/Arity, holds for many values of the types in its head.
%
% Its first clause has a head such as prop(Xs:list(integer), N:nonneg). There are 100 tests, or those of tests(Count).
% size(Most) bounds lists and small integers, 20 by default. The same seed(Seed) makes the same values, by default 0;
% seed(random) makes others each time. When the property fails or throws for some values, these are made as small as
% they get, and the error counterexample(Goal, Reason) is thrown.
quickcheck(Property0, Options) :-
    strip_module(Property0, Module, Property),
    must_be(list, Options),
    indicator(Property, Name, Arity),
    types(Module, Name, Arity, Types),
    option(tests(Count), Options, 100),
    must_be(nonneg, Count),
    option(size(Most), Options, 20),
    must_be(nonneg, Most),
    option(seed(Seed), Options, 0),
    set_random(seed(Seed)),
    tests(0, Count, 0, Most, run(Module, Name, Types, Seed)).

indicator(Property, _, _) :-
    var(Property),
    !,
    instantiation_error(Property).
indicator(Name/Arity, Name, Arity) :-
    !,
    must_be(atom, Name),
    must_be(nonneg, Arity).
indicator(Property, _, _) :-
    type_error(predicate_indicator, Property).

% types(+Module, +Name, +Arity, -Types): what the arguments of the head of the first clause say.
types(Module, Name, Arity, Types) :-
    functor(Head, Name, Arity),
    (   catch(clause(Module:Head, _), error(permission_error(_, _, _), _), fail)
    ->  true
    ;   existence_error(procedure, Module:Name/Arity)
    ),
    Head =.. [_|Arguments],
    maplist(type_of(Head), Arguments, Types).

type_of(_, Argument, Type) :-
    nonvar(Argument),
    Argument = _:Type0,
    ground(Type0),
    !,
    Type = Type0.
type_of(Head, _, _) :-
    domain_error(head_with_types, Head).

% tests(+Done, +Count, +Skipped, +Most, +Run): the tests from Done on. Sizes grow from 0 to Most and begin anew.
tests(Count, Count, _, _, _) :-
    !.
tests(Done, Count, Skipped, Most, Run) :-
    Size is (Done + Skipped) mod (Most + 1),
    Run = run(Module, Name, Types, Seed),
    values(Types, Size, Values),
    outcome(Module, Name, Types, Values, Outcome),
    (   Outcome == true
    ->  Done1 is Done + 1,
        tests(Done1, Count, Skipped, Most, Run)
    ;   Outcome == skipped
    ->  Skipped1 is Skipped + 1,
        (   Skipped1 > 20 * Count
        ->  throw(error(existence_error(test_values, Module:Name), _))
        ;   tests(Done, Count, Skipped1, Most, Run)
        )
    ;   smallest(1000, Module, Name, Types, Values, Outcome, Least, Reason),
        Goal =.. [Name|Least],
        Nth is Done + 1,
        format(string(Text), "test ~d of seed ~w", [Nth, Seed]),
        throw(error(counterexample(Module:Goal, Reason), context(_, Text)))
    ).

values([], _, []).
values([Type|Types], Size, [Value|Values]) :-
    made(Type, Size, Value),
    values(Types, Size, Values).

made(Type, Size, Value) :-
    (   arbitrary(Type, Size, Value0)
    ->  Value = Value0
    ;   existence_error(type, Type)
    ).

% outcome(+Module, +Name, +Types, +Values, -Outcome): true, false, skipped or threw(Ball).
outcome(Module, Name, Types, Values, Outcome) :-
    maplist(typed, Values, Types, Arguments),
    Goal =.. [Name|Arguments],
    catch(( Module:Goal -> Outcome = true ; Outcome = false ), Ball, thrown(Ball, Outcome)).

typed(Value, Type, Value:Type).

thrown('$not_given', Outcome) :-
    !,
    Outcome = skipped.
thrown(Ball, _) :-
    is_abort(Ball),
    !,
    throw(Ball).
thrown(Ball, threw(Ball)).

% Limits end the search as they end any goal.
is_abort('$aborted').
is_abort(error(resource_error(_), _)).

% smallest(+Tries, +Module, +Name, +Types, +Values, +Outcome, -Least, -Reason): goes on with the first smaller values for
% which the property does not hold either.
smallest(Tries, Module, Name, Types, Values, Outcome, Least, Reason) :-
    State = left(Tries),
    (   smaller(Types, Values, Values1),
        arg(1, State, Left0),
        (   Left0 =:= 0
        ->  !,
            fail
        ;   Left is Left0 - 1,
            nb_setarg(1, State, Left)
        ),
        outcome(Module, Name, Types, Values1, Outcome1),
        Outcome1 \== true,
        Outcome1 \== skipped
    ->  arg(1, State, Rest),
        smallest(Rest, Module, Name, Types, Values1, Outcome1, Least, Reason)
    ;   Least = Values,
        Reason = Outcome
    ).

% smaller(+Types, +Values, -Values1): one of the values is smaller.
smaller([Type|_], [Value|Values], [Value1|Values]) :-
    shrink(Type, Value, Value1).
smaller([_|Types], [Value|Values], [Value|Values1]) :-
    smaller(Types, Values, Values1).

% given(:Goal): in a property: values for which Goal fails are not tried.
given(Goal) :-
    (   call(Goal)
    ->  true
    ;   throw('$not_given')
    ).

% arbitrary(+Type, -Value): Value is a value of the type, made at random.
arbitrary(Type, Value) :-
    must_be(nonvar, Type),
    random_between(0, 20, Size),
    made(Type, Size, Value).

% arbitrary(+Type, +Size, -Value): Value is a value of the type, at random; Size bounds lists and small integers.
%
% It is multifile: a program adds clauses for types of its own.
arbitrary(any, Size, Value) :-
    random_member(Type, [integer, float, atom, string, boolean, list(atomic), pair]),
    arbitrary(Type, Size, Value).
arbitrary(atomic, Size, Value) :-
    random_member(Type, [integer, float, atom, string]),
    arbitrary(Type, Size, Value).
arbitrary(constant, Size, Value) :-
    arbitrary(atomic, Size, Value).
arbitrary(ground, Size, Value) :-
    arbitrary(any, Size, Value).
arbitrary(callable, Size, Value) :-
    arbitrary(atom, Size, Name),
    arbitrary(list(atomic), 3, Arguments),
    Value =.. [Name|Arguments].
arbitrary(boolean, _, Value) :-
    random_member(Value, [true, false]).
arbitrary(bool, Size, Value) :-
    arbitrary(boolean, Size, Value).
arbitrary(integer, Size, Value) :-
    (   maybe(0.1)
    ->  random_member(Value, [0, 1, -1, 255, 256, 2147483647, -2147483648, 9007199254740993, 1152921504606846976,
                              -9223372036854775808, 100000000000000000000])
    ;   Least is -Size,
        random_between(Least, Size, Value)
    ).
arbitrary(nonneg, Size, Value) :-
    arbitrary(integer, Size, Integer),
    Value is abs(Integer).
arbitrary(positive_integer, Size, Value) :-
    arbitrary(nonneg, Size, Integer),
    Value is max(1, Integer).
arbitrary(negative_integer, Size, Value) :-
    arbitrary(positive_integer, Size, Integer),
    Value is -Integer.
arbitrary(between(Low, High), _, Value) :-
    (   integer(Low),
        integer(High)
    ->  random_between(Low, High, Value)
    ;   Value is Low + (High - Low) * random_float
    ).
arbitrary(float, Size, Value) :-
    (   maybe(0.1)
    ->  random_member(Value, [0.0, -0.0, 1.0, -1.0, 0.1, 1.0e100, -1.0e100, 1.0e-300])
    ;   Value is (2 * random_float - 1) * (Size + 1)
    ).
arbitrary(rational, Size, Value) :-
    arbitrary(integer, Size, Numerator),
    arbitrary(positive_integer, Size, Denominator),
    Value is Numerator rdiv Denominator.
arbitrary(number, Size, Value) :-
    random_member(Type, [integer, float]),
    arbitrary(Type, Size, Value).
arbitrary(char, _, Value) :-
    (   maybe(0.8)
    ->  random_between(0'a, 0'z, Code),
        char_code(Value, Code)
    ;   random_member(Value, [' ', 'A', '0', '_', '.', '\'', '"', '\\', '\n', 'ß', 'é', 'λ', '中', '😀'])
    ).
arbitrary(code, Size, Value) :-
    arbitrary(char, Size, Char),
    char_code(Char, Value).
arbitrary(chars, Size, Value) :-
    arbitrary(list(char), Size, Value).
arbitrary(codes, Size, Value) :-
    arbitrary(list(code), Size, Value).
arbitrary(atom, Size, Value) :-
    (   maybe(0.1)
    ->  random_member(Value, [[], {}, '', '!', ;, '[]', true, end_of_file])
    ;   arbitrary(chars, Size, Chars),
        atom_chars(Value, Chars)
    ).
arbitrary(symbol, Size, Value) :-
    arbitrary(atom, Size, Value).
arbitrary(string, Size, Value) :-
    arbitrary(chars, Size, Chars),
    string_chars(Value, Chars).
arbitrary(text, Size, Value) :-
    random_member(Type, [atom, string, chars, codes]),
    arbitrary(Type, Size, Value).
arbitrary(pair, Size, Value) :-
    arbitrary(pair(atomic, atomic), Size, Value).
arbitrary(pair(A, B), Size, X-Y) :-
    made(A, Size, X),
    made(B, Size, Y).
arbitrary(oneof(Values), _, Value) :-
    random_member(Value, Values).
arbitrary(list, Size, Value) :-
    arbitrary(list(any), Size, Value).
arbitrary(proper_list, Size, Value) :-
    arbitrary(list(any), Size, Value).
arbitrary(list_of(Type), Size, Value) :-
    arbitrary(list(Type), Size, Value).
arbitrary(list(Type), Size, Value) :-
    random_between(0, Size, Length),
    length(Value, Length),
    Size1 is Size // 2 + 1,
    maplist(made(Type, Size1), Value).

% shrink(+Type, +Value, -Smaller): Smaller is a value of the type that is simpler than Value, the simplest first.
%
% It is multifile: a program adds clauses for types of its own.
shrink(Type, Value, Smaller) :-
    same_values(Type, Type1),
    shrink(Type1, Value, Smaller).
shrink(boolean, true, false).
shrink(integer, Value, Smaller) :-
    toward(0, Value, Smaller).
shrink(nonneg, Value, Smaller) :-
    toward(0, Value, Smaller).
shrink(positive_integer, Value, Smaller) :-
    toward(1, Value, Smaller).
shrink(negative_integer, Value, Smaller) :-
    toward(-1, Value, Smaller).
shrink(between(Low, High), Value, Smaller) :-
    integer(Value),
    Least is max(Low, min(High, 0)),
    toward(Least, Value, Smaller).
shrink(float, Value, Smaller) :-
    (   Value =\= 0
    ->  Smaller = 0.0
    ;   fail
    ).
shrink(float, Value, Smaller) :-
    Smaller is float(truncate(Value)),
    abs(Smaller) < abs(Value),
    Smaller =\= 0.
shrink(float, Value, Smaller) :-
    abs(Value) > 1.0e-9,
    Smaller is Value / 2.
shrink(rational, Value, Smaller) :-
    Integer is truncate(Value),
    (   Integer =\= Value
    ->  Smaller = Integer
    ;   toward(0, Integer, Smaller)
    ).
shrink(number, Value, Smaller) :-
    (   integer(Value)
    ->  shrink(integer, Value, Smaller)
    ;   shrink(float, Value, Smaller)
    ).
shrink(char, Value, Smaller) :-
    Simple = [a, b, ' '],
    (   append(Simpler, [Value|_], Simple)
    ->  true
    ;   Simpler = Simple
    ),
    member(Smaller, Simpler).
shrink(code, Value, Smaller) :-
    char_code(Char, Value),
    shrink(char, Char, Char1),
    char_code(Char1, Smaller).
shrink(atom, Value, Smaller) :-
    atom_chars(Value, Chars),
    shrink(list(char), Chars, Chars1),
    atom_chars(Smaller, Chars1).
shrink(string, Value, Smaller) :-
    string_chars(Value, Chars),
    shrink(list(char), Chars, Chars1),
    string_chars(Smaller, Chars1).
shrink(any, Value, Smaller) :-
    plain_type(Value, Type),
    shrink(Type, Value, Smaller).
shrink(pair(A, B), X-Y, Smaller) :-
    (   Smaller = X1-Y,
        shrink(A, X, X1)
    ;   Smaller = X-Y1,
        shrink(B, Y, Y1)
    ).
shrink(oneof(Values), Value, Smaller) :-
    nth0(I, Values, Value0),
    Value0 == Value,
    !,
    length(Before, I),
    append(Before, _, Values),
    member(Smaller, Before).
shrink(list(_), [_|_], []).
shrink(list(_), List, Smaller) :-
    length(List, Length),
    Length > 3,
    Half is Length // 2,
    length(First, Half),
    append(First, Second, List),
    (   Smaller = First
    ;   Smaller = Second
    ).
shrink(list(_), List, Smaller) :-
    List = [_, _|_],
    select(_, List, Smaller).
shrink(list(Type), List, Smaller) :-
    append(Before, [Value|After], List),
    shrink(Type, Value, Value1),
    append(Before, [Value1|After], Smaller).

% same_values(+Type, -Type1): Type1 has these values too and is the one that is made smaller.
same_values(bool, boolean).
same_values(atomic, any).
same_values(constant, any).
same_values(ground, any).
same_values(text, any).
same_values(symbol, atom).
same_values(chars, list(char)).
same_values(codes, list(code)).
same_values(pair, pair(any, any)).
same_values(list, list(any)).
same_values(proper_list, list(any)).
same_values(list_of(Type), list(Type)).

% plain_type(+Value, -Type): a type by which a value of any type is made smaller.
plain_type(Value, integer) :- integer(Value).
plain_type(Value, float) :- float(Value).
plain_type(Value, list(any)) :- is_list(Value), Value \== [].
plain_type(Value, atom) :- atom(Value), Value \== [].
plain_type(Value, string) :- string(Value).
plain_type(Value, pair(any, any)) :- nonvar(Value), Value = _-_.

% toward(+Least, +Value, -Smaller): first Least itself, then values nearer and nearer to Value.
toward(Least, Value, Smaller) :-
    Value =\= Least,
    Distance is Value - Least,
    steps(Distance, Step),
    Smaller is Value - Step.

steps(Distance, Distance).
steps(Distance, Step) :-
    Half is Distance // 2,
    Half =\= 0,
    steps(Half, Step).
