% How much time and how many inferences goals take.
:- module(statistics, [
    time/1,
    call_time/2,
    call_time/3,
    statistics/0,
    statistics/1
]).

:- meta_predicate
    time(0),
    call_time(0, -),
    call_time(0, -, -).

% time(:Goal): calls Goal and prints what it took, also for each further answer, failure and exception.
time(Goal) :-
    measured(Goal, Result, Used, true),
    print_message(information, '$time'(Used)),
    outcome(Result).

outcome(true).
outcome(exception(Ball)) :- throw(Ball).

% call_time(:Goal, -Used): calls Goal; Used is a dict time{cpu: Seconds, inferences: Count, wall: Seconds}.
call_time(Goal, Used) :-
    call_time(Goal, Used, true).

% call_time(:Goal, -Used, -Result): calls Goal; Result is true or false.
call_time(Goal, Used, Result) :-
    measured(Goal, Result0, Used, false),
    (   Result0 = exception(Ball)
    ->  throw(Ball)
    ;   Result = Result0
    ).

% measured(:Goal, -Result, -Used, +Fails): Used is what the last answer of Goal took. When there is none, Result is false, or
% with Fails the time is printed and the call fails.
measured(Goal, Result, Used, Fails) :-
    clocks(Clocks0),
    State = started(Clocks0),
    (   catch(call_cleanup(Goal, Last = true), Ball, true),
        used(State, Used),
        (   nonvar(Ball)
        ->  !,
            Result = exception(Ball)
        ;   Last == true
        ->  !,
            Result = true
        ;   Result = true,
            (   true
            ;   clocks(Clocks),
                nb_setarg(1, State, Clocks),
                fail
            )
        )
    ;   used(State, Used),
        (   Fails == true
        ->  print_message(information, '$time'(Used)),
            fail
        ;   Result = false
        )
    ).

clocks(clocks(Cpu, Wall, Inferences)) :-
    get_time(Wall),
    statistics(cputime, Cpu),
    statistics(inferences, Inferences).

% The calls that measure are not counted.
used(State, Used) :-
    clocks(clocks(Cpu1, Wall1, Inferences1)),
    State = started(clocks(Cpu0, Wall0, Inferences0)),
    Cpu is max(0.0, Cpu1 - Cpu0),
    Wall is max(0.0, Wall1 - Wall0),
    Inferences is max(0, Inferences1 - Inferences0 - 7),
    dict_pairs(Used, time, [cpu-Cpu, inferences-Inferences, wall-Wall]).

time_lines(Used) -->
    {   dict_pairs(Used, _, [cpu-Cpu, inferences-Inferences, wall-Wall]),
        ( Wall > 0.0 -> Share is min(100, round(100 * Cpu / Wall)) ; Share = 100 ),
        ( Cpu > 0.0 -> Speed is truncate(Inferences / Cpu) ; Speed = 'Infinite' )
    },
    [ '~D inferences, ~3f CPU in ~3f seconds (~w% CPU, ~w Lips)'-[Inferences, Cpu, Wall, Share, Speed] ].

statistics_lines(used(Started, Cpu, Inferences, Atoms, Functors, Predicates, Modules, Codes, Heap, Limit)) -->
    [ 'Started at ~w'-[Started], nl,
      '~3f seconds cpu time for ~D inferences'-[Cpu, Inferences], nl,
      '~D atoms, ~D functors, ~D predicates, ~D modules, ~D VM-codes'-[Atoms, Functors, Predicates, Modules, Codes], nl,
      '~D bytes of terms and stacks, at most ~D'-[Heap, Limit] ].

% statistics: prints what the run has used.
statistics :-
    statistics(epoch, Epoch),
    format_time(atom(Started), '%a %b %d %T %Y', Epoch),
    maplist(statistics, [cputime, inferences, atoms, functors, predicates, modules, codes, stack, stack_limit],
            [Cpu, Inferences, Atoms, Functors, Predicates, Modules, Codes, Heap, Limit]),
    print_message(information,
                  '$statistics'(used(Started, Cpu, Inferences, Atoms, Functors, Predicates, Modules, Codes, Heap, Limit))).

% statistics(-Used): a dict of what the run has used: time, inferences, memory, threads and what there is in the program.
statistics(Used) :-
    maplist(statistics, [cputime, inferences, epoch], [Cpu, Inferences, Epoch]),
    dict_pairs(Time, time, [cpu-Cpu, inferences-Inferences, epoch-Epoch]),
    maplist(statistics, [stack, stack_limit], [Stack, Limit]),
    dict_pairs(Total, stack, [name-stacks, usage-Stack, limit-Limit]),
    dict_pairs(Stacks, stacks, [total-Total]),
    maplist(statistics, [atoms, functors, predicates, modules, codes], [Atoms, Functors, Predicates, Modules, Codes]),
    dict_pairs(Data, counts,
               [atoms-Atoms, functors-Functors, predicates-Predicates, modules-Modules, vm_codes-Codes]),
    statistics(threads, Threads),
    dict_pairs(Thread, thread, [count-Threads]),
    dict_pairs(Used, statistics, [time-Time, stacks-Stacks, data-Data, thread-Thread]).
