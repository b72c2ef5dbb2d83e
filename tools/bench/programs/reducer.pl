% Graph reduction of combinators: S, K, I, B, C and arithmetic.
% scale: 400

bench :- run(2000).
small :- run(4).

run(Times) :-
    (   between(1, Times, _),
        value(_),
        fail
    ;   value(V),
        write(checksum(V)), nl
    ).

% The factorial of 18 by a fixed point combinator, and a sum built from S and K.
value(V) :-
    normal(ap(ap(fix, factorial), 18), F),
    normal(ap(ap(fix, sum), 60), S),
    normal(ap(ap(ap(s, k), k), 7), I),
    V is F mod 1000007 + S + I.

normal(T, V) :-
    reduce(T, R),
    (   R == T -> V = T ; normal(R, V) ).

reduce(ap(F, X), R) :- !,
    normal(F, G),
    apply_to(G, X, R).
reduce(T, T).

apply_to(i, X, X) :- !.
apply_to(ap(k, X), _, X) :- !.
apply_to(ap(ap(s, F), G), X, ap(ap(F, X), ap(G, X))) :- !.
apply_to(ap(ap(b, F), G), X, ap(F, ap(G, X))) :- !.
apply_to(ap(ap(c, F), X), Y, ap(ap(F, Y), X)) :- !.
apply_to(fix, F, ap(F, ap(fix, F))) :- !.
apply_to(ap(ap(cond, T), A), B, R) :- !,
    normal(T, V),
    (   V == true -> R = A ; R = B ).
apply_to(ap(Op, X), Y, V) :-
    operator(Op), !,
    normal(X, A),
    normal(Y, B),
    compute(Op, A, B, V).
apply_to(ap(factorial, Self), N, R) :- !,
    R = ap(ap(ap(cond, ap(ap(eq, N), 0)), 1), ap(ap(times, N), ap(Self, ap(ap(minus, N), 1)))).
apply_to(ap(sum, Self), N0, R) :- !,
    normal(N0, N),
    R = ap(ap(ap(cond, ap(ap(eq, N), 0)), 0), ap(ap(plus, N), ap(Self, ap(ap(minus, N), 1)))).
apply_to(F, X, ap(F, X)).

operator(plus).
operator(minus).
operator(times).
operator(eq).

compute(plus, A, B, V) :- V is A + B.
compute(minus, A, B, V) :- V is A - B.
compute(times, A, B, V) :- V is A * B.
compute(eq, A, B, V) :- ( A =:= B -> V = true ; V = false ).
