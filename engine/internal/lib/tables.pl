% Tables under the names of XSB.
:- module(tables, [
    abolish_table_pred/1,
    abolish_table_call/1,
    abolish_table_call/2,
    abolish_table_subgoals/2,
    tfindall/3,
    't not'/1,
    get_call/3,
    get_calls/3,
    get_returns/2,
    get_returns/3,
    get_returns_for_call/2,
    get_residual/2,
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
    get_residual(0, -).

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
abolish_table_call(Goal) :-
    abolish_table_subgoals(Goal).

% abolish_table_call(:Goal, +Options): forgets all tables.
abolish_table_call(Goal, Options) :-
    abolish_table_subgoals(Goal, Options).

% abolish_table_subgoals(:Goal, +Options): forgets all tables.
abolish_table_subgoals(Goal, Options) :-
    must_be(list, Options),
    abolish_table_subgoals(Goal).

% tfindall(?Template, :Goal, -List): findall/3 of a tabled goal.
tfindall(Template, Goal, List) :-
    findall(Template, Goal, List).

% 't not'(:Goal): tnot/1.
't not'(Goal) :-
    tnot(Goal).

% get_call(:Goal, -Table, -Return): Table is that of the variants of Goal; Return is ret(V, ...) of the variables of Goal.
get_call(Goal0, Table, Return) :-
    '$strip_module'(Goal0, Module, Goal),
    current_table(Module:Variant, _),
    Variant =@= Goal,
    !,
    table_of(Module, Goal, Table, Return).

% get_calls(:Goal, -Table, -Return): each table of calls that unify with Goal in turn.
get_calls(Goal0, Table, Return) :-
    '$strip_module'(Goal0, Module, Goal),
    current_table(Module:Variant, _),
    Variant = Goal,
    table_of(Module, Goal, Table, Return).

table_of(Module, Goal, '$table'(Module:Copy, CopyReturn), Return) :-
    term_variables(Goal, Variables),
    Return =.. [ret|Variables],
    copy_term(Goal-Return, Copy-CopyReturn).

% get_returns(+Table, -Return): Return is instantiated by each answer in Table in turn.
get_returns('$table'(Goal, Return0), Return) :-
    copy_term(Goal-Return0, Goal1-Return),
    call(Goal1).

% get_returns(+Table, -Return, -Leaf): get_returns/2, with Leaf the answer.
get_returns('$table'(Goal, Return0), Return, Goal1) :-
    copy_term(Goal-Return0, Goal1-Return),
    call(Goal1).

% get_returns_for_call(:Goal, -Answer): Answer is each answer in the table of the variants of Goal.
get_returns_for_call(Goal, Answer) :-
    get_call(Goal, Table, _),
    get_returns(Table, _, _:Answer).

% get_residual(:Goal, -Delays): the answers of Goal, Delays being the list of the conditions that they depend on.
get_residual(Goal, Delays) :-
    call_delays(Goal, Conditions),
    (   Conditions == true
    ->  Delays = []
    ;   comma_list(Conditions, Delays)
    ).

% set_pil_on: does nothing.
set_pil_on.

% set_pil_off: does nothing.
set_pil_off.
