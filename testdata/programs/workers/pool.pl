:- module(pool, [pool_run/4, counted/3]).
:- use_module(library(thread)).

:- meta_predicate pool_run(+, 2, +, -).
:- dynamic tally/1.

pool_run(Count, Goal, Items, Results) :-
    message_queue_create(Jobs),
    message_queue_create(Done),
    findall(Id, ( between(1, Count, _), thread_create(worker(Jobs, Done, Goal), Id) ), Ids),
    forall(nth1(N, Items, Item), thread_send_message(Jobs, job(N, Item))),
    forall(member(_, Ids), thread_send_message(Jobs, stop)),
    maplist(joined, Ids),
    findall(N-R, ( member(_, Items), thread_get_message(Done, result(N, R)) ), Pairs),
    msort(Pairs, Sorted),
    findall(R, member(_-R, Sorted), Results),
    message_queue_destroy(Jobs),
    message_queue_destroy(Done).

joined(Id) :-
    thread_join(Id, Status),
    (   Status == true
    ->  true
    ;   format("a worker ended with ~w~n", [Status])
    ).

worker(Jobs, Done, Goal) :-
    thread_get_message(Jobs, Message),
    (   Message = job(N, Item)
    ->  catch(( call(Goal, Item, R0) -> R = R0 ; R = none ), Error, R = error(Error)),
        thread_send_message(Done, result(N, R)),
        worker(Jobs, Done, Goal)
    ;   true
    ).

counted(Threads, Times, Count) :-
    retractall(tally(_)),
    assertz(tally(0)),
    findall(Id, ( between(1, Threads, _), thread_create(count(Times), Id) ), Ids),
    maplist(thread_join, Ids),
    tally(Count).

count(0) :- !.
count(N) :-
    with_mutex(tally, ( retract(tally(C)), C1 is C + 1, assertz(tally(C1)) )),
    M is N - 1,
    count(M).
