% A project on machines that all tasks share: the shortest plan on one, on two and on three of them.
:- use_module(library(clpfd)).
:- use_module(library(pairs)).

durations([cut-3, drill-2, weld-6, grind-4, paint-5, test-2, pack-3, clean-6, report-4]).

plan(Limit, Needs, Order, Starts, End) :-
    durations(Tasks), pairs_keys_values(Tasks, Names, Ds),
    same_length(Ds, Starts), Starts ins 0..60, End in 0..60,
    maplist(ends_by(End), Starts, Ds),
    pairs_keys_values(Named, Names, Starts),
    forall_before(Order, Named),
    maplist([S, D, R, task(S, D, _, R, _)]>>true, Starts, Ds, Needs, Cumulative),
    cumulative(Cumulative, [limit(Limit)]).

ends_by(End, S, D) :- S + D #=< End.

forall_before([], _).
forall_before([A-B|Order], Named) :-
    durations(Tasks), memberchk(A-D, Tasks),
    memberchk(A-SA, Named), memberchk(B-SB, Named),
    SA + D #=< SB,
    forall_before(Order, Named).

each_one([1, 1, 1, 1, 1, 1, 1, 1, 1]).

order([weld-cut, paint-drill, cut-grind]).

shown(Title, End, Starts) :- format("~w: ~d, ~w~n", [Title, End, Starts]).

main :-
    each_one(Ones), order(Order),
    plan(1, Ones, [], S1, E1), once(labeling([min(E1)], [E1|S1])), shown('no order', E1, S1),
    plan(1, Ones, Order, S2, E2), once(labeling([min(E2)], [E2|S2])), shown('in order', E2, S2),
    plan(1, Ones, Order, S3, E3), once(labeling([ff, min(E3)], [E3|S3])), shown('first fail', E3, S3),
    plan(1, Ones, Order, S4, E4), maplist(#=<(7), S4),
    once(labeling([min(E4)], [E4|S4])), shown('from day 7', E4, S4),
    plan(1, Ones, Order, S5, E5), maplist([S, R]>>(S #>= R), S5, [0, 14, 3, 9, 20, 1, 0, 12, 6]),
    once(labeling([min(E5)], [E5|S5])), shown('material comes late', E5, S5),
    plan(2, Ones, [], S6, E6), once(labeling([min(E6)], [E6|S6])), shown('two machines', E6, S6),
    plan(3, [1, 2, 1, 2, 1, 1, 2, 1, 3], Order, S7, E7),
    once(labeling([ff, min(E7)], [E7|S7])), shown('three machines', E7, S7),
    plan(2, Ones, Order, S8, E8), findall(E8-S8, limit(15, labeling([min(E8)], [E8|S8])), Plans),
    last(Plans, E9-S9), shown('the fifteenth', E9, S9),
    ( plan(2, Ones, Order, _, E10), E10 #< 18 -> writeln(posted) ; writeln('no plan of 17') ).
