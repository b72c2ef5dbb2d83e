% Flags of the program: directives make them, their first value gives them a type, and other files see them.
:- set_prolog_flag(garden_size, 4).
:- set_prolog_flag(garden_open, true).
:- set_prolog_flag(garden_owner, rose).
:- create_prolog_flag(garden_soil, clay, [keep(true)]).
:- use_module(beds).
:- if(current_prolog_flag(garden_open, true)).
state(open).
:- else.
state(closed).
:- endif.
:- if(\+ current_prolog_flag(greenhouse, _)).
greenhouse(none).
:- endif.
tried(Goal, Result) :- catch(( call(Goal) -> Result = yes ; Result = no ), error(_, _), Result = error).
main :-
    beds(Beds), writeln(Beds),
    state(State), writeln(State),
    greenhouse(House), writeln(House),
    set_prolog_flag(garden_size, 5),
    beds(More), writeln(More),
    tried(set_prolog_flag(garden_size, many), A), writeln(A),
    tried(set_prolog_flag(garden_open, perhaps), B), writeln(B),
    current_prolog_flag(garden_owner, Owner), writeln(Owner),
    current_prolog_flag(garden_soil, Soil), writeln(Soil).
