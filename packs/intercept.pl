% Signals: a goal tells those who have called it of something and goes on.
:- module(intercept, [
    intercept/3,
    intercept/4,
    intercept_all/4,
    nb_intercept_all/4,
    send_signal/1,
    send_silent_signal/1
]).

:- meta_predicate
    intercept(0, ?, 0),
    intercept(0, ?, 1, ?),
    intercept_all(-, 0, ?, -),
    nb_intercept_all(-, 0, ?, -).

% intercept(:Goal, ?Signal, :Handler): calls Goal; while it runs, Handler is called for each signal that unifies with Signal.
intercept(Goal, Signal, Handler) :-
    within(handler(Signal, Handler, plain), Goal).

% intercept(:Goal, ?Signal, :Handler, ?Argument): calls call(Handler, Argument) for each signal.
intercept(Goal, Signal, Handler, Argument) :-
    within(handler(Signal, Handler, with(Argument)), Goal).

% The handlers of what runs inside come first. Leaving the goal takes them away, and coming back brings them again.
within(Handler, Goal) :-
    handlers(Handlers),
    b_setval('$intercept', [Handler|Handlers]),
    call(Goal),
    b_setval('$intercept', Handlers).

handlers(Handlers) :-
    (   nb_current('$intercept', Handlers0)
    ->  Handlers = Handlers0
    ;   Handlers = []
    ).

% intercept_all(-Template, :Goal, ?Signal, -List): calls Goal once; List has a copy of Template for each signal that unifies with Signal.
intercept_all(Template, Goal, Signal, List) :-
    State = found([]),
    intercept(Goal, Signal, intercept:keep(Template), State),
    arg(1, State, Found),
    reverse(Found, List).

keep(Template, State) :-
    arg(1, State, Found),
    setarg(1, State, [Template|Found]).

% nb_intercept_all(-Template, :Goal, ?Signal, -List): as intercept_all/4, also of signals that were sent before backtracking.
nb_intercept_all(Template, Goal, Signal, List) :-
    State = found([]),
    intercept(Goal, Signal, intercept:nb_keep(Template), State),
    arg(1, State, Found),
    reverse(Found, List).

nb_keep(Template, State) :-
    arg(1, State, Found),
    nb_setarg(1, State, [Template|Found]).

% send_signal(+Signal): calls the handlers of Signal, the innermost first; a handler that sends it again calls outer ones. Without one it is an error.
send_signal(Signal) :-
    handlers(Handlers),
    (   sent(Handlers, Signal)
    ->  true
    ;   throw(error(unintercepted_signal(Signal), _))
    ).

% send_silent_signal(+Signal): send_signal/1 that does nothing when there is no handler.
send_silent_signal(Signal) :-
    handlers(Handlers),
    ignore(sent(Handlers, Signal)).

% The handler runs with those outside of its own.
sent(Handlers, Signal) :-
    append(_, [Handler0|Outer], Handlers),
    copy_term(Handler0, handler(Signal1, _, _)),
    Signal1 = Signal,
    !,
    handler_goal(Handler0, Signal, Goal),
    b_setval('$intercept', Outer),
    ignore(Goal),
    b_setval('$intercept', Handlers).

handler_goal(handler(Pattern, Handler, How), Signal, Goal) :-
    (   How == plain
    ->  copy_term(Pattern-Handler, Signal-Goal)
    ;   How = with(Argument),
        copy_term(Pattern-Handler, Signal-Handler1),
        Goal = call(Handler1, Argument)
    ).
