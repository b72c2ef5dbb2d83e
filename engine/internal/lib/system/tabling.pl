% Tabling. The loader turns each tabled predicate p into a wrapper and moves its clauses to the predicate 'p tabled'.
% Tables belong to the run and are kept in Go; this file evaluates them.
:- module(system, [
    tnot/1,
    not_exists/1,
    untable/1,
    table/1,
    call_delays/2,
    current_table/2,
    abolish_module_tables/1,
    abolish_table_subgoals/1,
    abolish_private_tables/0,
    abolish_shared_tables/0
]).

:- meta_predicate tnot(0), not_exists(0), call_delays(0, -), untable(:), table(:).

% '$tbl_call'(+Goal): the answers of the clauses of a tabled predicate, each once. A cut between '$tbl_open' and
% '$tbl_end' needs a choice point at which it stops; otherwise it would remove the evaluation. So this code uses
% clauses and disjunctions in place of conditions.
'$tbl_call'(Goal) :-
    '$tbl_open'(Goal, Table, Work, Tuple),
    '$tbl_call'(Work, Table, Goal, Tuple).

'$tbl_call'(read, Table, _, Tuple) :- '$tbl_answers'(Table, Tuple).
'$tbl_call'(evaluate, Table, Goal, Tuple) :-
    '$tbl_run'(Table, Goal, Tuple),
    '$tbl_answers'(Table, Tuple).
'$tbl_call'(plain, _, Goal, _) :- call(Goal).

% '$tbl_moded'(+Goal, +Tuple, +Width, +Modes): the same for a mode-directed table. Tuple holds the arguments of Goal,
% those with a mode after the first Width ones.
'$tbl_moded'(Goal, Tuple, Width, Modes) :-
    '$tbl_free'(Tuple, Width),
    Moded = '$moded'(Goal, Tuple, Width, Modes),
    '$tbl_open'(Moded, Table, Work, _),
    '$tbl_moded'(Work, Table, Moded, Goal, Tuple).

'$tbl_moded'(read, Table, _, _, Tuple) :- '$tbl_answers'(Table, Tuple).
'$tbl_moded'(evaluate, Table, Moded, _, Tuple) :-
    '$tbl_run'(Table, Moded, _),
    '$tbl_answers'(Table, Tuple).
'$tbl_moded'(plain, _, _, Goal, _) :- call(Goal).

% The first evaluation of a table, which '$tbl_open' has begun, and those of the tables that it leads.
'$tbl_run'(Table, Goal, Tuple) :-
    (   '$tbl_solve'(Table, Goal, Tuple)
    ;   '$tbl_missed'(Table, Missed, MissedGoal, MissedTuple), % resumes consumers without coming back
        '$tbl_solve'(Missed, MissedGoal, MissedTuple)
    ;   '$tbl_end'(Table)
    ).

% Adds the answers of the clauses and fails. The goals after the calls are the continuation of suspended readers.
'$tbl_solve'(Table, '$moded'(Clauses, Tuple, Width, Modes), _) :- !,
    '$tbl_mark'(Table),
    call(Clauses),
    '$tbl_put'(Table, Tuple, Width, Modes, Best), % succeeds when goals join the two
    '$tbl_better'(Tuple, Width, Modes, Best, Better),
    '$tbl_replace'(Table, Better, Width),
    fail.
'$tbl_solve'(Table, Goal, Answer) :-
    '$tbl_mark'(Table),
    call(Goal),
    '$tbl_add'(Table, Answer), % succeeds when the goal needs no other proof
    '$tbl_cut'(Table),
    fail.

% '$tbl_better'(+Tuple, +Width, +Modes, +Best, -Better): Better replaces the best answer so far.
'$tbl_better'(Tuple, Width, Modes, Best, Better) :-
    Tuple =.. [_|New],
    Best =.. [_|Old],
    length(Key, Width),
    append(Key, News, New),
    append(_, Olds, Old),
    '$tbl_same_length'(Olds, News), !,
    '$tbl_join_all'(Modes, Olds, News, Joined),
    Joined \=@= Olds,
    append(Key, Joined, All),
    Better =.. [ret|All].

'$tbl_same_length'([], []).
'$tbl_same_length'([_|As], [_|Bs]) :- '$tbl_same_length'(As, Bs).

'$tbl_join_all'([], [], [], []).
'$tbl_join_all'([M|Ms], [O|Os], [N|Ns], [J|Js]) :-
    '$tbl_join'(M, O, N, J),
    '$tbl_join_all'(Ms, Os, Ns, Js).

'$tbl_join'(min, Old, New, Join) :- ( New @< Old -> Join = New ; Join = Old ).
'$tbl_join'(max, Old, New, Join) :- ( New @> Old -> Join = New ; Join = Old ).
'$tbl_join'(first, Old, _, Old).
'$tbl_join'(last, _, New, New).
'$tbl_join'(sum, Old, New, Join) :- Join is Old + New.
'$tbl_join'(lattice(Goal), Old, New, Join) :- call(Goal, Old, New, Join), !.
'$tbl_join'(po(Goal), Old, New, Join) :- ( call(Goal, Old, New) -> Join = New ; Join = Old ).

% tnot(:Goal): a tabled Goal has no answers, by the well-founded semantics.
tnot(Goal) :-
    '$tbl_clause_goal'(Goal, Clauses),
    '$tbl_open'(Clauses, Table, Work, Tuple),
    '$tbl_deny'(Work, Table, Clauses, Tuple).

'$tbl_deny'(read, Table, _, _) :- '$tbl_not'(Table).
'$tbl_deny'(evaluate, Table, Goal, Tuple) :-
    '$tbl_run'(Table, Goal, Tuple),
    '$tbl_not'(Table).
'$tbl_deny'(plain, _, Goal, _) :- \+ call(Goal).

% not_exists(:Goal): tnot/1 for any goal, which is tabled for this purpose.
:- table '$tbl_exists'/1.

'$tbl_exists'(Goal) :- call(Goal).

not_exists(Goal) :- tnot('$tbl_exists'(Goal)).

% call_delays(:Goal, -Condition): Condition is true, or the undefined goals on which the answer rests.
call_delays(Goal, Condition) :-
    '$tbl_delays'(Before),
    '$tbl_set_delays'([]),
    call(Goal),
    '$tbl_delays'(Delays),
    '$append'(Delays, Before, All),
    '$tbl_set_delays'(All),
    '$strip_module'(Goal, Module, _),
    '$tbl_condition'(Delays, Module, Condition).

'$tbl_condition'([], _, true).
'$tbl_condition'([Delay|Delays], Module, Condition) :-
    '$tbl_delayed'(Delay, Module, Goal),
    (   Delays == []
    ->  Condition = Goal
    ;   Condition = (Goal, More),
        '$tbl_condition'(Delays, Module, More)
    ).

% '$tbl_delayed'(+Delay, +Module, -Goal): the goal as it was called, with its module when that is not Module.
'$tbl_delayed'(not(Delay), Module, tnot(Goal)) :- !, '$tbl_delayed'(Delay, Module, Goal).
'$tbl_delayed'(Delay, Module, Goal) :-
    '$strip_module'(Delay, Home0, Plain),
    '$tbl_plain'(Plain, Home0, Home, Known),
    (   Home == Module
    ->  Goal = Known
    ;   Goal = Home:Known
    ).

'$tbl_plain'('$moded'(Goal, _, _, _), Home0, Home, Known) :- !,
    '$strip_module'(Home0:Goal, Home1, Plain),
    '$tbl_plain'(Plain, Home1, Home, Known).
'$tbl_plain'(Clauses, Home, Home, Known) :-
    Clauses =.. [Name0|Args],
    (   atom_concat(Name, ' tabled', Name0)
    ->  Known =.. [Name|Args]
    ;   Known = Clauses
    ).

% current_table(:Variant, -Table): there is a table for calls that are variants of Variant.
current_table(Spec, '$table'(Number)) :-
    '$strip_module'(Spec, Module, Variant),
    '$tbl_list'(List),
    '$member'(Goal-Number, List),
    '$tbl_variant'(Goal, Module, Variant).

'$tbl_variant'('$moded'(Goal, _, _, _), Module, Variant) :- !, '$tbl_variant'(Goal, Module, Variant).
'$tbl_variant'(Goal, Module, Variant) :-
    '$strip_module'(Goal, Module, Plain),
    Plain =.. [Name0|Args],
    atom_concat(Name, ' tabled', Name0),
    Known =.. [Name|Args],
    (   var(Variant)
    ->  true
    ;   Variant =@= Known
    ),
    Variant = Known.

% untable(:Specs): from now on this run calls the predicates without tables.
untable(Specs) :- '$tbl_switch'(Specs, user, 1).

% table(:Specs): this run calls the predicates, which must have been tabled when they were loaded, with tables.
table(Specs) :- '$tbl_switch'(Specs, user, 0).

'$tbl_switch'(Specs, _, _) :- var(Specs), !, throw(error(instantiation_error, _)).
'$tbl_switch'(Module:Specs, _, On) :- !, '$tbl_switch'(Specs, Module, On).
'$tbl_switch'((A, B), Module, On) :- !, '$tbl_switch'(A, Module, On), '$tbl_switch'(B, Module, On).
'$tbl_switch'([], _, _) :- !.
'$tbl_switch'([A|B], Module, On) :- !, '$tbl_switch'(A, Module, On), '$tbl_switch'(B, Module, On).
'$tbl_switch'(Name/Arity, Module, On) :- !,
    functor(Head, Name, Arity),
    '$tbl_switch_one'(Module:Head, Name/Arity, On).
'$tbl_switch'(Name//Arity0, Module, On) :- !,
    Arity is Arity0 + 2,
    '$tbl_switch'(Name/Arity, Module, On).
'$tbl_switch'(Spec, _, _) :- throw(error(type_error(table_declaration, Spec), _)).

'$tbl_switch_one'(Head, Indicator, On) :-
    (   '$tbl_untable'(Head, On)
    ->  true
    ;   On == 1
    ->  true
    ;   throw(error(permission_error(table, procedure, Indicator), _))
    ).

% Tables only save work, so it does no harm to forget too many of them.
% abolish_module_tables(+Module): forgets all tables.
abolish_module_tables(_) :- abolish_all_tables.
% abolish_table_subgoals(:Goal): forgets all tables.
abolish_table_subgoals(_) :- abolish_all_tables.
% abolish_private_tables: forgets all tables.
abolish_private_tables :- abolish_all_tables.
% abolish_shared_tables: forgets all tables.
abolish_shared_tables :- abolish_all_tables.
