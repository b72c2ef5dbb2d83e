% A planner in the manner of STRIPS: operators with preconditions, what they delete and what they add; plans are found by
% iterative deepening and checked by playing them.
:- use_module(library(lists)).
:- use_module(library(ordsets)).
:- use_module(library(apply)).

operator(stack(X, Y), [clear(Y), holding(X)], [clear(Y), holding(X)], [clear(X), free, on(X, Y)]) :- block(X), block(Y), X \== Y.
operator(unstack(X, Y), [clear(X), free, on(X, Y)], [clear(X), free, on(X, Y)], [clear(Y), holding(X)]) :-
    block(X), block(Y), X \== Y.
operator(pick(X), [clear(X), free, table(X)], [clear(X), free, table(X)], [holding(X)]) :- block(X).
operator(put(X), [holding(X)], [holding(X)], [clear(X), free, table(X)]) :- block(X).

block(a). block(b). block(c).

plan(Start, Goal, Plan) :-
    list_to_ord_set(Start, State),
    length(Plan, _),
    reach(State, Goal, [State], Plan).

reach(State, Goal, _, []) :- subset(Goal, State).
reach(State, Goal, Seen, [Act|Acts]) :-
    operator(Act, Needs, Deletes, Adds),
    list_to_ord_set(Needs, N), ord_subset(N, State),
    step(State, Deletes, Adds, Next),
    \+ memberchk(Next, Seen),
    reach(Next, Goal, [Next|Seen], Acts).

step(State, Deletes, Adds, Next) :-
    list_to_ord_set(Deletes, D), list_to_ord_set(Adds, A),
    ord_subtract(State, D, S), ord_union(S, A, Next).

% An effect that nobody deletes keeps: the frame is what ord_subtract/3 leaves.
play([], State) :- format("end: ~w~n", [State]).
play([Act|Acts], State) :-
    operator(Act, Needs, Deletes, Adds),
    (   forall(member(N, Needs), memberchk(N, State))
    ->  step(State, Deletes, Adds, Next),
        ord_subtract(Next, State, New),
        format("~w~t~20| makes ~w~n", [Act, New]),
        play(Acts, Next)
    ;   throw(error(cannot(Act, State), _))
    ).

main :-
    Start = [table(a), table(b), on(c, a), clear(c), clear(b), free],
    plan(Start, [on(a, b), on(b, c)], Plan),
    length(Plan, N),
    format("Sussman's anomaly takes ~d steps~n", [N]),
    list_to_ord_set(Start, State),
    play(Plan, State),
    catch(play([put(a)], State), error(E, _), (print_message_lines(user_output, '', []), E = cannot(A, _), format("cannot ~w~n", [A]))),
    forall(plan_of_length(Start, [on(c, b)], 2, P), (print(P), nl)),
    (   plan_of_length(Start, [on(a, c), on(c, a)], 4, _) -> writeln(odd) ; writeln('no such plan') ).

plan_of_length(Start, Goal, N, Plan) :-
    list_to_ord_set(Start, State),
    length(Plan, N),
    reach(State, Goal, [State], Plan).
