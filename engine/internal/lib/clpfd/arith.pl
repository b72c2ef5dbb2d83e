% Propagators of library(clpfd) for what is not linear: products, quotients, remainders, powers, absolute values, minima,
% maxima, operations on bits, and the connectives of propositional logic over 0 and 1.
:- module(clpfd_arith, [
    post_function//2,
    run_function//2,
    compute/2
]).

:- use_module(library(clpfd/domains)).
:- use_module(library(clpfd/store)).

% compute(+Goal, -Z): Z is the result of a function of this file for integers; fails if there is none.
compute(times(X, Y, _), Z) :- Z is X*Y.
compute(quotient(X, Y, _), Z) :- Y =\= 0, Z is X//Y.
compute(floor_quotient(X, Y, _), Z) :- Y =\= 0, Z is X div Y.
compute(modulo(X, Y, _), Z) :- Y =\= 0, Z is X mod Y.
compute(remainder(X, Y, _), Z) :- Y =\= 0, Z is X rem Y.
compute(power(X, Y, _), Z) :-
    (   Y >= 0
    ->  Z is X^Y
    ;   abs(X) =:= 1,
        Z is X^Y
    ).
compute(absolute(X, _), Z) :- Z is abs(X).
compute(minimum(X, Y, _), Z) :- Z is min(X, Y).
compute(maximum(X, Y, _), Z) :- Z is max(X, Y).
compute(most_significant(X, _), Z) :- X > 0, Z is msb(X).
compute(least_significant(X, _), Z) :- X > 0, Z is lsb(X).
compute(bit_count(X, _), Z) :- X >= 0, Z is popcount(X).
compute(shift_bits(X, Y, _), Z) :- Z is X<<Y.
compute(bit_and(X, Y, _), Z) :- Z is X/\Y.
compute(bit_or(X, Y, _), Z) :- Z is X\/Y.
compute(bit_xor(X, Y, _), Z) :- Z is X xor Y.

% post_function(+Goal, ?Z): Goal holds, where Z is its last argument.
post_function(Goal, Z, Q0, Q) :-
    (   known_arguments(Goal)
    ->  compute(Goal, V),
        assign(Z, V, Q0, Q)
    ;   Goal = absolute(X, _)
    ->  confine(Z, 0, sup, Q0, Q1),
        attach(Goal, fast, any, [X, Z], Q1, Q)
    ;   Goal = both(X, Y, _)
    ->  attach(Goal, fast, fixed, [X, Y, Z], Q0, Q)
    ;   Goal = either(X, Y, _)
    ->  attach(Goal, fast, fixed, [X, Y, Z], Q0, Q)
    ;   Goal = same(X, Y, _)
    ->  attach(Goal, fast, fixed, [X, Y, Z], Q0, Q)
    ;   term_variables(Goal, Vs),
        attach(Goal, fast, bounds, Vs, Q0, Q)
    ).

known_arguments(Goal) :-
    arg(1, Goal, X), integer(X),
    functor(Goal, _, N),
    ( N =:= 3 -> arg(2, Goal, Y), integer(Y) ; true ),
    functor(Goal, Name, _),
    Name \== both, Name \== either, Name \== same.

% run_function(+Goal, +Propagator): run a propagator of this file.
run_function(times(X, Y, Z), P) --> times(X, Y, Z, P).
run_function(quotient(X, Y, Z), P) --> exclude(Y, 0), quotient(X, Y, Z, P).
run_function(floor_quotient(X, Y, Z), P) --> exclude(Y, 0), floor_quotient(X, Y, Z, P).
run_function(modulo(X, Y, Z), P) --> exclude(Y, 0), modulo(X, Y, Z, P).
run_function(remainder(X, Y, Z), P) --> exclude(Y, 0), remainder(X, Y, Z, P).
run_function(power(X, Y, Z), P) --> power(X, Y, Z, P).
run_function(absolute(X, Z), P) --> absolute(X, Z, P).
run_function(most_significant(X, Z), P) --> most_significant(X, Z, P).
run_function(least_significant(X, Z), P) --> least_significant(X, Z, P).
run_function(bit_count(X, Z), P) --> bit_count(X, Z, P).
run_function(shift_bits(X, Y, Z), P) --> shift_bits(X, Y, Z, P).
run_function(bit_and(X, Y, Z), P) --> bitwise(bit_and(X, Y, Z), P).
run_function(bit_or(X, Y, Z), P) --> bitwise(bit_or(X, Y, Z), P).
run_function(bit_xor(X, Y, Z), P) --> bitwise(bit_xor(X, Y, Z), P).
run_function(minimum(X, Y, Z), P) --> minimum(X, Y, Z, P).
run_function(maximum(X, Y, Z), P) --> maximum(X, Y, Z, P).
run_function(both(X, Y, Z), P) --> both(X, Y, Z, P).
run_function(either(X, Y, Z), P) --> either(X, Y, Z, P).
run_function(same(X, Y, Z), P) --> same(X, Y, Z, P).

% confine(?X, +Low, +High): restrict//3, but bounds of a variable without end do not grow beyond reason: X #>= 2, X #>= X*X
% would square them for ever.
confine(X, Low, High) -->
    (   { beyond(Low), bounds(X, _, sup) }
    ->  restrict(X, inf, High)
    ;   { beyond(High), bounds(X, inf, _) }
    ->  restrict(X, Low, sup)
    ;   restrict(X, Low, High)
    ).

beyond(B) :- integer(B), msb(abs(B)+1) > 512.

known(Goal, Z, P) --> { compute(Goal, V), kill(P) }, assign(Z, V).

times(X, Y, Z, P) -->
    (   { integer(X), integer(Y) }
    ->  known(times(X, Y, Z), Z, P)
    ;   { X == 0 ; Y == 0 }
    ->  { kill(P) }, assign(Z, 0)
    ;   { bounds(X, XL, XH), bounds(Y, YL, YH), product_hull(XL, XH, YL, YH, L, H) },
        confine(Z, L, H),
        factor(X, Y, Z),
        factor(Y, X, Z)
    ).

product_hull(XL, XH, YL, YH, L, H) :-
    ext_times(XL, YL, A),
    ext_times(XL, YH, B),
    ext_times(XH, YL, C),
    ext_times(XH, YH, D),
    hull(A, B, C, D, L, H).

hull(A, B, C, D, L, H) :-
    ext_min(A, B, L1),
    ext_min(C, D, L2),
    ext_min(L1, L2, L),
    ext_max(A, B, H1),
    ext_max(C, D, H2),
    ext_max(H1, H2, H).

% factor(?X, ?Y, ?Z): narrows X by X*Y = Z.
factor(X, Y, Z) -->
    { bounds(Y, YL, YH), bounds(Z, ZL, ZH) },
    (   { ext_lt(0, YL) }
    ->  { exact_hull(ZL, ZH, YL, YH, L, H) },
        confine(X, L, H)
    ;   { ext_lt(YH, 0) }
    ->  { ext_negate(YH, NL), ext_negate(YL, NH), ext_negate(ZH, ML), ext_negate(ZL, MH) },
        { exact_hull(ML, MH, NL, NH, L, H) },
        confine(X, L, H)
    ;   { ext_lt(0, ZL) ; ext_lt(ZH, 0) }
    ->  { ext_negate(ZL, ZN), ext_max(ZN, ZH, M), ext_negate(M, N) },
        confine(X, N, M),
        exclude(X, 0),
        exclude(Y, 0)
    ;   []
    ).

% exact_hull(...): bounds of the integers X with X*Y = Z, for a positive Y.
exact_hull(ZL, ZH, YL, YH, L, H) :-
    ( ext_lt(ZL, 0) -> quotient_up(ZL, YL, L) ; quotient_up(ZL, YH, L) ),
    ( ext_lt(ZH, 0) -> quotient_down(ZH, YH, H) ; quotient_down(ZH, YL, H) ).

% The quotient of an extended integer by a positive one, rounded up or down.
quotient_up(Z, Y, Q) :-
    (   integer(Z)
    ->  ( integer(Y) -> Q is -((-Z) div Y) ; Z > 0 -> Q = 1 ; Q = 0 )
    ;   Q = Z
    ).

quotient_down(Z, Y, Q) :-
    (   integer(Z)
    ->  ( integer(Y) -> Q is Z div Y ; Z < 0 -> Q = -1 ; Q = 0 )
    ;   Q = Z
    ).

% Truncating division: X // -Y is -(X // Y), so that a negative divisor turns the signs of the quotient.
quotient(X, Y, Z, P) -->
    (   { integer(X), integer(Y) }
    ->  known(quotient(X, Y, Z), Z, P)
    ;   { bounds(X, XL, XH), bounds(Y, YL, YH) },
        (   { ext_lt(0, YL) }
        ->  { truncated_hull(XL, XH, YL, YH, L, H) },
            confine(Z, L, H),
            { bounds(Z, ZL, ZH), dividend_hull(ZL, ZH, YL, YH, L1, H1) },
            confine(X, L1, H1)
        ;   { ext_lt(YH, 0) }
        ->  { ext_negate(YH, NL), ext_negate(YL, NH), truncated_hull(XL, XH, NL, NH, ML, MH) },
            { ext_negate(MH, L), ext_negate(ML, H) },
            confine(Z, L, H),
            { bounds(Z, ZL, ZH), ext_negate(ZH, OL), ext_negate(ZL, OH) },
            { dividend_hull(OL, OH, NL, NH, L1, H1) },
            confine(X, L1, H1)
        ;   { ext_negate(XL, XN), ext_max(XN, XH, M), ext_negate(M, N) },
            confine(Z, N, M)
        ),
        divisor(X, Y, Z)
    ).

truncated_hull(XL, XH, YL, YH, L, H) :-
    ( ext_lt(XL, 0) -> truncate_low(XL, YL, L) ; truncate_low(XL, YH, L) ),
    ( ext_lt(XH, 0) -> truncate_low(XH, YH, H) ; truncate_low(XH, YL, H) ).

truncate_low(X, Y, Q) :-
    (   integer(X) -> ( integer(Y) -> Q is X//Y ; Q = 0 ) ; Q = X ).

% dividend_hull(...): bounds of the X with X // Y = Z for a positive Y.
dividend_hull(ZL, ZH, YL, YH, L, H) :-
    (   ext_lt(0, ZL)
    ->  ext_times(ZL, YL, L)
    ;   ext_times(ZL, YH, L0), less_divisor(YH, D), ext_negate(D, D1), ext_add_low(L0, D1, L)
    ),
    (   ext_lt(ZH, 0)
    ->  ext_times(ZH, YL, H)
    ;   ext_times(ZH, YH, H0), less_divisor(YH, E), ext_add_high(H0, E, H)
    ).

less_divisor(Y, D) :- ( integer(Y) -> D is Y-1 ; D = Y ).

ext_add_low(A, B, C) :- ( integer(A), integer(B) -> C is A+B ; C = inf ).

ext_add_high(A, B, C) :- ( integer(A), integer(B) -> C is A+B ; C = sup ).

% divisor(?X, ?Y, ?Z): a positive quotient Z means a divisor of the sign of X, and not larger than X.
divisor(X, Y, Z) -->
    { bounds(X, XL, XH), bounds(Z, ZL, ZH) },
    (   { \+ ext_lt(0, ZL) }
    ->  []
    ;   { ext_le(0, XL) }
    ->  { integer(XH) -> H is XH//ZL ; H = sup },
        { integer(ZH) -> L is XL//(ZH+1)+1 ; L = 1 },
        confine(Y, L, H)
    ;   { ext_le(XH, 0) }
    ->  confine(Y, XL, -1)
    ;   { ext_negate(XL, XN), ext_max(XN, XH, M), ext_negate(M, N) },
        confine(Y, N, M)
    ).

% Flooring division: X div -Y is -X div Y.
floor_quotient(X, Y, Z, P) -->
    (   { integer(X), integer(Y) }
    ->  known(floor_quotient(X, Y, Z), Z, P)
    ;   { bounds(X, XL, XH), bounds(Y, YL, YH) },
        (   { ext_lt(0, YL) }
        ->  { floored_hull(XL, XH, YL, YH, L, H) },
            confine(Z, L, H),
            { bounds(Z, ZL, ZH), floor_dividend(ZL, ZH, YL, YH, L1, H1) },
            confine(X, L1, H1)
        ;   { ext_lt(YH, 0) }
        ->  { ext_negate(YH, NL), ext_negate(YL, NH), ext_negate(XH, XL1), ext_negate(XL, XH1) },
            { floored_hull(XL1, XH1, NL, NH, L, H) },
            confine(Z, L, H),
            { bounds(Z, ZL, ZH), floor_dividend(ZL, ZH, NL, NH, ML, MH), ext_negate(MH, L1), ext_negate(ML, H1) },
            confine(X, L1, H1)
        ;   { ext_negate(XL, XN), ext_max(XN, XH, M), ext_negate(M, N) },
            confine(Z, N, M)
        ),
        divisor(X, Y, Z)
    ).

floored_hull(XL, XH, YL, YH, L, H) :-
    ( ext_lt(XL, 0) -> quotient_down(XL, YL, L) ; quotient_down(XL, YH, L) ),
    ( ext_lt(XH, 0) -> quotient_down(XH, YH, H) ; quotient_down(XH, YL, H) ).

floor_dividend(ZL, ZH, YL, YH, L, H) :-
    ( ext_lt(ZL, 0) -> ext_times(ZL, YH, L) ; ext_times(ZL, YL, L) ),
    ext_add(ZH, 1, ZH1),
    ( ext_lt(0, ZH1) -> ext_times(ZH1, YH, H0) ; ext_times(ZH1, YL, H0) ),
    ext_add(H0, -1, H).

modulo(X, Y, Z, P) -->
    (   { integer(X), integer(Y) }
    ->  known(modulo(X, Y, Z), Z, P)
    ;   { bounds(Y, YL, YH), bounds(X, XL, XH) },
        (   { ext_lt(0, YL) }
        ->  { ext_add(YH, -1, M) },
            confine(Z, 0, M),
            ( { ext_le(0, XL) } -> confine(Z, 0, XH) ; [] ),
            (   { ext_le(0, XL), ext_lt(XH, YL) }
            ->  equal_bounds(X, Z)
            ;   []
            )
        ;   { ext_lt(YH, 0) }
        ->  { ext_add(YL, 1, M) },
            confine(Z, M, 0)
        ;   { ext_add(YL, 1, L), ext_add(YH, -1, H), ext_min(L, 0, L1), ext_max(H, 0, H1) },
            confine(Z, L1, H1)
        ),
        modulus(Y, Z),
        congruent(X, Y, Z)
    ).

% modulus(?Y, ?Z): a remainder of flooring division has the sign of the divisor.
modulus(Y, Z) -->
    { bounds(Z, ZL, ZH) },
    (   { integer(ZL), ZL > 0 }
    ->  { L is ZL+1 },
        confine(Y, L, sup)
    ;   { integer(ZH), ZH < 0 }
    ->  { H is ZH-1 },
        confine(Y, inf, H)
    ;   []
    ).

remainder(X, Y, Z, P) -->
    (   { integer(X), integer(Y) }
    ->  known(remainder(X, Y, Z), Z, P)
    ;   { bounds(Y, YL, YH), bounds(X, XL, XH) },
        { ext_negate(YL, NL), ext_max(NL, YH, A), ext_add(A, -1, H), ext_negate(H, L) },
        { ext_le(0, XL) -> L1 = 0 ; ext_max(L, XL, L1) },
        { ext_le(XH, 0) -> H1 = 0 ; ext_min(H, XH, H1) },
        confine(Z, L1, H1),
        { bounds(Z, ZL, ZH) },
        ( { ext_lt(0, ZL) } -> confine(X, 1, sup) ; { ext_lt(ZH, 0) } -> confine(X, inf, -1) ; [] ),
        (   { ext_le(0, XL), ext_lt(0, YL), ext_lt(XH, YL) }
        ->  equal_bounds(X, Z)
        ;   []
        ),
        congruent(X, Y, Z)
    ).

% congruent(?X, +Y, +Z): the bounds of X leave the remainder Z.
congruent(X, Y, Z) -->
    (   { integer(Y), integer(Z), var(X) }
    ->  { bounds(X, XL, XH), M is abs(Y) },
        { integer(XL) -> L is XL+(Z-XL) mod M ; L = XL },
        { integer(XH) -> H is XH-(XH-Z) mod M ; H = XH },
        confine(X, L, H)
    ;   []
    ).

equal_bounds(X, Y) -->
    { bounds(X, XL, XH) },
    confine(Y, XL, XH),
    { bounds(Y, YL, YH) },
    confine(X, YL, YH).

absolute(X, Z, P) -->
    (   { integer(X) }
    ->  known(absolute(X, Z), Z, P)
    ;   { domain(X, DX), dom_from(0, DX, Plus), dom_upto(0, DX, Minus), dom_negate(Minus, Flipped) },
        { dom_union(Plus, Flipped, DZ) },
        narrow(Z, DZ),
        { domain(Z, DZ1), dom_negate(DZ1, Negated), dom_union(Negated, DZ1, Both) },
        narrow(X, Both)
    ).

minimum(X, Y, Z, P) -->
    (   { integer(X), integer(Y) }
    ->  known(minimum(X, Y, Z), Z, P)
    ;   { bounds(X, XL, XH), bounds(Y, YL, YH), ext_min(XL, YL, L), ext_min(XH, YH, H) },
        confine(Z, L, H),
        { bounds(Z, ZL, ZH) },
        confine(X, ZL, sup),
        confine(Y, ZL, sup),
        (   { ext_lt(ZH, XL) } -> equal_bounds(Y, Z)
        ;   { ext_lt(ZH, YL) } -> equal_bounds(X, Z)
        ;   []
        )
    ).

maximum(X, Y, Z, P) -->
    (   { integer(X), integer(Y) }
    ->  known(maximum(X, Y, Z), Z, P)
    ;   { bounds(X, XL, XH), bounds(Y, YL, YH), ext_max(XL, YL, L), ext_max(XH, YH, H) },
        confine(Z, L, H),
        { bounds(Z, ZL, ZH) },
        confine(X, inf, ZH),
        confine(Y, inf, ZH),
        (   { ext_lt(XH, ZL) } -> equal_bounds(Y, Z)
        ;   { ext_lt(YH, ZL) } -> equal_bounds(X, Z)
        ;   []
        )
    ).

most_significant(X, Z, P) -->
    (   { integer(X) }
    ->  known(most_significant(X, Z), Z, P)
    ;   confine(X, 1, sup),
        { bounds(X, XL, XH), L is msb(XL), highest_bit(XH, H) },
        confine(Z, L, H),
        { bounds(Z, ZL, ZH), low_shift(1, ZL, L1), ext_add(ZH, 1, E), high_shift(1, E, H0), ext_add(H0, -1, H1) },
        confine(X, L1, H1)
    ).

least_significant(X, Z, P) -->
    (   { integer(X) }
    ->  known(least_significant(X, Z), Z, P)
    ;   confine(X, 1, sup),
        { bounds(X, _, XH), highest_bit(XH, H) },
        confine(Z, 0, H),
        { bounds(Z, ZL, _), low_shift(1, ZL, L) },
        confine(X, L, sup)
    ).

bit_count(X, Z, P) -->
    (   { integer(X) }
    ->  known(bit_count(X, Z), Z, P)
    ;   confine(X, 0, sup),
        { bounds(X, XL, XH), L is sign(XL) },
        { XH == 0 -> H = 0 ; highest_bit(XH, B), ext_add(B, 1, H) },
        confine(Z, L, H),
        { bounds(Z, ZL, ZH), low_shift(1, ZL, L1), L2 is L1-1 },
        confine(X, L2, sup),
        ( { ZH == 0 } -> assign(X, 0) ; [] )
    ).

highest_bit(X, B) :- ( integer(X) -> B is msb(X) ; B = sup ).

% low_shift(+X, +Y, -Z), high_shift(+X, +Y, -Z): X<<Y or a number nearer to 0, and X<<Y or one without end. These
% bounds of X<<Y stay small enough to calculate with.
low_shift(X, Y, Z) :-
    (   X == 0 -> Z = 0
    ;   Y == inf -> ( ext_lt(X, 0) -> Z = -1 ; Z = 0 )
    ;   integer(X) -> Z is X<<min(Y, 512)
    ;   Z = X
    ).

high_shift(X, Y, Z) :-
    (   X == 0 -> Z = 0
    ;   integer(X), ext_le(Y, 512) -> Z is X<<Y
    ;   ext_lt(X, 0) -> Z = inf
    ;   Z = sup
    ).

% shift_bits(?X, ?Y, ?Z): X<<Y is Z, and for a negative Y it is X>> -Y.
shift_bits(X, Y, Z, P) -->
    (   { integer(X), integer(Y) }
    ->  known(shift_bits(X, Y, Z), Z, P)
    ;   { integer(Y), abs(Y) =< 512 }
    ->  { F is 1<<abs(Y) },
        ( { Y < 0 } -> floor_quotient(X, F, Z, P) ; times(X, F, Z, P) )
    ;   { bounds(X, XL, XH), bounds(Y, YL, YH) },
        { ext_lt(XL, 0) -> high_shift(XL, YH, L) ; low_shift(XL, YL, L) },
        { ext_lt(XH, 0) -> low_shift(XH, YL, H) ; high_shift(XH, YH, H) },
        confine(Z, L, H),
        { bounds(Z, ZL, ZH) },
        ( { ext_le(0, ZL) } -> { ext_min(ZL, 1, L1) }, confine(X, L1, sup) ; [] ),
        ( { ext_lt(ZH, 0) } -> confine(X, inf, -1) ; [] ),
        ( { ext_le(0, YL) } -> shifted_left(X, YL, ZL, ZH) ; [] ),
        shift_width(X, Y, Z)
    ).

% shifted_left(?X, +YL, +ZL, +ZH): X shifted by at least YL, which is not negative, is between ZL and ZH.
shifted_left(X, YL, ZL, ZH) -->
    { N is -min(YL, 512) },
    { integer(ZL), ZL < 0 -> L is -((-ZL)<<N) ; ZL == inf -> L = inf ; L = 0 },
    { integer(ZH), ZH >= 0 -> H is ZH<<N ; ZH == sup -> H = sup ; H = -1 },
    confine(X, L, H).

% shift_width(?X, ?Y, ?Z): the highest bits of positive X and Z are Y apart.
shift_width(X, Y, Z) -->
    { bounds(X, XL, XH), bounds(Z, ZL, ZH) },
    (   { ext_lt(0, XL), ext_lt(0, ZL) }
    ->  { integer(XH) -> L is msb(ZL)-msb(XH) ; L = inf },
        { integer(ZH) -> H is msb(ZH)-msb(XL) ; H = sup },
        confine(Y, L, H)
    ;   []
    ).

bitwise(Goal, P) -->
    { Goal =.. [Name, X, Y, Z] },
    (   { integer(X), integer(Y) }
    ->  known(Goal, Z, P)
    ;   { Name == bit_xor, integer(Z), integer(X) }
    ->  known(bit_xor(X, Z, Y), Y, P)
    ;   { Name == bit_xor, integer(Z), integer(Y) }
    ->  known(bit_xor(Y, Z, X), X, P)
    ;   same_width(X, Y, Z),
        bit_bounds(Name, X, Y, Z),
        ( { Name == bit_xor } -> same_width(X, Z, Y), same_width(Y, Z, X) ; [] )
    ).

% same_width(?X, ?Y, ?Z): Z needs no more bits than X and Y.
same_width(X, Y, Z) -->
    { bounds(X, XL, XH), bounds(Y, YL, YH) },
    (   { integer(XL), integer(XH), integer(YL), integer(YH) }
    ->  { Bits is max(XL, \XL) \/ max(XH, \XH) \/ max(YL, \YL) \/ max(YH, \YH) },
        { Bits =:= 0 -> H = 0 ; H is (1<<(msb(Bits)+1))-1 },
        { L is -H-1 },
        confine(Z, L, H)
    ;   []
    ).

bit_bounds(bit_and, X, Y, Z) --> bit_part(X, Y, Z), bit_part(Y, X, Z).
bit_bounds(bit_or, X, Y, Z) --> bit_whole(X, Y, Z), bit_whole(Y, X, Z).
bit_bounds(bit_xor, X, Y, Z) --> bit_sign(X, Y, Z), bit_sign(X, Z, Y), bit_sign(Y, Z, X).

% bit_part(?X, ?Y, ?Z): narrows X and Z by X/\Y = Z. Z is at most X, unless X is negative and Y is not.
bit_part(X, Y, Z) -->
    { bounds(X, XL, XH), bounds(Y, _, YH) },
    ( { ext_le(0, XL) } -> confine(Z, 0, XH) ; { ext_lt(YH, 0) } -> confine(Z, inf, XH) ; [] ),
    { bounds(Z, ZL, ZH) },
    (   { ext_lt(ZH, 0) } -> confine(X, ZL, -1)
    ;   { ext_le(0, XL) ; ext_lt(YH, 0) } -> confine(X, ZL, sup)
    ;   []
    ).

% bit_whole(?X, ?Y, ?Z): narrows X and Z by X\/Y = Z. Z is at least X, unless Y is negative and X is not.
bit_whole(X, Y, Z) -->
    { bounds(X, XL, XH), bounds(Y, YL, _) },
    ( { ext_lt(XH, 0) } -> confine(Z, XL, -1) ; { ext_le(0, YL) } -> confine(Z, XL, sup) ; [] ),
    { bounds(Z, ZL, ZH) },
    (   { ext_le(0, ZL) } -> confine(X, 0, ZH)
    ;   { ext_lt(XH, 0) ; ext_le(0, YL) } -> confine(X, inf, ZH)
    ;   []
    ).

% bit_sign(?X, ?Y, ?Z): Z is negative if one of X and Y is.
bit_sign(X, Y, Z) -->
    (   { sign_of(X, S), sign_of(Y, T) }
    ->  ( { S == T } -> confine(Z, 0, sup) ; confine(Z, inf, -1) )
    ;   []
    ).

sign_of(X, S) :-
    bounds(X, L, H),
    ( ext_le(0, L) -> S = plus ; ext_lt(H, 0), S = minus ).

power(X, Y, Z, P) -->
    (   { integer(X), integer(Y) }
    ->  known(power(X, Y, Z), Z, P)
    ;   { integer(Y) }
    ->  (   { Y < 0 }
        ->  narrow(X, [-1 - -1, 1-1]),
            narrow(Z, [-1 - -1, 1-1])
        ;   { Y =:= 0 }
        ->  { kill(P) },
            assign(Z, 1)
        ;   fixed_power(X, Y, Z)
        )
    ;   { bounds(X, XL, XH), bounds(Y, YL, YH) },
        (   { ext_lt(1, XL), ext_le(0, YL) }
        ->  { ext_power(XL, YL, L), ext_power(XH, YH, H) },
            confine(Z, L, H),
            { bounds(Z, ZL, ZH) },
            exponent(Y, XL, XH, ZL, ZH)
        ;   { ext_lt(1, XL) }
        ->  confine(Y, 0, sup)
        ;   []
        )
    ).

ext_power(X, Y, Z) :- ( integer(X), integer(Y) -> Z is X^Y ; Y == 0 -> Z = 1 ; Z = sup ).

% exponent(?Y, +XL, +XH, +ZL, +ZH): the exponents with which a base between XL and XH, both above 1, can reach Z.
exponent(Y, XL, XH, ZL, ZH) -->
    { integer(ZH) -> largest_exponent(XL, ZH, 1, 0, H) ; H = sup },
    { integer(XH), integer(ZL) -> smallest_exponent(XH, ZL, 1, 0, L) ; L = 0 },
    confine(Y, L, H).

largest_exponent(B, Z, V, N, H) :-
    V1 is V*B,
    ( V1 > Z -> H = N ; N1 is N+1, largest_exponent(B, Z, V1, N1, H) ).

smallest_exponent(B, Z, V, N, L) :-
    ( V >= Z -> L = N ; V1 is V*B, N1 is N+1, smallest_exponent(B, Z, V1, N1, L) ).

% fixed_power(?X, +N, ?Z): X^N is Z for a positive N.
fixed_power(X, N, Z) -->
    { bounds(X, XL, XH) },
    (   { N mod 2 =:= 1 ; ext_le(0, XL) }
    ->  { signed_power(XL, N, L), signed_power(XH, N, H) }
    ;   { ext_le(XH, 0) }
    ->  { signed_power(XH, N, L), signed_power(XL, N, H) }
    ;   { L = 0, ext_negate(XL, XN), ext_max(XN, XH, M), signed_power(M, N, H) }
    ),
    confine(Z, L, H),
    { bounds(Z, ZL, ZH) },
    (   { N mod 2 =:= 1 }
    ->  { root_up(ZL, N, RL), root_down(ZH, N, RH) },
        confine(X, RL, RH)
    ;   { root_down(ZH, N, RH), ext_negate(RH, RN), root_up(ZL, N, Inner), Hole is Inner-1, Other is -Hole },
        confine(X, RN, RH),
        (   { Inner > 0 }
        ->  { dom_complement([Other-Hole], Outside) },
            narrow(X, Outside)
        ;   []
        )
    ).

signed_power(X, N, Z) :-
    (   integer(X) -> Z is X^N ; X == inf, N mod 2 =:= 1 -> Z = inf ; Z = sup ).

% root_down(+Z, +N, -R): the largest R with R^N =< Z; root_up: the smallest R with R^N >= Z.
root_down(Z, N, R) :-
    (   \+ integer(Z) -> R = Z
    ;   Z >= 0 -> whole_root(Z, N, R)
    ;   A is -Z, whole_root(A, N, R0), ( R0^N =:= A -> R is -R0 ; R is -R0-1 )
    ).

root_up(Z, N, R) :-
    (   \+ integer(Z) -> R = Z
    ;   Z =< 0 -> A is -Z, whole_root(A, N, R0), R is -R0
    ;   whole_root(Z, N, R0), ( R0^N =:= Z -> R = R0 ; R is R0+1 )
    ).

whole_root(0, _, 0) :- !.
whole_root(Z, N, R) :-
    High is 1<<(msb(Z)//N+1),
    whole_root(0, High, Z, N, R).

% R is at least Low and below High.
whole_root(Low, High, Z, N, R) :-
    (   High =:= Low+1
    ->  R = Low
    ;   Mid is (Low+High)//2,
        (   Mid^N =< Z
        ->  whole_root(Mid, High, Z, N, R)
        ;   whole_root(Low, Mid, Z, N, R)
        )
    ).

both(X, Y, Z, P) -->
    (   { X == 0 ; Y == 0 } -> { kill(P) }, assign(Z, 0)
    ;   { X == 1 } -> { kill(P) }, equate(Y, Z)
    ;   { Y == 1 } -> { kill(P) }, equate(X, Z)
    ;   { Z == 1 } -> { kill(P) }, assign(X, 1), assign(Y, 1)
    ;   []
    ).

either(X, Y, Z, P) -->
    (   { X == 1 ; Y == 1 } -> { kill(P) }, assign(Z, 1)
    ;   { X == 0 } -> { kill(P) }, equate(Y, Z)
    ;   { Y == 0 } -> { kill(P) }, equate(X, Z)
    ;   { Z == 0 } -> { kill(P) }, assign(X, 0), assign(Y, 0)
    ;   []
    ).

% same(?X, ?Y, ?Z): Z is 1 when X and Y are equal, else 0.
same(X, Y, Z, P) -->
    (   { X == Y } -> { kill(P) }, assign(Z, 1)
    ;   { integer(Z), integer(X) } -> { kill(P), V is 1-(X xor Z) }, assign(Y, V)
    ;   { integer(Z), integer(Y) } -> { kill(P), V is 1-(Y xor Z) }, assign(X, V)
    ;   { integer(X), integer(Y) } -> { kill(P), V is 1-(X xor Y) }, assign(Z, V)
    ;   { Z == 1 } -> { kill(P) }, equate(X, Y)
    ;   { X == 1 } -> { kill(P) }, equate(Y, Z)
    ;   { Y == 1 } -> { kill(P) }, equate(X, Z)
    ;   []
    ).

% Unifies two variables; the hook of the attribute wakes the propagators that wait on them.
equate(X, Y) --> { X = Y }.
