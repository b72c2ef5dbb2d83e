% Powers of 1 + x + y + z, with polynomials as nested lists of terms.
% scale: 5267

bench :- run(27), run(28).
small :- run(4).

run(Power) :-
    sum_of_variables(P),
    power(Power, P, Q),
    coefficients(Q, 0, Sum),
    write(checksum(Sum)), nl.

sum_of_variables(P) :-
    add(poly(x, [term(0, 1), term(1, 1)]), poly(y, [term(1, 1)]), P1),
    add(P1, poly(z, [term(1, 1)]), P).

add(poly(V, Ts1), poly(V, Ts2), poly(V, Ts)) :- !, add_terms(Ts1, Ts2, Ts).
add(poly(V1, Ts1), poly(V2, Ts2), poly(V1, Ts)) :- V1 @< V2, !, add_constant(Ts1, poly(V2, Ts2), Ts).
add(poly(V1, Ts1), poly(V2, Ts2), poly(V2, Ts)) :- !, add_constant(Ts2, poly(V1, Ts1), Ts).
add(poly(V, Ts1), C, poly(V, Ts)) :- !, add_constant(Ts1, C, Ts).
add(C, poly(V, Ts1), poly(V, Ts)) :- !, add_constant(Ts1, C, Ts).
add(C1, C2, C) :- C is C1 + C2.

add_terms([], Ts, Ts) :- !.
add_terms(Ts, [], Ts) :- !.
add_terms([term(E, C1)|Ts1], [term(E, C2)|Ts2], [term(E, C)|Ts]) :- !,
    add(C1, C2, C),
    add_terms(Ts1, Ts2, Ts).
add_terms([term(E1, C1)|Ts1], [term(E2, C2)|Ts2], [term(E1, C1)|Ts]) :-
    E1 < E2, !,
    add_terms(Ts1, [term(E2, C2)|Ts2], Ts).
add_terms(Ts1, [T|Ts2], [T|Ts]) :-
    add_terms(Ts1, Ts2, Ts).

add_constant([term(0, C1)|Ts], C2, [term(0, C)|Ts]) :- !, add(C1, C2, C).
add_constant(Ts, C, [term(0, C)|Ts]).

multiply(poly(V, Ts1), poly(V, Ts2), poly(V, Ts)) :- !, multiply_terms(Ts1, Ts2, Ts).
multiply(poly(V1, Ts1), poly(V2, Ts2), poly(V1, Ts)) :- V1 @< V2, !, scale(Ts1, poly(V2, Ts2), Ts).
multiply(poly(V1, Ts1), poly(V2, Ts2), poly(V2, Ts)) :- !, scale(Ts2, poly(V1, Ts1), Ts).
multiply(poly(V, Ts1), C, poly(V, Ts)) :- !, scale(Ts1, C, Ts).
multiply(C, poly(V, Ts1), poly(V, Ts)) :- !, scale(Ts1, C, Ts).
multiply(C1, C2, C) :- C is C1 * C2.

multiply_terms([], _, []).
multiply_terms([T|Ts1], Ts2, Ts) :-
    multiply_one(Ts2, T, First),
    multiply_terms(Ts1, Ts2, Rest),
    add_terms(First, Rest, Ts).

multiply_one([], _, []).
multiply_one([term(E1, C1)|Ts1], term(E2, C2), [term(E, C)|Ts]) :-
    E is E1 + E2,
    multiply(C1, C2, C),
    multiply_one(Ts1, term(E2, C2), Ts).

scale([], _, []).
scale([term(E, C1)|Ts1], P, [term(E, C)|Ts]) :-
    multiply(C1, P, C),
    scale(Ts1, P, Ts).

power(0, _, 1) :- !.
power(N, P, Q) :-
    0 is N mod 2, !,
    M is N // 2,
    power(M, P, R),
    multiply(R, R, Q).
power(N, P, Q) :-
    M is N - 1,
    power(M, P, R),
    multiply(P, R, Q).

coefficients(poly(_, Ts), Sum0, Sum) :- !, sum_terms(Ts, Sum0, Sum).
coefficients(C, Sum0, Sum) :- Sum is Sum0 + C.

sum_terms([], Sum, Sum).
sum_terms([term(_, C)|Ts], Sum0, Sum) :-
    coefficients(C, Sum0, Sum1),
    sum_terms(Ts, Sum1, Sum).
