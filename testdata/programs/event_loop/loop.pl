:- module(loop, [produce/3, consume/2]).
produce(_, 0, _) :- !.
produce(P, N, Q) :- thread_send_message(Q, event(P, N)), M is N - 1, produce(P, M, Q).
consume(Q, Events) :-
    thread_get_message(Q, M),
    (   M == stop
    ->  Events = []
    ;   Events = [M|Rest],
        consume(Q, Rest)
    ).
