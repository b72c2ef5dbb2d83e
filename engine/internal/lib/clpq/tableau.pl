% Bounds, and the search for values within them: numbers with and without rows are exchanged, the least number first,
% so that the search ends (Bland's rule).
:- module(clpq_tableau, [bounded/6, exchanged/6, maximal/5, valued/4]).

:- use_module(library(clpq/numbers)).
:- use_module(library(clpq/state)).

% bounded(+Kind, +I, +Side, +V, +St0, -St): V becomes the bound of I on Side, if it is tighter than the old one.
bounded(Kind, I, Side, V, St0, St) :-
    bounds(I, St0, Low, High),
    (   Side == high
    ->  ( High \== none, \+ pair_order(<, V, High) -> St = St0 ; sharper(Kind, I, Low, V, St0, St) )
    ;   ( Low \== none, \+ pair_order(>, V, Low) -> St = St0 ; sharper(Kind, I, V, High, St0, St) )
    ).

sharper(Kind, I, Low, High, St0, St) :-
    ( Low \== none, High \== none -> \+ pair_order(>, Low, High) ; true ),
    St0 = s(N, R, B0, V, Xs, P, W),
    put_assoc(I, B0, b(Low, High), B),
    St1 = s(N, R, B, V, Xs, P, W),
    (   get_assoc(I, R, _)
    ->  St2 = St1
    ;   get_assoc(I, V, Value),
        (   Low \== none, pair_order(<, Value, Low)
        ->  moved(Kind, I, Low, St1, St2)
        ;   High \== none, pair_order(>, Value, High)
        ->  moved(Kind, I, High, St1, St2)
        ;   St2 = St1
        )
    ),
    repaired(Kind, St2, St).

% moved(+Kind, +I, +Value, +St0, -St): I, which has no row, gets Value.
moved(Kind, I, Value, s(N, R, B, V0, Xs, P, W), s(N, R, B, V, Xs, P, W)) :-
    get_assoc(I, V0, Old),
    one(Kind, One),
    negative(One, M),
    pair_plus(Value, M, Old, Delta),
    put_assoc(I, V0, Value, V1),
    assoc_to_list(R, Rows),
    rows_moved(Rows, I, Delta, V1, V).

rows_moved([], _, _, V, V).
rows_moved([J-lin(_, Ts)|Rows], I, Delta, V0, V) :-
    (   coefficient(Ts, I, A)
    ->  get_assoc(J, V0, Old),
        pair_plus(Old, A, Delta, New),
        put_assoc(J, V0, New, V1)
    ;   V1 = V0
    ),
    rows_moved(Rows, I, Delta, V1, V).

% repaired(+Kind, +St0, -St): changes the values so that all are within their bounds; fails if there is no solution.
repaired(Kind, St0, St) :-
    St0 = s(_, R, _, V, _, _, _),
    assoc_to_list(R, Rows),
    (   broken(Rows, V, St0, I, Ts, Side, Bound)
    ->  entering(Ts, Side, St0, J),
        exchanged(Kind, I, J, Bound, St0, St1),
        repaired(Kind, St1, St)
    ;   St = St0
    ).

broken([I-lin(_, Ts0)|Rows], V, St, J, Ts, Side, Bound) :-
    get_assoc(I, V, Value),
    bounds(I, St, Low, High),
    (   Low \== none, pair_order(<, Value, Low)
    ->  J = I, Ts = Ts0, Side = up, Bound = Low
    ;   High \== none, pair_order(>, Value, High)
    ->  J = I, Ts = Ts0, Side = down, Bound = High
    ;   broken(Rows, V, St, J, Ts, Side, Bound)
    ).

% entering(+Ts, +Side, +St, -J): J is the first number whose value may change so that the sum goes up or down.
entering([I-A|Ts], Side, St, J) :-
    ( room(Side, A, I, St, _) -> J = I ; entering(Ts, Side, St, J) ).

room(Side, A, I, St, Direction) :-
    sign(A, S),
    ( Side == up -> Direction = S ; Direction is -S ),
    St = s(_, _, _, V, _, _, _),
    get_assoc(I, V, Value),
    bounds(I, St, Low, High),
    (   Direction =:= 1
    ->  ( High == none -> true ; pair_order(<, Value, High) )
    ;   ( Low == none -> true ; pair_order(>, Value, Low) )
    ).

% exchanged(+Kind, +I, +J, +Value, +St0, -St): I, which has a row with J, gets Value and loses its row to J.
exchanged(Kind, I, J, Value, St0, St) :-
    St0 = s(N, R0, B, V0, Xs, P, W),
    get_assoc(I, R0, lin(_, Ts)),
    coefficient(Ts, J, A),
    get_assoc(I, V0, Old),
    one(Kind, One),
    negative(One, M),
    pair_plus(Value, M, Old, Delta0),
    pair_divide(Delta0, A, Delta),
    get_assoc(J, V0, OldJ),
    pair_plus(OldJ, One, Delta, NewJ),
    moved(Kind, J, NewJ, St0, s(_, _, _, V1, _, _, _)),
    put_assoc(I, V1, Value, V),
    pivoted(Kind, I, J, R0, R),
    St = s(N, R, B, V, Xs, P, W).

pivoted(Kind, I, J, R0, R) :-
    del_assoc(I, R0, lin(C, Ts), R1),
    coefficient(Ts, J, A),
    without(Ts, J, Us),
    one(Kind, One),
    zero(Kind, Z),
    negative(One, M),
    plus(lin(Z, [I-One]), M, lin(C, Us), Row0),
    divide(One, A, F),
    times(F, Row0, Row),
    assoc_to_list(R1, Rows0),
    replaced(Rows0, J, Row, Rows),
    list_to_assoc(Rows, R2),
    put_assoc(J, R2, Row, R).

replaced([], _, _, []).
replaced([I-lin(C, Ts)|Rows0], J, Row, [I-L|Rows]) :-
    (   coefficient(Ts, J, A)
    ->  without(Ts, J, Us),
        plus(lin(C, Us), A, Row, L)
    ;   L = lin(C, Ts)
    ),
    replaced(Rows0, J, Row, Rows).

% maximal(+Kind, +Lin, +St0, -Result, -St): Result is v(C, K), or none if Lin has no maximum.
maximal(Kind, Lin0, St0, Result, St) :-
    expanded(Lin0, St0, Lin),
    Lin = lin(_, Ts),
    (   improving(Ts, St0, J, Direction)
    ->  St0 = s(_, R, _, V, _, _, _),
        get_assoc(J, V, Value),
        bounds(J, St0, Low, High),
        ( Direction =:= 1 -> Own = High ; Own = Low ),
        one(Kind, One),
        negative(One, M),
        (   Own == none
        ->  Best0 = none
        ;   pair_plus(Own, M, Value, D0),
            ( Direction =:= 1 -> D = D0 ; pair_divide(D0, M, D) ),
            Best0 = step(D, own)
        ),
        assoc_to_list(R, Rows),
        steps(Rows, J, Direction, M, V, St0, Best0, Best),
        (   Best == none
        ->  Result = none,
            St = St0
        ;   Best = step(D1, Who),
            (   Who == own
            ->  moved(Kind, J, Own, St0, St1)
            ;   Who = row(I, Bound),
                exchanged(Kind, I, J, Bound, St0, St1)
            ),
            D1 = v(_, _),
            maximal(Kind, Lin0, St1, Result, St)
        )
    ;   St = St0,
        valued(Lin, St0, Kind, Result)
    ).

valued(lin(C, Ts), s(_, _, _, V, _, _, _), Kind, Value) :- zero(Kind, Z), valued_terms(Ts, V, v(C, Z), Value).

valued_terms([], _, Value, Value).
valued_terms([I-A|Ts], V, Value0, Value) :-
    get_assoc(I, V, X),
    pair_plus(Value0, A, X, Value1),
    valued_terms(Ts, V, Value1, Value).

improving([I-A|Ts], St, J, Direction) :-
    ( room(up, A, I, St, D) -> J = I, Direction = D ; improving(Ts, St, J, Direction) ).

steps([], _, _, _, _, _, Best, Best).
steps([I-lin(_, Ts)|Rows], J, Direction, M, V, St, Best0, Best) :-
    (   coefficient(Ts, J, A),
        ( Direction =:= 1 -> Rate = A ; negative(A, Rate) ),
        sign(Rate, S),
        bounds(I, St, Low, High),
        ( S > 0 -> Bound = High ; Bound = Low ),
        Bound \== none,
        get_assoc(I, V, Value),
        pair_plus(Bound, M, Value, D0),
        pair_divide(D0, Rate, D),
        ( Best0 = step(D1, _) -> pair_order(<, D, D1) ; true )
    ->  Best1 = step(D, row(I, Bound))
    ;   Best1 = Best0
    ),
    steps(Rows, J, Direction, M, V, St, Best1, Best).
