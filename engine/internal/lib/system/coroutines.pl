% Coroutining: freeze/2, dif/2 and when/2 on attributed variables.
%
% dif(X, Y) keeps for each variable that may still make X and Y equal the list of its disequalities.
% A disequality is d(X, Y, Variables): X and Y must not become equal. It is checked again when one of the variables is
% bound on which the last check depended. Variables is the open list of these variables. This is the plain form of the
% method of SWI-Prolog's library(dif), without its sharing of nodes.
:- module(system, [
    freeze/2,
    frozen/2,
    dif/2,
    when/2
]).

:- meta_predicate freeze(?, 0), when(+, 0).

% freeze(?X, :Goal): call Goal when X is bound.
freeze(X, Goal) :-
    (   nonvar(X)
    ->  call(Goal)
    ;   get_attr(X, freeze, Old)
    ->  put_attr(X, freeze, '$and'(Old, Goal))
    ;   put_attr(X, freeze, Goal)
    ).

% frozen(@Term, -Goal): Goal is the conjunction of the goals that wait on the variables of Term, in the standard
% order.
frozen(Term, Goal) :-
    term_attvars(Term, Variables),
    '$residual_goals'(Variables, Goals, []),
    sort(Goals, Sorted),
    '$conjunction'(Sorted, Goal).

'$conjunction'([], true).
'$conjunction'([G|Gs], Goal) :- '$conjunction'(Gs, G, Goal).

'$conjunction'([], G, G).
'$conjunction'([H|Hs], G, (G, Goal)) :- '$conjunction'(Hs, H, Goal).

'$freeze_goals'('$and'(A, B), V, Goals, Rest) :- !,
    '$freeze_goals'(A, V, Goals, Goals1),
    '$freeze_goals'(B, V, Goals1, Rest).
'$freeze_goals'(Goal, V, [freeze(V, Qualified)|Rest], Rest) :- '$in_module'(Goal, Qualified).

% '$in_module'(+Goal, -Qualified): a goal that waits, with its module, as residual goals have it.
'$in_module'(Goal, Qualified) :-
    (   nonvar(Goal),
        Goal = _:_
    ->  Qualified = Goal
    ;   Qualified = user:Goal
    ).

% dif(?X, ?Y): X and Y are different terms, now and for ever.
dif(X, Y) :-
    (   '$unifier'(X, Y, Pairs)
    ->  Pairs = [A-B|_],
        (   '$dif_posted'(A, X, Y)
        ->  true
        ;   '$dif_posted'(B, X, Y)
        ->  true
        ;   '$dif_hang'(Pairs, d(X, Y, _))
        )
    ;   true
    ).

% '$dif_posted'(?V, +X, +Y): the disequality is among the newest of V. So a goal that is posted again and again leaves
% only one disequality.
'$dif_posted'(V, X, Y) :-
    attvar(V),
    get_attr(V, dif, List),
    '$dif_posted'(List, X, Y, 8).

'$dif_posted'([d(A, B, _)|Rest], X, Y, N) :-
    (   A == X, B == Y
    ->  true
    ;   N > 1,
        N1 is N-1,
        '$dif_posted'(Rest, X, Y, N1)
    ).

% '$dif_hang'(+Pairs, +D): attaches a disequality to the variables that unifying its terms would bind.
'$dif_hang'([], _).
'$dif_hang'([A-B|Pairs], D) :-
    '$dif_add'(A, D),
    '$dif_add'(B, D),
    '$dif_hang'(Pairs, D).

'$dif_add'(V, D) :-
    (   nonvar(V)
    ->  true
    ;   arg(3, D, Variables),
        '$dif_note'(Variables, V, New),
        (   New == false
        ->  true
        ;   get_attr(V, dif, List)
        ->  put_attr(V, dif, [D|List])
        ;   put_attr(V, dif, [D])
        )
    ).

% '$dif_note'(?Variables, ?V, -New): adds V to the open list. New is false if it is there already.
'$dif_note'(Variables, V, New) :-
    (   var(Variables)
    ->  Variables = [V|_]
    ;   Variables = [W|Rest],
        (   W == V
        ->  New = false
        ;   '$dif_note'(Rest, V, New)
        )
    ).

'$wake_dif'(List, Value) :-
    (   attvar(Value), get_attr(Value, dif, Other)
    ->  '$dif_merge'(List, Value, Other, All),
        put_attr(Value, dif, All)
    ;   var(Value)
    ->  put_attr(Value, dif, List)
    ;   true
    ),
    '$dif_again'(List).

% '$dif_merge'(+List, +Value, +Other, -All): a variable with List became Value, which has Other. A disequality that is
% attached to both now has Value twice among its variables.
'$dif_merge'([], _, All, All).
'$dif_merge'([D|Rest], Value, Other, All) :-
    arg(3, D, Variables),
    (   '$dif_rest'(Variables, Value, After),
        '$dif_rest'(After, Value, _)
    ->  '$dif_merge'(Rest, Value, Other, All)
    ;   '$dif_merge'(Rest, Value, [D|Other], All)
    ).

% '$dif_rest'(?Variables, ?V, -Rest): Rest is what follows V in the open list.
'$dif_rest'(Variables, V, Rest) :-
    nonvar(Variables),
    Variables = [W|After],
    ( W == V -> Rest = After ; '$dif_rest'(After, V, Rest) ).

'$dif_again'([]).
'$dif_again'([D|Rest]) :-
    D = d(X, Y, _),
    (   '$unifier'(X, Y, Pairs)
    ->  Pairs = [_|_],
        '$dif_hang'(Pairs, D)
    ;   '$dif_forget'(D)
    ),
    '$dif_again'(Rest).

% '$dif_forget'(+D): its terms can no longer become equal, so it is removed from all variables.
'$dif_forget'(D) :-
    term_attvars(D, Variables),
    '$dif_forget_at'(Variables, D).

'$dif_forget_at'([], _).
'$dif_forget_at'([V|Vs], D) :-
    (   get_attr(V, dif, List)
    ->  '$dif_without'(List, D, Rest),
        ( Rest == [] -> del_attr(V, dif) ; Rest == List -> true ; put_attr(V, dif, Rest) )
    ;   true
    ),
    '$dif_forget_at'(Vs, D).

'$dif_without'([], _, []).
'$dif_without'([E|List], D, Rest) :-
    ( E == D -> Rest = Rest1 ; Rest = [E|Rest1] ),
    '$dif_without'(List, D, Rest1).

% '$dif_goals'(+List, +Variable, -Goals, ?Tail): a disequality that is attached to several variables is shown with the
% first one that a unification would bind, as the bindings that it excludes, the oldest first. ('$unifier' binds
% nothing, or it would wake the goal that is shown.)
'$dif_goals'(List, V, Goals, Tail) :- '$dif_goals'(List, V, Tail, Tail, Goals).

'$dif_goals'([], _, _, Goals, Goals).
'$dif_goals'([d(X, Y, _)|Rest], V, Tail, Goals0, Goals) :-
    (   '$unifier'(X, Y, Pairs),
        '$dif_sides'(Pairs, [], As, [], Bs),
        ( As = [A|_], var(A) -> A == V ; Bs = [B|_], B == V )
    ->  '$dif_goal'(As, Bs, Goal),
        '$dif_goals'(Rest, V, Tail, [Goal|Goals0], Goals)
    ;   '$dif_goals'(Rest, V, Tail, Goals0, Goals)
    ).

% '$dif_sides'(+Pairs, +As0, -As, +Bs0, -Bs): both sides of the pairs, which '$unifier' lists from the last to the first.
'$dif_sides'([], As, As, Bs, Bs).
'$dif_sides'([A-B|Pairs], As0, As, Bs0, Bs) :- '$dif_sides'(Pairs, [A|As0], As, [B|Bs0], Bs).

'$dif_goal'([A], [B], dif(A, B)) :- !.
'$dif_goal'(As, Bs, dif(L, R)) :- L =.. [f|As], R =.. [f|Bs].

% when(+Condition, :Goal): call Goal when Condition holds: nonvar(X), ground(T), ?=(X, Y), or a conjunction or
% disjunction of these.
when(Condition, Goal) :-
    '$when_finite'(Condition),
    '$when_check'(Condition, Condition),
    '$when'(Condition, Goal).

'$when_finite'(Condition) :-
    (   nonvar(Condition),
        ( Condition = (_, _) ; Condition = (_ ; _) ),
        \+ acyclic_term(Condition)
    ->  throw(error(type_error(acyclic_term, Condition), _))
    ;   true
    ).

'$when_check'(C, _) :- var(C), !, throw(error(instantiation_error, _)).
'$when_check'((A, B), All) :- !, '$when_check'(A, All), '$when_check'(B, All).
'$when_check'((A ; B), All) :- !, '$when_check'(A, All), '$when_check'(B, All).
'$when_check'(nonvar(_), _) :- !.
'$when_check'(ground(_), _) :- !.
'$when_check'(?=(_, _), _) :- !.
'$when_check'(_, All) :- throw(error(domain_error(when_condition, All), _)).

'$when'(Condition, Goal) :-
    '$when_simplify'(Condition, Rest),
    (   Rest == true
    ->  call(Goal)
    ;   '$when_suspend'(Rest, Rest, Goal, _)
    ).

% '$when_simplify'(+Condition, -Rest): Rest is the part of Condition that does not hold yet.
'$when_simplify'((A, B), Rest) :- !,
    '$when_simplify'(A, A1),
    '$when_simplify'(B, B1),
    (   A1 == true -> Rest = B1 ; B1 == true -> Rest = A1 ; Rest = (A1, B1) ).
'$when_simplify'((A ; B), Rest) :- !,
    '$when_simplify'(A, A1),
    (   A1 == true
    ->  Rest = true
    ;   '$when_simplify'(B, B1),
        (   B1 == true -> Rest = true ; Rest = (A1 ; B1) )
    ).
'$when_simplify'(nonvar(X), Rest) :- !, ( nonvar(X) -> Rest = true ; Rest = nonvar(X) ).
'$when_simplify'(ground(T), Rest) :- !,
    '$when_simplify'(ground(_, [T], T), Rest).
'$when_simplify'(ground(_, Parts, T), Rest) :- !,
    '$when_nonground'(Parts, Left),
    ( Left = [V|_] -> Rest = ground(V, Left, T) ; Rest = true ).
'$when_simplify'(?=(X, Y), Rest) :- ( ?=(X, Y) -> Rest = true ; Rest = ?=(X, Y) ).

% '$when_nonground'(+Parts, -Left): Left is the rest of a list of terms from the first variable on.
'$when_nonground'([], []).
'$when_nonground'([Part|Parts], Left) :-
    (   var(Part)
    ->  Left = [Part|Parts]
    ;   term_variables(Part, Variables),
        (   Variables == []
        ->  '$when_nonground'(Parts, Left)
        ;   '$append'(Variables, Parts, Left)
        )
    ).

% Wait on the variables of the condition; Done is bound when the goal has been called.
'$when_suspend'((A, _), All, Goal, Done) :- !, '$when_suspend'(A, All, Goal, Done).
'$when_suspend'((A ; B), All, Goal, Done) :- !,
    '$when_suspend'(A, All, Goal, Done),
    '$when_suspend'(B, All, Goal, Done).
'$when_suspend'(nonvar(X), All, Goal, Done) :- '$when_wait'(X, All, Goal, Done).
'$when_suspend'(ground(V, _, _), All, Goal, Done) :- '$when_wait'(V, All, Goal, Done).
'$when_suspend'(?=(X, Y), All, Goal, Done) :-
    '$unifier'(X, Y, Pairs),
    '$when_wait_pairs'(Pairs, All, Goal, Done).

'$when_wait_pairs'([], _, _, _).
'$when_wait_pairs'([A-B|Pairs], All, Goal, Done) :-
    '$when_wait'(A, All, Goal, Done),
    '$when_wait'(B, All, Goal, Done),
    '$when_wait_pairs'(Pairs, All, Goal, Done).

'$when_wait'(X, All, Goal, Done) :-
    (   nonvar(X)
    ->  true
    ;   get_attr(X, when, Old)
    ->  (   Old = [w(_, _, D)|_], D == Done
        ->  true
        ;   put_attr(X, when, [w(All, Goal, Done)|Old])
        )
    ;   put_attr(X, when, [w(All, Goal, Done)])
    ).

'$wake_when'(List, Value) :-
    (   attvar(Value), get_attr(Value, when, Other)
    ->  '$append'(Other, List, All),
        put_attr(Value, when, All)
    ;   var(Value)
    ->  put_attr(Value, when, List)
    ;   true
    ),
    '$when_run'(List).


% Goals run in the order in which they came to wait.
'$when_run'([]).
'$when_run'([w(Condition, Goal, Done)|Rest]) :-
    '$when_run'(Rest),
    (   Done == done
    ->  true
    ;   '$when_simplify'(Condition, Left),
        (   Left == true
        ->  Done = done,
            call(Goal)
        ;   '$when_again'(Left, Condition, Goal, Done)
        )
    ).

% '$when_again'(+Left, +Condition, +Goal, +Done): an unchanged condition waits on the same variables, except ?=(X, Y),
% which may depend on other variables after a binding of X or Y.
'$when_again'(Left, Condition, Goal, Done) :-
    (   Left == Condition,
        \+ '$when_unification'(Left)
    ->  true
    ;   '$when_suspend'(Left, Left, Goal, Done)
    ).

'$when_unification'((A, _)) :- '$when_unification'(A).
'$when_unification'((A ; B)) :- ( '$when_unification'(A) -> true ; '$when_unification'(B) ).
'$when_unification'(?=(_, _)).

% '$when_goals'(+List, +Variable, -Goals, ?Tail): the goals that wait on Variable, the oldest first. A goal that waits
% on several variables is shown only once, with the first variable of its condition.
'$when_goals'(List, V, Goals, Tail) :-
    '$when_shown'(List, 0, V, Shown),
    sort(1, @<, Shown, Once),
    sort(2, @>, Once, Ordered),
    '$when_list'(Ordered, Goals, Tail).

'$when_shown'([], _, _, []).
'$when_shown'([w(Condition, Goal, Done)|Rest], N, V, Shown) :-
    (   Done \== done,
        '$when_first'(Condition, First),
        First == V
    ->  Shown = [g(Done, N, Condition, Goal)|Shown1]
    ;   Shown = Shown1
    ),
    N1 is N+1,
    '$when_shown'(Rest, N1, V, Shown1).

'$when_list'([], Goals, Goals).
'$when_list'([g(_, _, Condition, Goal)|Rest], [when(Plain, Qualified)|Goals], Tail) :-
    '$when_condition'(Condition, Plain),
    '$in_module'(Goal, Qualified),
    '$when_list'(Rest, Goals, Tail).

% '$when_first'(+Condition, -Variable): the first variable on which a goal with this condition waits.
'$when_first'((A, _), V) :- '$when_first'(A, V).
'$when_first'((A ; _), V) :- '$when_first'(A, V).
'$when_first'(nonvar(V), V).
'$when_first'(ground(V, _, _), V).
'$when_first'(?=(X, Y), V) :-
    '$unifier'(X, Y, [A-B|_]),
    ( var(A) -> V = A ; V = B ).

'$when_condition'((A, B), (A1, B1)) :- !, '$when_condition'(A, A1), '$when_condition'(B, B1).
'$when_condition'((A ; B), (A1 ; B1)) :- !, '$when_condition'(A, A1), '$when_condition'(B, B1).
'$when_condition'(ground(_, _, T), ground(T)) :- !.
'$when_condition'(C, C).
