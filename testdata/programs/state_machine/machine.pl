:- module(machine, [run/3, reachable/3]).
:- multifile transition/4, initial/2, entered/2.
:- dynamic transition/4, initial/2, entered/2.
run(Name, Events, End) :-
    ( initial(Name, Start) -> true ; existence_error(machine, Name) ),
    foldl(step(Name), Events, Start, End).
step(Name, Event, State0, State) :-
    (   transition(Name, State0, Event, State1)
    ->  State = State1,
        ignore(entered(Name, State))
    ;   format("~w stays ~w on ~w~n", [Name, State0, Event]),
        State = State0
    ).
:- table reachable/3.
reachable(Name, S, S) :- transition(Name, S, _, _).
reachable(Name, S, T) :- reachable(Name, S, R), transition(Name, R, _, T).
