% The proofs of library(explain): goals are interpreted down to some depth, and below that they run as ever.
:- module(explain_proofs, [
    step/4,
    completed/2,
    clauses/4
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
% node of an answer of a table is answer(How, Undefined, Goal, Home, Context, Stamp): the goals behind it choose among
% many answers, and only the proof of that one is wanted.

% completed(+Node0, -Node): Node is Node0 with the proofs of answers of tables.
completed(answer(How, Undefined, G, Home, Ctx, Stamp), Node) :- !,
    table_node(How, Undefined, G, Home, Ctx, Stamp, Node0),
    completed(Node0, Node).
completed(node(By, Goal, Info, Steps0), node(By, Goal, Info, Steps)) :- !,
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
goal(undefined, _, _, G, M, _, _, node(builtin, M:G, [], none)) :-
    call(M:G).
goal(builtin, How, Meta, G, M, _, Ctx, Node) :-
    (   special(G, M, Ctx, Node, Goal)
    ->  call(Goal)
    ;   How \== opaque,
        wraps(Meta, G, Ctx)
    ->  library_goal(Meta, G, M, Ctx, Node)
    ;   Node = node(builtin, M:G, [], none),
        call(M:G)
    ).
goal(constraint, _, _, G, M, _, _, node(constraint, M:G, [], none)) :-
    call(M:G).
goal(asking, _, _, G, M, _, _, node(asked, M:G, [], none)) :-
    call(M:G).
goal(sql, Table, _, G, M, _, _, node(sql, M:G, table(Table), none)) :-
    call(M:G).
goal(user, How, Meta, G, M, Home, Ctx, Node) :-
    own_goal(How, clauses, Meta, G, M, Home, Ctx, Node).
goal(ssu, How, Meta, G, M, Home, Ctx, Node) :-
    own_goal(How, ssu_clauses, Meta, G, M, Home, Ctx, Node).
goal(tabled, How, _, G, _, Home, Ctx, Node) :-
    table_answer(G, Home, Ctx, Stamp, Undefined),
    Node = answer(How, Undefined, G, Home, Ctx, Stamp).

% own_goal(+How, :Clauses, +Meta, +Goal, +Module, +Home, +Context, -Node): calls a goal of a predicate of the program,
% whose clauses Clauses goes through.
own_goal(How, Clauses, Meta, G, M, Home, Ctx, Node) :-
    qualified(Meta, G, M, Home, G1),
    (   How == opaque
    ->  Node = node(rule, Home:G, [opaque], cut),
        call(Home:G1)
    ;   call(explain_proofs:Clauses, G1, Home, Ctx, Node)
    ).

% clauses(+Goal, +Home, +Context, -Node): calls the clauses of a predicate. A cut goes to the choice point before them.
clauses(G, Home, Ctx, Node) :-
    '$choice_point'(Frame),
    open_arguments(G, Open),
    '$explain_clause'(Home:G, Body, At, By),
    Node = node(By, Home:G, called(Open, At, _, _), Steps),
    clause_body(By, Body, Home, Ctx, Steps, Goal),
    '$body'(Goal, Frame).

% open_arguments(+Goal, -Open): Open is Goal before a clause binds its variables: with others in the place of those.
open_arguments(G, Open) :-
    (   atom(G)
    ->  Open = G
    ;   G =.. [Name|Args],
        open_each(Args, Args1),
        Open =.. [Name|Args1]
    ).

open_each([], []).
open_each([A|As], [B|Bs]) :-
    (   var(A)
    ->  true
    ;   B = A
    ),
    open_each(As, Bs).

clause_body(By, Body, Home, Ctx, Steps, Goal) :-
    (   Body == true
    ->  Steps = none,
        Goal = true
    ;   Ctx = ctx(0, [], Before)
    ->  Steps = cut,
        (   Before == none
        ->  Goal = Home:Body
        ;   body(Body, Home, Ctx, inner, 1, _, _, Goal)
        )
    ;   By == rule
    ->  body(Body, Home, Ctx, inner, 1, _, Steps, Goal)
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
        Node = node(rule, Home:G, At, Steps),
        clause_body(rule, Body, Home, Ctx, Steps, Goal)
    ;   Goal = Home:G,
        Node = node(rule, Home:G, [], none)
    ),
    '$body'(Goal, Frame).

% body(+Body0, +Module, +Context, +Inner, +I0, -I, -Steps, -Body): Body is Body0 with its goals called by step/4,
% numbered from I0. Inner says how their contexts come from this one.
body(V, M, Ctx, In, I0, I, at(I0, Node), explain_proofs:step(V, M, Inner, Node)) :-
    var(V),
    !,
    I is I0 + 1,
    context(In, Ctx, I0, Inner).
body((A, B), M, Ctx, In, I0, I, and(S, T), (A1, B1)) :- !,
    body(A, M, Ctx, In, I0, I1, S, A1),
    body(B, M, Ctx, In, I1, I, T, B1).
body((C -> A ; B), M, _, _, I0, I, at(I0, node(constraint, M:Constraint, [], none)), M:(C -> A ; B)) :-
    expanded_constraint(B, Constraint),
    !,
    I is I0 + 1.
body((C -> A ; B), M, Ctx, In, I0, I, S, (C1 -> S = and(SC, SA), A1 ; S = and(at(I0, NotC), SB), B1)) :- !,
    NotC = node(absent, M:(\+ C), _, none),
    body(C, M, Ctx, In, I0, I1, SC, C1),
    body(A, M, Ctx, In, I1, I2, SA, A1),
    body(B, M, Ctx, In, I2, I, SB, B1).
body((C *-> A ; B), M, Ctx, In, I0, I, S, (C1 *-> S = and(SC, SA), A1 ; S = and(at(I0, NotC), SB), B1)) :- !,
    NotC = node(absent, M:(\+ C), _, none),
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
body(\+ A, M, _, _, I0, I, at(I0, node(absent, M:(\+ A), _, none)), \+ M:A) :- !,
    I is I0 + 1.
body(!, _, _, _, I0, I, at(I0, cut), !) :- !,
    I is I0 + 1.
body(true, _, _, _, I, I, none, true) :- !.
body(M:A, _, Ctx, In, I0, I, S, A1) :-
    atom(M),
    nonvar(A),
    !,
    body(A, M, Ctx, In, I0, I, S, A1).
body(G, M, _, _, I0, I, at(I0, node(By, M:G, [], none)), M:G) :-
    leaf(G, M, By),
    !,
    I is I0 + 1.
body(G, M, Ctx, In, I0, I, at(I0, Node), explain_proofs:step(G, M, Inner, Node)) :-
    I is I0 + 1,
    context(In, Ctx, I0, Inner).

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
    (   step(A, M, Inner, Node)
    ->  true
    ).
special(ignore(A), M, Ctx, seq(at(1, Node))) :- !,
    same(Ctx, 1, Inner),
    (   step(A, M, Inner, Node)
    ->  true
    ;   Node = node(absent, M:(\+ A), _, none)
    ).
special(not(A), M, _, node(absent, M:(\+ A), _, none)) :- !,
    \+ M:A.
special(catch(A, C, R), M, Ctx, Node) :- !,
    same(Ctx, 1, Inner),
    catch(( step(A, M, Inner, N), Node = seq(at(1, N)) ), C, caught(A, C, R, M, Ctx, Node)).
special(forall(C, A), M, Ctx, Node) :- !,
    call(M:forall(C, A)),
    Node = node(aggregate, M:forall(C, A), count(N), Steps),
    aggregate_all(count, M:C, N),
    firsts(true, (C, A), [], M, Ctx, Steps).
special(findall(T, A, L), M, Ctx, node(aggregate, M:findall(T, A, L), count(N), Steps)) :- !,
    findall(T, M:A, L0),
    length(L0, N),
    L = L0,
    firsts(T, A, L0, M, Ctx, Steps).
special(findall(T, A, L, R), M, Ctx, node(aggregate, M:findall(T, A, L, R), count(N), Steps)) :- !,
    findall(T, M:A, L0),
    length(L0, N),
    append(L0, R, L),
    firsts(T, A, L0, M, Ctx, Steps).
special(aggregate_all(Spec, A, R), M, Ctx, node(aggregate, M:aggregate_all(Spec, A, R), count(N), Steps)) :- !,
    call(M:aggregate_all(Spec, A, R)),
    aggregate_all(count, M:A, N),
    firsts(true, A, [], M, Ctx, Steps).
special(aggregate_all(Spec, D, A, R), M, _, node(aggregate, M:aggregate_all(Spec, D, A, R), count(N), cut)) :- !,
    call(M:aggregate_all(Spec, D, A, R)),
    aggregate_all(count, D, M:A, N).
special(bagof(T, A, L), M, Ctx, Node) :- !,
    call(M:bagof(T, A, L)),
    bag_node(bagof(T, A, L), T, A, L, M, Ctx, Node).
special(setof(T, A, L), M, Ctx, Node) :- !,
    call(M:setof(T, A, L)),
    bag_node(setof(T, A, L), T, A, L, M, Ctx, Node).
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
    ;   Node = node(builtin, M:phrase(B, L, R), [], none),
        call(M:phrase(B, L, R))
    ).
special(tnot(A), M, Ctx, Node) :- !,
    call_delays(M:tnot(A), Condition),
    (   Condition == true
    ->  Node = node(absent, M:tnot(A), _, none)
    ;   inner(Ctx, 1, Inner),
        (   step(A, M, Inner, N)
        ->  Steps = at(1, N)
        ;   Steps = none
        ),
        Node = node(assumed, M:tnot(A), [], Steps)
    ).
special(undefined, M, _, node(assumed, M:undefined, [], none)) :- !,
    undefined.
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
caught(A, Ball, R, M, Ctx, node(builtin, M:catch(A, Ball, R), caught(Ball), at(2, Node))) :-
    same(Ctx, 2, Inner),
    step(R, M, Inner, Node).

% firsts(+Template, +Goal, +Results, +Module, +Context, -Steps): the proofs of the first three solutions of a goal.
firsts(_, _, _, _, ctx(0, [], _), cut) :- !.
firsts(T, A, _, M, Ctx, Steps) :-
    findall(T-A, limited(3, M, A), List),
    (   List == []
    ->  Steps = at(1, node(absent, M:(\+ A), _, none))
    ;   first_steps(List, T, 1, M, Ctx, Steps)
    ).

first_steps([], _, _, _, _, none).
first_steps([_-A|List], T, I, M, Ctx, and(at(I, Node), Steps)) :-
    inner(Ctx, I, Inner),
    (   catch(step(A, M, Inner, Node), error(Formal, Context), failed_again(Formal, Context))
    ->  true
    ;   Node = node(builtin, M:A, [], none)
    ),
    I1 is I + 1,
    first_steps(List, T, I1, M, Ctx, Steps).

bag_node(G, T, A0, L, M, Ctx, node(aggregate, M:G, count(N), Steps)) :-
    length(L, N),
    plain_goal(A0, M, M1, A),
    firsts(T, A, L, M1, Ctx, Steps).

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
library_goal(Meta, G, M, Ctx, node(builtin, M:G, calls(Count), Steps)) :-
    Meta =.. [_|Specs],
    G =.. [Name|Args],
    Seen = seen(0, []),
    wrapped(Specs, Args, M, Ctx, Seen, Args1),
    G1 =.. [Name|Args1],
    call(M:G1),
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
    ->  call(Goal),
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
    ;   call(Home:G),
        Stamp = none,
        Undefined = false
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

% table_node(+How, +Undefined, +Goal, +Home, +Context, +Stamp, -Node): the node of an answer. Its steps are those of a
% clause whose tabled goals have answers that were there before.
table_node(How, true, G, Home, Ctx, Stamp, node(assumed, Home:G, At, Steps)) :- !,
    (   How \== opaque,
        Ctx \= ctx(0, [], _),
        behind_table(G, Clause),
        Ctx = ctx(D, P, _),
        clauses(Clause, Home, ctx(D, P, Stamp), node(_, _, At, Steps))
    ->  true
    ;   At = [],
        Steps = none
    ).
table_node(opaque, _, G, Home, _, _, node(table, Home:G, [opaque], cut)) :- !.
table_node(_, _, G, Home, ctx(0, [], _), _, node(table, Home:G, [], cut)) :- !.
table_node(_, _, G, Home, ctx(D, P, _), Stamp, Node) :-
    behind_table(G, Clause),
    (   clauses(Clause, Home, ctx(D, P, Stamp), node(By, _, At, Steps))
    ->  table_by(By, Steps, By1),
        Node = node(By1, Home:G, At, Steps)
    ;   Node = node(table, Home:G, [], none)
    ).

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
