% Parsers for any grammar: Earley's with items in columns, the chart of Cocke, Younger and Kasami with numbers of trees, and a
% check that both agree. The grammars are ambiguous, left-recursive and have empty rules.
:- use_module(library(lists)).
:- use_module(library(apply)).

rule(expr, s, [s, +, s]). rule(expr, s, [s, *, s]). rule(expr, s, [n]).
rule(left, s, [s, a]). rule(left, s, [a]).
rule(empty, s, [a, s, b]). rule(empty, s, []).
rule(empty2, s, [x, y]). rule(empty2, x, []). rule(empty2, x, [a]). rule(empty2, y, [x, x]).
rule(english, s, [np, vp]). rule(english, np, [det, n]). rule(english, np, [np, pp]). rule(english, vp, [v, np]). rule(english, vp, [vp, pp]).
rule(english, pp, [p, np]). rule(english, np, [i]).

terminal(G, T) :- \+ rule(G, T, _).

% item(Head, Before, After, From)
earley(G, Start, Words) :-
    findall(item(Start, [], B, 0), rule(G, Start, B), Is0),
    close(Is0, [], 0, [], G, C0), columns(Words, 0, [C0], G, Cols),
    Cols = [Last|_], member(item(Start, _, [], 0), Last), !.

columns([], _, Cols, _, Cols).
columns([W|Ws], N, Cols, G, All) :-
    Cols = [Col|_], N1 is N+1,
    findall(item(H, [W|B], A, F), member(item(H, B, [W|A], F), Col), Is),
    Is \== [],
    close(Is, [], N1, Cols, G, New), columns(Ws, N1, [New|Cols], G, All).

% close(Agenda, Done, Here, Columns, Grammar, Column)
close([], Done, _, _, _, Done).
close([I|Is], Done, N, Cols, G, Col) :-
    (   memberchk(I, Done) -> close(Is, Done, N, Cols, G, Col)
    ;   findall(J, follows(I, [I|Done], N, Cols, G, J), Js), append(Is, Js, Agenda), close(Agenda, [I|Done], N, Cols, G, Col)
    ).
follows(item(_, _, [X|_], _), _, N, _, G, item(X, [], B, N)) :- rule(G, X, B).
follows(item(H, B, [X|A], F), Done, N, _, _, item(H, [X|B], A, F)) :- member(item(X, _, [], N), Done).
follows(item(X, _, [], F), Done, N, Cols, _, item(H, [X|B], A, F2)) :-
    (   F =:= N -> Col = Done ; I is N-F-1, nth0(I, Cols, Col) ), member(item(H, B, [X|A], F2), Col).

% trees(Grammar, Symbol, Words, Count) with a table of spans.
:- table trees/4.
trees(G, X, [X], 1) :- terminal(G, X).
trees(G, X, Ws, N) :- \+ terminal(G, X), aggregate_all(sum(K), ( rule(G, X, B), B = [_|_], ways(B, G, Ws, K) ), N), N > 0.
ways([X], G, Ws, N) :- !, trees(G, X, Ws, N).
ways([X|Xs], G, Ws, N) :- append(A, B, Ws), A = [_|_], B = [_|_], trees(G, X, A, I), ways(Xs, G, B, J), N is I*J.

check(G, Ws) :- ( earley(G, s, Ws) -> A = yes ; A = no ), format("~w ~w: ~w~n", [G, Ws, A]).

main :-
    forall(member(G-Ws, [expr-[n], expr-[n, +, n, *, n], expr-[n, +], expr-[+, n], left-[a, a, a], left-[], left-[a, b], empty-[], empty-[a, a, b, b], empty-[a, b, b],
                         empty2-[], empty2-[a], empty2-[a, a, a], empty2-[a, a, a, a], english-[i, v, det, n, p, det, n], english-[i, v, det]]), check(G, Ws)),
    forall(member(K, [1, 2, 3, 4, 5]), ( findall(S, ( between(2, K, _), member(S, [+, n]) ), Tail), trees(expr, s, [n|Tail], N), format("~d summands: ~d trees~n", [K, N]) )),
    trees(english, s, [i, v, det, n, p, det, n], E), format("english: ~d trees~n", [E]),
    trees(english, s, [i, v, det, n, p, det, n, p, det, n], E2), format("english: ~d trees~n", [E2]).
