% Rules with labels: which rule applies, which rule is defeated by another one, and when they are in force.
:- module(law, [
    overrides/2,
    exception/2,
    valid/2,
    valid/3,
    source/2,
    conflicts/2,
    applies/2,
    defeated/3,
    in_force/2,
    in_force/3,
    op(1150, xfx, ::)
]).

:- meta_predicate
    applies(?, :),
    defeated(?, :, ?).

% overrides(+Stronger, +Weaker): a directive: where both rules apply, the first one defeats the second. A rule that
% overrides the first one overrides the second one, too.
overrides(A, B) :- directive(overrides(A, B)).

% exception(+Exception, +Rule): a directive: where both rules apply, the exception defeats the rule. An exception to
% the exception brings the rule back.
exception(A, B) :- directive(exception(A, B)).

% valid(+Rule, +Bound): a directive: the rule is in force from(date(Y, M, D)), that day included, or until(date(Y, M, D)), that day excluded.
valid(A, B) :- directive(valid(A, B)).

% valid(+Rule, +From, +Until): the same with both ends.
valid(A, B, C) :- directive(valid(A, B, C)).

% source(+Rule, +Text): a directive: where a rule comes from, for explanations.
source(A, B) :- directive(source(A, B)).

% conflicts(+Indicator, +How): a directive about rules for a predicate that disagree and of which none is stronger:
% error throws an error, both gives the answers of all rules.
conflicts(A, B) :- directive(conflicts(A, B)).

directive(Goal) :- throw(error(context_error(nodirective, Goal), _)).

% applies(?Label, :Goal): the rule with this label is in force, has this answer (or with \+ is against it), and no
% other rule defeats it.
applies(Label, Goal0) :-
    '$strip_module'(Goal0, M, Goal),
    asked(Goal, Plain),
    M:'rule applies'(Label, Goal),
    \+ M:'rule defeated'(Label, Plain, _, _).

asked(Goal, Plain) :- ( nonvar(Goal), Goal = (\+ Plain0) -> Plain = Plain0 ; Plain = Goal ).

% defeated(?Label, :Goal, ?By): the rule with this label would answer Goal, and the rule By, which is stronger, applies.
defeated(Label, Goal0, By) :-
    '$strip_module'(Goal0, M, Goal),
    asked(Goal, Plain),
    M:'rule applies'(Label, Goal),
    M:'rule defeated'(Label, Plain, By, How),
    How \== disagrees.

% in_force(+From, +Until): today is From or later, and before Until. Each is a date, a text such as '2024-01-01', or null, '' or a variable for an open end.
in_force(From, Until) :-
    today(Day),
    in_force(From, Until, Day).

% in_force(+From, +Until, +Day): the same for a given day.
in_force(From0, Until0, Day0) :-
    bound(From0, From),
    bound(Until0, Until),
    day(Day0, Day),
    ( From == open -> true ; From @=< Day ),
    ( Until == open -> true ; Day @< Until ).

bound(Given, Bound) :-
    (   ( var(Given) ; Given == null ; Given == '' ; Given == "" )
    ->  Bound = open
    ;   day(Given, Bound)
    ).

day(Given, Day) :-
    (   nonvar(Given),
        Given = date(Y, M, D),
        integer(Y), integer(M), integer(D)
    ->  Day = Given
    ;   ( atom(Given) ; string(Given) ),
        split_string(Given, "-", "", [Y0, M0, D0]),
        catch(maplist(number_string, [Y, M, D], [Y0, M0, D0]), _, fail)
    ->  Day = date(Y, M, D)
    ;   must_be(nonvar, Given),
        type_error(date, Given)
    ).

% The day comes from today/1 of library(dates). Explanations recognise it by this module.
today(Day) :-
    '$present'(date, Day).

% disagree(+Rule, +Other): two rules that apply have answers that exclude each other.
disagree(rule(Label, Goal, File, Line), rule(Other, Denied, File1, Line1)) :-
    throw(error(rules_disagree(Label, Goal, File:Line, Other, Denied, File1:Line1), _)).
