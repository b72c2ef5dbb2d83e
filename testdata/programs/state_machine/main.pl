% A machine whose transitions are facts of another module; a trace goes through a hook.
:- use_module(machine).
:- use_module(door).
:- multifile machine:entered/2.
machine:entered(door, State) :- format("now ~w~n", [State]).
main :-
    run(door, [open, close, lock, open, unlock, open], State),
    format("end ~w~n", [State]),
    findall(S, reachable(door, closed, S), L0), sort(L0, L), print(L), nl,
    catch(run(gate, [open], _), error(E, _), ( print(E), nl )).
