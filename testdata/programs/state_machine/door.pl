:- module(door, []).
:- multifile machine:transition/4, machine:initial/2.
machine:initial(door, closed).
machine:transition(door, From, Event, To) :- edge(From, Event, To).
edge(closed, open, opened).
edge(opened, close, closed).
edge(closed, lock, locked).
edge(locked, unlock, closed).
