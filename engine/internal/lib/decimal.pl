% Decimals: integers and rational numbers that are rounded to places and written as digits. Floats count as the digits that they show.
:- module(decimal, [
    round_decimal/3,
    round_decimal/4,
    decimal_text/2,
    decimal_text/3
]).

% round_decimal(+Expression, +Places, -Rounded): the value with as many places behind the point, a half away from zero.
round_decimal(Expression, Places, Rounded) :-
    round_decimal(Expression, Places, half_up, Rounded).

% round_decimal(+Expression, +Places, +Mode, -Rounded): Mode is half_up, or half_even for a half to the even neighbour.
round_decimal(Expression, Places, Mode, Rounded) :-
    must_be(oneof([half_up, half_even]), Mode),
    Value is Expression,
    '$rounded'(Value, Places, Mode, Rounded).

% decimal_text(?Decimal, ?Text): Text has all digits of Decimal, which must end; Decimal is what a text says, exactly.
decimal_text(Decimal, Text) :-
    (   nonvar(Text)
    ->  '$value_text'(decimal, Decimal0, Text),
        Decimal = Decimal0
    ;   must_be(nonvar, Decimal),
        '$value_text'(decimal, Decimal, Text)
    ).

% decimal_text(+Expression, +Places, -Text): the digits of the value, rounded to as many places.
decimal_text(Expression, Places, Text) :-
    round_decimal(Expression, Places, Rounded),
    '$value_text'(decimal(Places), Rounded, Text).
