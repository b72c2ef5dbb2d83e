% Linear constraints over rational numbers and over floats: the common part of library(clpq) and library(clpr).
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
    posted/5
]).

:- use_module(library(clpq/numbers)).
:- use_module(library(clpq/state)).
:- use_module(library(clpq/expressions)).
:- use_module(library(clpq/tableau)).

% constrain(+Kind, +Constraint): posts a constraint of {}/1.
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

% constrain(+Kind, +Rel, +E): posts E Rel 0.
constrain(Kind, Rel, E) :-
    (   linear(E, Kind, Lin)
    ->  state(Kind, St0),
        posted(Rel, Kind, Lin, St0, St),
        settled(Kind, St)
    ;   Rel == eq,
        inverted(E, Kind, X, Values)
    ->  member(V, Values),
        constrain(Kind, eq, X-V)
    ;   \+ divides_by_zero(E, Kind),
        term_variables(E, Ys),
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

% implied(+Kind, +I, +Side, +Bound, +St0, -St): if I cannot leave its new bound, I is fixed, and so are the numbers
% that hold it there.
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

% extreme(+Max, +F, +Bound, -O): O is the order of Max and F times Bound.
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

% settled(+Kind, +St): removes fixed numbers from the rows, and binds variables that have only one value.
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

% resumed(+Kind): posts waiting constraints that have become linear.
resumed(Kind) :-
    state(Kind, s(N, R, B, V, Xs, P, W0)),
    (   selected(W0, Kind, Rel, E, W)
    ->  save(Kind, s(N, R, B, V, Xs, P, W)),
        constrain(Kind, Rel, E),
        resumed(Kind)
    ;   true
    ).

selected([wait(Rel, E)|W], Kind, Rel, E, W) :-
    \+ \+ ( linear(E, Kind, _) ; Rel == eq, inverted(E, Kind, _, _) ; divides_by_zero(E, Kind) ),
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

% marginal(+Kind, +Relation, +E, +Cost, -Rate): Rate is the change of the infimum of Cost for a small increase of the
% right side of E Relation 0.
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

% ordered(+Spec): checks Spec, an order of variables: X < Y, X > Y or a list. It does not change the order in which
% constraints are shown.
ordered(Spec) :- nonvar(Spec).

% solver_of(?X, -Kind): constraints of Kind are about X.
solver_of(X, Kind) :-
    var(X),
    ( get_attr(X, clpq, _) -> Kind = clpq ; get_attr(X, clpr, _) -> Kind = clpr ).
