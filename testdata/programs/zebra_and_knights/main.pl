% Puzzles of logic: the zebra, knights and knaves by truth of statements, and a crime with one liar.
:- use_module(library(lists)).
:- op(650, xfy, and).
:- op(660, xfy, or).

right_of(X, Y, [Y, X|_]).
right_of(X, Y, [_|L]) :- right_of(X, Y, L).
next_to(X, Y, L) :- right_of(X, Y, L) ; right_of(Y, X, L).

zebra(Owner, Drinker, Hs) :-
    Hs = [h(_, norwegian, _, _, _), _, h(_, _, _, milk, _), _, _],
    member(h(red, english, _, _, _), Hs),
    member(h(green, _, _, coffee, _), Hs),
    member(h(_, spanish, dog, _, _), Hs),
    member(h(_, ukrainian, _, tea, _), Hs),
    right_of(h(green, _, _, _, _), h(ivory, _, _, _, _), Hs),
    member(h(_, _, snails, _, winston), Hs),
    member(h(yellow, _, _, _, kools), Hs),
    next_to(h(_, _, _, _, chesterfield), h(_, _, fox, _, _), Hs),
    next_to(h(_, _, _, _, kools), h(_, _, horse, _, _), Hs),
    member(h(_, _, _, juice, lucky), Hs),
    member(h(_, japanese, _, _, parliament), Hs),
    next_to(h(_, norwegian, _, _, _), h(blue, _, _, _, _), Hs),
    member(h(_, Owner, zebra, _, _), Hs),
    member(h(_, Drinker, _, water, _), Hs).

% A person is a knight exactly if what the person says is true.
world(Names, World) :- maplist([N, N-K]>>member(K, [knight, knave]), Names, World).
holds(is(N, K), W) :- memberchk(N-K0, W), K0 == K.
holds(A and B, W) :- holds(A, W), holds(B, W).
holds(A or B, W) :- ( holds(A, W) -> true ; holds(B, W) ).
holds(not(A), W) :- \+ holds(A, W).
holds(same(A, B), W) :- memberchk(A-K, W), memberchk(B-L, W), K == L.
holds(count(K, N), W) :- aggregate_all(count, member(_-K, W), N0), N0 =:= N.

puzzle(one, [a, b], [says(a, and(is(a, knave), is(b, knave)))]).
puzzle(two, [a, b], [says(a, same(a, b)), says(b, not(same(a, b)))]).
puzzle(three, [a, b, c], [says(a, count(knave, 3)), says(b, count(knight, 1))]).
puzzle(four, [a], [says(a, is(a, knave))]).
puzzle(five, [a, b], [says(a, or(is(a, knave), is(b, knight)))]).

consistent(World, says(N, S)) :- memberchk(N-K, World), ( holds(S, World) -> K == knight ; K == knave ).

solve(Puzzle, Worlds) :- puzzle(Puzzle, Names, Says), findall(W, ( world(Names, W), maplist(consistent(W), Says) ), Worlds).

suspect(X) :- member(X, [amy, bob, carl, dora]).
statement(amy, Thief) :- Thief == bob.
statement(bob, Thief) :- Thief == dora.
statement(carl, Thief) :- Thief \== carl.
statement(dora, Thief) :- Thief \== dora.
thief(T, Truthful) :- suspect(T), aggregate_all(count, ( suspect(S), statement(S, T) ), Truthful).

main :-
    findall(O-D, zebra(O, D, _), Zs), print(Zs), nl, once(zebra(_, _, Hs)), forall(member(H, Hs), ( print(H), nl )),
    forall(puzzle(P, _, _), ( solve(P, Ws), format("~w: ~w~n", [P, Ws]) )),
    findall(T-N, thief(T, N), Ts), print(Ts), nl, forall(thief(T, 3), format("one liar: ~w~n", [T])).
