% Matching patterns with segment variables against a small data base of lists.
% scale: 485

bench :- run(1600).
small :- run(2).

run(Times) :-
    items(40, Items),
    patterns(Patterns),
    (   between(1, Times, _),
        count(Items, Patterns, 0, _),
        fail
    ;   count(Items, Patterns, 0, Sum),
        write(checksum(Sum)), nl
    ).

patterns([
    [*(_), a, *(_), b, *(_)],
    [*(X), ?(_), *(X), *(_)],
    [?(Y), *(_), ?(Y), *(_), ?(Y)],
    [*(Z), *(Z), *(_)]
]).

items(0, []) :- !.
items(N, [Item|Items]) :-
    item(12, N, Item),
    M is N - 1,
    items(M, Items).

item(0, _, []) :- !.
item(N, Seed, [X|Xs]) :-
    Next is (Seed * 421 + 54773) mod 259200,
    Letter is Next mod 3,
    letter(Letter, X),
    M is N - 1,
    item(M, Next, Xs).

letter(0, a).
letter(1, b).
letter(2, c).

count([], _, Sum, Sum).
count([Item|Items], Patterns, Sum0, Sum) :-
    count_patterns(Patterns, Item, Sum0, Sum1),
    count(Items, Patterns, Sum1, Sum).

count_patterns([], _, Sum, Sum).
count_patterns([P|Ps], Item, Sum0, Sum) :-
    (   \+ \+ match(P, Item)
    ->  Sum1 is Sum0 + 1
    ;   Sum1 = Sum0
    ),
    count_patterns(Ps, Item, Sum1, Sum).

match([], []).
match([?(X)|Ps], [X|Xs]) :- match(Ps, Xs).
match([*(Segment)|Ps], Xs) :-
    joined(Segment, Rest, Xs),
    match(Ps, Rest).
match([P|Ps], [P|Xs]) :-
    atom(P),
    match(Ps, Xs).

joined([], Ys, Ys).
joined([X|Xs], Ys, [X|Zs]) :- joined(Xs, Ys, Zs).
