% The proofs of library(explain): goals are interpreted down to some depth, and below that they run as ever.
:- module(explain_proofs, [
    step/4,
    completed/2,
    clauses/4,
    seen/2,
    shown/2,
    holds/3
]).

:- use_module(library(explain/goals)).

% A context is ctx(Depth, Path, Before): how many levels of clauses are still to be seen, the way to the node that is
% wanted, and the stamp that answers of tables must be older than.

% inner(+Context, +Index, -Inner): the context of a goal within the one whose context this is.
inner(ctx(D, P, B), I, Inner) :-
    (   P == []
    ->  (   D > 0
        ->  D1 is D - 1
        ;   D1 = 0
        ),
        Inner = ctx(D1, [], B)
    ;   P = [I|Rest]
    ->  Inner = ctx(D, Rest, B)
    ;   Inner = ctx(0, [], B)
    ).

% same(+Context, +Index, -Inner): that of a goal that stands for the one around it.
same(ctx(D, P, B), I, Inner) :-
    (   P == []
    ->  Inner = ctx(D, [], B)
    ;   P = [I|Rest]
    ->  Inner = ctx(D, Rest, B)
    ;   Inner = ctx(0, [], B)
    ).

% A node is node(By, Goal, Info, Steps) or seq(Steps), which stands for its steps. Steps are none, cut when they were
% not looked at, at(Index, Node), and(Steps, Steps), or branch(Which, Steps). While goals are still to be called the
% node of an answer of a table is answer(How, Undefined, Open, Goal, Home, Context, Stamp), where Open is the goal before
% its call: the goals behind it choose among many answers, and only the proof of that one is wanted.
%
% A goal is shown as it was when its call ended. Until all goals have been called it is seen(Goal, Copies, Variables):
% the variables that it had then, and those of a copy. Goals behind it may bind them; the copy keeps what was true.

% seen(+Goal0, -Goal): Goal is Goal0 as it is now, for a node.
seen(G, Seen) :-
    (   ground(G)
    ->  Seen = G
    ;   term_variables(G, Vs),
        copy_term_nat(G-Vs, Copy-Copies),
        Seen = seen(Copy, Copies, Vs)
    ).

% shown(+Seen, -Goal): Goal is the goal with its own variables where nothing has bound them since.
shown(Seen, G) :-
    (   nonvar(Seen),
        Seen = seen(G, Copies, Vs)
    ->  term_variables(Vs, Left),
        own_variables(Copies, Vs, Left)
    ;   G = Seen
    ).

% own_variables(?Copies, +Values, +Left): Left are the variables that may still stand for one of the copies. Two that
% have become one stay apart.
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

% completed(+Node0, -Node): Node is Node0 with the proofs of answers of tables.
completed(answer(How, Undefined, Open, G0, Home, Ctx, Stamp), Node) :- !,
    shown(G0, G),
    table_node(How, Undefined, Open, G, Home, Ctx, Stamp, Node0),
    completed(Node0, Node).
completed(node(By, Goal0, Info, Steps0), node(By, Goal, Info, Steps)) :- !,
    shown(Goal0, Goal),
    completed_steps(Steps0, Steps).
completed(seq(Steps0), seq(Steps)) :- !,
    completed_steps(Steps0, Steps).
completed(Node, Node).

completed_steps(Steps, Steps) :- var(Steps), !.
completed_steps(at(I, Node0), at(I, Node)) :- !,
    (   var(Node0)
    ->  Node = Node0
    ;   completed(Node0, Node)
    ).
completed_steps(and(A0, B0), and(A, B)) :- !,
    completed_steps(A0, A),
    completed_steps(B0, B).
completed_steps(Steps, Steps).

% step(+Goal, +Module, +Context, -Node): calls a goal.
step(Goal, Module, Ctx, Node) :-
    '$strip_module'(Module:Goal, M, G0),
    '$must_be_callable'(G0),
    '$plain_goal'(G0, G),
    (   control(G)
    ->  body(G, M, Ctx, same, 1, _, Steps, Body),
        Node = seq(Steps),
        call(Body)
    ;   '$explain_pred'(M:G, Home, Kind, How, Meta),
        goal(Kind, How, Meta, G, M, Home, Ctx, Node)
    ).

% goal(+Kind, +How, +Meta, +Goal, +Module, +Home, +Context, -Node): calls a goal of a predicate that module Home
% defines.
goal(undefined, _, _, G, M, _, Ctx, Node) :-
    (   assumes(_)
    ->  clauses(G, M, Ctx, Node)
    ;   Node = node(builtin, M:G, [], none),
        call(M:G)
    ).
goal(builtin, How, Meta, G, M, _, Ctx, Node) :-
    (   special(G, M, Ctx, Node, Goal)
    ->  call(Goal)
    ;   How \== opaque,
        wraps(Meta, G, Ctx)
    ->  library_goal(Meta, G, M, Ctx, Node)
    ;   Node = node(builtin, Seen, [], none),
        called(M:G, Seen)
    ).
goal(constraint, _, _, G, M, _, _, node(constraint, M:G, [], none)) :-
    call(M:G).
goal(asking, _, _, G, M, _, _, node(asked, Seen, [], none)) :-
    called(M:G, Seen).
goal(sql, Table, _, G, M, Home, _, node(sql, Seen, table(Table), none)) :-
    (   called(M:G, Seen)
    ;   assumed(Home:G)
    ).
goal(user, How, Meta, G, M, Home, Ctx, Node) :-
    own_goal(How, clauses, Meta, G, M, Home, Ctx, Node).
goal(ssu, How, Meta, G, M, Home, Ctx, Node) :-
    own_goal(How, ssu_clauses, Meta, G, M, Home, Ctx, Node).
goal(tabled, _, _, G, _, Home, Ctx, Node) :-
    assumes(_),
    !,
    behind_table(G, Clause),
    untabled(Clause, Home, Ctx, Node).
goal(tabled, How, _, G, _, Home, Ctx, Node) :-
    copy_term_nat(G, Open),
    table_answer(G, Home, Ctx, Stamp, Undefined),
    Node = answer(How, Undefined, Open, Seen, Home, Ctx, Stamp),
    seen(G, Seen).

% called(:Goal, -Seen): calls a goal; Seen is what its node shows.
called(Goal, Seen) :-
    call(Goal),
    seen(Goal, Seen).

% assumes(-Facts): the facts that are assumed, as Module:Fact, if there are any. Then goals are interpreted at all
% depths, and nothing is taken from tables.
assumes(Facts) :-
    nb_current('$explain_assumed', Facts),
    Facts \== [].

assumed(Goal) :-
    assumes(Facts),
    member(Goal, Facts).

% not_assumed: a goal that cannot be called with assumptions.
not_assumed :- throw(error(resource_error(assumptions), _)).

% untabled(+Clause, +Home, +Context, -Node): calls the clauses of a tabled predicate. A call within a variant of itself
% has no answers of its own in the first round of a table, and there is no second one here.
untabled(Clause, Home, Ctx, Node) :-
    (   nb_current('$explain_above', Above)
    ->  true
    ;   Above = []
    ),
    (   member(Before, Above),
        Before =@= Clause
    ->  not_assumed
    ;   copy_term(Clause, Called),
        b_setval('$explain_above', [Called|Above]),
        clauses(Clause, Home, Ctx, Node),
        b_setval('$explain_above', Above)
    ).

% holds(+Goal, +Module, +Context): calls a goal without a node.
holds(Goal, M, Ctx) :- step(Goal, M, Ctx, _).

% inner_call(+Goal, +Module, +Context, -Call): how a goal within another is called.
inner_call(A, M, Ctx, Call) :-
    (   assumes(_)
    ->  inner_holds(A, M, Ctx, Call)
    ;   Call = M:A
    ).

inner_holds(A, M, Ctx, V^Call) :-
    nonvar(A),
    A = V^B,
    !,
    inner_holds(B, M, Ctx, Call).
inner_holds(A, M, Ctx, explain_proofs:holds(A, M, Ctx)).

% own_goal(+How, :Clauses, +Meta, +Goal, +Module, +Home, +Context, -Node): calls a goal of a predicate of the program,
% whose clauses Clauses goes through.
own_goal(How, Clauses, Meta, G, M, Home, Ctx, Node) :-
    qualified(Meta, G, M, Home, G1),
    (   How == opaque,
        \+ assumes(_)
    ->  Node = node(rule, Seen, [opaque], cut),
        call(Home:G1),
        seen(Home:G, Seen)
    ;   call(explain_proofs:Clauses, G1, Home, Ctx, Node)
    ).

% clauses(+Goal, +Home, +Context, -Node): calls the clauses of a predicate. A cut goes to the choice point before them.
clauses(G, Home, Ctx, Node) :-
    '$choice_point'(Frame),
    copy_term_nat(G, Open),
    (   '$explain_clause'(Home:G, Body, At, By)
    ;   assumed(Home:G),
        Body = true,
        At = [],
        By = assumed
    ),
    Node = node(By, Seen, called(Open, At, _, _), Steps),
    clause_body(By, Body, Home, Ctx, Steps, Goal),
    '$body'(Goal, Frame),
    seen(Home:G, Seen).

clause_body(By, Body, Home, Ctx, Steps, Goal) :-
    (   Body == true
    ->  Steps = none,
        Goal = true
    ;   Ctx = ctx(0, [], Before)
    ->  Steps = cut,
        (   Before == none,
            \+ assumes(_)
        ->  Goal = Home:Body
        ;   body(Body, Home, Ctx, inner, 1, _, _, Goal)
        )
    ;   body(Body, Home, Ctx, inner, 1, _, Steps, Goal)
    ).

% ssu_clauses(+Goal, +Home, +Context, -Node): calls clauses Head, Guard => Body. The first whose head is more general
% than the goal and whose guard holds is the one.
ssu_clauses(G, Home, Ctx, Node) :-
    '$choice_point'(Frame),
    (   '$explain_ssu_clause'(Home:G, Head, Body0, At, Single),
        '$ssu_body'(Single, Head, Body0, Body),
        (   Single == true
        ->  subsumes_term(Head, G)
        ;   true
        ),
        Head = G,
        Node = node(rule, Seen, At, Steps),
        clause_body(rule, Body, Home, Ctx, Steps, Goal)
    ;   Goal = Home:G,
        Node = node(rule, Seen, [], none)
    ),
    '$body'(Goal, Frame),
    seen(Home:G, Seen).

% body(+Body0, +Module, +Context, +Inner, +I0, -I, -Steps, -Body): Body is Body0 with its goals called by step/4,
% numbered from I0. Inner says how their contexts come from this one.
body(V, M, Ctx, In, I0, I, at(I0, Node), explain_proofs:step(V, M, Inner, Node)) :-
    var(V),
    !,
    I is I0 + 1,
    context(In, Ctx, I0, Inner).
body((( A ; B ), C), M, Ctx, In, I0, I, and(S, T), (Goal, C1)) :-
    cut_follows(C),
    nonvar(A),
    A \= (_ -> _),
    A \= (_ *-> _),
    !,
    Goal = ( explain_proofs:attempt(Tried), ( S = SA, A1, nb_setarg(1, Tried, yes) ;
        ( arg(1, Tried, no) -> Else, S = and(at(I0, NotA), SB) ; S = SB ), B1 ) ),
    absent_node(M:(\+ A), Else, NotA),
    body(A, M, Ctx, In, I0, I1, SA, A1),
    body(B, M, Ctx, In, I1, I2, SB, B1),
    body(C, M, Ctx, In, I2, I, T, C1).
body((A, B), M, Ctx, In, I0, I, and(S, T), (A1, B1)) :- !,
    body(A, M, Ctx, In, I0, I1, S, A1),
    body(B, M, Ctx, In, I1, I, T, B1).
body((C -> A ; B), M, _, _, I0, I, at(I0, node(constraint, M:Constraint, [], none)), M:(C -> A ; B)) :-
    expanded_constraint(B, Constraint),
    !,
    I is I0 + 1.
body((C -> A ; B), M, Ctx, In, I0, I, S, (C1 -> S = and(SC, SA), A1 ; Else, S = and(at(I0, NotC), SB), B1)) :- !,
    absent_node(M:(\+ C), Else, NotC),
    body(C, M, Ctx, In, I0, I1, SC, C1),
    body(A, M, Ctx, In, I1, I2, SA, A1),
    body(B, M, Ctx, In, I2, I, SB, B1).
body((C *-> A ; B), M, Ctx, In, I0, I, S, (C1 *-> S = and(SC, SA), A1 ; Else, S = and(at(I0, NotC), SB), B1)) :- !,
    absent_node(M:(\+ C), Else, NotC),
    body(C, M, Ctx, In, I0, I1, SC, C1),
    body(A, M, Ctx, In, I1, I2, SA, A1),
    body(B, M, Ctx, In, I2, I, SB, B1).
body((A ; B), M, Ctx, In, I0, I, S, (S = SA, A1 ; S = SB, B1)) :- !,
    body(A, M, Ctx, In, I0, I1, SA, A1),
    body(B, M, Ctx, In, I1, I, SB, B1).
body((A -> B), M, Ctx, In, I0, I, and(S, T), (A1 -> B1)) :- !,
    body(A, M, Ctx, In, I0, I1, S, A1),
    body(B, M, Ctx, In, I1, I, T, B1).
body((A *-> B), M, Ctx, In, I0, I, and(S, T), (A1 *-> B1)) :- !,
    body(A, M, Ctx, In, I0, I1, S, A1),
    body(B, M, Ctx, In, I1, I, T, B1).
body(\+ A, M, Ctx, _, I0, I, at(I0, Node), ( \+ Goal, Note )) :- !,
    inner_call(A, M, Ctx, Goal),
    absent_node(M:(\+ A), Note, Node),
    I is I0 + 1.
body(!, _, _, _, I0, I, at(I0, cut), !) :- !,
    I is I0 + 1.
body(true, _, _, _, I, I, none, true) :- !.
body(M:A, _, Ctx, In, I0, I, S, A1) :-
    atom(M),
    nonvar(A),
    !,
    body(A, M, Ctx, In, I0, I, S, A1).
body(G, M, _, _, I0, I, at(I0, node(By, Seen, [], none)), Goal) :-
    leaf(G, M, By),
    !,
    (   By == constraint
    ->  Seen = M:G,
        Goal = M:G
    ;   Goal = ( M:G, explain_proofs:seen(M:G, Seen) )
    ),
    I is I0 + 1.
body(G, M, Ctx, In, I0, I, at(I0, Node), explain_proofs:step(G, M, Inner, Node)) :-
    I is I0 + 1,
    context(In, Ctx, I0, Inner).

% cut_follows(+Goals): a cut makes the answer of a disjunction before it final, so that an alternative of it that has no
% answer is a part of the reason.
cut_follows(Goals) :- Goals == !, !.
cut_follows(Goals) :-
    nonvar(Goals),
    Goals = (A, B),
    ( cut_follows(A) ; cut_follows(B) ),
    !.

% attempt(-Tried): Tried is a new term tried(no), to be changed in place.
attempt(Tried) :-
    functor(Tried, tried, 1),
    arg(1, Tried, no).

% absent_node(+Goal, -Note, -Node): the node of a goal that has no answer. Note is called when that is known: it keeps
% the goal as it was asked.
absent_node(Goal, explain_proofs:seen(Goal, Seen), node(absent, Seen, _, _)).

% absent(+Goal, -Node): the same, called there.
absent(Goal, Node) :-
    absent_node(Goal, Note, Node),
    call(Note).

context(inner, Ctx, I, Inner) :- inner(Ctx, I, Inner).
context(same, Ctx, I, Inner) :- same(Ctx, I, Inner).

% leaf(+Goal, +Module, -By): a goal that no clause of the program has a part in.
leaf(G, M, By) :-
    callable(G),
    '$explain_pred'(M:G, _, Kind, _, none),
    leaf_kind(Kind, By),
    \+ special_head(G).

leaf_kind(builtin, builtin).
leaf_kind(constraint, constraint).
leaf_kind(asking, asked).

% special(+Goal, +Module, +Context, -Node, -Call): how goals of some built-in predicates are called.
special(G, M, Ctx, Node, explain_proofs:special(G, M, Ctx, Node)) :- special_head(G).

special(call(A), M, Ctx, seq(at(1, Node))) :- !,
    same(Ctx, 1, Inner),
    step(A, M, Inner, Node).
special(once(A), M, Ctx, seq(at(1, Node))) :- !,
    same(Ctx, 1, Inner),
    (   step((A, !), M, Inner, Node)
    ->  true
    ).
special(ignore(A), M, Ctx, seq(at(1, Node))) :- !,
    same(Ctx, 1, Inner),
    (   step(A, M, Inner, Node)
    ->  true
    ;   absent(M:(\+ A), Node)
    ).
special(not(A), M, Ctx, Node) :- !,
    inner_call(A, M, Ctx, Goal),
    \+ Goal,
    absent(M:(\+ A), Node).
special(catch(A, C, R), M, Ctx, Node) :- !,
    same(Ctx, 1, Inner),
    catch(( step(A, M, Inner, N), Node = seq(at(1, N)) ), C, caught(A, C, R, M, Ctx, Node)).
special(forall(C, A), M, Ctx, node(aggregate, Seen, count(N), Steps)) :- !,
    inner_call(C, M, Ctx, C1),
    inner_call(A, M, Ctx, A1),
    forall(C1, A1),
    '$explain_taint'(T), % the condition may have solutions in doubt, and still none of them be against it
    seen(M:forall(C, A), Seen),
    aggregate_all(count, C1, N),
    asked((C, A), M, Asked),
    firsts(Asked, M, Ctx, Steps),
    '$explain_taint'(T).
special(findall(T, A, L), M, Ctx, node(aggregate, Seen, count(N), Steps)) :- !,
    asked(A, M, Asked),
    seen(M:findall(T, A, Result), Seen),
    inner_call(A, M, Ctx, A1),
    findall(T, A1, L0),
    length(L0, N),
    L = L0,
    with_result(Seen, Result, L),
    firsts(Asked, M, Ctx, Steps).
special(findall(T, A, L, R), M, Ctx, node(aggregate, Seen, count(N), Steps)) :- !,
    asked(A, M, Asked),
    seen(M:findall(T, A, Result, R), Seen),
    inner_call(A, M, Ctx, A1),
    findall(T, A1, L0),
    length(L0, N),
    append(L0, R, L),
    with_result(Seen, Result, L),
    firsts(Asked, M, Ctx, Steps).
special(aggregate_all(Spec, A, R), M, Ctx, node(aggregate, Seen, count(N), Steps)) :- !,
    asked(A, M, Asked),
    seen(M:aggregate_all(Spec, A, Result), Seen),
    inner_call(A, M, Ctx, A1),
    aggregate_all(Spec, A1, R),
    with_result(Seen, Result, R),
    Asked = asked(Goal, _),
    aggregate_all(count, M:Goal, N),
    firsts(Asked, M, Ctx, Steps).
special(aggregate_all(Spec, D, A, R), M, Ctx, node(aggregate, Seen, count(N), cut)) :- !,
    copy_term(D-A, AskedD-Asked),
    seen(M:aggregate_all(Spec, D, A, Result), Seen),
    inner_call(A, M, Ctx, A1),
    aggregate_all(Spec, D, A1, R),
    with_result(Seen, Result, R),
    aggregate_all(count, AskedD, M:Asked, N).
special(bagof(T, A, L), M, Ctx, Node) :- !,
    inner_call(A, M, Ctx, A1),
    bagof(T, A1, L),
    seen(M:bagof(T, A, L), Seen),
    bag_node(Seen, A, L, M, Ctx, Node).
special(setof(T, A, L), M, Ctx, Node) :- !,
    inner_call(A, M, Ctx, A1),
    setof(T, A1, L),
    seen(M:setof(T, A, L), Seen),
    bag_node(Seen, A, L, M, Ctx, Node).
special(phrase(B, L), M, Ctx, Node) :- !,
    special(phrase(B, L, []), M, Ctx, Node).
special(phrase(B, L, R), M, Ctx, Node) :- !,
    (   callable(B),
        '$strip_module'(M:B, M1, B1),
        \+ dcg_control(B1)
    ->  must_be(list_or_partial_list, L),
        must_be(list_or_partial_list, R),
        '$add_arguments'(B1, [L, R], G),
        same(Ctx, 1, Inner),
        Node = seq(at(1, N)),
        step(G, M1, Inner, N)
    ;   Node = node(builtin, Seen, [], none),
        called(M:phrase(B, L, R), Seen)
    ).
special(tnot(_), _, _, _) :-
    assumes(_),
    !,
    not_assumed.
special(tnot(A), M, Ctx, Node) :- !,
    call_delays(M:tnot(A), Condition),
    (   Condition == true
    ->  absent(M:tnot(A), Node)
    ;   inner(Ctx, 1, Inner),
        (   step(A, M, Inner, N)
        ->  Steps = at(1, N)
        ;   Steps = none
        ),
        Node = node(assumed, M:tnot(A), [], Steps)
    ).
special(G, M, _, node(assumed, M:G, [], none)) :-
    memberchk(G, [undefined, answer_count_restraint, radial_restraint]),
    !,
    M:G.
special(freeze(X, A), M, _, node(constraint, M:freeze(X, A), [], none)) :- !,
    freeze(X, M:A).
special(when(C, A), M, _, node(constraint, M:when(C, A), [], none)) :- !,
    when(C, M:A).
special(dif(X, Y), M, _, node(constraint, M:dif(X, Y), [], none)) :- !,
    dif(X, Y).
special(G, M, Ctx, seq(at(1, Node))) :-
    G =.. [Name, A|Extra],
    (   Name == (>>)
    ->  Extra = [Body|Args],
        lambda(A, Body, Args, M, Full)
    ;   add_arguments(A, Extra, M, Full)
    ),
    same(Ctx, 1, Inner),
    step(Full, M, Inner, Node).

% caught(+Goal, +Ball, +Recovery, +Module, +Context, -Node): the goal of catch/3 has thrown. An exception that stands
% for a limit of this run ends it.
caught(_, Ball, _, _, _, _) :-
    nonvar(Ball),
    Ball = error(Formal, _),
    nonvar(Formal),
    Formal = resource_error(_),
    !,
    throw(Ball).
caught(A, Ball, R, M, Ctx, node(builtin, Seen, caught(Ball), at(2, Node))) :-
    seen(M:catch(A, Ball, R), Seen),
    same(Ctx, 2, Inner),
    step(R, M, Inner, Node).

% with_result(+Seen, +Result, +Value): a goal that was seen before its call, with the variable Result in the place of its
% result, shows the value that it has got.
with_result(seen(_, Copies, Vs), Result, Value) :-
    nth_same(Vs, Copies, Result, Value).

nth_same([V|Vs], [C|Cs], Result, Value) :-
    (   V == Result
    ->  C = Value
    ;   nth_same(Vs, Cs, Result, Value)
    ).

% asked(+Goal, +Module, -Asked): Asked is Goal as it is before an aggregate collects its solutions: a copy, and the node
% that says that there are none.
asked(A, M, asked(Copy, Absent)) :-
    copy_term(A, Copy),
    absent(M:(\+ A), Absent).

% firsts(+Asked, +Module, +Context, -Steps): the proofs of the first three solutions of a goal, each as it was found.
firsts(_, _, ctx(0, [], _), cut) :- !.
firsts(asked(A, Absent), M, Ctx, Steps) :-
    findall(x, limited(3, M, A), List),
    (   List == []
    ->  Steps = at(1, Absent)
    ;   first_steps(List, 1, A, M, Ctx, Steps)
    ).

first_steps([], _, _, _, _, none).
first_steps([_|List], I, A, M, Ctx, and(at(I, Node), Steps)) :-
    inner(Ctx, I, Inner),
    findall(Found, catch(nth_found(I, A, M, Inner, Found), error(Formal, Context), failed_again(Formal, Context)), Nodes),
    (   Nodes = [Node]
    ->  true
    ;   seen(M:A, Seen),
        Node = node(builtin, Seen, [], none)
    ),
    I1 is I + 1,
    first_steps(List, I1, A, M, Ctx, Steps).

nth_found(N, A, M, Ctx, Node) :-
    State = count(0),
    step(A, M, Ctx, Node),
    arg(1, State, C0),
    C is C0 + 1,
    nb_setarg(1, State, C),
    C =:= N,
    !.

bag_node(Seen, A0, L, M, Ctx, node(aggregate, Seen, count(N), Steps)) :-
    length(L, N),
    plain_goal(A0, M, M1, A),
    asked(A, M1, Asked),
    firsts(Asked, M1, Ctx, Steps).

% wraps(+Meta, +Goal, +Context): goals among the arguments of a library predicate are to be seen.
wraps(Meta, G, Ctx) :-
    Meta \== none,
    Ctx \= ctx(0, [], none),
    arg(I, Meta, Spec),
    integer(Spec),
    arg(I, G, Arg),
    nonvar(Arg),
    !.

% library_goal(+Meta, +Goal, +Module, +Context, -Node): calls a library predicate; what its goals did are the steps.
library_goal(Meta, G, M, Ctx, node(builtin, Shown, calls(Count), Steps)) :-
    Meta =.. [_|Specs],
    G =.. [Name|Args],
    Seen = seen(0, []),
    wrapped(Specs, Args, M, Ctx, Seen, Args1),
    G1 =.. [Name|Args1],
    call(M:G1),
    seen(M:G, Shown),
    arg(1, Seen, Count),
    arg(2, Seen, List),
    seen_steps(List, none, Steps).

wrapped([], [], _, _, _, []).
wrapped([S|Ss], [A|As], M, Ctx, Seen, [B|Bs]) :-
    (   integer(S),
        nonvar(A)
    ->  B = explain_proofs:traced(Seen, Ctx, M:A)
    ;   ( integer(S) ; S == (:) ; S == (^) ; S == (//) )
    ->  B = M:A
    ;   B = A
    ),
    wrapped(Ss, As, M, Ctx, Seen, Bs).

seen_steps([], Steps, Steps).
seen_steps([Step|List], Steps0, Steps) :-
    (   Steps0 == none
    ->  seen_steps(List, Step, Steps)
    ;   seen_steps(List, and(Step, Steps0), Steps)
    ).

% traced(+Seen, +Context, :Goal, ?Extra...): calls a goal for a library predicate.
traced(Seen, Ctx, Goal) :-
    arg(1, Seen, N0),
    N is N0 + 1,
    (   N > 10
    ->  inner_call(Goal, user, Ctx, Inner),
        call(Inner),
        setarg(1, Seen, N)
    ;   inner(Ctx, N, Inner),
        step(Goal, user, Inner, Node),
        arg(2, Seen, List),
        setarg(1, Seen, N),
        setarg(2, Seen, [at(N, Node)|List])
    ).
traced(S, C, G, A1) :- add_arguments(G, [A1], user, F), traced(S, C, F).
traced(S, C, G, A1, A2) :- add_arguments(G, [A1, A2], user, F), traced(S, C, F).
traced(S, C, G, A1, A2, A3) :- add_arguments(G, [A1, A2, A3], user, F), traced(S, C, F).
traced(S, C, G, A1, A2, A3, A4) :- add_arguments(G, [A1, A2, A3, A4], user, F), traced(S, C, F).
traced(S, C, G, A1, A2, A3, A4, A5) :- add_arguments(G, [A1, A2, A3, A4, A5], user, F), traced(S, C, F).
traced(S, C, G, A1, A2, A3, A4, A5, A6) :- add_arguments(G, [A1, A2, A3, A4, A5, A6], user, F), traced(S, C, F).
traced(S, C, G, A1, A2, A3, A4, A5, A6, A7) :-
    add_arguments(G, [A1, A2, A3, A4, A5, A6, A7], user, F),
    traced(S, C, F).

% table_answer(+Goal, +Home, +Context, -Stamp, -Undefined): an answer of a tabled predicate that is old enough. The
% first call of the goal makes the table; a goal that is not tabled any more has no stamps.
table_answer(G, Home, Ctx, Stamp, Undefined) :-
    \+ \+ ( call(Home:G), fail ; true ),
    table_key(G, Home, Key, Tuple),
    (   '$explain_table'(Key, Table)
    ->  '$explain_answer'(Table, Key, Tuple, Stamp, Undefined),
        Ctx = ctx(_, _, Before),
        older(Stamp, Before)
    ;   call_delays(Home:G, Rests),
        Stamp = none,
        ( Rests == true -> Undefined = false ; Undefined = true )
    ).

older(Stamp, Before) :-
    (   Before == none
    ->  true
    ;   Stamp < Before
    ).

% table_key(+Goal, +Home, -Key, -Tuple): Key is the goal that the table is kept under.
table_key(G, Home, Key, Tuple) :-
    (   '$explain_clause'(Home:G, Body, _, _),
        table_body(Body, Key0, Tuple0)
    ->  Key = Key0,
        Tuple = Tuple0
    ).

table_body('$tbl_call'(Key), Key, _).
table_body('$tbl_moded'(G, Tuple, Width, Modes), '$moded'(G, Tuple, Width, Modes), Tuple).
table_body(_:Body, Key, Tuple) :- nonvar(Body), table_body(Body, Key, Tuple).
table_body((A, B), Key, Tuple) :- ( table_body(A, Key, Tuple) -> true ; table_body(B, Key, Tuple) ).

% table_node(+How, +Undefined, +Open, +Goal, +Home, +Context, +Stamp, -Node): the node of an answer Goal of the call
% Open. Its steps are those of a clause whose tabled goals have answers that were there before.
table_node(How, true, Open, G, Home, Ctx, Stamp, node(assumed, Home:G, At, Steps)) :- !,
    (   How \== opaque,
        Ctx \= ctx(0, [], _),
        Ctx = ctx(D, P, _),
        table_clause(Open, G, Home, ctx(D, P, Stamp), node(_, _, At, Steps))
    ->  true
    ;   At = [],
        Steps = none
    ).
table_node(opaque, _, _, G, Home, _, _, node(table, Home:G, [opaque], cut)) :- !.
table_node(_, _, _, G, Home, ctx(0, [], _), _, node(table, Home:G, [], cut)) :- !.
table_node(_, _, Open, G, Home, ctx(D, P, _), Stamp, Node) :-
    (   table_clause(Open, G, Home, ctx(D, P, Stamp), node(By, _, At, Steps))
    ->  table_by(By, Steps, By1),
        Node = node(By1, Home:G, At, Steps)
    ;   Node = node(table, Home:G, [], none)
    ).

% table_clause(+Open, +Goal, +Home, +Context, -Node): the clauses of a tabled predicate give the answer Goal of the call
% Open. Where that takes long the goal is called with the answer.
table_clause(Open0, G, Home, Ctx, Node) :-
    copy_term_nat(Open0, Open),
    behind_table(Open, Clause),
    call_with_inference_limit(explain_proofs:table_derived(Clause, Open, G, Home, Ctx, Node), 200000, R),
    R \== inference_limit_exceeded,
    !.
table_clause(_, G, Home, Ctx, Node) :-
    behind_table(G, Clause),
    clauses(Clause, Home, Ctx, Node),
    !.

table_derived(Clause, Open, G, Home, Ctx, Node) :-
    clauses(Clause, Home, Ctx, Node),
    Open =@= G,
    !.

% behind_table(+Goal, -Clause): Clause is the goal of the predicate that has the clauses of a tabled one.
behind_table(G, Clause) :-
    G =.. [Name|Args],
    atom_concat(Name, ' tabled', Behind),
    Clause =.. [Behind|Args].

table_by(By, Steps, By1) :-
    (   Steps == none
    ->  By1 = By
    ;   By1 = table
    ).
