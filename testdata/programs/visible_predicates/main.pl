% current_predicate/1,2 and predicate_property/2 answer for the module that asks.
:- use_module(settings).
:- dynamic flag/1.
shared(1).

main :-
    ask, inventory,
    ( current_predicate(own/1) -> writeln(own) ; writeln(no_own) ),
    ( current_predicate(settings:own/1) -> writeln(own_there) ; writeln(no_own_there) ),
    ( current_predicate(flag/1) -> writeln(flag) ; writeln(no_flag) ),
    ( current_predicate(nothing/0) -> writeln(nothing) ; writeln(no_nothing) ),
    ( predicate_property(ask, imported_from(M)) -> writeln(M) ; writeln(not_imported) ).
