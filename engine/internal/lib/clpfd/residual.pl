% How library(clpfd) shows the constraints on a variable.
:- module(clpfd_residual, [
    residual_goals//1
]).

:- use_module(library(clpfd/domains)).

% residual_goals(+X): goals that say what holds for X. A propagator is shown with the first of its variables.
residual_goals(X) -->
    { get_attr(X, clpfd, fd(_, _, Dom, Fixed, Bounds, Any)) },
    { append(Fixed, Bounds, Ps0), append(Ps0, Any, Ps1), reverse(Ps1, Ps), propagators(Ps, Goals) },
    (   { Dom = [inf-sup], has_goals(Ps) }
    ->  []
    ;   { dom_expression(Dom, E) },
        [clpfd:(X in E)]
    ),
    shown(Goals).

has_goals(Ps) :- member(P, Ps), \+ arg(1, P, dead), !.

% propagators(+Ps, -Goals): Goals are the constraints of the propagators that are alive and not shown yet.
propagators([], []).
propagators([P|Ps], Goals) :-
    (   ( arg(1, P, dead) ; arg(4, P, yes) )
    ->  Goals = Goals1
    ;   setarg(4, P, yes),
        arg(3, P, Goal),
        ( written(Goal, G) -> Goals = [clpfd:G|Goals1] ; Goals = Goals1 )
    ),
    propagators(Ps, Goals1).

shown([]) --> [].
shown([G|Gs]) --> [G], shown(Gs).

% written(+Propagator, -Goal): the constraint as a program would write it.
written(differ(X, Y, K), G) :- relation(ne, [1, -1], [X, Y], K, G).
written(shift(X, Y, K), X+K #= Y).
written(mirror(X, Y, Sum), X+Y #= Sum).
written(distance_ne(X, Y, C), abs(X-Y) #\= C).
written(distance_ge(X, Y, C), abs(X-Y) #>= C).
written(linear_eq(Cs, Xs, K), G) :- relation(eq, Cs, Xs, K, G).
written(linear_ne(Cs, Xs, K), G) :- relation(ne, Cs, Xs, K, G).
written(linear_le(Cs, Xs, K), G) :- relation(le, Cs, Xs, K, G).
written(times(X, Y, Z), X*Y #= Z).
written(quotient(X, Y, Z), X//Y #= Z).
written(floor_quotient(X, Y, Z), X div Y #= Z).
written(modulo(X, Y, Z), X mod Y #= Z).
written(remainder(X, Y, Z), X rem Y #= Z).
written(power(X, Y, Z), X^Y #= Z).
written(absolute(X, Z), Z #= abs(X)).
written(most_significant(X, Z), Z #= msb(X)).
written(least_significant(X, Z), Z #= lsb(X)).
written(bit_count(X, Z), Z #= popcount(X)).
written(shift_bits(X, Y, Z), G) :- ( integer(Y), Y < 0 -> N is -Y, G = (X>>N #= Z) ; G = (X<<Y #= Z) ).
written(bit_and(X, Y, Z), Z #= X/\Y).
written(bit_or(X, Y, Z), Z #= X\/Y).
written(bit_xor(X, Y, Z), Z #= X xor Y).
written(minimum(X, Y, Z), Z #= min(X, Y)).
written(maximum(X, Y, Z), Z #= max(X, Y)).
written(both(X, Y, Z), X #/\ Y #<==> Z).
written(either(X, Y, Z), X #\/ Y #<==> Z).
written(same(X, Y, Z), G) :-
    ( Z == 0 -> G = (X #\ Y) ; G = ((X #<==> Y) #<==> Z) ).
written(reified(B, linear(Rel, Cs, Xs, K)), G #<==> B) :- relation(Rel, Cs, Xs, K, G).
written(member(B, X, Dom), X in E #<==> B) :- dom_expression(Dom, E).
written(defined(D, Goal, _), D #==> G) :- written(Goal, G).
written(different(Xs), all_different(Xs)) :- Xs = [_, _|_].
written(distinct(Xs), all_distinct(Xs)) :- Xs = [_, _|_].
written(element(I, Xs, V), element(I, Xs, V)).
written(tuple(Xs, Rows), tuples_in([Xs], Rows)).
written(count(Xs, K, N), count(Xs, K, N)).
written(circuit(Xs), circuit(Xs)).
written(cumulative(Ts, Limit), cumulative(Tasks, [limit(Limit)])) :- written_tasks(Ts, Tasks).
written(lex(Xs, Ys), lex_chain([Xs, Ys])).
written(zcompare(O, X, Y), zcompare(O, X, Y)).

written_tasks([], []).
written_tasks([t(S, D, E, R)|Ts], [task(S, D, E, R, _)|Tasks]) :- written_tasks(Ts, Tasks).

% relation(+Rel, +Cs, +Xs, +K, -Goal): negative terms and the constant go to the right side.
relation(Rel, Cs, Xs, K0, Goal) :-
    sides(Cs, Xs, Left, Right, K0, K),
    (   Left == []
    ->  added(Right, none, R0), with_constant(R0, 0, R), J is K, turned(Rel, R, J, Goal)
    ;   added(Left, none, L0),
        added(Right, none, R0),
        (   Rel == le, Right == []
        ->  J is -K, Goal = (L0 #=< J)
        ;   Rel == le
        ->  J is -K, with_constant(R0, J, R), Goal = (L0 #=< R)
        ;   K >= 0, Right \== []
        ->  with_constant(L0, K, L), with_constant(R0, 0, R), equated(Rel, L, R, Goal)
        ;   J is -K, with_constant(R0, J, R), equated(Rel, L0, R, Goal)
        )
    ).

turned(eq, R, K, R #= K).
turned(ne, R, K, R #\= K).
turned(le, R, K, R #>= K).

equated(eq, L, R, L #= R).
equated(ne, L, R, L #\= R).

% sides(+Cs, +Xs, -Left, -Right, +K0, -K): terms with known variables are added to the constant.
sides([], [], [], [], K, K).
sides([C|Cs], [X|Xs], Left, Right, K0, K) :-
    (   integer(X)
    ->  K1 is K0+C*X, Left = Left1, Right = Right1
    ;   C > 0
    ->  K1 = K0, Left = [C*X|Left1], Right = Right1
    ;   K1 = K0, D is -C, Right = [D*X|Right1], Left = Left1
    ),
    sides(Cs, Xs, Left1, Right1, K1, K).

added([], Sum, Sum).
added([C*X|Ts], Sum0, Sum) :-
    ( C =:= 1 -> T = X ; T = C*X ),
    ( Sum0 == none -> Sum1 = T ; Sum1 = Sum0+T ),
    added(Ts, Sum1, Sum).

with_constant(Sum0, K, Sum) :-
    (   Sum0 == none -> Sum = K
    ;   K =:= 0 -> Sum = Sum0
    ;   Sum = Sum0+K
    ).
