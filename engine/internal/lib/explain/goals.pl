% What the proofs and the misses of library(explain) have in common: what goals are, and which goals they stand for.
:- module(explain_goals, [
    control/1,
    qualified/5,
    expanded_constraint/2,
    special_head/1,
    dcg_control/1,
    add_arguments/4,
    lambda/5,
    limited/3,
    failed_again/2,
    plain_goal/4,
    negated/2,
    ball_outcome/2,
    same_arguments/4
]).

control((_, _)).
control((_ ; _)).
control((_ -> _)).
control((_ *-> _)).
control(\+ _).
control(!).

% qualified(+Meta, +Goal, +Module, +Home, -Qualified): goals among the arguments belong to the module that calls.
qualified(Meta, G, M, Home, G1) :-
    (   Meta == none
    ->  G1 = G
    ;   M == Home
    ->  G1 = G
    ;   Meta =.. [_|Specs],
        G =.. [Name|Args],
        qualified_args(Specs, Args, M, Args1),
        G1 =.. [Name|Args1]
    ).

qualified_args([], [], _, []).
qualified_args([S|Ss], [A|As], M, [B|Bs]) :-
    (   ( integer(S) ; S == (:) ; S == (^) ; S == (//) )
    ->  B = M:A
    ;   B = A
    ),
    qualified_args(Ss, As, M, Bs).

% expanded_constraint(+Else, -Constraint): what the loader has made of a constraint ends with the constraint itself.
expanded_constraint(V, _) :- var(V), !, fail.
expanded_constraint(clpfd:C, C).
expanded_constraint((_ -> _ ; B), C) :- expanded_constraint(B, C).

special_head(call(_)).
special_head(once(_)).
special_head(ignore(_)).
special_head(not(_)).
special_head(findall(_, _, _)).
special_head(findall(_, _, _, _)).
special_head(aggregate_all(_, _, _)).
special_head(aggregate_all(_, _, _, _)).
special_head(bagof(_, _, _)).
special_head(setof(_, _, _)).
special_head(forall(_, _)).
special_head(catch(_, _, _)).
special_head(phrase(_, _)).
special_head(phrase(_, _, _)).
special_head(tnot(_)).
special_head(freeze(_, _)).
special_head(when(_, _)).
special_head(dif(_, _)).
special_head(undefined).
special_head(answer_count_restraint).
special_head(radial_restraint).
special_head(G) :-
    functor(G, Name, N),
    (   Name == call
    ->  N > 1
    ;   Name == (>>)
    ->  N > 1
    ).

dcg_control(B) :- var(B).
dcg_control(B) :- control(B).
dcg_control([]).
dcg_control([_|_]).
dcg_control({_}).
dcg_control(call(_)).
dcg_control(B) :- string(B).
dcg_control(B) :- compound(B), compound_name_arity(B, call, _).

add_arguments(A, Extra, M, M1:Full) :-
    '$strip_module'(M:A, M1, Plain),
    '$must_be_callable'(Plain),
    '$add_arguments'(Plain, Extra, Full).

% lambda(+Parameters, +Body, +Arguments, +Module, -Goal): Goal is what a lambda does with its arguments.
lambda(Ps0, B0, Args, M, Goal) :-
    copy_term_nat(Ps0>>B0, Ps1>>B1),
    (   nonvar(Ps0),
        Ps0 = Free/_
    ->  Ps1 = Free/Ps
    ;   Ps = Ps1
    ),
    parameters(Ps, Args, Rest),
    (   Rest == []
    ->  Goal = M:B1
    ;   add_arguments(B1, Rest, M, Goal)
    ).

parameters(Ps, Args, Rest) :-
    (   nonvar(Ps),
        Ps = [P|Ps1],
        Args = [A|As]
    ->  P = A,
        parameters(Ps1, As, Rest)
    ;   Rest = Args
    ).

limited(N, M, A) :-
    State = count(0),
    call(M:A),
    arg(1, State, C0),
    C is C0 + 1,
    nb_setarg(1, State, C),
    (   C >= N
    ->  !
    ;   true
    ).

failed_again(Formal, Context) :-
    (   nonvar(Formal),
        Formal = resource_error(_)
    ->  throw(error(Formal, Context))
    ;   fail
    ).

plain_goal(A0, M0, M, A) :-
    '$strip_module'(M0:A0, M1, A1),
    (   nonvar(A1),
        A1 = _^A2
    ->  plain_goal(A2, M1, M, A)
    ;   M = M1,
        A = A1
    ).

negated(\+ A, A).
negated(not(A), A).
negated(tnot(A), A).

ball_outcome(Ball, Outcome) :-
    (   nonvar(Ball),
        Ball = error(Formal, _),
        nonvar(Formal),
        Formal = resource_error(_)
    ->  throw(Ball)
    ;   Outcome = threw(Ball)
    ).

same_arguments(I, End, A, B) :-
    (   I < End
    ->  arg(I, A, X),
        arg(I, B, X),
        I1 is I + 1,
        same_arguments(I1, End, A, B)
    ;   true
    ).
