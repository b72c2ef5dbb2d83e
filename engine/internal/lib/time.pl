% Limits of time and inferences for single goals, and alarms.
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
    call_with_inference_limit/3
]).

:- meta_predicate
    alarm(+, 0, -),
    alarm(+, 0, -, +),
    alarm_at(+, 0, -),
    alarm_at(+, 0, -, +),
    current_alarm(?, :, ?, ?),
    call_with_time_limit(+, 0),
    call_with_time_limit(+, 0, ?),
    call_with_inference_limit(0, +, -).

% alarm(+Seconds, :Goal, -Id): after so many seconds, calls a copy of Goal once, before the next call of the thread.
alarm(Seconds, Goal, Id) :- alarm(Seconds, Goal, Id, []).

% alarm(+Seconds, :Goal, -Id, +Options): the same; with remove(true) the alarm is removed after it has rung, with
% install(false) it waits for install_alarm/1.
alarm(Seconds, Goal, Id, Options) :-
    must_be(number, Seconds),
    get_time(Now),
    At is Now + Seconds,
    alarm_for(At, Goal, Id, Options).

% alarm_at(+Stamp, :Goal, -Id): calls Goal at a given time.
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

% remove_alarm(+Id): removes an alarm.
remove_alarm(Id) :-
    alarm_number(Id, Number),
    '$alarm_remove'(Number).

% install_alarm(+Id): activates an alarm that was made with install(false) or was uninstalled.
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

% Goals cannot call the system's own predicates. A limit can be removed only by its key, which its goal does not know.
push_time_limit(Nanoseconds, Ball, Key) :- '$push_time_limit'(Nanoseconds, Ball, Key).
pop_limits(Key) :- '$pop_limits'(Key).

first(Goal) :- ( call(Goal) -> true ).

% call_with_inference_limit(:Goal, +Limit, -Result): Result is ! if Goal has succeeded and has no more solutions, true
% if it may have more, inference_limit_exceeded if it has made more than Limit inferences.
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

% The limit belongs to an outer goal.
limit_thrown(Ball, Key, Result) :-
    (   Ball == inference_limit_exceeded,
        '$limit_hit'(Key)
    ->  '$pop_limits'(Key),
        Result = inference_limit_exceeded
    ;   '$pop_limits'(Key),
        throw(Ball)
    ).

% The limit counts only within the goal; it counts again when the goal is asked for another answer.
leave_limit(Key, _, _) :- '$pop_limits'(Key).
leave_limit(Key, Left, Frame) :- '$push_inference_limit'(Left, Frame, Key), fail.
