% Threads that take jobs from a queue of a module of their own and send back what they find.
:- use_module(pool).
:- use_module(jobs).

main :-
    pool_run(3, jobs:square, [1, 2, 3, 4, 5, 6, 7], Results),
    format("~w~n", [Results]),
    pool_run(2, jobs:risky, [a, b, c], Outcomes),
    format("~w~n", [Outcomes]),
    counted(4, 100, Count),
    format("counted ~w~n", [Count]).
