% library(explain): misses, which say how far the clauses of a goal without an answer come.
:- module(explain_misses, [
    goal_misses/4,
    body_miss/7,
    before_cut/2,
    open_at/4,
    tried/2
]).

:- use_module(library(explain/interpreter)).
:- use_module(library(explain/proofs)).
:- use_module(library(explain/grammar)).
:- use_module(library(explain/farthest)).

% A raw miss is miss(Kind, Goal, Place, Held, Total, Failed, Because): a clause has Total goals. The goals in Held
% have solutions together, and Failed has none with them. Because are the misses of Failed, the nearest first. A list
% of misses ends with more(N) if N others were left out. Because may also have these terms: verdicts(List); lacks(Is,
% Others); none(Goal), if Failed needs a solution of Goal and there is none; solutions(I, Goals); others(N, Goals,
% Heads), if N different other instances of Failed were called, or least(N), some of which are Goals in clauses with
% Heads; earlier(N, Instances), if N instances of earlier goals have failed; and unended, if a limit ended the search
% for instances.
%
% A level is level(N, Goals): the depth of a goal below the explained goal, and the goals on the way to it whose
% clauses were examined.

% goal_misses(+Goal, +Module, +Level, -Misses): Misses is empty if the goal has a solution.
goal_misses(Goal, M, Level, Misses) :-
    '$plain_goal'(Goal, G),
    (   either_of(G)
    ->  findall(Own, ( alternative(G, A), alternative_misses(A, M, Level, Own) ), All),
        ( memberchk([], All) -> Misses = [] ; append(All, Each), ranked(Each, G, Misses) )
    ;   control(G)
    ->  body_miss(G, M, M:G, [], Level, Miss, _),
        some_miss(Miss, Misses)
    ;   '$explain_pred'(M:G, Home, Kind, How, Meta),
        kind_misses(Kind, How, Meta, G, M, Home, Level, Misses)
    ).

alternative_misses(A, M, Level, Misses) :-
    (   control(A)
    ->  body_miss(A, M, M:A, [], Level, Miss, _),
        some_miss(Miss, Misses)
    ;   goal_misses(A, M, Level, Misses)
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
    ->  known_values(G, M, Known),
        Misses = [miss(norow, M:G, [], [], 0, row(Table, Known), [])]
    ;   outcome_misses(Outcome, G, M, Misses)
    ).
kind_misses(Kind, How, Meta, G0, M, Home, Level, Misses) :-
    clause_kind(Kind),
    qualified(Meta, G0, M, G),
    (   How == opaque
    ->  false_miss(G, Home, Misses)
    ;   clause_misses(Kind, G, Home, Level, Misses)
    ).

clause_kind(user).
clause_kind(ssu).
clause_kind(tabled).

% answer_of(+Goal, +Module, -Answer): Answer is the user's answer to a question; it is the last argument of the goal.
answer_of(mcp_ask(Message, Type, _), _, Answer) :- !,
    mcp:'$mcp_ask'(ask_value('', Message, Type), Given),
    ( Given = accept(Answer) -> true ; Answer = Given ).
answer_of(G, M, Answer) :-
    G =.. Parts,
    append(Question, [_], Parts),
    append(Question, [Answer], Asked),
    Any =.. Asked,
    catch(M:Any, error(Formal, Context), failed_again(Formal, Context)),
    !.

% false_miss(+Goal, +Module, -Misses): the miss of a goal whose clauses are not examined.
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
result_at(G, M, 3) :-
    G = element(_, _, _),
    '$explain_pred'(M:G, _, constraint, _, _),
    !.
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

% tried(:Goal, -Outcome): Outcome says whether a goal holds, fails, throws, or does not end within bounds.
tried(Goal, Outcome) :-
    nb_getval('$explain_most', Most),
    tried(Goal, Most, Outcome).

% few_inferences(-Few): the bound for goals that are tried in addition.
few_inferences(Few) :-
    nb_getval('$explain_most', Most),
    Few is min(10000, Most // 20).

% tried(:Goal, +Inferences, -Outcome): the same with a bound. Changes by the goal are undone.
tried(Goal, Most, Outcome) :-
    (   catch(( call_with_inference_limit(snapshot(\+ \+ supposed(Goal)), Most, R), open_or_holds(R, Outcome0) ), Ball,
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

builtin_misses(G, M, Level, Misses) :-
    (   recovery(G, M, Ball, Recovery)
    ->  deeper(Level, Recovery, M, Because),
        Misses = [miss(recovery, M:G, [], [], 0, M:caught(Ball, Recovery), Because)]
    ;   inner_goal(G, M, Inner)
    ->  '$strip_module'(Inner, M1, G1),
        '$must_be_callable'(G1),
        goal_misses(G1, M1, Level, Misses)
    ;   (   negated(G, A)
        ->  tried(M:A, Outcome),
            ( Outcome = threw(_), thrower(Level, A, M, Misses0) -> Misses = Misses0 ; negated_misses(Outcome, A, G, M, Misses) )
        ;   G = forall(C, A)
        ->  counterexample(C, A, G, M, Level, Misses)
        ;   false_miss(G, M, Misses0),
            ( left_out(Misses0, G, M, Level, Misses) -> true ; with_solutions(Misses0, G, M, Misses) )
        )
    ).

% left_out(+Misses0, +Goal, +Module, +Level, -Misses): the goal collects solutions, and its given list has an element
% that is not a solution. Misses says what that element lacks.
left_out([miss(false, G, At, Held, Total, known(I, Values, 1), _)], Collect, M, Level,
        [miss(false, G, At, Held, Total, known(I, Values, 1), Because)]) :-
    collecting(Collect, T0, A0, Wanted),
    is_list(Wanted),
    member(T, Wanted),
    plain_goal(A0, M, M1, A1),
    copy_term(T0-A1, T-A),
    deeper(Level, A, M1, Because),
    Because \== [],
    !.

collecting(G, T, A, L) :-
    aggregated(G, Spec, A, L),
    nonvar(Spec),
    ( Spec = bag(T) ; Spec = set(T) ).

% with_solutions(+Misses0, +Goal, +Module, -Misses): the goal collects solutions; Misses includes some of them.
with_solutions(Misses0, G, M, Misses) :-
    (   Misses0 = [miss(false, G1, At, Held, Total, Known, Because)],
        aggregated(G, _, A, _),
        solutions(0, A, M, Solutions)
    ->  Misses = [miss(false, G1, At, Held, Total, Known, [Solutions|Because])]
    ;   Misses = Misses0
    ).

% held_solutions(+Held, +Module, +Level, -List): solutions(I, Some) for each held goal that has collected solutions. I
% is the number of the goal, and Some are the first four solutions.
held_solutions(Held, M, level(N, _), List) :-
    (   N < 4
    ->  findall(Solutions, ( nth1(I, Held, H), nonvar(H), aggregated(H, _, A, _), solutions(I, A, M, Solutions) ), List)
    ;   List = []
    ).

% aggregated(+Goal, -Spec, -Inner, -Result): the goal collects solutions of Inner as aggregate_all/3 does by Spec.
aggregated(findall(T, A, R), bag(T), A, R).
aggregated(aggregate_all(Spec, A, R), Spec, A, R).
aggregated(aggregate(Spec, A, R), Spec, A, R).
aggregated(bagof(T, A, R), bag(T), A, R).
aggregated(setof(T, A, R), set(T), A, R).

solutions(I, A0, M0, solutions(I, Some)) :-
    plain_goal(A0, M0, M, A),
    few_inferences(Few),
    bounded(explain_misses:findall(M:A, limited(4, M, A), Some), Few),
    Some \== [].

% recovery(+Goal, +Module, -Ball, -Recovery): the goal of catch/3 throws Ball, and Recovery, which is then called,
% fails.
recovery(catch(A, C, R), M, Ball, Recovery) :-
    tried(M:A, threw(Ball)),
    copy_term(C-R, Ball-Recovery),
    tried(M:Recovery, fails).

% inner_goal(+Goal, +Module, -Inner): Goal fails if and because Inner fails.
inner_goal(G, M, Inner) :- stands_for(G, M, Inner).
inner_goal(once(A), M, M:A).
inner_goal(Not, M, M:A) :- negated(Not, NotA), nonvar(NotA), negated(NotA, A).
inner_goal(catch(A, _, _), M, M:A).
inner_goal(G, M, M1:A) :-
    aggregated(G, Spec, A0, _),
    nonvar(Spec),
    functor(Spec, Name, _),
    ( functor(G, Outer, 3), memberchk(Outer, [setof, bagof, aggregate]) -> true ; memberchk(Name, [max, min]) ),
    plain_goal(A0, M, M1, A),
    tried(M1:A, fails).
inner_goal(G, M, Inner) :-
    compound(G),
    \+ negated(G, _),
    G \= forall(_, _),
    '$explain_pred'(M:G, _, builtin, _, Meta),
    Meta \== none,
    last_called(Meta, G, M, Inner),
    tried(Inner, fails).

% last_called(+Meta, +Goal, +Module, -Inner): Inner is the last goal that a library predicate has called.
last_called(Meta, G, M, Inner) :-
    Last = last(none),
    closures(Meta, G, M, explain_misses, Last, Closures),
    tried(M:Closures, _),
    arg(1, Last, Inner),
    Inner \== none.

% closed(+State, :Goal): calls a goal for a library predicate and records it.
closed(Last, G) :- nb_setarg(1, Last, G), call(G).

negated_misses(holds, A0, G, M, [miss(holds, M:G, [], [], 0, M:A, [holds(Node), breaks(Facts), also(Others)])]) :-
    copy_term(A0, A),
    (   step(A, M, ctx(3, [], none), Node0)
    ->  completed(Node0, Node)
    ),
    findall(Fact, ( absent_in(Node, Fact), Fact = M1:F, ground(F), may_be_fact(F, M1) ), Facts),
    explain_within(Node),
    few_inferences(Few),
    ( bounded(explain_misses:also_holds(A0, M, Node, Others0), Few) -> Others = Others0 ; Others = [] ),
    maplist(explain_within, Others).

% also_holds(+Goal, +Module, +Node, -Others): Others are the nodes of the next solutions of a goal that must not hold,
% by other clauses or for other instances.
also_holds(A, M, Node, Others) :-
    findall(Node0, limited(8, explain_misses, step(A, M, ctx(2, [], none), Node0)), Nodes0),
    maplist(completed, Nodes0, Nodes),
    solution_key(Node, Key),
    foldl(another_solution, Nodes, [Key-Node], [_|Others0]),
    pairs_values(Others0, Others1),
    some_of(2, Others1, Others).

another_solution(Node, Seen, All) :-
    solution_key(Node, Key),
    ( member(Key0-_, Seen), Key0 =@= Key -> All = Seen ; append(Seen, [Key-Node], All) ).

solution_key(Node, Goal-Line) :-
    Node = node(_, Goal, Info, _),
    ( nonvar(Info), Info = called(_, at(_, Line, _), _, _) -> true ; Line = none ).
negated_misses(fails, _, _, _, []).
negated_misses(open, _, G, M, [miss(limit, M:G, [], [], 0, none, [])]).
negated_misses(threw(Ball), _, G, M, [miss(error, M:G, [], [], 0, M:Ball, [])]).

% explain_within(+Node): absent goals in the proof of a goal that must not hold get their misses, unless the proof
% stands within another proof of this kind.
explain_within(Node) :-
    nb_getval('$explain_most', Most),
    nb_getval('$explain_shown', Shown),
    (   Shown \== all,
        Few is Most // 4,
        bounded(explain_absences:absences([], Node), Few)
    ->  true
    ;   true
    ),
    nb_setval('$explain_most', Most),
    nb_setval('$explain_shown', Shown),
    '$explain_misses'(true).

% absent_in(+Node, -Goal): Goal is a goal without an answer in a proof.
absent_in(node(absent, M:Negation, _, _), M1:A) :- negated(Negation, A0), '$strip_module'(M:A0, M1, A).
absent_in(Node, Goal) :- node_steps(Node, Steps), findall_steps(Steps, Nodes, []), member(Inner, Nodes), absent_in(Inner, Goal).

% counterexample(+Condition, +Action, +Goal, +Module, +Level, -Misses): Misses has the first solution of the condition
% for which the action does not hold, and the number of others.
counterexample(C1, A1, G, M, Level, Misses) :-
    copy_term(C1-A1, C-A), % what a counterexample binds is not so for the goal
    (   supposed(M:C),
        \+ supposed(M:A)
    ->  deeper(Level, A, M, Because0),
        findall(M:A1, limited(500, M, (C1, \+ A1)), Failed),
        list_to_set(Failed, [_|Others]),
        length(Others, N),
        (   N > 0
        ->  Because = [others(N, Others, [])|Because0]
        ;   Because = Because0
        ),
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

% misses_within(+Goal, +Module, +Level, -Misses): if the search for the misses of the goal is already going on, Misses
% is empty.
misses_within(G, M, Level, Misses) :-
    '$strip_module'(M:G, M1, G1),
    callable(G1),
    Level = level(_, Above),
    (   member(G2, Above),
        G2 =@= G1
    ->  Misses = [miss(circle, M1:G1, [], [], 0, none, [])]
    ;   catch(goal_misses(G1, M1, Level, Misses), error(Formal, Context), failed_again(Formal, Context))
    ).

% root_miss(+Most, +Goal, +Module, +Above, -Misses): below the levels that are shown, Misses has only the last reason:
% the nearest miss of the nearest miss and so on, at most Most times, and the same for each alternative of a
% disjunction. If all misses are requested, more(N) says how many others there are.
root_miss(Most, G, M, Above, Misses) :-
    (   either_of(G)
    ->  findall(Root, ( alternative(G, A), root_miss(Most, A, M, Above, [Root|_]) ), Misses)
    ;   misses_within(G, M, level(4, Above), All),
        nearest_first(All, G, [Miss|Others])
    ->  (   Most > 1,
            Miss = miss(Kind, Goal, At, Held, Total, M1:Failed, Because),
            Kind == clause,
            Next is Most - 1,
            '$strip_module'(Goal, _, Within),
            root_miss(Next, Failed, M1, [Within|Above], Deeper),
            Deeper = [Root|_]
        ->  (   Root = miss(clause, _, _, _, _, _, _),
                \+ either_of(Failed)
            ->  append(Deeper, Others, Misses)
            ;   partition([B]>>functor(B, miss, 7), Because, Own, Extra), % its own misses are about what it collected
                ( Root = miss(error, _, _, _, _, _, _) -> append(Extra, Deeper, Inner) ; append([Extra, Deeper, Own], Inner) ),
                Misses = [miss(Kind, Goal, At, Held, Total, M1:Failed, Inner)|Others]
            )
        ;   Misses = [Miss|Others]
        )
    ;   Misses = []
    ).

nearest_first(Misses0, G, [Miss|Others]) :-
    (   nb_getval('$explain_shown', all)
    ->  nearest(1, Misses0, G, [Miss|Others])
    ;   Misses0 = [Miss|_],
        Others = []
    ).

% ranked(+Misses0, +Goal, -Misses): Misses has the nearest misses, as many as are shown, and the number of others; or
% all of them in the order of the clauses. A clause that only leads back to a goal above it is left out of the nearest
% misses if there are others.
ranked(Misses0, G, Misses) :-
    nb_getval('$explain_shown', Shown),
    (   Shown == all
    ->  Misses = Misses0
    ;   exclude(leads_back, Misses0, Misses1),
        Misses1 \== []
    ->  nearest(Shown, Misses1, G, Misses)
    ;   nearest(Shown, Misses0, G, Misses)
    ).

nearest(Shown, Misses0, G, Misses) :-
    findall(Key-Miss, ( member(Miss, Misses0), rank_key(Miss, G, Key) ), Keyed),
    keysort(Keyed, Sorted),
    pairs_values(Sorted, Nearest),
    some_of(Shown, Nearest, First),
    length(First, Most),
    findall(x, ( nth1(I, Sorted, key(Class, _, _, _)-_), I > Most, Class < 9 ), Others),
    length(Others, N),
    (   N > 0
    ->  append(First, [more(N)], Misses)
    ;   Misses = First
    ).

leads_back(miss(clause, _, _, _, _, _, Because)) :-
    nearest_inner(Because, Inner),
    ( Inner = miss(circle, _, _, _, _, _, _) -> true ; leads_back(Inner) ).

% miss_gap(+Miss, -Gap): Gap says how far the comparison at the end of a miss is from being true, relative to its
% greater number.
miss_gap(miss(clause, _, _, _, _, Failed0, Because), Gap) :-
    (   nearest_inner(Because, Inner),
        Inner = miss(clause, _, _, _, _, _, _)
    ->  miss_gap(Inner, Gap)
    ;   '$strip_module'(Failed0, _, Failed),
        gap(Failed, Gap),
        Gap \== none
    ).

% nearest_inner(+Because, -Miss): the first miss of the goal that failed.
nearest_inner(Because, Miss) :-
    Miss = miss(_, _, _, _, _, _, _),
    member(Miss, Because),
    !.

% rank_key(+Miss, +Goal, -Key): Key is key(Class, Left-Depend, Held, Gap). A clause that throws comes first, then
% facts that are spelled nearly like the goal. Then come clauses with the fewest goals that do not hold; among these,
% first those with the fewest goals that need a value which was not found, then those with the most held goals that
% share values with the goal, then those whose failed comparison is nearest. Among grammar clauses, those that have
% read most of the text come first. Facts that do not fit come after clauses that fit, and a clause not tried after a
% cut is last.
rank_key(Miss, G, key(Class, Left, Held, Gap)) :-
    ( miss_gap(Miss, Gap0) -> Gap = Gap0 ; Gap = 1.0 ),
    Miss = miss(Kind, _, _, Near, _, Failed, _),
    (   Kind == clause
    ->  goals_left(Miss, G, Left1, N, Depend),
        Left0 = Left1-Depend,
        ( throws(Miss) -> Class = -1 ; Class = 1 ),
        (   Miss = miss(_, _, _, _, _, _, [unread(Unread)|_])
        ->  Left = unread(Unread, Left0)
        ;   Left = Left0
        ),
        Held is -N
    ;   Left = 0,
        Held = 0,
        (   Kind == cut
        ->  cut_class(Failed, Class)
        ;   Kind == near,
            Near = [near(_, _, _, spelled)|_]
        ->  Class = 0
        ;   Class = 3
        )
    ).

% cut_class(+Lost, -Class): a goal that the cutting clause lacks says more than the cut, unless the clause fails on
% purpose or has another value.
cut_class(none, 9) :- !.
cut_class(_:before(_, _, Lacks), Class) :- ( memberchk(Lacks, [fail, false, _ = _, _ is _]) -> Class = 0 ; Class = 2 ).

% goals_left(+Miss, +Goal, -Left, -Held, -Depend): Left is the number of goals that do not hold, down to the goal that
% has no further explanation. Held is the number of held goals on the way that share values with the goals. Depend is
% the number of goals that need a value which was not found, so that nobody knows whether they hold. A predicate
% without clauses counts as several goals. So for an unknown customer, the nearest miss is not that nobody has ordered
% anything yet.
goals_left(miss(_, _, Place, Goals, Total0, Failed, Because), G, Left, Held, Depend) :-
    length(Goals, N),
    ( memberchk(verdicts(Verdicts), Because) -> true ; Verdicts = [] ),
    (   Verdicts == []
    ->  computed(Place, N, Behind),
        Depend0 = 0
    ;   findall(V, member(verdict(holds, _:V, _), Verdicts), Holding),
        findall(V, member(verdict(depends(_), _:V, _), Verdicts), Depending),
        exclude(computes, Depending, Needing),
        length(Needing, Depend0),
        length(Depending, Depend1),
        length(Holding, Behind0),
        Behind is Behind0 + Depend1
    ),
    Total is Total0 - Behind,
    relevant(G, Goals, Held0),
    (   nearest_inner(Because, Inner),
        Inner = miss(clause, _, _, _, _, _, _)
    ->  '$strip_module'(Failed, _, Within),
        goals_left(Inner, Within, Left1, Held1, Depend2),
        Left is Total - N - 1 + Left1,
        Held is Held0 + Held1,
        Depend is Depend0 + Depend2
    ;   ( nearest_inner(Because, First), First = miss(empty, _, _, _, _, _, _) -> More = 3 ; More = 0 ),
        Left is Total - N + More,
        Held = Held0,
        Depend = Depend0
    ).

% computed(+Place, +N, -Computed): Computed is the number of goals after the failed one that only compute a value.
% These do not count as missing.
computed(Place, N, Computed) :-
    ( Place = at(_, _, Body) ; Place = at(Body) ),
    conjuncts(Body, Goals),
    length(Before, N),
    append(Before, [_|Behind], Goals),
    !,
    include(computes, Behind, Computing),
    length(Computing, Computed).
computed(_, _, 0).

computes(G) :- nonvar(G), ( G = (V is _) ; G = (V = _) ; G = (_ = V) ), var(V), !.

% relevant(+Goal, +Held, -N): N goals of Held share a value with the goal, or with an earlier goal of these. If the
% goal has no values, all goals count.
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

% known_values(+Goal, +Module, -Known): if only one argument of the goal is given, Known is known(Argument, Values,
% Count) with the values of this argument in the first facts or rows; otherwise none. Count is 0 if there are too many
% to count.
known_values(G, M, Known) :-
    (   findall(I, ( arg(I, G, A), nonvar(A) ), [At]),
        functor(G, Name, Arity),
        functor(Any, Name, Arity),
        arg(At, Any, V),
        catch(findall(V, limit(2000, M:Any), Found), error(_, _), fail),
        arg(At, G, Wanted),
        ( string(Wanted) -> Found1 = Found ; exclude(string, Found, Found1) ),
        list_to_set(Found1, Values),
        Values \== []
    ->  ( length(Found, 2000) -> Count = 0 ; length(Values, Count) ),
        include(same_rounded(Wanted), Values, Rounded),
        append(Rounded, Values, Shown),
        list_to_set(Shown, Each),
        some_of(8, Each, Some),
        Known = known(At, Some, Count)
    ;   Known = none
    ).

% same_rounded(+Wanted, +Value): the two are the same number as floats, which integers beyond 2^53 may be by rounding.
same_rounded(Wanted, Value) :-
    number(Wanted), number(Value),
    abs(Wanted) >= 1 << 53,
    catch(float(Wanted) =:= float(Value), error(_, _), fail).

some_of(N, List, Some) :-
    (   length(Some, N),
        append(Some, _, List)
    ->  true
    ;   Some = List
    ).

% clause_misses(+Kind, +Goal, +Home, +Level, -Misses): the misses of the clauses whose heads fit. Bindings by a clause
% are undone.
clause_misses(Kind, G, Home, level(N, Above), Misses) :-
    State = state(none, 0, first),
    Inner = level(N, [G|Above]), % that of the goals of clauses
    ( Kind == tabled -> behind_table(G, Clause) ; Clause = G ),
    (   Kind == ssu
    ->  findall(Miss, ssu_miss(G, Home, Inner, Miss), List)
    ;   findall(Miss, clause_miss(Clause, G, Home, Inner, State, Miss), List)
    ),
    (   memberchk(holds, List)
    ->  ( Kind == tabled, other_answer(G, Home, Misses) -> true ; Misses = [] )
    ;   ( Kind == ssu, List \== [] -> Near = [] ; fact_misses(Clause, G, Home, Near) ),
        (   N =:= 1,
            Kind == user,
            ( List \== [] ; Near \== [] )
        ->  ( List == [], known_instead(G, Near, Value) -> true ; Value = none ),
            holding_heads(G, Home, Inner, Value, Heads)
        ;   Value = none,
            Heads = []
        ),
        append([List, Near, Heads], All),
        (   All == []
        ->  unfit_misses(G, Home, Inner, Misses)
        ;   Value \== none,
            Heads \== []
        ->  Misses = Heads
        ;   ranked(All, G, Misses)
        )
    ).

% known_instead(+Goal, +Misses, -I): in a contrast, a fact has another value in the last argument, which is the answer
% itself.
known_instead(G, [miss(near, _, _, Near, _, _, _)], I) :-
    nb_current('$explain_contrast', true),
    functor(G, _, I),
    memberchk(near(_, _, I, _), Near).

% other_answer(+Goal, +Home, -Misses): clauses hold, but the table keeps another answer because of its modes.
other_answer(G, Home, [miss(false, Home:G, [], [], 0, known(I, [V], 1), [])]) :-
    functor(G, _, Arity),
    down(Arity, I),
    answer_with(G, I, Home, Other),
    arg(I, Other, V),
    arg(I, G, Given),
    !,
    V \= Given.

clause_miss(G, Shown, Home, Level, State, Miss) :-
    marked_clause(G, Home, Body, At, Text),
    arg(2, State, N0),
    N is N0 + 1,
    nb_setarg(2, State, N),
    nb_getval('$explain_shown', Few),
    ( N >= 30, Few \== all -> ! ; true ),
    arg(1, State, Cutter),
    (   Cutter == none
    ->  body_miss(Body, Home, Home:Shown, At, Level, Miss0, Cut),
        (   Miss0 == holds
        ->  !
        ;   Cut == true
        ->  cutter(Miss0, Home, Before),
            nb_setarg(1, State, Before)
        ;   true
        ),
        with_unread(Text, Miss0, Miss)
    ;   (   Cutter = before(_, _, _),
            body_miss(Body, Home, Home:Shown, At, Level, holds, _)
        ->  !,
            Lost = Home:Cutter
        ;   arg(3, State, first),
            nb_setarg(3, State, no),
            Lost = none
        ),
        Miss = miss(cut, Home:Shown, At, [], 0, Lost, [])
    ).

% cutter(+Miss, +Home, -Before): Before is before(Test, Place, Lacks) for a clause that has failed after its cut: the
% goals before the cut, the place, and the goal that it lacks, or unknown.
cutter(miss(_, _, At, _, _, Failed, _), Home, Before) :-
    (   At = at(_, _, Body),
        before_cut(Body, Test),
        Test \== true,
        tried(Home:Test, holds)
    ->  '$strip_module'(Failed, _, Lacks),
        doubtful_goal(Home, Test, Tested),
        Before = before(Tested, At, Lacks)
    ;   Before = unknown
    ).

% before_cut(+Body, -Test): Test are the goals before the first cut.
before_cut(V, _) :- var(V), !, fail.
before_cut(!, true).
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
        ( Rest == true -> Test = A ; Test = (A, Rest) )
    ).

% overruled(+Open, +Bound, +Module, -Miss): Bound, an instance of Open, holds but is not an answer of Open. An earlier
% answer is final because of a cut of its clause or a control construct, either here or in a goal of the clause by
% which Bound holds.
overruled((C -> A ; B), (C1 -> A1 ; B1), M, Miss) :- !,
    (   M:C
    ->  (   C \= C1
        ->  ( tried(M:C1, holds) -> true ; tried(M:B1, holds) ),
            commits(C, M, Miss)
        ;   C = C1,
            overruled(A, A1, M, Miss)
        )
    ;   overruled(B, B1, M, Miss)
    ).
overruled(once(A), once(A1), M, Miss) :- !,
    tried(M:A1, holds),
    once(M:A),
    commits(A, M, Miss).
overruled(Open, Bound, M, Miss) :-
    clause_for(M:Open, Home, Head, Body, At, Cut),
    copy_term(Head-Body, Bound-Given),
    tried(Home:Given, holds),
    !,
    (   Cut \== none
    ->  Miss = miss(cut, Home:Bound, At, [], 0, Home:Cut, [])
    ;   Head = Open,
        once(Home:Given),
        conjuncts(Body, Goals),
        conjuncts(Given, Answers),
        overruled_goal(Goals, Answers, Home, Miss)
    ).

% clause_for(:Open, -Home, -Head, -Body, -At, -Cut): the clauses of a predicate of the program. Cut is before(Test,
% Place, Whose) for the first clause, up to this one, that cuts after Test for the goal Open, or none. Whose is own if
% this is the clause itself.
clause_for(M:Open, Home, Head, Body, At, Cut) :-
    '$explain_pred'(M:Open, Home, user, How, _),
    How \== opaque,
    functor(Open, Name, Arity),
    functor(Head, Name, Arity),
    Cuts = cuts(none),
    '$explain_clause'(Home:Head, Body, At, _),
    (   arg(1, Cuts, none),
        At = at(_, _, _)
    ->  \+ ( Head = Open, before_cut(Body, Test), tried(Home:Test, holds), once(Home:Test),
            nb_setarg(1, Cuts, before(Test, At, fail)), fail )
    ;   true
    ),
    arg(1, Cuts, First),
    (   First = before(Test1, Place, _)
    ->  ( subsumes_term(At, Place) -> Whose = own ; Whose = fail ), % several clauses may stand in a line
        Cut = before(Test1, Place, Whose)
    ;   Cut = none
    ).

% comes_first(:Open, +Miss, -First): Miss is the miss of an instance of Open, and Open itself does not reach its
% clause. First is a miss of the kind cut that says which answer comes first. If the instance fails before the cut of
% its clause, there is no First, because the clause was or would be tried.
comes_first(M:Open, miss(clause, G, at(File, Line, Given), _, _, Failed, Because), First) :-
    '$strip_module'(M:Open, M1, Open1),
    clause_for(M1:Open1, Home, Head, Body, At, Cut),
    subsumes_term(At, at(File, Line, Given)),
    !,
    (   Cut = before(Test, Place, Whose),
        ( Whose \== own -> How = first ; How = own, before_cut(Given, Own), Own \= Test, tried(Home:Own, holds) )
    ->  First = miss(cut, G, at(File, Line, Given), [], 0, Home:before(Test, Place, How), [])
    ;   Head = Open1,
        conjuncts(Body, Goals),
        conjuncts(Given, Answers),
        '$strip_module'(Failed, _, Fails),
        first_goal(Goals, Answers, Fails, Because, Home, First)
    ).

first_goal([G|Gs], [A|As], Failed, Because, M, First) :-
    (   A == Failed
    ->  nearest_inner(Because, Inner),
        comes_first(M:G, Inner, First)
    ;   M:G,
        G = A
    ->  first_goal(Gs, As, Failed, Because, M, First)
    ;   overruled(G, A, M, First)
    ).

commits(A, M, miss(cut, M:A, [], [], 0, M:A, [])).

overruled_goal([G|Gs], [A|As], M, Miss) :-
    (   M:G,
        G = A
    ->  overruled_goal(Gs, As, M, Miss)
    ;   overruled(G, A, M, Miss)
    ).

% ssu_miss(+Goal, +Home, +Level, -Miss): as clause_miss/6 for a clause with =>.
ssu_miss(G, Home, Level, Miss) :-
    '$explain_ssu_clause'(Home:G, Head, Body0, At, Single),
    (   Single == true
    ->  subsumes_term(Head, G),
        (   Body0 = ('$guard'(Guard0), Body)
        ->  '$strict_guard'(Guard0, Head, Guard),
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
    ;   body_miss(Body, Home, Home:G, At, Level, Miss, _)
    ).

% fact_misses(+Goal, +Shown, +Home, -Misses): Misses has facts that nearly match, or says that there are no clauses.
fact_misses(G, Shown, Home, Misses) :-
    (   bounded('$explain_near'(Home:G, Kind0, Near1), 30000)
    ->  Kind = Kind0,
        Near0 = Near1
    ;   ( has_rule(Home:G) -> Kind = rules ; Kind = facts ),
        Near0 = []
    ),
    include(may_hold(G, Home), Near0, Near),
    (   Kind == empty
    ->  Misses = [miss(empty, Home:Shown, [], [], 0, none, [])]
    ;   Near \== []
    ->  Misses = [miss(near, Home:Shown, [], Near, 0, none, [])]
    ;   Kind == facts
    ->  known_values(G, Home, Known),
        Misses = [miss(nofact, Home:Shown, [], [], 0, Known, [])]
    ;   Misses = []
    ).

% unfit_misses(+Goal, +Home, +Level, -Misses): no head fits. If another value of one argument has an answer, the miss
% gives this value, for example the actual result. If this is true for several arguments, the last one counts.
unfit_misses(G, Home, Level, [miss(nohead, Home:G, [], Near, 0, none, [])|Heads]) :-
    (   functor(G, _, Arity),
        down(Arity, I),
        answer_with(G, I, Home, Other)
    ->  Near = [near(Other, none, I, value)],
        holding_heads(G, Home, Level, I, Heads)
    ;   near_heads(G, Home, Near),
        Heads = []
    ).

% holding_heads(+Goal, +Home, +Level, +Value, -Misses): Misses has clauses that hold with another constant in one
% argument, or, in a contrast, the first clause with another constant and what else it lacks. The argument is not the
% one with the number Value, whose only answer is known. If Value is none, no clause has the constant of the goal in
% that argument.
holding_heads(G, Home, Level, Value, Misses) :-
    few_inferences(Few),
    findall(Holds-head(Near, Open, Body), ( near_head(G, Home, Body0, Near), Near = near(Head, _, I, _), I \== Value,
        open_at(G, I, Given, Open), atomic(Given), arg(I, Head, Own), atomic(Own),
        \+ ( Value == none, has_constant(G, Home, I, Given) ), copy_term(Head-Body0, Open-Body),
        ( tried(Home:Body, Few, holds) -> Holds = yes ; Holds = no ) ), All),
    (   findall(Near, member(yes-head(Near, _, _), All), Holding),
        Holding \== []
    ->  some_of(4, Holding, Some),
        Misses = [miss(nohead, Home:G, [], Some, 0, none, [])]
    ;   Value \== none,
        nb_current('$explain_contrast', true),
        All = [_-head(Near, Open, Body)|_]
    ->  Near = near(_, At, _, _),
        body_miss(Body, Home, Home:Open, At, Level, Miss, _),
        Misses = [miss(nohead, Home:G, [], [Near], 0, none, []), Miss]
    ;   Misses = []
    ).

has_constant(G, Home, I, Given) :-
    functor(G, Name, Arity),
    functor(Head, Name, Arity),
    '$explain_clause'(Home:Head, _, _, _),
    arg(I, Head, Own),
    Own == Given.

% may_hold(+Goal, +Home, +Near): a near row of a decision table does not fail with its own value of the differing
% argument. Near clauses of programs always count: what they lack may come from values that are not known here.
may_hold(G, Home, near(Head, at(File, _, Body), I, _)) :-
    \+ source_file(File),
    !,
    few_inferences(Few),
    open_at(G, I, _, Open),
    \+ \+ ( Open = Head, tried(Home:Body, Few, Outcome), Outcome \== fails ).
may_hold(_, _, _).

% near_heads(+Goal, +Home, -Near): Near are up to four heads of clauses that differ from the goal in one argument,
% heads that differ in the last argument first.
near_heads(G, Home, Near) :-
    findall(Late-Head, ( near_head(G, Home, _, Head), may_hold(G, Home, Head), arg(3, Head, I), Late is -I ), Keyed0),
    keysort(Keyed0, Keyed),
    pairs_values(Keyed, All),
    some_of(4, All, Near).

near_head(G, Home, Body, near(Head, At, I, head)) :-
    compound(G),
    functor(G, Name, Arity),
    functor(Head, Name, Arity),
    limited(10000, Home, '$explain_clause'(Home:Head, Body, At, By)), % facts are looked at by $explain_near/3
    By == rule,
    findall(J, differs_at(G, Head, J), [I]),
    open_at(G, I, _, Open),
    \+ Open \= Head.

differs_at(G, Head, I) :-
    arg(I, G, A),
    arg(I, Head, B),
    A \= B.

down(N, I) :- N > 0, ( I = N ; M is N - 1, down(M, I) ).

% answer_with(+Goal, +I, +Module, -Other): Other is the answer of Goal with another value of argument I, if there is
% exactly one.
answer_with(G, I, M, Other) :-
    open_at(G, I, Given, Open),
    nonvar(Given),
    few_inferences(Few),
    bounded(explain_misses:two_answers(Open, M, Answers), Few),
    Answers = [Other],
    arg(I, Other, Value),
    ground(Value).

% open_at(+Goal, +I, -Given, -Open): Open is Goal with a variable in place of Given, its argument I.
open_at(G, I, Given, Open) :-
    G =.. [Name|Args],
    nth1(I, Args, Given, Rest),
    nth1(I, OpenArgs, _, Rest),
    Open =.. [Name|OpenArgs].

two_answers(G, M, Answers) :-
    findall(G, limited(2, M, G), Found),
    sort(Found, Answers).

% body_miss(+Body, +Module, +Goal, +Place, +Level, -Miss, -Cut): Miss says how far a body comes; it is holds if the
% whole body holds.
body_miss(Body, M, Goal, At, Level, Miss, Cut) :-
    Best = best(0, -1, none, false, none, 0, [], [], []),
    probe(Body, M, Goal, Best, Steps, Probed),
    tried(explain_misses:probed(Probed, Best), Outcome),
    arg(4, Best, Cut),
    (   Outcome == holds
    ->  Miss = holds
    ;   arg(1, Best, Index),
        arg(3, Best, Copy),
        (   Copy = all(Goal1, Body1, Steps1)
        ->  true
        ;   Goal1 = Goal,
            Body1 = Body,
            Steps1 = Steps
        ),
        instance_place(At, Body1, At1),
        found(Steps1, Index, Held0, Found),
        total(Steps1, Total),
        maplist(doubtful_goal(M), Held0, Held),
        none_found(Body, Body1, Index, None),
        found_miss(Found, Outcome, M, Goal1, At1, Level, Held, Total, Body1-None, Index, Best, Miss0),
        (   Outcome == fails,
            Found = found(_)
        ->  other_branches(Goal-Body, Goal1-Body1, Index, M, Level, Branches),
            Miss0 = miss(Kind, Goal2, At2, Held2, Total2, Failed, Because0),
            ( Branches == [], single(Goal-Body, Goal1-Body1, Best, M, Because0, Single) -> Because1 = [Single|Because0] ; Because1 = Because0 ),
            append(Branches, Because1, Because),
            Miss = miss(Kind, Goal2, At2, Held2, Total2, Failed, Because)
        ;   Miss = Miss0
        )
    ).

% other_branches(+Clause, +Instance, +Index, +Module, +Level, -Branches): the failed goal with this number stands in a
% branch of a condition, and with another branch the clause would hold. Branches are the first three of these, each as
% branch(How, Condition, Won, Misses, Instance): How is would, or may if the branch needs a value that its condition
% has not found. Condition is the condition of the branch, true for the last branch. Won is the earlier condition that
% holds, or none. Misses says what Condition lacks. Clause and Instance are Goal-Body; the instance of the branch has
% the values of the goals before the condition.
other_branches(Clause, _-Body1, Index, M, Level, Branches) :-
    part(Body1, Index, 1, _, Before, _, _),
    copy_term(Clause, Goal-Body),
    part(Body, Index, 1, _, Before, Part, Rest),
    if_then_else(Part, _, _, Else),
    \+ memberchk(Else, [fail, false]),
    !,
    arms(Part, Arms),
    findall(branch(How, Condition, Won, Misses, Goal-Body),
        limited(3, explain_misses, other_branch(Arms, Rest, M, Level, How, Condition, Won, Misses)), All),
    partition([branch(would, _, _, _, _)]>>true, All, Sure, Unsure),
    append(Sure, Unsure, Branches).
other_branches(_, _, _, _, _, []).

other_branch(Arms, Rest, M, Level, How, Condition, Won, Misses) :-
    few_inferences(Few),
    once(( append(Lost, [arm(Taken, _, _)|Later], Arms), tried(M:Taken, Few, holds) )),
    (   member(arm(_, Condition, Then), Lost),
        Won = none
    ;   member(arm(_, Condition, Then), Later),
        doubtful_goal(M, M:Taken, Won)
    ),
    foldl(conjoined, Rest, Then, Holds),
    conjuncts(Condition, Goals),
    taken_as_true(Goals, M, Few, true, Known, Lacking),
    tried((Known, M:Holds), Few, Outcome),
    term_variables(Holds, Vs),
    term_variables(Known, Found),
    term_variables(Lacking, Lost1),
    exclude(member_of(Found), Lost1, Unknown),
    (   same_variables(Unknown, Vs, [_|_])
    ->  memberchk(Outcome, [holds, threw(error(instantiation_error, _))]),
        How = may
    ;   Outcome == holds,
        How = would
    ),
    (   Lacking == []
    ->  Won \== none,
        Misses = []
    ;   (   deeper(Level, Condition, M, Misses),
            Misses \== []
        ->  true
        ;   Level = level(_, Above),
            misses_within(Condition, M, level(4, Above), Misses)
        ),
        ( Won == none -> Misses \== [] ; true )
    ),
    ( Won == none -> true ; once(M:Taken) ).

% taken_as_true(+Goals, +Module, +Few, +Known0, -Known, -Lacking): Known are the goals of a condition that hold together, the
% others are Lacking.
taken_as_true([], _, _, Known, Known, []).
taken_as_true([G|Gs], M, Few, Known0, Known, Lacking) :-
    (   tried((Known0, M:G), Few, holds)
    ->  taken_as_true(Gs, M, Few, (Known0, M:G), Known, Lacking)
    ;   Lacking = [G|Lacking1],
        taken_as_true(Gs, M, Few, Known0, Known, Lacking1)
    ).

conjoined(G, Goals, (Goals, G)).

% arms(+Condition, -Arms): Arms has arm(Test, Condition, Goals) for each branch of a chain of conditions, also within
% branches; Condition is true for the last branch. Test is the condition limited to its first solution.
arms(Part0, Arms) :-
    ( nonvar(Part0), ( Part0 = (_ -> _) ; Part0 = (_ *-> _) ) -> Part = (Part0 ; fail) ; Part = Part0 ),
    (   if_then_else(Part, C, A, B)
    ->  arms(A, Within),
        maplist(within_arm(C), Within, Arms1),
        arms(B, Arms2),
        append(Arms1, Arms2, Arms)
    ;   Arms = [arm(true, true, Part)]
    ).

within_arm(C, arm(true, true, A), arm(C, C, A)) :- !.
within_arm(C, arm(Test, D, A), arm((once(C), Test), Both, A)) :- conjunction(C, D, Both).

conjunction(V, C, (V, C)) :- var(V), !.
conjunction((A, B), C, (A, D)) :- !, conjunction(B, C, D).
conjunction(A, C, (A, C)).

% doubtful_goal(+Module, +Goal0, -Goal): a goal that is neither true nor false becomes undefined(Goal).
doubtful_goal(M, G, H) :-
    ( nonvar(G), G = within(A) -> true ; A = G ),
    ( in_doubt(true, M:A) -> H = undefined(G) ; H = G ).

% in_doubt(+Holding, :Goal): after Holding, the goal or its negation is neither true nor false.
in_doubt(Holding, Goal) :-
    '$explain_tainted',
    setup_call_cleanup('$explain_misses'(false),
        tried(( Holding, call_delays(Goal, Rests), Rests \== true ), 10000, Outcome), '$explain_misses'(true)),
    Outcome == holds.

% instance_place(+At, +Body, -Place): Place is the place with the farthest instance of the body.
instance_place(At, Body, Place) :-
    (   At = at(File, Line, _)
    ->  unmarked(Body, Plain),
        Place = at(File, Line, Plain)
    ;   Place = At
    ).

probed(Probed, _) :-
    '$choice_point'(Frame),
    '$body'(Probed, Frame).

found_miss(Found, threw(Ball), M, Goal, At, Level, Held, Total, _, _, _, Miss) :- !,
    (   Found = found(Thrower)
    ->  true
    ;   Thrower = true
    ),
    (   thrower(Level, Thrower, M, Because)
    ->  true
    ;   Because = [miss(error, M:Thrower, [], [], 0, M:Ball, [])]
    ),
    Miss = miss(clause, Goal, At, Held, Total, M:Thrower, Because).
found_miss(found(Failed), Outcome, M, Goal, At, Level, Held, Total, Body-None, Index, Best, Miss) :- !,
    (   Outcome == open,
        few_inferences(Few),
        \+ tried(M:Failed, Few, fails)
    ->  Because = [miss(limit, M:Failed, [], [], 0, none, [])]
    ;   deeper(Level, Failed, M, Because0),
        contradicted(Because0, M, Failed, Goal, Body, Held, Because1),
        (   None = [A]
        ->  none_misses(Level, A, M, Because2),
            append([none(A)|Because1], Because2, Because)
        ;   Because = Because1
        )
    ),
    (   Outcome == fails
    ->  unmarked(Body, Plain),
        (   Plain == Body
        ->  part(Body, Index, 1, _, Before, _, Rest),
            include(changes_facts, Before, Changes),
            verdicts(Changes, Rest, Failed, M, Verdicts)
        ;   Verdicts = [] % the text that is left is not known
        ),
        lacks(Failed, Verdicts, M, Lacks),
        others(Best, Failed, Goal, M, Others0),
        ( Plain == Body, earlier(Best, Body, Index, M, Earlier) -> Others1 = [Earlier|Others0] ; Others1 = Others0 ),
        held_solutions(Held, M, Level, Solutions),
        append(Solutions, Others1, Others)
    ;   Outcome == open,
        Because \= [miss(limit, _, _, _, _, _, _)]
    ->  Verdicts = [],
        Lacks = [],
        others(Best, Failed, Goal, M, Others3),
        Others = [unended|Others3]
    ;   Verdicts = [],
        Lacks = [],
        Others = []
    ),
    append([verdicts(Verdicts)|Others], Lacks, Extra),
    append(Extra, Because, All),
    Miss = miss(clause, Goal, At, Held, Total, M:Failed, All).
found_miss(_, _, M, Goal, At, _, Held, Total, _, _, _, miss(clause, Goal, At, Held, Total, M:fail, [])).

% thrower(+Level, +Goal, +Module, -Misses): Misses leads through the clauses of a goal that throws, down to the goal
% of the program or the system that threw.
thrower(Level, G, M, [Miss]) :-
    deeper(Level, G, M, Misses),
    member(Miss, Misses),
    throws(Miss),
    !.

throws(miss(error, _, _, _, _, _, _)).
throws(miss(clause, _, _, _, _, _, Because)) :- nearest_inner(Because, Inner), throws(Inner).

% none_found(+Body, +Instance, +Index, -None): None is [Goal] if the failed goal with this number depends on the
% solutions of Goal and there are none; otherwise []. The failed goal depends on them if it has the variable of their
% list, number or sum, or compares a value computed from it, and a solution would bring it nearer to holding.
none_found(Body, Instance, Index, None) :-
    (   part(Body, Index, 1, _, Before, Failed, _),
        nonvar(Failed),
        \+ control(Failed),
        member(Collects, Before),
        nonvar(Collects),
        aggregated(Collects, Spec, A1, V),
        var(V),
        copy_term_nat(Body-(A1-Spec-V), Instance-(A0-Spec0-None0)),
        collects_none(None0, Spec0, Some),
        ( made_of(V, Before, Made), arg(_, Failed, W), Made == W -> true ; wants_more(Failed, V, Some, Before, Body, Instance) )
    ->  copy_term(A0, A),
        None = [A]
    ;   None = []
    ).

% made_of(+Hits, +Before, -Made): Made is Hits, or what a goal of Before makes of these: the result of a decision table.
made_of(V, _, V).
made_of(V, Before, Made) :- member(Goal, Before), nonvar(Goal), Goal = decision_hits(_, Hits, Made), Hits == V.

% wants_more(+Failed, +Variable, +Some, +Before, +Body, +Instance): Some are values of the variable for no solution
% and for one. With the value for one solution, the goals of Before bring the failed comparison nearer to holding.
% Other variables have the values of the instance.
wants_more(Failed, V, Some, Before, Body, Instance) :-
    foldl(computed_of, Before, [V]-[], Vs-Steps0),
    reverse(Steps0, Steps),
    Steps \== [],
    term_variables(Body, All0),
    exclude(member_of(Vs), All0, Others),
    copy_term_nat(Body-Others, Instance-Values),
    copy_term_nat(V-Others-Steps-Failed, V1-Values-Steps1-Failed1),
    findall(Gap, ( member(V1, Some), catch(maplist(call, Steps1), error(_, _), fail),
        ( catch(call(Failed1), error(_, _), fail) -> Gap = -1 ; gap(Failed1, Gap), Gap \== none ) ), [None, One]),
    One < None.

% computed_of(+Goal, +Computed0, -Computed): the goal computes a variable from variables in Computed0; Computed
% includes it.
computed_of(G, Vs-Steps, [W|Vs]-[G|Steps]) :-
    nonvar(G),
    ( G = (W is E) ; G = sum_list(E, W) ; G = sumlist(E, W) ; G = length(E, W) ),
    var(W),
    term_variables(E, Own),
    same_variables(Own, Vs, [_|_]),
    !.
computed_of(_, Computed, Computed).

collects_none(None, _, [[], [1]]) :- None == [].
collects_none(None, Spec, [0, 1]) :- None == 0, nonvar(Spec), ( Spec = count ; Spec = sum(_) ; Spec = count(_) ).

% none_misses(+Level, +Goal, +Module, -Misses): the misses of a goal without solutions, also below the levels that are
% shown.
none_misses(level(N, Above), A, M, Misses) :-
    (   N < 4
    ->  deeper(level(N, Above), A, M, Misses)
    ;   root_miss(5, A, M, Above, Misses)
    ).

% contradicted(+Because0, +Module, +Failed, +Goal, +Body, +Held, -Because): adds the constraints that a goal
% contradicts to the misses of its clause, so that their variables get the clause's names. If the constraints of the
% clause suffice for the contradiction, these are shown as written; otherwise the current constraints, also of other
% clauses, are shown.
contradicted(Because0, M, Failed, Goal, Body, Held, Because) :-
    (   Because0 = [miss(false, G, At, _, _, M1:(_-[_|_]), _)]
    ->  constraints_of(Held, M, Posted),
        Clause = all(Failed1, Goal1, Body1),
        copy_term_nat(all(Failed, Goal, Body)-Posted, Clause-List0),
        (   contradicts(List0, M:Failed1)
        ->  List1 = List0
        ;   copy_term(all(Failed, Goal, Body), Clause, Residue),
            term_variables(Failed1, Vs),
            partition(shares(Vs), Residue, Near, _),
            (   contradicts(Near, M:Failed1)
            ->  List1 = Near
            ;   connected(Residue, Vs, List1)
            )
        ),
        reverse(List1, Last), % what the goal itself is about is left out last
        against(Last, [], M:Failed1, List),
        Because = [miss(false, G, At, [], 0, M1:met(M:Failed1, List, Goal1, Body1), [])]
    ;   Because = Because0
    ).

% connected(+Constraints, +Variables, -List): List has the constraints that contain one of the variables, or a
% variable of a constraint in List.
connected(Cs, Vs, List) :-
    partition(shares(Vs), Cs, Reached, Others),
    (   Reached == []
    ->  List = []
    ;   term_variables(Reached, Ws),
        connected(Others, Ws, List0),
        append(Reached, List0, List)
    ).

shares(Vs, C) :- term_variables(C, Ws), member(W, Ws), same_member(W, Vs), !.

constraints_of(Goals, M, Constraints) :- foldl(constraint_of(M), Goals, Constraints, []).

constraint_of(M, G, Cs, Cs1) :-
    (   callable(G),
        '$strip_module'(M:G, M1, G1),
        callable(G1),
        '$explain_pred'(M1:G1, _, constraint, _, _)
    ->  Cs = [M1:G1|Cs1]
    ;   Cs = Cs1
    ).

% against(+Constraints, +Kept, +Goal, -List): List has the constraints that make the goal fail; all of them if it does
% not fail.
against([], List, _, List).
against([C|Cs], Kept, Goal, List) :-
    append(Cs, Kept, Others),
    (   contradicts(Others, Goal)
    ->  against(Cs, Kept, Goal, List)
    ;   against(Cs, [C|Kept], Goal, List)
    ).

contradicts(Cs0, Goal0) :-
    copy_term(Cs0-Goal0, Cs-Goal),
    tried(( maplist(call, Cs), Goal ), 10000, fails).

% others(+Best, +Failed, +Goal, +Module, -Others): Others has the number of different other instances of the failed
% goal that were called, or least(N) if there may be more, and some of these instances with the heads of their
% clauses.
others(Best, Failed, Goal, M, Others) :-
    arg(7, Best, Tried),
    findall(M:G, ( member(G, Tried), G \=@= Failed ), Goals),
    arg(8, Best, TriedHeads),
    findall(H, ( member(H, TriedHeads), H \=@= Goal ), Heads),
    length(Goals, N0),
    length(Heads, N1),
    max_member(Most, [N0, N1]),
    (   ( Most =:= 0 ; arg(6, Best, 1) )
    ->  Others = []
    ;   ( Most < 9 -> N = Most ; N = least(Most) ),
        Others = [others(N, Goals, Heads)]
    ).

% earlier(+Best, +Body, +Index, +Module, -Earlier): instances of goals before the one with this number have failed.
% Earlier has earlier(N, Instances) with some of them, each with the next goal of the conjunction.
earlier(Best, Body, Index, M, earlier(N, Instances)) :-
    findall(I-Part, ( failed_in(Best, I), I < Index, plain_part(Body, I, Part) ), Parts),
    failed_parts(Parts, Best, M, N, Instances).

failed_in(Best, I) :-
    arg(7, Best, Tried),
    arg(9, Best, All0),
    sort(All0, All),
    member(failed(I, _, Some), All),
    \+ ( member(G, Some), member(T, Tried), G =@= T ).

failed_parts(Parts, Best, M, N, Instances) :-
    Parts \== [],
    arg(9, Best, All),
    findall((M:G)-Part, ( member(I-Part, Parts), member(failed(I, _, Some), All), member(G, Some) ), Instances),
    length(Instances, Most),
    ( member(I-_, Parts), member(failed(I, _, Some), All), length(Some, 10) -> N = least(Most) ; N = Most ).

% single(+Clause, +Instance, +Best, +Module, +Because, -Single): the farthest instance of a clause, as Head-Body,
% lacks several goals, and another instance lacks only one. Single is single(Tells, Lacks-Goal): the term that
% distinguishes the other instance, the goal that it lacks, and the same goal in the farthest instance.
single(Clause, Head-Instance, Best, M, Because, single(M:Tells, (M:Lacks)-Goal)) :-
    memberchk(verdicts(Verdicts), Because),
    memberchk(verdict(fails, _, _), Verdicts),
    few_inferences(Few),
    arg(9, Best, All0),
    sort(0, @>=, All0, All),
    member(failed(I, _, _), All),
    plain_part(Instance, I, Goal),
    part(Instance, I, 1, _, Shown, _, _),
    bounded(explain_misses:single_instance(Clause, I, M, Few, Head-Shown, Tells, Lacks), Few),
    !.

single_instance(Clause, I, M, Few, Head0-Shown, Tells, Lacks) :-
    copy_term(Clause, Head-Body),
    part(Body, I, 1, _, Before, Lacks, Behind),
    foldl(also(M), Before, true, Others0),
    foldl(also(M), Behind, Others0, Others),
    call(Others),
    ground(Lacks),
    !,
    tried(M:Lacks, Few, fails),
    findall(G, ( member(G, Before), of_program(G, M) ), Held),
    telling(Held, Head, M, Tells),
    \+ ( member(G, [Head0|Shown]), '$strip_module'(G, _, G1), G1 =@= Tells ),
    !.

% telling(+Held, +Head, +Module, -Tells): Tells is a term that may distinguish instances of a clause: the only goal
% before, the head, or one of several goals.
telling([Tells], _, _, Tells).
telling(_, Head0, M, Head) :-
    '$strip_module'(Head0, _, Head),
    of_program(Head, M).
telling(Held, _, _, Tells) :- member(Tells, Held).

of_program(G, M) :-
    ground(G),
    clause_kind(Kind),
    '$explain_pred'(M:G, _, Kind, _, _),
    !.

% plain_part(+Body, +I, -Goal): Goal has this number in a conjunction, and is not a control construct.
plain_part(Body, I, Goal) :-
    part(Body, I, 1, _, _, Goal, _),
    nonvar(Goal),
    \+ control(Goal).

% verdicts(+Changes, +Rest, +Failed, +Module, -Verdicts): Verdicts has verdict(How, Goal, Misses) for each goal of a
% clause after the failed one. How is holds for goals that hold together with the goals before them; fails; open for
% goals that are neither true nor false; depends(Variables) for goals that need values from the failed goal; asks for
% questions; throws(Ball). A goal that does not end within bounds has no verdict. An if-then-else has verdicts for its
% condition and the branch that is taken. Changes are goals before the failed one that change facts; they run again
% before each goal that is tried.
verdicts(Changes, Rest, Failed, M, Verdicts) :-
    term_variables(Failed-Rest, Vs),
    copy_term(Vs-Failed-Rest-Changes, Found-Failed1-Rest1-Changes1),
    bindable(Failed1, Unknown),
    foldl(also(M), Changes1, true, Holding0),
    verdicts_of(Rest1, M, Unknown, Holding0, Holding, Verdicts),
    few_inferences(Few),
    ( bounded(snapshot(Holding), Few) -> true ; true ),
    maplist(own_value, Found, Vs).

also(M, G, Holding, (Holding, M:G)).

changes_facts(G) :-
    callable(G),
    functor(G, Name, 1),
    memberchk(Name, [assert, asserta, assertz, retract, retractall]).

% own_value(?Found, +Variable): if Found has no value, it becomes the variable of the clause.
own_value(F, V) :- ( var(F) -> F = V ; true ).

% part(+Body, +Index, +I0, -I, -Before, -Part, -Behind): Part is the goal of a conjunction that contains the goal with
% this number; Before and Behind are the goals before and after it.
part(Body, Index, I0, I, Before, Part, Behind) :-
    nonvar(Body),
    Body = (A, B),
    !,
    numbered(A, I0, I1),
    (   Index < I1
    ->  part(A, Index, I0, I, Before, Part, Behind0),
        conjuncts(B, Behind1),
        append(Behind0, Behind1, Behind)
    ;   conjuncts(A, Before0),
        part(B, Index, I1, I, Before1, Part, Behind),
        append(Before0, Before1, Before)
    ).
part(Goal, _, I0, I, [], Goal, []) :- numbered(Goal, I0, I).

numbered(Goal, I0, I) :- walk(Goal, user, way(none, none), I0, I, 0, _, _, _).

conjuncts(V, [V]) :- var(V), !.
conjuncts((A, B), Goals) :- !,
    conjuncts(A, Goals1),
    conjuncts(B, Goals2),
    append(Goals1, Goals2, Goals).
conjuncts(!, []) :- !.
conjuncts(true, []) :- !.
conjuncts((_ -> _ ; Else), [clpfd:C]) :- expanded_constraint(Else, C), !.
conjuncts(G, [G]).

verdicts_of([], _, _, Holding, Holding, []).
verdicts_of([G|Gs], M, Unknown, Holding0, Holding, Verdicts) :-
    taken(G, M, Unknown, Holding0, Condition, Branch),
    !,
    append(Branch, Gs, Goals),
    (   Condition = absent(C)
    ->  Verdicts = [verdict(holds, M:(\+ Asked), [])|Verdicts1],
        verdicts_of(Goals, M, Unknown, (Holding0, explain_interpreter:seen(C, Seen)), Holding1, Verdicts1),
        Holding = (Holding1, explain_interpreter:shown(Seen, Asked)) % it is shown as it was asked
    ;   append(Condition, Goals, All),
        verdicts_of(All, M, Unknown, Holding0, Holding, Verdicts)
    ).
verdicts_of([G|Gs], M, Unknown0, Holding0, Holding, Verdicts) :-
    few_inferences(Few),
    term_variables(G, Own),
    same_variables(Own, Unknown0, Shared),
    (   asks(G, M)
    ->  How = asks
    ;   tried((Holding0, M:G), Few, Outcome0),
        ( Outcome0 = threw(_) -> tried((once(Holding0), M:G), Few, Outcome) ; Outcome = Outcome0 ),
        verdict(Outcome, Shared, G, M, How0),
        ( memberchk(How0, [holds, fails]), in_doubt(Holding0, M:G) -> How = open ; How = How0 )
    ),
    (   How0 == holds
    ->  Holding1 = (Holding0, M:G),
        Unknown = Unknown0
    ;   Holding1 = Holding0,
        bindable(G, Bindable),
        term_variables(Holding0, Known),
        exclude(member_of(Known), Bindable, New),
        append(New, Unknown0, Unknown)
    ),
    (   How == none
    ->  Verdicts = Verdicts1
    ;   reasons(How, G, M, Holding0, Reasons),
        Verdicts = [verdict(How, M:G, Reasons)|Verdicts1]
    ),
    verdicts_of(Gs, M, Unknown, Holding1, Holding, Verdicts1).

% taken(+Goal, +Module, +Unknown, +Holding, -Condition, -Branch): Goal is an if-then-else whose condition is decided
% after Holding. Condition are the goals of the condition, or absent(Goal). Branch are the goals of the branch that is
% taken.
taken(G, M, Unknown, Holding, Condition, Branch) :-
    if_then_else(G, C, A, B),
    term_variables(C, Vs),
    same_variables(Vs, Unknown, []),
    few_inferences(Few),
    tried((Holding, M:C), Few, Outcome),
    (   Outcome == holds
    ->  conjuncts(C, Condition),
        conjuncts(A, Branch)
    ;   Outcome == fails
    ->  Condition = absent(C),
        conjuncts(B, Branch)
    ).

if_then_else(G, C, A, B) :-
    nonvar(G),
    G = (If ; B),
    nonvar(If),
    ( If = (C -> A) ; If = (C *-> A) ),
    \+ expanded_constraint(B, _).

% bindable(+Goal, -Variables): the variables that a solution of the goal may bind.
bindable(G, Vs) :-
    (   nonvar(G),
        ( negated(G, _) ; G = forall(_, _) )
    ->  Vs = []
    ;   nonvar(G),
        ( G = findall(_, _, L) ; G = aggregate_all(_, _, L) )
    ->  term_variables(L, Vs)
    ;   term_variables(G, Vs)
    ).

% reasons(+How, +Goal, +Module, +Holding, -Misses): Misses has the last reason of a failed goal, unless it is obvious.
reasons(How, G, M, Holding, Misses) :-
    (   How == fails,
        nb_getval('$explain_shown', Shown),
        Shown \== all,
        \+ ( ( negated(G, A) -> ground(A) ; A = G ), could_be_fact(A, M) ),
        '$explain_pred'(M:G, _, Kind, _, _),
        ( memberchk(Kind, [user, tabled, ssu]) -> true ; negated(G, _) -> true ; G = forall(_, _) -> true ; control(G) ),
        nb_getval('$explain_most', Most),
        Few is Most // 10,
        bounded(explain_misses:root_behind(Holding, G, M, Misses0), Few)
    ->  Misses = Misses0
    ;   Misses = []
    ).

root_behind(Holding, G, M, Misses) :-
    findall(Root, ( call(Holding), root_miss(30, G, M, [], Root) ), [Misses|_]).

asks(G, M) :-
    callable(G),
    '$explain_pred'(M:G, _, asking, _, _).

% same_variables(+Variables, +Others, -Shared): Shared are the variables that also occur in Others.
same_variables(Vs, Others, Shared) :- include(member_of(Others), Vs, Shared).

member_of(Vs, V) :- same_member(V, Vs).

% verdict(+Outcome, +Shared, +Goal, +Module, -How): Shared are variables that should have a value. If they had values,
% only a goal whose predicate has nothing but facts would certainly fail, too.
verdict(holds, [], _, _, holds) :- !.
verdict(fails, [], _, _, fails) :- !.
verdict(fails, _, G, M, fails) :- could_be_fact(G, M), !.
verdict(_, [V|Vs], _, _, depends([V|Vs])) :- !.
verdict(threw(Ball), [], _, _, throws(Ball)) :- !.
verdict(_, [], _, _, none).

% lacks(+Failed, +Verdicts, +Module, -Lacks): Lacks is [lacks(Is, Others)] if facts may make the failed goals of the
% clause hold. Is is fact if Failed itself could be a fact, rule if its clauses may lack facts, or both. Others are
% later failed goals that could be facts themselves. What rules among them lack is searched when the facts are
% assumed.
lacks(Failed, Verdicts, M, Lacks) :-
    (   \+ ( member(verdict(fails, _:G, _), Verdicts), \+ may_get_facts(G, M) )
    ->  findall(Own:G, ( member(verdict(fails, Own:G, _), Verdicts), new_fact(G, M) ), Others),
        (   new_fact(Failed, M)
        ->  Lacks = [lacks(fact, Others)]
        ;   ground(Failed),
            may_be_fact(Failed, M)
        ->  Lacks = [lacks(both, Others)]
        ;   Lacks = [lacks(rule, Others)]
        )
    ;   Lacks = []
    ).

% may_get_facts(+Goal, +Module): the goal could be a fact, or is one of a rule of the program, perhaps negated.
may_get_facts(G, M) :- new_fact(G, M), !.
may_get_facts(G, M) :- negated(G, A), !, callable(A), may_get_facts(A, M).
may_get_facts(G, M) :- callable(G), '$explain_pred'(M:G, _, Kind, _, none), clause_kind(Kind), has_rule(M:G).

% may_be_fact(+Goal, +Module): the predicate of the goal has facts, perhaps rules as well.
may_be_fact(G, M) :-
    callable(G),
    (   could_be_fact(G, M)
    ->  true
    ;   '$explain_pred'(M:G, _, user, _, none),
        has_clause(M:G, By, By \== rule)
    ).

new_fact(G, M) :-
    ground(G),
    could_be_fact(G, M).

could_be_fact(G, M) :-
    callable(G),
    '$explain_pred'(M:G, _, Kind, _, none),
    memberchk(Kind, [user, undefined]),
    \+ has_rule(M:G).

% has_rule(:Goal): one of the first clauses of the predicate is a rule, whose missing goals say more.
has_rule(Goal) :- has_clause(Goal, By, By == rule).

has_clause(M:G, By, Test) :-
    functor(G, Name, Arity),
    functor(Any, Name, Arity),
    limited(50, explain_misses, '$explain_clause'(M:Any, _, _, By)),
    call(Test),
    !.
