% Hofstadter's MU system: derivations of a string by depth-first search.
% scale: 249

bench :- run(10000).
small :- run(40).

run(Times) :-
    (   between(1, Times, _),
        derived(5, [m, u, i, i, u], _),
        fail
    ;   findall(L, derived(3, L, _), Ls),
        length(Ls, Count),
        write(checksum(Count)), nl
    ).

derived(Depth, Target, Steps) :-
    steps(Depth, [m, i], Target, Steps).

steps(_, String, String, []).
steps(Depth, String, Target, [Rule|Steps]) :-
    Depth > 0,
    step(Rule, String, Next),
    Less is Depth - 1,
    steps(Less, Next, Target, Steps).

step(1, S, T) :- append_u(S, T).
step(2, [m|S], [m|T]) :- joined(S, S, T).
step(3, [m|S], [m|T]) :- replaced([i, i, i], [u], S, T).
step(4, [m|S], [m|T]) :- replaced([u, u], [], S, T).

append_u([i], [i, u]).
append_u([X, Y|S], [X|T]) :- append_u([Y|S], T).

replaced(Old, New, S, T) :-
    joined(Front, Rest, S),
    joined(Old, Back, Rest),
    joined(New, Back, Changed),
    joined(Front, Changed, T).

joined([], Ys, Ys).
joined([X|Xs], Ys, [X|Zs]) :- joined(Xs, Ys, Zs).
