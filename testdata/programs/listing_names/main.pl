% Variables that listing/1 shows have the names of the text, in the file and in a module of another file.
:- use_module(prices).

:- dynamic stock/2.

stock(Item, Count) :- count(Item, Count), Count > 0.

count(apple, 3).
count(pear, 0).

greeting(Name, _Mood) :- format("Hello ~w~n", [Name]), !.
greeting(_, Mood) :-
    (   Mood == good
    ->  true
    ;   forall(member(X, [a, b]), ( write(X), nl ))
    ).

order(Item) --> item(Item), rest(Item).

main :-
    listing(stock/2),
    assertz((stock(Other, Left) :- counted(Other, Left))),
    listing(stock/2),
    listing(greeting/2),
    listing(greeting/2, [variable_names(generated)]),
    listing(order//1),
    listing(prices:net/3),
    listing(prices:[rate/1, round_to/3]).
