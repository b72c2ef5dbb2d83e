% A project as a net: earliest and latest times, critical path, and a plan with one crew by constraints.
:- use_module(library(clpfd)).
:- use_module(library(pairs)).

task(dig, 3, []).
task(foundation, 4, [dig]).
task(walls, 5, [foundation]).
task(roof, 3, [walls]).
task(pipes, 2, [foundation]).
task(wires, 2, [walls]).
task(plaster, 2, [pipes, wires]).
task(garden, 6, [dig]).
task(move_in, 1, [roof, plaster, garden]).

model(Starts, End) :-
    findall(T-_, task(T, _, _), Starts),
    pairs_values(Starts, Vars),
    Vars ins 0..100,
    End in 0..100,
    maplist(constrain(Starts, End), Starts).

constrain(Starts, End, T-S) :-
    task(T, D, Before),
    S+D #=< End,
    maplist(after(Starts, S), Before).

after(Starts, S, B) :- memberchk(B-SB, Starts), task(B, DB, _), S #>= SB+DB.

one_crew(Starts) :-
    maplist(as_task, Starts, Tasks),
    cumulative(Tasks, [limit(1)]).

as_task(T-S, task(S, D, _, 1, _)) :- task(T, D, _).

main :-
    model(Starts, End), fd_inf(End, Least), format("at least ~d days~n", [Least]),
    End = Least,
    forall(member(T-S, Starts), ( fd_dom(S, Dom), task(T, D, _), format("~w~t~12|~d days, start ~w~n", [T, D, Dom]) )),
    findall(T, ( member(T-S, Starts), integer(S) ), Critical), format("critical: ~w~n", [Critical]),
    findall(T-F, ( member(T-S, Starts), var(S), fd_inf(S, L), fd_sup(S, H), F is H-L ), Slack), format("slack: ~w~n", [Slack]),
    model(Others, End1), one_crew(Others), pairs_values(Others, Vars),
    once(labeling([ff, min(End1)], [End1|Vars])),
    format("one crew: ~d days~n", [End1]),
    numlist(0, 27, Days),
    findall(Day, ( member(T-S, Others), task(T, D, _), Last is S+D-1, between(S, Last, Day) ), Busy),
    ( msort(Busy, Days) -> writeln('no day is idle') ; writeln(idle) ).
