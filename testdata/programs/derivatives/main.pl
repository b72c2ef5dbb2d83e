% Derivatives of expressions that are made simpler, and the numbers of functions.
d(X, X, 1) :- !.
d(C, _, 0) :- atomic(C), !.
d(U+V, X, DU+DV) :- d(U, X, DU), d(V, X, DV).
d(U-V, X, DU-DV) :- d(U, X, DU), d(V, X, DV).
d(U*V, X, U*DV+V*DU) :- d(U, X, DU), d(V, X, DV).
d(U/V, X, (V*DU-U*DV)/V^2) :- d(U, X, DU), d(V, X, DV).
d(U^N, X, N*U^M*DU) :- integer(N), M is N-1, d(U, X, DU).
d(sin(U), X, cos(U)*DU) :- d(U, X, DU).
d(exp(U), X, exp(U)*DU) :- d(U, X, DU).
d(-U, X, -DU) :- d(U, X, DU).
s(E, E) :- atomic(E), !.
s(E, S) :- E =.. [F|As], maplist(s, As, Bs), E1 =.. [F|Bs], ( r(E1, E2) -> s(E2, S) ; S = E1 ).
r(0*_, 0). r(_*0, 0). r(1*X, X). r(X*1, X). r(X+0, X). r(0+X, X). r(X-0, X). r(X^1, X). r(_^0, 1). r(0/_, 0).
r(A+B, C) :- number(A), number(B), C is A+B.
r(A*B, C) :- number(A), number(B), C is A*B.
r(A*(B*X), C*X) :- number(A), number(B), C is A*B.
r(X-X, 0).
r(X+X, 2*X).
r(-(-(X)), X).
main :-
    forall(member(E, [x^3+2*x, sin(x^2), (x+1)/(x-1), 3*x-(x-1), 2*(3*x^2)]),
        ( d(E, x, D), s(D, S), format("d(~w) = ~w~n", [E, S]), print(S), nl, write_canonical(S), nl,
          S2 = S, copy_term(S2, S3), ( S3 =@= S -> true ; writeln(differs) ) )),
    X is 2**0.5, format("~4f ~w~n", [X, X]), Y is 7 rdiv 21, print(Y), nl, Z is 2** -1, print(Z), nl, W is 2^100, print(W), nl,
    A is sin(1.0) + atan2(1, 2) + copysign(2, -0.0), format("~6f~n", [A]), B is truncate(3.7) + ceiling(2.1) + round(2.5) + integer(-2.5), print(B), nl,
    C is -7 // 2, D1 is -7 mod 2, D2 is -7 rem 2, D3 is -7 div 2, print([C, D1, D2, D3]), nl, G is gcd(12, 18) + msb(1000), print(G), nl.
