% The puzzle of the five houses: unification of partly known structures.
% scale: 238

bench :- run(600).
small :- run(2).

run(Times) :-
    (   between(1, Times, _),
        houses(_, _),
        fail
    ;   houses(Water, Zebra),
        write(checksum(Water-Zebra)), nl
    ).

houses(Water, Zebra) :-
    Street = [house(_, norwegian, _, _, _), _, house(_, _, milk, _, _), _, _],
    one_of(house(red, english, _, _, _), Street),
    one_of(house(green, _, coffee, _, _), Street),
    one_of(house(_, spanish, _, dog, _), Street),
    one_of(house(_, ukrainian, tea, _, _), Street),
    left_of(house(ivory, _, _, _, _), house(green, _, _, _, _), Street),
    one_of(house(_, _, _, snails, gold), Street),
    one_of(house(yellow, _, _, _, kools), Street),
    beside(house(_, _, _, _, chesterfield), house(_, _, _, fox, _), Street),
    beside(house(_, _, _, _, kools), house(_, _, _, horse, _), Street),
    one_of(house(_, _, juice, _, lucky), Street),
    one_of(house(_, japanese, _, _, parliament), Street),
    beside(house(_, norwegian, _, _, _), house(blue, _, _, _, _), Street),
    one_of(house(_, Water, water, _, _), Street),
    one_of(house(_, Zebra, _, zebra, _), Street).

one_of(X, [X|_]).
one_of(X, [_|Xs]) :- one_of(X, Xs).

left_of(A, B, [A, B|_]).
left_of(A, B, [_|Rest]) :- left_of(A, B, Rest).

beside(A, B, Street) :- left_of(A, B, Street).
beside(A, B, Street) :- left_of(B, A, Street).
