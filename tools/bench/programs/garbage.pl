% A long deterministic loop that makes short-lived structures and keeps a few.
% scale: 500

bench :- run(2000000).
small :- run(4000).

run(N) :-
    loop(N, queue([], []), 0, Sum),
    write(checksum(Sum)), nl.

loop(0, _, Sum, Sum) :- !.
loop(N, Queue0, Sum0, Sum) :-
    enter(Queue0, item(N, [N, N]), Queue1),
    (   N mod 4 =:= 0
    ->  leave(Queue1, item(K, _), Queue2),
        leave(Queue2, _, Queue3),
        leave(Queue3, _, Queue4),
        leave(Queue4, _, Queue)
    ;   K = 1,
        Queue = Queue1
    ),
    Sum1 is (Sum0 + K) mod 1000003,
    M is N - 1,
    loop(M, Queue, Sum1, Sum).

enter(queue(Front, Back), X, queue(Front, [X|Back])).

leave(queue([X|Front], Back), X, queue(Front, Back)) :- !.
leave(queue([], Back), X, Queue) :-
    reversed(Back, [], Front),
    (   Front = [_|_] -> leave(queue(Front, []), X, Queue)
    ;   X = item(0, []), Queue = queue([], [])
    ).

reversed([], Ys, Ys).
reversed([X|Xs], Ys, Zs) :- reversed(Xs, [X|Ys], Zs).
