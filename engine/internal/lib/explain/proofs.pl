% library(explain): proofs. Goals are interpreted down to some depth, and run as usual below that.
:- module(explain_proofs, [
    step/4,
    completed/2,
    holds/3,
    supposed/1,
    node_steps/2,
    findall_steps/3,
    numbered_steps/3,
    unsettled/3,
    behind_table/2
]).

:- use_module(library(explain/interpreter)).

% A context is ctx(Depth, Path, Before): the number of levels of clauses still to be shown, the path to the requested
% node, and a stamp; answers of tables must be older than the stamp.

% inner(+Context, +Index, -Inner): Inner is the context of a goal within the goal with Context.
inner(Ctx, I, Inner) :- within(Ctx, I, 1, Inner).

% same(+Context, +Index, -Inner): Inner is the context of a goal that stands for the goal around it.
same(Ctx, I, Inner) :- within(Ctx, I, 0, Inner).

within(ctx(D, P, B), I, Levels, Inner) :-
    (   P == []
    ->  Left is max(D - Levels, 0),
        Inner = ctx(Left, [], B)
    ;   P = [I|Rest]
    ->  Inner = ctx(D, Rest, B)
    ;   Inner = ctx(0, [], B)
    ).

% A node is node(By, Goal, Info, Steps) or seq(Steps), which stands for its steps. Steps are none, cut if they were
% not examined, at(Index, Node), and(Steps, Steps), or branch(Which, Steps). As long as later goals have not been
% called, the node of an answer of a table is answer(How, Undefined, Open, Goal, Home, Context, Stamp), where Open is
% the goal before its call. The later goals choose among many answers, and only the chosen answer needs a proof.
%
% A goal is shown as it was when its call ended. Until all goals have been called, it is a term of seen/2.

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

node_steps(node(_, _, _, Steps), Steps).
node_steps(seq(Steps), Steps).

% findall_steps(+Steps, -Nodes, ?Rest): Nodes are the nodes of steps.
findall_steps(Steps, List, List) :- var(Steps), !.
findall_steps(and(A, B), List0, List) :- !,
    findall_steps(A, List0, List1),
    findall_steps(B, List1, List).
findall_steps(at(_, Node), [Node|List], List) :- nonvar(Node), !.
findall_steps(_, List, List).

% step(+Goal, +Module, +Context, -Node): calls a goal.
step(Goal, Module, Ctx, Node) :-
    '$strip_module'(Module:Goal, M, G0),
    '$must_be_callable'(G0),
    '$plain_goal'(G0, G),
    (   control(G)
    ->  walk(G, M, steps(explain_proofs, same(Ctx)), 1, _, 0, _, Steps, Body),
        Node = seq(Steps),
        call(Body)
    ;   '$explain_pred'(M:G, Home, Kind, How, Meta),
        goal(Kind, How, Meta, G, M, Home, Ctx, Node)
    ).

% goal(+Goal, +Module, +State, +I, -Node): calls goal number I of a body. State is the context of the clause, or
% same(Context) for a control construct that stands for the goal around it.
goal(G, M, State, I, Node) :-
    (   State = same(Ctx)
    ->  same(Ctx, I, Inner)
    ;   inner(State, I, Inner)
    ),
    step(G, M, Inner, Node).

% goal(+Kind, +How, +Meta, +Goal, +Module, +Home, +Context, -Node): calls a goal of a predicate that module Home
% defines.
goal(undefined, _, _, G, M, _, Ctx, Node) :-
    (   assumes(_)
    ->  clauses(user, G, M, Ctx, Node)
    ;   Node = node(builtin, M:G, [], none),
        call(M:G)
    ).
goal(builtin, How, Meta, G, M, _, Ctx, Node) :-
    (   special(G, M, Ctx, Node, Goal)
    ->  call(Goal)
    ;   How \== opaque,
        Ctx \= ctx(0, [], none),
        Noted = noted(0, []),
        closures(Meta, G, M, explain_proofs, Noted-Ctx, Closures)
    ->  library_goal(Closures, G, M, Noted, Node)
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
goal(user, How, Meta, G, M, Home, Ctx, Node) :- own_goal(user, How, Meta, G, M, Home, Ctx, Node).
goal(ssu, How, Meta, G, M, Home, Ctx, Node) :- own_goal(ssu, How, Meta, G, M, Home, Ctx, Node).
goal(tabled, How, _, G, _, Home, Ctx, Node) :- tabled_goal(How, G, Home, Ctx, Node).

% own_goal(+Kind, +How, ...): calls a goal of a predicate of the program.
own_goal(Kind, How, Meta, G, M, Home, Ctx, Node) :-
    qualified(Meta, G, M, G1),
    (   How == opaque,
        \+ assumes(_)
    ->  Node = node(rule, Seen, [opaque], cut),
        call(Home:G1),
        seen(Home:G, Seen)
    ;   clauses(Kind, G1, Home, Ctx, Node)
    ).

tabled_goal(How, G, Home, Ctx, Node) :-
    apart(G, Args, Open, Copies),
    copy_term_nat(Args, Copies),
    table_answer(G, Home, Ctx, Stamp, Undefined),
    Node = answer(How, Undefined, Open, Seen, Home, Ctx, Stamp),
    seen(G, Seen).

% called(:Goal, -Seen): calls a goal; Seen is the goal as its node shows it.
called(Goal, Seen) :-
    call(Goal),
    seen(Goal, Seen).

% assumes(-Facts): Facts are the assumed facts, as Module:Fact; fails if there are none. With assumed facts, goals are
% interpreted at all depths, and no answers are taken from tables.
assumes(Facts) :-
    nb_current('$explain_assumed', Facts),
    Facts \== [].

assumed(Goal) :-
    assumes(Facts),
    member(Goal, Facts).

% not_assumed: is called in place of a goal that cannot be called with assumed facts.
not_assumed :- throw(error(resource_error(assumptions), _)).

% tabled_with(+Clause, +Home, +Facts): calls the clauses of a tabled predicate with assumed facts, using separate
% tables for these facts. A mode-directed table joins answers as the predicate does.
:- table tabled_with/3.

tabled_with(Clause, Home, _) :- clauses(user, Clause, Home, ctx(0, [], none), _).

with_table('$moded'(_, Tuple, Width, Modes), Clause, Home, Facts) :- !,
    '$tbl_moded'(explain_proofs:'tabled_with tabled'(Clause, Home, Facts), Tuple, Width, Modes).
with_table(_, Clause, Home, Facts) :- tabled_with(Clause, Home, Facts).

% holds(+Goal, +Module, +Context): calls a goal without a node.
holds(Goal, M, Ctx) :- step(Goal, M, Ctx, _).

% supposed(:Goal): calls a goal with the assumed facts.
supposed(Goal) :-
    (   assumes(_)
    ->  holds(Goal, user, ctx(1000000, [], none))
    ;   nb_current('$explain_contrast', true),
        moded_call(Goal, Open, Given, Values)
    ->  call(Open),
        Given = Values
    ;   call(Goal)
    ).

% moded_call(:Goal, -Open, -Given, -Values): Open is the goal of a mode-directed table with variables in the arguments
% that have a mode, as the rules call it. Given and Values are these variables and the values in Goal.
moded_call(M:G, Home:Open, Given, Values) :-
    callable(G),
    '$explain_pred'(M:G, Home, tabled, _, _),
    functor(G, Name, Arity),
    functor(Open, Name, Arity),
    table_key(Open, Home, '$moded'(_, _, Width, _), Tuple),
    Tuple =.. [_|Args],
    length(Keys, Width),
    append(Keys, Given, Args),
    copy_term(Open-Keys-Given, G-Keys1-Values),
    Keys = Keys1.

% inner_call(+Goal, +Module, +Context, -Call): Call calls a goal within another goal.
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

% clauses(+Kind, +Goal, +Home, +Context, -Node): calls the clauses of a predicate. A cut goes to the choice point before
% them. Of clauses with =>, only the first one whose head is more general than the goal and whose guard holds is used.
clauses(Kind, G, Home, Ctx, Node) :-
    '$choice_point'(Frame),
    apart(G, Args, Open, Copies),
    copy_term_nat(Args, Copies),
    (   clause_of(Kind, Home:G, Body, At, By)
    ;   Kind == user,
        assumed(Home:G),
        Body = true,
        At = [],
        By = assumed
    ),
    called_info(Kind, Open, At, Info),
    Node = node(By, Seen, Info, Steps),
    clause_body(By, Body, Home, Ctx, Steps, Goal),
    '$body'(Goal, Frame),
    seen(Home:G, Seen).

called_info(user, Open, At, called(Open, At, _, _)).
called_info(ssu, _, At, At).

clause_body(By, Body, Home, Ctx, Steps, Goal) :-
    (   Body == true
    ->  Steps = none,
        Goal = true
    ;   Ctx = ctx(0, [], Before)
    ->  Steps = cut,
        (   Before == none,
            \+ assumes(_)
        ->  Goal = Home:Body
        ;   walk(Body, Home, steps(explain_proofs, Ctx), 1, _, 0, _, _, Goal)
        )
    ;   walk(Body, Home, steps(explain_proofs, Ctx), 1, _, 0, _, Steps, Goal)
    ).

% absent(+Goal, -Node): Node is the node of a goal without an answer, with the goal as it was called.
absent(Goal, Node) :-
    absent_node(Goal, Note, Node),
    call(Note).

% special(+Goal, +Module, +Context, -Node, -Call): Call calls a goal of a built-in predicate that is interpreted
% specially.
special(G, M, Ctx, Node, explain_proofs:special(G, M, Ctx, Node)) :- special_head(G).

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
special(\+ 'rule contradicted'(Rule, G), M, Ctx, seq(Steps)) :- !,
    inner_call('rule contradicted'(Rule, G), M, Ctx, Goal),
    \+ Goal,
    findall(Node, defeats(M, Rule, G, Node), Nodes),
    numbered_steps(Nodes, 1, Steps).
special(\+ A, M, Ctx, Node) :- !,
    inner_call(A, M, Ctx, Goal),
    \+ Goal,
    absent(M:(\+ A), Node).
special(not(A), M, Ctx, Node) :- !,
    special(\+ A, M, Ctx, Node).
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
    ( N =:= 0 -> asked(C, M, Asked) ; asked((C, A), M, Asked) ),
    firsts(Asked, N, M, Ctx, Steps),
    '$explain_taint'(T).
special(G, M, Ctx, node(aggregate, Seen, count(N), Steps)) :-
    collects(G),
    !,
    G =.. [Name, Template, A, Result|Rest],
    asked(A, M, Asked),
    Open =.. [Name, Template, A, Found|Rest],
    seen(M:Open, Seen),
    seen_as(Seen, Found, Copy),
    inner_call(A, M, Ctx, A1),
    Call =.. [Name, Template, A1, Found|Rest],
    call(M:Call),
    (   Name == findall,
        Rest == []
    ->  length(Found, N)
    ;   Asked = asked(Goal, _),
        aggregate_all(count, M:Goal, N)
    ),
    Result = Found,
    Copy = Found,
    firsts(Asked, N, M, Ctx, Steps).
special(aggregate_all(Spec, D, A, R), M, Ctx, node(aggregate, Seen, count(N), cut)) :- !,
    copy_term(D-A, AskedD-Asked),
    seen(M:aggregate_all(Spec, D, A, Result), Seen),
    seen_as(Seen, Result, R),
    inner_call(A, M, Ctx, A1),
    aggregate_all(Spec, D, A1, R),
    aggregate_all(count, AskedD, M:Asked, N).
special(G, M, Ctx, node(aggregate, Seen, Info, Steps)) :-
    G =.. [Name, T, A0, L],
    memberchk(Name, [bagof, setof, aggregate]),
    !,
    Call =.. [Name, T, A1, L],
    inner_call(A0, M, Ctx, A1),
    call(Call),
    seen(M:G, Seen),
    plain_goal(A0, M, M1, A),
    asked(A, M1, Asked),
    (   Name == bagof
    ->  length(L, N)
    ;   inner_call(A, M1, Ctx, A2),
        aggregate_all(count, M1:A2, N)
    ),
    (   Name == setof,
        length(L, Length),
        Length < N,
        Length =< 8
    ->  Info = each(N), % of the solutions with the same element the first one is shown
        findall(solution(T, A, E), member(E, L), Chosen)
    ;   Info = count(N),
        Chosen = N
    ),
    firsts(Asked, Chosen, M1, Ctx, Steps).
special(order_by(Specs, A), M, Ctx, node(builtin, Seen, [], Steps)) :- !,
    seen(M:order_by(Specs, A), Seen),
    inner_call(A, M, Ctx, A1),
    order_by(Specs, A1),
    plain_goal(A, M, M1, A2),
    inner(Ctx, 1, Inner),
    ( step(A2, M1, Inner, Node) -> Steps = at(1, Node) ; Steps = none ).
special(tnot(A), M, _, Node) :-
    assumes(Facts),
    !,
    '$strip_module'(M:A, M1, G),
    (   '$explain_pred'(M1:G, Home, tabled, _, _),
        table_key(G, Home, Key, _),
        Key \= '$moded'(_, _, _, _)
    ->  behind_table(G, Clause),
        tnot(tabled_with(Clause, Home, Facts)),
        absent(M:tnot(A), Node)
    ;   not_assumed
    ).
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
special(G, M, Ctx, node(constraint, M:G, [], none)) :-
    G =.. [Name, On, A],
    memberchk(Name, [freeze, when, dif]),
    !,
    (   Name == dif
    ->  M:G
    ;   inner_call(A, M, Ctx, Call),
        Delayed =.. [Name, On, Call],
        M:Delayed
    ).
special(G, M, Ctx, Node) :-
    (   stands_for(G, M, Full)
    ->  same(Ctx, 1, Inner),
        Node = seq(at(1, Inside)),
        step(Full, M, Inner, Inside)
    ;   Node = node(builtin, Seen, [], none),
        called(M:G, Seen)
    ).

% defeats(+Module, +Rule, +Goal, -Node): a weaker rule of library(law) would apply, but Rule, which gives Goal,
% defeats it.
defeats(M, Rule, G, node(rule, M:Defeated, At, none)) :-
    M:'rule weaker'(Rule, G, Applies, Defeated),
    bounded(M:Applies, 50000),
    once('$explain_clause'(M:Defeated, _, At, _)).

% numbered_steps(+Nodes, +I, -Steps): Steps are the nodes as steps, numbered from I.
numbered_steps([], _, none).
numbered_steps([Node|Nodes], I, and(at(I, Node), Steps)) :-
    I1 is I + 1,
    numbered_steps(Nodes, I1, Steps).

% caught(+Goal, +Ball, +Recovery, +Module, +Context, -Node): the goal of catch/3 has thrown. An exception that reports
% a limit of this run is not caught.
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

% collects(+Goal): the third argument of the goal is made from the solutions of its second argument.
collects(findall(_, _, _)).
collects(findall(_, _, _, _)).
collects(aggregate_all(_, _, _)).

% seen_as(+Seen, +Variable, -Copy): Copy stands for the variable in a goal that was recorded before its call. It has
% to be bound to the value that the variable gets.
seen_as(seen(_, Copies, Vs), V, Copy) :- seen_as(Vs, Copies, V, Copy).

seen_as([V|Vs], [C|Cs], Variable, Copy) :-
    (   V == Variable
    ->  Copy = C
    ;   seen_as(Vs, Cs, Variable, Copy)
    ).

% asked(+Goal, +Module, -Asked): Asked has a copy of Goal, made before an aggregate collects its solutions, and the
% node for the case that there are none.
asked(A, M, asked(Copy, Absent)) :-
    copy_term(A, Copy),
    absent(M:(\+ A), Absent).

% firsts(+Asked, +Chosen, +Module, +Context, -Steps): Steps are the proofs of solutions of a goal. Chosen is the
% number of solutions; if it is more than eight, only the first three are proved. Or Chosen is a list of
% solution(Template, Goal, Element).
firsts(_, _, _, ctx(0, [], _), cut) :- !.
firsts(asked(A, Absent), N, M, Ctx, Steps) :-
    (   is_list(N)
    ->  List = N
    ;   ( N > 8 -> Most = 3 ; Most is max(N, 1) ),
        findall(x, limited(Most, M, A), Found),
        findall(I, nth1(I, Found, _), List)
    ),
    (   List == []
    ->  Steps = at(1, Absent)
    ;   first_steps(List, 1, A, M, Ctx, Steps)
    ).

first_steps([], _, _, _, _, none).
first_steps([Which|List], I, A, M, Ctx, and(at(I, Node), Steps)) :-
    inner(Ctx, I, Inner),
    findall(Found, catch(nth_found(Which, A, M, Inner, Found), error(Formal, Context), failed_again(Formal, Context)), Nodes),
    (   Nodes = [Node]
    ->  true
    ;   seen(M:A, Seen),
        Node = node(builtin, Seen, [], none)
    ),
    I1 is I + 1,
    first_steps(List, I1, A, M, Ctx, Steps).

nth_found(solution(T, A, E), _, M, Ctx, Node) :- !,
    step(A, M, Ctx, Node),
    T =@= E,
    !.
nth_found(N, A, M, Ctx, Node) :-
    State = count(0),
    step(A, M, Ctx, Node),
    arg(1, State, C0),
    C is C0 + 1,
    nb_setarg(1, State, C),
    C =:= N,
    !.

% library_goal(+Closures, +Goal, +Module, +Noted, -Node): calls a library predicate; the steps are the nodes of the
% goals that it called.
library_goal(Closures, G, M, Noted, node(builtin, Shown, calls(Count), Steps)) :-
    call(M:Closures),
    seen(M:G, Shown),
    arg(1, Noted, Count),
    arg(2, Noted, List),
    seen_steps(List, none, Steps).

seen_steps([], Steps, Steps).
seen_steps([Step|List], Steps0, Steps) :-
    (   Steps0 == none
    ->  seen_steps(List, Step, Steps)
    ;   seen_steps(List, and(Step, Steps0), Steps)
    ).

% closed(+State, :Goal): calls a goal for a library predicate and records its node.
closed(Noted-Ctx, Goal) :-
    arg(1, Noted, N0),
    N is N0 + 1,
    (   N > 10
    ->  inner_call(Goal, user, Ctx, Inner),
        call(Inner),
        setarg(1, Noted, N)
    ;   inner(Ctx, N, Inner),
        step(Goal, user, Inner, Node),
        arg(2, Noted, List),
        setarg(1, Noted, N),
        setarg(2, Noted, [at(N, Node)|List])
    ).

% table_answer(+Goal, +Home, +Context, -Stamp, -Undefined): finds answers of a tabled predicate that are old enough.
% The first call of the goal makes the table; a goal that is no longer tabled has no stamps.
table_answer(G, Home, _, none, false) :-
    assumes(Facts),
    !,
    behind_table(G, Clause),
    table_key(G, Home, Key, _),
    with_table(Key, Clause, Home, Facts).
table_answer(G, Home, Ctx, Stamp, Undefined) :-
    \+ \+ ( call(Home:G), fail ; true ),
    table_key(G, Home, Key, Tuple),
    (   '$explain_table'(Key, Table)
    ->  '$explain_answer'(Table, Key, Tuple, Stamp, Undefined),
        Ctx = ctx(_, _, Before),
        ( Before == none -> true ; Stamp < Before )
    ;   call_delays(Home:G, Rests),
        Stamp = none,
        ( Rests == true -> Undefined = false ; Undefined = true )
    ).

% table_key(+Goal, +Home, -Key, -Tuple): Key is the goal by which the table is stored.
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

% table_node(+How, +Undefined, +Open, +Goal, +Home, +Context, +Stamp, -Node): Node is the node of an answer Goal of
% the call Open. Its steps are those of a clause whose tabled goals have older answers.
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
    ->  ( Steps == none -> By1 = By ; By1 = table ),
        Node = node(By1, Home:G, At, Steps)
    ;   Node = node(table, Home:G, [], none)
    ).

% table_clause(+Open, +Goal, +Home, +Context, -Node): calls the clauses of a tabled predicate for the answer Goal of
% the call Open. If this takes long, the clauses are called with the answer filled in.
table_clause(Open0, G, Home, Ctx, Node) :-
    copy_term_nat(Open0, Open),
    behind_table(Open, Clause),
    call_with_inference_limit(explain_proofs:table_derived(Clause, Open, G, Home, Ctx, Node), 200000, R),
    R \== inference_limit_exceeded,
    !.
table_clause(_, G, Home, Ctx, Node) :-
    behind_table(G, Clause),
    clauses(user, Clause, Home, Ctx, Node),
    !.

table_derived(Clause, Open, G, Home, Ctx, Node) :-
    clauses(user, Clause, Home, Ctx, Node),
    Open =@= G,
    !.

% behind_table(+Goal, -Clause): Clause is the goal of the predicate that has the clauses of a tabled predicate.
behind_table(G, Clause) :-
    G =.. [Name|Args],
    atom_concat(Name, ' tabled', Behind),
    Clause =.. [Behind|Args].

% unsettled(:Goal, +Most, -Node): Goal or its negation is neither true nor false; the goals that cause this are below
% Node. Most bounds the inferences.
unsettled(Goal, Most, Node) :-
    '$explain_misses'(false),
    (   bounded(explain_proofs:unsettled(Goal, Node0), Most)
    ->  Node = Node0
    ;   '$explain_taint'(0),
        fail
    ).

unsettled(M:Goal, node(assumed, M:Goal, [], Steps)) :-
    '$explain_begin',
    call_delays(findall(x, M:Goal, _), Rests),
    Rests \== true,
    '$explain_taint'(0),
    unsettled_steps(Rests, M, 1, _, Steps),
    '$explain_taint'(0).

unsettled_steps((A, B), M, I0, I, and(S, T)) :- !,
    unsettled_steps(A, M, I0, I1, S),
    unsettled_steps(B, M, I1, I, T).
unsettled_steps(Goal, M, I0, I, at(I0, Node)) :-
    I is I0 + 1,
    (   step(Goal, M, ctx(8, [], none), Node0)
    ->  completed(Node0, Node)
    ;   Node = node(assumed, M:Goal, [], none)
    ).
