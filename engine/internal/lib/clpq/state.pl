% The state of all linear constraints of one kind.
%
% It is the value of a global variable, s(Next, Rows, Bounds, Values, Variables, Posted, Waiting). Each variable has a
% number, which is its attribute, and so has each linear expression that is bounded. A row gives a number as a sum of
% other numbers, which have no row. Bounds are b(Low, High), where each is none or a pair; pairs express strict
% bounds. Values are a solution. Posted are the constraints to be shown; Waiting are disequations and constraints that
% are not linear yet.
:- module(clpq_state, [state/2, save/2, number_for/3, bounds/4, expanded/3, fixed/3]).

:- use_module(library(clpq/numbers)).

key(clpq, '$clpq').
key(clpr, '$clpr').

state(Kind, St) :-
    key(Kind, Key),
    (   nb_current(Key, St0), St0 = s(_, _, _, _, _, _, _)
    ->  St = St0
    ;   empty_assoc(E),
        St = s(1, E, E, E, E, [], [])
    ).

save(Kind, St) :- key(Kind, Key), b_setval(Key, St).

% number_for(?X, +Kind, -I): X gets a number if it has none.
number_for(X, Kind, I) :-
    (   get_attr(X, Kind, I0)
    ->  I = I0
    ;   state(Kind, s(I, R, B, V0, Xs0, P, W)),
        put_attr(X, Kind, I),
        zero(Kind, Z),
        put_assoc(I, V0, v(Z, Z), V),
        put_assoc(I, Xs0, X, Xs),
        I1 is I+1,
        save(Kind, s(I1, R, B, V, Xs, P, W))
    ).

bounds(I, s(_, _, B, _, _, _, _), Low, High) :-
    ( get_assoc(I, B, b(L, H)) -> Low = L, High = H ; Low = none, High = none ).

% expanded(+Lin0, +St, -Lin): Lin is Lin0 without numbers that have a row or a single value.
expanded(lin(C, Ts), St, Lin) :- expanded_terms(Ts, St, lin(C, []), Lin).

expanded_terms([], _, Lin, Lin).
expanded_terms([I-A|Ts], St, Lin0, Lin) :-
    St = s(_, R, _, _, _, _, _),
    (   get_assoc(I, R, Row)
    ->  plus(Lin0, A, Row, Lin1)
    ;   fixed(I, St, C)
    ->  mul(A, C, AC),
        Lin0 = lin(C0, Us),
        add(C0, AC, C1),
        Lin1 = lin(C1, Us)
    ;   ( float(A) -> Z = 0.0, One = 1.0 ; Z = 0, One = 1 ),
        plus(Lin0, A, lin(Z, [I-One]), Lin1)
    ),
    expanded_terms(Ts, St, Lin1, Lin).

fixed(I, St, C) :- bounds(I, St, v(C, K), v(D, K1)), sign(K, 0), sign(K1, 0), order(=, C, D).
