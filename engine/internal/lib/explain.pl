% Why a goal has an answer, and what was missing when it has none.
%
% Nothing is recorded when a goal runs. proof/3 and misses/3 run it again: the clauses of the program are
% interpreted down to some depth, and below that they run as ever.
:- module(explain, [
    proof/3,
    misses/3
]).

:- meta_predicate
    proof(0, -, +),
    misses(0, -, +).

% proof(:Goal, -Proof, +Options): calls Goal; Proof says why its answer holds. It is proof(Nodes, More): Nodes is a list
% of node(Id, Goal, By, At, From, Extra), the first one for Goal; More lists the nodes that were cut.
%
% Options are depth(N), nodes(N), and node(Id) for the proof of a node that was cut.
proof(Goal, Proof, Options) :-
    '$must_be_list'(Options),
    option_of(node(Id), Options, n1),
    '$explain_path'(Id, Path),
    option_of(depth(Depth), Options, 5),
    must_be(nonneg, Depth),
    why(Goal, Depth, Path, Raw),
    '$explain_proof'(Raw, Options, Proof).

% misses(:Goal, -Misses, +Options): Misses is a list of miss(Goal, At, Held, Total, Failed, Extra) that says what was
% missing for Goal to have an answer, the nearest first. It is empty when Goal has one.
misses(Goal, Misses, Options) :-
    '$must_be_list'(Options),
    why_not(Goal, Raw),
    '$explain_misses'(Raw, Options, Misses).

'$must_be_list'(Options) :- must_be(list, Options).

option_of(Option, Options, Default) :-
    functor(Option, Name, 1),
    functor(General, Name, 1),
    arg(1, Option, Value),
    (   memberchk(General, Options)
    ->  arg(1, General, Value)
    ;   Value = Default
    ).

% why(:Goal, +Depth, +Path, -Raw): calls Goal; Raw is what the graph of its proof is made of. Path leads from the goal
% to the node whose proof is wanted: numbers of goals within clauses.
why(Goal, Depth, Path, proof(Path, Node)) :-
    '$explain_begin',
    Inner is Depth + 3,
    step(Goal, user, ctx(Inner, Path, none), Node0),
    completed(Node0, Node),
    absences(Path, Node).

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
% not looked at, at(Index, Node), and(Steps, Steps), or branch(Which, Steps). While goals are still to be called the node
% of an answer of a table is answer(How, Undefined, Goal, Home, Context, Stamp): the goals behind it choose among many
% answers, and only the proof of that one is wanted.

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

control((_, _)).
control((_ ; _)).
control((_ -> _)).
control((_ *-> _)).
control(\+ _).
control(!).

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
    ;   call(explain:Clauses, G1, Home, Ctx, Node)
    ).

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

% clause_cuts(+Body): the body has a cut of its clause, and none that is local to a condition.
clause_cuts(Body) :-
    cuts_in(Body, none, clause).

% cuts_in(+Body, +Seen0, -Seen): Seen is clause when there are cuts of the clause alone.
cuts_in(V, S, S) :- var(V), !.
cuts_in((A, B), S0, S) :- !, cuts_in(A, S0, S1), cuts_in(B, S1, S).
cuts_in((C -> A), S0, S) :- !, \+ cuts_in(C, none, clause), cuts_in(A, S0, S).
cuts_in((C *-> A), S0, S) :- !, \+ cuts_in(C, none, clause), cuts_in(A, S0, S).
cuts_in((A ; B), S0, S) :- !, cuts_in(A, S0, S1), cuts_in(B, S1, S).
cuts_in(!, _, S) :- !, S = clause.
cuts_in(_, S, S).

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
        ssu_body(Single, Head, Body0, Body),
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

% ssu_body(+Single, +Head, +Body0, -Body): Body is the body of a clause Head => Body0, or of another one, with a cut behind
% the guard. Head is as in the text.
ssu_body(false, _, Body, Body).
ssu_body(true, Head, Body0, Body) :-
    (   Body0 = ('$guard'(Guard0), Rest)
    ->  strict_guard(Guard0, Head, Guard),
        Body = (call(Guard), !, Rest)
    ;   Body = (!, Body0)
    ).

% strict_guard(+Guard0, +Head, -Guard): the unifications with which a guard begins do not bind the arguments of the head.
strict_guard(Guard, _, Guard) :-
    var(Guard),
    !.
strict_guard((A, B), Head, Guard) :-
    nonvar(A),
    A = (_ = _),
    !,
    strict_unification(A, Head, A1),
    strict_guard(B, Head, B1),
    Guard = (A1, B1).
strict_guard(A, Head, Guard) :-
    (   A = (_ = _)
    ->  strict_unification(A, Head, Guard)
    ;   Guard = A
    ).

strict_unification((X = Y), Head, Goal) :-
    (   head_argument(X, Y, Head)
    ->  Goal = (subsumes_term(Y, X), X = Y)
    ;   head_argument(Y, X, Head)
    ->  Goal = (subsumes_term(X, Y), X = Y)
    ;   Goal = (X = Y)
    ).

head_argument(X, Y, Head) :-
    var(X),
    nonvar(Y),
    compound(Head),
    arg(_, Head, Z),
    Z == X,
    !.

% body(+Body0, +Module, +Context, +Inner, +I0, -I, -Steps, -Body): Body is Body0 with its goals called by step/4,
% numbered from I0. Inner says how their contexts come from this one.
body(V, M, Ctx, In, I0, I, at(I0, Node), explain:step(V, M, Inner, Node)) :-
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
body(G, M, Ctx, In, I0, I, at(I0, Node), explain:step(G, M, Inner, Node)) :-
    I is I0 + 1,
    context(In, Ctx, I0, Inner).

% expanded_constraint(+Else, -Constraint): what the loader has made of a constraint ends with the constraint itself.
expanded_constraint(V, _) :- var(V), !, fail.
expanded_constraint(clpfd:C, C).
expanded_constraint((_ -> _ ; B), C) :- expanded_constraint(B, C).

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
special(G, M, Ctx, Node, explain:special(G, M, Ctx, Node)) :- special_head(G).

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
special_head(G) :-
    functor(G, Name, N),
    (   Name == call
    ->  N > 1
    ;   Name == (>>)
    ->  N > 1
    ).

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
special(tnot(A), M, _, Node) :- !,
    call_delays(M:tnot(A), Condition),
    (   Condition == true
    ->  Node = node(absent, M:tnot(A), _, none)
    ;   Node = node(assumed, M:tnot(A), [], none)
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

dcg_control(B) :- var(B).
dcg_control(B) :- control(B).
dcg_control([]).
dcg_control([_|_]).
dcg_control({_}).
dcg_control(call(_)).
dcg_control(B) :- string(B).
dcg_control(B) :- compound(B), compound_name_arity(B, call, _).

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

% firsts(+Template, +Goal, +Results, +Module, +Context, -Steps): the proofs of the first three solutions of a goal.
firsts(_, _, _, _, ctx(0, [], _), cut) :- !.
firsts(T, A, _, M, Ctx, Steps) :-
    findall(T-A, limited(3, M, A), List),
    (   List == []
    ->  Steps = at(1, node(absent, M:(\+ A), _, none))
    ;   first_steps(List, T, 1, M, Ctx, Steps)
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

first_steps([], _, _, _, _, none).
first_steps([_-A|List], T, I, M, Ctx, and(at(I, Node), Steps)) :-
    inner(Ctx, I, Inner),
    (   catch(step(A, M, Inner, Node), error(Formal, Context), failed_again(Formal, Context))
    ->  true
    ;   Node = node(builtin, M:A, [], none)
    ),
    I1 is I + 1,
    first_steps(List, T, I1, M, Ctx, Steps).

failed_again(Formal, Context) :-
    (   nonvar(Formal),
        Formal = resource_error(_)
    ->  throw(error(Formal, Context))
    ;   fail
    ).

bag_node(G, T, A0, L, M, Ctx, node(aggregate, M:G, count(N), Steps)) :-
    length(L, N),
    plain_goal(A0, M, M1, A),
    firsts(T, A, L, M1, Ctx, Steps).

plain_goal(A0, M0, M, A) :-
    '$strip_module'(M0:A0, M1, A1),
    (   nonvar(A1),
        A1 = _^A2
    ->  plain_goal(A2, M1, M, A)
    ;   M = M1,
        A = A1
    ).

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
    ->  B = explain:traced(Seen, Ctx, M:A)
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
table_node(_, true, G, Home, _, _, node(assumed, Home:G, [], none)) :- !.
table_node(opaque, _, G, Home, _, _, node(table, Home:G, [opaque], cut)) :- !.
table_node(_, _, G, Home, ctx(0, [], _), _, node(table, Home:G, [], cut)) :- !.
table_node(_, _, G, Home, ctx(D, P, _), Stamp, Node) :-
    G =.. [Name|Args],
    atom_concat(Name, ' tabled', Behind),
    Clause =.. [Behind|Args],
    (   clauses(Clause, Home, ctx(D, P, Stamp), node(By, _, At, Steps))
    ->  table_by(By, Steps, By1),
        Node = node(By1, Home:G, At, Steps)
    ;   Node = node(table, Home:G, [], none)
    ).

table_by(By, Steps, By1) :-
    (   Steps == none
    ->  By1 = By
    ;   By1 = table
    ).

% absences(+Path, +Node): the first absent nodes of the proof that is wanted get their nearest misses.
absences(Path, Node0) :-
    (   node_at(Path, Node0, Node)
    ->  absent_nodes([Node], 1000, 8, Absent),
        nearest_misses(Absent),
        cut_clauses([Node], 200)
    ;   true
    ).

% cut_clauses(+Nodes, +Visits): the nodes of clauses get the places of those that a cut in them left out, and of one before
% them that would have left them out, with what it lacks.
cut_clauses([], _) :- !.
cut_clauses(_, 0) :- !.
cut_clauses([Node|Nodes], V0) :-
    V is V0 - 1,
    (   node_steps(Node, Steps),
        nonvar(Steps)
    ->  cut_by(Node),
        findall_steps(Steps, Inner, []),
        append(Nodes, Inner, All),
        cut_clauses(All, V)
    ;   cut_clauses(Nodes, V)
    ).

cut_by(node(_, Home:_, Info, Steps)) :-
    nonvar(Info),
    Info = called(Goal, At, Places, Before),
    At = at(File, Line, Body),
    !,
    (   clause_cuts(Body),
        has_cut(Steps)
    ->  State = later(false, 0, 0),
        findall(Place, later_clause(Home:Goal, [File, Line], State, Place), Places)
    ;   true
    ),
    (   catch(call_with_inference_limit(explain:clause_before(Home:Goal, File, Line, Before0), 50000, R), Ball,
            ball_outcome(Ball, _)),
        R \== inference_limit_exceeded,
        nonvar(Before0)
    ->  Before = Before0
    ;   true
    ).
cut_by(_).

% clause_before(+Goal, +File, +Line, -Before): Before is before(Place, Misses) of the first clause before the one in a line
% that ends in a cut which the goal has not come to. Of an argument that both the call and the head give a value, that of
% the head counts if it stands there: outputs of the goal have the values of its answer.
clause_before(Home:Goal, File, Line, before(At, Misses)) :-
    functor(Goal, Name, Arity),
    functor(Head, Name, Arity),
    State = seen(0),
    '$explain_clause'(Home:Head, Body, At, _),
    arg(1, State, N0),
    (   ( At = at(File, Line, _) ; N0 >= 50 )
    ->  !,
        fail
    ;   N is N0 + 1,
        nb_setarg(1, State, N)
    ),
    (   Arity >= 2,
        Before is Arity - 1,
        arg(Before, Head, Text),
        arg(Arity, Head, Rest),
        marked_body(Body, Text, Rest, Marked)
    ->  true
    ;   Marked = Body
    ),
    before_cut(Marked, Test),
    \+ ( arg(I, Head, A), nonvar(A), arg(I, Goal, B), A \= B ),
    !,
    given_arguments(1, Arity, Head, Goal),
    nb_setval('$explain_most', 50000),
    body_miss(Test, Home, Home:Head, At, clause, level(2, []), Miss, _),
    Miss \== holds,
    Misses = [Miss].

given_arguments(I, Arity, Head, Goal) :-
    (   I > Arity
    ->  true
    ;   arg(I, Head, A),
        arg(I, Goal, B),
        ( nonvar(B), A = B -> true ; true ),
        I1 is I + 1,
        given_arguments(I1, Arity, Head, Goal)
    ).

% before_cut(+Body, -Test): Test are the goals before the first cut.
before_cut(V, _) :- var(V), !, fail.
before_cut((A, B), Test) :-
    (   A == !
    ->  Test = true
    ;   nonvar(A),
        A = (_, _)
    ->  before_cut(A, Test)
    ;   B == !
    ->  Test = A
    ;   nonvar(B),
        B = (_, _),
        before_cut(B, Rest),
        Test = (A, Rest)
    ).

has_cut(Steps) :- nonvar(Steps), has_cut_(Steps).

has_cut_(at(_, Node)) :- Node == cut.
has_cut_(and(A, _)) :- has_cut(A), !.
has_cut_(and(_, B)) :- has_cut(B).

% later_clause(+Goal, +From, +State, -Place): the places of the first clauses behind the one that stands at From whose
% heads have no argument that contradicts the goal. That two are the same variable does not count: outputs of the goal
% have the values of its answer.
later_clause(Home:Goal, [File, Line|_], State, at(File1, Line1, none)) :-
    functor(Goal, Name, Arity),
    functor(Head, Name, Arity),
    '$explain_clause'(Home:Head, _, At, _),
    arg(3, State, Seen0),
    Seen is Seen0 + 1,
    nb_setarg(3, State, Seen),
    (   Seen >= 1000
    ->  !
    ;   true
    ),
    At = at(File1, Line1, _),
    (   arg(1, State, true)
    ->  \+ ( arg(I, Head, A), nonvar(A), arg(I, Goal, B), A \= B ),
        arg(2, State, N0),
        N is N0 + 1,
        nb_setarg(2, State, N),
        ( N >= 5 -> ! ; true )
    ;   File1 == File,
        Line1 == Line,
        nb_setarg(1, State, true),
        fail
    ).

node_at([], Node, Node).
node_at([I|Is], Node0, Node) :-
    node_steps(Node0, Steps),
    step_at(Steps, I, Next),
    !,
    node_at(Is, Next, Node).

node_steps(node(_, _, _, Steps), Steps).
node_steps(seq(Steps), Steps).

step_at(Steps, _, _) :- var(Steps), !, fail.
step_at(at(I, Node), I, Node).
step_at(and(A, B), I, Node) :- ( step_at(A, I, Node) ; step_at(B, I, Node) ).

% absent_nodes(+Nodes, +Visits, +Most, -Absent): absent nodes without their reasons, those near to the goal first.
absent_nodes([], _, _, []) :- !.
absent_nodes(_, 0, _, []) :- !.
absent_nodes(_, _, 0, []) :- !.
absent_nodes([Node|Nodes], V0, N0, Absent) :-
    V is V0 - 1,
    (   Node = node(absent, _, Info, _),
        var(Info)
    ->  Absent = [Node|Rest],
        N is N0 - 1,
        absent_nodes(Nodes, V, N, Rest)
    ;   node_steps(Node, Steps)
    ->  findall_steps(Steps, Inner, []),
        append(Nodes, Inner, All),
        absent_nodes(All, V, N0, Absent)
    ;   absent_nodes(Nodes, V, N0, Absent)
    ).

findall_steps(Steps, List, List) :- var(Steps), !.
findall_steps(and(A, B), List0, List) :- !,
    findall_steps(A, List0, List1),
    findall_steps(B, List1, List).
findall_steps(at(_, Node), [Node|List], List) :- nonvar(Node), !.
findall_steps(_, List, List).

nearest_misses(Nodes) :-
    nb_setval('$explain_most', 50000),
    nearest_misses_of(Nodes).

nearest_misses_of([]).
nearest_misses_of([node(absent, M:Goal, Info, _)|Nodes]) :-
    (   negated(Goal, A),
        catch(call_with_inference_limit(explain:goal_misses(A, M, level(2, []), Misses), 50000, R), Ball, ball_outcome(Ball, _)),
        R \== inference_limit_exceeded,
        nonvar(Misses)
    ->  Info = missing(Misses)
    ;   Info = []
    ),
    nearest_misses_of(Nodes).

% why_not(:Goal, -Raw): Raw is misses(List): what was missing for Goal to have an answer, nothing when it has one.
why_not(Goal, Raw) :- why_not(Goal, 2000000, Raw).

% why_not(:Goal, +Most, -Raw): the same, where Most bounds the inferences of each goal that is tried.
why_not(Goal, Most, misses(M:G, List)) :-
    '$strip_module'(Goal, M, G),
    '$must_be_callable'(G),
    nb_setval('$explain_most', Most),
    goal_misses(G, M, level(1, []), List).

% A raw miss is miss(Kind, Goal, Place, Held, Total, Failed, Because): of the Total goals of a clause those in Held have
% solutions together, with which Failed has none; Because are the misses of that, the nearest first. A list of misses
% ends with more(N) when N others were left out. Because may also have needs(Goals), and others(N, Goals,
% Heads) when N other instances of Failed were called, some of which are Goals and belong to Heads, and unended when the
% limit came before the end of these.
%
% A level is level(N, Goals): how deep a goal lies below the one that is explained, and the goals on the way to it whose
% clauses were looked at.

% goal_misses(+Goal, +Module, +Level, -Misses): no misses when the goal has a solution.
goal_misses(Goal, M, Level, Misses) :-
    '$plain_goal'(Goal, G),
    (   G = (\+ _)
    ->  builtin_misses(G, M, Level, Misses)
    ;   control(G)
    ->  body_miss(G, M, M:G, [], body, Level, Miss, _),
        some_miss(Miss, Misses)
    ;   '$explain_pred'(M:G, Home, Kind, How, Meta),
        kind_misses(Kind, How, Meta, G, M, Home, Level, Misses)
    ).

some_miss(holds, []) :- !.
some_miss(Miss, [Miss]).

kind_misses(undefined, _, _, G, M, _, _, [miss(unknown, M:G, [], [], 0, none, [])]).
kind_misses(builtin, _, _, G, M, _, Level, Misses) :- builtin_misses(G, M, Level, Misses).
kind_misses(constraint, _, _, G, M, _, _, Misses) :- false_miss(G, M, Misses).
kind_misses(asking, _, _, G, M, _, _, Misses) :-
    tried(M:G, Outcome),
    (   Outcome == fails,
        answer_of(G, M, Answer)
    ->  Misses = [miss(answered, M:G, [], [], 0, M:Answer, [])]
    ;   outcome_misses(Outcome, G, M, Misses)
    ).
kind_misses(sql, Table, _, G, M, _, _, Misses) :-
    tried(M:G, Outcome),
    (   Outcome == fails
    ->  known_rows(G, M, Known),
        Misses = [miss(norow, M:G, [], [], 0, row(Table, Known), [])]
    ;   outcome_misses(Outcome, G, M, Misses)
    ).
kind_misses(user, How, Meta, G, M, Home, Level, Misses) :-
    qualified(Meta, G, M, Home, G1),
    (   How == opaque
    ->  false_miss(G1, Home, Misses)
    ;   clause_misses(G1, G1, Home, Level, Misses)
    ).
kind_misses(ssu, _, Meta, G, M, Home, Level, Misses) :-
    qualified(Meta, G, M, Home, G1),
    rule_misses(G1, Home, Level, Misses).
kind_misses(tabled, How, _, G, _, Home, Level, Misses) :-
    (   How == opaque
    ->  false_miss(G, Home, Misses)
    ;   G =.. [Name|Args],
        atom_concat(Name, ' tabled', Behind),
        Clause =.. [Behind|Args],
        clause_misses(Clause, G, Home, Level, Misses)
    ).

% answer_of(+Goal, +Module, -Answer): what the user has answered to a question, whose last argument that is.
answer_of(G, M, Answer) :-
    G =.. Parts,
    append(Question, [_], Parts),
    append(Question, [Answer], Asked),
    Any =.. Asked,
    catch(M:Any, error(Formal, Context), failed_again(Formal, Context)),
    !.

% false_miss(+Goal, +Module, -Misses): a goal that is not looked into.
false_miss(G, M, Misses) :-
    tried(M:G, Outcome),
    outcome_misses(Outcome, G, M, Misses).

outcome_misses(holds, _, _, []).
outcome_misses(fails, G, M, [miss(false, M:G, [], [], 0, Goals, [])]) :-
    (   catch(term_attvars(G, []), _, true)
    ->  (   result_at(G, M, I),
            answer_with(G, I, M, Other)
        ->  arg(I, Other, Value),
            Goals = known(I, [Value], 1)
        ;   Goals = none
        )
    ;   copy_term(G, Copy, List),
        Goals = M:(Copy-List)
    ).
outcome_misses(open, G, M, [miss(limit, M:G, [], [], 0, none, [])]).
outcome_misses(threw(Ball), G, M, [miss(error, M:G, [], [], 0, M:Ball, [])]).

% result_at(+Goal, +Module, -I): the argument of a predicate of the system that is likely to be its result.
result_at(_ is _, _, 1) :- !.
result_at(G, M, I) :-
    functor(G, _, I),
    I > 1,
    G \= (_ = _),
    '$explain_pred'(M:G, _, builtin, _, Meta),
    (   Meta == none
    ->  true
    ;   special_head(G),
        \+ G = forall(_, _)
    ).

% tried(:Goal, -Outcome): whether a goal holds, fails, throws, or does not come to an end within bounds.
tried(Goal, Outcome) :-
    nb_getval('$explain_most', Most),
    tried(Goal, Most, Outcome).

% few_inferences(-Few): the bound of a goal that is tried besides.
few_inferences(Few) :-
    nb_getval('$explain_most', Most),
    Few is min(10000, Most // 20).

% tried(:Goal, +Inferences, -Outcome): the same with a bound.
tried(Goal, Most, Outcome) :-
    (   catch(( call_with_inference_limit(\+ \+ Goal, Most, R), open_or_holds(R, Outcome0) ), Ball,
            ball_outcome(Ball, Outcome0))
    ->  true
    ;   Outcome0 = fails
    ),
    Outcome = Outcome0.

open_or_holds(R, Outcome) :-
    (   R == inference_limit_exceeded
    ->  Outcome = open
    ;   Outcome = holds
    ).

ball_outcome(Ball, Outcome) :-
    (   nonvar(Ball),
        Ball = error(Formal, _),
        nonvar(Formal),
        Formal = resource_error(_)
    ->  throw(Ball)
    ;   Outcome = threw(Ball)
    ).

builtin_misses(G, M, Level, Misses) :-
    (   inner_goal(G, M, Inner)
    ->  '$strip_module'(Inner, M1, G1),
        '$must_be_callable'(G1),
        goal_misses(G1, M1, Level, Misses)
    ;   (   negated(G, A)
        ->  tried(M:A, Outcome),
            negated_misses(Outcome, A, G, M, Misses)
        ;   G = forall(C, A)
        ->  counterexample(C, A, G, M, Level, Misses)
        ;   false_miss(G, M, Misses)
        )
    ).

% inner_goal(+Goal, +Module, -Inner): a goal that fails where another one does.
inner_goal(call(A), M, M:A).
inner_goal(once(A), M, M:A).
inner_goal(catch(A, _, _), M, M:A).
inner_goal(setof(_, A0, _), M, M1:A) :- plain_goal(A0, M, M1, A), tried(M1:A, fails).
inner_goal(bagof(_, A0, _), M, M1:A) :- plain_goal(A0, M, M1, A), tried(M1:A, fails).
inner_goal(aggregate_all(Spec, A, _), M, M:A) :-
    nonvar(Spec),
    functor(Spec, Name, _),
    memberchk(Name, [max, min]),
    tried(M:A, fails).
inner_goal(phrase(B, L), M, Inner) :- inner_goal(phrase(B, L, []), M, Inner).
inner_goal(phrase(B, L, R), M, Inner) :-
    '$strip_module'(M:B, M1, B1),
    callable(B1),
    \+ dcg_control(B1),
    add_arguments(B1, [L, R], M1, Inner).
inner_goal(G, M, Inner) :-
    compound(G),
    G =.. [call, A|Extra],
    Extra \== [],
    callable(A),
    add_arguments(A, Extra, M, Inner).
inner_goal(G, M, Inner) :-
    compound(G),
    G =.. [>>, Parameters, Body|Args],
    Args \== [],
    lambda(Parameters, Body, Args, M, Inner).
inner_goal(G, M, Inner) :-
    compound(G),
    \+ negated(G, _),
    G \= forall(_, _),
    '$explain_pred'(M:G, _, builtin, _, Meta),
    Meta \== none,
    last_called(Meta, G, M, Inner),
    tried(Inner, fails).

% last_called(+Meta, +Goal, +Module, -Inner): the goal that a library predicate has called last.
last_called(Meta, G, M, Inner) :-
    Meta =.. [_|Specs],
    G =.. [Name|Args],
    Last = last(none),
    noted_arguments(Specs, Args, M, Last, Args1),
    G1 =.. [Name|Args1],
    tried(M:G1, _),
    arg(1, Last, Inner),
    Inner \== none.

noted_arguments([], [], _, _, []).
noted_arguments([S|Ss], [A|As], M, Last, [B|Bs]) :-
    (   integer(S),
        callable(A)
    ->  B = explain:noted(Last, M:A)
    ;   ( integer(S) ; S == (:) ; S == (^) ; S == (//) )
    ->  B = M:A
    ;   B = A
    ),
    noted_arguments(Ss, As, M, Last, Bs).

% noted(+Last, :Goal, ?Extra...): calls a goal for a library predicate and notes it.
noted(Last, G) :- nb_setarg(1, Last, G), call(G).
noted(L, G, A1) :- add_arguments(G, [A1], user, F), noted(L, F).
noted(L, G, A1, A2) :- add_arguments(G, [A1, A2], user, F), noted(L, F).
noted(L, G, A1, A2, A3) :- add_arguments(G, [A1, A2, A3], user, F), noted(L, F).
noted(L, G, A1, A2, A3, A4) :- add_arguments(G, [A1, A2, A3, A4], user, F), noted(L, F).
noted(L, G, A1, A2, A3, A4, A5) :- add_arguments(G, [A1, A2, A3, A4, A5], user, F), noted(L, F).
noted(L, G, A1, A2, A3, A4, A5, A6) :- add_arguments(G, [A1, A2, A3, A4, A5, A6], user, F), noted(L, F).
noted(L, G, A1, A2, A3, A4, A5, A6, A7) :- add_arguments(G, [A1, A2, A3, A4, A5, A6, A7], user, F), noted(L, F).

negated(\+ A, A).
negated(not(A), A).
negated(tnot(A), A).

negated_misses(holds, A, G, M, [miss(holds, M:G, [], [], 0, M:A, [holds(Node)])]) :-
    (   step(A, M, ctx(3, [], none), Node0)
    ->  completed(Node0, Node)
    ).
negated_misses(fails, _, _, _, []).
negated_misses(open, _, G, M, [miss(limit, M:G, [], [], 0, none, [])]).
negated_misses(threw(Ball), _, G, M, [miss(error, M:G, [], [], 0, M:Ball, [])]).

% counterexample(+Condition, +Action, +Goal, +Module, +Level, -Misses): the first solution of the condition that the
% action does not hold for.
counterexample(C, A, G, M, Level, Misses) :-
    (   M:C,
        \+ M:A
    ->  deeper(Level, A, M, Because),
        Misses = [miss(counterexample, M:G, [], [M:C], 0, M:A, Because)]
    ;   Misses = []
    ).

% deeper(+Level, +Goal, +Module, -Because): the misses of a goal within, down to the second level.
deeper(level(Level, Above), G, M, Because) :-
    (   Level >= 4
    ->  Because = []
    ;   Level =:= 3
    ->  root_miss(30, G, M, Above, Because)
    ;   Inner is Level + 1,
        misses_within(G, M, level(Inner, Above), Because0)
    ->  Because = Because0
    ;   Because = []
    ).

% misses_within(+Goal, +Module, +Level, -Misses): a goal whose own misses are looked for already has none of its own.
misses_within(G, M, Level, Misses) :-
    '$strip_module'(M:G, M1, G1),
    callable(G1),
    Level = level(_, Above),
    (   member(G2, Above),
        G2 =@= G1
    ->  Misses = [miss(circle, M1:G1, [], [], 0, none, [])]
    ;   catch(goal_misses(G1, M1, Level, Misses), error(Formal, Context), failed_again(Formal, Context))
    ).

% root_miss(+Most, +Goal, +Module, +Above, -Misses): below the levels that are shown there is only what it comes to in the
% end: the nearest miss of the nearest miss and so on, Most times at most. A goal of a clause is within that.
root_miss(Most, G, M, Above, Misses) :-
    (   misses_within(G, M, level(4, Above), [Miss|_])
    ->  (   Most > 1,
            Miss = miss(Kind, Goal, At, Held, Total, M1:Failed, Because),
            memberchk(Kind, [clause, body]),
            Next is Most - 1,
            '$strip_module'(Goal, _, Within),
            root_miss(Next, Failed, M1, [Within|Above], Deeper),
            Deeper = [Root|_]
        ->  (   Root = miss(Inner, _, _, _, _, _, _),
                memberchk(Inner, [clause, body])
            ->  Misses = Deeper
            ;   append(Because, Deeper, All),
                Misses = [miss(Kind, Goal, At, Held, Total, M1:Failed, All)]
            )
        ;   Misses = [Miss]
        )
    ;   Misses = []
    ).

% ranked(+Misses0, +Goal, -Misses): the three nearest, and how many others there are. A clause that only leads back to a
% goal above it is no miss if there are others.
ranked(Misses0, G, Misses) :-
    (   exclude(leads_back, Misses0, Misses1),
        Misses1 \== []
    ->  true
    ;   Misses1 = Misses0
    ),
    rank_keys(Misses1, G, Keyed),
    keysort(Keyed, Sorted),
    first_values(3, Sorted, First, Rest),
    findall(x, ( member(key(Class, _, _)-_, Rest), Class < 9 ), Others),
    length(Others, N),
    (   N > 0
    ->  append(First, [more(N)], Misses)
    ;   Misses = First
    ).

leads_back(miss(clause, _, _, _, _, _, Because)) :- memberchk(miss(circle, _, _, _, _, _, _), Because).

rank_keys([], _, []).
rank_keys([Miss|Misses], G, [Key-Miss|Keyed]) :-
    rank_key(Miss, G, Key),
    rank_keys(Misses, G, Keyed).

first_values(N, List, Values, Rest) :-
    (   N > 0,
        List = [_-X|Xs]
    ->  Values = [X|Ys],
        N1 is N - 1,
        first_values(N1, Xs, Ys, Rest)
    ;   Values = [],
        Rest = List
    ).

% rank_key(+Miss, +Goal, -Key): Key is key(Class, Left, Held). Facts that are spelled nearly as the goal come first. Then
% the fewer goals a clause has left the nearer it is, and of these the ones with the most goals that hold and are about
% what the goal is about. Of clauses of a grammar those come first that have read most of the text. A clause not tried
% after a cut is last.
rank_key(Miss, G, key(Class, Left, Held)) :-
    Miss = miss(Kind, _, _, Near, _, _, _),
    (   memberchk(Kind, [clause, body])
    ->  goals_left(Miss, G, Left0, N),
        Class = 1,
        (   Miss = miss(_, _, _, _, _, _, [unread(Unread)|_])
        ->  Left = unread(Unread, Left0)
        ;   Left is 2 * Left0
        ),
        Held is -N
    ;   Kind == cut
    ->  Class = 9, Left = 0, Held = 0
    ;   Kind == near,
        Near = [near(_, _, _, spelled)|_]
    ->  Class = 0, Left = 0, Held = 0
    ;   Class = 1, Left = 3, Held = 0
    ).

% goals_left(+Miss, +Goal, -Left, -Held): how many goals are left down to the one that nothing explains further, and how
% many hold on the way to it that are about what the goals are about.
goals_left(miss(_, _, _, Goals, Total, Failed, Because), G, Left, Held) :-
    length(Goals, N),
    relevant(G, Goals, Held0),
    (   member(Inner, Because),
        Inner = miss(Kind, _, _, _, _, _, _)
    ->  (   memberchk(Kind, [clause, body])
        ->  '$strip_module'(Failed, _, Within),
            goals_left(Inner, Within, Left1, Held1),
            Left is Total - N - 1 + Left1,
            Held is Held0 + Held1
        ;   Left is Total - N,
            Held = Held0
        )
    ;   Left is Total - N,
        Held = Held0
    ).

% relevant(+Goal, +Held, -N): N goals of Held have a value in common with the goal, or with one of these before it. All
% have when the goal has no values.
relevant(G, Held, N) :-
    values_of(G, [], Values),
    (   Values == []
    ->  length(Held, N)
    ;   relevant(Held, Values, 0, N)
    ).

relevant([], _, N, N).
relevant([G|Gs], Values, N0, N) :-
    values_of(G, [], Own),
    (   member(V, Own),
        memberchk(V, Values)
    ->  N1 is N0 + 1,
        append(Own, Values, Values1),
        relevant(Gs, Values1, N1, N)
    ;   relevant(Gs, Values, N0, N)
    ).

% values_of(+Term, +Values0, -Values): the atoms, numbers and strings among the arguments of a term and of these.
values_of(Term, Values0, Values) :-
    (   compound(Term)
    ->  findall(V, ( arg(_, Term, A), value_in(A, V) ), Values, Values0)
    ;   Values = Values0
    ).

value_in(A, A) :- atomic(A), A \== [].
value_in(A, V) :- compound(A), arg(_, A, V), atomic(V), V \== [].

% known_rows(+Goal, +Module, -Known): known(Argument, Values, Count) with what the first rows have in the only argument
% of the goal that is given, or none.
known_rows(G, M, Known) :-
    (   findall(I, ( arg(I, G, A), nonvar(A) ), [At]),
        functor(G, Name, Arity),
        functor(Any, Name, Arity),
        arg(At, Any, V),
        catch(findall(V, limit(200, M:Any), Found), error(_, _), fail),
        list_to_set(Found, Values),
        Values \== []
    ->  length(Values, Count),
        some_of(8, Values, Some),
        Known = known(At, Some, Count)
    ;   Known = none
    ).

some_of(N, List, Some) :-
    (   length(Some, N),
        append(Some, _, List)
    ->  true
    ;   Some = List
    ).

% clause_misses(+Goal, +Shown, +Home, +Level, -Misses): the misses of the clauses whose heads fit. What a clause binds
% stays inside.
clause_misses(G, Shown, Home, Level, Misses) :-
    State = state(open, 0),
    below(Level, Shown, Inner),
    findall(Miss, clause_miss(G, Shown, Home, Inner, State, Miss), List),
    (   memberchk(holds, List)
    ->  Misses = []
    ;   fact_misses(G, Shown, Home, Near),
        append(List, Near, All),
        (   All == []
        ->  unfit_misses(Shown, Home, Misses)
        ;   ranked(All, Shown, Misses)
        )
    ).

% below(+Level, +Goal, -Inner): the level of the goals of clauses of Goal.
below(level(N, Above), G, level(N, [G|Above])).

clause_miss(G, Shown, Home, Level, State, Miss) :-
    marked_clause(G, Home, Body, At, Text),
    (   arg(1, State, cut)
    ->  !,
        Miss = miss(cut, Home:Shown, At, [], 0, none, [])
    ;   arg(2, State, N0),
        N is N0 + 1,
        nb_setarg(2, State, N),
        ( N >= 30 -> ! ; true ),
        body_miss(Body, Home, Home:Shown, At, clause, Level, Miss0, Cut),
        ( Miss0 == holds -> ! ; true ),
        ( Cut == true -> nb_setarg(1, State, cut) ; true ),
        with_unread(Text, Miss0, Miss)
    ).

% marked_clause(+Goal, +Home, -Body, -At, -Text): a clause whose head fits. In one that is like the translation of a
% grammar rule each unification with the text is '$terminal'(Text, Want, N), of which N items are the terminal itself, and
% Text is the one that the goal reads, none in others. They are found before the goal binds the variables that the text
% is passed on in: afterwards those of other goals may look the same.
marked_clause(G, Home, Body, At, Text) :-
    (   compound(G),
        functor(G, Name, Arity),
        Arity >= 2,
        Before is Arity - 1,
        arg(Before, G, List),
        is_list(List)
    ->  arg(Arity, G, Rest),
        functor(Open, Name, Arity),
        same_arguments(1, Before, G, Open),
        arg(Before, Open, Text0),
        arg(Arity, Open, Rest0),
        '$explain_clause'(Home:Open, Body0, At, _),
        (   marked_body(Body0, Text0, Rest0, Body)
        ->  Text = List
        ;   Body = Body0,
            Text = none
        ),
        Text0 = List,
        Rest0 = Rest
    ;   Text = none,
        '$explain_clause'(Home:G, Body, At, _)
    ).

same_arguments(I, End, A, B) :-
    (   I < End
    ->  arg(I, A, X),
        arg(I, B, X),
        I1 is I + 1,
        same_arguments(I1, End, A, B)
    ;   true
    ).

% marked_body(+Body0, +Text, +Rest, -Body): the goals pass variables on from Text to Rest.
marked_body(Body0, Text, Rest, Body) :-
    var(Text),
    var(Rest),
    Text \== Rest,
    mark(Body0, [Text], Texts, Body),
    same_member(Rest, Texts).

same_member(V, [X|Xs]) :- ( V == X -> true ; same_member(V, Xs) ).

% mark(+Body0, +Texts0, -Texts, -Body): Texts are the variables for what is left of the text.
mark(V, Ts, Ts, V) :- var(V), !.
mark((A, B), Ts0, Ts, (A1, B1)) :- !, mark(A, Ts0, Ts1, A1), mark(B, Ts1, Ts, B1).
mark((A ; B), Ts0, Ts, (A1 ; B1)) :- !, mark(A, Ts0, Ts1, A1), mark(B, Ts1, Ts, B1).
mark((C -> A), Ts0, Ts, (C -> A1)) :- !, mark(C, Ts0, Ts1, _), mark(A, Ts1, Ts, A1).
mark((C *-> A), Ts0, Ts, (C *-> A1)) :- !, mark(C, Ts0, Ts1, _), mark(A, Ts1, Ts, A1).
mark((X = Y), Ts, [Rest|Ts], explain:'$terminal'(X, Y, N)) :-
    var(X),
    same_member(X, Ts),
    '$skip_list'(N, Y, Rest),
    var(Rest),
    !.
mark((X = Y), Ts, [X|Ts], explain:'$terminal'(Y, X, 0)) :-
    var(X),
    var(Y),
    same_member(Y, Ts),
    !.
mark(G, Ts, [Rest|Ts], G) :-
    compound(G),
    functor(G, _, Arity),
    Arity >= 2,
    Before is Arity - 1,
    arg(Before, G, Text),
    var(Text),
    same_member(Text, Ts),
    arg(Arity, G, Rest),
    var(Rest),
    !.
mark(G, Ts, Ts, G).

% unmarked(+Body0, -Body): the body as it was before.
unmarked(V, V) :- var(V), !.
unmarked((A, B), (A1, B1)) :- !, unmarked(A, A1), unmarked(B, B1).
unmarked((A ; B), (A1 ; B1)) :- !, unmarked(A, A1), unmarked(B, B1).
unmarked((C -> A), (C -> A1)) :- !, unmarked(A, A1).
unmarked((C *-> A), (C *-> A1)) :- !, unmarked(A, A1).
unmarked(explain:'$terminal'(X, Y, _), X = Y) :- !.
unmarked(G, G).

% '$terminal'(?Text, ?Want, +N): what is left of a text begins with a terminal.
'$terminal'(Text, Text, _).

% with_unread(+Text, +Miss0, -Miss): the miss of a clause of a grammar says how many items of the text nothing has read
% where it came farthest.
with_unread(Text, Miss0, Miss) :-
    (   Text \== none,
        Miss0 = miss(Kind, Goal, At, Held, Total, Failed, Because)
    ->  length(Text, N0),
        unread_held(Held, N0, N1),
        unread_failed(Failed, Because, N1, N),
        Miss = miss(Kind, Goal, At, Held, Total, Failed, [unread(N)|Because])
    ;   Miss = Miss0
    ).

unread_held([], N, N).
unread_held([G|Gs], N0, N) :-
    (   unread_after(G, Left),
        Left < N0
    ->  unread_held(Gs, Left, N)
    ;   unread_held(Gs, N0, N)
    ).

unread_after(G, Left) :-
    (   G = '$terminal'(Text, _, Read)
    ->  is_list(Text),
        length(Text, All),
        Left is All - Read
    ;   compound(G),
        functor(G, _, Arity),
        Arity >= 2,
        Before is Arity - 1,
        arg(Before, G, Text),
        arg(Arity, G, Rest),
        is_list(Text),
        is_list(Rest),
        append(_, Tail, Text),
        Tail == Rest
    ->  length(Rest, Left)
    ).

unread_failed(Failed, Because, N0, N) :-
    (   Failed = _:explain:'$terminal'(Text, Want, Read),
        is_list(Text),
        length(Text, All),
        common_items(Read, Text, Want, Common),
        Left is All - Common,
        Left < N0
    ->  N = Left
    ;   member(Inner, Because),
        Inner = miss(_, _, _, _, _, _, Deeper)
    ->  (   memberchk(unread(Left), Deeper),
            Left < N0
        ->  N = Left
        ;   N = N0
        )
    ;   N = N0
    ).

common_items(N, Text, Want, Common) :-
    (   N > 0,
        Text = [X|Xs],
        Want = [Y|Ys],
        \+ X \= Y
    ->  N1 is N - 1,
        common_items(N1, Xs, Ys, Common1),
        Common is Common1 + 1
    ;   Common = 0
    ).

% rule_misses(+Goal, +Home, +Level, -Misses): the same for clauses with =>.
rule_misses(G, Home, Level, Misses) :-
    below(Level, G, Inner),
    findall(Miss, ssu_miss(G, Home, Inner, Miss), List),
    (   memberchk(holds, List)
    ->  Misses = []
    ;   List == []
    ->  fact_misses(G, G, Home, Near),
        (   Near == []
        ->  unfit_misses(G, Home, Misses)
        ;   Misses = Near
        )
    ;   ranked(List, G, Misses)
    ).

ssu_miss(G, Home, Level, Miss) :-
    '$explain_ssu_clause'(Home:G, Head, Body0, At, Single),
    (   Single == true
    ->  subsumes_term(Head, G),
        (   Body0 = ('$guard'(Guard0), Body)
        ->  strict_guard(Guard0, Head, Guard),
            Head = G,
            (   tried(Home:Guard, holds)
            ->  !,
                Home:Guard
            ;   Commits = false
            )
        ;   !,
            Head = G,
            Body = Body0
        )
    ;   Head = G,
        Body = Body0
    ),
    (   Commits == false
    ->  deeper(Level, Guard0, Home, Because),
        Miss = miss(clause, Home:G, At, [], 1, Home:Guard0, Because)
    ;   body_miss(Body, Home, Home:G, At, clause, Level, Miss, _)
    ).

% fact_misses(+Goal, +Shown, +Home, -Misses): facts that nearly match, or that there are no clauses at all.
fact_misses(G, Shown, Home, Misses) :-
    '$explain_near'(Home:G, Kind, Near),
    (   Kind == empty
    ->  Misses = [miss(empty, Home:Shown, [], [], 0, none, [])]
    ;   Near \== []
    ->  Misses = [miss(near, Home:Shown, [], Near, 0, none, [])]
    ;   facts_only(Kind, Known)
    ->  Misses = [miss(nofact, Home:Shown, [], [], 0, Known, [])]
    ;   Misses = []
    ).

% unfit_misses(+Goal, +Home, -Misses): no head fits. If there is an answer with another value of one argument, the
% last such argument, the miss says it: what a type or a result is instead, for one.
unfit_misses(G, Home, [miss(nohead, Home:G, [], Near, 0, none, [])]) :-
    (   functor(G, _, Arity),
        down(Arity, I),
        answer_with(G, I, Home, Other)
    ->  Near = [near(Other, none, I, value)]
    ;   Near = []
    ).

down(N, I) :- N > 0, ( I = N ; M is N - 1, down(M, I) ).

% answer_with(+Goal, +I, +Module, -Other): Other is the answer of Goal with another value of the argument that is given
% there, if there is only one.
answer_with(G, I, M, Other) :-
    arg(I, G, Given),
    nonvar(Given),
    functor(G, Name, Arity),
    functor(Open, Name, Arity),
    same_arguments(1, I, G, Open),
    After is I + 1,
    End is Arity + 1,
    same_arguments(After, End, G, Open),
    few_inferences(Few),
    catch(call_with_inference_limit(explain:two_answers(Open, M, Answers), Few, R), Ball, ball_outcome(Ball, _)),
    R \== inference_limit_exceeded,
    nonvar(Answers), % no exception
    Answers = [Other],
    arg(I, Other, Value),
    ground(Value).

two_answers(G, M, Answers) :-
    findall(G, limited(2, M, G), Found),
    sort(Found, Answers).

facts_only(facts, none).
facts_only(facts(Argument, Values, Count), known(Argument, Values, Count)).

% body_miss(+Body, +Module, +Goal, +Place, +Kind, +Level, -Miss, -Cut): how far a body comes. Miss is holds when it comes
% to its end.
body_miss(Body, M, Goal, At, Kind, Level, Miss, Cut) :-
    Best = best(0, -1, none, false, none, 0, [], []),
    probe(Body, M, Best, all(Goal, Body), 1, _, 0, Total, Probed),
    tried(explain:probed(Probed, Best), Outcome),
    arg(4, Best, Cut),
    (   Outcome == holds
    ->  Miss = holds
    ;   arg(1, Best, Index),
        arg(3, Best, Copy),
        (   Copy = all(Goal1, Body1)
        ->  true
        ;   Goal1 = Goal,
            Body1 = Body
        ),
        instance_place(At, Body1, At1),
        find(Body1, Index, 1, _, Held, Found),
        found_miss(Found, Outcome, M, Goal1, At1, Kind, Level, Held, Total, Body1, Index, Best, Miss)
    ).

% instance_place(+At, +Body, -Place): the place with the instance of the body that has come farthest.
instance_place(At, Body, Place) :-
    (   At = at(File, Line, _)
    ->  unmarked(Body, Plain),
        Place = at(File, Line, Plain)
    ;   Place = At
    ).

probed(Probed, _) :-
    '$choice_point'(Frame),
    '$body'(Probed, Frame).

found_miss(found(Failed), Outcome, M, Goal, At, Kind, Level, Held, Total, Body, Index, Best, Miss) :- !,
    (   Outcome = threw(Ball)
    ->  Because = [miss(error, M:Failed, [], [], 0, M:Ball, [])]
    ;   Outcome == open,
        few_inferences(Few),
        \+ tried(M:Failed, Few, fails)
    ->  Because = [miss(limit, M:Failed, [], [], 0, none, [])]
    ;   copy_term(Failed, Copy), % what a counterexample binds is not so for the goals that held
        deeper(Level, Copy, M, Because0),
        contradicted(Because0, M, Failed, Goal, Body, Because)
    ),
    (   Outcome == fails
    ->  needs(Body, Index, Failed, M, Needs),
        others(Best, Failed, Goal, M, Others)
    ;   Outcome == open,
        Because \= [miss(limit, _, _, _, _, _, _)]
    ->  Needs = [],
        others(Best, Failed, Goal, M, Others0),
        Others = [unended|Others0]
    ;   Needs = [],
        Others = []
    ),
    append([needs(Needs)|Others], Because, All),
    Miss = miss(Kind, Goal, At, Held, Total, M:Failed, All).
found_miss(_, _, M, Goal, At, Kind, _, Held, Total, _, _, _, miss(Kind, Goal, At, Held, Total, M:fail, [])).

% contradicted(+Because0, +Module, +Failed, +Goal, +Body, -Because): the constraints that a goal contradicts come with the
% clause that it stands in, so that their variables can have its names.
contradicted(Because0, M, Failed, Goal, Body, Because) :-
    (   Because0 = [miss(false, G, At, _, _, M1:(_-[_|_]), _)]
    ->  copy_term(all(Failed, Goal, Body), all(Failed1, Goal1, Body1), List),
        Because = [miss(false, G, At, [], 0, M1:met(M:Failed1, List, Goal1, Body1), [])]
    ;   Because = Because0
    ).

% others(+Best, +Failed, +Goal, +Module, -Others): how many other instances of the goal that fails were called, and some of
% them with the goals whose clause they stand in.
others(Best, Failed, Goal, M, Others) :-
    arg(6, Best, Count),
    (   Count > 1
    ->  N is Count - 1,
        arg(7, Best, Tried),
        findall(M:G, ( member(G, Tried), G \=@= Failed ), Goals),
        arg(8, Best, TriedHeads),
        findall(H, ( member(H, TriedHeads), H \=@= Goal ), Heads),
        Others = [others(N, Goals, Heads)]
    ;   Others = []
    ).

% probe(+Body, +Module, +Best, +All, +I0, -I, +P0, -P, -Probed): Probed notes each goal before it is called. I numbers
% the goals, P counts those on the way.
probe(V, M, Best, All, I0, I, P0, P, (explain:note(Best, I0, P0, All, V), M:V)) :-
    var(V),
    !,
    I is I0 + 1,
    P is P0 + 1.
probe((A, B), M, Best, All, I0, I, P0, P, (A1, B1)) :- !,
    probe(A, M, Best, All, I0, I1, P0, P1, A1),
    probe(B, M, Best, All, I1, I, P1, P, B1).
probe((C -> A ; B), M, Best, All, I0, I, P0, P, (explain:note(Best, I0, P0, All, clpfd:E), M:(C -> A ; B))) :-
    expanded_constraint(B, E),
    !,
    I is I0 + 1,
    P is P0 + 1.
probe((C -> A ; B), M, Best, All, I0, I, P0, P, (M:C -> A1 ; B1)) :-
    B \== fail,
    B \== false,
    !,
    Inner is P0 + 1,
    probe(A, M, Best, All, I0, I1, Inner, P1, A1),
    probe(B, M, Best, All, I1, I, Inner, P2, B1),
    P is max(P1, P2).
probe((C *-> A ; B), M, Best, All, I0, I, P0, P, (M:C *-> A1 ; B1)) :- !,
    Inner is P0 + 1,
    probe(A, M, Best, All, I0, I1, Inner, P1, A1),
    probe(B, M, Best, All, I1, I, Inner, P2, B1),
    P is max(P1, P2).
probe((C -> A ; _), M, Best, All, I0, I, P0, P, Probed) :- !,
    probe((C -> A), M, Best, All, I0, I, P0, P, Probed).
probe((A ; B), M, Best, All, I0, I, P0, P, (A1 ; B1)) :- !,
    probe(A, M, Best, All, I0, I1, P0, P1, A1),
    probe(B, M, Best, All, I1, I, P0, P2, B1),
    P is max(P1, P2).
probe((A -> B), M, Best, All, I0, I, P0, P, (A1 -> B1)) :- !,
    probe(A, M, Best, All, I0, I1, P0, P1, A1),
    probe(B, M, Best, All, I1, I, P1, P, B1).
probe((A *-> B), M, Best, All, I0, I, P0, P, (A1 *-> B1)) :- !,
    probe(A, M, Best, All, I0, I1, P0, P1, A1),
    probe(B, M, Best, All, I1, I, P1, P, B1).
probe(!, _, Best, _, I0, I, P, P, (!, explain:note_cut(Best))) :- !,
    I is I0 + 1.
probe(true, _, _, _, I, I, P, P, true) :- !.
probe(M:A, _, Best, All, I0, I, P0, P, Probed) :-
    atom(M),
    nonvar(A),
    !,
    probe(A, M, Best, All, I0, I, P0, P, Probed).
probe(G, M, Best, All, I0, I, P0, P, (explain:note(Best, I0, P0, All, G), M:G)) :-
    I is I0 + 1,
    P is P0 + 1.

% note(+Best, +Index, +Progress, +Body, +Goal): the goal with this number is about to be called. Best is best(Index,
% Progress, Body, Cut, Gap, Count, Goals, Heads): the goal that has come farthest with its body, how far a comparison is
% from being true, how many instances of the goal were called, and some of them with the heads of their clauses. Of
% comparisons the nearest one counts.
note(Best, Index, Progress, Body, Goal) :-
    arg(2, Best, Before),
    (   Progress > Before
    ->  nb_setarg(2, Best, Progress),
        nb_setarg(6, Best, 1),
        gap(Goal, Gap),
        best_instance(Best, Index, Body, Gap),
        Body = all(Head, _),
        nb_setarg(7, Best, [Goal]),
        nb_setarg(8, Best, [Head])
    ;   Progress =:= Before
    ->  arg(6, Best, Count0),
        Count is Count0 + 1,
        nb_setarg(6, Best, Count),
        (   Count < 500
        ->  another_instance(Best, Index, Body, Goal)
        ;   true
        )
    ;   true
    ).

best_instance(Best, Index, Body, Gap) :-
    nb_setarg(1, Best, Index),
    nb_setarg(3, Best, Body),
    nb_setarg(5, Best, Gap).

another_instance(Best, Index, Body, Goal) :-
    arg(5, Best, Gap0),
    (   Gap0 \== none,
        gap(Goal, Gap),
        Gap \== none,
        Gap < Gap0
    ->  best_instance(Best, Index, Body, Gap)
    ;   true
    ),
    Body = all(Head, _),
    another(7, Best, Goal),
    another(8, Best, Head).

% another(+Argument, +Best, +Term): adds a term to the first five that differ.
another(I, Best, Term) :-
    arg(I, Best, Terms),
    (   length(Terms, N),
        N < 5,
        \+ ( member(T, Terms), T =@= Term )
    ->  append(Terms, [Term], Terms1),
        nb_setarg(I, Best, Terms1)
    ;   true
    ).

% gap(+Goal, -Gap): how far apart the two numbers are that a goal compares, or none.
gap(Goal, Gap) :-
    (   compared(Goal, A, B),
        ground(A-B),
        catch(Gap0 is abs(A - B), error(_, _), fail)
    ->  Gap = Gap0
    ;   Gap = none
    ).

compared(V, _, _) :- var(V), !, fail.
compared(clpfd:G, A, B) :- compared(G, A, B).
compared(A < B, A, B).
compared(A > B, A, B).
compared(A =< B, A, B).
compared(A >= B, A, B).
compared(A =:= B, A, B).
compared('#<'(A, B), A, B).
compared('#>'(A, B), A, B).
compared('#=<'(A, B), A, B).
compared('#>='(A, B), A, B).
compared('#='(A, B), A, B).

note_cut(Best) :- nb_setarg(4, Best, true).

% find(+Body, +Index, +I0, -I, -Held, -Found): Found is found(Goal) for the goal with the number Index, Held are the
% goals on the way to it.
find(V, N, I0, I, Held, Found) :-
    var(V),
    !,
    find_goal(V, N, I0, I, Held, Found).
find((A, B), N, I0, I, Held, Found) :- !,
    find_both(A, B, N, I0, I, Held, Found).
find((_ -> _ ; B), N, I0, I, Held, Found) :-
    expanded_constraint(B, C),
    !,
    find_goal(clpfd:C, N, I0, I, Held, Found).
find((C -> A ; B), N, I0, I, Held, Found) :-
    B \== fail,
    B \== false,
    !,
    find_branch(C, A, B, (C -> A ; B), N, I0, I, Held, Found).
find((C *-> A ; B), N, I0, I, Held, Found) :- !,
    find_branch(C, A, B, (C *-> A ; B), N, I0, I, Held, Found).
find((C -> A ; _), N, I0, I, Held, Found) :- !,
    find_both(C, A, N, I0, I, Held, Found).
find((A ; B), N, I0, I, Held, Found) :- !,
    find(A, N, I0, I1, Held1, Found1),
    (   Found1 = found(_)
    ->  Held = Held1,
        Found = Found1,
        I = I1
    ;   find(B, N, I1, I, Held2, Found),
        (   Found = found(_)
        ->  Held = Held2
        ;   Held = [(A ; B)]
        )
    ).
find((A -> B), N, I0, I, Held, Found) :- !, find_both(A, B, N, I0, I, Held, Found).
find((A *-> B), N, I0, I, Held, Found) :- !, find_both(A, B, N, I0, I, Held, Found).
find(!, _, I0, I, [], none) :- !, I is I0 + 1.
find(true, _, I, I, [], none) :- !.
find(M:A, N, I0, I, Held, Found) :-
    atom(M),
    nonvar(A),
    !,
    find(A, N, I0, I, Held0, Found0),
    (   Found0 = found(G)
    ->  Found = found(M:G)
    ;   Found = Found0
    ),
    Held = Held0.
find(G, N, I0, I, Held, Found) :- find_goal(G, N, I0, I, Held, Found).

find_goal(G, N, I0, I, Held, Found) :-
    I is I0 + 1,
    (   I0 =:= N
    ->  Found = found(G),
        Held = []
    ;   Found = none,
        Held = [G]
    ).

find_both(A, B, N, I0, I, Held, Found) :-
    find(A, N, I0, I1, Held1, Found1),
    (   Found1 = found(_)
    ->  Held = Held1,
        Found = Found1,
        I = I1
    ;   find(B, N, I1, I, Held2, Found),
        append(Held1, Held2, Held)
    ).

find_branch(C, A, B, All, N, I0, I, Held, Found) :-
    find(A, N, I0, I1, Held1, Found1),
    (   Found1 = found(_)
    ->  Held = [C|Held1],
        Found = Found1,
        I = I1
    ;   find(B, N, I1, I, Held2, Found),
        (   Found = found(_)
        ->  Held = [\+ C|Held2]
        ;   Held = [All]
        )
    ).

% needs(+Body, +Index, +Failed, +Module, -Needs): Needs has Failed if that is all that the clause lacks: it could be a
% fact, and with it the goals behind it hold.
needs(Body, Index, Failed, M, Needs) :-
    (   plain_conjunction(Body, List),
        nth1(Index, List, _, _),
        Before is Index - 1,
        length(Front, Before),
        append(Front, [_|Rest], List),
        could_be_fact(Failed, M),
        \+ ( member(G, Front), changes_with(G, Failed, M) ),
        (   Rest == []
        ->  true
        ;   ground(Failed),
            \+ ( member(G, Rest), changes_with(G, Failed, M) ),
            conjunction(Rest, M, Goal),
            tried(Goal, 10000, holds)
        )
    ->  Needs = [M:Failed]
    ;   Needs = []
    ).

plain_conjunction(V, _) :- var(V), !, fail.
plain_conjunction((A, B), List) :- !,
    plain_conjunction(A, As),
    plain_conjunction(B, Bs),
    append(As, Bs, List).
plain_conjunction(\+ A, [\+ A]) :- !.
plain_conjunction(G, [G]) :-
    \+ control(G).

% changes_with(+Goal, +Fact, +Module): a goal that holds may not do so any more when there is a fact more. A negated goal
% of another predicate of facts does.
changes_with(V, _, _) :- var(V), !.
changes_with(G, Fact, M) :-
    negated(G, A),
    \+ ( callable(A), A \= Fact, functor(A, Name, _), \+ functor(Fact, Name, _), could_be_fact(A, M) ).
changes_with(forall(_, _), _, _).
changes_with(findall(_, _, _), _, _).
changes_with(aggregate_all(_, _, _), _, _).

could_be_fact(G, M) :-
    callable(G),
    '$explain_pred'(M:G, _, Kind, _, none),
    memberchk(Kind, [user, undefined]),
    \+ has_rule(M:G).

% has_rule(:Goal): one of the first clauses of the predicate is a rule: what that lacks says more.
has_rule(M:G) :-
    functor(G, Name, Arity),
    functor(Any, Name, Arity),
    State = seen(0),
    '$explain_clause'(M:Any, _, _, By),
    arg(1, State, N0),
    N is N0 + 1,
    nb_setarg(1, State, N),
    (   N >= 50
    ->  !
    ;   true
    ),
    By == rule,
    !.

conjunction([G], M, M:G) :- !.
conjunction([G|Gs], M, (M:G, Goal)) :- conjunction(Gs, M, Goal).
