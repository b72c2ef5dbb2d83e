% Limits of time, inferences and depth for single goals, and alarms.
:- module(time, [
    alarm/3,
    alarm/4,
    alarm_at/3,
    alarm_at/4,
    remove_alarm/1,
    install_alarm/1,
    install_alarm/2,
    uninstall_alarm/1,
    current_alarm/4,
    call_with_time_limit/2,
    call_with_time_limit/3,
    call_with_inference_limit/3,
    call_with_depth_limit/3
]).

:- meta_predicate
    alarm(+, 0, -),
    alarm(+, 0, -, +),
    alarm_at(+, 0, -),
    alarm_at(+, 0, -, +),
    current_alarm(?, :, ?, ?),
    call_with_time_limit(+, 0),
    call_with_time_limit(+, 0, ?),
    call_with_inference_limit(0, +, -),
    call_with_depth_limit(0, +, -).

% alarm(+Seconds, :Goal, -Id): calls a copy of Goal once, before the next call of the thread after so many seconds.
alarm(Seconds, Goal, Id) :- alarm(Seconds, Goal, Id, []).

% alarm(+Seconds, :Goal, -Id, +Options): the same; with remove(true) the alarm is gone when it has rung, with
% install(false) it waits for install_alarm/1.
alarm(Seconds, Goal, Id, Options) :-
    must_be(number, Seconds),
    get_time(Now),
    At is Now + Seconds,
    alarm_for(At, Goal, Id, Options).

% alarm_at(+Stamp, :Goal, -Id): calls Goal when a time has come.
alarm_at(Stamp, Goal, Id) :- alarm_at(Stamp, Goal, Id, []).

% alarm_at(+Stamp, :Goal, -Id, +Options): the same, with the options of alarm/4.
alarm_at(Stamp, Goal, Id, Options) :-
    must_be(number, Stamp),
    alarm_for(Stamp, Goal, Id, Options).

alarm_for(At0, Goal, Id, Options) :-
    (   nonvar(Id)
    ->  throw(error(uninstantiation_error(Id), _))
    ;   true
    ),
    option(remove(Remove), Options, false),
    option(install(Install), Options, true),
    must_be(bool, Remove),
    must_be(bool, Install),
    At is float(At0),
    '$alarm_create'(At, Goal, Remove, Number),
    Id = '$alarm'(Number),
    (   Install == true
    ->  '$alarm_state'(Number, scheduled, At)
    ;   true
    ).

alarm_number(Id, Number) :-
    must_be(nonvar, Id),
    (   Id = '$alarm'(Number)
    ->  true
    ;   throw(error(type_error(alarm, Id), _))
    ).

% remove_alarm(+Id): takes an alarm back.
remove_alarm(Id) :-
    alarm_number(Id, Number),
    '$alarm_remove'(Number).

% install_alarm(+Id): makes an alarm ring that was made with install(false) or was taken off.
install_alarm(Id) :-
    alarm_number(Id, Number),
    stored_alarm(Number, At),
    '$alarm_state'(Number, scheduled, At).

% install_alarm(+Id, +Seconds): the same, so many seconds from now.
install_alarm(Id, Seconds) :-
    alarm_number(Id, Number),
    get_time(Now),
    At is float(Now + Seconds),
    '$alarm_state'(Number, scheduled, At).

% uninstall_alarm(+Id): keeps an alarm from ringing until it is installed again.
uninstall_alarm(Id) :-
    alarm_number(Id, Number),
    stored_alarm(Number, At),
    '$alarm_state'(Number, idle, At).

stored_alarm(Number, At) :-
    '$alarms'(Alarms),
    (   memberchk(alarm(At, _, Number, _), Alarms)
    ->  true
    ;   throw(error(existence_error(alarm, '$alarm'(Number)), _))
    ).

% current_alarm(?Stamp, :Goal, ?Id, ?Status): the alarms of the thread, the next first; Status is scheduled, idle or done.
current_alarm(Stamp, Goal, Id, Status) :-
    '$strip_module'(Goal, Module, Plain),
    '$alarms'(Alarms),
    member(alarm(Stamp, Called, Number, Status), Alarms),
    '$strip_module'(Called, Module, Plain),
    Id = '$alarm'(Number).

% call_with_time_limit(+Seconds, :Goal): calls Goal once; throws time_limit_exceeded when that takes longer.
call_with_time_limit(Seconds, Goal) :-
    time_limited(Seconds, Goal, time_limit_exceeded).

% call_with_time_limit(+Seconds, :Goal, +Context): the same; throws time_limit_exceeded(Context).
call_with_time_limit(Seconds, Goal, Context) :-
    time_limited(Seconds, Goal, time_limit_exceeded(Context)).

time_limited(Seconds, Goal, Ball) :-
    (   Seconds > 0
    ->  Nanoseconds is ceiling(min(Seconds, 1.0e9) * 1000000000),
        setup_call_cleanup(push_time_limit(Nanoseconds, Ball, Key), first(Goal), pop_limits(Key))
    ;   throw(Ball)
    ).

% Goals cannot call the system's own predicates. A limit is taken back by its key only, which its goal does not know.
push_time_limit(Nanoseconds, Ball, Key) :- '$push_time_limit'(Nanoseconds, Ball, Key).
pop_limits(Key) :- '$pop_limits'(Key).

first(Goal) :- ( call(Goal) -> true ).

% call_with_inference_limit(:Goal, +Limit, -Result): Result is ! when Goal succeeds for the last time, true when it may
% succeed again, inference_limit_exceeded when it has made more than Limit inferences.
call_with_inference_limit(Goal, Limit, Result) :-
    inference_count(Limit, Count),
    '$limit_key'(Key),
    catch(inference_limited(Goal, Count, Key, Last), Ball, limit_thrown(Ball, Key, Result0)),
    (   Result0 == inference_limit_exceeded
    ->  !
    ;   Last == true
    ->  !,
        Result0 = !
    ;   Result0 = true
    ),
    Result = Result0.

inference_count(Limit, _) :- var(Limit), !, throw(error(instantiation_error, _)).
inference_count(Limit, _) :- \+ number(Limit), !, throw(error(type_error(integer, Limit), _)).
inference_count(Limit, _) :- Limit < 0, !, throw(error(domain_error(not_less_than_zero, Limit), _)).
inference_count(Limit, Count) :- Count is min(integer(Limit), 1 << 60).

% The limit is in force within the catch frame that takes its ball and nowhere else: it may run out at any call.
inference_limited(Goal, Count, Key, Last) :-
    '$push_inference_limit'(Count, Frame, Key),
    (   call_cleanup(Goal, Last = true),
        (   Last == true
        ->  '$pop_limits'(Key)
        ;   '$limit_left'(Key, Left),
            leave_limit(Key, Left, Frame)
        )
    ;   '$pop_limits'(Key),
        fail
    ).

% The limit of an outer goal is not for us.
limit_thrown(Ball, Key, Result) :-
    (   Ball == inference_limit_exceeded,
        '$limit_hit'(Key)
    ->  '$pop_limits'(Key),
        Result = inference_limit_exceeded
    ;   '$pop_limits'(Key),
        throw(Ball)
    ).

% Outside of the goal its limit does not count; it does again when the goal is asked for another answer.
leave_limit(Key, _, _) :- '$pop_limits'(Key).
leave_limit(Key, Left, Frame) :- '$push_inference_limit'(Left, Frame, Key), fail.

% call_with_depth_limit(:Goal, +Limit, -Result): calls Goal, whose branches fail where they need more than Limit calls
% within calls. Result is the greatest depth since the answer before, or depth_limit_exceeded when there are no more answers
% but branches were given up since the last one.
%
% The clauses of the program and of libraries of lists are interpreted for it; other predicates count as one call, and
% goals among their arguments are interpreted again.
call_with_depth_limit(Goal, Limit, Result) :-
    must_be(integer, Limit),
    (   Limit < 0
    ->  throw(error(domain_error(not_less_than_zero, Limit), _))
    ;   true
    ),
    State = depth(0),
    (   call_cleanup(depth_call(1, Limit, State, Goal), Last = true),
        arg(1, State, Result0),
        (   Last == true
        ->  !
        ;   true
        ;   nb_setarg(1, State, 1),
            fail
        ),
        Result = Result0
    ;   arg(1, State, Reached),
        Reached > Limit,
        Result = depth_limit_exceeded
    ).

% depth_call(+Level, +Limit, +State, :Goal, ?Extra...): calls Goal with further arguments at a level.
depth_call(Level, Limit, State, Goal) :-
    '$strip_module'(Goal, Module, Plain),
    '$must_be_callable'(Plain),
    depth_enter(Level, Limit, State),
    '$plain_goal'(Plain, Called),
    depth_goal(Called, Module, Level, Limit, State).

depth_call(Level, Limit, State, Goal, A) :-
    depth_add(Goal, [A], Full), depth_call(Level, Limit, State, Full).
depth_call(Level, Limit, State, Goal, A, B) :-
    depth_add(Goal, [A, B], Full), depth_call(Level, Limit, State, Full).
depth_call(Level, Limit, State, Goal, A, B, C) :-
    depth_add(Goal, [A, B, C], Full), depth_call(Level, Limit, State, Full).
depth_call(Level, Limit, State, Goal, A, B, C, D) :-
    depth_add(Goal, [A, B, C, D], Full), depth_call(Level, Limit, State, Full).
depth_call(Level, Limit, State, Goal, A, B, C, D, E) :-
    depth_add(Goal, [A, B, C, D, E], Full), depth_call(Level, Limit, State, Full).
depth_call(Level, Limit, State, Goal, A, B, C, D, E, F) :-
    depth_add(Goal, [A, B, C, D, E, F], Full), depth_call(Level, Limit, State, Full).
depth_call(Level, Limit, State, Goal, A, B, C, D, E, F, G) :-
    depth_add(Goal, [A, B, C, D, E, F, G], Full), depth_call(Level, Limit, State, Full).

depth_add(Goal, [], Goal) :- !.
depth_add(Goal, Extra, Module:Full) :-
    '$strip_module'(Goal, Module, Plain),
    '$must_be_callable'(Plain),
    '$add_arguments'(Plain, Extra, Full).

% Goals of a body that are instructions: they are no calls.
depth_inline(true).
depth_inline(!).
depth_inline(_ = _).
depth_inline(_ \= _).
depth_inline(_ == _).
depth_inline(_ \== _).
depth_inline(var(_)).
depth_inline(nonvar(_)).

depth_enter(Level, Limit, State) :-
    (   arg(1, State, Reached),
        Level =< Reached
    ->  true
    ;   nb_setarg(1, State, Level)
    ),
    Level =< Limit.

depth_goal(Goal, Module, Level, Limit, State) :-
    Inner is Level + 1,
    (   depth_control(Goal)
    ->  depth_body(Goal, Module, Inner, Limit, State, Body),
        call(Body)
    ;   Goal = call_with_depth_limit(_, _, _)
    ->  depth_enter(Inner, Limit, State),
        call(Module:Goal)
    ;   '$pred_info'(Module:Goal, Properties),
        depth_interpreted(Properties, Module, Home)
    ->  '$cc_qualified'(Properties, Home, Module, Goal, Qualified),
        depth_clauses(Properties, Qualified, Home, Inner, Limit, State)
    ;   '$pred_info'(Module:Goal, Properties),
        memberchk(meta_predicate(Spec), Properties)
    ->  Goal =.. [Name|Args],
        Spec =.. [_|Modes],
        depth_arguments(Modes, Args, Module, Inner, Limit, State, Wrapped),
        Wrapper =.. [Name|Wrapped],
        call(Module:Wrapper)
    ;   call(Module:Goal)
    ).

depth_control((_, _)).
depth_control((_ ; _)).
depth_control((_ -> _)).
depth_control((_ *-> _)).
depth_control(\+ _).

% Clauses of the program itself, those of module Home, can be interpreted, if they are not tabled.
depth_interpreted(Properties, Module, Home) :-
    memberchk(number_of_clauses(_), Properties),
    (   memberchk(imported_from(Home0), Properties)
    ->  Home = Home0
    ;   Home = Module
    ),
    (   memberchk(nodebug, Properties)
    ->  depth_library(Home)
    ;   true
    ),
    \+ memberchk(tabled, Properties).

depth_library(apply).
depth_library(lists).

% A cut in the body goes to Frame, the choice point before the clauses.
depth_clauses(Properties, Goal, Module, Level, Limit, State) :-
    '$choice_point'(Frame),
    '$program_clause'(Properties, Module:Goal, Body0),
    depth_body(Body0, Module, Level, Limit, State, Body),
    '$body'(Body, Frame).

% depth_body(+Body0, +Module, +Level, +Limit, +State, -Body): each goal of Body0 is called by depth_call/4.
depth_body(Goal, Module, Level, Limit, State, time:depth_call(Level, Limit, State, Module:Goal)) :-
    var(Goal),
    !.
depth_body(Goal, _, _, _, _, Goal) :- depth_inline(Goal), !.
depth_body((A0, B0), M, Level, Limit, State, (A, B)) :- !,
    depth_body(A0, M, Level, Limit, State, A),
    depth_body(B0, M, Level, Limit, State, B).
depth_body((A0 ; B0), M, Level, Limit, State, (A ; B)) :- !,
    depth_body(A0, M, Level, Limit, State, A),
    depth_body(B0, M, Level, Limit, State, B).
depth_body((A0 -> B0), M, Level, Limit, State, (A -> B)) :- !,
    depth_body(A0, M, Level, Limit, State, A),
    depth_body(B0, M, Level, Limit, State, B).
depth_body((A0 *-> B0), M, Level, Limit, State, (A *-> B)) :- !,
    depth_body(A0, M, Level, Limit, State, A),
    depth_body(B0, M, Level, Limit, State, B).
depth_body(\+ A0, M, Level, Limit, State, \+ A) :- !,
    depth_body(A0, M, Level, Limit, State, A).
depth_body(Goal, M, Level, Limit, State, time:depth_call(Level, Limit, State, Full)) :-
    compound(Goal),
    compound_name_arguments(Goal, call, [Called|Extra]),
    ( callable(Called) ; Extra == [] ),
    !,
    depth_add(M:Called, Extra, Full).
depth_body(Goal, M, Level, Limit, State, time:depth_call(Level, Limit, State, M:Goal)).

depth_arguments([], [], _, _, _, _, []).
depth_arguments([Mode|Modes], [Arg|Args], M, Level, Limit, State, [New|Rest]) :-
    (   integer(Mode),
        nonvar(Arg)
    ->  New = time:depth_call(Level, Limit, State, M:Arg)
    ;   New = Arg
    ),
    depth_arguments(Modes, Args, M, Level, Limit, State, Rest).
