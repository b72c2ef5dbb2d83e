% A meta-interpreter in Prolog running naive reverse, by clause/2.
% scale: 443

:- dynamic(reversed/2).
:- dynamic(joined/3).

bench :- run(4000).
small :- run(8).

run(Times) :-
    numbers(1, 30, List),
    (   between(1, Times, _),
        solve(reversed(List, _)),
        fail
    ;   solve(reversed(List, [First|_])),
        write(checksum(First)), nl
    ).

solve(true) :- !.
solve((A, B)) :- !,
    solve(A),
    solve(B).
solve(Head) :-
    clause(Head, Body),
    solve(Body).

reversed([], []).
reversed([X|Xs], Reversed) :-
    reversed(Xs, Front),
    joined(Front, [X], Reversed).

joined([], Ys, Ys).
joined([X|Xs], Ys, [X|Zs]) :-
    joined(Xs, Ys, Zs).

numbers(N, N, [N]) :- !.
numbers(N, Max, [N|Ns]) :-
    M is N + 1,
    numbers(M, Max, Ns).
