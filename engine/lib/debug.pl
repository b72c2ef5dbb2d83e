% Debug messages by topic, and assertions.
:- module(debug, [
    debug/3,
    debug/1,
    nodebug/1,
    debugging/1,
    debugging/2,
    list_debug_topics/0,
    assertion/1
]).

:- meta_predicate
    assertion(0).

:- dynamic
    topic/2.

% debug(+Topic, +Format, :Arguments): prints the message on user_error when Topic is being debugged.
debug(Topic, Format, Arguments) :-
    (   topic(Topic, true)
    ->  print_debug(Format, Arguments)
    ;   true
    ).

print_debug(Format, Arguments) :-
    write(user_error, '% '),
    format(user_error, Format, Arguments),
    nl(user_error).

debug(Topic) :-
    set_topic(Topic, true).

nodebug(Topic) :-
    set_topic(Topic, false).

set_topic(Topic, State) :-
    must_be(nonvar, Topic),
    retractall(topic(Topic, _)),
    assertz(topic(Topic, State)).

debugging(Topic) :-
    topic(Topic, true).

debugging(Topic, State) :-
    topic(Topic, State).

list_debug_topics :-
    forall(topic(Topic, State),
           format(user_error, '~q: ~w~n', [Topic, State])).

% assertion(:Goal): succeeds like once/1; an error when Goal fails or throws.
assertion(Goal) :-
    (   catch(Goal, Ball, assertion_failed(Goal, Ball))
    ->  true
    ;   assertion_failed(Goal, fail)
    ).

assertion_failed(Goal, Reason) :-
    throw(error(assertion_error(Reason, Goal), _)).
