% Predicates of Edinburgh Prolog that are not part of the standard.
:- module(edinburgh, [
    unknown/2,
    fileerrors/2
]).

:- meta_predicate
    unknown(:, +).

% unknown(-Old, +New): gives and sets the flag unknown, which says what calls of unknown predicates do: error, warning or fail.
unknown(Old0, New) :-
    '$strip_module'(Old0, _, Old),
    current_prolog_flag(unknown, Value),
    Old = Value,
    (   New == Value
    ->  true
    ;   set_prolog_flag(unknown, New)
    ).

% fileerrors(-Old, +New): gives and sets the flag fileerrors.
fileerrors(Old, New) :-
    create_prolog_flag(fileerrors, true, [type(boolean), keep(true)]),
    current_prolog_flag(fileerrors, Old),
    (   New == Old
    ->  true
    ;   switch(New, Value)
    ->  set_prolog_flag(fileerrors, Value)
    ;   type_error(bool, New)
    ).

switch(on, true).
switch(true, true).
switch(off, false).
switch(false, false).
