:- module(world, [here/1, exit/2, things/2, move/2, take/1, drop/1, held/1]).
:- dynamic at/2, player/1.
player(hall).
at(lamp, hall).
at(sword, cave).
door(hall, north, cave).
door(A, south, B) :- door(B, north, A).
here(P) :- player(P).
exit(D, Q) :- player(P), clause(door(P, D, Q), _), door(P, D, Q), !.
things(P, Ts) :- findall(T, at(T, P), Ts).
move(D, Q) :- ( exit(D, Q) -> retract(player(_)), assertz(player(Q)) ; throw(refused(no_exit(D))) ).
take(T) :- player(P), ( retract(at(T, P)) -> assertz(at(T, hands)) ; throw(refused(not_here(T))) ).
drop(T) :- player(P), ( retract(at(T, hands)) -> asserta(at(T, P)) ; throw(refused(not_held(T))) ).
held(Ts) :- things(hands, Ts).
