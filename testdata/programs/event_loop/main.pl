% Producers and a consumer that talk by queues.
:- use_module(loop).
main :-
    message_queue_create(Q),
    findall(T, ( member(P, [a, b]), thread_create(produce(P, 3, Q), T) ), Ts),
    maplist(thread_join, Ts),
    thread_send_message(Q, stop),
    consume(Q, Events), msort(Events, Sorted), print(Sorted), nl,
    message_queue_destroy(Q),
    thread_create(( thread_get_message(go(X)), Y is X * 2, thread_send_message(main, answer(Y)) ), W),
    thread_send_message(W, go(21)), thread_get_message(answer(A)), thread_join(W), print(A), nl,
    with_mutex(m, ( print(locked), nl )),
    first_solution(S, [member(S, [])], []) -> print(S) ; print(none), nl.
