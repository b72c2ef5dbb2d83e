% Minesweeper: fields from text, opening of empty areas, and a player that reasons with constraints on what is still closed.
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(clpfd)).
:- dynamic open/2, flagged/1.

field(['.....', '..*..', '.....', '*....', '....*']).
mine(X/Y) :- field(Rows), nth1(Y, Rows, Row), sub_atom(Row, B, 1, _, *), X is B+1.
cell(X/Y) :- between(1, 5, Y), between(1, 5, X).
near(X/Y, U/V) :- member(DX, [-1, 0, 1]), member(DY, [-1, 0, 1]), \+ ( DX =:= 0, DY =:= 0 ), U is X+DX, V is Y+DY, cell_bounds(U/V).
cell_bounds(X/Y) :- X >= 1, X =< 5, Y >= 1, Y =< 5.
count(C, N) :- aggregate_all(count, ( near(C, D), mine(D) ), N).

open(C) :- open(C, _), !.
open(C) :- mine(C), !, throw(boom(C)).
open(C) :- count(C, N), assertz(open(C, N)), ( N =:= 0 -> forall(near(C, D), open(D)) ; true ).

show :- forall(between(1, 5, Y), ( forall(between(1, 5, X), ( symbol(X/Y, S), write(S) )), nl )).
symbol(C, S) :- open(C, 0), !, S = ' '.
symbol(C, N) :- open(C, N), !.
symbol(C, '!') :- flagged(C), !.
symbol(_, '#').

% One variable for each closed cell beside an open one; what all solutions agree on is sure.
deduce(Safe, Mines) :-
    findall(D, ( open(C, N), N > 0, near(C, D), \+ open(D, _) ), Ds0), sort(Ds0, Ds),
    pairs_of(Ds, Pairs), findall(C-N, ( open(C, N), N > 0 ), Cons),
    maplist(constrain(Pairs), Cons), pairs_values(Pairs, Vars), Vars ins 0..1,
    findall(C, ( member(C-V, Pairs), \+ ( V = 1, label(Vars) ) ), Safe),
    findall(C, ( member(C-V, Pairs), \+ ( V = 0, label(Vars) ) ), Mines).
pairs_of(Ds, Pairs) :- maplist([D, D-_]>>true, Ds, Pairs).
constrain(Pairs, C-N) :- findall(D, ( near(C, D), \+ open(D, _) ), Ds), maplist([D, V]>>memberchk(D-V, Pairs), Ds, Vs), sum(Vs, #=, N).

play(Round) :-
    deduce(Safe, Mines),
    format("round ~d: safe ~w, mines ~w~n", [Round, Safe, Mines]),
    forall(( member(M, Mines), \+ flagged(M) ), assertz(flagged(M))),
    (   Safe == [] -> true ; maplist(open, Safe), R is Round+1, play(R) ).

main :-
    open(1/1), show, play(1), show,
    ( forall(( cell(C), \+ mine(C) ), open(C, _)) -> writeln(won) ; aggregate_all(count, ( cell(C), \+ open(C, _) ), K), format("~d closed~n", [K]) ),
    catch(open(3/2), boom(B), ( write(boom(B)), nl )).
