% Mastermind: scores, all codes that are still possible, and the guess that leaves the fewest in the worst case.
:- use_module(library(lists)).
:- use_module(library(aggregate)).
:- use_module(library(pairs)).

colour(r).
colour(g).
colour(b).
colour(y).

code([A, B, C]) :- colour(A), colour(B), colour(C).

score(Guess, Code, Black/White) :-
    aggregate_all(count, ( nth1(I, Guess, X), nth1(I, Code, Y), X == Y ), Black),
    msort(Guess, G), msort(Code, C), common(G, C, 0, Both),
    White is Both-Black.

common([X|Xs], [Y|Ys], N0, N) :- !,
    compare(O, X, Y),
    (   O = (=) -> N1 is N0+1, common(Xs, Ys, N1, N)
    ;   O = (<) -> common(Xs, [Y|Ys], N0, N)
    ;   common([X|Xs], Ys, N0, N)
    ).
common(_, _, N, N).

worst(Guess, Codes, Worst) :-
    findall(S-1, ( member(C, Codes), score(Guess, C, S) ), Scores),
    keysort(Scores, Sorted), group_pairs_by_key(Sorted, Groups),
    aggregate_all(max(L), ( member(_-Ones, Groups), length(Ones, L) ), Worst).

choose([Code], _, Code) :- !.
choose(Codes, All, Guess) :-
    aggregate_all(min(W-K, G), ( member(G, All), worst(G, Codes, W), ( memberchk(G, Codes) -> K = 0 ; K = 1 ) ), min(_, G0)),
    Guess = G0.

play(Secret, Guesses) :- findall(C, code(C), All), rounds(All, All, Secret, Guesses).

rounds(Codes, All, Secret, [Guess-S|Rest]) :-
    pick(Codes, All, Guess),
    score(Guess, Secret, S),
    (   S == 3/0 -> Rest = []
    ;   include([C]>>score(Guess, C, S), Codes, Left), rounds(Left, All, Secret, Rest)
    ).

pick(Codes, All, [r, r, g]) :- Codes == All, !.
pick([Code], _, Code) :- !.
pick(Codes, All, Guess) :-
    findall(W-K-G, ( member(G, All), worst(G, Codes, W), ( memberchk(G, Codes) -> K = 0 ; K = 1 ) ), Ws),
    msort(Ws, [_-_-Guess|_]).

main :-
    forall(member(G-C, [[r, g, b]-[b, g, r], [r, r, r]-[r, g, r], [y, y, b]-[b, b, y]]), ( score(G, C, S), print(G-C-S), nl )),
    forall(member(Secret, [[b, y, b], [g, r, r], [y, b, r]]), ( play(Secret, Gs), length(Gs, N), format("~w: ~d ~w~n", [Secret, N, Gs]) )).
