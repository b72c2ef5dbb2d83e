% Producers and a consumer that talk by queues.
:- use_module(loop).
main :-
    message_queue_create(Q),
    forall(member(P, [a, b]), produce(P, 3, Q)),
    thread_send_message(Q, stop),
    consume(Q, Events), msort(Events, Sorted), print(Sorted), nl,
    message_queue_destroy(Q),
    thread_self(Me), thread_send_message(Me, go(21)),
    thread_get_message(go(X)), Y is X * 2, thread_send_message(Me, answer(Y)),
    thread_get_message(answer(A)), print(A), nl,
    with_mutex(m, ( print(locked), nl )),
    first_solution(S, [member(S, [])], []) -> print(S) ; print(none), nl.
