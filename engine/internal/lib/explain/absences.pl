% library(explain): the reasons for absent goals of a proof, and for clauses that were left out.
:- module(explain_absences, [
    absences/2
]).

:- use_module(library(explain/interpreter)).
:- use_module(library(explain/grammar)).
:- use_module(library(explain/proofs)).
:- use_module(library(explain/misses)).

% absences(+Path, +Node): gives the first absent nodes of the requested proof, and an absent node on the way to it,
% the misses of all their clauses.
absences(Path, Node0) :-
    (   node_at(Path, Node0, Node)
    ->  absent_nodes([Node], 1000, 8, Absent),
        nearest_misses(Absent),
        cut_clauses([Node], 200)
    ;   append(Before, [_|_], Path),
        node_at(Before, Node0, Node),
        absent_nodes([Node], 1, 1, [Node])
    ->  nearest_misses([Node])
    ;   true
    ).

% cut_clauses(+Nodes, +Visits): gives the node of a clause the places of clauses that a cut in it left out, and of an
% earlier clause with a cut that would have left it out, with what that clause lacks.
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
    ->  functor(Goal, Name, Arity),
        functor(Head, Name, Arity),
        findall(Fits-at(F, L, none), (
            limited(1000, explain_absences, '$explain_clause'(Home:Head, _, at(F, L, Own), _)),
            (   subsumes_term(at(F, L, Own), At)
            ->  Fits = self
            ;   contradicts(Head, Goal)
            ->  Fits = no
            ;   Fits = yes
            ) ), All),
        ( append(_, [self-_|Later], All) -> true ; Later = [] ),
        findall(Place, member(yes-Place, Later), Places)
    ;   true
    ),
    ( bounded(explain_absences:clauses_before(Home:Goal, At, Before0), 50000) -> Before = Before0 ; Before = [] ).
cut_by(_).

% clause_cuts(+Body): the body has a cut of its clause, not only cuts that are local to a condition.
clause_cuts(Body) :-
    cuts_in(Body, none, clause).

% cuts_in(+Body, +Seen0, -Seen): Seen is clause if all cuts are cuts of the clause.
cuts_in(V, S, S) :- var(V), !.
cuts_in((A, B), S0, S) :- !, cuts_in(A, S0, S1), cuts_in(B, S1, S).
cuts_in((C -> A), S0, S) :- !, \+ cuts_in(C, none, clause), cuts_in(A, S0, S).
cuts_in((C *-> A), S0, S) :- !, \+ cuts_in(C, none, clause), cuts_in(A, S0, S).
cuts_in((A ; B), S0, S) :- !, cuts_in(A, S0, S1), cuts_in(B, S1, S).
cuts_in(!, _, S) :- !, S = clause.
cuts_in(_, S, S).

clauses_before(Goal, Place, Before) :-
    findall(B, limited(4, user, explain_absences:clause_before(Goal, Place, B)), Before).

% clause_before(+Goal, +Place, -Before): Before is before(Place1, Misses) for a clause before the clause at Place
% whose final cut the goal has not reached, or the result of overtakes/6. If both the call and the head give an
% argument a value, the value in the head counts, because outputs of the goal have the values of its answer.
clause_before(Home:Goal, Place, Before) :-
    functor(Goal, Name, Arity),
    functor(Head, Name, Arity),
    State = seen(0),
    '$explain_clause'(Home:Head, Body, At, _),
    arg(1, State, N0),
    (   ( subsumes_term(At, Place) ; N0 >= 50 )
    ->  !,
        fail
    ;   N is N0 + 1,
        nb_setarg(1, State, N)
    ),
    (   Arity >= 2,
        Last is Arity - 1,
        arg(Last, Head, Text),
        arg(Arity, Head, Rest),
        marked_body(Body, Text, Rest, Marked)
    ->  true
    ;   Marked = Body
    ),
    before_cut(Marked, Test),
    nb_setval('$explain_most', 50000),
    nb_setval('$explain_shown', 3),
    (   overtakes(Home:Goal, Head, Body, Test, Open, Gives)
    ->  Before = overtakes(At, Home:Open, Gives, Test)
    ;   \+ contradicts(Head, Goal),
        given_arguments(1, Arity, Head, Goal),
        body_miss(Test, Home, Home:Head, At, level(2, []), Miss, _),
        Miss \== holds,
        Before = before(At, [Miss])
    ).

% overtakes(+Goal, +Head, +Body, +Test, -Open, -Gives): the last argument of the goal is given. Open is the goal with
% that argument unbound. For Open the clause cuts after Test, and Gives is gives(Value) with another value, or
% nothing. The last argument of a recursive predicate is often an input.
overtakes(Home:Goal, Head, Body, Test, Open, Gives) :-
    functor(Goal, Name, Arity),
    Arity >= 2,
    open_at(Goal, Arity, Given, Open0),
    atomic(Given),
    copy_term(Open0, Open),
    Open0 = Head,
    functor(Any, Name, Arity),
    \+ ( '$explain_clause'(Home:Any, Own, _, _), sub_term(G, Own), nonvar(G), functor(G, Name, Arity) ),
    tried(Home:Test, holds),
    once(Home:Test),
    tried(Home:Body, Outcome),
    (   Outcome == holds
    ->  once(Home:Body),
        arg(Arity, Head, Value),
        atomic(Value),
        Value \= Given,
        Gives = gives(Value)
    ;   Outcome == fails,
        Gives = nothing
    ).

given_arguments(I, Arity, Head, Goal) :-
    (   I > Arity
    ->  true
    ;   arg(I, Head, A),
        arg(I, Goal, B),
        ( nonvar(B), A = B -> true ; true ),
        I1 is I + 1,
        given_arguments(I1, Arity, Head, Goal)
    ).

has_cut(Steps) :- nonvar(Steps), has_cut_(Steps).

has_cut_(at(_, Node)) :- Node == cut.
has_cut_(and(A, _)) :- has_cut(A), !.
has_cut_(and(_, B)) :- has_cut(B).

% contradicts(+Head, +Goal): an argument of the head of a clause contradicts the goal. Shared variables in the head do
% not count, because outputs of the goal have the values of its answer.
contradicts(Head, Goal) :- arg(I, Head, A), nonvar(A), arg(I, Goal, B), A \= B, !.

node_at([], Node, Node).
node_at([I|Is], Node0, Node) :-
    node_steps(Node0, Steps),
    step_at(Steps, I, Next),
    !,
    node_at(Is, Next, Node).

step_at(Steps, _, _) :- var(Steps), !, fail.
step_at(at(I, Node), I, Node).
step_at(and(A, B), I, Node) :- ( step_at(A, I, Node) ; step_at(B, I, Node) ).

% absent_nodes(+Nodes, +Visits, +Most, -Absent): Absent are absent nodes without reasons, those near to the goal
% first.
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

nearest_misses(Nodes) :-
    nb_setval('$explain_most', 50000),
    nb_setval('$explain_shown', all),
    maplist(nearest_misses_of, Nodes).

nearest_misses_of(node(absent, M:Goal, Info, Steps)) :-
    (   negated(Goal, A),
        '$explain_tainted',
        '$strip_module'(M:A, M1, A1),
        unsettled(M1:A1, 50000, node(_, _, _, Steps0))
    ->  Info = undefined,
        Steps = Steps0
    ;   negated(Goal, A),
        '$explain_misses'(true),
        bounded(explain_absences:misses_or_limit(A, M, Misses), 60000),
        Misses \== []
    ->  (   Misses == limit
        ->  Info = unsearched,
            Steps = none
        ;   Info = missing(Misses),
            missed_steps(Misses, Steps)
        )
    ;   Info = [],
        Steps = none
    ).

% misses_or_limit(+Goal, +Module, -Misses): Misses is limit if the misses were not found within the bounds.
misses_or_limit(A, M, Misses) :-
    call_with_inference_limit(explain_misses:goal_misses(A, M, level(2, []), Misses0), 50000, R),
    !,
    ( R == inference_limit_exceeded -> Misses = limit ; Misses = Misses0 ).

% missed_steps(+Misses, -Steps): each clause of an absent goal is a step. A single clause adds nothing to the node
% itself, unless it lacks several goals.
missed_steps(Misses, Steps) :-
    findall(node(missed, Goal, missed(Miss), Inner), missed_node(Misses, Miss, Goal, Inner), Nodes),
    (   Nodes = [node(_, _, _, Inner)],
        ( Inner == none -> true ; \+ several_clauses(Inner) )
    ->  Steps = none
    ;   numbered_steps(Nodes, 1, Steps)
    ).

several_clauses(and(at(_, node(_, _, missed(Miss), _)), Others)) :-
    Miss = miss(clause, _, At, _, _, _, _),
    ( Others == none -> true ; At \== [], Others = and(at(_, Node), _), several_clauses(and(at(1, Node), none)) ).

% brief_ways(+Goal, +Because): one line is enough for a disjunction: it has two alternatives of one goal each, which
% could be facts.
brief_ways(Or, Because) :-
    either_of(Or),
    findall(K, member(miss(K, _, _, _, _, _, _), Because), Kinds),
    length(Kinds, 2),
    \+ memberchk(clause, Kinds).

% missed_node(+Misses, -Miss, -Goal, -Steps): Steps are the goals that a miss lacks, unless the miss itself names
% them.
missed_node(Misses, Miss, Goal, Steps) :-
    member(Miss, Misses),
    Miss = miss(Kind, Goal0, At, _, _, Failed, Because),
    (   ( memberchk(none(_), Because), \+ several(Because) ; Failed = _:Or, brief_ways(Or, Because) )
    ->  Steps = none
    ;   memberchk(none(_), Because)
    ->  include(of_clause, Because, Clauses),
        missed_steps(Clauses, Steps)
    ;   missed_steps(Because, Steps)
    ),
    (   Kind == clause,
        ( At \== [] -> true ; Steps \== none ),
        Failed = _:Part,
        Part \== fail
    ->  Goal = Failed
    ;   Goal = Goal0
    ).

several(Because) :- include(of_clause, Because, [_, _|_]).

of_clause(miss(clause, _, _, _, _, _, _)).
