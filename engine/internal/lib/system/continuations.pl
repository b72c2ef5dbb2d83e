% Delimited continuations: reset/3 and shift/1. The goal of reset/3 is interpreted. At each moment the remaining goals
% are a list, and this list is the continuation.
:- module(system, [
    reset/3,
    shift/1,
    shift_for_copy/1,
    call_continuation/1
]).

:- meta_predicate reset(0, ?, ?).

% reset(:Goal, ?Ball, -Continuation): calls Goal; Continuation is the rest of Goal when it shifts to Ball, or 0 when
% Goal has ended.
reset(Goal, Ball, Continuation) :-
    '$strip_module'(Goal, Module, Plain),
    '$must_be_callable'(Plain),
    '$choice_point'(Frame),
    '$cc_run'([goal(Plain, Module, Frame)], Outcome),
    (   Outcome = shift(Shifted, Rest)
    ->  (   Ball = Shifted
        ->  Continuation = Rest
        ;   '$cc_lost'(Shifted)
        )
    ;   Continuation = 0
    ).

'$cc_lost'(Ball) :- throw(error(existence_error(reset, Ball), _)).

% shift(+Ball): goes back to the reset/3 around it whose ball unifies with Ball.
shift(Ball) :- '$cc_lost'(Ball).

% shift_for_copy(+Ball): shift/1.
shift_for_copy(Ball) :- '$cc_lost'(Ball).

% call_continuation(+Continuation): calls a continuation of reset/3.
call_continuation(Goals0) :-
    '$choice_point'(Frame),
    '$cc_rebase'(Goals0, Frame, [], Goals),
    '$cc_run'(Goals, Outcome),
    (   Outcome = shift(Ball, _)
    ->  '$cc_lost'(Ball)
    ;   true
    ).

% '$cc_rebase'(+Goals0, +Frame, +Rest, -Goals): the choice points to which cuts would return no longer exist, so cuts
% return to Frame.
'$cc_rebase'([], _, Rest, Rest).
'$cc_rebase'([Item0|Goals0], Frame, Rest, [Item|Goals]) :-
    (   Item0 = goal(Goal, Module, _)
    ->  Item = goal(Goal, Module, Frame)
    ;   Item0 = cut(_)
    ->  Item = cut(Frame)
    ;   Item = Item0
    ),
    '$cc_rebase'(Goals0, Frame, Rest, Goals).

% '$cc_run'(+Goals, -Outcome): Outcome is done, or shift(Ball, Continuation).
'$cc_run'([], done).
'$cc_run'([Item|Goals], Outcome) :- '$cc_item'(Item, Goals, Outcome).

'$cc_item'(goal(Goal, Module, Frame), Goals, Outcome) :-
    '$strip_module'(Module:Goal, Own, Plain),
    '$must_be_callable'(Plain),
    (   '$cc_control'(Plain)
    ->  '$cc_do'(Plain, Own, Frame, Goals, Outcome)
    ;   '$cc_call'(Plain, Own, Goals, Outcome)
    ).
'$cc_item'(cut(Frame), Goals, Outcome) :-
    '$body'(!, Frame),
    '$cc_run'(Goals, Outcome).
'$cc_item'(noted(State), Goals, Outcome) :-
    nb_setarg(1, State, true),
    '$cc_run'(Goals, Outcome).

'$cc_control'(true).
'$cc_control'(!).
'$cc_control'((_, _)).
'$cc_control'((_ ; _)).
'$cc_control'((_ -> _)).
'$cc_control'((_ *-> _)).
'$cc_control'(once(_)).
'$cc_control'(ignore(_)).
'$cc_control'(catch(_, _, _)).
'$cc_control'(reset(_, _, _)).
'$cc_control'(shift(_)).
'$cc_control'(shift_for_copy(_)).
'$cc_control'(call_continuation(_)).

'$cc_do'(true, _, _, Goals, Outcome) :- '$cc_run'(Goals, Outcome).
'$cc_do'(!, _, Frame, Goals, Outcome) :-
    '$body'(!, Frame),
    '$cc_run'(Goals, Outcome).
'$cc_do'((A, B), M, Frame, Goals, Outcome) :-
    '$cc_item'(goal(A, M, Frame), [goal(B, M, Frame)|Goals], Outcome).
'$cc_do'((A ; B), M, Frame, Goals, Outcome) :- '$cc_either'(A, B, M, Frame, Goals, Outcome).
'$cc_do'((A -> B), M, Frame, Goals, Outcome) :- '$cc_either'((A -> B), fail, M, Frame, Goals, Outcome).
'$cc_do'((A *-> B), M, Frame, Goals, Outcome) :-
    '$choice_point'(Inner),
    '$cc_item'(goal(A, M, Inner), [goal(B, M, Frame)|Goals], Outcome).
'$cc_do'(once(A), M, Frame, Goals, Outcome) :- '$cc_either'((A -> true), fail, M, Frame, Goals, Outcome).
'$cc_do'(ignore(A), M, Frame, Goals, Outcome) :- '$cc_either'((A -> true), true, M, Frame, Goals, Outcome).
'$cc_do'(catch(A, Ball, Recovery), M, Frame, Goals, Outcome) :-
    catch('$cc_within'(A, M, Inner), Ball, Inner = caught),
    (   Inner = shift(Shifted, Rest)
    ->  Outcome = shift(Shifted, call_continuation([goal(catch(Rest, Ball, Recovery), M, Frame)|Goals]))
    ;   Inner == caught
    ->  '$cc_item'(goal(call(Recovery), M, Frame), Goals, Outcome)
    ;   '$cc_run'(Goals, Outcome)
    ).
'$cc_do'(reset(A, Ball, Continuation), M, Frame, Goals, Outcome) :-
    '$cc_within'(A, M, Inner),
    (   Inner = shift(Shifted, Rest)
    ->  (   Ball = Shifted
        ->  Continuation = Rest,
            '$cc_run'(Goals, Outcome)
        ;   Outcome = shift(Shifted, call_continuation([goal(reset(Rest, Ball, Continuation), M, Frame)|Goals]))
        )
    ;   Continuation = 0,
        '$cc_run'(Goals, Outcome)
    ).
'$cc_do'(shift(Ball), _, _, Goals, shift(Ball, call_continuation(Goals))).
'$cc_do'(shift_for_copy(Ball), _, _, Goals, shift(Ball, call_continuation(Goals))).
'$cc_do'(call_continuation(Goals0), _, _, Rest, Outcome) :-
    '$choice_point'(Frame),
    '$cc_rebase'(Goals0, Frame, Rest, Goals),
    '$cc_run'(Goals, Outcome).

'$cc_within'(Goal, Module, Outcome) :-
    '$choice_point'(Frame),
    '$cc_run'([goal(Goal, Module, Frame)], Outcome).

'$cc_either'(A, B, M, Frame, Goals, Outcome) :-
    '$choice_point'(Before),
    '$cc_either'(A, B, M, Frame, Before, Goals, Outcome).

'$cc_either'(A, B, M, Frame, Before, Goals, Outcome) :-
    nonvar(A),
    '$cc_condition'(A, Before, Condition, Next, [goal(Then, M, Frame)|Goals], Then), !,
    State = state(false),
    (   '$choice_point'(Inner),
        '$cc_item'(goal(Condition, M, Inner), [noted(State)|Next], Outcome)
    ;   arg(1, State, false),
        '$body'(!, Before),
        '$cc_item'(goal(B, M, Frame), Goals, Outcome)
    ).
'$cc_either'(A, _, M, Frame, _, Goals, Outcome) :- '$cc_item'(goal(A, M, Frame), Goals, Outcome).
'$cc_either'(_, B, M, Frame, _, Goals, Outcome) :- '$cc_item'(goal(B, M, Frame), Goals, Outcome).

% '$cc_condition'(+Goal, +Before, -Condition, -Next, +Goals, -Then): Goal has a condition; Next are the goals to run
% when it is true. They are kept beside the cut for the else branch, because a continuation that goes on after the
% condition cannot cut that branch.
'$cc_condition'((Condition *-> Then), _, Condition, Goals, Goals, Then).
'$cc_condition'((Condition -> Then), Before, Condition, [cut(Before)|Goals], Goals, Then).

% Clauses of the program are interpreted. Goals of built-in predicates and of the library are called.
'$cc_call'(Goal, Module, Goals, Outcome) :-
    (   '$cc_called'(Goal, Called)
    ->  '$choice_point'(Frame),
        '$cc_item'(goal(Called, Module, Frame), Goals, Outcome)
    ;   '$pred_info'(Module:Goal, Properties),
        '$cc_interpreted'(Properties, [apply, yall], Module, Home)
    ->  '$cc_qualified'(Properties, Module, Goal, Qualified),
        '$choice_point'(Frame),
        '$program_clause'(Properties, Home:Qualified, Body),
        '$cc_item'(goal(Body, Home, Frame), Goals, Outcome)
    ;   '$choice_point'(Newest),
        call(Module:Goal),
        integer(Newest), % a value in use: prolog_cut_to/1 keeps the choice points that Goals cut to
        '$cc_run'(Goals, Outcome)
    ).

'$cc_called'(Goal, Called) :-
    compound(Goal),
    compound_name_arguments(Goal, call, [Called0|Extra]),
    (   Extra == []
    ->  Called = Called0
    ;   '$strip_module'(Called0, Module, Plain),
        '$must_be_callable'(Plain),
        '$add_arguments'(Plain, Extra, Called1),
        ( Called0 = _:_ -> Called = Module:Called1 ; Called = Called1 )
    ).

% '$cc_interpreted'(+Properties, +Libraries, +Module, -Home): the clauses, those of module Home, are interpreted: of the
% program, and of the libraries whose predicates call goals again and again, if they are not tabled.
'$cc_interpreted'(Properties, Libraries, Module, Home) :-
    '$memberchk_property'(number_of_clauses(_), Properties),
    (   '$memberchk_property'(imported_from(Home0), Properties)
    ->  Home = Home0
    ;   Home = Module
    ),
    (   '$memberchk_property'(nodebug, Properties)
    ->  '$memberchk_property'(Home, Libraries)
    ;   true
    ),
    \+ '$memberchk_property'(tabled, Properties).

% '$program_clause'(+Properties, +Qualified, -Body): the bodies of the clauses by which a goal is interpreted. The
% body of a clause Head => Body begins with a cut of the other clauses; if no clause applies, the goal is an error.
'$program_clause'(Properties, Home:Goal, Body) :-
    (   '$memberchk_property'(ssu, Properties)
    ->  '$ssu_clause'(Home:Goal, Body, _)
    ;   clause(Home:Goal, Body)
    ).

% '$ssu_clause'(+Qualified, -Body, -Place): the same for clauses Head => Body. The place is [] if none of them
% applies.
'$ssu_clause'(Home:Goal, Body, At) :-
    '$explain_ssu_clause'(Home:Goal, Head, Body0, At, Single),
    '$ssu_body'(Single, Head, Body0, Body),
    (   Single == true
    ->  subsumes_term(Head, Goal)
    ;   true
    ),
    Head = Goal.
'$ssu_clause'(_:Goal, '$no_matching_rule'(Goal), []).

% '$call_rules'(:Goal): calls a dynamic predicate that has clauses Head => Body.
'$call_rules'(Home:Goal) :-
    '$choice_point'(Frame),
    '$ssu_clause'(Home:Goal, Body0, _),
    functor(Goal, Name, Arity),
    (   Home == user
    ->  Indicator = Name/Arity
    ;   Indicator = Home:Name/Arity
    ),
    '$watched_body'(Body0, guard(Indicator), Body),
    '$body'(Home:Body, Frame).

% '$watched_body'(+Body0, +Watched, -Body): the first $/0 among the conjuncts is a cut, and what follows it is watched.
'$watched_body'(Body, _, Body) :-
    var(Body),
    !.
'$watched_body'((A, B0), Watched, (A, B)) :-
    A \== ($),
    !,
    '$watched_body'(B0, Watched, B).
'$watched_body'((_, Rest), Watched, (!, '$det_goal'(Rest, Watched))) :- !.
'$watched_body'(($), Watched, (!, '$det_goal'(true, Watched))) :- !.
'$watched_body'(Body, _, Body).

% '$ssu_body'(+Single, +Head, +Body0, -Body): Body is the body of a clause Head => Body0, with a cut after the guard,
% or of any other clause. Head is as in the text.
'$ssu_body'(false, _, Body, Body).
'$ssu_body'(true, Head, Body0, Body) :-
    (   Body0 = ('$guard'(Guard0), Rest)
    ->  '$strict_guard'(Guard0, Head, Guard),
        Body = (call(Guard), !, Rest)
    ;   Body = (!, Body0)
    ).

% '$strict_guard'(+Guard0, +Head, -Guard): the unifications with which a guard begins do not bind the arguments of the head.
'$strict_guard'(Guard, _, Guard) :-
    var(Guard),
    !.
'$strict_guard'((A, B), Head, Guard) :-
    nonvar(A),
    A = (_ = _),
    !,
    '$strict_unification'(A, Head, A1),
    '$strict_guard'(B, Head, B1),
    Guard = (A1, B1).
'$strict_guard'(A, Head, Guard) :-
    (   A = (_ = _)
    ->  '$strict_unification'(A, Head, Guard)
    ;   Guard = A
    ).

'$strict_unification'((X = Y), Head, Goal) :-
    (   '$head_argument'(X, Y, Head)
    ->  Goal = (subsumes_term(Y, X), X = Y)
    ;   '$head_argument'(Y, X, Head)
    ->  Goal = (subsumes_term(X, Y), X = Y)
    ;   Goal = (X = Y)
    ).

'$head_argument'(X, Y, Head) :-
    var(X),
    nonvar(Y),
    compound(Head),
    arg(_, Head, Z),
    Z == X,
    !.

% '$cc_qualified'(+Properties, +Module, +Goal, -Qualified): the arguments that depend on a module are those of Module.
'$cc_qualified'(Properties, Module, Goal, Qualified) :-
    (   '$memberchk_property'(meta_predicate(Spec), Properties)
    ->  Goal =.. [Name|Args0],
        Spec =.. [_|Modes],
        '$cc_qualify'(Modes, Module, Args0, Args),
        Qualified =.. [Name|Args]
    ;   Qualified = Goal
    ).

'$cc_qualify'([], _, [], []).
'$cc_qualify'([Mode|Modes], Module, [Arg0|Args0], [Arg|Args]) :-
    (   ( integer(Mode) ; '$memberchk_property'(Mode, [:, ^, //]) ),
        \+ ( nonvar(Arg0), Arg0 = _:_ )
    ->  Arg = Module:Arg0
    ;   Arg = Arg0
    ),
    '$cc_qualify'(Modes, Module, Args0, Args).

'$memberchk_property'(Property, [Property|_]) :- !.
'$memberchk_property'(Property, [_|Properties]) :- '$memberchk_property'(Property, Properties).
