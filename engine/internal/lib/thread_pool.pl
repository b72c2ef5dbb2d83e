% Pools of threads: at most so many threads of a pool run, and so many more wait.
:- module(thread_pool, [
    thread_pool_create/3,
    thread_pool_destroy/1,
    thread_create_in_pool/4,
    current_thread_pool/1,
    thread_pool_property/2
]).

:- meta_predicate
    thread_create_in_pool(+, 0, -, :).

:- dynamic
    pool/3,
    member_of/2.

:- multifile
    create_pool/1.

:- dynamic
    create_pool/1.

% thread_pool_create(+Pool, +Size, +Options): makes a pool for at most Size threads. Options: backlog(N), how many may wait; others are passed over.
thread_pool_create(Pool, Size, Options) :-
    must_be(atom, Pool),
    must_be(nonneg, Size),
    must_be(list, Options),
    (   pool(Pool, _, _)
    ->  permission_error(create, thread_pool, Pool)
    ;   assertz(pool(Pool, Size, Options))
    ).

% thread_pool_destroy(+Pool): there is no such pool any more; its threads go on.
thread_pool_destroy(Pool) :-
    known_pool(Pool, _, _),
    retractall(pool(Pool, _, _)),
    retractall(member_of(Pool, _)).

known_pool(Pool, Size, Options) :-
    must_be(atom, Pool),
    (   pool(Pool, Size, Options)
    ->  true
    ;   create_pool(Pool),
        pool(Pool, Size, Options)
    ->  true
    ;   existence_error(thread_pool, Pool)
    ).

% current_thread_pool(?Pool): Pool is a pool.
current_thread_pool(Pool) :-
    pool(Pool, _, _).

% thread_pool_property(?Pool, ?Property): options(Options), size(Size), free(Count), running(Count), members(Threads) or backlog(Count) of a pool.
thread_pool_property(Pool, Property) :-
    pool(Pool, Size, Options),
    running(Pool, Threads),
    length(Threads, Running),
    (   Property = options(Options)
    ;   Property = size(Size)
    ;   Property = running(Running)
    ;   Property = free(Free),
        Free is Size - Running
    ;   Property = members(Threads)
    ;   Property = backlog(0)
    ).

% Threads that have ended leave the pool.
running(Pool, Threads) :-
    findall(Thread,
            ( member_of(Pool, Thread),
              catch(thread_property(Thread, status(running)), _, fail)
            ),
            Threads).

% thread_create_in_pool(+Pool, :Goal, -Thread, :Options): thread_create/3 in a pool; while it is full the caller waits, or gets a resource error with wait(false).
thread_create_in_pool(Pool, Goal, Thread, Options0) :-
    '$strip_module'(Options0, _, Options),
    must_be(list, Options),
    known_pool(Pool, Size, _),
    Size > 0,
    option(wait(Wait), Options, true),
    wait_for_place(Wait, Pool, Size),
    exclude([Option]>>memberchk(Option, [wait(_)]), Options, ThreadOptions),
    thread_create(Goal, Thread, ThreadOptions),
    assertz(member_of(Pool, Thread)).

wait_for_place(Wait, Pool, Size) :-
    running(Pool, Threads),
    length(Threads, Running),
    (   Running < Size
    ->  true
    ;   Wait == true,
        member(Thread, Threads),
        \+ thread_self(Thread)
    ->  sleep(0.001),
        wait_for_place(Wait, Pool, Size)
    ;   throw(error(resource_error(threads_in_pool(Pool)), _))
    ).
