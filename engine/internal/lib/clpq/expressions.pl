% Expressions as sums, and equations that are not linear and can be inverted.
:- module(clpq_expressions, [linear/3, well_formed/2, inverted/4, divides_by_zero/2]).

:- use_module(library(clpq/numbers)).
:- use_module(library(clpq/state)).

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

% divides_by_zero(+E, +Kind): E has no value, whatever its variables are.
divides_by_zero(E, Kind) :-
    compound(E),
    (   E = _/B,
        linear(B, Kind, lin(D, [])),
        sign(D, 0)
    ->  true
    ;   arg(_, E, A),
        divides_by_zero(A, Kind)
    ->  true
    ).

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

% Equations that are not linear and can be inverted. E is seen as C+F*M, where M is none or m(Base, P), the power P of
% a variable or of a function.

% inverted(+E, +Kind, -X, -Values): E = 0 is equivalent to the expression X being one of Values; fails if E has no
% such form.
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

% roots(+P, +Y, +Kind, -Values): Values are the solutions X of X^P = Y. Roots of rational numbers are not computed.
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

% inverse(+Function, +Y, +Kind, -X, -Values): solves Function = Y: its argument X is one of Values.
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

% product_monomial(+A, +B, -C, -F, -M): the product of two f(C, F, M).
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
