% Linear constraints of library(clpfd): C1*X1 + ... + Cn*Xn + K compared with 0.
%
% A relation is linear(Rel, Cs, Xs, K), where Rel is eq, ne or le, the Xs are different variables and no C is 0. Bounds
% are propagated; two variables whose difference or sum is a constant have equal domains up to that.
:- module(clpfd_linear, [
    post_linear//4,
    post_distance//4,
    run_linear//2,
    linear_truth/5,
    linear_negation/2,
    normal_terms/5,
    shared_factor/5
]).

:- use_module(library(clpfd/domains)).
:- use_module(library(clpfd/store)).

% normal_terms(+Pairs, -Cs, -Xs, +K0, -K): Pairs are X-C; equal variables are joined, integers go to K.
normal_terms([], [], [], K, K) :- !.
normal_terms([X-C], Cs, Xs, K0, K) :- !,
    (   integer(X)
    ->  K is K0+C*X, Cs = [], Xs = []
    ;   C =:= 0
    ->  K = K0, Cs = [], Xs = []
    ;   K = K0, Cs = [C], Xs = [X]
    ).
normal_terms([X-C, Y-D], Cs, Xs, K, K) :- var(X), var(Y), X \== Y, C =\= 0, D =\= 0, !,
    Cs = [C, D],
    Xs = [X, Y].
normal_terms(Pairs, Cs, Xs, K0, K) :-
    keysort(Pairs, Sorted),
    joined(Sorted, Cs, Xs, K0, K).

joined([], [], [], K, K).
joined([X-C|Pairs], Cs, Xs, K0, K) :-
    (   integer(X)
    ->  K1 is K0+C*X,
        joined(Pairs, Cs, Xs, K1, K)
    ;   same_variable(Pairs, X, C, C1, Rest),
        (   C1 =:= 0
        ->  joined(Rest, Cs, Xs, K0, K)
        ;   Cs = [C1|Cs1],
            Xs = [X|Xs1],
            joined(Rest, Cs1, Xs1, K0, K)
        )
    ).

same_variable([Y-D|Pairs], X, C0, C, Rest) :- X == Y, !,
    C1 is C0+D,
    same_variable(Pairs, X, C1, C, Rest).
same_variable(Rest, _, C, C, Rest).

% shared_factor(+Rel, +Cs, +K, -Cs1, -K1): divides by the common divisor of all coefficients; fails if the relation
% then obviously has no solution.
shared_factor(Rel, Cs, K, Cs1, K1) :-
    (   common_divisor(Cs, 0, G), G > 1
    ->  (   Rel == le
        ->  K1 is -((-K) div G)
        ;   K mod G =:= 0,
            K1 is K // G
        ),
        divided(Cs, G, Cs1)
    ;   Cs1 = Cs,
        K1 = K
    ).

common_divisor([], G, G).
common_divisor([C|Cs], G0, G) :-
    G1 is gcd(C, G0),
    ( G1 =:= 1 -> G = 1 ; common_divisor(Cs, G1, G) ).

divided([], _, []).
divided([C|Cs], G, [D|Ds]) :- D is C // G, divided(Cs, G, Ds).

% post_linear(+Rel, +Cs, +Xs, +K): the relation holds from now on.
post_linear(eq, Cs, Xs, K) --> post_equal(Cs, Xs, K).
post_linear(ne, Cs, Xs, K) --> post_unequal(Cs, Xs, K).
post_linear(le, Cs, Xs, K) --> post_at_most(Cs, Xs, K).

post_equal(Cs, Xs, K, Q0, Q) :-
    shared_factor(eq, Cs, K, Cs1, K1),
    post_equal_(Cs1, Xs, K1, Q0, Q).

post_equal_([], [], K, Q, Q) :- !, K =:= 0.
post_equal_([C], [X], K, Q0, Q) :- !,
    V is -K*C,
    assign(X, V, Q0, Q).
post_equal_([1, -1], [X, Y], K, Q0, Q) :- !, post_shift(X, Y, K, Q0, Q).
post_equal_([-1, 1], [X, Y], K, Q0, Q) :- !, post_shift(Y, X, K, Q0, Q).
post_equal_([1, 1], [X, Y], K, Q0, Q) :- !,
    Sum is -K,
    attach(mirror(X, Y, Sum), fast, any, [X, Y], Q0, Q).
post_equal_([-1, -1], [X, Y], Sum, Q0, Q) :- !,
    attach(mirror(X, Y, Sum), fast, any, [X, Y], Q0, Q).
post_equal_(Cs, Xs, K, Q0, Q) :-
    attach(linear_eq(Cs, Xs, K), fast, bounds, Xs, Q0, Q).

% post_shift(?X, ?Y, +K): X + K is Y.
post_shift(X, Y, K, Q0, Q) :-
    (   K =:= 0
    ->  mention(X),
        X = Y,
        Q0 = Q
    ;   attach(shift(X, Y, K), fast, any, [X, Y], Q0, Q)
    ).

post_unequal(Cs, Xs, K, Q0, Q) :-
    (   shared_factor(eq, Cs, K, Cs1, K1)
    ->  post_unequal_(Cs1, Xs, K1, Q0, Q)
    ;   Q0 = Q
    ).

post_unequal_([], [], K, Q, Q) :- !, K =\= 0.
post_unequal_([C], [X], K, Q0, Q) :- !,
    V is -K*C,
    exclude(X, V, Q0, Q).
post_unequal_([1, -1], [X, Y], K, Q0, Q) :- !,
    attach(differ(X, Y, K), fast, fixed, [X, Y], Q0, Q).
post_unequal_([-1, 1], [X, Y], K, Q0, Q) :- !,
    attach(differ(Y, X, K), fast, fixed, [X, Y], Q0, Q).
post_unequal_(Cs, Xs, K, Q0, Q) :-
    attach(linear_ne(Cs, Xs, K), fast, fixed, Xs, Q0, Q).

post_at_most(Cs, Xs, K, Q0, Q) :-
    shared_factor(le, Cs, K, Cs1, K1),
    post_at_most_(Cs1, Xs, K1, Q0, Q).

post_at_most_([], [], K, Q, Q) :- !, K =< 0.
post_at_most_([1], [X], K, Q0, Q) :- !,
    V is -K,
    restrict(X, inf, V, Q0, Q).
post_at_most_([-1], [X], K, Q0, Q) :- !,
    restrict(X, K, sup, Q0, Q).
post_at_most_(Cs, Xs, K, Q0, Q) :-
    attach(linear_le(Cs, Xs, K), fast, bounds, Xs, Q0, Q).

% post_distance(+Rel, ?X, ?Y, +C): Rel says how abs(X-Y) compares with C: ne or ge.
post_distance(ne, X, Y, C, Q0, Q) :-
    (   C < 0
    ->  Q0 = Q
    ;   C =:= 0
    ->  attach(differ(X, Y, 0), fast, fixed, [X, Y], Q0, Q)
    ;   attach(distance_ne(X, Y, C), fast, fixed, [X, Y], Q0, Q)
    ).
post_distance(ge, X, Y, C, Q0, Q) :-
    (   C =< 0
    ->  Q0 = Q
    ;   attach(distance_ge(X, Y, C), fast, bounds, [X, Y], Q0, Q)
    ).

% run_linear(+Goal, +Propagator): run a propagator of this file.
run_linear(differ(X, Y, K), P, Q0, Q) :-
    (   integer(X)
    ->  kill(P),
        V is X+K,
        exclude(Y, V, Q0, Q)
    ;   integer(Y)
    ->  kill(P),
        V is Y-K,
        exclude(X, V, Q0, Q)
    ;   X == Y
    ->  K =\= 0,
        kill(P),
        Q0 = Q
    ;   Q0 = Q
    ).
run_linear(shift(X, Y, K), P, Q0, Q) :-
    (   integer(X)
    ->  kill(P),
        V is X+K,
        assign(Y, V, Q0, Q)
    ;   integer(Y)
    ->  kill(P),
        V is Y-K,
        assign(X, V, Q0, Q)
    ;   X == Y
    ->  fail
    ;   domain(X, DX),
        dom_shift(DX, K, DY),
        narrow(Y, DY, Q0, Q1),
        domain(Y, DY1),
        K1 is -K,
        dom_shift(DY1, K1, DX1),
        narrow(X, DX1, Q1, Q)
    ).
run_linear(mirror(X, Y, Sum), P, Q0, Q) :-
    (   integer(X)
    ->  kill(P),
        V is Sum-X,
        assign(Y, V, Q0, Q)
    ;   integer(Y)
    ->  kill(P),
        V is Sum-Y,
        assign(X, V, Q0, Q)
    ;   X == Y
    ->  kill(P),
        Sum mod 2 =:= 0,
        V is Sum // 2,
        assign(X, V, Q0, Q)
    ;   domain(X, DX),
        mirrored(DX, Sum, DY),
        narrow(Y, DY, Q0, Q1),
        domain(Y, DY1),
        mirrored(DY1, Sum, DX1),
        narrow(X, DX1, Q1, Q)
    ).
run_linear(distance_ne(X, Y, C), P, Q0, Q) :-
    (   integer(X)
    ->  kill(P),
        beside(Y, X, C, Q0, Q)
    ;   integer(Y)
    ->  kill(P),
        beside(X, Y, C, Q0, Q)
    ;   X == Y
    ->  kill(P),
        Q0 = Q
    ;   Q0 = Q
    ).
run_linear(distance_ge(X, Y, C), P, Q0, Q) :-
    (   X == Y
    ->  fail
    ;   bounds(X, XL, XH),
        bounds(Y, YL, YH),
        (   ( far(XH, YL, C) ; far(YH, XL, C) )
        ->  kill(P),
            Q0 = Q
        ;   keep_off(X, YL, YH, C, Q0, Q1),
            bounds(X, XL1, XH1),
            keep_off(Y, XL1, XH1, C, Q1, Q)
        )
    ).
run_linear(linear_ne(Cs, Xs, K), P, Q0, Q) :-
    free_terms(Cs, Xs, K, K1, Cs1, Xs1, 0, N),
    (   N =:= 0
    ->  K1 =\= 0,
        kill(P),
        Q0 = Q
    ;   N =:= 1
    ->  kill(P),
        Cs1 = [C],
        Xs1 = [X],
        (   K1 mod C =:= 0
        ->  V is -K1 // C,
            exclude(X, V, Q0, Q)
        ;   Q0 = Q
        )
    ;   setarg(3, P, linear_ne(Cs1, Xs1, K1)),
        Q0 = Q
    ).
run_linear(linear_eq(Cs, Xs, K), P, Q0, Q) :-
    scan(Cs, Xs, K, K1, 0, Low, 0, InfLow, 0, High, 0, InfHigh, Terms),
    (   Terms == []
    ->  K1 =:= 0,
        kill(P),
        Q0 = Q
    ;   Terms = [t(C, X, _, _)]
    ->  K1 mod C =:= 0,
        kill(P),
        V is -K1 // C,
        assign(X, V, Q0, Q)
    ;   Terms = [t(C, X, _, _), t(D, Y, _, _)],
        abs(C) =:= 1,
        abs(D) =:= 1,
        X \== Y
    ->  kill(P),
        post_equal_([C, D], [X, Y], K1, Q0, Q)
    ;   shrink(linear_eq, K, K1, Terms, P),
        Least is -K1-High,
        Most is -K1-Low,
        prune_eq(Terms, Least, InfHigh, Most, InfLow, Q0, Q)
    ).
run_linear(linear_le(Cs, Xs, K), P, Q0, Q) :-
    scan(Cs, Xs, K, K1, 0, Low, 0, InfLow, 0, High, 0, InfHigh, Terms),
    (   InfHigh =:= 0, High+K1 =< 0
    ->  kill(P),
        Q0 = Q
    ;   InfLow > 1
    ->  Q0 = Q
    ;   Most is -K1-Low,
        ( InfLow =:= 0 -> Most >= 0 ; true ),
        prune_le(Terms, Most, InfLow, Q0, Q)
    ).

% mirrored(+Dom0, +Sum, -Dom): Dom holds Sum-V for the V of Dom0.
mirrored(Dom0, Sum, Dom) :-
    dom_negate(Dom0, Negated),
    dom_shift(Negated, Sum, Dom).

% beside(?X, +V, +C): X is neither V+C nor V-C.
beside(X, V, C, Q0, Q) :-
    V1 is V+C,
    V2 is V-C,
    exclude(X, V1, Q0, Q1),
    exclude(X, V2, Q1, Q).

% far(+High, +Low, +C): Low is at least C above High.
far(High, Low, C) :-
    integer(High),
    integer(Low),
    Low-High >= C.

% keep_off(?X, +Low, +High, +C): excludes the values of X that are less than C away from each value between Low and
% High.
keep_off(X, Low, High, C, Q0, Q) :-
    (   integer(Low),
        integer(High),
        From is High-C,
        To is Low+C,
        To-From > 1
    ->  narrow(X, [inf-From, To-sup], Q0, Q)
    ;   Q0 = Q
    ).

free_terms([], [], K, K, [], [], N, N).
free_terms([C|Cs], [X|Xs], K0, K, Cs1, Xs1, N0, N) :-
    (   integer(X)
    ->  K1 is K0+C*X,
        free_terms(Cs, Xs, K1, K, Cs1, Xs1, N0, N)
    ;   Cs1 = [C|Cs2],
        Xs1 = [X|Xs2],
        N1 is N0+1,
        free_terms(Cs, Xs, K0, K, Cs2, Xs2, N1, N)
    ).

% scan(+Cs, +Xs, +K0, -K, ...): a term t(C, X, Low, High) for each variable, where C*X is between Low and High; the
% sums of the finite bounds, and the number of infinite bounds. Terms with known variables are added to K0.
scan([], [], K, K, L, L, NL, NL, H, H, NH, NH, []).
scan([C|Cs], [X|Xs], K0, K, L0, L, NL0, NL, H0, H, NH0, NH, Ts) :-
    (   integer(X)
    ->  K1 is K0+C*X,
        scan(Cs, Xs, K1, K, L0, L, NL0, NL, H0, H, NH0, NH, Ts)
    ;   bounds(X, Min, Max),
        (   C > 0
        ->  scaled(Min, C, Low),
            scaled(Max, C, High)
        ;   scaled_back(Max, C, Low),
            scaled_back(Min, C, High)
        ),
        ( Low == inf -> L1 = L0, NL1 is NL0+1 ; L1 is L0+Low, NL1 = NL0 ),
        ( High == sup -> H1 = H0, NH1 is NH0+1 ; H1 is H0+High, NH1 = NH0 ),
        Ts = [t(C, X, Low, High)|Ts1],
        scan(Cs, Xs, K0, K, L1, L, NL1, NL, H1, H, NH1, NH, Ts1)
    ).

scaled(B, C, D) :- ( integer(B) -> D is B*C ; D = B ).

scaled_back(B, C, D) :- ( integer(B) -> D is B*C ; B == inf -> D = sup ; D = inf ).

% When variables have become known, later runs examine only the others.
shrink(Name, K, K1, Terms, P) :-
    (   K == K1
    ->  true
    ;   unscanned(Terms, Cs, Xs),
        Goal =.. [Name, Cs, Xs, K1],
        setarg(3, P, Goal)
    ).

unscanned([], [], []).
unscanned([t(C, X, _, _)|Ts], [C|Cs], [X|Xs]) :- unscanned(Ts, Cs, Xs).

% prune_eq(+Terms, +Least, +InfHigh, +Most, +InfLow): Least and Most are the negated sums of all upper and of all
% lower bounds. Without the term's own bound, each of them limits the term.
prune_eq([], _, _, _, _, Q, Q).
prune_eq([t(C, X, Low, High)|Ts], Least, InfHigh, Most, InfLow, Q0, Q) :-
    allowance(InfHigh, High, Least, inf, Lower),
    allowance(InfLow, Low, Most, sup, Upper),
    (   ext_le(Lower, Low), ext_le(High, Upper)
    ->  Q0 = Q1
    ;   term_limits(C, Lower, Upper, From, To),
        restrict(X, From, To, Q0, Q1)
    ),
    prune_eq(Ts, Least, InfHigh, Most, InfLow, Q1, Q).

prune_le([], _, _, Q, Q).
prune_le([t(C, X, Low, High)|Ts], Most, InfLow, Q0, Q) :-
    allowance(InfLow, Low, Most, sup, Upper),
    (   ext_le(High, Upper)
    ->  Q0 = Q1
    ;   term_limits(C, inf, Upper, From, To),
        restrict(X, From, To, Q0, Q1)
    ),
    prune_le(Ts, Most, InfLow, Q1, Q).

allowance(Infinite, Own, Rest, None, Limit) :-
    (   integer(Own)
    ->  ( Infinite =:= 0 -> Limit is Rest+Own ; Limit = None )
    ;   ( Infinite =:= 1 -> Limit = Rest ; Limit = None )
    ).

% term_limits(+C, +Lower, +Upper, -From, -To): if C*X is between Lower and Upper, X is between From and To.
term_limits(C, Lower, Upper, From, To) :-
    (   C > 0
    ->  ( integer(Lower) -> From is -((-Lower) div C) ; From = inf ),
        ( integer(Upper) -> To is Upper div C ; To = sup )
    ;   ( integer(Upper) -> From is -((-Upper) div C) ; From = inf ),
        ( integer(Lower) -> To is Lower div C ; To = sup )
    ).

% linear_truth(+Rel, +Cs, +Xs, +K, -Truth): Truth is 1 or 0 when the domains decide the relation; fails when they do not.
linear_truth(Rel, Cs, Xs, K, Truth) :-
    scan(Cs, Xs, K, K1, 0, Low0, 0, InfLow, 0, High0, 0, InfHigh, Terms),
    ( InfLow =:= 0 -> Low is Low0+K1 ; Low = inf ),
    ( InfHigh =:= 0 -> High is High0+K1 ; High = sup ),
    truth(Rel, Low, High, Terms, K1, Truth).

truth(le, Low, High, _, _, Truth) :-
    ( ext_le(High, 0) -> Truth = 1 ; ext_lt(0, Low), Truth = 0 ).
truth(eq, Low, High, Terms, K, Truth) :-
    (   Low == 0, High == 0 -> Truth = 1
    ;   Terms = [t(C, X, _, _), t(D, Y, _, _)], X == Y, C =:= -D, K =:= 0 -> Truth = 1
    ;   ext_lt(0, Low) -> Truth = 0
    ;   ext_lt(High, 0) -> Truth = 0
    ;   never_equal(Terms, K), Truth = 0
    ).
truth(ne, Low, High, Terms, K, Truth) :-
    truth(eq, Low, High, Terms, K, Equal),
    Truth is 1-Equal.

% No values of the one or two remaining variables satisfy the equation.
never_equal([t(C, X, _, _)], K) :-
    (   K mod C =\= 0
    ->  true
    ;   V is -K // C,
        domain(X, Dom),
        \+ dom_contains(Dom, V)
    ).
never_equal([t(C, X, _, _), t(D, Y, _, _)], K) :-
    (   X == Y
    ->  C =:= -D, K =\= 0
    ;   ( C =:= 1, D =:= -1 -> Shift = K ; C =:= -1, D =:= 1, Shift is -K ),
        domain(X, DX),
        domain(Y, DY),
        dom_shift(DX, Shift, DX1),
        dom_disjoint(DX1, DY)
    ).

% linear_negation(+Relation, -Negation)
linear_negation(linear(eq, Cs, Xs, K), linear(ne, Cs, Xs, K)).
linear_negation(linear(ne, Cs, Xs, K), linear(eq, Cs, Xs, K)).
linear_negation(linear(le, Cs, Xs, K), linear(le, Ds, Xs, L)) :-
    L is 1-K,
    opposite(Cs, Ds).

opposite([], []).
opposite([C|Cs], [D|Ds]) :- D is -C, opposite(Cs, Ds).
