% Linear constraints over rational numbers and over floats: what library(clpq) and library(clpr) have in common.
%
% The state of all constraints of one kind is the value of a global variable, s(Next, Rows, Bounds, Values, Variables,
% Posted, Waiting). Each variable has a number, its attribute, and so has each linear expression that is bounded. A row
% says what such a number is in terms of others that have no row: lin(Constant, [Number-Coefficient...]). Bounds are
% b(Low, High), none or v(C, K), which is C and K times an infinitesimal, so that strict bounds are bounds too. Values
% are a solution, kept within all bounds by exchanging numbers with and without rows, the least first, so that it ends
% (the rule of Bland). Posted are the constraints as they are shown; Waiting are disequations and what is not linear
% yet.
:- module(clpq_solver, [
    constrain/2,
    bound_hook/3,
    entailed_in/2,
    optimum/4,
    optimum/6,
    optimize/3,
    ordered/1,
    solver_of/2,
    integer_infimum/5,
    vertex/4,
    marginal/5,
    dumped/4,
    goals_of/4
]).

% Numbers: integers and other rational numbers for clpq, floats for clpr.

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


% Linear expressions.

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

% linear(+E, +Kind, -Lin): fails if E is not linear yet.
linear(X, Kind, Lin) :- var(X), !, zero(Kind, Z), one(Kind, One), number_for(X, Kind, I), Lin = lin(Z, [I-One]).
linear(X, Kind, lin(N, [])) :- number(X), !, number_of(Kind, X, N).
linear(A+B, Kind, L) :- !, linear(A, Kind, L1), linear(B, Kind, L2), one(Kind, F), plus(L1, F, L2, L).
linear(A-B, Kind, L) :- !, linear(A, Kind, L1), linear(B, Kind, L2), one(Kind, F0), negative(F0, F), plus(L1, F, L2, L).
linear(-A, Kind, L) :- !, linear(A, Kind, L1), one(Kind, F0), negative(F0, F), times(F, L1, L).
linear(+A, Kind, L) :- !, linear(A, Kind, L).
linear(A*B, Kind, L) :-
    !,
    linear(A, Kind, L1),
    linear(B, Kind, L2),
    ( L1 = lin(F, []) -> times(F, L2, L) ; L2 = lin(F, []), times(F, L1, L) ).
linear(A/B, Kind, L) :-
    !,
    linear(B, Kind, lin(D, [])),
    \+ sign(D, 0),
    linear(A, Kind, L1),
    one(Kind, One),
    divide(One, D, F),
    times(F, L1, L).
linear(A^B, Kind, L) :- !, linear(B, Kind, lin(N, [])), linear(A, Kind, L1), power(N, L1, Kind, L).
linear(pow(A, B), Kind, L) :- !, linear(A^B, Kind, L).
linear(exp(A, B), Kind, L) :- !, linear(A^B, Kind, L).
linear(E, Kind, lin(N, [])) :-
    compound(E),
    E =.. [F|As],
    function(F),
    constants(As, Kind, Ns),
    value(F, Ns, Kind, N).

constants([], _, []).
constants([A|As], Kind, [N|Ns]) :- linear(A, Kind, lin(N, [])), constants(As, Kind, Ns).

function(abs).
function(min).
function(max).
function(sin).
function(cos).
function(tan).
function(exp).

value(abs, [A], _, N) :- !, ( sign(A, -1) -> negative(A, N) ; N = A ).
value(min, [A,B], _, N) :- !, ( order(<, A, B) -> N = A ; N = B ).
value(max, [A,B], _, N) :- !, ( order(<, A, B) -> N = B ; N = A ).
value(F, [A], Kind, N) :- E =.. [F,A], Y is E, number_of(Kind, Y, N).


power(N, lin(C, []), Kind, lin(P, [])) :-
    !,
    (   float(C)
    ->  P is C**N
    ;   integer(N), N >= 0
    ->  P is C**N
    ;   integer(N), \+ sign(C, 0)
    ->  P is 1 rdiv C**(-N)
    ;   Z is float(C)**N, number_of(Kind, Z, P)
    ).
power(N, L, Kind, Lin) :-
    ( sign(N, 0) -> one(Kind, One), Lin = lin(One, []) ; one(Kind, One), order(=, N, One), Lin = L ).

zero(clpq, 0).
zero(clpr, 0.0).

one(clpq, 1).
one(clpr, 1.0).

% well_formed(+E, +Kind): E is an expression, linear or not.
well_formed(X, _) :- var(X), !.
well_formed(X, _) :- number(X), !.
well_formed(E, Kind) :-
    compound(E),
    E =.. [F|As],
    ( memberchk(F, [+,-,*,/,^,pow,exp]) ; function(F) ),
    !,
    well_formed_all(As, Kind).
well_formed(E, Kind) :- atom_concat(Kind, '_expression', Type), type_error(Type, E).

well_formed_all([], _).
well_formed_all([E|Es], Kind) :- well_formed(E, Kind), well_formed_all(Es, Kind).

% Equations that are not linear and can be inverted. E is taken for C+F*M where M is none or m(Base, P), the power P of
% a variable or of a function.

% inverted(+E, +Kind, -X, -Values): E = 0 says that the expression X is one of Values; fails if it says something else.
inverted(E, Kind, X, Values) :-
    monomial(E, Kind, C, F, M),
    M = m(Base, P),
    \+ sign(F, 0),
    negative(C, N),
    divide(N, F, Y),
    (   var(Base)
    ->  X = Base,
        roots(P, Y, Kind, Values)
    ;   inverse_side(P, Y, Kind, Side),
        inverse(Base, Side, Kind, X, Values)
    ).

inverse_side(1, Y, _, Y).
inverse_side(-1, Y, Kind, Side) :- \+ sign(Y, 0), one(Kind, One), divide(One, Y, Side).

% roots(+P, +Y, +Kind, -Values): of X^P = Y. Rational numbers have no roots here.
roots(P, Y, Kind, Values) :-
    sign(Y, S),
    (   S =:= 0
    ->  P > 0,
        Values = [Y]
    ;   P =:= 1
    ->  Values = [Y]
    ;   Kind == clpq
    ->  P =:= -1,
        V is 1 rdiv Y,
        Values = [V]
    ;   Root is abs(Y)**(1/P),
        Other is -Root,
        (   P mod 2 =:= 0
        ->  ( S > 0 -> Values = [Root,Other] ; Values = [] )
        ;   S > 0
        ->  Values = [Root]
        ;   Values = [Other]
        )
    ).

% inverse(+Function, +Y, +Kind, -X, -Values): of Function = Y.
inverse(sin(X), Y, Kind, X, Values) :- ( abs(Y) > 1 -> Values = [] ; inverse_value(asin(Y), Kind, Values) ).
inverse(cos(X), Y, Kind, X, Values) :- ( abs(Y) > 1 -> Values = [] ; inverse_value(acos(Y), Kind, Values) ).
inverse(tan(X), Y, Kind, X, Values) :- inverse_value(atan(Y), Kind, Values).
inverse(A^B, Y, Kind, X, Values) :-
    sign(Y, S),
    (   ground(A)
    ->  linear(A, Kind, lin(Base, [])),
        S > 0,
        sign(Base, 1),
        Base =\= 1,
        X = B,
        inverse_value(log(Y)/log(Base), Kind, Values)
    ;   linear(B, Kind, lin(N, [])),
        S =\= 0,
        sign(N, 1),
        X = A,
        ( S < 0 -> Values = [] ; inverse_value(Y**(1/float(N)), Kind, Values) )
    ).

inverse_value(E, Kind, [N]) :- V is E, number_of(Kind, V, N).

% monomial(+E, +Kind, -C, -F, -M)
monomial(X, Kind, Z, One, m(X, 1)) :- var(X), !, zero(Kind, Z), one(Kind, One).
monomial(E, Kind, C, Z, none) :- ground(E), !, linear(E, Kind, lin(C, [])), zero(Kind, Z).
monomial(+A, Kind, C, F, M) :- !, monomial(A, Kind, C, F, M).
monomial(-A, Kind, C, F, M) :- !, monomial(A, Kind, C0, F0, M), negative(C0, C), negative(F0, F).
monomial(A-B, Kind, C, F, M) :- !, monomial(A+ -B, Kind, C, F, M).
monomial(A+B, Kind, C, F, M) :-
    !,
    monomial(A, Kind, C1, F1, M1),
    monomial(B, Kind, C2, F2, M2),
    ( M1 == none -> M = M2 ; M2 == none -> M = M1 ; M1 == M2, M = M1 ),
    add(C1, C2, C),
    add(F1, F2, F).
monomial(A*B, Kind, C, F, M) :-
    !,
    monomial(A, Kind, C1, F1, M1),
    monomial(B, Kind, C2, F2, M2),
    product_monomial(f(C1, F1, M1), f(C2, F2, M2), C, F, M).
monomial(A/B, Kind, C, F, M) :-
    !,
    monomial(A, Kind, C1, F1, M1),
    monomial(B, Kind, C2, F2, M2),
    one(Kind, One),
    (   M2 = m(Base, P)
    ->  sign(C2, 0),
        divide(One, F2, F3),
        Q is -P,
        product_monomial(f(C1, F1, M1), f(C2, F3, m(Base, Q)), C, F, M)
    ;   \+ sign(C2, 0),
        divide(One, C2, C3),
        product_monomial(f(C1, F1, M1), f(C3, F2, none), C, F, M)
    ).
monomial(pow(A, B), Kind, C, F, M) :- !, monomial(A^B, Kind, C, F, M).
monomial(exp(A, B), Kind, C, F, M) :- !, monomial(A^B, Kind, C, F, M).
monomial(A^B, Kind, Z, F, m(Base, P)) :-
    ground(B),
    linear(B, Kind, lin(N, [])),
    N =:= truncate(N),
    !,
    monomial(A, Kind, Z, F0, m(Base, P0)),
    sign(Z, 0),
    P is P0*truncate(N),
    P =\= 0,
    power(N, lin(F0, []), Kind, lin(F, [])).
monomial(E, Kind, Z, One, m(E, 1)) :-
    ( E = A^B -> ( ground(A) -> true ; ground(B) ) ; memberchk(E, [sin(_),cos(_),tan(_)]) ),
    zero(Kind, Z),
    one(Kind, One).

% product_monomial(+A, +B, -C, -F, -M): of two f(C, F, M).
product_monomial(f(C1, F1, M1), f(C2, F2, M2), C, F, M) :-
    (   M1 == none
    ->  mul(C1, C2, C), mul(C1, F2, F), M = M2
    ;   M2 == none
    ->  mul(C1, C2, C), mul(F1, C2, F), M = M1
    ;   sign(C1, 0),
        sign(C2, 0),
        M1 = m(X, P),
        M2 = m(Y, Q),
        X == Y,
        R is P+Q,
        mul(F1, F2, F3),
        ( R =:= 0 -> C = F3, F = C1, M = none ; C = C1, F = F3, M = m(X, R) )
    ).

% The state.

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

% expanded(+Lin0, +St, -Lin): Lin has no number with a row or with one value only.
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

% Pairs.

pair_order(O, v(A, K), v(B, L)) :- order(O0, A, B), ( O0 == (=) -> order(O, K, L) ; O = O0 ).

pair_plus(v(A, K), F, v(B, L), v(C, M)) :- mul(F, B, FB), add(A, FB, C), mul(F, L, FL), add(K, FL, M).

pair_divide(v(A, K), F, v(C, M)) :- divide(A, F, C), divide(K, F, M).

% Bounds and the search for values.

% bounded(+Kind, +I, +Side, +V, +St0, -St): V becomes a bound of I, if it is sharper.
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

% repaired(+Kind, +St0, -St): all values are within their bounds; fails if there are none.
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

% entering(+Ts, +Side, +St, -J): the first number whose value may change such that the sum goes up or down.
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

% Constraints.

% constrain(+Kind, +Constraint): of {}/1.
constrain(_, C) :- var(C), !, instantiation_error(C).
constrain(Kind, (A, B)) :- !, constrain(Kind, A), constrain(Kind, B).
constrain(Kind, (A ; B)) :- !, ( constrain(Kind, A) ; constrain(Kind, B) ).
constrain(Kind, C) :-
    (   relation(C, Rel, A, B)
    ->  well_formed(A, Kind),
        well_formed(B, Kind),
        constrain(Kind, Rel, A-B)
    ;   atom_concat(Kind, '_constraint', Type),
        type_error(Type, C)
    ).

relation(A < B, lt, A, B).
relation(A > B, lt, B, A).
relation(A =< B, le, A, B).
relation(A >= B, le, B, A).
relation(A = B, eq, A, B).
relation(A =:= B, eq, A, B).
relation(A =\= B, ne, A, B).

% constrain(+Kind, +Rel, +E): E Rel 0.
constrain(Kind, Rel, E) :-
    (   linear(E, Kind, Lin)
    ->  state(Kind, St0),
        posted(Rel, Kind, Lin, St0, St),
        settled(Kind, St)
    ;   Rel == eq,
        inverted(E, Kind, X, Values)
    ->  member(V, Values),
        constrain(Kind, eq, X-V)
    ;   term_variables(E, Ys),
        numbers_for(Ys, Kind, _),
        state(Kind, s(N, R, B, V, Xs, P, W)),
        save(Kind, s(N, R, B, V, Xs, P, [wait(Rel, E)|W]))
    ).

% posted(+Rel, +Kind, +Lin, +St0, -St)
posted(ne, _, Lin, St0, St) :-
    !,
    expanded(Lin, St0, L),
    (   L = lin(C, [])
    ->  \+ sign(C, 0),
        St = St0
    ;   St0 = s(N, R, B, V, Xs, P, W),
        St = s(N, R, B, V, Xs, P, [differs(Lin)|W])
    ).
posted(Rel, Kind, Lin, St0, St) :-
    expanded(Lin, St0, Expanded),
    (   Expanded = lin(C, [])
    ->  sign(C, S),
        holds(Rel, S),
        St = St0
    ;   Expanded = lin(_, [_|_]),
        noted(Rel, Lin, St0, St1),
        Lin = lin(C0, Ts),
        (   Ts = [I-A]
        ->  St2 = St1
        ;   row_for(Kind, Ts, St1, St2, I),
            one(Kind, A)
        ),
        negative(C0, C1),
        divide(C1, A, Bound),
        sign(A, S),
        zero(Kind, Z),
        one(Kind, One),
        sided(Rel, S, Kind, I, Bound, Z, One, St2, St)
    ).

holds(eq, 0).
holds(le, S) :- S =< 0.
holds(lt, -1).

noted(Rel, Lin, s(N, R, B, V, Xs, P, W), s(N, R, B, V, Xs, [p(Rel, Lin)|P], W)).

row_for(Kind, Ts, s(I, R0, B, V0, Xs, P, W), St, I) :-
    zero(Kind, Z),
    expanded(lin(Z, Ts), s(I, R0, B, V0, Xs, P, W), Row),
    put_assoc(I, R0, Row, R),
    valued(Row, s(I, R0, B, V0, Xs, P, W), Kind, Value),
    put_assoc(I, V0, Value, V),
    I1 is I+1,
    St = s(I1, R, B, V, Xs, P, W).

sided(eq, _, Kind, I, C, Z, One, St0, St) :-
    !,
    Bound = v(C, Z),
    negative(One, M),
    maximal(Kind, lin(Z, [I-One]), St0, Max, St1),
    (   extreme(Max, One, Bound, O1), O1 == (=)
    ->  expanded(lin(Z, [I-One]), St1, lin(_, Ts)),
        held([I-One|Ts], St1, St)
    ;   ( Max == none -> true ; pair_order(>, Max, Bound) ),
        maximal(Kind, lin(Z, [I-M]), St1, Max2, St2),
        (   extreme(Max2, M, Bound, O2), O2 == (=)
        ->  expanded(lin(Z, [I-M]), St2, lin(_, Ts)),
            held([I-M|Ts], St2, St)
        ;   bounded(Kind, I, low, Bound, St2, St3),
            bounded(Kind, I, high, Bound, St3, St)
        )
    ).
sided(Rel, S, Kind, I, C, Z, One, St0, St) :-
    (   S > 0
    ->  Side = high,
        negative(One, K1),
        ( Rel == le -> K = Z ; K = K1 )
    ;   Side = low,
        ( Rel == le -> K = Z ; K = One )
    ),
    bounded(Kind, I, Side, v(C, K), St0, St1),
    implied(Kind, I, Side, v(C, K), St1, St).

% implied(+Kind, +I, +Side, +Bound, +St0, -St): if I cannot leave its new bound, it is fixed, and so is what holds it
% there.
implied(Kind, I, Side, Bound, St0, St) :-
    one(Kind, One),
    zero(Kind, Z),
    ( Side == low -> F = One ; negative(One, F) ),
    maximal(Kind, lin(Z, [I-F]), St0, Max, St1),
    (   extreme(Max, F, Bound, O), O == (=)
    ->  expanded(lin(Z, [I-F]), St1, lin(_, Ts)),
        held([I-F|Ts], St1, St)
    ;   St = St1
    ).

% extreme(+Max, +F, +Bound, -O): how Max compares with F times Bound.
extreme(Max, F, v(C, K), O) :-
    Max = v(_, _),
    mul(F, C, FC),
    mul(F, K, FK),
    pair_order(O, Max, v(FC, FK)).

held([], St, St).
held([I-_|Ts], St0, St) :-
    St0 = s(N, R, B0, V, Xs, P, W),
    get_assoc(I, V, Value),
    put_assoc(I, B0, b(Value, Value), B),
    held(Ts, s(N, R, B, V, Xs, P, W), St).

% settled(+Kind, +St): numbers that are fixed leave the rows, variables that have one value get it.
settled(Kind, St0) :-
    released(Kind, St0, St1),
    St1 = s(N, R, B, V, Xs0, P, W0),
    assoc_to_list(Xs0, Pairs),
    determined(Pairs, St1, Bindings),
    still_waiting(W0, St1, W),
    save(Kind, s(N, R, B, V, Xs0, P, W)),
    bind_all(Bindings, Kind),
    resumed(Kind).

released(Kind, St0, St) :-
    St0 = s(_, R, B, _, _, _, _),
    assoc_to_list(R, Rows),
    (   member(I-lin(_, Ts), Rows),
        get_assoc(I, B, _),
        fixed(I, St0, C),
        member(J-_, Ts),
        \+ fixed(J, St0, _)
    ->  zero(Kind, Z),
        exchanged(Kind, I, J, v(C, Z), St0, St1),
        released(Kind, St1, St)
    ;   St0 = s(N, _, _, V, Xs, P, W),
        folded(Rows, St0, Rows1),
        list_to_assoc(Rows1, R1),
        St = s(N, R1, B, V, Xs, P, W)
    ).

folded([], _, []).
folded([I-Row0|Rows0], St, [I-Row|Rows]) :-
    Row0 = lin(_, Ts),
    ( member(J-_, Ts), fixed(J, St, _) -> unfixed(Row0, St, Row) ; Row = Row0 ),
    folded(Rows0, St, Rows).

unfixed(lin(C0, Ts0), St, lin(C, Ts)) :- unfixed_terms(Ts0, St, C0, C, Ts).

unfixed_terms([], _, C, C, []).
unfixed_terms([I-A|Ts0], St, C0, C, Ts) :-
    (   fixed(I, St, X)
    ->  mul(A, X, AX),
        add(C0, AX, C1),
        Ts = Ts1
    ;   C1 = C0,
        Ts = [I-A|Ts1]
    ),
    unfixed_terms(Ts0, St, C1, C, Ts1).

determined([], _, []).
determined([I-X|Pairs], St, Bindings) :-
    St = s(_, R, _, _, _, _, _),
    (   var(X),
        ( get_assoc(I, R, Row) -> Row = lin(C, []) ; fixed(I, St, C) )
    ->  Bindings = [X-C|Bindings1]
    ;   Bindings = Bindings1
    ),
    determined(Pairs, St, Bindings1).

still_waiting([], _, []).
still_waiting([G|Gs], St, Left) :-
    (   G = differs(Lin0)
    ->  expanded(Lin0, St, Lin),
        (   Lin = lin(C, [])
        ->  \+ sign(C, 0),
            Left = Left1
        ;   Left = [G|Left1]
        )
    ;   Left = [G|Left1]
    ),
    still_waiting(Gs, St, Left1).

bind_all([], _).
bind_all([X-C|Bindings], Kind) :-
    ( var(X) -> del_attr(X, Kind), X = C ; number(X), number_of(Kind, X, N), order(=, N, C) ),
    bind_all(Bindings, Kind).

% resumed(+Kind): what has become linear is posted.
resumed(Kind) :-
    state(Kind, s(N, R, B, V, Xs, P, W0)),
    (   selected(W0, Kind, Rel, E, W)
    ->  save(Kind, s(N, R, B, V, Xs, P, W)),
        constrain(Kind, Rel, E),
        resumed(Kind)
    ;   true
    ).

selected([wait(Rel, E)|W], Kind, Rel, E, W) :-
    \+ \+ ( linear(E, Kind, _) ; Rel == eq, inverted(E, Kind, _, _) ),
    !.
selected([G|W0], Kind, Rel, E, [G|W]) :- selected(W0, Kind, Rel, E, W).

% bound_hook(+Kind, +I, ?Other): the variable of number I has become Other.
bound_hook(Kind, I, Other) :-
    (   var(Other)
    ->  (   get_attr(Other, Kind, J)
        ->  one(Kind, One),
            zero(Kind, Z),
            negative(One, M),
            ( I < J -> Ts = [I-One,J-M] ; Ts = [J-One,I-M] ),
            ( I =:= J -> true ; state(Kind, St0), posted(eq, Kind, lin(Z, Ts), St0, St), settled(Kind, St) )
        ;   put_attr(Other, Kind, I)
        )
    ;   number(Other)
    ->  number_of(Kind, Other, N),
        negative(N, C),
        one(Kind, One),
        state(Kind, St0),
        posted(eq, Kind, lin(C, [I-One]), St0, St),
        settled(Kind, St)
    ;   atom_concat(Kind, '_expression', Type),
        type_error(Type, Other)
    ).

% entailed_in(+Kind, +Constraint): the constraints so far imply Constraint.
entailed_in(_, C) :- var(C), !, instantiation_error(C).
entailed_in(Kind, (A, B)) :- !, entailed_in(Kind, A), entailed_in(Kind, B).
entailed_in(Kind, C) :-
    (   relation(C, Rel, A, B)
    ->  opposite(Rel, A, B, Opposites),
        \+ ( member(O, Opposites), \+ \+ constrain(Kind, O) )
    ;   atom_concat(Kind, '_constraint', Type),
        type_error(Type, C)
    ).

opposite(lt, A, B, [A >= B]).
opposite(le, A, B, [A > B]).
opposite(eq, A, B, [A < B, A > B]).
opposite(ne, A, B, [A = B]).

% optimum(+Kind, +Side, +E, -Value): the supremum or infimum of E.
optimum(Kind, Side, E, Value) :- optimum(Kind, Side, E, Value, [], []).

% optimum(+Kind, +Side, +E, -Value, +Xs, -Vertex): Vertex has the values of Xs where E has Value.
optimum(Kind, Side, E, Value, Xs, Vertex) :-
    linear_or_error(E, Kind, Lin0),
    ( Side == sup -> Lin = Lin0 ; minus(Kind, Lin0, Lin) ),
    must_be(list, Xs),
    linear_all(Xs, Kind, Lins),
    state(Kind, St0),
    maximal(Kind, Lin, St0, v(C, _), St),
    ( Side == sup -> V = C ; negative(C, V) ),
    values_at(Lins, Kind, St, Values),
    equal_all([Value|Vertex], [V|Values], Kind).

linear_all([], _, []).
linear_all([X|Xs], Kind, [Lin|Lins]) :- linear_or_error(X, Kind, Lin), linear_all(Xs, Kind, Lins).

values_at([], _, _, []).
values_at([Lin0|Lins], Kind, St, [C|Values]) :-
    expanded(Lin0, St, Lin),
    valued(Lin, St, Kind, v(C, _)),
    values_at(Lins, Kind, St, Values).

equal_all([], [], _).
equal_all([E|Es], [V|Vs], Kind) :- constrain(Kind, E = V), equal_all(Es, Vs, Kind).

minus(Kind, Lin0, Lin) :- one(Kind, One), negative(One, M), times(M, Lin0, Lin).

linear_or_error(E, Kind, Lin) :-
    well_formed(E, Kind),
    linear(E, Kind, Lin).

% optimize(+Kind, +Side, +E): E gets its supremum or infimum.
optimize(Kind, Side, E) :-
    optimum(Kind, Side, E, V),
    constrain(Kind, E = V).

% integer_infimum(+Kind, +Xs, +E, -Inf, -Vertex): the infimum of E where Xs are integers, and the values of Xs there.
integer_infimum(Kind, Xs, E, Inf, Vertex) :-
    linear_or_error(E, Kind, Lin0),
    minus(Kind, Lin0, Lin),
    numbers_for(Xs, Kind, Is),
    state(Kind, St),
    branched(Kind, Lin, Is, St, none, best(C, Vertex)),
    negative(C, V),
    constrain(Kind, Inf = V).

numbers_for([], _, []).
numbers_for([X|Xs], Kind, [I|Is]) :-
    ( var(X) -> number_for(X, Kind, I) ; number_of(Kind, X, N), I = value(N) ),
    numbers_for(Xs, Kind, Is).

branched(Kind, Lin, Is, St0, Best0, Best) :-
    maximal(Kind, Lin, St0, Max, St),
    (   Max = v(C, _),
        ( Best0 = best(C0, _) -> order(>, C, C0) ; true )
    ->  current(Is, St, Kind, Values),
        (   broken_integer(Is, Values, I, Floor)
        ->  integer(I), % not a number, which stays what it is
            one(Kind, One),
            zero(Kind, Z),
            add(Floor, One, Ceiling),
            (   bounded(Kind, I, high, v(Floor, Z), St, St1)
            ->  branched(Kind, Lin, Is, St1, Best0, Best1)
            ;   Best1 = Best0
            ),
            (   bounded(Kind, I, low, v(Ceiling, Z), St, St2)
            ->  branched(Kind, Lin, Is, St2, Best1, Best)
            ;   Best = Best1
            )
        ;   integers(Values, Reals),
            Best = best(C, Reals)
        )
    ;   Max \== none,
        Best = Best0
    ).

integers([], []).
integers([v(C0, _)|Vs], [C|Cs]) :- ( float(C0) -> C is integer(C0) ; C = C0 ), integers(Vs, Cs).

current([], _, _, []).
current([I|Is], St, Kind, [V|Vs]) :-
    one(Kind, One),
    zero(Kind, Z),
    (   I = value(C)
    ->  V = v(C, Z)
    ;   expanded(lin(Z, [I-One]), St, Lin),
        valued(Lin, St, Kind, V)
    ),
    current(Is, St, Kind, Vs).

% broken_integer(+Is, +Values, -J, -Floor): J is the first that has no integer for its value, and Floor the one below.
broken_integer([I|Is], [v(C, K)|Vs], J, Floor) :-
    floor_of(C, F),
    (   \+ order(=, F, C)
    ->  J = I,
        Floor = F
    ;   sign(K, S),
        S =\= 0
    ->  J = I,
        ( S > 0 -> Floor = F ; float(F) -> Floor is F-1.0 ; Floor is F-1 )
    ;   broken_integer(Is, Vs, J, Floor)
    ).

floor_of(V, F) :- ( float(V) -> F is float(floor(V+1.0e-10)) ; F is floor(V) ).

% vertex(+Kind, +Xs, +E, -Values): values of Xs for which E has its infimum.
vertex(Kind, Xs, E, Values) :-
    linear_or_error(E, Kind, Lin0),
    minus(Kind, Lin0, Lin),
    numbers_for(Xs, Kind, Is),
    state(Kind, St0),
    maximal(Kind, Lin, St0, Max, St),
    Max \== none,
    current(Is, St, Kind, Pairs),
    reals(Pairs, Values).

reals([], []).
reals([v(C, _)|Vs], [C|Cs]) :- reals(Vs, Cs).

% marginal(+Kind, +Relation, +E, +Cost, -Rate): how the infimum of Cost changes with a little more on the right side of
% E Relation 0.
marginal(Kind, Relation, E, Cost, Rate) :-
    linear_or_error(E, Kind, lin(C0, Ts)),
    linear_or_error(Cost, Kind, Cost0),
    minus(Kind, Cost0, Lin),
    state(Kind, St0),
    row_for(Kind, Ts, St0, St1, I),
    negative(C0, C),
    one(Kind, One),
    ( Relation == (>=) -> St2 = St1 ; bounded(Kind, I, high, v(C, One), St1, St2) ),
    ( Relation == (=<) -> St3 = St2 ; bounded(Kind, I, low, v(C, One), St2, St3) ),
    maximal(Kind, Lin, St3, v(_, K), _),
    negative(K, Rate).

% ordered(+Spec): variables that are to be shown in an order are X < Y, X > Y or a list. What is shown has an order of
% its own.
ordered(Spec) :- nonvar(Spec).

% solver_of(?X, -Kind): constraints of Kind are about X.
solver_of(X, Kind) :-
    var(X),
    ( get_attr(X, clpq, _) -> Kind = clpq ; get_attr(X, clpr, _) -> Kind = clpr ).

% What is shown.

% dumped(+Kind, +Xs, +Names, -Constraints): what holds for Xs, with Names in their places.
dumped(Kind, Xs, Names, Constraints) :-
    must_be(list, Xs),
    must_be(list, Names),
    state(Kind, St),
    places(Xs, Names, Kind, Map, Known),
    findall(I, member(I-_, Map), Keep),
    simplified(Kind, St, Keep, Cs),
    shown_all(Cs, Map, Kind, Constraints0),
    append(Known, Constraints0, Constraints).

places([], [], _, [], []).
places([X|Xs], [Name|Names], Kind, Map, Known) :-
    (   var(X)
    ->  number_for(X, Kind, I),
        Map = [I-Name|Map1],
        Known = Known1
    ;   Map = Map1,
        Known = [Name=X|Known1]
    ),
    places(Xs, Names, Kind, Map1, Known1).

% goals_of(+Kind, +X)//: the constraints with X that are not shown yet.
goals_of(Kind, X) -->
    { get_attr(X, Kind, I),
      atom_concat('$shown ', Kind, Key),
      (   nb_current(Key, Cs0), Cs0 = shown(Cs)
      ->  true
      ;   state(Kind, St),
          user_numbers(Kind, St, Keep),
          simplified(Kind, St, Keep, Cs)
      ),
      with_number(Cs, I, Mine, Others),
      b_setval(Key, shown(Others)),
      state(Kind, s(_, _, _, _, Xs, _, W)),
      assoc_to_list(Xs, Map),
      shown_all(Mine, Map, Kind, Goals),
      waiting_goals(W, X, Map, Kind, More) },
    braces(Goals),
    braces(More).

user_numbers(Kind, s(_, _, _, _, Xs, _, _), Keep) :-
    assoc_to_list(Xs, Pairs),
    own_numbers(Pairs, Kind, Keep).

own_numbers([], _, []).
own_numbers([I-X|Pairs], Kind, Keep) :-
    ( var(X), get_attr(X, Kind, J), I =:= J -> Keep = [I|Keep1] ; Keep = Keep1 ),
    own_numbers(Pairs, Kind, Keep1).

braces([]) --> [].
braces([G|Gs]) --> [{G}], braces(Gs).

with_number([], _, [], []).
with_number([C|Cs], I, Mine, Others) :-
    (   C = p(_, lin(_, Ts)), memberchk(I-_, Ts)
    ->  Mine = [C|Mine1], Others = Others1
    ;   Mine = Mine1, Others = [C|Others1]
    ),
    with_number(Cs, I, Mine1, Others1).

waiting_goals([], _, _, _, []).
waiting_goals([G|Gs], X, Map, Kind, Goals) :-
    (   G = wait(Rel, E), term_variables(E, [Y|_]), X == Y
    ->  zero(Kind, Z), shown_relation(Rel, E, Z, Goal), Goals = [Goal|Goals1]
    ;   G = differs(Lin), Lin = lin(_, Ts), last(Ts, I-_), memberchk(I-Y, Map), X == Y
    ->  shown_constraint(p(ne, Lin), Map, Kind, Goal), Goals = [Goal|Goals1]
    ;   Goals = Goals1
    ),
    waiting_goals(Gs, X, Map, Kind, Goals1).

shown_relation(eq, E, Z, E=Z).
shown_relation(le, E, Z, E=<Z).
shown_relation(lt, E, Z, E<Z).
shown_relation(ne, E, Z, E=\=Z).

% simplified(+Kind, +St, +Keep, -Constraints): p(Rel, Lin) about the numbers Keep: equations solved for one each, and
% inequations that the others do not imply.
simplified(Kind, St, Keep, Constraints) :-
    St = s(_, _, _, _, _, Posted0, _),
    reverse(Posted0, Posted),
    present(Posted, Kind, St, Posted1),
    implied_equations(Posted1, Kind, St, Posted2),
    solved(Posted2, Kind, Keep, [], Equations0, Rest0),
    eliminated(Rest0, Kind, Keep, Rest1),
    unimplied(Rest1, [], Kind, Rest),
    kept_equations(Equations0, Keep, Equations),
    append(Equations, Rest, Constraints).

% present(+Posted0, +Kind, +St, -Posted): with the values and numbers that variables have now.
present([], _, _, []).
present([p(Rel, lin(C, Ts))|Ps0], Kind, St, Ps) :-
    St = s(_, _, _, _, Xs, _, _),
    present_terms(Ts, Xs, Kind, lin(C, []), Lin),
    ( Lin = lin(_, []) -> Ps = Ps1 ; Ps = [p(Rel, Lin)|Ps1] ),
    present(Ps0, Kind, St, Ps1).

present_terms([], _, _, Lin, Lin).
present_terms([I-A|Ts], Xs, Kind, Lin0, Lin) :-
    get_assoc(I, Xs, X),
    one(Kind, One),
    zero(Kind, Z),
    (   var(X)
    ->  get_attr(X, Kind, J),
        Term = lin(Z, [J-One])
    ;   number_of(Kind, X, N),
        Term = lin(N, [])
    ),
    plus(Lin0, A, Term, Lin1),
    present_terms(Ts, Xs, Kind, Lin1, Lin).

% implied_equations(...): an inequation whose difference is known to be zero becomes an equation.
implied_equations([], _, _, []).
implied_equations([p(Rel, Lin)|Ps0], Kind, St, [p(Rel1, Lin)|Ps]) :-
    ( Rel == le, expanded(Lin, St, lin(C, [])), sign(C, 0) -> Rel1 = eq ; Rel1 = Rel ),
    implied_equations(Ps0, Kind, St, Ps).

solved(Ps, Kind, Keep, Equations0, Equations, Rest) :-
    (   selectchk(p(eq, Lin), Ps, Ps1)
    ->  Lin = lin(_, Ts),
        (   Ts == []
        ->  solved(Ps1, Kind, Keep, Equations0, Equations, Rest)
        ;   pivot(Ts, Keep, I),
            solution(Lin, I, Kind, Row),
            substituted(Ps1, I, Row, Ps2),
            equations_with(Equations0, I, Row, Equations1),
            solved(Ps2, Kind, Keep, [I=Row|Equations1], Equations, Rest)
        )
    ;   Equations = Equations0,
        Rest = Ps
    ).

pivot(Ts, Keep, I) :-
    (   member(I0-_, Ts), \+ memberchk(I0, Keep)
    ->  I = I0
    ;   reverse(Ts, Us),
        member(I0-A, Us),
        number(A),
        abs(A) =:= 1
    ->  I = I0
    ;   last(Ts, I-_)
    ).

solution(lin(C, Ts), I, Kind, Row) :-
    coefficient(Ts, I, A),
    without(Ts, I, Us),
    one(Kind, One),
    negative(One, M),
    divide(M, A, F),
    times(F, lin(C, Us), Row).

substituted([], _, _, []).
substituted([p(Rel, Lin0)|Ps0], I, Row, [p(Rel, Lin)|Ps]) :-
    with_row(Lin0, I, Row, Lin),
    substituted(Ps0, I, Row, Ps).

with_row(lin(C, Ts), I, Row, Lin) :-
    (   coefficient(Ts, I, A)
    ->  without(Ts, I, Us),
        plus(lin(C, Us), A, Row, Lin)
    ;   Lin = lin(C, Ts)
    ).

equations_with([], _, _, []).
equations_with([J=Row0|Es0], I, Row, [J=Row1|Es]) :-
    with_row(Row0, I, Row, Row1),
    equations_with(Es0, I, Row, Es).

kept_equations([], _, []).
kept_equations([I=Row|Es0], Keep, Es) :-
    ( memberchk(I, Keep) -> Row = lin(C, Ts), Es = [p(is(I), lin(C, Ts))|Es1] ; Es = Es1 ),
    kept_equations(Es0, Keep, Es1).

% eliminated(+Ps0, +Kind, +Keep, -Ps): inequations without the numbers that are not shown.
eliminated(Ps0, Kind, Keep, Ps) :-
    (   member(p(_, lin(_, Ts)), Ps0),
        member(I-_, Ts),
        \+ memberchk(I, Keep)
    ->  by_sign(Ps0, I, Highs, Lows, Others),
        findall(p(Rel, Lin), ( member(H, Highs), member(L, Lows), combined(H, L, I, Kind, Rel, Lin) ), New),
        append(Others, New, Ps1),
        unimplied(Ps1, [], Kind, Ps2),
        eliminated(Ps2, Kind, Keep, Ps)
    ;   Ps = Ps0
    ).

by_sign([], _, [], [], []).
by_sign([P|Ps], I, Highs, Lows, Others) :-
    P = p(_, lin(_, Ts)),
    (   coefficient(Ts, I, A)
    ->  ( sign(A, 1) -> Highs = [P|Highs1], Lows = Lows1 ; Highs = Highs1, Lows = [P|Lows1] ),
        Others = Others1
    ;   Highs = Highs1,
        Lows = Lows1,
        Others = [P|Others1]
    ),
    by_sign(Ps, I, Highs1, Lows1, Others1).

combined(p(Rel1, L1), p(Rel2, L2), I, _, Rel, Lin) :-
    L1 = lin(_, Ts1),
    L2 = lin(_, Ts2),
    coefficient(Ts1, I, A),
    coefficient(Ts2, I, B0),
    negative(B0, B),
    times(B, L1, L3),
    plus(L3, A, L2, Lin),
    ( ( Rel1 == lt ; Rel2 == lt ) -> Rel = lt ; Rel = le ).

% unimplied(+Ps, +Before, +Kind, -Left): without those that the rest implies.
unimplied([], Before, _, Left) :- reverse(Before, Left).
unimplied([P|Ps], Before, Kind, Left) :-
    P = p(Rel, Lin),
    append(Before, Ps, Rest),
    (   ( Lin = lin(_, []) ; implied_by(Rest, Rel, Lin, Kind) )
    ->  unimplied(Ps, Before, Kind, Left)
    ;   unimplied(Ps, [P|Before], Kind, Left)
    ).

implied_by(Rest, Rel, Lin, Kind) :-
    empty_assoc(E),
    highest([p(Rel, Lin)|Rest], 0, N0),
    N is N0+1,
    zero(Kind, Z),
    zero_values(N0, Z, E, V),
    one(Kind, One),
    negative(One, M),
    times(M, Lin, Opposite),
    strictness(Rel, Rel1),
    \+ all_posted([p(Rel1, Opposite)|Rest], Kind, s(N, E, E, V, E, [], [])).

strictness(le, lt).
strictness(lt, le).

highest([], N, N).
highest([p(_, lin(_, Ts))|Ps], N0, N) :-
    ( last(Ts, I-_) -> N1 is max(I, N0) ; N1 = N0 ),
    highest(Ps, N1, N).

zero_values(N, Z, V0, V) :-
    ( N =:= 0 -> V = V0 ; put_assoc(N, V0, v(Z, Z), V1), N1 is N-1, zero_values(N1, Z, V1, V) ).

all_posted([], _, _).
all_posted([p(Rel, Lin)|Ps], Kind, St0) :-
    posted(Rel, Kind, Lin, St0, St),
    all_posted(Ps, Kind, St).

shown_all([], _, _, []).
shown_all([C|Cs], Map, Kind, [Goal|Goals]) :-
    shown_constraint(C, Map, Kind, Goal),
    shown_all(Cs, Map, Kind, Goals).

% shown_constraint(+C, +Map, +Kind, -Goal): with a positive first coefficient of one.
shown_constraint(p(is(I), lin(C, Ts)), Map, Kind, X=E) :-
    !,
    memberchk(I-X, Map),
    expression(Ts, C, Map, Kind, E).
shown_constraint(p(Rel, lin(C, Ts)), Map, Kind, Goal) :-
    Ts = [_-A|_],
    one(Kind, One),
    divide(One, A, F),
    zero(Kind, Z),
    times(F, lin(C, Ts), lin(C1, Ts1)),
    negative(C1, C2),
    expression(Ts1, Z, Map, Kind, E),
    sign(A, S),
    shown_side(Rel, S, E, C2, Goal).

shown_side(eq, _, E, C, E=C).
shown_side(ne, _, E, C, E=\=C).
shown_side(le, S, E, C, Goal) :- ( S > 0 -> Goal = (E=<C) ; Goal = (E>=C) ).
shown_side(lt, S, E, C, Goal) :- ( S > 0 -> Goal = (E<C) ; Goal = (E>C) ).

expression(Ts, C, Map, Kind, E) :-
    (   Ts == []
    ->  E = C
    ;   sign(C, 0)
    ->  Ts = [I-A|Ts1],
        memberchk(I-X, Map),
        product(A, X, Kind, E0),
        summed(Ts1, Map, Kind, E0, E)
    ;   summed(Ts, Map, Kind, C, E)
    ).

product(A, X, Kind, E) :-
    one(Kind, One),
    negative(One, M),
    ( order(=, A, One) -> E = X ; order(=, A, M) -> E = -X ; E = A*X ).

summed([], _, _, E, E).
summed([I-A|Ts], Map, Kind, E0, E) :-
    memberchk(I-X, Map),
    (   sign(A, -1)
    ->  negative(A, B),
        product(B, X, Kind, P),
        E1 = E0-P
    ;   product(A, X, Kind, P),
        E1 = E0+P
    ),
    summed(Ts, Map, Kind, E1, E).
