% The interpreter of library(explain), of the tracer and of call_with_depth_limit/3. It turns a body into a goal that
% passes each goal of the body, with its current values, to a user.
:- module(explain_interpreter, [
    walk/9,
    absent_node/3,
    seen/2,
    apart/4,
    shown/2,
    clause_of/5,
    control/1,
    qualified/4,
    closures/6,
    either_of/1,
    alternative/2,
    stands_for/3,
    expanded_constraint/2,
    special_head/1,
    dcg_control/1,
    limited/3,
    failed_again/2,
    plain_goal/4,
    negated/2,
    ball_outcome/2,
    bounded/2
]).

% A use is ports(User, State), steps(User, State) or way(User, State). User is a module, and State is an argument for
% it. The interpreter calls
%
%   User:goal(Goal, Module, State, I, Node)   for goal number I, which the user may call; Node is the user's node for it
%   User:closed(State, Goal)                  for a goal among the arguments of a predicate of the system or of a library
%
% Each has to answer, fail or throw in place of the goal. Backtracking into it is the port redo.
%
%   ports   Goals in negations and in conditions are passed to the user like others. There are no steps.
%   steps   A negation is one goal. The goals that were called become steps.
%   way     A negation, a condition, and a disjunction without a cut are each one goal. Numbers are I-P, where P counts
%           the goals on the way. User:cut(State) is called at cuts.
%
% Steps are none, at(I, Node), and(Steps, Steps), or for way either(Goal, Steps) and condition(Steps, Branch, Most), where
% Branch is branch(Node, Steps) once the condition has been decided, and Most is the greatest number of goals in a
% branch. A condition without an answer has the node of absent_node/3. A variable stands for steps that were not
% reached.

% walk(+Body, +Module, +Use, +I0, -I, +P0, -P, -Steps, -Call): Call is Body with its goals called by the user.
walk(V, M, U, I0, I, P0, P, S, Call) :-
    var(V),
    !,
    told(U, V, M, I0, I, P0, P, S, Call).
walk((A, B), M, U, I0, I, P0, P, and(S, T), (A1, B1)) :- !,
    (   U = steps(_, _),
        alternatives(A),
        cut_follows(B)
    ->  attempts(A, M, U, I0, I1, P0, P1, S, A1)
    ;   walk(A, M, U, I0, I1, P0, P1, S, A1)
    ),
    walk(B, M, U, I1, I, P1, P, T, B1).
walk((C -> A ; B), M, U, I0, I, P0, P, S, Call) :-
    (   expanded_constraint(B, Constraint)
    ->  !,
        told(U, clpfd:Constraint, M, I0, I, P0, P, S, Call)
    ;   U = way(_, _),
        ( B == fail ; B == false )
    ->  !,
        walk((C -> A), M, U, I0, I, P0, P, S, Call)
    ).
walk((C -> A ; B), M, U, I0, I, P0, P, S, (C1 -> A1 ; B1)) :- !,
    branches(U, C, A, B, M, I0, I, P0, P, S, C1, A1, B1).
walk((C *-> A ; B), M, U, I0, I, P0, P, S, (C1 *-> A1 ; B1)) :- !,
    branches(U, C, A, B, M, I0, I, P0, P, S, C1, A1, B1).
walk((A ; B), M, U, I0, I, P0, P, S, Call) :-
    U = way(_, _),
    either_of((A ; B)),
    !,
    told(U, (A ; B), M, I0, I, P0, P, S, Call).
walk((A '|' B), M, U, I0, I, P0, P, S, (A1 ; B1)) :- !,
    walk(A, M, U, I0, I1, P0, PA, SA, A2),
    walk(B, M, U, I1, I, P0, PB, SB, B2),
    P is max(PA, PB),
    either(U, (A ; B), S, SA, A2, A1),
    either(U, (A ; B), S, SB, B2, B1).
walk((A ; B), M, U, I0, I, P0, P, S, Call) :- !,
    walk((A '|' B), M, U, I0, I, P0, P, S, Call).
walk((A -> B), M, U, I0, I, P0, P, and(S, T), (A1 -> B1)) :- !,
    walk(A, M, U, I0, I1, P0, P1, S, A1),
    walk(B, M, U, I1, I, P1, P, T, B1).
walk((A *-> B), M, U, I0, I, P0, P, and(S, T), (A1 *-> B1)) :- !,
    walk(A, M, U, I0, I1, P0, P1, S, A1),
    walk(B, M, U, I1, I, P1, P, T, B1).
walk(\+ A, M, U, I0, I, P0, P, none, \+ Call) :-
    U = ports(_, _),
    !,
    walk(A, M, U, I0, I, P0, P, _, Call).
walk(!, _, U, I0, I, P, P, at(I0, cut), Call) :- !,
    I is I0 + 1,
    (   U = way(User, State)
    ->  Call = (!, User:cut(State))
    ;   Call = !
    ).
walk(true, _, _, I0, I, P, P, none, true) :- !,
    I is I0 + 1.
walk(M:A, _, U, I0, I, P0, P, S, Call) :-
    atom(M),
    nonvar(A),
    !,
    walk(A, M, U, I0, I, P0, P, S, Call).
walk(G, M, U, I0, I, P0, P, S, Call) :- told(U, G, M, I0, I, P0, P, S, Call).

% told(+Use, +Goal, +Module, +I0, -I, +P0, -P, -Steps, -Call): Call passes the goal to the user.
told(ports(User, State), G, M, I0, I, P, P, none, User:goal(G, M, State, I0, _)) :- I is I0 + 1.
told(steps(User, State), G, M, I0, I, P, P, at(I0, Node), User:goal(G, M, State, I0, Node)) :- I is I0 + 1.
told(way(User, State), G, M, I0, I, P0, P, at(I0-P0, Node), User:goal(G, M, State, I0-P0, Node)) :-
    I is I0 + 1,
    P is P0 + 1.

% branches(+Use, +C, +A, +B, +Module, +I0, -I, +P0, -P, -Steps, -CallC, -CallA, -CallB): a condition with its branches.
% The steps are those of the branch that is taken.
branches(U, C, A, B, M, I0, I, P0, P, S, C1, A1, B1) :-
    (   U = way(_, _)
    ->  told(U, C, M, I0, I1, P0, P1, SC, C1)
    ;   walk(C, M, U, I0, I1, P0, P1, SC, C1)
    ),
    walk(A, M, U, I1, I2, P1, PA, SA, A2),
    walk(B, M, U, I2, I, P1, PB, SB, B2),
    (   U = ports(_, _)
    ->  P = P0,
        A1 = A2,
        B1 = B2
    ;   P is max(PA, PB),
        absent_node(M:(\+ C), Note, NotC),
        Most is P - P1,
        branch(U, I0, C, SC, NotC, SA, SB, Most, S, Gone, Then, Else),
        A1 = (Gone = Then, A2),
        B1 = (Note, Gone = Else, B2)
    ).

branch(steps(_, _), I, _, SC, NotC, SA, SB, _, S, S, and(SC, SA), and(at(I, NotC), SB)).
branch(way(_, _), _, C, SC, NotC, SA, SB, Most, condition(SC, Gone, Most), Gone, branch(C, SA), branch(NotC, SB)).

% either(+Use, +Disjunction, -Steps, +Own, +Call0, -Call): the same for a disjunction.
either(ports(_, _), _, _, _, Call, Call).
either(steps(_, _), _, S, Own, Call, (S = Own, Call)).
either(way(_, _), G, S, Own, Call, (S = either(G, Own), Call)).

% either_of(+Goal): the goal is a disjunction that can be called as one goal, because it has no cut of its clause. A
% disjunction of a grammar is marked with '|'.
either_of(Or) :- alternatives(Or), Or = (_ ; _), without_cut(Or).

without_cut(V) :- var(V), !.
without_cut(!) :- !, fail.
without_cut(G) :- control(G), !, G =.. [_, A, B], without_cut(A), without_cut(B).
without_cut(_).

% alternative(+Disjunction, -Goal): Goal is one of its goals.
alternative(Or, G) :- alternatives(Or), !, arg(_, Or, A), alternative(A, G).
alternative(G, G).

alternatives(A) :-
    nonvar(A),
    ( A = (C ; _) ; A = (C '|' _) ),
    C \= (_ -> _),
    C \= (_ *-> _).

% cut_follows(+Goals): a cut among the goals makes the answer of the disjunction before them final. So an alternative
% of the disjunction without an answer is part of the reason.
cut_follows(Goals) :- Goals == !, !.
cut_follows(Goals) :-
    nonvar(Goals),
    Goals = (A, B),
    ( cut_follows(A) ; cut_follows(B) ),
    !.

% attempts(+Disjunction, ...): a disjunction before a cut. If its first alternative has no answer, its steps say so.
attempts(Or, M, U, I0, I, P0, P, S, Call) :-
    ( Or = (A ; B) ; Or = (A '|' B) ),
    !,
    Call = ( explain_interpreter:attempt(Tried), ( S = SA, A1, nb_setarg(1, Tried, yes) ;
        ( arg(1, Tried, no) -> Note, S = and(at(I0, NotA), SB) ; S = SB ), B1 ) ),
    absent_node(M:(\+ A), Note, NotA),
    walk(A, M, U, I0, I1, P0, PA, SA, A1),
    walk(B, M, U, I1, I, P0, PB, SB, B1),
    P is max(PA, PB).

% attempt(-Tried): Tried is a new term tried(no), to be changed in place.
attempt(Tried) :-
    functor(Tried, tried, 1),
    arg(1, Tried, no).

% absent_node(+Goal, -Note, -Node): Node is the node of a goal without an answer. Note is the goal to call when the
% answer is known to be missing; it keeps the goal as it was called.
absent_node(Goal, explain_interpreter:seen(Goal, Seen), node(absent, Seen, _, _)).

% seen(Goal, Copies, Variables) records a goal at some time: the variables that it had then, and the variables of a
% copy. Later goals may bind the variables; the copy keeps the goal as it was.

% seen(+Goal0, -Goal): Goal records Goal0 as it is now.
seen(G, Seen) :-
    (   ground(G)
    ->  Seen = G
    ;   apart(G, Args, Copy, CopiedArgs),
        term_variables(Args, Vs),
        copy_term_nat(Args-Vs, CopiedArgs-Copies),
        Seen = seen(Copy, Copies, Vs)
    ).

% apart(+Goal, -Arguments, -Copy, -Copies): Copy is Goal with Copies in the place of the arguments that have variables. The
% others, which may be long, are not copied.
apart(M:G, Args, M:Copy, Copies) :-
    atom(M),
    compound(G),
    !,
    apart(G, Args, Copy, Copies).
apart(G, Args, Copy, Copies) :-
    G =.. [Name|All],
    apart_args(All, Args, CopiedAll, Copies),
    Copy =.. [Name|CopiedAll].

apart_args([], [], [], []).
apart_args([A|As], Args, [C|Cs], Copies) :-
    (   ground(A)
    ->  C = A,
        apart_args(As, Args, Cs, Copies)
    ;   Args = [A|Args1],
        Copies = [C|Copies1],
        apart_args(As, Args1, Cs, Copies1)
    ).

% shown(+Seen, -Goal): Goal is the recorded goal, with its own variables if they have not been bound since.
shown(Seen, G) :-
    (   nonvar(Seen),
        Seen = seen(G, Copies, Vs)
    ->  term_variables(Vs, Left),
        own_variables(Copies, Vs, Left)
    ;   G = Seen
    ).

% own_variables(?Copies, +Values, +Left): Left are the variables that may still stand for one of the copies. Two
% variables that have been unified stay apart.
own_variables([], [], _).
own_variables([C|Cs], [V|Vs], Left0) :-
    (   var(V),
        once_in(V, Left0, Left)
    ->  C = V
    ;   Left = Left0
    ),
    own_variables(Cs, Vs, Left).

once_in(V, [X|Xs], Left) :-
    (   V == X
    ->  Left = Xs
    ;   Left = [X|Rest],
        once_in(V, Xs, Rest)
    ).

% clause_of(+Kind, :Goal, -Body, -At, -By): the clauses of a predicate of the program. If no clause with => applies,
% the body throws the error for this and At is [].
clause_of(user, Goal, Body, At, By) :- '$explain_clause'(Goal, Body, At, By).
clause_of(ssu, Goal, Body, At, rule) :- '$ssu_clause'(Goal, Body, At).

control((_, _)).
control((_ ; _)).
control((_ '|' _)).
control((_ -> _)).
control((_ *-> _)).
control(!).

% qualified(+Meta, +Goal, +Module, -Qualified): goals among the arguments have the module that they belong to, once.
qualified(Meta, G, M, G1) :-
    (   Meta == none
    ->  G1 = G
    ;   Meta =.. [_|Specs],
        G =.. [Name|Args],
        maplist(qualified_arg(M), Specs, Args, Args1),
        G1 =.. [Name|Args1]
    ).

qualified_arg(M, S, A, B) :-
    (   belongs(S)
    ->  '$strip_module'(M:A, M1, A1),
        B = M1:A1
    ;   B = A
    ).

belongs(S) :- ( integer(S) ; S == (:) ; S == (^) ; S == (//) ), !.

% closures(+Meta, +Goal, +Module, +User, +State, -Closures): Closures is the goal, with the goals among its arguments
% passed to the user; fails if there are none. The user prolog_debug also gets goals after ^.
closures(Meta, G, M, User, State, G1) :-
    Meta \== none,
    Meta =.. [_|Specs],
    G =.. [Name|Args],
    closed_args(Specs, Args, M, User, State, Args1, Closes),
    Closes == true,
    G1 =.. [Name|Args1].

closed_args([], [], _, _, _, [], _).
closed_args([S|Ss], [A|As], M, User, State, [B|Bs], Closes) :-
    (   integer(S),
        nonvar(A),
        A \= _^_
    ->  B = explain_interpreter:closure(User, State, M:A),
        Closes = true
    ;   S == (^),
        nonvar(A),
        User == prolog_debug
    ->  existential(A, M, User, State, B),
        Closes = true
    ;   belongs(S)
    ->  B = M:A
    ;   B = A
    ),
    closed_args(Ss, As, M, User, State, Bs, Closes).

existential(A, M, User, State, B) :-
    (   var(A)
    ->  B = M:A
    ;   A = V^A1
    ->  B = V^B1,
        existential(A1, M, User, State, B1)
    ;   A = M1:A1,
        atom(M1),
        nonvar(A1)
    ->  existential(A1, M1, User, State, B)
    ;   B = explain_interpreter:closure(User, State, M:A)
    ).

% closure(+User, +State, :Goal, ?Extra...): passes a goal that a library calls with further arguments to the user.
closure(U, S, G) :- U:closed(S, G).
closure(U, S, G, A1) :- closure_of(U, S, G, [A1]).
closure(U, S, G, A1, A2) :- closure_of(U, S, G, [A1, A2]).
closure(U, S, G, A1, A2, A3) :- closure_of(U, S, G, [A1, A2, A3]).
closure(U, S, G, A1, A2, A3, A4) :- closure_of(U, S, G, [A1, A2, A3, A4]).
closure(U, S, G, A1, A2, A3, A4, A5) :- closure_of(U, S, G, [A1, A2, A3, A4, A5]).
closure(U, S, G, A1, A2, A3, A4, A5, A6) :- closure_of(U, S, G, [A1, A2, A3, A4, A5, A6]).
closure(U, S, G, A1, A2, A3, A4, A5, A6, A7) :- closure_of(U, S, G, [A1, A2, A3, A4, A5, A6, A7]).

closure_of(U, S, G, Extra) :-
    add_arguments(G, Extra, user, Full),
    U:closed(S, Full).

% stands_for(+Goal, +Module, -Full): Goal only calls Full.
stands_for(call(A), M, M:A) :- !.
stands_for(phrase(B, L), M, Full) :- !,
    stands_for(phrase(B, L, []), M, Full).
stands_for(phrase(B, L, R), M, Full) :- !,
    '$strip_module'(M:B, M1, B1),
    callable(B1),
    \+ dcg_control(B1),
    list_or_partial(L),
    list_or_partial(R),
    add_arguments(B1, [L, R], M1, Full).
stands_for(G, M, Full) :-
    compound(G),
    compound_name_arguments(G, Name, [A|Extra]),
    Extra \== [],
    (   Name == call
    ->  add_arguments(A, Extra, M, Full)
    ;   Name == (>>),
        Extra = [Body|Args],
        Args \== [],
        ( nonvar(A), A = _/List -> true ; List = A ),
        \+ list_without_end(List),
        lambda(A, Body, Args, M, Full)
    ;   Name == (\),
        nonvar(A),
        copy_term_nat(A, Copy),
        '$strip_module'(M:Copy, M1, Lambda),
        local_parameters(Extra, Lambda, M1, Full)
    ).

% local_parameters(+Arguments, +Lambda, +Module, -Goal): Goal is the call of X^Lambda, after \, with its arguments.
local_parameters([A|As], Lambda, M, Goal) :-
    nonvar(Lambda),
    Lambda = A^Body,
    !,
    local_parameters(As, Body, M, Goal).
local_parameters([], Body, M, M:Body).
local_parameters([A|As], Body, M, Goal) :-
    callable(Body),
    add_arguments(Body, [A|As], M, Goal).

list_or_partial(L) :- '$skip_list'(_, L, T), ( var(T) -> true ; T == [] ).

list_without_end(L) :- '$skip_list'(_, L, T), var(T).

% expanded_constraint(+Else, -Constraint): Else is the last alternative of a constraint that the loader expanded: the
% constraint itself.
expanded_constraint(V, _) :- var(V), !, fail.
expanded_constraint(clpfd:C, C).
expanded_constraint((_ -> _ ; B), C) :- expanded_constraint(B, C).

% special_head(+Goal): a goal of the system that is interpreted specially.
special_head(G) :-
    functor(G, Name, N),
    special_name(Name, Arities),
    memberchk(N, Arities),
    !.

special_name(once, [1]).
special_name(ignore, [1]).
special_name(\+, [1]).
special_name(not, [1]).
special_name(tnot, [1]).
special_name(call, [1, 2, 3, 4, 5, 6, 7, 8]).
special_name(>>, [2, 3, 4, 5, 6, 7, 8, 9]).
special_name(\, [2, 3, 4, 5, 6, 7]).
special_name(findall, [3, 4]).
special_name(aggregate_all, [3, 4]).
special_name(aggregate, [3]).
special_name(bagof, [3]).
special_name(setof, [3]).
special_name(forall, [2]).
special_name(order_by, [2]).
special_name(catch, [3]).
special_name(phrase, [2, 3]).
special_name(freeze, [2]).
special_name(when, [2]).
special_name(dif, [2]).
special_name(undefined, [0]).
special_name(answer_count_restraint, [0]).
special_name(radial_restraint, [0]).

dcg_control(B) :- var(B).
dcg_control(B) :- control(B).
dcg_control(\+ _).
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

% lambda(+Parameters, +Body, +Arguments, +Module, -Goal): Goal is the call of a lambda with its arguments.
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
        ( Ball = error(Formal, _), nonvar(Formal), Formal = resource_error(_) ; Ball == inference_limit_exceeded )
    ->  throw(Ball) % a limit of a goal around this one
    ;   Outcome = threw(Ball)
    ).

% bounded(:Goal, +Most): calls a goal once; fails if the goal throws or needs more than Most inferences.
bounded(Goal, Most) :-
    catch(call_with_inference_limit(Goal, Most, R), Ball, ( ball_outcome(Ball, _), fail )),
    R \== inference_limit_exceeded,
    !.
