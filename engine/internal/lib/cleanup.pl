% Cleanup goals that depend on how a goal ended, and goals that other threads must not disturb.
:- module(cleanup, [
    setup_call_catcher_cleanup/4,
    call_cleanup/3,
    with_mutex/2,
    sig_atomic/1
]).

:- meta_predicate
    setup_call_catcher_cleanup(0, 0, ?, 0),
    call_cleanup(0, ?, 0),
    with_mutex(?, 0),
    sig_atomic(0).

% setup_call_catcher_cleanup(:Setup, :Goal, ?Reason, :Cleanup): setup_call_cleanup/3; Cleanup is called when Reason
% unifies with exit, fail, ! (cut), exception(Ball), or external_exception(Ball), a ball that Goal has not thrown.
setup_call_catcher_cleanup(Setup, Goal, Catcher, Cleanup) :-
    State = reason(!),
    setup_call_cleanup(Setup, tell_reason(Goal, State), clean_up(State, Catcher, Cleanup)).

% Any other State was a cut.
tell_reason(Goal, State) :-
    call_cleanup(catch(Goal, Ball, tell_ball(Ball, State)), Last = true),
    (   Last == true
    ->  !,
        nb_setarg(1, State, exit)
    ;   true
    ).
tell_reason(_, State) :-
    nb_setarg(1, State, fail),
    fail.

tell_ball(Ball, State) :-
    nb_setarg(1, State, exception(Ball)),
    throw(Ball).

clean_up(reason(Reason), Catcher, Cleanup) :-
    (   Reason = Catcher
    ->  ignore(Cleanup)
    ;   true
    ).

% call_cleanup(:Goal, ?Reason, :Cleanup): setup_call_catcher_cleanup/4 without setup.
call_cleanup(Goal, Catcher, Cleanup) :-
    setup_call_catcher_cleanup(true, Goal, Catcher, Cleanup).

% with_mutex(+Mutex, :Goal): once(Goal), with the mutex locked.
with_mutex(Mutex, Goal) :-
    setup_call_cleanup(mutex_lock(Mutex), once(Goal), mutex_unlock(Mutex)).

% sig_atomic(:Goal): once(Goal); alarms and signals to the thread wait until it has ended.
sig_atomic(Goal) :-
    setup_call_cleanup(hold_signals(1), once(Goal), hold_signals(-1)).

% Goals cannot call the system's own predicates.
hold_signals(Count) :- '$hold_signals'(Count).
