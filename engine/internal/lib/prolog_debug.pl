% The tracer: stops at the ports of goals and at spy points, and reports both to the prompt.
%
% Goals that are not traced are not slowed down. A traced goal is interpreted: each of its calls goes through goal/5,
% which reports the ports to the debugger. Predicates written in Go, predicates of libraries and tabled predicates run
% as usual, but goals among their arguments are interpreted too.
:- module(prolog_debug, [
    trace/0,
    notrace/0,
    tracing/0,
    spy/1,
    spy/2,
    nospy/1,
    nospyall/0,
    leash/1,
    visible/1,
    trap/1,
    notrap/1,
    debugging/0
]).

:- meta_predicate
    spy(:),
    spy(:, 0),
    nospy(:).

:- use_module(library(explain/interpreter)).

% trace: from now on the prompt shows the ports of goals, and waits at them.
trace :- '$debugger'(trace, _).

% notrace: ends trace/0; spy points stay.
notrace :- '$debugger'(notrace, _).

% tracing: trace/0 is in force.
tracing :- '$debugger'(tracing, true).

% spy(:Predicate): goals of a predicate, Name or Name/Arity, are stopped at.
spy(Spec) :-
    predicates(Spec, List),
    spied(List, true).

% spy(:Head, :Condition): goals that unify with Head are stopped at when Condition then holds.
spy(Head0, Condition) :-
    '$strip_module'(Head0, M, Head),
    must_be(callable, Head),
    functor(Head, Name, Arity),
    predicates(M:(Name/Arity), List),
    spied(List, when(Head, Condition)).

spied([], _).
spied([M:Name/Arity|List], When) :-
    '$debugger'(spy(M, Name, Arity, When), New),
    (   New == new
    ->  print_message(informational, '$spy'(M:Name/Arity))
    ;   true
    ),
    spied(List, When).

% nospy(:Predicate): takes back spy/1.
nospy(Spec) :-
    predicates(Spec, List),
    not_spied(List).

not_spied([]).
not_spied([M:Name/Arity|List]) :-
    '$debugger'(nospy(M, Name, Arity), Was),
    (   Was == spied
    ->  print_message(informational, '$nospy'(M:Name/Arity))
    ;   true
    ),
    not_spied(List).

% nospyall: takes back all spy points.
nospyall :- '$debugger'(nospyall, _).

% predicates(+Spec, -List): the predicates that Spec names.
predicates(Spec0, List) :-
    '$strip_module'(Spec0, M, Spec),
    must_be(nonvar, Spec),
    (   Spec = Name/Arity
    ->  must_be(atom, Name),
        must_be(nonneg, Arity),
        functor(Head, Name, Arity),
        '$explain_pred'(M:Head, Home, Kind, _, _),
        (   Kind == undefined
        ->  List = [M:Name/Arity]
        ;   List = [Home:Name/Arity]
        )
    ;   Spec = Name//N
    ->  must_be(nonneg, N),
        Arity is N + 2,
        predicates(M:(Name/Arity), List)
    ;   must_be(atom, Spec),
        findall(Home:Spec/Arity, ( current_predicate(M:Spec/Arity), home(M, Spec, Arity, Home) ), List0),
        sort(List0, List),
        (   List == []
        ->  throw(error(existence_error(procedure, M:Spec), _))
        ;   true
        )
    ).

home(M, Name, Arity, Home) :-
    functor(Head, Name, Arity),
    '$explain_pred'(M:Head, Home, _, _, _).

% leash(?Ports): the ports at which trace/0 waits: +Port, -Port, a list of these, all, or a variable for a list of ports.
leash(Ports) :- set_ports(Ports, leash).

% visible(?Ports): the ports that trace/0 shows, as with leash/1.
visible(Ports) :- set_ports(Ports, visible).

set_ports(Ports, What) :-
    (   var(Ports)
    ->  Command =.. [What, get],
        '$debugger'(Command, Ports)
    ;   is_list(Ports)
    ->  each_port(Ports, What)
    ;   Command =.. [What, Ports],
        '$debugger'(Command, Ok),
        (   Ok == unknown
        ->  throw(error(domain_error(port, Ports), _))
        ;   true
        )
    ).

each_port([], _).
each_port([P|Ps], What) :-
    set_ports(P, What),
    each_port(Ps, What).

% trap(+Exception): stops where a goal throws error(Exception, _) while goals are debugged; a variable stands for all.
trap(Formal) :- '$debugger'(trap(Formal), _).

% notrap(+Exception): takes back trap/1.
notrap(Formal) :- '$debugger'(notrap(Formal), _).

% debugging: prints whether goals are debugged, and the spy points.
debugging :-
    '$debugger'(debugging, State),
    print_message(information, '$debugging'(State)).

debugging_lines(none) --> [ 'There is no debugger here' ].
debugging_lines(state(Mode, Spied)) -->
    mode_line(Mode),
    spied_lines(Spied).

mode_line(off) --> [ 'Debug mode is off' ].
mode_line(on) --> [ 'Debug mode is on' ].
mode_line(trace) --> [ 'Tracing is on' ].

spied_lines([]) --> [ nl, 'No spy points' ].
spied_lines([S|Ss]) --> [ nl, 'Spy points:' ], spied_each([S|Ss]).

spied_each([]) --> [].
spied_each([S|Ss]) --> [ nl, '  ~q'-[S] ], spied_each(Ss).

spy_lines(PI) --> { plain(PI, Shown) }, [ 'Spy point on ~q'-[Shown] ].

nospy_lines(PI) --> { plain(PI, Shown) }, [ 'Spy point removed from ~q'-[Shown] ].

plain(M:Name/Arity, Shown) :-
    (   M == user
    ->  Shown = Name/Arity
    ;   Shown = M:Name/Arity
    ).

% traced(:Goal): calls Goal and tells the debugger of its ports.
traced(Goal) :-
    goal(Goal, user, inline(none, none), 0, _).

% A frame is frame(Id, Depth, Parent, Module:Goal, In): Parent is the frame of the goal in whose clause or argument
% this goal stands, or none. In is the place of the goal, in(Index, At, Module:Head): goal number Index of the clause
% at At. At is at(File, Line, Body) or at(Body), with the current variables.

% goal(+Goal, +Module, +State, +I, -Node): calls a goal. State is clause(Frame, At, Head) for goal number I of a
% clause, and inline(Frame, In) for a goal within another goal at the place In.
goal(Goal, M0, State, I, _) :-
    '$strip_module'(M0:Goal, M, G0),
    '$must_be_callable'(G0),
    '$plain_goal'(G0, G),
    (   ( control(G) ; G = (\+ _) )
    ->  '$choice_point'(Cut),
        (   G = (\+ A)
        ->  '$trace_body'(A, A1),
            G1 = (\+ A1)
        ;   '$trace_body'(G, G1)
        ),
        place(State, I, Parent, In),
        walk(G1, M, ports(prolog_debug, inline(Parent, In)), 1, _, 0, _, _, Body),
        '$body'(Body, Cut)
    ;   silent(G)
    ->  call(M:G)
    ;   '$trace_pred'(M:G, Home, Kind, Meta),
        '$trace_frame'(Id),
        place(State, I, Parent, In),
        depth(Parent, D),
        box(frame(Id, D, Parent, Home:G, In), Kind, Meta, G, M, Home)
    ).

place(clause(F, At, Head), I, F, in(I, At, Head)).
place(inline(F, In), _, F, In).

depth(none, 1).
depth(frame(_, D0, _, _, _), D) :- D is D0 + 1.

% silent(+Goal): the goal is about the tracer itself.
silent(trace).
silent(notrace).
silent(nodebug).
silent(tracing).
silent(true).
silent(notrace(_)).
silent(leash(_)).
silent(visible(_)).
silent(spy(_)).
silent(spy(_, _)).
silent(nospy(_)).
silent(debug).

% box(+Frame, +Kind, +Meta, +Goal, +Module, +Home): calls the goal with its ports.
box(F, Kind, Meta, G, M, Home) :-
    catch(ports(F, Kind, Meta, G, M, Home), Ball, thrown(Ball, F, Kind, Meta, G, M, Home)).

% A ball '$trace_retry'(Id) makes the goal of frame Id begin again.
thrown(Ball, F, Kind, Meta, G, M, Home) :-
    (   is_retry(Ball, Id)
    ->  (   arg(1, F, Id)
        ->  box(F, Kind, Meta, G, M, Home)
        ;   throw(Ball)
        )
    ;   port(exception(Ball), F, A),
        after_exception(A, Ball, F, Kind, Meta, G, M, Home)
    ).

is_retry(Ball, Id) :- nonvar(Ball), Ball = '$trace_retry'(Id).

after_exception(continue, Ball, _, _, _, _, _, _) :- throw(Ball).
after_exception(fail, _, _, _, _, _, _, _) :- fail.
after_exception(ignore, _, _, _, _, _, _, _).
after_exception(retry(Id), _, F, Kind, Meta, G, M, Home) :-
    (   arg(1, F, Id)
    ->  box(F, Kind, Meta, G, M, Home)
    ;   throw('$trace_retry'(Id))
    ).

ports(F, Kind, Meta, G, M, Home) :-
    port(call, F, A),
    after_call(A, F, Kind, Meta, G, M, Home).

after_call(continue, F, Kind, Meta, G, M, Home) :- called(F, Kind, Meta, G, M, Home).
after_call(retry(Id), F, Kind, Meta, G, M, Home) :-
    (   arg(1, F, Id)
    ->  called(F, Kind, Meta, G, M, Home)
    ;   throw('$trace_retry'(Id))
    ).
after_call(ignore, F, _, _, _, _, _) :- port(exit, F, A), go_on(A).
after_call(fail, F, _, _, _, _, _) :- port(fail, F, A), go_on(A), fail.

called(F, Kind, Meta, G, M, Home) :-
    '$choice_point'(Before),
    (   '$choice_point'(Own),
        run(Kind, Meta, G, M, Home, F),
        '$choice_point'(Now),
        left(Own, Now, Before, F)
    ;   port(fail, F, A),
        go_on(A),
        fail
    ).

% left(+Own, +Now, +Before, +Frame): the goal has exited. It may have more answers when there is a choice point newer than
% the one that leads to its port fail.
left(Own, Own, Before, F) :-
    !,
    '$body'(!, Before),
    port(exit, F, A),
    go_on(A).
left(_, _, _, F) :-
    (   port(exit, F, A),
        go_on(A)
    ;   port(redo, F, A),
        go_on(A),
        fail
    ).

go_on(continue).
go_on(ignore).
go_on(fail) :- fail.
go_on(retry(Id)) :- throw('$trace_retry'(Id)).

% port(+Port, +Frame, -Action): reports a port to the debugger. If the debugger first needs a goal called, port/3
% calls it.
port(Port, F, Action) :-
    '$trace_port'(Port, F, first, A),
    asked(A, Port, F, Action).

asked(eval(Goal, Template), Port, F, Action) :- !,
    (   evaluated(Goal, Template)
    ;   '$trace_port'(Port, F, again, A),
        asked(A, Port, F, Action)
    ).
asked(A, _, _, A).

% evaluated(+Goal, +Template) calls a goal for the debugger and fails.
evaluated(Goal, Template) :-
    (   catch(Goal, Ball, true)
    ->  (   nonvar(Ball)
        ->  '$trace_told'(exception(Ball))
        ;   '$trace_told'(true(Template))
        )
    ;   '$trace_told'(false)
    ),
    fail.

% run(+Kind, +Meta, +Goal, +Module, +Home, +Frame): calls the goal of a frame, without its ports.
run(user, Meta, G, M, Home, F) :- clauses(user, Meta, G, M, Home, F).
run(ssu, Meta, G, M, Home, F) :- clauses(ssu, Meta, G, M, Home, F).
run(builtin, Meta, G, M, _, F) :- builtin(G, Meta, M, F).
run(undefined, _, G, M, _, _) :- call(M:G).
run(constraint, _, G, M, _, _) :- call(M:G).
run(asking, _, G, M, _, _) :- call(M:G).
run(sql, _, G, M, _, _) :- call(M:G).
run(tabled, _, G, M, _, _) :- call(M:G).

% clauses(+Kind, +Meta, +Goal, +Module, +Home, +Frame): calls the clauses of a predicate with their goals traced.
clauses(Kind, Meta, G, M, Home, F) :-
    qualified(Meta, G, M, G1),
    '$choice_point'(Cut),
    clause_of(Kind, Home:G1, Body, At, _),
    (   At == []
    ->  Goal = Body
    ;   port(unify(At), F, A),
        go_on(A),
        walk(Body, Home, ports(prolog_debug, clause(F, At, Home:G1)), 1, _, 0, _, _, Goal)
    ),
    '$body'(Goal, Cut).

% builtin(+Goal, +Meta, +Module, +Frame): calls a predicate that is not interpreted; goals among its arguments are.
builtin(catch(A, Catcher, R), _, M, F) :- !,
    frame_place(F, In),
    catch(goal(A, M, inline(F, In), 0, _), Ball, caught(Ball, Catcher, R, M, F, In)).
builtin(prolog_current_frame(N), _, _, frame(_, _, Parent, _, _)) :- !,
    level(Parent, N).
builtin(prolog_frame_attribute(N, Key, Value), _, _, frame(_, _, Parent, _, _)) :-
    integer(N),
    !,
    ancestor(Parent, N, M:G),
    functor(G, Name, Arity),
    '$frame_attribute'(Key, N, caller(M:Name/Arity, _, _), Value).
builtin(G, Meta, M, F) :-
    (   stands_for(G, M, Full)
    ->  frame_place(F, In),
        goal(Full, M, inline(F, In), 0, _)
    ;   \+ deferred(G),
        closures(Meta, G, M, prolog_debug, none, Closures)
    ->  current_frame(Outer),
        b_setval('$trace_frame', F),
        call(M:Closures),
        b_setval('$trace_frame', Outer)
    ;   call(M:G)
    ).

frame_place(frame(_, _, _, _, In), In).

current_frame(F) :-
    (   nb_current('$trace_frame', F0),
        F0 = frame(_, _, _, _, _)
    ->  F = F0
    ;   F = none
    ).

caught(Ball, Catcher, R, M, F, In) :-
    (   is_retry(Ball, _)
    ->  throw(Ball)
    ;   unifiable(Ball, Catcher, _)
    ->  Ball = Catcher, % wakes goals, which do not decide whether the ball matches
        goal(R, M, inline(F, In), 0, _)
    ;   throw(Ball)
    ).

% level(+Frame, -Level): numbers of frames count interpreted goals, not the clauses of the interpreter.
level(none, 0).
level(frame(_, Level, _, _, _), Level).

ancestor(frame(_, Level, Parent, Goal0, _), N, Goal) :-
    (   N =:= Level
    ->  Goal = Goal0
    ;   N < Level,
        ancestor(Parent, N, Goal)
    ).

% deferred(+Goal): the goals among its arguments run later or elsewhere, or are only examined.
deferred(reset(_, _, _)).
deferred(tnot(_)).
deferred('t not'(_)).
deferred(not_exists(_)).
deferred(undefined).
deferred(call_delays(_, _)).
deferred(call_with_depth_limit(_, _, _)).
deferred(call_with_inference_limit(_, _, _)).
deferred(call_residue_vars(_, _)).
deferred(proof(_, _, _)).
deferred(misses(_, _, _)).
deferred(safe_call(_)).
deferred(freeze(_, _)).
deferred(when(_, _)).
deferred(in_temporary_module(_, _, _)).
deferred(undo(_)).
deferred(at_halt(_)).
deferred(initialization(_)).
deferred(initialization(_, _)).
deferred(engine_create(_, _, _)).
deferred(engine_create(_, _, _, _)).
deferred(first_solution(_, _, _)).
deferred(concurrent(_, _, _)).
deferred(G) :-
    functor(G, Name, _),
    (   sub_atom(Name, 0, _, _, thread_)
    ;   sub_atom(Name, 0, _, _, concurrent_)
    ;   sub_atom(Name, 0, _, _, '$')
    ),
    !.

% closed(+State, :Goal): calls a goal for a predicate that is not interpreted.
closed(_, G) :-
    current_frame(F),
    (   F == none
    ->  In = none
    ;   frame_place(F, In)
    ),
    goal(G, user, inline(F, In), 0, _).
