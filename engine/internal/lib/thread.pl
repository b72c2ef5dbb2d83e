% Threads, message queues and mutexes. The threads of a run take turns; goals of concurrent_maplist/2 and kin run one after the
% other, with the answers that they would have.
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
    thread_create/2,
    thread_create/3,
    thread_join/1,
    thread_join/2,
    thread_exit/1,
    thread_detach/1,
    thread_signal/2,
    is_thread/1,
    thread_property/2,
    thread_statistics/3,
    thread_idle/2,
    thread_wait/2,
    thread_update/2,
    thread_alias/1,
    thread_setconcurrency/2,
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
    thread_peek_message/2,
    call_in_thread/2,
    threads/0,
    join_threads/0
]).

:- meta_predicate
    call_in_thread(+, 0),
    thread_create(0, -),
    thread_create(0, -, +),
    thread_signal(+, 0),
    thread_idle(0, +),
    thread_wait(0, :),
    thread_update(0, :),
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

% Threads.

% thread_create(:Goal, -Thread): Thread is a new thread, in which Goal is called once.
thread_create(Goal, Thread) :-
    thread_create(Goal, Thread, []).

% thread_create(:Goal, -Thread, +Options): the same; alias(Name) names the thread, with detached(true) it goes when it has ended,
% and at_exit(Goal) is called at its end.
thread_create(Goal, Thread, Options) :-
    '$must_be_callable'(Goal),
    must_be(list, Options),
    option(alias(Alias), Options, []),
    option(detached(Detached), Options, false),
    must_be(boolean, Detached),
    strip_module(Goal, Module, Plain),
    (   option(at_exit(AtExit), Options)
    ->  strip_module(Module:AtExit, ExitModule, ExitGoal),
        All = setup_call_cleanup(true, once(Module:Plain), ExitModule:ExitGoal)
    ;   All = Module:Plain
    ),
    (   Detached == true
    ->  Watched = thread:watched(All)
    ;   Watched = All
    ),
    '$thread_create'(Watched, Alias, Detached, Thread).

% watched(:Goal): Goal of a thread that nobody joins, whose failure or exception is a warning.
watched(Goal) :-
    (   catch(Goal, Ball, ( died(Goal, Ball), throw(Ball) ))
    ->  true
    ;   thread_self(Self),
        print_message(warning, abnormal_thread_termination(Self, Goal, false)),
        fail
    ).

died(_, Ball) :- nonvar(Ball), Ball = '$thread_exit'(_), !.
died(Goal, Ball) :-
    thread_self(Self),
    print_message(warning, abnormal_thread_termination(Self, Goal, exception(Ball))).

% state(+Thread, -Status, -Detached): how far a thread has come; running, or how it has ended.
state(Thread, Number, Status, Detached) :-
    '$threads'(List),
    (   var(Thread)
    ->  member(thread(Thread, Number, Status, Detached), List)
    ;   memberchk(thread(Thread, Number, Status, Detached), List)
    ->  true
    ;   integer(Thread),
        memberchk(thread(_, Thread, Status, Detached), List),
        Number = Thread
    ).

must_be_thread(Thread) :-
    must_be(nonvar, Thread),
    (   is_thread(Thread)
    ->  true
    ;   throw(error(existence_error(thread, Thread), _))
    ).

% thread_join(+Thread, -Status): waits for the end of a thread, which goes then. Status is true, false, exception(Ball) or
% exited(Term).
thread_join(Thread, Status) :-
    must_be_thread(Thread),
    thread_self(Self),
    state(Thread, Number, _, Detached),
    (   ( Thread == Self ; Number == 0 )
    ->  throw(error(permission_error(join, thread, Thread), _))
    ;   Detached == true
    ->  throw(error(permission_error(join, thread, Thread), _))
    ;   true
    ),
    repeat,
    must_be_thread(Thread),
    state(Thread, _, Status0, _),
    (   Status0 == running
    ->  wait(inf, join(Thread)),
        fail
    ;   !,
        '$thread_forget'(Thread),
        Status = Status0
    ).

% thread_join(+Thread): waits for the end of a thread; thread_error(Thread, Status) if Goal was not true.
thread_join(Thread) :-
    thread_join(Thread, Status),
    (   Status == true
    ->  true
    ;   throw(error(thread_error(Thread, Status), _))
    ).

% wait(+Until, +What): lets other threads run. What would never come is an error.
wait(Until, What) :-
    (   '$thread_wait'(Until)
    ->  true
    ;   throw(error(existence_error(message, What), _))
    ).

% thread_exit(+Term): ends the thread that calls this, with the status exited(Term).
thread_exit(Term) :-
    thread_self(Self),
    (   Self == main
    ->  throw(error(permission_error(exit, thread, main), _))
    ;   throw('$thread_exit'(Term))
    ).

% thread_detach(+Thread): makes a thread go when it has ended.
thread_detach(Thread) :-
    must_be_thread(Thread),
    '$thread_detach'(Thread).

% thread_signal(+Thread, :Goal): makes a thread call Goal once before its next call; that it fails has no effect.
thread_signal(Thread, Goal) :-
    must_be_thread(Thread),
    '$thread_signal'(Thread, Goal).

% is_thread(@Term): Term is a thread.
is_thread(Term) :-
    nonvar(Term),
    state(Term, _, _, _),
    !.

% thread_property(?Thread, ?Property): Property is id(Number), alias(Name), status(Status), detached(Boolean) or debug(true).
thread_property(Thread, Property) :-
    state(Thread, Number, Status, Detached),
    (   Id is Number + 1,
        Property = id(Id)
    ;   atom(Thread),
        Property = alias(Thread)
    ;   Property = status(Status)
    ;   Property = detached(Detached)
    ;   Property = debug(true)
    ).

% thread_statistics(+Thread, +Key, -Value): statistics/2, which is that of all threads of the run.
thread_statistics(Thread, Key, Value) :-
    must_be_thread(Thread),
    statistics(Key, Value).

% thread_idle(:Goal, +Duration): calls Goal; there is nothing to be given back meanwhile.
thread_idle(Goal, Duration) :-
    must_be(nonvar, Duration),
    call(Goal).

% thread_wait(:Goal, :Options): waits until Goal is true, once, while other threads run; with timeout(T) or deadline(T) it fails when it is not in time.
thread_wait(Goal, Options0) :-
    '$strip_module'(Options0, _, Options),
    must_be(list, Options),
    until(Options, Until),
    repeat,
    (   call(Goal)
    ->  !
    ;   late(Until)
    ->  !,
        fail
    ;   get_time(Now),
        Soon is round(Now * 1000) + 20,
        ( Until == inf -> Next = Soon ; Next is min(Soon, Until) ),
        '$thread_wait'(Next),
        fail
    ).

% thread_update(:Goal, :Options): calls Goal once, which may change what other threads wait for by thread_wait/2.
thread_update(Goal, _) :-
    with_mutex('$thread_update', Goal).

% thread_alias(+Alias): threads keep the names that they were made with; this is an error.
thread_alias(Alias) :-
    must_be(nonvar, Alias),
    thread_self(Self),
    throw(error(permission_error('re-alias', thread, Self), _)).

% thread_setconcurrency(-Old, +New): threads take turns, so that Old is 0 always.
thread_setconcurrency(0, New) :-
    must_be(nonneg, New).

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

% mutex_lock(+Mutex): locks a mutex, once more if it is the thread's, and waits while it is another's. An atom that names none
% becomes one.
mutex_lock(Mutex) :-
    must_be(nonvar, Mutex),
    must_be(atom, Mutex),
    repeat,
    (   '$mutex'(lock, Mutex)
    ->  !
    ;   wait(inf, mutex(Mutex)),
        fail
    ).

% mutex_trylock(+Mutex): the same, but fails while the mutex is another thread's.
mutex_trylock(Mutex) :-
    must_be(nonvar, Mutex),
    must_be(atom, Mutex),
    '$mutex'(lock, Mutex).

% mutex_unlock(+Mutex): takes back a mutex_lock/1.
mutex_unlock(Mutex) :-
    known_mutex(Mutex),
    '$mutex'(unlock, Mutex).

% mutex_unlock_all: unlocks all mutexes of the thread.
mutex_unlock_all :-
    '$mutex'(release, main).

% mutex_property(+Mutex, ?Property): Property is status(unlocked) or status(locked(Thread, Count)).
mutex_property(Mutex, status(Status)) :-
    known_mutex(Mutex),
    '$mutex_owner'(Mutex, Thread, Count),
    (   Count =:= 0
    ->  Status = unlocked
    ;   Status = locked(Thread, Count)
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
% and room for as many messages as max_size(N) says; who sends one more waits.
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

% thread_send_message(+Queue, +Message): puts a copy of a message at the end of a queue, or of that of a thread.
thread_send_message(Queue, Message) :-
    thread_send_message(Queue, Message, []).

% thread_send_message(+Queue, +Message, +Options): the same; with timeout(T) or deadline(T) it fails when the queue stays full so long.
thread_send_message(Queue, Message, Options) :-
    must_be(nonvar, Queue),
    must_be(list, Options),
    (   '$queue_send'(Queue, Message)
    ->  true
    ;   until(Options, Until),
        repeat,
        (   '$queue_send'(Queue, Message)
        ->  !
        ;   late(Until)
        ->  !,
            fail
        ;   wait(Until, Message),
            fail
        )
    ).

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

% thread_get_message(+Queue, ?Message): takes the first message of a queue that unifies, and waits for it. If no thread is left that
% could send one, that is existence_error(message, Message).
thread_get_message(Queue, Message) :-
    thread_get_message(Queue, Message, []).

% thread_get_message(+Queue, ?Message, +Options): the same; with timeout(T) or deadline(T) it fails when none comes so long.
thread_get_message(Queue, Message, Options) :-
    must_be(nonvar, Queue),
    must_be(list, Options),
    (   '$queue_get'(Queue, Message, true)
    ->  true
    ;   until(Options, Until),
        repeat,
        (   '$queue_get'(Queue, Message, true)
        ->  !
        ;   late(Until)
        ->  !,
            fail
        ;   wait(Until, Message),
            fail
        )
    ).

% thread_peek_message(?Message): a message that waits for the thread unifies with Message, and stays.
thread_peek_message(Message) :-
    thread_self(Self),
    thread_peek_message(Self, Message).

% thread_peek_message(+Queue, ?Message): a message that waits in a queue unifies with Message, and stays.
thread_peek_message(Queue, Message) :-
    must_be(nonvar, Queue),
    '$queue_get'(Queue, Message, false).

% call_in_thread(+Thread, :Goal): calls a copy of Goal once in another thread and waits for its answer.
call_in_thread(Thread, Goal) :-
    must_be_thread(Thread),
    thread_self(Self),
    (   Thread == Self
    ->  once(Goal)
    ;   term_variables(Goal, Variables),
        setup_call_cleanup(message_queue_create(Queue), asked_thread(Thread, Queue, Goal, Variables, Answer),
                           message_queue_destroy(Queue)),
        (   Answer = true(Variables)
        ->  true
        ;   Answer = exception(Ball),
            throw(Ball)
        )
    ).

asked_thread(Thread, Queue, Goal, Variables, Answer) :-
    thread_signal(Thread, answer_to(Queue, Goal, Variables)),
    thread_get_message(Queue, Answer).

answer_to(Queue, Goal, Variables) :-
    (   catch(Goal, Ball, true)
    ->  ( nonvar(Ball) -> Answer = exception(Ball) ; Answer = true(Variables) )
    ;   Answer = false
    ),
    thread_send_message(Queue, Answer).

% threads: prints the threads of the run and how they are.
threads :-
    forall(state(Thread, _, Status, _), print_message(information, format("~w: ~p", [Thread, Status]))).

% join_threads: joins the threads that have ended.
join_threads :-
    forall(( state(Thread, _, Status, false), Thread \== main, Status \== running ), thread_join(Thread, _)).
