% Symbolic derivatives: dispatch on the functor of the first argument.
% scale: 889

bench :- run(200000).
small :- run(200).

run(Times) :-
    (   between(1, Times, _),
        expression(_, E),
        derivative(E, x, _),
        fail
    ;   findall(Size, (expression(_, E), derivative(E, x, D), size(D, Size)), Sizes),
        write(checksum(Sizes)), nl
    ).

expression(products, ((((((((x * x) * x) * x) * x) * x) * x) * x) * x) * x).
expression(quotients, ((((((((x / x) / x) / x) / x) / x) / x) / x) / x) / x).
expression(logarithms, log(log(log(log(log(log(log(log(log(x)))))))))).
expression(mixed, (x + 1) * ((x ^ 2 + 2) * (x ^ 3 + 3)) - exp(x) / (x * 5)).

derivative(X, X, 1) :- !.
derivative(C, _, 0) :- atomic(C), !.
derivative(U + V, X, DU + DV) :- !, derivative(U, X, DU), derivative(V, X, DV).
derivative(U - V, X, DU - DV) :- !, derivative(U, X, DU), derivative(V, X, DV).
derivative(U * V, X, DU * V + U * DV) :- !, derivative(U, X, DU), derivative(V, X, DV).
derivative(U / V, X, (DU * V - U * DV) / (V ^ 2)) :- !, derivative(U, X, DU), derivative(V, X, DV).
derivative(U ^ N, X, DU * N * U ^ M) :- !, M is N - 1, derivative(U, X, DU).
derivative(exp(U), X, exp(U) * DU) :- !, derivative(U, X, DU).
derivative(log(U), X, DU / U) :- derivative(U, X, DU).

size(T, 1) :- atomic(T), !.
size(T, Size) :-
    T =.. [_|Args],
    sizes(Args, 1, Size).

sizes([], Size, Size).
sizes([T|Ts], Size0, Size) :-
    size(T, S),
    Size1 is Size0 + S,
    sizes(Ts, Size1, Size).
