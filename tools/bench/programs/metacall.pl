% Calling closures: maplist and foldl written with call/N, and findall inside.
% scale: 600

bench :- run(3000).
small :- run(3).

run(Times) :-
    numbers(1, 1000, List),
    (   between(1, Times, _),
        mapped(List, successor, Next),
        folded(Next, plus_, 0, _),
        fail
    ;   mapped(List, successor, Next),
        folded(Next, plus_, 0, Sum),
        findall(X, (member_of(X, List), call(even, X)), Evens),
        folded(Evens, plus_, Sum, Total),
        write(checksum(Total)), nl
    ).

mapped([], _, []).
mapped([X|Xs], G, [Y|Ys]) :-
    call(G, X, Y),
    mapped(Xs, G, Ys).

folded([], _, A, A).
folded([X|Xs], G, A0, A) :-
    call(G, X, A0, A1),
    folded(Xs, G, A1, A).

successor(X, Y) :- Y is X + 1.
plus_(X, A0, A) :- A is A0 + X.
even(X) :- X mod 2 =:= 0.

member_of(X, [X|_]).
member_of(X, [_|Xs]) :- member_of(X, Xs).

numbers(N, N, [N]) :- !.
numbers(N, Max, [N|Ns]) :-
    M is N + 1,
    numbers(M, Max, Ns).
