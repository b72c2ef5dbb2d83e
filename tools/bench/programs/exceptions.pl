% Catching in a loop: goals that throw, goals that do not, and errors of built-ins.
% scale: 1499

bench :- run(900000).
small :- run(600).

run(N) :-
    loop(N, 0, Sum),
    write(checksum(Sum)), nl.

loop(0, Sum, Sum) :- !.
loop(N, Sum0, Sum) :-
    catch(risky(N, V), Ball, recovered(Ball, V)),
    Sum1 is Sum0 + V,
    M is N - 1,
    loop(M, Sum1, Sum).

risky(N, V) :-
    Kind is N mod 3,
    act(Kind, N, V).

act(0, N, _) :- deep(5, N).
act(1, _, V) :- unevaluable(X), V is X + 1.
act(2, _, 1).

unevaluable(foo).

deep(0, N) :- throw(found(N)).
deep(D, N) :-
    E is D - 1,
    deep(E, N),
    true.

recovered(found(N), V) :- V is N mod 7.
recovered(error(type_error(evaluable, _), _), 3).
