% Naive reverse of a list of 30 elements, over and over.
% scale: 597

bench :- repeated(120000).
small :- repeated(200).

% Each round ends in failure, so that the memory of systems without a garbage
% collector suffices.
repeated(N) :-
    numbers(1, 30, List),
    (   between(1, N, _),
        reversed(List, _),
        fail
    ;   reversed(List, [First|_]),
        write(checksum(First)), nl
    ).

numbers(N, N, [N]) :- !.
numbers(N, Max, [N|Ns]) :-
    M is N + 1,
    numbers(M, Max, Ns).

reversed([], []).
reversed([X|Xs], Reversed) :-
    reversed(Xs, Front),
    joined(Front, [X], Reversed).

joined([], Ys, Ys).
joined([X|Xs], Ys, [X|Zs]) :-
    joined(Xs, Ys, Zs).
