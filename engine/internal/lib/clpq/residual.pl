% The linear constraints as people see them: dump/3 and residual goals.
:- module(clpq_residual, [dumped/4, goals_of//2]).

:- use_module(library(clpq/numbers)).
:- use_module(library(clpq/state)).
:- use_module(library(clpq/solver)).

% dumped(+Kind, +Xs, +Names, -Constraints): Constraints are the constraints on Xs, with Names in place of Xs.
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

% simplified(+Kind, +St, +Keep, -Constraints): Constraints has p(Rel, Lin) about the numbers Keep: equations, each
% solved for one number, and inequations that the others do not imply.
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

% present(+Posted0, +Kind, +St, -Posted): Posted is Posted0 with the current values and numbers of variables.
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

% eliminated(+Ps0, +Kind, +Keep, -Ps): eliminates the numbers that are not shown from inequations.
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

% unimplied(+Ps, +Before, +Kind, -Left): Left are the inequations that the others do not imply.
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

% shown_constraint(+C, +Map, +Kind, -Goal): Goal shows a constraint, scaled so that its first coefficient is 1.
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
