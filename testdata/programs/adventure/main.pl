% A small game that is played by a script; the world changes by assert and retract.
:- use_module(world).
:- use_module(commands).
main :-
    maplist(play, ["look", "take lamp", "go north", "take sword", "inventory", "go up", "drop lamp", "go south", "look", "sing"]),
    forall(world:at(T, P), ( write(T-P), nl )).
play(Line) :-
    format("> ~s~n", [Line]),
    (   catch(command(Line), refused(Why), ( format("You cannot: ~w.~n", [Why]) ))
    ->  true
    ;   format("What?~n")
    ).
