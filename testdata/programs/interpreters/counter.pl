:- module(counter, [steps/3]).
:- meta_predicate steps(0, +, -).
steps(M:Goal, Limit, Steps) :-
    State = state(0),
    run([Goal], M, Limit, State),
    arg(1, State, Steps),
    !.
run([], _, _, _).
run([Goal|Goals], M, Limit, State) :-
    arg(1, State, N),
    ( N >= Limit -> throw(out_of_steps(N)) ; true ),
    N1 is N + 1,
    nb_setarg(1, State, N1),
    (   Goal = (A, B) -> run([A, B|Goals], M, Limit, State)
    ;   predicate_property(M:Goal, number_of_clauses(_)) -> clause(M:Goal, Body), run([Body|Goals], M, Limit, State)
    ;   call(M:Goal), run(Goals, M, Limit, State)
    ).
