% Events: goals that listen for terms, and terms that are broadcast to them.
:- module(broadcast, [
    listen/2,
    listen/3,
    unlisten/1,
    unlisten/2,
    unlisten/3,
    listening/3,
    broadcast/1,
    broadcast_request/1
]).

:- meta_predicate
    listen(+, 0),
    listen(+, +, 0),
    unlisten(+, +, 0).

:- dynamic
    listener/3.

% listen(+Event, :Goal): Goal is called when a term that unifies with Event is broadcast; the module that calls this is the listener.
listen(Event, Goal) :-
    strip_module(Goal, Module, _),
    listen(Module, Event, Goal).

% listen(+Listener, +Event, :Goal): the same for a listener of that name; the newest listener is called first.
listen(Listener, Event, Goal) :-
    strip_module(Event, _, Plain),
    strip_module(Goal, Module, Body),
    '$kept_goal'(Module:Body, Kept),
    asserta(listener(Plain, Listener, Kept)).

% unlisten(+Listener): ends all listening of the listener.
unlisten(Listener) :-
    retractall(listener(_, Listener, _)).

% unlisten(+Listener, +Event): the listener no longer listens for Event.
unlisten(Listener, Event) :-
    retractall(listener(Event, Listener, _)).

% unlisten(?Listener, ?Event, :Goal): ends all listening that unifies with these arguments.
unlisten(Listener, Event, Goal) :-
    strip_module(Goal, Module, Plain),
    (   var(Plain)
    ->  retractall(listener(Event, Listener, _))
    ;   '$kept_goal'(Module:Plain, Kept),
        retractall(listener(Event, Listener, Kept))
    ).

% listening(?Listener, ?Event, ?Goal): Listener calls Goal for Event.
listening(Listener, Event, Goal) :-
    listener(Event, Listener, Goal).

% broadcast(+Event): calls each goal that listens for Event once; failure counts as success.
broadcast(Event) :-
    forall(listener(Event, _, Goal), ignore(Goal)).

% broadcast_request(+Event): calls the goals that listen for Event, and again on backtracking.
broadcast_request(Event) :-
    listener(Event, _, Goal),
    call(Goal).
