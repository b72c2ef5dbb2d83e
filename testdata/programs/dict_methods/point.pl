:- module(point, [origin/1]).

origin(point{x: 0, y: 0}).

% What is called on points, as P.moved(3, 4).
P.moved(DX, DY) := point{x: X, y: Y} :-
    X is P.x + DX,
    Y is P.y + DY.

P.distance() := D :-
    D is sqrt(P.x ** 2 + P.y ** 2).

P.doubled() := P.moved(P.x, P.y).

P.quadrant() := first :-
    P.x >= 0,
    P.y >= 0,
    !.
_.quadrant() := another.
