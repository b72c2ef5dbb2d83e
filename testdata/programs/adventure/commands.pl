:- module(commands, [command/1]).
:- use_module(world).
command(Line) :- split_string(Line, " ", " ", Parts), maplist([S,A]>>atom_string(A, S), Parts, Words), phrase(sentence(Goal), Words), call(Goal).
sentence(commands:look) --> [look].
sentence(commands:got(T)) --> [take, T].
sentence(( move(D, P), format("~w~n", [P]) )) --> [go, D].
sentence(( drop(T), write(dropped(T)), nl )) --> [drop, T].
sentence(( held(L), print(L), nl )) --> [inventory].
look :- here(P), things(P, Ts), format("~w: ~w~n", [P, Ts]).
got(T) :- take(T), format("taken ~w~n", [T]).
