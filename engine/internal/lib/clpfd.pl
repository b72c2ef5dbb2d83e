% Constraints over integers.
%
% This file turns the constraints a program writes into relations and propagators, runs the propagators until nothing
% changes, and shows residual constraints. Domains, the store and the propagators are in the folder clpfd, the search
% in clpfd/labeling.pl.
:- module(clpfd, [
    op(760, yfx, #<==>),
    op(750, xfy, #==>),
    op(750, yfx, #<==),
    op(740, yfx, #\/),
    op(730, yfx, #\),
    op(720, yfx, #/\),
    op(710, fy, #\),
    op(700, xfx, #>),
    op(700, xfx, #<),
    op(700, xfx, #>=),
    op(700, xfx, #=<),
    op(700, xfx, #=),
    op(700, xfx, #\=),
    op(700, xfx, in),
    op(700, xfx, ins),
    op(700, xfx, in_set),
    op(450, xfx, ..),
    (#>)/2,
    (#<)/2,
    (#>=)/2,
    (#=<)/2,
    (#=)/2,
    (#\=)/2,
    (#\)/1,
    (#<==>)/2,
    (#==>)/2,
    (#<==)/2,
    (#\/)/2,
    (#\)/2,
    (#/\)/2,
    (in)/2,
    (ins)/2,
    (in_set)/2,
    all_different/1,
    all_distinct/1,
    sum/3,
    scalar_product/4,
    tuples_in/2,
    labeling/2,
    label/1,
    indomain/1,
    lex_chain/1,
    global_cardinality/2,
    global_cardinality/3,
    circuit/1,
    cumulative/1,
    cumulative/2,
    element/3,
    automaton/3,
    automaton/8,
    disjoint2/1,
    serialized/2,
    chain/2,
    transpose/2,
    zcompare/3,
    fd_var/1,
    fd_inf/2,
    fd_sup/2,
    fd_size/2,
    fd_dom/2,
    fd_degree/2,
    fd_set/2,
    is_fdset/1,
    empty_fdset/1,
    fdset_parts/4,
    empty_interval/2,
    fdset_interval/3,
    fdset_singleton/2,
    fdset_min/2,
    fdset_max/2,
    fdset_size/2,
    list_to_fdset/2,
    fdset_to_list/2,
    range_to_fdset/2,
    fdset_to_range/2,
    fdset_add_element/3,
    fdset_del_element/3,
    fdset_disjoint/2,
    fdset_intersect/2,
    fdset_intersection/3,
    fdset_member/2,
    fdset_eq/2,
    fdset_subset/2,
    fdset_subtract/3,
    fdset_union/3,
    fdset_union/2,
    fdset_complement/2
]).

:- use_module(library(error)).
:- use_module(library(clpfd/domains)).
:- use_module(library(clpfd/sets)).
:- use_module(library(clpfd/store)).
:- use_module(library(clpfd/linear)).
:- use_module(library(clpfd/arith)).
:- use_module(library(clpfd/global)).
:- use_module(library(clpfd/labeling)).
:- use_module(library(clpfd/residual)).

% The queue.

% propagate(+Queue, ?End): run the propagators of the queue and those that they wake, the slow ones last.
propagate(Queue, End) :- propagate(Queue, End, Slow, Slow).

propagate(Q0, End, S0, S) :-
    (   var(Q0)
    ->  (   var(S0)
        ->  true
        ;   S0 = [P|S1],
            wake(P, End, End1),
            propagate(End, End1, S1, S)
        )
    ;   Q0 = [P|Q1],
        (   arg(2, P, slow)
        ->  S = [P|S1],
            propagate(Q1, End, S0, S1)
        ;   wake(P, End, End1),
            propagate(Q1, End1, S0, S)
        )
    ).

wake(P, Q0, Q) :-
    arg(1, P, State),
    (   State == dead
    ->  Q0 = Q
    ;   setarg(1, P, idle),
        arg(3, P, Goal),
        run(Goal, P, Q0, Q)
    ->  true
    ).

% run(+Goal, +Propagator, ...): the file that defines the propagator runs it.
run(Goal, P, Q0, Q) :-
    functor(Goal, Name, _),
    family(Name, Family),
    (   Family == linear
    ->  run_linear(Goal, P, Q0, Q)
    ;   Family == function
    ->  run_function(Goal, P, Q0, Q)
    ;   Family == global
    ->  run_global(Goal, P, Q0, Q)
    ;   run_truth(Goal, P, Q0, Q)
    ).

family(differ, linear).
family(shift, linear).
family(mirror, linear).
family(distance_ne, linear).
family(distance_ge, linear).
family(linear_eq, linear).
family(linear_ne, linear).
family(linear_le, linear).
family(times, function).
family(quotient, function).
family(floor_quotient, function).
family(modulo, function).
family(remainder, function).
family(power, function).
family(absolute, function).
family(minimum, function).
family(maximum, function).
family(most_significant, function).
family(least_significant, function).
family(bit_count, function).
family(shift_bits, function).
family(bit_and, function).
family(bit_or, function).
family(bit_xor, function).
family(both, function).
family(either, function).
family(same, function).
family(different, global).
family(distinct, global).
family(element, global).
family(tuple, global).
family(count, global).
family(circuit, global).
family(cumulative, global).
family(lex, global).
family(zcompare, global).
family(reified, truth).
family(member, truth).
family(defined, truth).

% A variable of the store is bound.
attr_unify_hook(fd(_, _, Dom, Fixed, Bounds, Any), Value) :-
    (   integer(Value)
    ->  dom_contains(Dom, Value),
        wake_lists(Fixed, Bounds, Any, Q, End)
    ;   var(Value)
    ->  join(Value, Dom, Fixed, Bounds, Any, Q, End)
    ;   throw(error(type_error(integer, Value), _))
    ),
    propagate(Q, End).

% join(-Value, +Dom, ...): Value takes over the domain and the propagators of the variable that was bound to it.
join(Value, Dom, Fixed, Bounds, Any, Q0, Q) :-
    (   get_attr(Value, clpfd, fd(_, _, Dom0, Fixed0, Bounds0, Any0))
    ->  append(Fixed, Fixed0, Fixed1),
        append(Bounds, Bounds0, Bounds1),
        append(Any, Any0, Any1),
        dom_intersection(Dom, Dom0, Dom1),
        dom_bounds(Dom1, Min, Max),
        (   Min == Max
        ->  del_attr(Value, clpfd),
            Value = Min
        ;   put_attr(Value, clpfd, fd(Min, Max, Dom1, Fixed1, Bounds1, Any1))
        ),
        wake_lists(Fixed1, Bounds1, Any1, Q0, Q)
    ;   dom_bounds(Dom, Min, Max),
        put_attr(Value, clpfd, fd(Min, Max, Dom, Fixed, Bounds, Any)),
        wake_lists(Fixed, Bounds, Any, Q0, Q)
    ).

attribute_goals(X) --> residual_goals(X).

% The parts of this library define:
% in(?X, +Domain): X is in Domain, such as 1..9, inf..0 or 1..3 \/ 5.
% ins(+Xs, +Domain): all of Xs are in Domain.
% labeling(+Options, +Xs): gives the Xs values, by options such as ff, min(E), max(E), bisect, down.
% in_set(?X, +Set): X is in Set.
% is_fdset(@Set): Set is a set of integers.
% empty_fdset(-Set): Set has no elements.
% fdset_parts(?Set, ?Min, ?Max, ?Rest): Set is the interval Min..Max together with Rest, the elements above it.
% empty_interval(+Min, +Max): nothing is in Min..Max.
% fdset_interval(?Set, ?Min, ?Max): Set is Min..Max and not empty.
% fdset_singleton(?Set, ?Element): Set has one element.
% fdset_min(+Set, -Min): the least element, or inf; fails for the empty set.
% fdset_max(+Set, -Max): the greatest element, or sup; fails for the empty set.
% fdset_size(+Set, -Size): how many elements Set has, or sup.
% list_to_fdset(+List, -Set): the set of the integers of List.
% fdset_to_list(+Set, -List): the elements of a finite set in order.
% range_to_fdset(+Domain, -Set): the set of a domain such as 1..3 \/ 5.
% fdset_to_range(+Set, -Domain): the same the other way round.
% fdset_add_element(+Set0, +Element, -Set): Set has Element too.
% fdset_del_element(+Set0, +Element, -Set): Set does not have Element.
% fdset_disjoint(+Set1, +Set2): the sets have no element in common.
% fdset_intersect(+Set1, +Set2): the sets have an element in common.
% fdset_intersection(+Set1, +Set2, -Set): Set has the common elements.
% fdset_member(?Element, +Set): Element is in Set, which must be finite if Element is unbound.
% fdset_eq(+Set1, +Set2): the sets have the same elements.
% fdset_subset(+Set1, +Set2): all elements of Set1 are in Set2.
% fdset_subtract(+Set1, +Set2, -Set): Set has the elements of Set1 that are not in Set2.
% fdset_union(+Set1, +Set2, -Set): Set has the elements of both sets.
% fdset_union(+Sets, -Set): Set has the elements of all sets in a list.
% fdset_complement(+Set0, -Set): all integers that are not in Set0.
% label(+Xs): labeling([], Xs).
% indomain(?X): label([X]).

% Relations between expressions.

% #=(?X, ?Y): X equals Y.
X #= Y :-
    (   value(Y, V)
    ->  (   var(X)
        ->  X = V
        ;   value(X, W)
        ->  V =:= W
        ;   relate(eq, X, V)
        )
    ;   relate(eq, X, Y)
    ).

% #\=(?X, ?Y): X does not equal Y.
X #\= Y :-
    (   value(X, V), value(Y, W)
    ->  V =\= W
    ;   distance(X, Y, A, B, C)
    ->  keep_distance(ne, A, B, C)
    ;   relate(ne, X, Y)
    ).

% #=<(?X, ?Y): X is at most Y.
X #=< Y :-
    (   value(X, V), value(Y, W)
    ->  V =< W
    ;   distances(X, Y, 0)
    ->  true
    ;   relate(le, X, Y)
    ).

% #>=(?X, ?Y): X is at least Y.
X #>= Y :- Y #=< X.

% #<(?X, ?Y): X is less than Y.
X #< Y :-
    (   value(X, V), value(Y, W)
    ->  V < W
    ;   distances(X, Y, 1)
    ->  true
    ;   relate(le, X+1, Y)
    ).

% #>(?X, ?Y): X is greater than Y.
X #> Y :- Y #< X.

% distances(+X, +Y, +D): posts X+D #=< Y if one side is a distance and the other is known; fails otherwise.
distances(X, Y, D) :-
    (   far_side(Y, A, B), value(X, V)
    ->  C is V+D,
        keep_distance(ge, A, B, C)
    ;   far_side(X, A, B), value(Y, V)
    ->  C is V-D,
        C >= 0,
        relate(le, A-B, C),
        relate(le, B-A, C)
    ).

% distance(+X, +Y, -A, -B, -C): one of X and Y is abs(A-B), the other C.
distance(X, Y, A, B, C) :-
    (   far_side(X, A, B)
    ->  value(Y, C)
    ;   far_side(Y, A, B),
        value(X, C)
    ).

far_side(E, A, B) :-
    nonvar(E),
    E = abs(D),
    nonvar(D),
    D = A-B,
    ( var(A) -> true ; integer(A) ),
    ( var(B) -> true ; integer(B) ).

keep_distance(Rel, A, B, C) :-
    mention(A),
    mention(B),
    post_distance(Rel, A, B, C, Q0, Q),
    propagate(Q0, Q).

% value(+Expression, -V): V is the value of an expression of integers, + and so on; fails for any other.
value(E, V) :-
    (   integer(E)
    ->  V = E
    ;   nonvar(E),
        evaluate(E, V)
    ).

evaluate(A+B, V) :- value(A, X), value(B, Y), V is X+Y.
evaluate(A-B, V) :- value(A, X), value(B, Y), V is X-Y.
evaluate(A*B, V) :- value(A, X), value(B, Y), V is X*Y.
evaluate(-A, V) :- value(A, X), V is -X.

relate(Rel, X, Y) :-
    relation(Rel, X, Y, strict, linear(Rel, Cs, Xs, K), Q0, Q1),
    mention_all(Xs),
    post_linear(Rel, Cs, Xs, K, Q1, Q),
    propagate(Q0, Q).

mention_all([]).
mention_all([X|Xs]) :- mention(X), mention_all(Xs).

% relation(+Rel, +X, +Y, +Mode, -Linear): Linear says X Rel Y; Mode as for expression//6.
relation(Rel, X, Y, Mode, linear(Rel, Cs, Xs, K), Q0, Q) :-
    expression(X, 1, Mode, Pairs, Pairs1, 0, K1, Q0, Q1),
    expression(Y, -1, Mode, Pairs1, [], K1, K2, Q1, Q),
    normal_terms(Pairs, Cs, Xs, K2, K).

% expression(+E, +Factor, +Mode, -Pairs, ?Rest, +K0, -K): Factor*E is the sum of K-K0 and C*X for the X-C in Pairs.
% Mode is strict or partial(Ds). Ds collects variables, each of which is 1 if a subexpression that may be undefined is
% defined.
expression(E, F, Mode, Ps, Rest, K0, K, Q0, Q) :-
    (   var(E)
    ->  Ps = [E-F|Rest], K = K0, Q0 = Q
    ;   integer(E)
    ->  K is K0+F*E, Ps = Rest, Q0 = Q
    ;   compound_expression(E, F, Mode, Ps, Rest, K0, K, Q0, Q)
    ->  true
    ;   nonlinear(E)
    ->  fail
    ;   throw(error(domain_error(clpfd_expression, E), _))
    ).

compound_expression(A+B, F, Mode, Ps, Rest, K0, K, Q0, Q) :-
    expression(A, F, Mode, Ps, Ps1, K0, K1, Q0, Q1),
    expression(B, F, Mode, Ps1, Rest, K1, K, Q1, Q).
compound_expression(A-B, F, Mode, Ps, Rest, K0, K, Q0, Q) :-
    expression(A, F, Mode, Ps, Ps1, K0, K1, Q0, Q1),
    G is -F,
    expression(B, G, Mode, Ps1, Rest, K1, K, Q1, Q).
compound_expression(-A, F, Mode, Ps, Rest, K0, K, Q0, Q) :-
    G is -F,
    expression(A, G, Mode, Ps, Rest, K0, K, Q0, Q).
compound_expression(\A, F, Mode, Ps, Rest, K0, K, Q0, Q) :-
    compound_expression(-1-A, F, Mode, Ps, Rest, K0, K, Q0, Q).
compound_expression(A>>B, F, Mode, Ps, Rest, K0, K, Q0, Q) :-
    compound_expression(A<< -B, F, Mode, Ps, Rest, K0, K, Q0, Q).
compound_expression(?(A), F, Mode, Ps, Rest, K0, K, Q0, Q) :-
    expression(A, F, Mode, Ps, Rest, K0, K, Q0, Q).
compound_expression(A*B, F, Mode, Ps, Rest, K0, K, Q0, Q) :-
    expression(A, 1, Mode, PsA, [], 0, KA, Q0, Q1),
    expression(B, 1, Mode, PsB, [], 0, KB, Q1, Q2),
    (   PsA == []
    ->  times_constant(PsB, KB, F*KA, Ps, Rest, K0, K), Q2 = Q
    ;   PsB == []
    ->  times_constant(PsA, KA, F*KB, Ps, Rest, K0, K), Q2 = Q
    ;   single(PsA, KA, X, Q2, Q3),
        single(PsB, KB, Y, Q3, Q4),
        Ps = [Z-F|Rest], K = K0,
        ( X == Y -> Goal = power(X, 2, Z) ; Goal = times(X, Y, Z) ),
        post_function(Goal, Z, Q4, Q)
    ).
compound_expression(E, F, Mode, Ps, Rest, K0, K, Q0, Q) :-
    function(E, Goal, Z),
    Goal =.. [_|Args],
    arguments(E, Args, Mode, Q0, Q1),
    (   known(Goal, V)
    ->  K is K0+F*V, Ps = Rest, Q1 = Q
    ;   Ps = [Z-F|Rest], K = K0,
        post_partial(Mode, Goal, Z, Q1, Q)
    ).

times_constant(Ps0, K1, F, Ps, Rest, K0, K) :-
    G is F,
    K is K0+G*K1,
    scaled_pairs(Ps0, G, Ps, Rest).

scaled_pairs([], _, Rest, Rest).
scaled_pairs([X-C|Ps0], G, [X-D|Ps], Rest) :-
    D is C*G,
    scaled_pairs(Ps0, G, Ps, Rest).

nonlinear(E) :- function(E, _, _).
nonlinear(_+_).
nonlinear(_-_).
nonlinear(-_).
nonlinear(_*_).
nonlinear(?(_)).
nonlinear(\_).
nonlinear(_>>_).

% function(+E, -Goal, -Z): E is Z when Goal holds.
function(_//_, quotient(_, _, Z), Z).
function(_ div _, floor_quotient(_, _, Z), Z).
function(_ mod _, modulo(_, _, Z), Z).
function(_ rem _, remainder(_, _, Z), Z).
function(_^_, power(_, _, Z), Z).
function(abs(_), absolute(_, Z), Z).
function(min(_, _), minimum(_, _, Z), Z).
function(max(_, _), maximum(_, _, Z), Z).
function(msb(_), most_significant(_, Z), Z).
function(lsb(_), least_significant(_, Z), Z).
function(popcount(_), bit_count(_, Z), Z).
function(_<<_, shift_bits(_, _, Z), Z).
function(_/\_, bit_and(_, _, Z), Z).
function(_\/_, bit_or(_, _, Z), Z).
function(_ xor _, bit_xor(_, _, Z), Z).

% arguments(+E, +Args, +Mode): Args begins with variables or integers for the arguments of E.
arguments(E, Args, Mode, Q0, Q) :-
    E =.. [_|Es],
    arguments_(Es, Args, Mode, Q0, Q).

arguments_([], _, _, Q, Q).
arguments_([E|Es], [X|Xs], Mode, Q0, Q) :-
    expression(E, 1, Mode, Ps, [], 0, K, Q0, Q1),
    single(Ps, K, X, Q1, Q2),
    arguments_(Es, Xs, Mode, Q2, Q).

% single(+Pairs, +K, -X): X is the sum.
single(Ps, K, X, Q0, Q) :-
    (   Ps == []
    ->  X = K, Q0 = Q
    ;   Ps = [Y-1], K =:= 0
    ->  X = Y, Q0 = Q
    ;   normal_terms([X-(-1)|Ps], Cs, Xs, K, K1),
        post_linear(eq, Cs, Xs, K1, Q0, Q)
    ).

known(Goal, V) :-
    functor(Goal, _, N),
    M is N-1,
    integer_arguments(1, M, Goal),
    compute(Goal, V).

integer_arguments(I, M, Goal) :-
    (   I > M
    ->  true
    ;   arg(I, Goal, X),
        integer(X),
        I1 is I+1,
        integer_arguments(I1, M, Goal)
    ).

% post_partial(+Mode, +Goal, ?Z): a division in a reified relation is made when the divisor is known not to be 0.
post_partial(partial(Ds), Goal, Z, Q0, Q) :-
    divisor_of(Goal, Y),
    \+ ( integer(Y), Y =\= 0 ), !,
    mention(Z),
    arg(1, Ds, List),
    setarg(1, Ds, [D|List]),
    restrict(D, 0, 1, Q0, Q1),
    attach(reified(D, linear(ne, [1], [Y], 0)), fast, any, [D, Y], Q1, Q2),
    attach(defined(D, Goal, Z), fast, fixed, [D], Q2, Q).
post_partial(_, Goal, Z, Q0, Q) :- post_function(Goal, Z, Q0, Q).

divisor_of(quotient(_, Y, _), Y).
divisor_of(floor_quotient(_, Y, _), Y).
divisor_of(modulo(_, Y, _), Y).
divisor_of(remainder(_, Y, _), Y).

% Domains.

X in Expression :-
    integer_or_variable(X),
    expression_dom(Expression, Dom),
    ( var(X), Dom = [_|_] -> mention(X) ; true ),
    narrow(X, Dom, Q, End),
    propagate(Q, End).

X in_set Set :-
    integer_or_variable(X),
    given_set(Set),
    ( var(X), Set = [_|_] -> mention(X) ; true ),
    narrow(X, Set, Q, End),
    propagate(Q, End).

Xs ins Expression :-
    must_be(list, Xs),
    integers_or_variables(Xs),
    expression_dom(Expression, Dom),
    narrow_all(Xs, Dom, Q, End),
    propagate(Q, End).

narrow_all([], _) --> [].
narrow_all([X|Xs], Dom) -->
    { Dom = [_|_], mention(X) },
    narrow(X, Dom),
    narrow_all(Xs, Dom).

integer_or_variable(X) :-
    ( var(X) -> true ; integer(X) -> true ; throw(error(type_error(integer, X), _)) ).

integers_or_variables([]).
integers_or_variables([X|Xs]) :- integer_or_variable(X), integers_or_variables(Xs).

% fd_var(?X): X is a variable with a domain.
fd_var(X) :- var(X), get_attr(X, clpfd, _).

% fd_inf(+X, -Inf): the least value of X, or inf.
fd_inf(X, Inf) :- integer_or_variable(X), bounds(X, Inf, _).

% fd_sup(+X, -Sup): the greatest value of X, or sup.
fd_sup(X, Sup) :- integer_or_variable(X), bounds(X, _, Sup).

% fd_size(+X, -Size): Size is the number of values that X may have.
fd_size(X, Size) :- integer_or_variable(X), domain(X, Dom), dom_size(Dom, Size).

% fd_dom(+X, -Domain): the domain of X.
fd_dom(X, Expression) :-
    integer_or_variable(X),
    domain(X, Dom),
    ( integer(X) -> Expression = X..X ; dom_expression(Dom, Expression) ).

% fd_set(+X, -Set): the domain of X as a set.
fd_set(X, Set) :- integer_or_variable(X), domain(X, Set).

% fd_degree(+X, -Degree): Degree is the number of constraints on X.
fd_degree(X, Degree) :-
    integer_or_variable(X),
    (   var(X), get_attr(X, clpfd, fd(_, _, _, Fixed, Bounds, Any))
    ->  live(Fixed, 0, D1),
        live(Bounds, D1, D2),
        live(Any, D2, Degree)
    ;   Degree = 0
    ).

live([], D, D).
live([P|Ps], D0, D) :-
    ( arg(1, P, dead) -> D1 = D0 ; D1 is D0+1 ),
    live(Ps, D1, D).

% Truth values of relations.

% #\(+P): P does not hold.
#\ P :- truth(P, 0).

% #/\(?P, ?Q): P and Q hold.
P #/\ Q :- truth(P, 1), truth(Q, 1).

% #\/(?P, ?Q): P or Q holds.
P #\/ Q :- truth(P #\/ Q, 1).

% #\(?P, ?Q): either P or Q holds.
P #\ Q :- truth(P #\ Q, 1).

% #==>(?P, ?Q): P implies Q.
P #==> Q :- truth(P #==> Q, 1).

% #<==(?P, ?Q): Q implies P.
P #<== Q :- truth(Q #==> P, 1).

% #<==>(?P, ?Q): P and Q are equivalent.
P #<==> Q :- truth(P #<==> Q, 1).

% truth(+P, ?B): B is 1 if the proposition P holds, else 0.
truth(P, B) :-
    proposition(P, B, Q, End),
    propagate(Q, End).

proposition(P, B, Q0, Q) :-
    (   var(P)
    ->  restrict(P, 0, 1, Q0, Q1),
        restrict(B, 0, 1, Q1, Q),
        P = B
    ;   integer(P)
    ->  (   ( P =:= 0 ; P =:= 1 )
        ->  B = P,
            Q0 = Q
        ;   throw(error(type_error(clpfd_reifiable_expression, P), _))
        )
    ;   comparison(P, Rel, X, Y)
    ->  reified_relation(Rel, X, Y, B, Q0, Q)
    ;   connective(P, A, C, Name)
    ->  proposition(A, X, Q0, Q1),
        proposition(C, Y, Q1, Q2),
        connect(Name, X, Y, B, Q2, Q)
    ;   P = (#\ A)
    ->  proposition(A, X, Q0, Q1),
        negate(X, B, Q1, Q)
    ;   P = (X in Expression)
    ->  expression_dom(Expression, Dom),
        restrict(B, 0, 1, Q0, Q1),
        attach(member(B, X, Dom), fast, any, [B, X], Q1, Q)
    ;   P = (X in_set Set)
    ->  given_set(Set),
        restrict(B, 0, 1, Q0, Q1),
        attach(member(B, X, Set), fast, any, [B, X], Q1, Q)
    ;   throw(error(domain_error(clpfd_reifiable_expression, P), _))
    ).

comparison(X #= Y, eq, X, Y).
comparison(X #\= Y, ne, X, Y).
comparison(X #=< Y, le, X, Y).
comparison(X #< Y, le, X+1, Y).
comparison(X #>= Y, le, Y, X).
comparison(X #> Y, le, Y+1, X).

connective(A #/\ B, A, B, and).
connective(A #\/ B, A, B, or).
connective(A #\ B, A, B, xor).
connective(A #==> B, A, B, implies).
connective(A #<== B, B, A, implies).
connective(A #<==> B, A, B, equal).

connect(and, X, Y, B, Q0, Q) :-
    restrict(B, 0, 1, Q0, Q1),
    post_function(both(X, Y, B), B, Q1, Q).
connect(or, X, Y, B, Q0, Q) :-
    restrict(B, 0, 1, Q0, Q1),
    post_function(either(X, Y, B), B, Q1, Q).
connect(xor, X, Y, B, Q0, Q) :-
    negate(B, E, Q0, Q1),
    connect(equal, X, Y, E, Q1, Q).
connect(implies, X, Y, B, Q0, Q) :-
    negate(X, N, Q0, Q1),
    connect(or, N, Y, B, Q1, Q).
connect(equal, X, Y, B, Q0, Q) :-
    restrict(B, 0, 1, Q0, Q1),
    post_function(same(X, Y, B), B, Q1, Q).

% negate(?X, ?Y): Y is 1-X.
negate(X, Y, Q0, Q) :-
    (   integer(X)
    ->  V is 1-X,
        assign(Y, V, Q0, Q)
    ;   restrict(X, 0, 1, Q0, Q1),
        restrict(Y, 0, 1, Q1, Q2),
        (   X == Y
        ->  fail
        ;   attach(same(X, Y, 0), fast, fixed, [X, Y], Q2, Q)
        )
    ).

reified_relation(Rel, X, Y, B, Q0, Q) :-
    Ds = defined([]),
    relation(Rel, X, Y, partial(Ds), linear(_, Cs, Xs, K), Q0, Q1),
    arg(1, Ds, List),
    mention_all(Xs),
    restrict(B, 0, 1, Q1, Q2),
    (   List == []
    ->  R = B, Q2 = Q3
    ;   restrict(R, 0, 1, Q2, Q21),
        conjunction(List, R, B, Q21, Q3)
    ),
    attach(reified(R, linear(Rel, Cs, Xs, K)), fast, any, [R|Xs], Q3, Q).

conjunction([D|Ds], R, B, Q0, Q) :-
    (   Ds == []
    ->  connect(and, D, R, B, Q0, Q)
    ;   connect(and, D, R, R1, Q0, Q1),
        conjunction(Ds, R1, B, Q1, Q)
    ).

% run_truth(+Goal, +Propagator): the propagators that tie a relation to its truth value.
run_truth(reified(B, linear(Rel, Cs, Xs, K)), P, Q0, Q) :-
    (   B == 1
    ->  kill(P),
        post_normal(linear(Rel, Cs, Xs, K), Q0, Q)
    ;   B == 0
    ->  kill(P),
        linear_negation(linear(Rel, Cs, Xs, K), Negation),
        post_normal(Negation, Q0, Q)
    ;   linear_truth(Rel, Cs, Xs, K, Truth)
    ->  kill(P),
        assign(B, Truth, Q0, Q)
    ;   Q0 = Q
    ).
run_truth(member(B, X, Dom), P, Q0, Q) :-
    (   B == 1
    ->  kill(P),
        narrow(X, Dom, Q0, Q)
    ;   B == 0
    ->  kill(P),
        dom_complement(Dom, Outside),
        narrow(X, Outside, Q0, Q)
    ;   domain(X, DX),
        dom_intersection(DX, Dom, Both),
        (   Both == []
        ->  kill(P),
            assign(B, 0, Q0, Q)
        ;   Both == DX
        ->  kill(P),
            assign(B, 1, Q0, Q)
        ;   Q0 = Q
        )
    ).
run_truth(defined(D, Goal, Z), P, Q0, Q) :-
    (   D == 1
    ->  kill(P),
        post_function(Goal, Z, Q0, Q)
    ;   D == 0
    ->  kill(P),
        Q0 = Q
    ;   Q0 = Q
    ).

% Variables may have become known or equal since the relation was made.
post_normal(linear(Rel, Cs, Xs, K), Q0, Q) :-
    pair_up(Xs, Cs, Pairs),
    normal_terms(Pairs, Cs1, Xs1, K, K1),
    post_linear(Rel, Cs1, Xs1, K1, Q0, Q).

pair_up([], [], []).
pair_up([X|Xs], [C|Cs], [X-C|Ps]) :- pair_up(Xs, Cs, Ps).

% Sums.

% sum(+Xs, +Op, ?Y): the sum of Xs and Y are related by Op, such as #=.
sum(Vs, Op, Expression) :-
    must_be(list, Vs),
    integers_or_variables(Vs),
    ones(Vs, Cs),
    weighted(Cs, Vs, Op, Expression).

ones([], []).
ones([_|Vs], [1|Cs]) :- ones(Vs, Cs).

% scalar_product(+Cs, +Xs, +Op, ?Y): the sum of Cs times Xs and Y are related by Op.
scalar_product(Cs, Vs, Op, Expression) :-
    must_be(list(integer), Cs),
    must_be(list, Vs),
    integers_or_variables(Vs),
    weighted(Cs, Vs, Op, Expression).

weighted(Cs, Vs, Op, Expression) :-
    must_be(callable, Op),
    (   operator_relation(Op, Rel, Sign, Offset)
    ->  true
    ;   throw(error(domain_error(scalar_product_relation, Op), _))
    ),
    pair_up(Vs, Cs, Pairs0),
    scaled_pairs(Pairs0, Sign, Pairs, Rest),
    G is -Sign,
    expression(Expression, G, strict, Rest, [], Offset, K1, Q0, Q1),
    normal_terms(Pairs, Ds, Xs, K1, K),
    mention_all(Xs),
    post_linear(Rel, Ds, Xs, K, Q1, Q),
    propagate(Q0, Q).

operator_relation(#=, eq, 1, 0).
operator_relation(#\=, ne, 1, 0).
operator_relation(#=<, le, 1, 0).
operator_relation(#<, le, 1, 1).
operator_relation(#>=, le, -1, 0).
operator_relation(#>, le, -1, 1).

% Global constraints.

% all_different(+Xs): the Xs differ; weak propagation.
all_different(Xs) :-
    fd_list(Xs),
    attach(different(Xs), fast, fixed, Xs, Q, End),
    propagate(Q, End).

% The quick propagator is not shown among residual goals: the strong one says the same.
% all_distinct(+Xs): the Xs differ; strong propagation.
all_distinct(Xs) :-
    fd_list(Xs),
    attach(different(Xs), fast, fixed, Xs, Q, Q1),
    Q = [P|_],
    setarg(4, P, yes),
    attach(distinct(Xs), slow, any, Xs, Q1, End),
    propagate(Q, End).

fd_list(Xs) :-
    must_be(list, Xs),
    integers_or_variables(Xs).

% element(?N, +Xs, ?X): X is the element of Xs at N, from 1.
element(I, Xs, V) :-
    fd_list(Xs),
    integers_or_variables([I, V]),
    length(Xs, N),
    restrict(I, 1, N, Q, Q1),
    attach(element(I, Xs, V), fast, any, [I, V|Xs], Q1, End),
    propagate(Q, End).

% tuples_in(+Tuples, +Relation): each tuple is in Relation, a list of lists of integers.
tuples_in(Tuples, Relation) :-
    must_be(list(list), Tuples),
    must_be(list(list(integer)), Relation),
    each_tuple(Tuples, Relation, Q, End),
    propagate(Q, End).

each_tuple([], _) --> [].
each_tuple([Xs|Tuples], Relation) -->
    { integers_or_variables(Xs) },
    attach(tuple(Xs, Relation), fast, any, Xs),
    each_tuple(Tuples, Relation).

% global_cardinality(+Xs, +Pairs): Key-Count says how many Xs are Key, and there are no others.
global_cardinality(Xs, Pairs) :- global_cardinality(Xs, Pairs, []).

% global_cardinality(+Xs, +Pairs, +Options): the same with options consistency(value) and cost(C, Matrix).
global_cardinality(Xs, Pairs, Options) :-
    fd_list(Xs),
    must_be(list(pair), Pairs),
    must_be(list, Options),
    pairs_keys_values(Pairs, Keys, Counts),
    must_be(list(integer), Keys),
    integers_or_variables(Counts),
    values_dom(Keys, Dom),
    length(Xs, N),
    narrow_all(Xs, Dom, Q, Q1),
    count_keys(Pairs, Xs, N, Q1, End),
    propagate(Q, End),
    sum(Counts, #=, N),
    cost(Options, Xs, Keys).

count_keys([], _, _) --> [].
count_keys([K-N|Pairs], Xs, Most) -->
    restrict(N, 0, Most),
    attach(count(Xs, K, N), fast, any, [N|Xs]),
    count_keys(Pairs, Xs, Most).

% cost(+Options, +Xs, +Keys): posts the option cost(Cost, Matrix). The matrix has a row for each of Xs with a price
% for each key.
cost(Options, Xs, Keys) :-
    (   memberchk(cost(Cost, Matrix), Options)
    ->  row_costs(Xs, Matrix, Keys, Costs),
        sum(Costs, #=, Cost)
    ;   true
    ).

row_costs([], [], _, []).
row_costs([X|Xs], [Row|Rows], Keys, [C|Cs]) :-
    key_prices(Keys, Row, Relation),
    tuples_in([[X, C]], Relation),
    row_costs(Xs, Rows, Keys, Cs).

key_prices([], [], []).
key_prices([K|Ks], [P|Ps], [[K, P]|Rows]) :- key_prices(Ks, Ps, Rows).

% circuit(+Xs): the Xs are successors that make one circuit.
circuit(Xs) :-
    fd_list(Xs),
    length(Xs, N),
    places(Xs, 1, N, Q, Q1),
    attach(circuit(Xs), fast, fixed, Xs, Q1, End),
    propagate(Q, End),
    all_distinct(Xs).

places([], _, _) --> [].
places([X|Xs], I, N) -->
    restrict(X, 1, N),
    ( { N > 1 } -> exclude(X, I) ; [] ),
    { I1 is I+1 },
    places(Xs, I1, N).

% cumulative(+Tasks): tasks task(Start, Duration, End, Capacity, Id) that need at most 1 at any time.
cumulative(Tasks) :- cumulative(Tasks, [limit(1)]).

% cumulative(+Tasks, +Options): the same for limit(L).
cumulative(Tasks, Options) :-
    must_be(list, Tasks),
    must_be(list, Options),
    (   Options = [] -> Limit = 1
    ;   Options = [limit(Limit)] -> integer_or_variable(Limit)
    ;   throw(error(domain_error(cumulative_options, Options), _))
    ),
    tasks(Tasks, Ts),
    term_variables(Ts-Limit, Vs),
    attach(cumulative(Ts, Limit), slow, bounds, Vs, Q, End),
    propagate(Q, End).

tasks([], []).
tasks([task(S, D, E, R, _)|Tasks], [t(S, D, E, R)|Ts]) :-
    D #>= 0,
    R #>= 0,
    E #= S+D,
    tasks(Tasks, Ts).

% lex_chain(+Lists): the lists are in lexical order.
lex_chain(Lists) :-
    must_be(list(list), Lists),
    lex_pairs(Lists, Q, End),
    propagate(Q, End).

lex_pairs([]) --> [].
lex_pairs([Xs|Lists]) -->
    { integers_or_variables(Xs) },
    (   { Lists = [Ys|_] }
    ->  { same_length(Xs, Ys), append(Xs, Ys, Vs) },
        attach(lex(Xs, Ys), fast, bounds, Vs)
    ;   []
    ),
    lex_pairs(Lists).

% chain(+Xs, +Relation): each of Xs stands in Relation to the next.
chain(Xs, Relation) :-
    fd_list(Xs),
    must_be(atom, Relation),
    (   memberchk(Relation, [#=, #<, #=<, #>, #>=])
    ->  true
    ;   throw(error(domain_error(chain_relation, Relation), _))
    ),
    chained(Xs, Relation).

chained([], _).
chained([X|Xs], Relation) :-
    ( Xs = [Y|_] -> call(Relation, X, Y) ; true ),
    chained(Xs, Relation).

% automaton(+Xs, +Nodes, +Arcs): the values of Xs lead from a source to a sink.
automaton(Xs, Nodes, Arcs) :-
    fd_list(Xs),
    must_be(list, Nodes),
    must_be(list, Arcs),
    arc_states(Arcs, States0),
    sort(States0, States),
    findall(I, ( member(source(S), Nodes), nth1(I, States, S) ), Sources),
    findall(I, ( member(sink(S), Nodes), nth1(I, States, S) ), Sinks),
    findall([I, V, J], ( member(arc(A, V, B), Arcs), nth1(I, States, A), nth1(J, States, B) ), Relation),
    values_dom(Sources, SourceDom),
    values_dom(Sinks, SinkDom),
    state_tuples(Xs, First, Last, Tuples),
    narrow(First, SourceDom, Q, Q1),
    narrow(Last, SinkDom, Q1, End),
    propagate(Q, End),
    tuples_in(Tuples, Relation).

% automaton(+Xs, ?Template, +Signature, +Nodes, +Arcs, +Counters, +Initials, ?Finals): the automaton accepts Signature, whose
% letters belong to the elements of Xs; Template is their common form. An arc arc(From, Letter, To, Expressions) gives the
% counters new values; they begin with Initials and end with Finals.
automaton(Xs, Template, Signature, Nodes, Arcs0, Counters, Initials, Finals) :-
    must_be(list, Xs),
    must_be(list(list), [Signature, Nodes, Arcs0, Counters, Initials, Finals]),
    same_length(Counters, Initials),
    same_length(Counters, Finals),
    with_expressions(Arcs0, Counters, Arcs),
    numbered_arcs(Arcs, 1, Letters, Choices),
    arc_states(Letters, States0),
    sort(States0, States),
    findall(I, ( member(source(S), Nodes), nth1(I, States, S) ), Sources),
    findall(I, ( member(sink(S), Nodes), nth1(I, States, S) ), Sinks),
    findall([I, V, J, N], ( nth1(N, Letters, arc(A, V, B)), nth1(I, States, A), nth1(J, States, B) ), Relation),
    values_dom(Sources, SourceDom),
    values_dom(Sinks, SinkDom),
    counted_tuples(Signature, First, Last, Tuples, Taken),
    narrow(First, SourceDom, Q, Q1),
    narrow(Last, SinkDom, Q1, End),
    propagate(Q, End),
    tuples_in(Tuples, Relation),
    count_arcs(Xs, Taken, Template, Counters, Choices, Initials, Finals).

% An arc without expressions leaves the counters as they are.
with_expressions([], _, []).
with_expressions([Arc0|Arcs0], Counters, [Arc|Arcs]) :-
    (   Arc0 = arc(A, V, B)
    ->  Arc = arc(A, V, B, Counters)
    ;   Arc = Arc0
    ),
    with_expressions(Arcs0, Counters, Arcs).

numbered_arcs([], _, [], []).
numbered_arcs([arc(A, V, B, Expressions)|Arcs], N, [arc(A, V, B)|Letters], [N-Expressions|Choices]) :-
    N1 is N+1,
    numbered_arcs(Arcs, N1, Letters, Choices).

counted_tuples([], Last, Last, [], []).
counted_tuples([X|Xs], State, Last, [[State, X, Next, Arc]|Tuples], [Arc|Arcs]) :-
    counted_tuples(Xs, Next, Last, Tuples, Arcs).

% count_arcs(+Xs, +Taken, ...): in each step, the counters get the values of the expressions of the arc that is taken.
count_arcs([], [], _, _, _, Finals, Finals).
count_arcs([X|Xs], [Arc|Taken], Template, Counters, Choices, Values, Finals) :-
    copy_term(Template-Counters-Choices, X-Values-Mine),
    chosen_values(Values, 1, Mine, Arc, Next),
    count_arcs(Xs, Taken, Template, Counters, Choices, Next, Finals).

chosen_values([], _, _, _, []).
chosen_values([_|Values], I, Choices, Arc, [Next|Nexts]) :-
    equal_to_chosen(Choices, I, Arc, Next),
    I1 is I+1,
    chosen_values(Values, I1, Choices, Arc, Nexts).

equal_to_chosen([], _, _, _).
equal_to_chosen([N-Expressions|Choices], I, Arc, Next) :-
    nth1(I, Expressions, Expression),
    Arc #= N #==> Next #= Expression,
    equal_to_chosen(Choices, I, Arc, Next).

% disjoint2(+Rectangles): no two of the rectangles F(X, Width, Y, Height) overlap.
disjoint2(Rectangles) :-
    must_be(list, Rectangles),
    rectangles(Rectangles, Parts),
    apart_from_rest(Parts).

rectangles([], []).
rectangles([R|Rs], [r(X, W, Y, H)|Parts]) :-
    R =.. [_, X, W, Y, H],
    W #>= 0,
    H #>= 0,
    rectangles(Rs, Parts).

apart_from_rest([]).
apart_from_rest([R|Rs]) :-
    apart_from_all(Rs, R),
    apart_from_rest(Rs).

apart_from_all([], _).
apart_from_all([r(X1, W1, Y1, H1)|Rs], r(X, W, Y, H)) :-
    X + W #=< X1 #\/ X1 + W1 #=< X #\/ Y + H #=< Y1 #\/ Y1 + H1 #=< Y,
    apart_from_all(Rs, r(X, W, Y, H)).

% serialized(+Starts, +Durations): the tasks do not overlap.
serialized(Starts, Durations) :-
    must_be(list(integer), Durations),
    same_length(Starts, Durations),
    pair_up_tasks(Starts, Durations, Tasks),
    apart_in_time(Tasks).

pair_up_tasks([], [], []).
pair_up_tasks([S|Ss], [D|Ds], [S-D|Tasks]) :- pair_up_tasks(Ss, Ds, Tasks).

apart_in_time([]).
apart_in_time([S-D|Tasks]) :-
    before_or_after(Tasks, S, D),
    apart_in_time(Tasks).

before_or_after([], _, _).
before_or_after([S1-D1|Tasks], S, D) :-
    S + D #=< S1 #\/ S1 + D1 #=< S,
    before_or_after(Tasks, S, D).

arc_states([], []).
arc_states([arc(A, _, B)|Arcs], [A, B|States]) :- arc_states(Arcs, States).

state_tuples([], Last, Last, []).
state_tuples([X|Xs], State, Last, [[State, X, Next]|Tuples]) :-
    state_tuples(Xs, Next, Last, Tuples).

% zcompare(?Order, ?X, ?Y): compare/3 for integers that need not be known.
zcompare(Order, X, Y) :-
    integers_or_variables([X, Y]),
    (   var(Order) -> true ; must_be(oneof([<, =, >]), Order) ),
    (   nonvar(Order)
    ->  true
    ;   freeze(Order, clpfd:ordered(Order, X, Y))
    ),
    attach(zcompare(Order, X, Y), fast, bounds, [X, Y], Q, End),
    propagate(Q, End).

ordered(<, X, Y) :- X #< Y.
ordered(>, X, Y) :- X #> Y.
ordered(=, X, X).

% transpose(+Rows, ?Columns): Columns are the columns of a list of lists of the same length.
transpose(Rows, Columns) :-
    must_be(list(list), Rows),
    (   Rows = []
    ->  Columns = []
    ;   Rows = [Row|_],
        columns(Row, Rows, Columns)
    ).

columns([], _, []).
columns([_|Row], Rows, [Column|Columns]) :-
    firsts(Rows, Column, Rests),
    columns(Row, Rests, Columns).

firsts([], [], []).
firsts([[X|Xs]|Rows], [X|Column], [Xs|Rests]) :- firsts(Rows, Column, Rests).
