% Debug messages by topic, and assertions.
:- module(debug, [
    debug/3,
    debug/1,
    debug/0,
    nodebug/1,
    nodebug/0,
    notrace/1,
    debugging/1,
    debugging/2,
    list_debug_topics/0,
    assertion/1,
    list_debug_topics/1,
    debug_message_context/1
]).

:- meta_predicate
    assertion(0),
    debug(+, +, :),
    notrace(0).

:- dynamic
    topic/2.

% debug(+Topic, +Format, :Arguments): prints the message on user_error when Topic is being debugged.
debug(Topic, Format, Arguments) :-
    (   topic(Topic, true)
    ->  ( Arguments = _:_ -> Qualified = Arguments ; Qualified = user:Arguments ),
        print_debug(Topic, Format, Qualified)
    ;   true
    ).

print_debug(Topic, Format, Arguments) :-
    prolog:debug_print_hook(Topic, Format, Arguments),
    !.
print_debug(_, Format, Arguments) :-
    print_message_lines(user_error, '% ', [Format-Arguments]).

% debug(+Topic): shows the messages of a topic.
debug(Topic) :-
    set_topic(Topic, true).

% nodebug(?Topic): hides the messages of a topic; an unbound Topic stands for all.
nodebug(Topic) :-
    (   var(Topic)
    ->  forall(topic(Each, true), set_topic(Each, false))
    ;   set_topic(Topic, false)
    ).

set_topic(Topic, State) :-
    must_be(nonvar, Topic),
    retractall(topic(Topic, _)),
    assertz(topic(Topic, State)).

% debugging(?Topic): the messages of Topic are shown.
debugging(Topic) :-
    topic(Topic, true).

% debugging(?Topic, ?Shown): Shown says whether the messages of a topic are shown.
debugging(Topic, State) :-
    topic(Topic, State).

% list_debug_topics: prints the topics.
list_debug_topics :-
    forall(topic(Topic, State),
           format(user_error, '~q: ~w~n', [Topic, State])).

% assertion(:Goal): succeeds, without bindings, if Goal does; otherwise calls prolog:assertion_failed(Reason, Goal),
% prints a message and throws. Reason is fail or the exception of Goal.
assertion(Goal) :-
    strip_module(Goal, Module, Plain),
    (   \+ \+ catch(Goal, Ball, assertion_failed(Ball, Module:Plain))
    ->  true
    ;   assertion_failed(fail, Module:Plain),
        returned
    ).

% This goal keeps the call above from being a last call, so that the place of the assertion is on the stack.
returned.

assertion_failed(Reason, Goal) :-
    prolog:assertion_failed(Reason, Goal),
    !.
assertion_failed(Reason, _) :-
    passed_on(Reason),
    !,
    throw(Reason).
assertion_failed(Reason, Goal) :-
    print_message(error, assertion_failed(Reason, Goal)),
    throw(error(assertion_error(Reason, Goal), _)).

passed_on(time_limit_exceeded).
passed_on(inference_limit_exceeded).
passed_on(error(resource_error(_), _)).

% debug: from now on goals at the prompt stop at spy points.
debug :- '$debugger'(debug, _).

% nodebug: ends debug/0 and trace/0.
nodebug :- '$debugger'(nodebug, _).

% notrace(:Goal): calls Goal once; nothing is traced.
notrace(Goal) :-
    once(Goal).

% list_debug_topics(+Options): list_debug_topics/0; with active(Boolean) only topics that are shown, or hidden; with
% search(Text) only topics that contain Text.
list_debug_topics(Options) :-
    must_be(list, Options),
    forall(( topic(Topic, On), topic_wanted(Options, Topic, On) ),
           print_message(information, format("~w: ~w", [Topic, On]))).

topic_wanted(Options, Topic, On) :-
    (   memberchk(active(Active), Options)
    ->  Active == On
    ;   true
    ),
    (   memberchk(search(Text), Options)
    ->  format(string(Shown), "~w", [Topic]),
        sub_string(Shown, _, _, _, Text),
        !
    ;   true
    ).

% debug_message_context(+What): does nothing; debug messages have no prefix.
debug_message_context(_).
