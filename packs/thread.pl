% Message queues and mutexes of a run, which has one thread. Goals of concurrent_maplist/2 and kin run one after the other, with
% the answers that they would have.
:- module(thread, [
    concurrent/3,
    concurrent_forall/2,
    concurrent_forall/3,
    concurrent_and/2,
    concurrent_and/3,
    concurrent_maplist/2,
    concurrent_maplist/3,
    concurrent_maplist/4,
    first_solution/3,
    mutex_create/1,
    mutex_create/2,
    mutex_destroy/1,
    mutex_lock/1,
    mutex_trylock/1,
    mutex_unlock/1,
    mutex_unlock_all/0,
    mutex_property/2,
    message_queue_create/1,
    message_queue_create/2,
    message_queue_destroy/1,
    message_queue_property/2,
    thread_send_message/2,
    thread_send_message/3,
    thread_get_message/1,
    thread_get_message/2,
    thread_get_message/3,
    thread_peek_message/1,
    thread_peek_message/2
]).

:- meta_predicate
    concurrent(+, :, +),
    first_solution(-, :, +),
    concurrent_forall(0, 0),
    concurrent_forall(0, 0, +),
    concurrent_and(0, 0),
    concurrent_and(0, 0, +),
    concurrent_maplist(1, ?),
    concurrent_maplist(2, ?, ?),
    concurrent_maplist(3, ?, ?, ?).

% concurrent(+Count, :Goals, +Options): calls each goal of a list once.
concurrent(Count, Spec, _) :-
    must_be(positive_integer, Count),
    strip_module(Spec, Module, Goals),
    must_be(list(callable), Goals),
    all_once(Goals, Module).

all_once([], _).
all_once([Goal|Goals], Module) :-
    once(Module:Goal),
    all_once(Goals, Module).

% concurrent_forall(:Generate, :Test): Test is true for each answer of Generate.
concurrent_forall(Generate, Test) :-
    \+ ( Generate, \+ Test ).

% concurrent_forall(:Generate, :Test, +Options): the same; the option threads(Count) has no effect.
concurrent_forall(Generate, Test, Options) :-
    must_be(list, Options),
    concurrent_forall(Generate, Test).

% concurrent_and(:Generate, :Test): Generate and Test.
concurrent_and(Generate, Test) :-
    call(Generate),
    call(Test).

% concurrent_and(:Generate, :Test, +Options): the same; the option threads(Count) has no effect.
concurrent_and(Generate, Test, Options) :-
    must_be(list, Options),
    concurrent_and(Generate, Test).

% concurrent_maplist(:Goal, ?List, ...): maplist, but that each call of Goal has one answer.
concurrent_maplist(_, []).
concurrent_maplist(Goal, [A|As]) :-
    once(call(Goal, A)),
    concurrent_maplist(Goal, As).

concurrent_maplist(Goal, As, Bs) :-
    same_length(As, Bs),
    maplist_once(As, Bs, Goal).

maplist_once([], [], _).
maplist_once([A|As], [B|Bs], Goal) :-
    once(call(Goal, A, B)),
    maplist_once(As, Bs, Goal).

concurrent_maplist(Goal, As, Bs, Cs) :-
    same_length(As, Bs),
    same_length(Bs, Cs),
    maplist_once(As, Bs, Cs, Goal).

maplist_once([], [], [], _).
maplist_once([A|As], [B|Bs], [C|Cs], Goal) :-
    once(call(Goal, A, B, C)),
    maplist_once(As, Bs, Cs, Goal).

% first_solution(-Template, :Goals, +Options): the first goal of a list that succeeds binds Template. The first failure
% ends the search but with on_fail(continue); with on_error(continue) an exception is taken for a failure.
first_solution(_, Spec, Options) :-
    strip_module(Spec, Module, Goals),
    must_be(list(callable), Goals),
    must_be(list, Options),
    option(on_fail(OnFail), Options, stop),
    option(on_error(OnError), Options, stop),
    must_be(oneof([stop, continue]), OnFail),
    must_be(oneof([stop, continue]), OnError),
    first_of(Goals, Module, OnFail, OnError).

first_of([Goal|Goals], Module, OnFail, OnError) :-
    catch(attempt(Module:Goal, Outcome), Ball, Outcome = exception(Ball)),
    (   Outcome == true
    ->  true
    ;   Outcome == false
    ->  OnFail == continue,
        first_of(Goals, Module, OnFail, OnError)
    ;   OnError == continue
    ->  first_of(Goals, Module, OnFail, OnError)
    ;   Outcome = exception(Thrown),
        throw(Thrown)
    ).

attempt(Goal, Outcome) :-
    (   call(Goal)
    ->  Outcome = true
    ;   Outcome = false
    ).

% new_name(+Kind, +Options, -Name): the alias among the options, or a name that nothing has.
new_name(Kind, Options, Name) :-
    must_be(list, Options),
    (   option(alias(Alias), Options)
    ->  must_be(atom, Alias),
        Name = Alias
    ;   '$unique_number'(Number),
        format(atom(Name), "<~w>(~d)", [Kind, Number])
    ).

% waiting(:Goal, +Options, +Message): calls Goal after each alarm until it has an answer. It fails when the time in Options is over. If no alarm
% is left, Goal is tried a last time, as the goal of an alarm may have run since. A message that will never come is then an error.
waiting(Goal, Options, Message) :-
    (   call(Goal)
    ->  true
    ;   until(Options, Until),
        repeat,
        (   call(Goal)
        ->  !
        ;   late(Until)
        ->  !,
            fail
        ;   '$wait_for_alarm'(Until)
        ->  fail
        ;   call(Goal)
        ->  !
        ;   throw(error(existence_error(message, Message), _))
        )
    ).

% Mutexes.

% mutex_create(?Mutex): Mutex is a new mutex, with that name if it is an atom.
mutex_create(Mutex) :-
    (   var(Mutex)
    ->  new_name(mutex, [], Mutex)
    ;   must_be(atom, Mutex)
    ),
    '$mutex'(create, Mutex).

% mutex_create(-Mutex, +Options): Mutex is a new mutex, with the name of the option alias(Name).
mutex_create(Mutex, Options) :-
    (   nonvar(Mutex)
    ->  throw(error(uninstantiation_error(Mutex), _))
    ;   new_name(mutex, Options, Name),
        '$mutex'(create, Name),
        Mutex = Name
    ).

known_mutex(Mutex) :-
    must_be(nonvar, Mutex),
    (   atom(Mutex),
        '$mutex'(exists, Mutex)
    ->  true
    ;   throw(error(existence_error(mutex, Mutex), _))
    ).

% mutex_destroy(+Mutex): there is no such mutex any more.
mutex_destroy(Mutex) :-
    known_mutex(Mutex),
    '$mutex'(destroy, Mutex).

% mutex_lock(+Mutex): locks a mutex, or locks it once more. An atom that names none becomes one.
mutex_lock(Mutex) :-
    must_be(nonvar, Mutex),
    must_be(atom, Mutex),
    '$mutex'(lock, Mutex).

% mutex_trylock(+Mutex): the same.
mutex_trylock(Mutex) :-
    mutex_lock(Mutex).

% mutex_unlock(+Mutex): takes back a mutex_lock/1.
mutex_unlock(Mutex) :-
    known_mutex(Mutex),
    '$mutex'(unlock, Mutex).

% mutex_unlock_all: unlocks all mutexes.
mutex_unlock_all :-
    '$mutex'(release, main).

% mutex_property(+Mutex, ?Property): Property is status(unlocked) or status(locked(main, Count)).
mutex_property(Mutex, status(Status)) :-
    known_mutex(Mutex),
    '$mutex_count'(Mutex, Count),
    (   Count =:= 0
    ->  Status = unlocked
    ;   Status = locked(main, Count)
    ).

% Message queues.

% message_queue_create(-Queue): Queue is a new queue of messages, with that name if it is an atom.
message_queue_create(Queue) :-
    (   var(Queue)
    ->  message_queue_create(Queue, [])
    ;   must_be(atom, Queue),
        '$queue_create'(Queue, 0)
    ).

% message_queue_create(?Queue, +Options): Queue is a new queue, with the name that it is bound to or that of the option alias(Name),
% and room for as many messages as max_size(N) says; to send one more is to wait for an alarm.
message_queue_create(Queue, Options) :-
    (   var(Queue)
    ->  new_name(message_queue, Options, Name)
    ;   option(alias(Alias), Options, Queue),
        Alias == Queue
    ->  must_be(atom, Queue),
        Name = Queue
    ;   type_error(variable, Queue)
    ),
    option(max_size(Size), Options, 0),
    '$queue_create'(Name, Size),
    Queue = Name.

% message_queue_destroy(+Queue): there is no such queue any more.
message_queue_destroy(Queue) :-
    must_be(nonvar, Queue),
    '$queue_destroy'(Queue).

% message_queue_property(+Queue, ?Property): Property is size(Count), max_size(Most), or alias(Name) when the queue was given a name.
message_queue_property(Queue, Property) :-
    must_be(nonvar, Queue),
    '$queue_info'(Queue, Count, Most),
    (   atom(Queue),
        \+ sub_atom(Queue, 0, _, _, '<message_queue>'),
        Property = alias(Queue)
    ;   Property = size(Count)
    ;   Most > 0,
        Property = max_size(Most)
    ).

% thread_send_message(+Queue, +Message): puts a copy of a message at the end of a queue, or of that of the thread main.
thread_send_message(Queue, Message) :-
    thread_send_message(Queue, Message, []).

% thread_send_message(+Queue, +Message, +Options): the same; with timeout(T) or deadline(T) it fails when the queue stays full so long.
thread_send_message(Queue, Message, Options) :-
    must_be(nonvar, Queue),
    must_be(list, Options),
    waiting('$queue_send'(Queue, Message), Options, Message).

% until(+Options, -Until): when to give up, in milliseconds since 1970, or inf.
until(Options, Until) :-
    (   option(timeout(Seconds), Options)
    ->  get_time(Now),
        Until is round((Now + Seconds) * 1000)
    ;   option(deadline(Stamp), Options)
    ->  Until is round(Stamp * 1000)
    ;   Until = inf
    ).

late(Until) :-
    integer(Until),
    get_time(Now),
    Now * 1000 >= Until.

% thread_get_message(?Message): takes the first message of the thread that unifies with Message.
thread_get_message(Message) :-
    thread_self(Self),
    thread_get_message(Self, Message).

% thread_get_message(+Queue, ?Message): takes the first message of a queue that unifies. If there is none, and no alarm is left whose
% goal could send one, that is existence_error(message, Message).
thread_get_message(Queue, Message) :-
    thread_get_message(Queue, Message, []).

% thread_get_message(+Queue, ?Message, +Options): the same; with timeout(T) or deadline(T) it fails when none comes so long.
thread_get_message(Queue, Message, Options) :-
    must_be(nonvar, Queue),
    must_be(list, Options),
    waiting('$queue_get'(Queue, Message, true), Options, Message).

% thread_peek_message(?Message): a message that waits for the thread unifies with Message, and stays.
thread_peek_message(Message) :-
    thread_self(Self),
    thread_peek_message(Self, Message).

% thread_peek_message(+Queue, ?Message): a message that waits in a queue unifies with Message, and stays.
thread_peek_message(Queue, Message) :-
    must_be(nonvar, Queue),
    '$queue_get'(Queue, Message, false).
