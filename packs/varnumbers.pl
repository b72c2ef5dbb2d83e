% Turning '$VAR'(N) terms back into variables.
:- module(varnumbers, [
    numbervars/1,
    varnumbers/2,
    varnumbers/3,
    max_var_number/3,
    varnumbers_names/3
]).

% numbervars(+Term): numbers the variables of Term from 0.
numbervars(Term) :-
    numbervars(Term, 0, _).

% varnumbers(+Term, -Copy), varnumbers(+Term, +Start, -Copy): a variable for each '$VAR'(N) with N at least Start.
varnumbers(Term, Copy) :-
    varnumbers(Term, 0, Copy).

varnumbers(Term, Start, Copy) :-
    must_be(integer, Start),
    empty_assoc(Vars),
    restore(Term, Start, Copy, Vars, _).

restore(Term, _, Term, Vars, Vars) :-
    \+ compound(Term),
    !.
restore('$VAR'(N), Start, Var, Vars0, Vars) :-
    integer(N),
    N >= Start,
    !,
    variable_of(N, Var, Vars0, Vars).
restore(Term, Start, Copy, Vars0, Vars) :-
    compound_name_arguments(Term, Name, Args),
    restore_all(Args, Start, Copies, Vars0, Vars),
    compound_name_arguments(Copy, Name, Copies).

restore_all([], _, [], Vars, Vars).
restore_all([Arg|Args], Start, [Copy|Copies], Vars0, Vars) :-
    restore(Arg, Start, Copy, Vars0, Vars1),
    restore_all(Args, Start, Copies, Vars1, Vars).

variable_of(Key, Var, Vars0, Vars) :-
    (   get_assoc(Key, Vars0, Var0)
    ->  Var = Var0,
        Vars = Vars0
    ;   put_assoc(Key, Vars0, Var, Vars)
    ).

% varnumbers_names(+Term, -Copy, -Bindings): '$VAR'(Name) becomes a variable, listed as Name=Var; '$VAR'('_') a new one each time.
varnumbers_names(Term, Copy, Bindings) :-
    empty_assoc(Vars0),
    restore_named(Term, Copy, Vars0, Vars),
    assoc_to_list(Vars, Pairs),
    name_bindings(Pairs, Bindings).

name_bindings([], []).
name_bindings([Name-Var|Pairs], [Name=Var|Bindings]) :-
    name_bindings(Pairs, Bindings).

restore_named(Term, Term, Vars, Vars) :-
    \+ compound(Term),
    !.
restore_named('$VAR'(Name), Var, Vars0, Vars) :-
    nonvar(Name),
    !,
    (   Name == '_'
    ->  Vars = Vars0
    ;   variable_of(Name, Var, Vars0, Vars)
    ).
restore_named(Term, Copy, Vars0, Vars) :-
    compound_name_arguments(Term, Name, Args),
    restore_named_all(Args, Copies, Vars0, Vars),
    compound_name_arguments(Copy, Name, Copies).

restore_named_all([], [], Vars, Vars).
restore_named_all([Arg|Args], [Copy|Copies], Vars0, Vars) :-
    restore_named(Arg, Copy, Vars0, Vars1),
    restore_named_all(Args, Copies, Vars1, Vars).

% max_var_number(+Term, +Start, -Max): the greatest N of a '$VAR'(N) in Term, or Start.
max_var_number(Term, Max, Max) :-
    \+ compound(Term),
    !.
max_var_number('$VAR'(N), Start, Max) :-
    integer(N),
    !,
    Max is max(Start, N).
max_var_number(Term, Start, Max) :-
    compound_name_arguments(Term, _, Args),
    max_var_numbers(Args, Start, Max).

max_var_numbers([], Max, Max).
max_var_numbers([Arg|Args], Start, Max) :-
    max_var_number(Arg, Start, Max0),
    max_var_numbers(Args, Max0, Max).
