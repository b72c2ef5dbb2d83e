% Tables under the names of XSB.
:- module(tables, [
    abolish_table_pred/1,
    abolish_table_call/1,
    abolish_table_call/2,
    abolish_table_subgoals/2,
    abolish_table_info/0,
    tfindall/3,
    't not'/1,
    get_call/3,
    get_calls/3,
    get_returns/2,
    get_returns/3,
    get_returns_for_call/2,
    get_residual/2,
    answer_residual/2,
    call_residual_program/2,
    delays_residual_program/2,
    set_pil_on/0,
    set_pil_off/0
]).

:- meta_predicate
    abolish_table_pred(:),
    abolish_table_call(:),
    abolish_table_call(:, +),
    abolish_table_subgoals(:, +),
    tfindall(?, 0, -),
    't not'(0),
    get_call(:, -, -),
    get_calls(:, -, -),
    get_returns_for_call(:, -),
    get_residual(:, -),
    answer_residual(:, -),
    call_residual_program(0, -),
    delays_residual_program(:, -).

% abolish_table_pred(:Predicate): forgets all tables; Predicate is Name/Arity or a head.
abolish_table_pred(Spec0) :-
    '$strip_module'(Spec0, _, Spec),
    must_be(nonvar, Spec),
    (   Spec = Name/Arity
    ->  must_be(atom, Name),
        must_be(nonneg, Arity)
    ;   callable(Spec)
    ->  true
    ;   type_error(callable_or_predicate_indicator, Spec)
    ),
    abolish_all_tables.

% abolish_table_call(:Goal): forgets all tables.
abolish_table_call(Goal0) :-
    tabled_goal(Goal0, _, Goal),
    abolish_table_subgoals(Goal).

% abolish_table_call(:Goal, +Options): forgets all tables.
abolish_table_call(Goal, Options) :-
    abolish_table_subgoals(Goal, Options).

% abolish_table_subgoals(:Goal, +Options): forgets all tables.
abolish_table_subgoals(Goal, Options) :-
    must_be(list, Options),
    abolish_table_subgoals(Goal).

% abolish_table_info: forgets all tables.
abolish_table_info :-
    abolish_all_tables.

% tfindall(?Template, :Goal, -List): findall/3 of a tabled goal.
tfindall(Template, Goal, List) :-
    findall(Template, Goal, List).

% 't not'(:Goal): tnot/1.
't not'(Goal) :-
    tnot(Goal).

% get_call(:Goal, -Table, -Return): Table is that of the variants of Goal; Return is ret(V, ...) of the variables of Goal.
get_call(Goal0, Table, Return) :-
    tabled_goal(Goal0, Module, Goal),
    current_table(Module:Variant, _),
    Variant =@= Goal,
    !,
    table_of(Module, Goal, Table, Return).

% get_calls(:Goal, -Table, -Return): each table of calls that unify with Goal in turn.
get_calls(Goal0, Table, Return) :-
    tabled_goal(Goal0, Module, Goal),
    current_table(Module:Variant, _),
    Variant = Goal,
    table_of(Module, Goal, Table, Return).

tabled_goal(Goal0, Module, Goal) :-
    '$strip_module'(Goal0, Module, Goal),
    must_be(callable, Goal).

table_of(Module, Goal, '$table'(Module:Copy, CopyReturn), Return) :-
    term_variables(Goal, Variables),
    Return =.. [ret|Variables],
    copy_term(Goal-Return, Copy-CopyReturn).

% get_returns(+Table, -Return): Return is instantiated by each answer in Table in turn.
get_returns(Table, Return) :-
    get_returns(Table, Return, _).

% get_returns(+Table, -Return, -Leaf): get_returns/2, with Leaf the answer.
get_returns(Table, Return, Goal) :-
    (   nonvar(Table),
        Table \= '$table'(_, _)
    ->  type_error(trie, Table)
    ;   Table = '$table'(Goal0, Return0)
    ),
    copy_term(Goal0-Return0, Goal-Return),
    call(Goal).

% get_returns_for_call(:Goal, -Answer): Answer is each answer in the table of the variants of Goal.
get_returns_for_call(Goal, Answer) :-
    get_call(Goal, Table, _),
    get_returns(Table, _, _:Answer).

% get_residual(:Goal, -Delays): the answers of Goal in each table of calls that unify with it, Delays being the list of the conditions that they depend on.
get_residual(Goal, Delays) :-
    get_calls(Goal, _, _),
    answer_residual(Goal, Conditions),
    (   Conditions == true
    ->  Delays = []
    ;   comma_list(Conditions, Delays)
    ).

% answer_residual(:Goal, -Condition): an answer of a tabled goal, and what it rests on in one of its clauses: true, or undefined goals.
answer_residual(Goal, Condition) :-
    (   tabled_clauses(Goal, Home, Clauses)
    ->  true
    ;   permission_error(answer_residual, non_tabled_procedure, Goal)
    ),
    forall(Goal, true),
    '$strip_module'(Goal, Module, _),
    call_delays(Home:Clauses, Condition0),
    goals_of(Condition0, Home, Module, Condition).

% tabled_clauses(:Goal, -Module, -Clauses): Clauses is the goal that calls the clauses of a tabled predicate, in Module.
tabled_clauses(Goal, Module, Clauses) :-
    catch('$tbl_clause_goal'(Goal, Own), error(permission_error(_, _, _), _), fail),
    '$strip_module'(user:Own, Module, Clauses).

% goals_of(+Goals0, +Home, +Module, -Goals): what clauses of Home called, as it is called from Module.
goals_of((A0, B0), Home, Module, (A, B)) :-
    !,
    goals_of(A0, Home, Module, A),
    goals_of(B0, Home, Module, B).
goals_of(tnot(A0), Home, Module, tnot(A)) :-
    !,
    goals_of(A0, Home, Module, A).
goals_of(Goal, Home, Module, Seen) :-
    (   ( Goal == true ; Goal = _:_ )
    ->  Seen = Goal
    ;   Home == Module
    ->  Seen = Goal
    ;   Seen = Home:Goal
    ).

% call_residual_program(:Goal, -Program): an answer of Goal, and the clauses that leave it undefined: Head :- Goals, with undefined goals
% alone in the bodies. The program is [] for an answer that is true.
call_residual_program(Goal, Program) :-
    '$strip_module'(Goal, Module, _),
    call_delays(Goal, Delays),
    delays_residual_program(Module:Delays, Program).

% delays_residual_program(:Delays, -Program): the clauses that leave the goals undefined that call_delays/2 gives.
delays_residual_program(Spec, Program) :-
    '$strip_module'(Spec, Module, Delays),
    residual_clauses(Delays, Module, [], _, Program, []).

residual_clauses(Delays, _, _, _, _, _) :-
    var(Delays),
    !,
    instantiation_error(Delays).
residual_clauses(true, _, Seen, Seen, Program, Program) :-
    !.
residual_clauses((A, B), Module, Seen0, Seen, Program, Tail) :-
    !,
    residual_clauses(A, Module, Seen0, Seen1, Program, Rest),
    residual_clauses(B, Module, Seen1, Seen, Rest, Tail).
residual_clauses(tnot(Goal), Module, Seen0, Seen, Program, Tail) :-
    !,
    residual_clauses(Goal, Module, Seen0, Seen, Program, Tail).
residual_clauses(Goal, Module, Seen0, Seen, Program, Tail) :-
    (   member(Known, Seen0),
        Known =@= Goal
    ->  Seen = Seen0,
        Program = Tail
    ;   findall((Goal :- Condition), conditional(Module:Goal, Condition), Clauses),
        append(Clauses, Rest, Program),
        residual_bodies(Clauses, Module, [Goal|Seen0], Seen, Rest, Tail)
    ).

conditional(Goal, Condition) :-
    tabled_clauses(Goal, _, _),
    answer_residual(Goal, Condition),
    Condition \== true.

residual_bodies([], _, Seen, Seen, Program, Program).
residual_bodies([(_ :- Body)|Clauses], Module, Seen0, Seen, Program, Tail) :-
    residual_clauses(Body, Module, Seen0, Seen1, Program, Rest),
    residual_bodies(Clauses, Module, Seen1, Seen, Rest, Tail).

% set_pil_on: does nothing.
set_pil_on.

% set_pil_off: does nothing.
set_pil_off.
