% Numbers, sums and pairs: the arithmetic of library(clpq) and library(clpr). Numbers are integers and other rational
% numbers for clpq, floats for clpr. A sum is lin(Constant, [Number-Coefficient...]), with the numbers of variables in
% their order; a pair v(C, K) is C and K times an infinitesimal.
:- module(clpq_numbers, [
    add/3,
    mul/3,
    divide/3,
    negative/2,
    order/3,
    sign/2,
    number_of/3,
    zero/2,
    one/2,
    plus/4,
    times/3,
    coefficient/3,
    without/3,
    pair_order/3,
    pair_plus/4,
    pair_divide/3
]).

add(A, B, C) :-
    ( float(A) -> small(A+B, C) ; C is A+B ).

mul(A, B, C) :-
    ( float(A) -> small(A*B, C) ; C is A*B ).

divide(A, B, C) :-
    ( float(A) -> small(A/B, C) ; C is A rdiv B ).

small(E, C) :-
    C0 is E,
    ( abs(C0) < 1.0e-10 -> C = 0.0 ; C = C0 ).

negative(A, B) :-
    ( A =:= 0 -> B = A ; B is -A ).

order(O, A, B) :-
    (   float(A)
    ->  D is A-B,
        ( D > 1.0e-10 -> O = (>) ; D < -1.0e-10 -> O = (<) ; O = (=) )
    ;   compare(O, A, B)
    ).

sign(A, S) :-
    ( float(A) -> ( A > 1.0e-10 -> S = 1 ; A < -1.0e-10 -> S = -1 ; S = 0 ) ; S is sign(A) ).

% number_of(+Kind, +Number, -N): a number of an expression.
number_of(clpr, X, N) :- N is float(X).
number_of(clpq, X, N) :-
    (   float(X)
    ->  between(0, 400, K),
        Digits is round(X*10.0**min(K, 300)),
        X =:= Digits/10**K,
        !,
        N is Digits rdiv 10**K
    ;   N = X
    ).

zero(clpq, 0).
zero(clpr, 0.0).

one(clpq, 1).
one(clpr, 1.0).

% Sums.

% plus(+A, +F, +B, -C): C is A+F*B.
plus(lin(C0, Ts0), F, lin(D, Us), lin(C, Ts)) :-
    mul(F, D, FD),
    add(C0, FD, C),
    terms_plus(Ts0, F, Us, Ts).

terms_plus([], F, Us, Ts) :- terms_times(Us, F, Ts).
terms_plus([I-A|Ts0], F, Us, Ts) :-
    (   Us = [J-B|Us1]
    ->  (   I < J
        ->  Ts = [I-A|Ts1],
            terms_plus(Ts0, F, Us, Ts1)
        ;   mul(F, B, FB),
            (   I > J
            ->  Ts = [J-FB|Ts1],
                terms_plus([I-A|Ts0], F, Us1, Ts1)
            ;   add(A, FB, C),
                ( sign(C, 0) -> Ts = Ts1 ; Ts = [I-C|Ts1] ),
                terms_plus(Ts0, F, Us1, Ts1)
            )
        )
    ;   Ts = [I-A|Ts0]
    ).

terms_times([], _, []).
terms_times([I-B|Us], F, [I-C|Ts]) :- mul(F, B, C), terms_times(Us, F, Ts).

times(F, lin(C0, Ts0), lin(C, Ts)) :-
    (   sign(F, 0)
    ->  C = F,
        Ts = []
    ;   mul(F, C0, C),
        terms_times(Ts0, F, Ts)
    ).

coefficient([I-A|Ts], J, C) :- ( I =:= J -> C = A ; I < J, coefficient(Ts, J, C) ).

without([I-A|Ts], J, Us) :- ( I =:= J -> Us = Ts ; Us = [I-A|Us1], without(Ts, J, Us1) ).

% Pairs.

pair_order(O, v(A, K), v(B, L)) :- order(O0, A, B), ( O0 == (=) -> order(O, K, L) ; O = O0 ).

pair_plus(v(A, K), F, v(B, L), v(C, M)) :- mul(F, B, FB), add(A, FB, C), mul(F, L, FL), add(K, FL, M).

pair_divide(v(A, K), F, v(C, M)) :- divide(A, F, C), divide(K, F, M).
