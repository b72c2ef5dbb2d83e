% Facts of a family and the questions of a first exercise sheet: ancestors, cousins, degrees, negation, sets of answers.
:- use_module(library(lists)).
:- use_module(library(aggregate)).

parent(george, charlotte).
parent(sophia, charlotte).
parent(charlotte, edward).
parent(leopold, edward).
parent(edward, victoria).
parent(marie, victoria).
parent(victoria, alice).
parent(victoria, edward7).
parent(albert, alice).
parent(albert, edward7).
parent(alice, beatrix).
parent(edward7, george5).
parent(edward7, maud).
parent(maud, olav).

male(X) :- member(X, [george, leopold, edward, albert, edward7, george5, olav]).
female(X) :- person(X), \+ male(X).
person(X) :- setof(P, Q^( parent(P, Q) ; parent(Q, P) ), Ps), member(X, Ps).

ancestor(X, Y) :- parent(X, Y).
ancestor(X, Y) :- parent(X, Z), ancestor(Z, Y).

generations(X, Y, 1) :- parent(X, Y).
generations(X, Y, N) :- parent(X, Z), generations(Z, Y, M), N is M+1.

sibling(X, Y) :- setof(X-Y, P^( parent(P, X), parent(P, Y), X \== Y ), L), member(X-Y, L).
cousin(X, Y) :- parent(P, X), sibling(P, Q), parent(Q, Y).
grandmother(X, Y) :- parent(X, Z), parent(Z, Y), female(X).
childless(X) :- person(X), \+ parent(X, _).

related(X, Y, A) :- ancestor(A, X), ancestor(A, Y), \+ ( ancestor(A, B), ancestor(B, X), ancestor(B, Y) ).

called(1, parent) :- !.
called(2, grandparent) :- !.
called(N, T) :- M is N-2, length(L, M), maplist(=('great-'), L), append(L, [grandparent], Ps), atomic_list_concat(Ps, T).

main :-
    findall(A, ancestor(A, olav), As), print(As), nl,
    forall(setof(Y, sibling(X, Y), Ys), format("~w: ~w~n", [X, Ys])),
    ( setof(X-Y, ( cousin(X, Y), X @< Y ), Cs) -> print(Cs) ; print(none) ), nl,
    setof(C, childless(C), Childless), print(Childless), nl,
    forall(bagof(C, parent(P, C), L), ( length(L, N), format("~w ~d ", [P, N]) )), nl,
    aggregate_all(max(G, Who), generations(Who, olav, G), max(Max, First)), called(Max, Word), format("~w is the ~w of olav~n", [First, Word]),
    forall(member(X-Y, [beatrix-george5, olav-beatrix, george-marie]),
           ( findall(A, related(X, Y, A), R0), sort(R0, R), format("~w ~w: ~w~n", [X, Y, R]) )),
    findall(G-Y, ( grandmother(G, Y), \+ childless(Y) ), Gs), print(Gs), nl.
